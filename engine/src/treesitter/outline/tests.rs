mod hostile;
mod languages;

use std::time::Duration;

use super::*;
use crate::validate::syntax::check as check_syntax;

const LONG: Duration = Duration::MAX;

fn meter(time: Duration) -> Meter {
    Meter::start(time.into())
}

const GO: &str = r#"package main

import (
	"fmt"
	io "os/io"
)

// Server serves.
// Twice.
type Server[T any] struct {
	// Port is open.
	Port, Other int
	http.Handler
	inner struct {
		a int
	}
}

type Doer interface {
	Do(ctx context.Context) error
}

const (
	A = iota
	B
)

var table = map[string]int{
	"a": 1,
}

func (s *Server[T]) Run(
	a int,
) error {
	handler := func() {
		fmt.Println("x")
	}
	x := 1
	return nil
}

func TestX(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		var y int
	})
}
"#;

const PYTHON: &str = r#"#!/usr/bin/env python
"""Docs
of it."""
from __future__ import annotations
import os, sys as system
from a.b import (
    c,
)

LIMIT: int = 3
URLS = [
    path("x"),
]
CONFIG = {
    "debug": True,
    "inner": {"a": 1},
}
TEXT = """
    a
"""
__all__ += ["x"]


# About A.
@dataclass
@other(
    1,
)
class A(Base, metaclass=M):
    """Doc."""

    field: int
    x = y = 2

    @property
    def name(
        self, a: int = 1
    ) -> str:  # note
        local = 1
        table = {
            "k": 1,
        }

        def inner(x):
            return x
        return self.name
        # trailing

    async def go(self): ...

if TYPE_CHECKING:
    import late

def after():
    # ... existing code ...


def last():
    pass

    # ... existing code ...
"#;

const JAVASCRIPT: &str = r#"import React, { useState } from 'react';
import {
  a,
} from "./a";
import './side.css';
export * from './other';
export { x, y };

/** Doc. */
export const handler = async (req, res) => {
  const local = 1;
  const { data } = useQuery({
    a: 1,
  });
  const onClick = useCallback(() => {
    go();
  }, [data]);
  const options = {
    a: 1,
    run() {
    },
  };
  useEffect(() => {
    run();
  }, [data]);
  function nested(a) {
    return a;
  }
  return (
    <div className="x">
      {/* ... existing code ... */}
      <Foo
        a={1}
      />
    </div>
  );
};

const a = 1,
  b = 2;

const config = {
  name: 'x',
  'quoted-key': {
    deep: 1,
  },
  method(a) {
  },
  get value() { return 1; },
};

export default class Foo extends Bar {
  static x = 1;
  #secret = () => {
  };

  constructor(a) {
    super(a);
  }

  async welcome(name, b) {
    return `
      hello ${name}
    `;
  }
}

module.exports = {
  a,
  b: function () {
  },
};

Foo.prototype.bar = function (a) {
};

describe('things', () => {
  const x = 1;
  it("works", async () => {
  });
});

router.get('/x', auth, async (req, res) => {
  res.send(1);
});
app.use(express.json());
var old = function () {};
for (const q of qs) {
  const inFor = 1;
}
"#;

const TYPESCRIPT: &str = r"import type { A } from './a';

export interface Options<T> extends Base {
  // name
  name: string;
  run?(a: number): void;
  nested: {
    a: string;
  };
  [key: string]: unknown;
}

export type Union =
  | 'a'
  | 'b';

type Shape = {
  x: number;
};

export enum Color {
  Red,
  Green = 'g',
}

declare module 'foo' {
  export function f(a: string): void;
}

namespace N {
  const x = 1;
}

@Component({
  selector: 'x',
})
export class Foo<T> implements Bar {
  @Input() name: string = 'a';
  private readonly map = new Map<string, number>();

  @HostListener('click', ['$event'])
  // note
  onClick(e: Event): void {
  }

  over(a: string): void;
  over(a: number): void;
  over(a: any): void {
  }

  abstract go(): void;
}

export default defineComponent({
  name: 'X',
  setup() {
    const a = ref(1);
  },
});

