//! Results as text.

use std::fmt::Write;

use treegraft_reply::{Event, FileBlock, Operation, Parser, Reply, TaskParser, TaskReply, Warning};

/// All events of a reply in these chunks.
pub(crate) fn events<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Event> {
    let mut parser = Parser::new();
    let mut events = Vec::new();
    for chunk in chunks {
        events.extend(parser.push(chunk));
    }
    events.extend(parser.finish());
    events
}

/// A reply as text: `file path | language | form | line`, then `"` before each line of the description and `>` before each of the
/// content; `!` before a warning, with `@` and the operation that it is about. A carriage return is `␍`.
pub(crate) fn reply(reply: &Reply) -> String {
    let mut out = String::new();
    for operation in &reply.operations {
        match operation {
            Operation::File(block) => file(&mut out, "file", block),
            other => writeln!(out, "{other} | line {}", other.line()).unwrap(),
        }
    }
    if let Some(open) = &reply.open {
        file(&mut out, "open", &open.block);
    }
    warnings(&mut out, &reply.warnings);
    out
}

fn warnings(out: &mut String, warnings: &[Warning]) {
    for warning in warnings {
        let about = warning.operation.map(|index| format!(" @{index}")).unwrap_or_default();
        writeln!(out, "! {} {}{about}", warning.line, warning.code).unwrap();
    }
}

fn file(out: &mut String, word: &str, block: &FileBlock) {
    let language = block.language.as_deref().unwrap_or("-");
    write!(out, "{word} {} | {language} | {:?} | line {}", block.path, block.form, block.line).unwrap();
    if let Some(before) = block.same_path_as {
        write!(out, " | again {before}").unwrap();
    }
    out.push('\n');
    for line in block.description.lines() {
        writeln!(out, "{}", format!("\" {line}").trim_end()).unwrap();
    }
    for line in block.content.split_inclusive('\n') {
        let text = line.strip_suffix('\n').unwrap_or(line).replace('\r', "␍");
        writeln!(out, "{}", if text.is_empty() { ">".to_owned() } else { format!("> {text}") }).unwrap();
        if !line.ends_with('\n') {
            out.push_str("\\ no newline\n");
        }
    }
}

/// The task lists of a reply in these chunks.
pub(crate) fn read_tasks<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> TaskReply {
    let mut parser = TaskParser::new();
    chunks.into_iter().for_each(|chunk| parser.push(chunk));
    parser.finish()
}

/// Tasks as text: a numbered title, then the description and `uses file`, indented; `!` before a warning.
pub(crate) fn tasks(reply: &TaskReply) -> String {
    let mut out = String::new();
    for (task, n) in reply.tasks.iter().zip(1..) {
        writeln!(out, "{n}. {}", task.title).unwrap();
        task.description.lines().for_each(|line| writeln!(out, "   {line}").unwrap());
        task.uses_files.iter().for_each(|file| writeln!(out, "   uses {file}").unwrap());
    }
    warnings(&mut out, &reply.warnings);
    out
}

/// Titles to be removed as text.
pub(crate) fn removed(reply: &TaskReply) -> String {
    let mut out = String::new();
    reply.removed.iter().for_each(|title| writeln!(out, "- {title}").unwrap());
    warnings(&mut out, &reply.warnings);
    out
}
