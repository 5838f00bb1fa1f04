//! Reads task lists.
//!
//! # Algorithm
//!
//! A heading that is a whole line begins a list. A list ends at a heading of the same or a higher level, at the stop tag, or where prose
//! begins: an unindented line behind a blank one that is no item. Tasks are the numbered lines at the least indentation whose numbers
//! don't fall; all other lines belong to the task above. Lines in code fences are never headings or tasks, and lines in file blocks are
//! nothing at all.
//!
//! # Cost
//!
//! Linear in the reply; memory holds the lists.

use std::collections::{BTreeMap, BTreeSet};

use crate::label::unquote;
use crate::lines::{Line, Lines};
use crate::mark::{Mark, Quote};
use crate::out::MOST_ALIKE;
use crate::path;
use crate::tasks::{Task, TaskReply};
use crate::{Warning, WarningCode};

/// Ends a step, and with it all lists.
const STOP: &str = "<PlandexFinish/>";

/// Reads the task lists of a reply that comes in chunks of any size.
///
/// # Examples
///
/// ```
/// let mut parser = treegraft_reply::TaskParser::new();
/// parser.push(b"### Tasks\n1. Re");
/// parser.push(b"ad\n2. Write\n");
/// assert_eq!(parser.finish().tasks.len(), 2);
/// ```
#[derive(Debug, Default)]
pub struct TaskParser {
    lines: Lines,
    reader: Reader,
}

impl TaskParser {
    /// Makes a parser at the start of a reply.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes of the reply.
    pub fn push(&mut self, chunk: &[u8]) {
        self.lines.push(chunk, |line| self.reader.read(&line));
    }

    /// Ends the reply, and gives its lists.
    #[must_use]
    pub fn finish(mut self) -> TaskReply {
        self.lines.finish(|line| self.reader.read(&line));
        self.reader.finish()
    }
}

/// Reads the task lists of a whole reply.
///
/// # Examples
///
/// ```
/// let reply = treegraft_reply::parse_tasks("I list them under `### Tasks`.\n\n### Tasks\n1. Read\n");
/// assert_eq!(reply.tasks[0].title, "Read");
/// ```
#[must_use]
pub fn parse_tasks(reply: impl AsRef<[u8]>) -> TaskReply {
    let mut parser = TaskParser::new();
    parser.push(reply.as_ref());
    parser.finish()
}

/// All of the parser behind the lines.
#[derive(Debug, Default)]
struct Reader {
    /// The list under `### Tasks`, or else the one under `### Task`.
    tasks: Vec<Task>,
    /// Whether that list stands under `### Task`, which counts only if there is no `### Tasks`.
    singular: bool,
    removed: Vec<String>,
    warnings: Vec<Warning>,
    place: Place,
    /// The code fence around.
    quote: Quote,
    /// Whether the line before was blank.
    after_blank: bool,
}

#[derive(Debug, Default)]
enum Place {
    #[default]
    Outside,
    /// In a file block.
    Block,
    Tasks(List),
    /// Behind the end of a list that ended where prose began: a task there would be lost. Its last number.
    BehindTasks {
        number: u64,
    },
    /// In a list of titles, of which so many have come.
    Removal {
        n_titles: usize,
    },
    Stopped,
}

/// A list of tasks that is open.
#[derive(Debug)]
struct List {
    singular: bool,
    /// The line of its heading, one-based.
    line: usize,
    tasks: Vec<Task>,
    /// The indentation of its tasks, in characters, and the last number.
    indent: usize,
    number: u64,
    /// Whether the last line was a part of a list of files, and whether a comma ended it.
    uses: Option<Uses>,
    /// Whether it has any text.
    has_text: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Uses {
    wants_more: bool,
}

/// A heading that begins a list.
enum Heading {
    Tasks { singular: bool },
    Removal,
}

impl Reader {
    fn read(&mut self, line: &Line<'_>) {
        if matches!(self.place, Place::Stopped) {
            return;
        }
        let whole = line.trimmed();
        let stop = whole.find(STOP).filter(|_| !matches!(self.place, Place::Block));
        let text = stop.map_or(whole, |at| whole[..at].trim_end());
        if text.is_empty() {
            self.after_blank |= stop.is_none();
        } else {
            self.text(text, line);
            self.after_blank = false;
        }
        if stop.is_some() {
            self.end();
            self.place = Place::Stopped;
        }
    }