export function useThing<T>(
  a: T,
): T {
  return a;
}

const store = createSlice({
  name: 'a',
  reducers: {
    add(state) {
    },
  },
});
";

const RUST: &str = r##"//! Crate.
#![allow(x)]

use std::collections::{HashMap, HashSet};
use std::fmt;
use a::b::*;
extern crate z;

/// Doc.
/// More.
#[derive(Debug)]
// plain
pub struct Point<T> {
    /// x
    pub x: T,
    #[serde(skip)]
    y: T,
}

pub struct Unit;

enum Shape {
    Circle(f64),
    Rect {
        w: f64,
    },
}

impl<T: Clone> fmt::Display for Point<T>
where
    T: fmt::Debug,
{
    type Output = T;
    const A: usize = 1;

    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = 1;
        let close = |a| {
            a
        };
        fn nested() {}
        println!(
            "{}",
            1
        );
        write!(f, "x")
    }
}

impl Point<u8> {}

trait T1 {
    fn a(&self);
    fn b(&self) {
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_works() {
        let s = r#"
x
"#;
    }
}

macro_rules! mac {
    () => {
    };
}

lazy_static! {
    static ref X: u8 = 1;
}

static TABLE: &[u8] = &[
    1,
];
"##;

const JSON: &str = r#"{
  "name": "x", "inline": 1,
  // note
  "scripts": {
    "build": "tsc",
    "deep": {
      "list": [
        {
          "a": 1
        },
        {
          "a": 2
        }
      ]
    }
  }
}
"#;

/// Writes an outline as a tree: kind, name, rows, header, closer, parameters.
fn render(outline: &Outline) -> String {
    let mut lines = Vec::new();
    let mut stack: Vec<(usize, &Item)> = outline.items.iter().rev().map(|item| (0, item)).collect();
    while let Some((depth, item)) = stack.pop() {
        let kind = format!("{:?}", item.kind).to_lowercase();
        let mut parts = vec![format!("{}{kind} {} {:?}", "  ".repeat(depth), item.name, item.rows)];
        parts.extend((item.header != item.rows).then(|| format!("header {:?}", item.header)));
        parts.extend((item.name_row != item.header.start).then(|| format!("name {}", item.name_row)));
        parts.extend(item.closer.map(|closer| format!("closer {closer}")));
        parts.extend((!item.parameters.is_empty()).then(|| format!("of {}", item.parameters)));
        parts.extend(item.has_error.then(|| "broken".to_owned()));
        lines.push(parts.join(" "));
        stack.extend(item.children.iter().rev().map(|child| (depth + 1, child)));
    }
    let blocks = outline.blocks.iter().map(|block| format!("{}-{}", block.open, block.close));
    lines.push(std::iter::once("blocks".to_owned()).chain(blocks).collect::<Vec<_>>().join(" "));
    for (name, ranges) in [("literals", &outline.literals), ("comments", &outline.comments)] {
        lines.extend((!ranges.is_empty()).then(|| format!("{name} {ranges:?}")));
    }
    lines.join("\n")
}

#[track_caller]
fn check_with(outline: &Outline, wanted: &str) {
    let got = render(outline);
    let wanted: Vec<_> = wanted.lines().map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
    let wanted = wanted.join("\n");
    assert_eq!(got.trim_end(), wanted.trim(), "\n{got}");
}

#[track_caller]
fn check(language: Language, text: &str, wanted: &str) {
    let outline = Outline::of(&Source::new(text), Some(language), &meter(LONG));
    assert!(outline.parsed && outline.cut_by.is_none());
    check_with(&outline, wanted);
}

