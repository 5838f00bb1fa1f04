//! `treegraft replay`: how often results are right, measured on real changes.
//!
//! The work is done by `treegraft-replay`. Tables, and misses if asked for, go to standard output, one sentence about
//! what matters most to standard error.

use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use treegraft_replay::{Counts, Error, Group, Only, Options, Report, Source, Split, Style, packages};

use super::workers;
use crate::Status;
use crate::diagnostic::Diagnostic;
use crate::terminal::{BOLD, RED, Screen};
use crate::verdict::count;

/// The list that divides the packages, where a checkout of treegraft has it.
const PACKAGES: &str = "corpus/packages.toml";
/// What brings the releases that are compared without `--pairs DIR`.
const BRING: &str = "in a checkout of treegraft, `cargo xtask pairs` brings the releases of its list";

/// Measures on real changes how often results are right, and how often wrong and trusted
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each real change of a file is a right answer: old file and new file. A snippet
is written for it as a model would, in one of several styles, applied to the old
file, and the result compared with the new one. In hard negatives nobody could
know the place: there, a result counts only if it is flagged or exact.

The same source, seed and options give the same cases on every machine. No file
is touched but that of --json.

  exact          the new file, byte for byte
  right          the new file but for blank lines and trailing blanks
  trusted right  right, and nobody has to look
  flagged        the verdict says that it needs a look
  silent wrong   wrong and trusted: what must not happen

Styles: context, structure, declaration, removal, edges, wording, blanks, shift,
crlf, plusminus, whole; other shapes: search_replace, unified, patch, pairs,
bare, fenced, numbered; hard negatives: twin, absent, gap, cut. Each of the three
groups has cases of its own.

Exit status: 0 nothing was wrong and trusted; 1 something was, or the engine
panicked; 2 there was nothing to measure, wrong usage or I/O error.

