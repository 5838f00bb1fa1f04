//! Tags of the reply format: `<PlandexBlock lang="…" path="…">`, its close, and the end of a section.
//!
//! Names and attributes are read in upper and lower case, values in double, single or no quotes, attributes in any order. What is
//! not as it should be is read all the same and noted ([`Tag::plain`]).

/// The longest opening tag, in bytes. A longer one is prose: a display would have to hold all of it back. If it were much smaller, a
/// long path would not fit.
pub(crate) const LONGEST: usize = 1024;

/// The text that a block's opening tag begins with.
pub(crate) const BLOCK: &str = "<PlandexBlock";

/// An opening tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tag<'a> {
    pub(crate) path: Option<&'a str>,
    pub(crate) language: Option<&'a str>,
    /// What a closing tag has to repeat: `<PlandexBlock id="7">` is closed by `</PlandexBlock 7>` alone.
    pub(crate) id: Option<&'a str>,
    /// Whether it is written as it should be.
    pub(crate) plain: bool,
    /// Where it ends in the text, in bytes: behind its `>`.
    pub(crate) end: usize,
}

/// What an opening tag's start turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opening<'a> {
    Tag(Tag<'a>),
    /// It begins like one, and is none: there is no `>` for it, or something else than attributes stands in it.
    Unfinished,
    /// It is something else.
    Other,
}

/// Reads an opening tag at the start of `text`.
pub(crate) fn opening(text: &str) -> Opening<'_> {
    let Some(after) = strip_ignoring_case(text, BLOCK) else { return Opening::Other };
    if after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-')) {
        return Opening::Other;
    }
    let mut tag = Tag { path: None, language: None, id: None, plain: text.starts_with(BLOCK), end: 0 };
    let mut rest = after;
    loop {
        rest = rest.trim_start();
        if text.len() - rest.len() >= LONGEST {
            return Opening::Unfinished;
        }
        if let Some(behind) = rest.strip_prefix('>') {
            tag.end = text.len() - behind.len();
            return if tag.end > LONGEST { Opening::Unfinished } else { Opening::Tag(tag) };
        }
        if let Some(behind) = rest.strip_prefix('/') {
            // An empty element has no body; a model that writes it means an opening tag.
            tag.plain = false;
            rest = behind;
            continue;
        }
        let name_len = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/')).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(name_len);
        if name.is_empty() || name.contains(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))) {
            return Opening::Unfinished;
        }
        let Some(value) = behind.trim_start().strip_prefix('=') else {
            tag.plain = false;
            rest = behind;
            continue;
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|&c| matches!(c, '"' | '\''));
        let (value, behind) = if let Some(quote) = quote {
            let Some((value, behind)) = value[1..].split_once(quote) else { return Opening::Unfinished };
            (value, behind)
        } else {
            value.split_at(value.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(value.len()))
        };
        tag.plain &= quote == Some('"');
        let place = match name {
            _ if name.eq_ignore_ascii_case("path") => &mut tag.path,
            _ if name.eq_ignore_ascii_case("lang") => &mut tag.language,
            _ if name.eq_ignore_ascii_case("id") => &mut tag.id,
            _ => &mut None,
        };
        if !value.trim().is_empty() {
            place.get_or_insert(value.trim());
        }
        rest = behind;
    }
}

/// A closing tag found in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Closing<'a> {
    pub(crate) id: Option<&'a str>,
    /// Where it begins and ends in the text, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) plain: bool,
}

/// Reads a closing tag at the start of `text`; it ends where `Closing::end` says.
pub(crate) fn closing(text: &str) -> Option<Closing<'_>> {
    let after = strip_ignoring_case(text, "</PlandexBlock")?;
    let (id, behind) = after.split_once('>')?;
    let end = text.len() - behind.len();
    if !(id.is_empty() || id.starts_with(char::is_whitespace)) || end > LONGEST {
        return None;
    }
    let id = Some(id.trim()).filter(|id| !id.is_empty());
    Some(Closing { id, start: 0, end, plain: text.starts_with("</PlandexBlock") })
}

/// Reads a closing tag at the end of `text`, which must have no white space behind it.
pub(crate) fn closing_at_end(text: &str) -> Option<Closing<'_>> {
    if !text.ends_with('>') {
        return None;
    }
    let start = text.rfind("</")?;
    let found = closing(&text[start..])?;
    (start + found.end == text.len()).then_some(Closing { start, end: text.len(), ..found })
}

/// Says whether `text` is the tag that ends a section.
pub(crate) fn is_section_end(text: &str) -> bool {
    let name = text.strip_prefix("</").or_else(|| text.strip_prefix('<')).and_then(|text| text.strip_suffix('>'));
    name.is_some_and(|name| {
        let name = name.strip_suffix('/').unwrap_or(name).trim_end();
        name.eq_ignore_ascii_case("EndPlandexFileOps")
    })
}

/// Takes `prefix`, in any case of its letters, off the start of `text`.
pub(crate) fn strip_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Tag<'_> {
        match opening(text) {
            Opening::Tag(tag) => tag,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn attributes_in_any_order_and_quotes() {
        for (text, plain) in [
            (r#"<PlandexBlock lang="go" path="a.go">"#, true),
            (r#"<PlandexBlock path="a.go" lang="go" >"#, true),
            ("<PlandexBlock path='a.go' lang=go>", false),
            ("<plandexblock PATH=\"a.go\"\tLang = \"go\">", false),
            (r#"<PlandexBlock draft lang="go" path="a.go"/>"#, false),
        ] {
            let tag = tag(text);
            assert_eq!(
                (tag.path, tag.language, tag.plain, tag.end),
                (Some("a.go"), Some("go"), plain, text.len()),
                "{text}"
            );
        }
        assert_eq!(tag(r#"<PlandexBlock path="a>b.go"> x"#).path, Some("a>b.go"));
        assert_eq!(tag("<PlandexBlock>").path, None);
        assert_eq!(tag(r#"<PlandexBlock path="">"#).path, None);
    }

    #[test]
    fn what_is_no_tag() {
        assert_eq!(opening("<PlandexBlocks path=\"a\">"), Opening::Other);
        assert_eq!(opening("<Plandex"), Opening::Other);
        assert_eq!(opening("<PlandexBlock lang=\"go\" pa"), Opening::Unfinished);
        assert_eq!(opening("<PlandexBlock lang=\"go"), Opening::Unfinished);
        assert_eq!(opening(&format!("<PlandexBlock path=\"{}\">", "a".repeat(LONGEST))), Opening::Unfinished);
    }

    #[test]
    fn closing_tags() {
        assert_eq!(closing("</PlandexBlock>").map(|close| close.end), Some(15));
        assert_eq!(closing("</PlandexBlock 7 >x").and_then(|close| close.id), Some("7"));
        assert_eq!(closing("</PlandexBlocks>"), None);
        assert_eq!(closing_at_end("}</PlandexBlock>").map(|close| close.start), Some(1));
        assert_eq!(closing_at_end("x := \"</PlandexBlock>\""), None);
        assert!(is_section_end("<EndPlandexFileOps />") && is_section_end("</endplandexfileops>"));
        assert!(!is_section_end("<EndPlandexFileOp/>"));
    }
}