#[test]
fn go() {
    check(
        Language::Go,
        GO,
        "\
        import fmt 3..4
        import os/io 4..5
        type Server 7..17 header 9..10 closer 16
          value Port,Other 10..12 header 11..12
          value http.Handler 12..13
          value inner 13..16 header 13..14 closer 15
            value a 14..15
        type Doer 18..21 header 18..19 closer 20
          value Do 19..20 of (ctxcontext.Context)
        value A 23..24
        value B 24..25
        value table 27..30 header 27..28 closer 29
        value Server.Run 31..40 header 31..34 closer 39 of (aint,)
          value handler 34..37 header 34..35 closer 36 of ()
        value TestX 41..46 header 41..42 closer 45 of (t*testing.T)
          call t.Run sub 42..45 header 42..43 closer 44 of (t*testing.T)
        blocks 2-5 9-16 13-15 18-20 22-25 27-29 31-33 33-39 34-36 41-45 42-44
        comments [7..9, 10..11]",
    );
}

#[test]
fn python() {
    check(
        Language::Python,
        PYTHON,
        "\
        import __future__ 3..4
        import os,sys 4..5
        import a.b 5..8 header 5..6 closer 7
        value LIMIT 9..10
        value URLS 10..13 header 10..11 closer 12
        value CONFIG 13..17 header 13..14 closer 16
          value debug 14..15
          value inner 15..16
        value TEXT 17..20 header 17..18
        value __all__ 20..21
        type A 23..49 header 28..29 of (Base,metaclass=M)
          value field 31..32
          value x 32..33
          value name 34..47 header 35..38 of (self,a:int=1)
            value table 39..42 header 39..40 closer 41
              value k 40..41
            value inner 43..45 header 43..44 of (x)
          value go 48..49 of (self)
        import late 51..52
        value after 53..55 header 53..54 of ()
        value last 57..61 header 57..58 of ()
        blocks 5-7 10-12 13-16 25-27 35-37 39-41
        literals [2..3, 18..20]
        comments [0..1, 23..24, 46..47, 54..55, 60..61]",
    );
}

#[test]
fn javascript() {
    check(
        Language::JavaScript,
        JAVASCRIPT,
        "\
        import react 0..1
        import ./a 1..4 header 1..2 name 3 closer 3
        import ./side.css 4..5
        import ./other 5..6
        value handler 8..37 header 9..10 closer 36 of (req,res)
          value onClick 14..17 header 14..15 closer 16 of ()
          value options 17..22 header 17..18 closer 21
            value a 18..19
            value run 19..21 header 19..20 closer 20 of ()
          call useEffect 22..25 header 22..23 closer 24 of ()
          value nested 25..28 header 25..26 closer 27 of (a)
        value a 38..39
        value b 39..40
        value config 41..50 header 41..42 closer 49
          value name 42..43
          value quoted-key 43..46 header 43..44 closer 45
            value deep 44..45
          value method 46..48 header 46..47 closer 47 of (a)
          value value 48..49 of ()
        type Foo 51..66 header 51..52 closer 65
          value x 52..53
          value #secret 53..55 header 53..54 closer 54 of ()
          value constructor 56..59 header 56..57 closer 58 of (a)
          value welcome 60..65 header 60..61 closer 64 of (name,b)
        value module.exports 67..72 header 67..68 closer 71
          value b 69..71 header 69..70 closer 70 of ()
        value Foo.prototype.bar 73..75 header 73..74 closer 74 of (a)
        call describe things 76..81 header 76..77 closer 80 of ()
          call it works 78..80 header 78..79 closer 79 of ()
        call router.get /x 82..85 header 82..83 closer 84 of (req,res)
        value old 86..87 of ()
        blocks 1-3 9-36 11-13 14-16 17-21 19-20 22-24 25-27 28-35 29-34 31-33 41-49 43-45 46-47 51-65 53-54 56-58 60-64 67-71 69-70 73-74 76-80 78-79 82-84 87-89
        literals [62..64]
        comments [8..9, 30..31]",
    );
}

