//! An outline from a grammar's tree, in one walk.
//!
//! # Algorithm
//!
//! The tree is walked once, node by node, with a cursor. A node that a rule names opens an item; leaving the
//! node closes it, and it becomes a child of the item that is then innermost. Wrappers (`export`, decorators)
//! and attributes before a declaration lend it their first row. Bracket tokens are paired among siblings.
//! ERROR nodes are walked through, so that what the grammar could read in them counts; what lies within a row is not, since
//! a declaration begins its row and a block has several.
//!
//! # Cost
//!
//! Linear in the nodes of the tree, of which about half are looked at; the depth of the tree costs no stack.

use tree_sitter::{Node, Tree};

use super::embedded::{self, Region};
use super::naming::{Described, describe};
use super::{Block, DEEPEST_ITEM, Item, ItemKind, Outline};
use crate::budget::Meter;
use crate::range::LineRange;
use crate::source::{Source, indent_of, is_blank};
use crate::treesitter::Language;
use crate::treesitter::language::comment_signs;
use crate::treesitter::roles::{Part, Role, Roles};
use crate::treesitter::rules::{Body, Inside, Naming, Rule, Rules};

/// How many open brackets of one parent are looked at for a closer. Larger: an unreadable text of brackets
/// only costs its square; smaller: in such a text fewer pairs are found.
const DEEPEST_PAIRING: usize = 64;

/// Outlines a tree; `None` once the budget is spent. `text` is what the parser read.
pub(super) fn outline(
    tree: &Tree,
    source: &Source<'_>,
    text: &str,
    language: Language,
    meter: &Meter,
) -> Option<Outline> {
    let mut walk = Walk {
        source,
        text,
        roles: Roles::of(language)?,
        rules: Rules::of(language),
        line_comments: comment_signs("", Some(language)).line,
        offside: language.is_offside(),
        open: Vec::new(),
        wrappers: Vec::new(),
        scopes: Vec::new(),
        attribute: None,
        list: None,
        brackets: Vec::new(),
        regions: Vec::new(),
        outline: Outline { parsed: true, has_errors: tree.root_node().has_error(), ..Outline::default() },
    };
    let mut cursor = tree.walk();
    let mut level = 0_u32;
    'walk: loop {
        if !meter.spend(1) {
            return None;
        }
        if walk.enter(cursor.node(), level) && cursor.goto_first_child() {
            level += 1;
            continue;
        }
        loop {
            walk.leave(level);
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                break 'walk;
            }
            level -= 1;
        }
    }
    let (mut outline, regions) = (walk.outline, walk.regions);
    embedded::add(&mut outline, &regions, source, meter)?;
    outline.blocks.sort_unstable_by(|a, b| a.open.cmp(&b.open).then(b.close.cmp(&a.close)));
    outline.blocks.dedup();
    Some(outline)
}

/// The rule for a bare name in a list of members.
const LISTED: Rule =
    Rule { node: "", kind: ItemKind::Value, name: Naming::Text, body: Body::None, inside: Inside::Same };

/// An item whose node the cursor is in.
struct Open {
    level: u32,
    item: Item,
    /// Row of the body's opener, where a field told it.
    body_row: Option<usize>,
    /// Whether indentation ends the body, so that no bracket does.
    offside_body: bool,
}

/// A node that lends its rows to the declaration right inside.
struct Wrapper {
    level: u32,
    start: usize,
    /// First row after decorators and attributes.
    proper_row: usize,
    /// One past the last row.
    end_row: usize,
    taken: bool,
}

/// An opener whose closer has not come yet.
struct Bracket {
    level: u32,
    pair: u8,
    row: usize,
}

struct Walk<'s> {
    source: &'s Source<'s>,
    text: &'s str,
    roles: &'static Roles,
    rules: &'static Rules,
    /// What begins a comment that runs to the end of its line.
    line_comments: &'static [&'static str],
    offside: bool,
    open: Vec<Open>,
    wrappers: Vec<Wrapper>,
    /// Whether variables are locals, from the outermost scope to the innermost, with the level it ends at.
    scopes: Vec<(u32, bool)>,
    /// Level and first byte of attributes that wait for their declaration.
    attribute: Option<(u32, usize)>,
    /// The level at which bare names are members, inside of the innermost list of them.
    list: Option<u32>,
    brackets: Vec<Bracket>,
    /// Code of other languages.
    regions: Vec<Region>,
    outline: Outline,
}

