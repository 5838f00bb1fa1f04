//! Hard negatives: snippets of which nobody can know where they belong. Only a doubt is right.

use super::blocks::{is_comment, is_continuation};
use super::plan::{Item, Plan, View};
use super::{Draft, Line, Role, context, declaration, reference, render_plain, structure};
use crate::change::{Change, Hunk, indent_of, is_blank, loose_brackets};
use crate::language::has_closers;
use crate::rng::Rng;

/// A change whose context is cut until two places fit it: the line above, what vanishes, and the line below stand twice
/// in the file at the same indentation, and to apply the change there gives another file.
pub(super) fn twin(view: &View<'_>, rng: &mut Rng) -> Option<Draft> {
    let hunk = pick(view, rng, |hunk| {
        let Some((run, _, _)) = twin_run(view, hunk) else { return false };
        let places = view.occurrences(&run, &(0..view.old.len()));
        !stands_already(view, hunk, &run)
            && places.len() >= 2
            && places.iter().any(|&place| gives_another_file(view, hunk, &run, place))
    })?;
    let change = view.change.only(hunk);
    let (_, above, below) = twin_run(view, &view.change.hunks[hunk])?;
    let lines = {
        let view = View::new(&change);
        let mut plan = Plan::new(&view);
        plan.show([above, below]);
        let items = plan.items(&view);
        // Nothing but the two lines, the change and what lies between them may be shown.
        let only = |item: &Item| match item {
            Item::Keep(n) => (above..=below).contains(n) || is_blank(&view.old[*n]),
            _ => true,
        };
        let edges = matches!(items.first(), Some(Item::Gap(_))) && matches!(items.last(), Some(Item::Gap(_)));
        if !edges || !items.iter().all(only) {
            return None;
        }
        render_plain(&view, &items)
    };
    Some(Draft { lines, change: Some(change), pairs: Vec::new() })
}

/// Gives the old lines that a snippet with one line of context stands for (none blank), and the two context lines.
fn twin_run(view: &View<'_>, hunk: &Hunk) -> Option<(Vec<usize>, usize, usize)> {
    let (above, below) = (view.above(hunk.before.start).next()?, view.below(hunk.before.end).next()?);
    let run = (above..=below).filter(|&n| !is_blank(&view.old[n])).collect();
    Some((run, above, below))
}

/// Says whether the file holds the change with its context already, which would be a third way to read the snippet.
fn stands_already(view: &View<'_>, hunk: &Hunk, run: &[usize]) -> bool {
    let old: Vec<&str> = view.old.iter().filter(|line| !is_blank(line)).map(|line| line.trim_end()).collect();
    let text = |n: Option<&usize>| n.map(|&n| view.old[n].trim_end());
    let new = view.change.new.lines[hunk.after.clone()].iter().filter(|line| !is_blank(line));
    let shown: Vec<&str> =
        text(run.first()).into_iter().chain(new.map(|line| line.trim_end())).chain(text(run.last())).collect();
    old.windows(shown.len()).any(|window| window == shown)
}

/// Says whether the hunk applied at another place gives other lines than applied at its own.
fn gives_another_file(view: &View<'_>, hunk: &Hunk, run: &[usize], place: usize) -> bool {
    let own = run[0];
    if place == own {
        return false;
    }
    let dense: Vec<usize> = (0..view.old.len()).filter(|&n| !is_blank(&view.old[n])).collect();
    let apply = |first: usize| -> Vec<&str> {
        let at = dense.partition_point(|&n| n < first);
        let new = view.change.new.lines[hunk.after.clone()].iter().filter(|line| !is_blank(line));
        let text = |&n: &usize| view.old[n].trim_end();
        dense[..=at]
            .iter()
            .map(text)
            .chain(new.map(|line| line.trim_end()))
            .chain(dense[at + run.len() - 1..].iter().map(text))
            .collect()
    };
    apply(own) != apply(place)
}