#[test]
fn typescript() {
    check(
        Language::TypeScript,
        TYPESCRIPT,
        "\
        import ./a 0..1
        type Options 2..11 header 2..3 closer 10
          value name 3..5 header 4..5
          value run 5..6 of (a:number)
          value nested 6..9 header 6..7 closer 8
            value a 7..8
          value [] 9..10
        type Union 12..15
        type Shape 16..19 header 16..17 closer 18
          value x 17..18
        type Color 20..24 header 20..21 closer 23
          value Red 21..22
          value Green 22..23
        module foo 25..28 header 25..26 closer 27
          value f 26..27 of (a:string)
        module N 29..32 header 29..30 closer 31
          value x 30..31
        type Foo 33..52 header 36..37 closer 51
          value name 37..38
          value map 38..39
          value onClick 40..44 header 42..43 closer 43 of (e:Event)
          value over 45..46 of (a:string)
          value over 46..47 of (a:number)
          value over 47..49 header 47..48 closer 48 of (a:any)
          value go 50..51 of ()
        value default 53..59 header 53..54 closer 58
          value name 54..55
          value setup 55..58 header 55..56 closer 57 of ()
        value useThing 60..65 header 60..63 closer 64 of (a:T,)
        value store 66..73 header 66..67 closer 72
          value name 67..68
          value reducers 68..72 header 68..69 closer 71
            value add 69..71 header 69..70 closer 70 of (state)
        blocks 2-10 6-8 16-18 20-23 25-27 29-31 33-35 36-51 42-43 47-48 53-58 55-57 60-62 62-64 66-72 68-71 69-70
        comments [3..4, 41..42]",
    );
}

