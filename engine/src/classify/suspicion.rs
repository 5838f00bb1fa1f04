//! Signs that a snippet is damaged: line numbers of a view, a code fence around it.

use super::{LineKind, Snippet};
use crate::anchor::Index;
use crate::range::LineRange;

/// Share of lines that must bear a number for it to be an echo of a numbered view, in percent.
const NUMBERED_PERCENT: usize = 80;

/// Finds what looks wrong with a snippet, with the lines it is about.
pub(crate) fn suspicion(snippet: &Snippet<'_>, index: &Index) -> Option<(LineRange, &'static str)> {
    let all = LineRange::new(0, snippet.lines.len());
    let code = || snippet.lines.iter().filter(|line| line.kind == LineKind::Code);
    let numbered = || code().filter_map(|line| Some((line, line_number(&line.text)?)));
    let numbers: Vec<usize> = numbered().map(|(_, number)| number).collect();
    // Where the file has such lines the numbers are its own.
    let n_known = numbered().filter(|(line, _)| index.count(line.class) > 0).count();
    let rising = numbers.windows(2).filter(|pair| pair[1] == pair[0] + 1).count();
    let n_code = code().count();
    if n_code >= 2
        && n_known * 2 < numbers.len()
        && numbers.len() * 100 >= n_code * NUMBERED_PERCENT
        && rising * 2 >= numbers.len()
    {
        return Some((all, "the lines bear the numbers of a numbered view"));
    }
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    let first = code().next().is_some_and(|line| is_fence(&line.text));
    let last = code().next_back().is_some_and(|line| line.text.trim() == "```");
    (n_code >= 2 && first && last).then_some((all, "the snippet is wrapped in a code fence"))
}

/// Reads `12| text`, `12: text` or `pdx-12: text`.
fn line_number(text: &str) -> Option<usize> {
    let text = text.trim_start();
    let text = text.strip_prefix("pdx-").unwrap_or(text);
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..len].parse().ok()?;
    text[len..].trim_start().starts_with(['|', ':', '\u{2192}', '\t']).then_some(number)
}