    fn finish(mut self) -> TaskReply {
        self.end();
        let mut keys = BTreeSet::new();
        let mut counts = BTreeMap::new();
        for task in &mut self.tasks {
            let (title, count) = (task.title.clone(), counts.entry(task.key()).or_insert(1));
            while !keys.insert(task.key()) {
                *count += 1;
                task.title = format!("{title} ({count})");
            }
        }
        TaskReply { tasks: self.tasks, removed: self.removed, warnings: self.warnings }
    }

    /// Reads a line that is not blank.
    fn text(&mut self, text: &str, line: &Line<'_>) {
        let mark = Mark::of(text);
        if let Place::Block = self.place {
            if let Mark::Close(_) = mark {
                self.place = Place::Outside;
            }
            return;
        }
        if let Mark::Fence(fence) = mark {
            self.quote.see(fence);
            if let Place::Tasks(list) = &mut self.place {
                list.describe(text);
            }
            return;
        }
        if self.quote.is_open() {
            if let Place::Tasks(list) = &mut self.place {
                list.describe(text);
            }
            return;
        }
        if let Mark::Open(_) = mark {
            self.end();
            self.place = Place::Block;
            return;
        }
        if let Some(level) = heading_level(text) {
            if let Some(heading) = heading(text) {
                self.end();
                self.begin(&heading, line.number);
                return;
            }
            if level <= LIST_LEVEL {
                self.end();
                return;
            }
        }
        match &mut self.place {
            Place::Tasks(list) => {
                if !list.read(text, line, self.after_blank) {
                    let number = list.number;
                    self.end();
                    self.place = Place::BehindTasks { number };
                }
            }
            Place::BehindTasks { number } => {
                if let Some((found, title)) = numbered(text)
                    && found > *number
                    && !self.tasks.is_empty()
                {
                    let detail = format!("`{title}` stands behind prose that ended the task list, and is left out");
                    self.warn(line.number, WarningCode::TaskBehindEnd, detail);
                    self.place = Place::Outside;
                }
            }
            Place::Removal { n_titles } => {
                if let Some(item) = text.strip_prefix(['-', '*', '+', '•']) {
                    let title = unquote(item.trim()).trim_end_matches('.').trim_end();
                    let title = unquote(title);
                    if title.is_empty() {
                        self.warn(line.number, WarningCode::TaskRemoval, "a title to remove is empty".to_owned());
                    } else {
                        *n_titles += 1;
                        self.removed.push(title.to_owned());
                    }
                } else if *n_titles > 0 && self.after_blank {
                    self.place = Place::Outside;
                } else if *n_titles > 0 {
                    let detail = format!("`{text}` among titles to remove is not read; the form is `- title`");
                    self.warn(line.number, WarningCode::TaskRemoval, detail);
                }
            }
            Place::Outside | Place::Block | Place::Stopped => {}
        }
    }

    fn begin(&mut self, heading: &Heading, line: usize) {
        self.place = match *heading {
            Heading::Removal => Place::Removal { n_titles: 0 },
            Heading::Tasks { singular } => Place::Tasks(List {
                singular,
                line,
                tasks: Vec::new(),
                indent: 0,
                number: 0,
                uses: None,
                has_text: false,
            }),
        };
    }

    /// Ends the list.
    fn end(&mut self) {
        let Place::Tasks(list) = std::mem::take(&mut self.place) else { return };
        if list.tasks.is_empty() {
            if list.has_text {
                let detail = "no line under the heading is a task; the form is `1. title`".to_owned();
                self.warn(list.line, WarningCode::NoTasks, detail);
            }
            return;
        }
        let mut keys = BTreeSet::new();
        if let Some(task) = list.tasks.iter().find(|task| !keys.insert(task.key())) {
            let detail = format!("`{}` is listed twice; the later one gets a number", task.title);
            self.warn(list.line, WarningCode::DuplicateTask, detail);
        }
        if self.tasks.is_empty() || self.singular && !list.singular {
            self.singular = list.singular;
            self.tasks = list.tasks;
        } else if self.singular == list.singular {
            self.warn(
                list.line,
                WarningCode::SecondTaskList,
                "a second task list is left out; the first counts".to_owned(),
            );
        }
    }