impl Walk<'_> {
    /// Takes note of a node and says whether to look inside.
    fn enter(&mut self, node: Node<'_>, level: u32) -> bool {
        let role = self.roles.get(&node);
        if role.part == Part::Comment && self.rules.is_comment.is_none_or(|is_one| is_one(node, self.text)) {
            self.add_comment(node);
            return false;
        }
        if role.part == Part::Attribute && self.rules.is_attribute.is_none_or(|is_one| is_one(node, self.text)) {
            if self.attribute.is_none_or(|(at, _)| at != level) {
                self.attribute = Some((level, node.start_byte()));
            }
            return true;
        }
        let mut start = node.start_byte();
        if let Some((at, attribute)) = self.attribute
            && at >= level
        {
            self.attribute = None;
            if at == level {
                start = attribute;
            }
        }
        if self.rules.holds_code {
            self.regions.extend(Region::of(node, self.text));
        }
        if role.part == Part::Literal {
            self.add_literal(node);
            return false;
        }
        if role.opens.is_some() || role.closes.is_some() {
            self.pair(node, role, level);
        }
        let is_wrapper = role.part == Part::Wrapper || role.declares.is_some_and(may_wrap);
        let declares = self.declare(node, role, level, start);
        if !declares && is_wrapper && !is_group(node) {
            let (proper_row, end_row) = (self.proper_row(node), end_row(node, self.text));
            self.wrappers.push(Wrapper { level, start, proper_row, end_row, taken: false });
        }
        if role.part == Part::Locals {
            self.scopes.push((level, true));
        }
        if role.part == Part::MemberList {
            self.list = Some(level + 1);
        }
        declares || is_wrapper || role.part != Part::Other || self.rules.holds_code || !self.is_within_a_row(node)
    }

    /// Says whether nothing inside of a node that lends no rows can be of note: what begins no row declares nothing, and
    /// what lies on one has no block.
    fn is_within_a_row(&self, node: Node<'_>) -> bool {
        node.start_position().row == node.end_position().row && !node.has_error() && !self.begins_row(node.start_byte())
    }

    /// Opens an item if the node declares one.
    fn declare(&mut self, node: Node<'_>, role: Role, level: u32, start: usize) -> bool {
        let is_bare_member = role.part == Part::BareMember && self.list == Some(level);
        let declared = if is_bare_member { Some(&LISTED) } else { role.declares };
        let Some(declared) = declared else { return false };
        // The object that a decorator is given declares nothing.
        if self.attribute.is_some_and(|(at, _)| at < level) {
            return false;
        }
        let is_local = self.scopes.last().is_some_and(|&(_, locals)| locals);
        let described = describe(node, declared, self.text);
        let holds_things = described.as_ref().is_some_and(|described| described.holds_things);
        match declared.inside {
            Inside::Same if holds_things => self.scopes.push((level, false)),
            Inside::Same => {}
            inside => self.scopes.push((level, inside == Inside::Locals && !holds_things)),
        }
        let Some(described) = described else { return false };
        if self.open.len() >= DEEPEST_ITEM {
            return false;
        }
        let is_variable = described.kind == ItemKind::Value && matches!(declared.body, Body::Value(_))
            || described.kind == ItemKind::Call && matches!(declared.name, Naming::RustMacro)
            || described.is_assignment;
        let (first_row, end_row) = (node.start_position().row, end_row(node, self.text));
        if is_local && is_variable && !(end_row > first_row + 1 && (described.holds_function || holds_things)) {
            return false;
        }
        let (around, start, proper_row) = self.wrappers_around(level, start, self.proper_row(node));
        if !self.begins_row(start) {
            return false;
        }
        for wrapper in &mut self.wrappers[around..] {
            wrapper.taken = true;
        }
        let rows = LineRange::new(self.with_comments_above(self.source.line_at(start)), end_row);
        let (body_row, offside_body) = self.body_row(node, declared);
        let Described { kind, name, name_row, parameters, header_row, .. } = described;
        let body_row = header_row.or(body_row);
        self.open.push(Open {
            level,
            item: Item {
                kind,
                name,
                rows,
                name_row,
                header: LineRange::new(proper_row, end_row),
                closer: None,
                parameters,
                has_error: node.has_error(),
                children: Vec::new(),
            },
            body_row,
            offside_body,
        });
        true
    }

    /// Closes what ends with the node of `level`.
    fn leave(&mut self, level: u32) {
        if self.list == Some(level + 1) {
            self.list = None;
        }
        while self.brackets.last().is_some_and(|bracket| bracket.level > level) {
            self.brackets.pop();
        }
        while self.scopes.last().is_some_and(|&(at, _)| at >= level) {
            self.scopes.pop();
        }
        if self.open.last().is_some_and(|open| open.level == level)
            && let Some(open) = self.open.pop()
        {
            let item = self.close(open);
            if let Some(last) = self.siblings().last_mut() {
                end_before(last, item.rows.start);
            }
            self.siblings().push(item);
        }
        if self.wrappers.last().is_some_and(|wrapper| wrapper.level == level)
            && let Some(wrapper) = self.wrappers.pop()
            && wrapper.taken
            && let Some(last) = self.siblings().last_mut()
            && last.rows.end < wrapper.end_row
            && last.rows.end > wrapper.proper_row
        {
            last.rows.end = wrapper.end_row;
        }
    }

    /// The children of the innermost open item, or the top-level items.
    fn siblings(&mut self) -> &mut Vec<Item> {
        match self.open.last_mut() {
            Some(open) => &mut open.item.children,
            None => &mut self.outline.items,
        }
    }

    /// Settles where the header ends and which row closes the item: all blocks inside are known by now.
    fn close(&self, open: Open) -> Item {
        let Open { mut item, body_row, offside_body, .. } = open;
        let (first_row, last_row) = (item.header.start, item.rows.end.saturating_sub(1));
        let of_block = || {
            let blocks = self.outline.blocks.iter().rev().take_while(|block| block.close == last_row);
            blocks.filter(|block| block.open >= first_row).map(|block| block.open).min()
        };
        let of_literal = || {
            let last = self.outline.literals.last()?;
            (last.end == item.rows.end && last.start > first_row).then(|| last.start - 1)
        };
        if let Some(row) = body_row.or_else(of_block).or_else(of_literal) {
            item.header = LineRange::new(first_row, (row + 1).min(item.rows.end));
        }
        if self.offside {
            item.rows.end = self.without_comments_at_end(&item, |row| indent_of(self.source.line(row)).len());
        } else if self.rules.has_open_sections {
            item.rows.end = self.without_comments_at_end(&item, |row| self.is_blank_row(row.saturating_sub(1)).into());
        }
        if offside_body {
            item.rows.end = self.with_comments_below(&item);
        } else if last_row >= item.header.end && last_row < self.source.n_lines() {
            let line = self.source.line(last_row).trim_start();
            item.closer = (line.starts_with(['}', ')', ']']) || self.begins_with_closer(line)).then_some(last_row);
        }
        item
    }

    /// Says whether a line begins with a closing word of the language.
    fn begins_with_closer(&self, line: &str) -> bool {
        let ends = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        self.rules
            .closers
            .iter()
            .any(|closer| line.strip_prefix(closer).is_some_and(|rest| closer.ends_with('/') || ends(rest)))
    }

    /// Finds the wrappers right around a node that no item took yet: the place of the outermost, and what it
    /// makes of the node's first byte and first row.
    fn wrappers_around(&self, level: u32, start: usize, proper_row: usize) -> (usize, usize, usize) {
        let (mut around, mut level, mut start, mut proper_row) = (self.wrappers.len(), level, start, proper_row);
        while let Some(wrapper) = around.checked_sub(1).map(|at| &self.wrappers[at])
            && wrapper.level + 1 == level
            && !wrapper.taken
        {
            around -= 1;
            level = wrapper.level;
            start = start.min(wrapper.start);
            proper_row = proper_row.min(wrapper.proper_row);
        }
        (around, start, proper_row)
    }

    /// The first row of a node that is not decorator, attribute or comment.
    fn proper_row(&self, node: Node<'_>) -> usize {
        let mut cursor = node.walk();
        let mut row = node.start_position().row;
        let mut more = cursor.goto_first_child();
        while more {
            let child = cursor.node();
            row = child.start_position().row;
            more = match self.roles.get(&child).part {
                Part::Attribute | Part::Comment => cursor.goto_next_sibling(),
                Part::Modifiers if cursor.goto_first_child() => {
                    let is_attribute = |child: Node<'_>| self.roles.get(&child).part == Part::Attribute;
                    let mut only_attributes = is_attribute(cursor.node());
                    while only_attributes && cursor.goto_next_sibling() {
                        only_attributes = is_attribute(cursor.node());
                    }
                    row = cursor.node().start_position().row;
                    cursor.goto_parent();
                    only_attributes && cursor.goto_next_sibling()
                }
                _ => false,
            };
        }
        row
    }

    /// The row on which the body opens, where a field tells it, and whether indentation ends the body.
    fn body_row(&self, node: Node<'_>, rule: &Rule) -> (Option<usize>, bool) {
        let Body::Field(field) = rule.body else { return (None, false) };
        let Some(body) = node.child_by_field_name(field) else { return (None, self.offside) };
        // After a `=` stands an expression, which may begin with a bracket too.
        let is_block = || {
            let begins_with_bracket = self.text.get(body.start_byte()..).is_some_and(|text| text.starts_with('{'));
            begins_with_bracket && body.prev_sibling().is_none_or(|before| before.kind() != "=")
        };
        if !self.offside && is_block() {
            return (Some(body.start_position().row), false);
        }
        // The colon or the word before the body: the body itself starts with its first statement.
        let mut cursor = node.walk();
        let mut row = None;
        let mut more = cursor.goto_first_child();
        while more && cursor.node().id() != body.id() {
            let child = cursor.node();
            if self.roles.get(&child).part != Part::Comment {
                row = Some(child.end_position().row);
            }
            more = cursor.goto_next_sibling();
        }
        (row, self.offside)
    }

    /// Says whether only blanks stand before byte `start` on its row.
    fn begins_row(&self, start: usize) -> bool {
        is_blank_to_start(self.text.get(..start).unwrap_or_default())
    }

    /// Moves a row up over the comments right above it. Where indentation makes the blocks, a deeper comment
    /// belongs to the body above.
    fn with_comments_above(&self, row: usize) -> usize {
        let comments = &self.outline.comments;
        let at = comments.partition_point(|comment| comment.end < row);
        let Some(comment) = comments.get(at).filter(|comment| comment.end == row) else { return row };
        if !self.offside {
            return comment.start;
        }
        let indent = |row: usize| if row < self.source.n_lines() { indent_of(self.source.line(row)).len() } else { 0 };
        let own = indent(row);
        let fitting = comment.iter().rev().take_while(|&above| indent(above) <= own);
        fitting.last().unwrap_or(row)
    }

    /// Moves the end of an item up over the comments that the tree counts to it though they stand no deeper than its
    /// header, or, where sections end with the next one, behind a blank line.
    fn without_comments_at_end(&self, item: &Item, depth: impl Fn(usize) -> usize) -> usize {
        let own = if self.offside { depth(item.header.start) } else { 0 };
        let mut end = item.rows.end;
        // The rows from here on hold nothing but blanks and comments.
        let mut at = item.rows.end;
        let comments = &self.outline.comments;
        let mut comment = comments.partition_point(|comment| comment.start < item.rows.end);
        while at > item.header.end {
            let row = at - 1;
            while comment > 0 && comments[comment - 1].start > row {
                comment -= 1;
            }
            let is_comment = comment > 0 && comments[comment - 1].contains(row);
            if !is_comment && !self.is_blank_row(row) {
                break;
            }
            let is_outside = if self.offside { depth(row) <= own } else { depth(row) > 0 };
            if is_comment && is_outside {
                end = row;
            }
            at = row;
        }
        // What follows the header at once is all that the section holds.
        if !self.offside && at <= item.header.end {
            let first =
                (item.header.end..item.rows.end).find(|&row| !self.is_blank_row(row)).unwrap_or(item.header.end);
            let block =
                comments.iter().find(|comment| comment.contains(first)).map_or(first + 1, |comment| comment.end);
            end = end.max(block.min(item.rows.end));
        }
        while end > item.header.end && self.is_blank_row(end - 1) {
            end -= 1;
        }
        end
    }

    fn is_blank_row(&self, row: usize) -> bool {
        row >= self.source.n_lines() || is_blank(self.source.line(row))
    }

    /// Moves the end of an item down over the comments that are indented as its body is: the tree gives
    /// comments after the last statement to nobody.
    fn with_comments_below(&self, item: &Item) -> usize {
        let indent = self.source.line(item.header.start.min(self.source.n_lines().saturating_sub(1)));
        let indent = indent_of(indent).len();
        let mut end = item.rows.end;
        for row in item.rows.end..self.source.n_lines() {
            let line = self.source.line(row);
            if is_blank(line) {
                continue;
            }
            if indent_of(line).len() <= indent || !self.is_comment(line) {
                break;
            }
            end = row + 1;
        }
        end
    }

    fn is_comment(&self, line: &str) -> bool {
        self.line_comments.iter().any(|sign| line.trim_start().starts_with(sign))
    }

    fn add_comment(&mut self, node: Node<'_>) {
        let (mut first, mut end) = (node.start_position().row, end_row(node, self.text));
        // JSX has comments only inside of braces, which hold nothing else then.
        let before = self.text.get(..node.start_byte()).unwrap_or_default();
        if !is_blank_to_start(before) && !before.strip_suffix('{').is_some_and(is_blank_to_start) {
            first += 1;
        }
        let after = self.text.get(node.end_byte()..).unwrap_or_default();
        let is_jsx = before.ends_with('{');
        let after = if is_jsx { after.strip_prefix('}').unwrap_or(after) } else { after };
        // A line comment of some grammars takes its line end with it.
        let takes_line_end = self.text.get(node.byte_range()).is_some_and(|comment| comment.ends_with('\n'));
        if !takes_line_end && !is_blank_to_end(after) {
            end -= 1;
        }
        if first >= end {
            return;
        }
        match self.outline.comments.last_mut() {
            Some(last) if last.end >= first => last.end = last.end.max(end),
            _ => self.outline.comments.push(LineRange::new(first, end)),
        }
    }

    fn add_literal(&mut self, node: Node<'_>) {
        let (start, end) = (node.start_position(), node.end_position());
        // The body of a heredoc starts with a line of its own.
        let first = if start.column == 0 && node.kind() == "heredoc_body" { start.row } else { start.row + 1 };
        let rows = LineRange::new(first, if end.column == 0 { end.row } else { end.row + 1 });
        if !rows.is_empty() {
            self.outline.literals.push(rows);
        }
    }

    /// Pairs a closer with its opener among its siblings.
    fn pair(&mut self, node: Node<'_>, role: Role, level: u32) {
        // Some grammars end a block at the end of the text with a token of no length.
        if node.is_missing() || node.start_byte() == node.end_byte() {
            return;
        }
        let row = node.start_position().row;
        if let Some(pair) = role.opens {
            self.brackets.push(Bracket { level, pair, row });
            return;
        }
        let siblings = self.brackets.iter().enumerate().rev().take(DEEPEST_PAIRING);
        let mut siblings = siblings.take_while(|(_, bracket)| bracket.level == level);
        let Some((at, opener)) = siblings.find(|(_, bracket)| Some(bracket.pair) == role.closes) else { return };
        if opener.row < row {
            self.outline.blocks.push(Block { open: opener.row, close: row });
        }
        self.brackets.truncate(at);
    }
}

