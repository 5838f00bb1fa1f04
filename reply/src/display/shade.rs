//! The last filter before a person's eyes: stop sequences in prose, backticks in files, whole characters everywhere.

use memchr::memmem;

use crate::display::held::complete_len;

/// What is to be shown, and what is held back at its end.
#[derive(Debug, Default)]
pub(crate) struct Shade {
    stops: Vec<Vec<u8>>,
    /// Bytes to be shown.
    out: Vec<u8>,
    /// The last byte that was shown, to know whether a line is open.
    last: Option<u8>,
    /// The end of the prose, while it is the beginning of a stop sequence.
    tail: Vec<u8>,
    /// The backticks at the end of a file so far.
    ticks: usize,
    stopped: bool,
}

impl Shade {
    /// Adds a stop sequence.
    pub(crate) fn stop_at(&mut self, sequence: &str) {
        if !sequence.is_empty() {
            self.stops.push(sequence.as_bytes().to_vec());
        }
    }

    /// Says whether a stop sequence has come.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Says whether a text starts with a stop sequence.
    pub(crate) fn starts_with_stop(&self, text: &str) -> bool {
        self.stops.iter().any(|stop| text.as_bytes().starts_with(stop))
    }

    /// Says whether a text is the beginning of a stop sequence.
    pub(crate) fn may_start_with_stop(&self, text: &str) -> bool {
        self.stops.iter().any(|stop| stop.starts_with(text.as_bytes()))
    }

    /// Adds text as it is.
    pub(crate) fn plain(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Adds prose. Of what comes behind a stop sequence nothing is shown.
    pub(crate) fn prose(&mut self, bytes: &[u8]) {
        if self.stopped {
            return;
        }
        if self.stops.is_empty() {
            self.out.extend_from_slice(bytes);
            return;
        }
        self.tail.extend_from_slice(bytes);
        if let Some(at) = self.stops.iter().filter_map(|stop| memmem::find(&self.tail, stop)).min() {
            self.out.extend_from_slice(&self.tail[..at]);
            self.tail.clear();
            self.stopped = true;
            return;
        }
        let held = self.stops.iter().map(|stop| overlap(&self.tail, stop)).max().unwrap_or(0);
        let shown = self.tail.len() - held;
        self.out.extend_from_slice(&self.tail[..shown]);
        self.tail.drain(..shown);
    }

    /// Shows what was held back of prose: no stop sequence can come of it any more.
    pub(crate) fn finish_prose(&mut self) {
        self.flush_ticks();
        self.out.append(&mut self.tail);
    }

    /// Adds text of a file. Runs of three or more backticks are escaped one by one, so that they can't close the fence.
    pub(crate) fn file(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(at) = memchr::memchr(b'`', rest) {
            if at > 0 {
                self.flush_ticks();
                self.out.extend_from_slice(&rest[..at]);
            }
            self.ticks += 1;
            rest = &rest[at + 1..];
        }
        if !rest.is_empty() {
            self.flush_ticks();
            self.out.extend_from_slice(rest);
        }
    }

    /// Closes the fence of a file, on a line of its own.
    pub(crate) fn close_fence(&mut self) {
        self.flush_ticks();
        if self.out.last().copied().or(self.last) != Some(b'\n') {
            self.out.push(b'\n');
        }
        self.out.extend_from_slice(b"```\n");
    }

    /// Gives what is to be shown; a character that is not complete waits, if more may come.
    pub(crate) fn take(&mut self, end: bool) -> String {
        let complete = if end { self.out.len() } else { complete_len(&self.out) };
        let rest = self.out.split_off(complete);
        let shown = std::mem::replace(&mut self.out, rest);
        self.last = shown.last().copied().or(self.last);
        match String::from_utf8(shown) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }

    fn flush_ticks(&mut self) {
        let ticks = std::mem::take(&mut self.ticks);
        for _ in 0..ticks {
            self.out.extend_from_slice(if ticks >= 3 { b"\\`" } else { b"`" });
        }
    }
}

/// Gives the length of the longest end of `text` that is a beginning of `stop` and not all of it.
fn overlap(text: &[u8], stop: &[u8]) -> usize {
    let most = text.len().min(stop.len() - 1);
    (1..=most).rev().find(|&len| text.ends_with(&stop[..len])).unwrap_or(0)
}