    fn warn(&mut self, line: usize, code: WarningCode, detail: String) {
        if self.warnings.len() < MOST_ALIKE {
            self.warnings.push(Warning { line, code, detail, operation: None });
        }
    }
}

impl List {
    /// Reads a line that is not blank; says whether it belongs to the list.
    fn read(&mut self, text: &str, line: &Line<'_>, after_blank: bool) -> bool {
        self.has_text = true;
        let indent = line.text.chars().take_while(|c| c.is_whitespace()).count();
        if let Some((number, title)) = numbered(text)
            && (self.tasks.is_empty() || indent <= self.indent && number >= self.number)
        {
            (self.indent, self.number, self.uses) = (indent, number, None);
            self.tasks.push(Task { title, ..Task::default() });
            return true;
        }
        if self.tasks.is_empty() {
            return true;
        }
        let item = text.strip_prefix(['-', '*', '•']).filter(|_| !text.starts_with("**"));
        let is_item = item.is_some() || numbered(text).is_some();
        let point = item.map_or(text, str::trim);
        if let Some(files) = uses(point) {
            self.add_uses(files);
            return true;
        }
        if let Some(uses) = self.uses
            && (uses.wants_more && !after_blank || are_files(point))
        {
            self.add_uses(point);
            return true;
        }
        if after_blank && indent == 0 && !is_item {
            return false;
        }
        self.uses = None;
        // Only a dash is taken off: a star may be emphasis.
        self.describe(text.strip_prefix('-').map_or(text, str::trim));
        true
    }

    fn describe(&mut self, text: &str) {
        if let Some(task) = self.tasks.last_mut().filter(|_| !text.is_empty()) {
            if !task.description.is_empty() {
                task.description.push('\n');
            }
            task.description.push_str(text);
        }
    }

    fn add_uses(&mut self, files: &str) {
        self.uses = Some(Uses { wants_more: files.is_empty() || files.ends_with(',') });
        if let Some(task) = self.tasks.last_mut() {
            task.uses_files.extend(pieces(files).map(|file| unquote(file).to_owned()).filter(|file| !file.is_empty()));
        }
    }
}

/// The level of a heading that begins a list; one of the same or a higher level ends it.
const LIST_LEVEL: usize = 3;

/// Gives the level of a heading.
fn heading_level(text: &str) -> Option<usize> {
    let level = text.bytes().take_while(|&byte| byte == b'#').count();
    ((1..=6).contains(&level) && text[level..].starts_with([' ', '\t'])).then_some(level)
}

/// Reads a heading that begins a list.
fn heading(text: &str) -> Option<Heading> {
    let name = text.strip_prefix("###")?.trim().trim_matches('*').trim();
    match name.strip_suffix(':').unwrap_or(name) {
        "Tasks" => Some(Heading::Tasks { singular: false }),
        "Task" => Some(Heading::Tasks { singular: true }),
        "Remove Tasks" => Some(Heading::Removal),
        _ => None,
    }
}

/// Reads a numbered line: its number, and its text without bold.
fn numbered(text: &str) -> Option<(u64, String)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..digits].parse().ok()?;
    let behind = text[digits..].strip_prefix(['.', ')'])?;
    let title = behind.strip_prefix(char::is_whitespace)?.replace("**", "");
    let title = title.trim();
    (!title.is_empty()).then(|| (number, title.to_owned()))
}

/// Gives the files of a line `Uses: …`.
fn uses(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('*');
    let (word, files) = text.split_once(':')?;
    word.trim().eq_ignore_ascii_case("uses").then(|| files.trim_start_matches('*').trim())
}

/// Says whether all pieces of a line are files.
fn are_files(text: &str) -> bool {
    pieces(text).all(|piece| {
        piece.is_empty()
            || piece.len() > 2 && piece.starts_with('`') && piece.ends_with('`')
            || path::is_file_like(piece)
    })
}

/// Gives the pieces between commas that are not in backticks, trimmed.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '`';
        c == ',' && !quoted
    })
    .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::key;

    #[test]
    fn numbers() {
        assert_eq!(numbered("1. A"), Some((1, "A".to_owned())));
        assert_eq!(numbered("12)\t**A**: b"), Some((12, "A: b".to_owned())));
        for text in ["1.A", "1.", "- A", "1 A", ". A", "99999999999999999999999. A"] {
            assert_eq!(numbered(text), None, "{text}");
        }
    }

    #[test]
    fn keys() {
        assert_eq!(key("  Write  `x`. "), "write x");
        assert_eq!(key("**A**"), "a");
    }
}
