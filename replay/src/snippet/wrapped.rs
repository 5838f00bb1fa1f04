//! What models put around a text: a code fence, the file's path, the line numbers of a view.

use super::plan::{Item, View};
use super::{Line, Role, context, declaration, hunks, plusminus, reference, structure};
use crate::language::comment_sign;
use crate::rng::Rng;

/// Another style in a code fence, at times with the path above or inside.
pub(super) fn fenced(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let lines = match rng.below(5) {
        0 => context::write(view, rng)?,
        1 => structure::write(view, rng)?,
        2 => declaration::write(view, rng)?,
        3 => plusminus::write(view, rng)?,
        _ => hunks::search_replace(view, rng)?,
    };
    // An inner fence would need a longer one around it.
    if lines.iter().any(|line| line.text.trim_start().starts_with("```")) {
        return None;
    }
    let origin = &view.change.origin;
    let mut out = Vec::new();
    let path = rng.below(4);
    if path == 0 {
        out.push(Line::new(
            Role::Marker,
            rng.pick(&["**PATH**", "`PATH`:", "### PATH", "PATH"]).replace("PATH", &origin.path),
        ));
    }
    let word = if rng.one_in(4) { "" } else { origin.language };
    out.push(Line::new(Role::Marker, format!("```{word}")));
    if path == 1 {
        let (open, close) = comment_sign(origin.language);
        out.push(Line::new(Role::Marker, format!("{open}{}{close}", origin.path)));
    }
    out.extend(lines);
    out.push(Line::new(Role::Marker, "```"));
    Some(out)
}

/// Shown lines bear the numbers they have in the file, new lines go on counting; references bear none.
pub(super) fn numbered(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let items = match rng.below(3) {
        0 => context::items(view, rng)?,
        1 => structure::items(view, rng).or_else(|| context::items(view, rng))?,
        _ => declaration::items(view, rng).or_else(|| context::items(view, rng))?,
    };
    let (before, after) =
        rng.pick(&[("", "| "), ("", "|"), ("", ": "), ("pdx-", ": "), ("  ", "\t"), ("", "\u{2192}")]);
    let mut lines = Vec::new();
    let mut next = None;
    for item in &items {
        let (role, text, number) = match item {
            Item::Keep(n) => (Role::Keep, &view.old[*n], next.unwrap_or(n + 1)),
            Item::Add(n) => (Role::Add, &view.change.new.lines[*n], next.unwrap_or(n + 1)),
            Item::Cut(_) => continue,
            Item::Gap(gap) => {
                next = None;
                lines.push(Line::new(Role::Reference, reference::usual(view, gap)));
                continue;
            }
        };
        next = Some(number + 1);
        lines.push(Line::new(role, format!("{before}{number}{after}{text}")));
    }
    (lines.iter().filter(|line| line.role != Role::Reference).count() > 2).then_some(lines)
}