/// New code in a function that isn't in the file: its real name is replaced and its body elided.
pub(super) fn absent(view: &View<'_>, rng: &mut Rng) -> Option<Draft> {
    let heads = |hunk: &Hunk| -> Option<(usize, String)> {
        view.blocks.around(&hunk.before).into_iter().find_map(|head| {
            let name = function_name(view.change.origin.language, &view.old[head])?;
            Some((head, name.to_owned()))
        })
    };
    let hunk = pick(view, rng, |hunk| {
        // New lines in place of old ones would look like them, and the rest like a renamed function.
        hunk.is_insertion() && is_new_text(view, hunk) && heads(hunk).is_some()
    })?;
    let change = view.change.only(hunk);
    let hunk = &view.change.hunks[hunk];
    let (head, name) = heads(hunk)?;
    let end = view.blocks.end(head);
    let renamed = if name.contains('_') || matches!(view.change.origin.language, "python" | "rust" | "c") {
        "reconcile_pending_quotas"
    } else if name.starts_with(char::is_uppercase) {
        "ReconcilePendingQuotas"
    } else {
        "reconcilePendingQuotas"
    };
    // The signature must be shown in full, or the rest of it would be elided with the body.
    let opens = view.old[head].trim_end().ends_with(['{', ':']);
    if !opens || view.old.iter().any(|line| line.contains(renamed)) {
        return None;
    }
    let inside = view.old[head + 1..=end].iter().find(|line| !is_blank(line)).map(|line| indent_of(line))?;
    let usual = |indent: &str| Line::new(Role::Reference, reference::worded(view, indent, "... existing code ..."));
    let mut lines = vec![usual(indent_of(&view.old[head])), Line::new(Role::Keep, "")];
    lines.push(Line::new(Role::Keep, view.old[head].replacen(&name, renamed, 1)));
    lines.push(usual(inside));
    lines.extend(view.change.new.lines[hunk.after.clone()].iter().map(|line| Line::new(Role::Add, line.as_str())));
    lines.push(usual(inside));
    if has_closers(view.change.origin.language) && end > head {
        lines.push(Line::new(Role::Keep, view.old[end].as_str()));
    }
    lines.push(Line::new(Role::Keep, ""));
    lines.push(usual(indent_of(&view.old[head])));
    Some(Draft { lines, change: Some(change), pairs: Vec::new() })
}

/// Finds the name of the function that a header declares.
fn function_name<'a>(language: &str, header: &'a str) -> Option<&'a str> {
    let text = header.trim();
    let after = |word: &str| text.split_once(word).map(|(_, rest)| rest);
    let rest = match language {
        "go" => {
            let rest = text.strip_prefix("func ")?;
            if rest.starts_with('(') { rest.split_once(") ")?.1 } else { rest }
        }
        "python" => after("def ")?,
        "rust" => after("fn ")?,
        "javascript" | "typescript" | "tsx" | "java" | "c" | "cpp" | "csharp" => {
            let before = text.split_once('(')?.0;
            if before.contains(['=', '.', '"', '\'', ',', '?']) {
                return None;
            }
            before.rsplit([' ', '*', '&']).next()?
        }
        _ => return None,
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let name = &rest[..end];
    // A macro that makes a function is no function.
    let is_macro = !name.contains(char::is_lowercase);
    let keyword = matches!(
        name,
        "if" | "for"
            | "while"
            | "switch"
            | "catch"
            | "return"
            | "function"
            | "constructor"
            | "else"
            | "do"
            | "try"
            | "new"
            | "match"
            | "describe"
            | "test"
    );
    // A name that its own header repeats can't be replaced once.
    let once = header.matches(name).count() == 1;
    (name.len() >= 3 && !keyword && !is_macro && once).then_some(name)
}

/// New code between two references, in a container with at least two gaps: nothing says where.
pub(super) fn gap(view: &View<'_>, rng: &mut Rng) -> Option<Draft> {
    let hunk = pick(view, rng, |hunk| {
        hunk.is_insertion() && adds(view, hunk) >= 2 && is_new_text(view, hunk) && siblings(view, hunk) >= 3
    })?;
    let change = view.change.only(hunk);
    let hunk = &view.change.hunks[hunk];
    let new = &view.change.new.lines[hunk.after.clone()];
    let indent = new.iter().find(|line| !is_blank(line)).map(|line| indent_of(line))?;
    let usual = |indent: &str| Line::new(Role::Reference, reference::worded(view, indent, "... existing code ..."));
    let mut middle = vec![usual(indent), Line::new(Role::Keep, "")];
    middle.extend(new.iter().map(|line| Line::new(Role::Add, line.as_str())));
    middle.extend([Line::new(Role::Keep, ""), usual(indent)]);
    let Some(&head) = view.blocks.around(&hunk.before).first() else {
        return Some(Draft { lines: middle, change: Some(change), pairs: Vec::new() });
    };
    let frame = view.blocks.frame(head, hunk.before.start);
    let outer = indent_of(&view.old[head]);
    let mut lines = vec![usual(outer)];
    let keep = |&n: &usize| Line::new(Role::Keep, view.old[n].as_str());
    lines.extend(frame.iter().filter(|&&n| n < hunk.before.start).map(keep));
    lines.extend(middle);
    lines.extend(frame.iter().filter(|&&n| n >= hunk.before.start).map(keep));
    lines.push(usual(outer));
    Some(Draft { lines, change: Some(change), pairs: Vec::new() })
}