/// Says whether a node that declares nothing itself lends its rows to a declaration inside.
fn may_wrap(rule: &Rule) -> bool {
    matches!(rule.name, Naming::Export | Naming::Statement)
}

/// Says whether a node holds a list of declarations in brackets, `const (…)`, that its rows don't belong to.
fn is_group(node: Node<'_>) -> bool {
    node.child(1).is_some_and(|child| child.kind() == "(" || child.child(0).is_some_and(|first| first.kind() == "("))
}

/// Takes the rows from `row` on away from an item and what it ends with: where nothing closes a section, the
/// comments above the next one were counted to it.
fn end_before(item: &mut Item, row: usize) {
    let mut at = Some(item);
    while let Some(item) = at.take_if(|item| item.rows.end > row && item.header.end <= row) {
        item.rows.end = row;
        item.closer = item.closer.filter(|&closer| closer < row);
        at = item.children.last_mut();
    }
}

/// One past the last row of a node; blanks and line ends that belong to the node start no row.
fn end_row(node: Node<'_>, text: &str) -> usize {
    let (start, end) = (node.start_position().row, node.end_position().row);
    let own = text.get(node.byte_range()).unwrap_or_default();
    let blanks = own.get(own.trim_end().len()..).unwrap_or_default();
    end.saturating_sub(memchr::memchr_iter(b'\n', blanks.as_bytes()).count()).max(start) + 1
}

/// Says whether the last, unfinished line of `text` is blank.
fn is_blank_to_start(text: &str) -> bool {
    let rest = text.trim_end_matches([' ', '\t', '\u{feff}', '\u{c}']);
    rest.is_empty() || rest.ends_with('\n')
}

/// Says whether the first line of `text` is blank.
fn is_blank_to_end(text: &str) -> bool {
    let rest = text.trim_start_matches([' ', '\t', '\r', '\u{c}']);
    rest.is_empty() || rest.starts_with('\n')
}
