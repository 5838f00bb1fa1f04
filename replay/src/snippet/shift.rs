//! The whole snippet moved to another depth, or indented with the other kind of white space.

use super::{Line, Role, context, declaration};
use crate::change::{indent_of, is_blank};
use crate::rng::Rng;

pub(super) fn write(view: &super::View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let lines = declaration::write(view, rng).or_else(|| context::write(view, rng))?;
    // A changed line inside a text over several lines must not be moved: its white space is content.
    let quotes = |line: &Line| line.text.contains("\"\"\"") || line.text.contains("'''") || line.text.contains('`');
    if lines.iter().any(quotes) {
        return None;
    }
    // A reference stays at the depth of its neighbours, so it is moved with them.
    let first = rng.below(4);
    (0..4).find_map(|n| match (first + n) % 4 {
        0 => dedent(&lines),
        1 => indent(&lines, view.old),
        2 => tabs_to_spaces(&lines, view.old, rng),
        _ => spaces_to_tabs(&lines, view.old),
    })
}

/// Takes off what all code lines are indented by.
fn dedent(lines: &[Line]) -> Option<Vec<Line>> {
    let code = || lines.iter().filter(|line| line.role != Role::Reference && !is_blank(&line.text));
    let common = code().map(|line| indent_of(&line.text)).min_by_key(|indent| indent.len())?;
    let all = code().all(|line| line.text.starts_with(common));
    if common.is_empty() || !all {
        return None;
    }
    let take = |line: &Line| {
        let text = line.text.strip_prefix(common).unwrap_or_else(|| line.text.trim_start());
        Line::new(line.role, text)
    };
    Some(lines.iter().map(take).collect())
}

/// Indents all lines by one more unit of the file's.
fn indent(lines: &[Line], old: &[String]) -> Option<Vec<Line>> {
    let unit = match unit(old)? {
        Unit::Tab => "\t".to_owned(),
        Unit::Spaces(n) => " ".repeat(n),
    };
    let put = |line: &Line| {
        let text = if is_blank(&line.text) { line.text.clone() } else { format!("{unit}{}", line.text) };
        Line::new(line.role, text)
    };
    Some(lines.iter().map(put).collect())
}

fn tabs_to_spaces(lines: &[Line], old: &[String], rng: &mut Rng) -> Option<Vec<Line>> {
    let width = rng.pick(&[2, 4, 8]);
    (unit(old)? == Unit::Tab).then_some(())?;
    convert(lines, |indent| indent.chars().all(|c| c == '\t').then(|| " ".repeat(width * indent.len())))
}

fn spaces_to_tabs(lines: &[Line], old: &[String]) -> Option<Vec<Line>> {
    let Unit::Spaces(width) = unit(old)? else { return None };
    convert(lines, |indent| {
        (indent.len() % width == 0 && indent.chars().all(|c| c == ' ')).then(|| "\t".repeat(indent.len() / width))
    })
}

/// Converts each indentation; `None` if one can't be, or if there aren't two to learn the rule from.
fn convert(lines: &[Line], rule: impl Fn(&str) -> Option<String>) -> Option<Vec<Line>> {
    let indented = |line: &&Line| line.role == Role::Keep && !is_blank(&line.text) && !indent_of(&line.text).is_empty();
    if lines.iter().filter(indented).count() < 2 {
        return None;
    }
    lines
        .iter()
        .map(|line| {
            let indent = if is_blank(&line.text) { "" } else { indent_of(&line.text) };
            Some(Line::new(line.role, rule(indent)? + &line.text[indent.len()..]))
        })
        .collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Tab,
    Spaces(usize),
}

/// Finds what the file is indented with; `None` if that is mixed or nothing is.
fn unit(old: &[String]) -> Option<Unit> {
    let indents: Vec<&str> = old
        .iter()
        .filter(|line| !is_blank(line))
        .map(|line| indent_of(line))
        .filter(|indent| !indent.is_empty())
        .collect();
    if indents.is_empty() {
        None
    } else if indents.iter().all(|indent| indent.starts_with('\t')) {
        Some(Unit::Tab)
    } else if indents.iter().any(|indent| indent.contains('\t')) {
        None
    } else {
        // Continuation lines may be odd; most lines aren't.
        [4, 2]
            .into_iter()
            .find(|n| indents.iter().filter(|indent| indent.len() % n == 0).count() * 10 >= indents.len() * 9)
            .map(Unit::Spaces)
    }
}
