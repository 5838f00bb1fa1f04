//! A display that has the whole reply before it, and goes line by line. It knows tags only as the soups of the tests write them.
#![allow(clippy::format_push_string, reason = "a template reads better whole")]

/// Shows a reply; says whether the stop sequence ended it.
pub(crate) fn display(reply: &str, stop: &str) -> (String, bool) {
    let mut shown = String::new();
    let mut file: Option<File> = None;
    let mut quote: Option<(String, usize)> = None;
    let mut section = false;
    let mut lines: Vec<(&str, &str)> = reply.split_inclusive('\n').map(split_end).rev().collect();
    while let Some((line, end)) = lines.pop() {
        let trimmed = line.trim();
        let open = file.as_ref().is_none_or(|file| file.maybe_closed);
        if open && let Some((language, id, rest)) = tag(trimmed) {
            if file.is_some() {
                close(&mut shown);
            }
            let lead = &line[..line.len() - line.trim_start().len()];
            shown += &format!("{lead}```{language}");
            file = Some(File { id, maybe_closed: false });
            section = false;
            // What is behind the tag, with the white space at the end of the line.
            let behind = &line[line.find('>').unwrap_or(0) + 1..];
            if rest.is_empty() {
                shown += behind;
                shown += end;
            } else {
                shown.push('\n');
                lines.push((behind, end));
            }
            continue;
        }
        if let Some(inside) = &mut file {
            let wanted = match &inside.id {
                Some(id) => format!("</PlandexBlock {id}>"),
                None => "</PlandexBlock>".to_owned(),
            };
            if trimmed == wanted {
                shown += &line.replace(&wanted, "```");
                shown += end;
                file = None;
                continue;
            }
            if let Some(behind) = trimmed.strip_prefix(&wanted)
                && behind.trim_start().starts_with(stop)
            {
                shown += &format!("{}```\n", &line[..line.len() - line.trim_start().len()]);
                return (shown, true);
            }
            for tag in [&wanted, "</PlandexBlock>"] {
                inside.maybe_closed |= trimmed.starts_with(tag) || trimmed.ends_with(tag);
            }
            shown += &escape(line);
            shown += end;
            continue;
        }
        match trimmed {
            "</PlandexBlock>" | "</PlandexBlock 7>" if quote.is_none() => continue,
            "<EndPlandexFileOps/>" if quote.is_none() || section => {
                section = false;
                continue;
            }
            "### Move Files" | "### Remove Files" | "### Reset Changes" => section = true,
            _ => see_fence(&mut quote, trimmed),
        }
        if let Some(at) = line.find(stop) {
            shown += &line[..at];
            return (shown, true);
        }
        shown += line;
        shown += end;
    }
    if file.is_some() {
        close(&mut shown);
    }
    (shown, false)
}

struct File {
    id: Option<String>,
    maybe_closed: bool,
}

fn close(shown: &mut String) {
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown.push_str("```\n");
}

fn split_end(line: &str) -> (&str, &str) {
    line.split_at(line.len() - usize::from(line.ends_with('\n')))
}

/// The language, the id, and what is behind an opening tag.
fn tag(text: &str) -> Option<(String, Option<String>, &str)> {
    let inside = text.strip_prefix("<PlandexBlock ")?;
    let (attributes, rest) = inside.split_once('>')?;
    let mut outside = attributes.split('"').step_by(2);
    let sane = outside.all(|text| text.chars().all(|c| c.is_alphanumeric() || c == '=' || c.is_whitespace()));
    if !sane || attributes.matches('"').count() % 2 == 1 {
        return None;
    }
    let value = |name: &str| {
        let (_, behind) = attributes.split_once(&format!("{name}=\""))?;
        Some(behind.split('"').next()?.to_owned())
    };
    Some((value("lang").unwrap_or_default(), value("id"), rest.trim()))
}

fn see_fence(quote: &mut Option<(String, usize)>, text: &str) {
    let sign = text.chars().next().filter(|c| matches!(c, '`' | '~'));
    let Some(sign) = sign else { return };
    let mark: String = text.chars().take_while(|&c| c == sign).collect();
    let info = text[mark.len()..].trim();
    if mark.len() < 3 || sign == '`' && info.contains('`') {
        return;
    }
    match quote {
        None => *quote = Some((mark, 0)),
        Some((opening, depth)) if mark.starts_with(opening.as_str()) => match (info.is_empty(), *depth) {
            (false, _) => *depth += 1,
            (true, 0) => *quote = None,
            (true, _) => *depth -= 1,
        },
        Some(_) => {}
    }
}

fn escape(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let run = rest[at..].chars().take_while(|&c| c == '`').count();
        out += &rest[..at];
        out += &(if run >= 3 { "\\`" } else { "`" }).repeat(run);
        rest = &rest[at + run..];
    }
    out + rest
}
