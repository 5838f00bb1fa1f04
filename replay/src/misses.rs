//! Shows misses so that a person can tell at a glance whose fault it is.

use std::io::{self, Write};

use similar::{ChangeTag, TextDiff};

use crate::measure::{Measured, Status};
use crate::report::Report;
use crate::run::Options;

/// Which cases to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Only {
    /// All that are wrong, silent ones first.
    #[default]
    Any,
    /// Wrong and trusted.
    Silent,
    /// Wrong.
    Wrong,
    /// Right, but with a doubt.
    Flagged,
}

/// Writes the first misses. Where one case was asked for, it is shown whatever came of it.
pub(crate) fn write(report: &Report, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let wanted = |case: &&Measured| {
        let hard = case.case.style.is_hard();
        match options.only {
            Only::Any => options.id.is_some() || case.is_silent() || (!case.right && !hard),
            Only::Silent => case.is_silent(),
            Only::Wrong => !case.right && !hard,
            Only::Flagged => case.right && case.status == Status::NeedsVerify && !hard,
        }
    };
    let mut cases: Vec<&Measured> = report.cases.iter().filter(wanted).collect();
    cases.sort_by_key(|case| !case.is_silent());
    for case in cases.into_iter().take(options.show_misses) {
        one(case, out)?;
    }
    Ok(())
}

fn one(measured: &Measured, out: &mut dyn Write) -> io::Result<()> {
    let case = &measured.case;
    let judged = match (measured.right, measured.is_silent()) {
        (_, true) => "SILENT WRONG",
        (true, _) => "right",
        (false, _) => "wrong",
    };
    writeln!(out, "=== {}", case.id)?;
    writeln!(out, "{judged}, {}, {:.1} ms", measured.status.as_str(), measured.time.as_secs_f64() * 1e3)?;
    for reason in &measured.reasons {
        writeln!(out, "  ! {reason}")?;
    }
    if !case.description.is_empty() {
        writeln!(out, "--- description")?;
        write!(out, "{}", case.description)?;
    }
    writeln!(out, "--- snippet")?;
    for (n, line) in case.snippet.lines().enumerate() {
        writeln!(out, "{:>4} | {}", n + 1, visible(line))?;
    }
    writeln!(out, "--- original -> wanted (the real change)")?;
    diff(&case.original, &case.wanted, out)?;
    match &measured.got {
        Some(got) if !measured.exact => {
            writeln!(out, "--- wanted -> got (`-` is missing, `+` is too much)")?;
            diff(&case.wanted, got, out)?;
        }
        Some(_) => writeln!(out, "--- got exactly what was wanted")?,
        None => writeln!(out, "--- got nothing")?,
    }
    if !measured.ledger.is_empty() {
        writeln!(out, "--- ledger (lines count from zero, ranges are half-open)")?;
        for step in folded(&measured.ledger) {
            writeln!(out, "  {step}")?;
        }
    }
    writeln!(out)
}

/// Shows white space that would not be seen: tabs, carriage returns and trailing blanks.
fn visible(line: &str) -> String {
    let text = line.trim_end_matches([' ', '\t', '\r']);
    let mut shown = text.replace('\t', "\u{2192}   ");
    for c in line[text.len()..].chars() {
        shown.push(match c {
            '\t' => '\u{2192}',
            '\r' => '\u{240d}',
            _ => '\u{b7}',
        });
    }
    shown
}

/// Writes a line diff with two lines around each change; lines count from one, in the first text for context and `-`.
fn diff(from: &str, to: &str, out: &mut dyn Write) -> io::Result<()> {
    let diff = TextDiff::from_lines(from, to);
    for (n, group) in diff.grouped_ops(2).iter().enumerate() {
        if n > 0 {
            writeln!(out, "     ...")?;
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let number = change.old_index().or(change.new_index()).map_or(0, |n| n + 1);
            let text = change.value();
            let end = if text.ends_with('\n') { "" } else { " (no newline)" };
            writeln!(out, "{number:>5} {sign} {}{end}", visible(text.strip_suffix('\n').unwrap_or(text)))?;
        }
    }
    Ok(())
}

/// Folds runs of exact anchors on neighbouring lines into one line, as most of a ledger is that.
fn folded(ledger: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut run: Option<(String, usize)> = None;
    let is_anchor = |step: &str| step.starts_with("Anchor") && step.contains("equality: Exact");
    let flush = |run: &mut Option<(String, usize)>, out: &mut Vec<String>| {
        if let Some((first, n)) = run.take() {
            out.push(if n == 1 { first } else { format!("{first} and the {} lines after it", n - 1) });
        }
    };
    let mut next = None;
    for step in ledger {
        let lines = lines_of(step);
        if is_anchor(step) && run.is_some() && lines == next {
            if let Some((_, n)) = &mut run {
                *n += 1;
            }
        } else {
            flush(&mut run, &mut out);
            if is_anchor(step) {
                run = Some((step.clone(), 1));
            } else {
                out.push(step.clone());
            }
        }
        next = lines.map(|(original, snippet)| (original + 1, snippet + 1));
    }
    flush(&mut run, &mut out);
    out
}

/// Reads the two lines of an anchor from its `Debug` text.
fn lines_of(step: &str) -> Option<(usize, usize)> {
    let field = |name: &str| step.split_once(name)?.1.split([',', ' ', '}']).next()?.parse().ok();
    Some((field("original: ")?, field("snippet: ")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_anchors_are_folded() {
        let anchor = |o: usize, s: usize| format!("Anchor {{ original: {o}, snippet: {s}, equality: Exact }}");
        let ledger = [anchor(3, 1), anchor(4, 2), "New { snippet: 3..4 }".to_owned(), anchor(9, 4), anchor(11, 5)];
        let out = folded(&ledger);
        assert_eq!(out.len(), 4);
        assert!(out[0].ends_with("and the 1 lines after it"));
    }

    #[test]
    fn white_space_is_made_visible() {
        assert_eq!(visible("\ta \t\r"), "\u{2192}   a\u{b7}\u{2192}\u{240d}");
    }
}