#[test]
fn rust() {
    check(
        Language::Rust,
        RUST,
        "\
        import std::collections 3..4
        import std 4..5
        import a::b 5..6
        import z 6..7
        type Point 8..18 header 12..13 closer 17
          value x 13..15 header 14..15
          value y 15..17 header 16..17
        type Unit 19..20
        type Shape 21..27 header 21..22 closer 26
          value Circle 22..23
          value Rect 23..26 header 23..24 closer 25
            value w 24..25
        type fmt::Display for Point 28..48 header 28..32 closer 47 of fmt::DisplayforPoint<T>
          type Output 32..33
          value A 33..34
          value fmt 35..47 header 35..36 closer 46 of (&self,f:&mutfmt::Formatter<'_>)
            value close 37..40 header 37..38 closer 39 of |a|
            value nested 40..41 of ()
        type Point 49..50 of Point<u8>
        type T1 51..56 header 51..52 closer 55
          value a 52..53 of (&self)
          value b 53..55 header 53..54 closer 54 of (&self)
        module tests 57..68 header 58..59 closer 67
          import super 59..60
          value it_works 61..67 header 62..63 closer 66 of ()
        value mac 69..73 header 69..70 closer 72
        call lazy_static! 74..77 header 74..75 closer 76
        value TABLE 78..81 header 78..79 closer 80
        blocks 12-17 21-26 23-25 31-47 35-46 37-39 41-44 51-55 53-54 58-67 62-66 69-72 70-71 74-76 78-80
        literals [64..66]
        comments [0..1, 8..10, 11..12, 13..14]",
    );
}

#[test]
fn json() {
    check(
        Language::Json,
        JSON,
        "\
        value name 1..2
        value scripts 2..16 header 3..4 closer 15
          value build 4..5
          value deep 5..15 header 5..6 closer 14
            value list 6..14 header 6..7 closer 13
              value a 8..9
              value a 11..12
        blocks 0-16 3-15 5-14 6-13 7-9 10-12
        comments [2..3]",
    );
}

#[track_caller]
fn check_snippet(language: Language, text: &str, wanted: &str) {
    let outline = Outline::of_snippet(&Source::new(text), Some(language), &meter(LONG));
    assert!(outline.parsed && outline.cut_by.is_none());
    check_with(&outline, wanted);
}

#[test]
#[allow(clippy::too_many_lines, reason = "cases are data")]
fn members_without_their_class() {
    check_snippet(
        Language::JavaScript,
        "// ... existing code ...\n\n  welcome(name) {\n    return 1;\n  }\n\n  async other() {\n  }\n// ... existing code ...",
        "\
        value welcome 2..5 header 2..3 closer 4 of (name)
        value other 6..8 header 6..7 closer 7 of ()
        blocks 2-4 6-7
        comments [0..1, 8..9]",
    );
    check_snippet(
        Language::TypeScript,
        "  private x: string;\n  // ... existing code ...\n  get(a: string): void {\n    if (a) {\n    }\n  }\n",
        "\
        value x 0..1
        value get 1..6 header 2..3 closer 5 of (a:string)
        blocks 2-5 3-4
        comments [1..2]",
    );
    check_snippet(
        Language::TypeScript,
        "  name: string;\n  // ... existing code ...\n  run?(): void;\n",
        "\
        value name 0..1
        value run 1..3 header 2..3 of ()
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::JavaScript,
        "  data: {\n    a: 1,\n  },\n  // ... existing code ...\n  run() {\n  },\n",
        "\
        value data 0..3 header 0..1 closer 2
          value a 1..2
        value run 3..6 header 4..5 closer 5 of ()
        blocks 0-2 4-5
        comments [3..4]",
    );
    check_snippet(
        Language::JavaScript,
        "function a() {\n  // ... existing code ...\n",
        "\
        value a 0..2 header 0..1 of () broken
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::JavaScript,
        "class A {\n  b() {\n    c(() => {\n  // ... existing code ...\n",
        "\
        type A 0..4 header 0..1 broken
          value b 1..4 header 1..2 of () broken
            call c 2..4 header 2..3 of () broken
        blocks
        comments [3..4]",
    );
    check_snippet(
        Language::Go,
        "func a() {\n\tx()\n\tfor {\n// ... existing code ...",
        "\
        value a 0..4 header 0..1 of () broken
        blocks
        comments [3..4]",
    );
    check_snippet(
        Language::Rust,
        "        one();\n    }\n\n    fn b() {\n    }\n}\n",
        "\
        value b 3..5 header 3..4 closer 4 of ()
        blocks 3-4",
    );
    check_snippet(
        Language::JavaScript,
        "  if (a) {\n    b();\n  } else {\n    // ... existing code ...\n  }\n",
        "\
        blocks 0-2 2-4
        comments [3..4]",
    );
    check_snippet(
        Language::Tsx,
        "      <div>\n        {/* ... existing code ... */}\n      </div>\n",
        "\
        blocks 0-2
        comments [1..2]",
    );
    check_snippet(
        Language::Go,
        "\tName string\n\t// ... existing code ...\n\tAge  int `json:\"a\"`\n",
        "\
        value Name 0..1
        value Age 1..3 header 2..3
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::Go,
        "\tx := 1\n\tfor {\n\t\t// ... existing code ...\n\t}\n",
        "\
        value x 0..1
        blocks 1-3
        comments [2..3]",
    );
    check_snippet(
        Language::Rust,
        "    fn a(&self) {\n        // ... existing code ...\n    }\n\n    pub fn b(self) -> u8 {\n        1\n    }\n",
        "\
        value a 0..3 header 0..1 closer 2 of (&self)
        value b 4..7 header 4..5 closer 6 of (self)
        blocks 0-2 4-6
        comments [1..2]",
    );
    check_snippet(
        Language::Rust,
        "    /// x\n    pub a: u8,\n    b: u8,\n",
        "\
        value a 0..2 header 1..2
        value b 2..3
        blocks
        comments [0..1]",
    );
    check_snippet(
        Language::Json,
        "  \"a\": 1,\n  // ... existing code ...\n  \"b\": {\n    \"c\": 2\n  }\n",
        "\
        value a 0..1
        value b 1..5 header 2..3 closer 4
          value c 3..4
        blocks 2-4
        comments [1..2]",
    );
    check_snippet(
        Language::Python,
        "    def a(self):\n        return \"\"\"x\ny\"\"\"\n\n# ... existing code ...\n\n    @property\n    def b(self):\n        # ... existing code ...\n        return 2\n",
        "\
        value a 0..3 header 0..1 of (self)
        value b 6..10 header 7..8 of (self)
        blocks
        literals [2..3]
        comments [4..5, 8..9]",
    );
    check_snippet(
        Language::Python,
        "class A:\n    # ... existing code ...\n\n    def b(self):\n        pass\n\n    # ... existing code ...\n",
        "\
        type A 0..7 header 0..1
          value b 3..5 header 3..4 of (self)
        blocks
        comments [1..2, 6..7]",
    );
}

#[test]
fn keys_without_their_object() {
    check_snippet(
        Language::JavaScript,
        "  messages: {\n    unexpected: 'x',\n  },\n",
        "\
        value messages 0..3 header 0..1 closer 2
          value unexpected 1..2
        blocks 0-2",
    );
    check_snippet(
        Language::JavaScript,
        "  'color': {\n    value: null,\n  }\n",
        "\
        value color 0..3 header 0..1 closer 2
          value value 1..2
        blocks 0-2",
    );
    check_snippet(
        Language::TypeScript,
        "  connector: () => A<T>;\n",
        "\
        value connector 0..1
        blocks",
    );
    check_snippet(
        Language::Python,
        "    'a': {\n      'b': '''\n  x\n ''',\n    },\n    'c': 2\n",
        "\
        value a 0..5 header 0..1 closer 4
          value b 1..4 header 1..2
        value c 5..6
        blocks 0-4
        literals [2..4]",
    );
}

#[test]
fn indentation() {
    let check_plain = |path: &str, text: &str, wanted: &str| {
        check_with(&Outline::by_indent(&Source::new(text), comment_signs(path, None)), wanted);
    };
    check_plain(
        "a.c",
        "/* Doc\n * of f. */\nint f(int a)\n{\n#ifdef X\n    if (a) {\n        g();\n    } else {\n        h();\n    }\n#endif\n}\n\nstruct s {\n    int a;\n};\n",
        "\
        value f 0..12 header 2..4 closer 11 of (inta)
          section if (a) 5..10 header 5..6 closer 9
        type s 13..16 header 13..14 closer 15
        blocks 3-11 5-7 7-9 13-15
        comments [0..2]",
    );
    check_plain(
        "a.yml",
        "# top\na:\n  b: 1\n  c:\n  - x\n  - y: 1\n    z: 2\nd: 3\n",
        "\
        section a 0..7 header 1..2
          section c 3..7 header 3..4
            section - y: 1 5..7 header 5..6
        blocks
        comments [0..1]",
    );
    check_plain(
        "a.rb",
        "class A\n  # doc\n  def b\n    1\n  end\n\n  def c; end\nend\n",
        "\
        type A 0..8 header 0..1 closer 7
          value b 1..5 header 2..3 closer 4
        blocks
        comments [1..2]",
    );
    check_plain(
        "a.html",
        "<ul>\n  <!-- note -->\n  <li>\n    x\n  </li>\n</ul>\n",
        "\
        section <ul> 0..6 header 0..1 closer 5
          section <li> 1..5 header 2..3 closer 4
        blocks
        comments [1..2]",
    );
    check_plain(
        "a.css",
        "#main {\n  color: red;\n}\n@media x {\n  a {\n    b: c;\n  }\n}\n",
        "\
        section #main 0..3 header 0..1 closer 2
        section @media x 3..8 header 3..4 closer 7
          section a 4..7 header 4..5 closer 6
        blocks 0-2 3-7 4-6",
    );
    check_plain(
        "a.txt",
        "\n\n",
        "\
        blocks",
    );
}

/// What the outline of any text keeps to.
fn assert_sound(outline: &Outline, n_lines: usize, text: &str) {
    let mut stack = vec![(LineRange::new(0, n_lines), &outline.items)];
    while let Some((around, items)) = stack.pop() {
        let mut end = around.start;
        for item in items {
            assert!(
                item.rows.start >= end && item.rows.end <= around.end,
                "{item:?} in {around:?} after {end}\n{text}"
            );
            assert!(!item.header.is_empty() && item.header.start >= item.rows.start, "{item:?}\n{text}");
            assert!(item.header.end <= item.rows.end, "{item:?}\n{text}");
            assert!(item.rows.contains(item.name_row), "{item:?}\n{text}");
            assert!(item.closer.is_none_or(|row| row >= item.header.end && row < item.rows.end), "{item:?}\n{text}");
            end = item.rows.end;
            stack.push((item.rows, &item.children));
        }
    }
    assert!(outline.blocks.is_sorted_by(|a, b| (a.open, b.close) <= (b.open, a.close)), "{text}");
    assert!(outline.blocks.iter().all(|block| block.open < block.close && block.close < n_lines), "{text}");
    for ranges in [&outline.literals, &outline.comments] {
        assert!(ranges.iter().all(|rows| !rows.is_empty() && rows.end <= n_lines), "{ranges:?} {text}");
    }
    assert!(outline.comments.is_sorted_by(|a, b| a.end < b.start), "{:?} {text}", outline.comments);
}

/// The text with other line ends and a byte order mark, then cut off at every line, with every line left out once, and with lines swapped.
fn variants(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut found =
        vec![text.to_owned(), text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{feff}{text}")];
    for at in (0..lines.len()).step_by(3) {
        found.push(lines[..at].concat());
        found.push(lines[at..].concat());
        found.push([&lines[..at], &lines[at + 1..]].concat().concat());
        found.push(lines[..at].concat() + lines[at].get(..lines[at].len() / 2).unwrap_or_default());
        let mut swapped = lines.clone();
        swapped.swap(at, lines.len() / 2);
        found.push(swapped.concat());
    }
    found
}

#[test]
fn any_text_has_a_sound_outline() {
    let texts = [
        (Language::Go, GO),
        (Language::Python, PYTHON),
        (Language::JavaScript, JAVASCRIPT),
        (Language::TypeScript, TYPESCRIPT),
        (Language::Rust, RUST),
        (Language::Json, JSON),
    ];
    for (language, text) in texts {
        assert_any_variant_is_sound(language, text);
    }
}

fn assert_any_variant_is_sound(language: Language, text: &str) {
    let plain = Outline::of(&Source::new(text), Some(language), &meter(LONG));
    for other_ends in &variants(text)[1..4] {
        assert_eq!(Outline::of(&Source::new(other_ends), Some(language), &meter(LONG)), plain, "{language:?}");
    }
    for variant in variants(text) {
        let source = Source::new(&variant);
        assert_sound(&Outline::of(&source, Some(language), &meter(LONG)), source.n_lines(), &variant);
        assert_sound(&Outline::of_snippet(&source, Some(language), &meter(LONG)), source.n_lines(), &variant);
        assert_sound(&Outline::by_indent(&source, ANY_COMMENT_SIGNS), source.n_lines(), &variant);
    }
}

/// Nothing deep, long or unclosed may cost stack or more than its length, nor be without an end.
#[test]
fn hostile_texts_come_to_an_end() {
    const SHORT: Duration = Duration::from_millis(20);
    let mut steps = String::new();
    for depth in 0..300 {
        steps.push_str(&" ".repeat(depth));
        steps.push_str("if x:\n");
    }
    let repeated = [
        "[",
        "{",
        "(",
        "}",
        ")",
        "{\"a\":",
        "<a>",
        "`",
        "`${",
        "\"",
        "\"\"\"",
        "r#\"",
        "/*",
        "// a\n",
        "a(b => {\n",
        "function a() {\n",
        "class A {\n",
        "@a\n",
        "def a():\n",
        "if a {\n",
        "(\n",
        "}\n",
        "{\n",
        "a = ",
        "- ",
        "\t",
        "\r",
        "#[a]\n",
        "impl A<",
        "mod a {",
        "export ",
        "x=>",
        "a.b(",
        "f\"{",
        "#",
        "\n",
        "const a = {\n",
    ];
    let texts = repeated.iter().map(|part| part.repeat(1_000)).chain([steps]);
    for text in texts {
        let source = Source::new(&text);
        for language in Language::built_in() {
            assert_sound(&Outline::of(&source, Some(language), &meter(SHORT)), source.n_lines(), &text[..16]);
            let validation = check_syntax(&text, Some(language), SHORT.into());
            assert!(validation.new_errors.len() <= 100);
        }
    }
}
