//! The merge with the original's bytes put back.

use super::compare::{Comparison, Origin, Place};
use super::finding::difference;
use super::script::Script;
use crate::source::Source;

/// Writes the repaired text.
pub(super) fn repair(script: &Script<'_>, comparison: &Comparison, merged: &Source<'_>) -> String {
    let mut repaired = Repaired::new(script);
    let mut pairs = comparison.pairs.iter().peekable();
    for place in &comparison.places {
        while let Some(&(kept, line)) = pairs.next_if(|&&(kept, _)| kept < place.lost.end) {
            repaired.write_pair(script.kept[kept], merged, line);
        }
        write_place(&mut repaired, place, merged);
    }
    for &(kept, line) in pairs {
        repaired.write_pair(script.kept[kept], merged, line);
    }
    repaired.finish()
}

fn write_place(repaired: &mut Repaired<'_, '_>, place: &Place, merged: &Source<'_>) {
    let script = repaired.script;
    let stays = place.has(Origin::Snippet) || place.has(Origin::Gone);
    // A line from nowhere may be the other engine's wording of a line that is missing.
    let may_be_edit = place.lacks_new && place.has(Origin::Nowhere);
    let loses = !place.is_edit && !place.lost.is_empty();
    // Nothing says in which order the lost lines and those of the edit belong.
    let is_open = loses && (stays || may_be_edit);
    if loses && !is_open {
        place.lost.iter().for_each(|kept| repaired.write_row(script.kept[kept]));
    }
    for (line, origin) in place.lines.iter().zip(&place.origins) {
        let is_written = match origin {
            Origin::Snippet | Origin::Gone => true,
            Origin::Blank => place.is_edit || stays || is_open || may_be_edit,
            Origin::Marker => false,
            Origin::Nowhere => is_open || may_be_edit,
        };
        if is_written {
            repaired.write_text(merged.line(line));
        }
    }
}

/// The text as it is written, line by line.
struct Repaired<'r, 's> {
    script: &'r Script<'s>,
    text: String,
    /// The terminator that a written line gets: that of the line above.
    terminator: &'s str,
    /// Whether the last line has one.
    is_ended: bool,
}

impl<'r, 's> Repaired<'r, 's> {
    fn new(script: &'r Script<'s>) -> Self {
        let original = script.original;
        let first = (!original.is_empty()).then(|| original.terminator(0)).filter(|own| !own.is_empty());
        let text = original.text()[..original.line_start(0)].to_owned();
        Self { script, text, terminator: first.unwrap_or(original.dominant_terminator()), is_ended: true }
    }

    /// Writes an original line that the merge has, with the original's bytes unless its own may be meant.
    fn write_pair(&mut self, row: usize, merged: &Source<'_>, line: usize) {
        let is_equal = merged.line(line) == self.script.original.line(row);
        if is_equal || difference(self.script, merged, row, line).is_some() {
            self.write_row(row);
        } else {
            self.write_text(merged.line(line));
        }
    }

    /// Writes an original line with its own bytes.
    fn write_row(&mut self, row: usize) {
        self.end_line();
        self.text.push_str(self.script.original.line(row));
        let own = self.script.original.terminator(row);
        self.text.push_str(own);
        self.is_ended = !own.is_empty();
        if self.is_ended {
            self.terminator = own;
        }
    }

    fn write_text(&mut self, line: &str) {
        self.end_line();
        self.text.push_str(line);
        self.text.push_str(self.terminator);
        self.is_ended = true;
    }

    /// Ends the line above, if it is the original's last one and has no terminator.
    fn end_line(&mut self) {
        if !self.is_ended {
            self.text.push_str(self.terminator);
        }
    }

    fn finish(mut self) -> String {
        let is_empty = self.text.len() == self.script.original.line_start(0);
        if self.script.final_newline {
            self.end_line();
        } else if self.is_ended && !is_empty {
            self.text.truncate(self.text.len() - self.terminator.len());
        }
        self.text
    }
}
