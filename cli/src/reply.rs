//! Reads a model's reply, and says what comes in while it does.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::path::Path;

use treegraft_reply::{Event, Operation, Parser, Reply};

use crate::diagnostic::{self, Diagnostic};
use crate::input::announce;
use crate::terminal::{DIM, Screen};
use crate::verdict::count;

/// Largest reply in bytes. A model writes a thousandth of it.
const LARGEST_REPLY: usize = 256 << 20;

/// How much is read at a time. A stream gives less, and what it gives is read at once.
const CHUNK: usize = 64 << 10;

/// Reads a reply from a file, or from standard input for `-`; from there each file is told of as it comes in.
pub(crate) fn read(path: &Path) -> Result<Reply, Diagnostic> {
    if path == Path::new("-") {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            announce("reading the reply from the terminal; end it with Ctrl-D on a line of its own");
        }
        return parse(stdin.lock(), Path::new("<stdin>"), LARGEST_REPLY, tell);
    }
    let failed = |error: io::Error| Diagnostic::io("read", path, &error);
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(Diagnostic::error("not_a_file", "this is a folder, not a reply")
            .at(path.display().to_string())
            .help("name the file that the reply is in, or `-` for standard input"));
    }
    parse(file, path, LARGEST_REPLY, |_| {})
}

fn parse(mut reader: impl Read, path: &Path, limit: usize, mut tell: impl FnMut(&Event)) -> Result<Reply, Diagnostic> {
    let mut parser = Parser::new();
    let mut reply = Reply::default();
    let mut take = |events: Vec<Event>| {
        events.iter().for_each(&mut tell);
        reply.extend(events);
    };
    let mut chunk = vec![0; CHUNK];
    let mut n_bytes = 0;
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => break,
            Ok(n) => {
                n_bytes += n;
                if n_bytes > limit {
                    return Err(diagnostic::too_large(&path.display().to_string(), n_bytes as u64, limit));
                }
                take(parser.push(&chunk[..n]));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Diagnostic::io("read", path, &error)),
        }
    }
    take(parser.finish());
    Ok(reply)
}

/// Says on standard error what came in. If that is closed there is nobody to tell.
fn tell(event: &Event) {
    let text = match event {
        Event::Opened(opened) => format!("reading {}", opened.path),
        Event::Operation(Operation::File(block)) => {
            format!("read {} ({})", block.path, count(block.content.lines().count(), "line"))
        }
        Event::Operation(Operation::Move { from, to, .. }) => format!("read: move {from} to {to}"),
        Event::Operation(Operation::Remove { path, .. }) => format!("read: remove {path}"),
        Event::Operation(Operation::Reset { path, .. }) => format!("read: reset {path}"),
        _ => return,
    };
    let mut screen = Screen::stderr();
    let _ = screen.styled(DIM, &text).and_then(|()| screen.end_line()).and_then(|()| screen.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_told_of_as_it_comes_in_and_bounded() {
        let text = "- a.txt:\n<PlandexBlock lang=\"text\" path=\"a.txt\">\nHi\n</PlandexBlock>\n";
        let mut told = 0;
        let reply = parse(text.as_bytes(), Path::new("x"), 1000, |_| told += 1).unwrap();
        assert_eq!((reply.operations.len(), told), (1, 2));
        let refused = parse(io::repeat(b'a'), Path::new("x"), 1000, |_| {}).unwrap_err();
        assert_eq!(refused.code(), "too_large");
    }
}