/// Counts the lines that stand directly in the hunk's container, above and below it; zero unless there are some on both sides.
fn siblings(view: &View<'_>, hunk: &Hunk) -> usize {
    let container = view.blocks.around(&hunk.before).first().copied();
    let range = container.map_or(0..view.old.len(), |head| head + 1..view.blocks.end(head));
    let dense = |range: std::ops::Range<usize>| range.filter(|&n| !is_blank(&view.old[n])).collect::<Vec<_>>();
    let lines = dense(range);
    let Some(depth) = lines.iter().map(|&n| view.blocks.indent(n)).min() else { return 0 };
    let direct = |n: &&usize| view.blocks.indent(**n) == depth && !is_continuation(&view.old[**n]);
    let above = lines.iter().filter(direct).filter(|&&n| n < hunk.before.start).count();
    let below = lines.iter().filter(direct).filter(|&&n| n >= hunk.before.start).count();
    if above == 0 || below == 0 { 0 } else { above + below }
}

/// A snippet whose last third to half and more is missing, in the middle of new code and of a block.
pub(super) fn cut(view: &View<'_>, rng: &mut Rng) -> Option<Draft> {
    let lines = match rng.below(3) {
        0 => context::write(view, rng)?,
        1 => structure::write(view, rng).or_else(|| context::write(view, rng))?,
        _ => declaration::write(view, rng).or_else(|| context::write(view, rng))?,
    };
    let places: Vec<usize> = (lines.len() * 4 / 10..=lines.len() * 7 / 10)
        .filter(|&n| n > 0 && n < lines.len() && lines[n - 1].role == Role::Add && lines[n].role == Role::Add)
        .filter(|&n| !is_blank(&lines[n - 1].text) && is_open(view, &lines[..n], &lines[n].text))
        .collect();
    if places.is_empty() {
        return None;
    }
    let mut lines = lines;
    lines.truncate(rng.pick(&places));
    Some(lines.into())
}

/// Says whether the new lines at the end leave a block open.
fn is_open(view: &View<'_>, lines: &[Line], next: &str) -> bool {
    let new = lines.iter().rev().take_while(|line| line.role == Role::Add);
    // A bracket in a comment opens nothing.
    let mut new: Vec<String> = new.map(|line| line.text.clone()).filter(|line| !is_comment(line)).collect();
    new.reverse();
    let Some(last) = new.last() else { return false };
    if loose_brackets(&new).iter().any(|bracket| matches!(bracket, b'(' | b'[' | b'{')) {
        return true;
    }
    // The block that a colon opens is missing.
    let deeper = crate::change::indent_width(next) > crate::change::indent_width(last);
    !has_closers(view.change.origin.language) && last.trim_end().ends_with(':') && deeper
}

/// Picks one of the hunks that fit.
fn pick(view: &View<'_>, rng: &mut Rng, fits: impl Fn(&Hunk) -> bool) -> Option<usize> {
    let Change { hunks, .. } = view.change;
    // A rewritten file has many hunks, and each is looked at in full.
    let fitting: Vec<usize> =
        (0..hunks.len().min(20)).filter(|&n| adds(view, &hunks[n]) > 0 && fits(&hunks[n])).collect();
    if fitting.is_empty() { None } else { Some(rng.pick(&fitting)) }
}

/// Says whether no telling line of a hunk stands in the file: one that does would be taken for context.
fn is_new_text(view: &View<'_>, hunk: &Hunk) -> bool {
    let telling =
        view.change.new.lines[hunk.after.clone()].iter().map(|line| line.trim()).filter(|line| line.len() > 3);
    telling.into_iter().all(|line| !view.old.iter().any(|old| old.trim() == line))
}

/// Counts the new lines of a hunk that aren't blank.
fn adds(view: &View<'_>, hunk: &Hunk) -> usize {
    view.change.new.lines[hunk.after.clone()].iter().filter(|line| !is_blank(line)).count()
}
