//! `treegraft check`: the syntax of files, one line each.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use rayon::prelude::*;
use serde::Serialize;
use treegraft::{Engine, Language, Options, SyntaxStatus, Validation};

use super::workers;
use crate::Status;
use crate::diagnostic::Diagnostic;
use crate::input::{self, BudgetArgs, Part, Text};
use crate::terminal::{GREEN, RED, Screen, YELLOW};

/// How many files are checked before their lines are printed. Larger: longer silence and more memory; smaller:
/// cores wait for each other.
const FILES_AT_ONCE: usize = 64;

/// Checks the syntax of files, one line each
#[derive(Debug, clap::Args)]
#[command(after_help = "\
In folders only files with a built-in grammar are checked; hidden files and
what .gitignore names are left out.

Exit status: 0 nothing is invalid; 1 something is; 2 a file could not be read.

Examples:
  treegraft check src
  treegraft check --json src/area.go
  treegraft check - --language go < area.go")]
pub(crate) struct Check {
    /// Files and folders; `-` reads standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Language of all files; else their names decide
    #[arg(short, long, value_name = "NAME")]
    language: Option<String>,

    #[command(flatten)]
    budget: BudgetArgs,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// What is known of one file.
type Checked = (String, Result<Validation, Diagnostic>);

impl Check {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        let language = self.language.as_deref().map(input::language).transpose()?;
        let mut options = Options::default();
        options.budget = self.budget.budget().unwrap_or(options.budget);
        let engine = Engine::new(options);
        let pool = workers(None)?;
        let mut screen = Screen::stdout();
        let (mut n_files, mut n_invalid, mut n_unreadable) = (0, 0, 0);

        let mut targets = self.paths.iter().flat_map(|path| targets(path, language));
        loop {
            let chunk: Vec<_> = targets.by_ref().take(FILES_AT_ONCE).collect();
            if chunk.is_empty() {
                break;
            }
            n_files += chunk.len();
            let check = |target| check(&engine, target, language);
            let checked: Vec<Checked> = pool.install(|| chunk.into_par_iter().map(check).collect());
            for (name, result) in &checked {
                match result {
                    Ok(validation) if validation.status == SyntaxStatus::Invalid => n_invalid += 1,
                    Ok(_) => {}
                    Err(_) => n_unreadable += 1,
                }
                self.show(&mut screen, name, result)?;
            }
            screen.flush()?;
        }
        if n_files == 0 {
            input::announce("no file there has a built-in grammar; `treegraft languages` lists them");
        }
        Ok(match (n_unreadable, n_invalid) {
            (0, 0) => Status::Fine,
            (0, _) => Status::NeedsLook,
            _ => Status::Refused,
        })
    }

    fn show(&self, screen: &mut Screen, name: &str, result: &Result<Validation, Diagnostic>) -> anyhow::Result<()> {
        if let Err(told) = result {
            screen.flush()?;
            told.print();
        }
        if self.json {
            screen.json(&serde_json::to_string(&Entry::new(name, result))?)?;
            return Ok(());
        }
        let Ok(validation) = result else { return Ok(()) };
        let style = match validation.status {
            SyntaxStatus::Valid => GREEN,
            SyntaxStatus::Invalid => RED,
            _ => YELLOW,
        };
        screen.text(name)?;
        screen.text(": ")?;
        screen.styled(style, validation.status.as_str())?;
        if let Some(first) = validation.new_errors.first() {
            screen.text(&format!(": {}: {}", first.lines, first.message))?;
            if validation.new_errors.len() > 1 {
                screen.text(&format!(" (and {} more)", validation.new_errors.len() - 1))?;
            }
        }
        Ok(screen.end_line()?)
    }
}

/// Gives the files at or below a path, or what kept them from being found.
fn targets(path: &Path, language: Option<Language>) -> Box<dyn Iterator<Item = Result<PathBuf, Diagnostic>>> {
    if !path.is_dir() {
        return Box::new(std::iter::once(Ok(path.to_owned())));
    }
    let is_read = |path: &Path| Language::from_path(&path.to_string_lossy()).is_some_and(Language::is_built_in);
    let wanted = move |path: &Path| language.is_some() || is_read(path);
    let walk = WalkBuilder::new(path).sort_by_file_name(Ord::cmp).build();
    Box::new(walk.filter_map(move |entry| match entry {
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            (is_file && wanted(entry.path())).then(|| Ok(entry.into_path()))
        }
        Err(error) => Some(Err(Diagnostic::error("io", "cannot look into the folder").detail(error.to_string()))),
    }))
}

fn check(engine: &Engine, target: Result<PathBuf, Diagnostic>, language: Option<Language>) -> Checked {
    let path = match target {
        Ok(path) => path,
        Err(told) => return (String::new(), Err(told)),
    };
    let name = path.display().to_string();
    let result = Text::read(&path, Part::File, engine.options().max_bytes).and_then(|text| {
        let language = language.or_else(|| Language::from_path(&name));
        engine.check(&text.text, language).map_err(|error| Diagnostic::error(error.code(), error.to_string()).at(&name))
    });
    (name, result)
}

#[derive(Debug, Serialize)]
struct Entry<'a> {
    v: u32,
    path: &'a str,
    status: &'static str,
    errors: Vec<ErrorEntry<'a>>,
    error: Option<Refusal>,
}

#[derive(Debug, Serialize)]
struct ErrorEntry<'a> {
    first_line: usize,
    last_line: usize,
    message: &'a str,
}

#[derive(Debug, Serialize)]
struct Refusal {
    code: &'static str,
    message: String,
}

impl<'a> Entry<'a> {
    fn new(path: &'a str, result: &'a Result<Validation, Diagnostic>) -> Self {
        match result {
            Ok(validation) => {
                let errors = validation.new_errors.iter().map(|error| {
                    let (first_line, last_line) = error.lines.one_based();
                    ErrorEntry { first_line, last_line, message: &error.message }
                });
                Self { v: 1, path, status: validation.status.as_str(), errors: errors.collect(), error: None }
            }
            Err(told) => {
                let error = Some(Refusal { code: told.code(), message: told.to_string() });
                Self { v: 1, path, status: "refused", errors: Vec::new(), error }
            }
        }
    }
}