Examples:
  treegraft replay --git . --max 200
  treegraft replay --git ../project --max 400 --show-misses 5 --only silent
  treegraft replay --pairs --max 4000 --split held --markdown
  treegraft replay --pairs releases/ --styles context,removal --json cases.jsonl
  treegraft replay --git . --max 200 --id 'src/area.rs'   one case, whole")]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Replay {
    #[command(flatten)]
    source: SourceArgs,

    /// At most this many ordinary cases, half as many of other shapes (as many with --styles), and a quarter as many hard
    /// negatives
    #[arg(long, value_name = "N")]
    max: Option<usize>,

    /// What all choices depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Styles to use, separated by commas [default: all]
    #[arg(long, value_name = "STYLES", value_delimiter = ',', value_parser = style)]
    styles: Vec<Style>,

    /// Half of the packages to measure: all, tune or held
    #[arg(long, value_name = "HALF", default_value = "all", hide_possible_values = true)]
    split: SplitArg,

    /// List that divides the packages [default: corpus/packages.toml if it is there]
    #[arg(long, value_name = "FILE")]
    packages: Option<PathBuf>,

    /// Take a pair's whole difference as one change instead of walking it in steps
    #[arg(long)]
    whole_changes: bool,

    /// Keep all cases in this file, one JSON object a line
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,

    /// Show this many misses: snippet, wanted, got and ledger
    #[arg(long, value_name = "N", default_value_t = 0)]
    show_misses: usize,

    /// Misses to show: any, silent (wrong and trusted), wrong, or flagged (right, but needs a look)
    #[arg(long, value_name = "KIND", default_value = "any", hide_possible_values = true)]
    only: OnlyArg,

    /// Only cases whose id contains this; the other flags must be those of the run that named the id
    #[arg(long, value_name = "PART")]
    id: Option<String>,

    /// Tables in Markdown
    #[arg(long)]
    markdown: bool,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct SourceArgs {
    /// Walk the history of this repository
    #[arg(long, value_name = "REPO")]
    git: Option<PathBuf>,

    /// Compare the releases in DIR/old and DIR/new, or in folders of DIR that hold such two; without DIR those
    /// that `cargo xtask pairs` brings
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    #[allow(clippy::option_option, reason = "a flag with a value that may be left out")]
    pairs: Option<Option<PathBuf>>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SplitArg {
    All,
    Tune,
    Held,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum OnlyArg {
    Any,
    Silent,
    Wrong,
    Flagged,
}

fn style(name: &str) -> Result<Style, String> {
    name.parse().map_err(|error: Error| {
        let names: Vec<&str> = Style::ALL.iter().map(|style| style.as_str()).collect();
        format!("{error} (there are: {})", names.join(", "))
    })
}

impl Replay {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        let options = self.options();
        let (report, shown) = workers(None)?
            .install(|| {
                let mut shown = Vec::new();
                treegraft_replay::run(&options, &mut shown).map(|report| (report, shown))
            })
            .map_err(|error| refusal(&error, self.source.pairs == Some(None)))?;
        if report.cases.is_empty() {
            return Err(self.nothing_to_measure(&options.source).into());
        }
        let mut screen = Screen::stdout();
        screen.file(&String::from_utf8_lossy(&shown))?;
        screen.flush()?;
        // The exit status tells it as well, so a closed standard error is no failure.
        let _ = self.tell(&report);
        let is_fine = |counts: Counts| counts.silent == 0 && counts.panicked == 0;
        let all_fine = Group::ALL.into_iter().all(|group| is_fine(report.totals(group)));
        Ok(if all_fine { Status::Fine } else { Status::NeedsLook })
    }

    fn options(&self) -> Options {
        let source = match (&self.source.git, &self.source.pairs) {
            (Some(repository), _) => Source::Git(repository.clone()),
            (None, dir) => Source::Pairs(dir.clone().flatten().unwrap_or_else(packages::cache_dir)),
        };
        let listed = || Path::new(PACKAGES).is_file().then(|| PathBuf::from(PACKAGES));
        Options {
            packages: self.packages.clone().or_else(listed),
            max: self.max,
            seed: self.seed,
            styles: self.styles.clone(),
            split: match self.split {
                SplitArg::All => Split::All,
                SplitArg::Tune => Split::Tune,
                SplitArg::Held => Split::Held,
            },
            whole_changes: self.whole_changes,
            // One case is asked for to be seen.
            show_misses: if self.id.is_some() { self.show_misses.max(1) } else { self.show_misses },
            id: self.id.clone(),
            only: match self.only {
                OnlyArg::Any => Only::Any,
                OnlyArg::Silent => Only::Silent,
                OnlyArg::Wrong => Only::Wrong,
                OnlyArg::Flagged => Only::Flagged,
            },
            markdown: self.markdown,
            json: self.json.clone(),
            ..Options::new(source)
        }
    }

    fn nothing_to_measure(&self, source: &Source) -> Diagnostic {
        let (path, told) = match source {
            Source::Git(path) => (path, "its history has no change that a snippet can be written for"),
            Source::Pairs(path) => (path, "these releases have no change that a snippet can be written for"),
            _ => (&PathBuf::new(), "there is no change that a snippet can be written for"),
        };
        let told = Diagnostic::error("no_cases", "nothing to measure").at(path.display().to_string()).detail(told);
        if self.id.is_some() || !self.styles.is_empty() || self.max == Some(0) {
            return told.help("try it without --id and --styles, or with a larger --max");
        }
        match source {
            Source::Git(_) => told
                .help("files of 20 to 20,000 lines count; of a shallow clone, `git fetch --unshallow` brings the rest"),
            _ => told.help("files of 20 to 20,000 lines count, with the same path in both releases"),
        }
    }

    fn tell(&self, report: &Report) -> io::Result<()> {
        let [ordinary, shapes, hard] = Group::ALL.map(|group| report.totals(group));
        let all = [ordinary, shapes, hard];
        let silent: usize = all.iter().map(|counts| counts.silent).sum();
        let panicked: usize = all.iter().map(|counts| counts.panicked).sum();
        let mut screen = Screen::stderr();
        let of = format!("{} and {}", count(ordinary.n + shapes.n, "case"), count(hard.n, "hard negative"));
        if silent == 0 {
            screen.styled(BOLD, "no silent wrong result")?;
        } else {
            screen.styled(RED.bold(), &count(silent, "silent wrong result"))?;
        }
        screen.text(&format!(" in {of}"))?;
        if panicked > 0 {
            screen.text("; ")?;
            screen.styled(RED.bold(), &count(panicked, "panic"))?;
        }
        if silent > 0 && self.show_misses == 0 {
            screen.text("; --show-misses 5 --only silent shows them")?;
        }
        screen.end_line()?;
        screen.flush()
    }
}

/// Turns what a run stopped for into a message; `by_default` says that the folder of pairs was not named.
fn refusal(error: &Error, by_default: bool) -> Diagnostic {
    match error {
        Error::NotARepository { path, error } => Diagnostic::error("not_a_repository", "this is not a git repository")
            .at(path.display().to_string())
            .detail(error)
            .help("name the folder of a clone: --git REPO"),
        Error::NoHistory { path } => Diagnostic::error("no_history", "the repository has no commit yet")
            .at(path.display().to_string())
            .help("replay measures changes that were made; it needs a repository with some commits"),
        Error::NoPairs { path } => Diagnostic::error("no_pairs", "there is no pair of releases")
            .at(path.display().to_string())
            .detail("neither it nor a folder in it holds old/ and new/")
            .help(BRING),
        Error::Read { path, error } if by_default && error.kind() == ErrorKind::NotFound => {
            Diagnostic::error("no_pairs", "there is no pair of releases yet").at(path.display().to_string()).help(BRING)
        }
        Error::Read { path, error } => Diagnostic::io("read", path, error),
        Error::Packages { path, error } => Diagnostic::error("bad_packages", "this is no list of packages")
            .at(path.display().to_string())
            .detail(error.lines().next().unwrap_or_default()),
        Error::Git { what, error } => {
            Diagnostic::error("git", format!("git {what} failed")).detail(error).help("git has to be installed")
        }
        other => Diagnostic::error("io", other.to_string()),
    }
}
