//! `treegraft land`: reads a whole reply, shows what it makes of the files, and lands all of it or nothing.
//!
//! As in `apply`, what was asked for goes to standard output and the verdicts go to standard error, and files are
//! written before anything is shown.

use std::io::{self, Write as _};
use std::path::PathBuf;

use treegraft::{Engine, Options};
use treegraft_landing::{
    Action, Disk, Doubt, Error, LandReport, Plan, PlannedFile, Recovery, commit, is_pending, plan, recover,
};

use super::workers;
use crate::Status;
use crate::diagnostic::Diagnostic;
use crate::input::BudgetArgs;
use crate::refusal;
use crate::reply;
use crate::terminal::{BOLD, GREEN, RED, Screen};
use crate::verdict::{self, count};

/// Lands a model's whole reply: all of its files, or nothing
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A reply is prose with file blocks in it, and with sections that move, remove or
reset files. Fenced code below a path, search/replace blocks and `*** Begin
Patch` are read as well. All operations are worked out in order, each against
the result of those before it; a block for a file that is not there makes it.

The differences go to standard output, the verdicts to standard error. Without
--write no file is touched. With it all files are written or none: a file that
is refused or needs a look stops the whole landing. --accept-unverified lands
what needs a look all the same, with exit status 1; nothing lands what is
refused, such as a path out of the root or a block that the reply breaks off in.

A file that changed since it was read stops the landing as well. If the
process or the machine ends in the middle, the next `land --write` or `undo`
puts everything back first. What was changed is kept in ROOT/.treegraft, for
the last 20 landings; `treegraft undo` takes the last one back.

Exit status: 0 when all of it may be trusted, 1 when something needs a look,
landed or not, 2 when something is refused, and nothing was written.

Examples:
  treegraft land reply.md                what would change, and the verdicts
  treegraft land reply.md --write        land it, if all of it may be trusted
  model | treegraft land - --write       read it while it is written
  treegraft land reply.md | git apply    let git do it
  treegraft land reply.md --json | jq '.files[] | {path, status}'")]
pub(crate) struct Land {
    /// What the model wrote; `-` reads it from standard input and tells of each file as it comes in
    #[arg(value_name = "REPLY")]
    reply: PathBuf,

    /// The folder that paths in the reply start from; nothing outside of it is touched
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,

    /// Land the reply, instead of only showing what it would change
    #[arg(short, long)]
    write: bool,

    /// With --write, land files that need a look, too
    #[arg(long)]
    accept_unverified: bool,

    /// Print one JSON object instead of the differences
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    budget: BudgetArgs,
}

impl Land {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        match self.plan() {
            Ok((disk, plan, is_pending)) => {
                let landed = self.write.then(|| commit(&plan, &disk, self.accept_unverified));
                self.show(&plan, landed.as_ref(), is_pending)
            }
            Err(refusal) => {
                if self.json {
                    print_json(&LandReport::refused(refusal.code(), refusal.to_string()))?;
                }
                Err(refusal.into())
            }
        }
    }

    fn plan(&self) -> Result<(Disk, Plan, bool), Diagnostic> {
        let told = |error: Error| refusal::told(&error, None, &self.root);
        let disk = Disk::open(&self.root).map_err(told)?;
        let is_pending = !self.write && is_pending(&disk).map_err(told)?;
        // Before the files are read: an interrupted landing may have left a mix of old and new.
        if self.write {
            if let Recovery::RolledBack { n_files } = recover(&disk).map_err(told)? {
                rolled_back(n_files).print();
            }
        } else if is_pending {
            Diagnostic::warning("pending", "a landing is under way here, or was interrupted: files may be old or new")
                .at(self.root.display().to_string())
                .help("--write and `treegraft undo` wait for it, or put back what it left")
                .print();
        }
        let reply = reply::read(&self.reply)?;
        let mut options = Options::default();
        if let Some(budget) = self.budget.budget() {
            options.budget = budget;
        }
        let engine = Engine::new(options);
        let pool = workers(None).map_err(|error| Diagnostic::error("io", error.to_string()))?;
        let plan = pool.install(|| plan(&reply, &disk, &engine));
        if plan.files().is_empty() {
            let told = Diagnostic::error("nothing_to_land", "the reply holds no operation on a file")
                .at(self.reply.display().to_string())
                .help("`treegraft land --help` says what is read; for a single snippet use `treegraft apply`");
            // What may have been meant as one.
            return Err(plan
                .warnings()
                .iter()
                .fold(told, |told, warning| told.detail(format!("line {}: {}", warning.line, warning.detail))));
        }
        Ok((disk, plan, is_pending))
    }

    fn show(
        &self,
        plan: &Plan,
        landed: Option<&Result<Option<u64>, Error>>,
        is_pending: bool,
    ) -> anyhow::Result<Status> {
        if self.json {
            print_json(&LandReport::new(plan, landed).pending(is_pending))?;
        } else {
            let mut screen = Screen::stdout();
            for file in plan.files() {
                show_diff(&mut screen, file)?;
            }
            screen.flush()?;
        }
        // The exit status tells the verdict as well, so a closed standard error is no failure.
        let _ = self.tell(plan, landed, is_pending);
        Ok(match (plan.status(), landed) {
            (treegraft::Status::Refused, _) => Status::Refused,
            (_, Some(Err(error))) if !matches!(error, Error::Unverified) => Status::Refused,
            (treegraft::Status::Trusted, _) if !is_pending => Status::Fine,
            _ => Status::NeedsLook,
        })
    }

    fn tell(&self, plan: &Plan, landed: Option<&Result<Option<u64>, Error>>, is_pending: bool) -> io::Result<()> {
        let mut screen = Screen::stderr();
        if !self.json {
            for warning in plan.warnings() {
                Diagnostic::warning(warning.code.as_str(), &warning.detail)
                    .at(format!("{}:{}", self.reply.display(), warning.line))
                    .write(&mut screen)?;
            }
            for file in plan.files() {
                self.tell_file(&mut screen, file)?;
            }
            summary(&mut screen, plan)?;
        }
        match landed {
            None if self.json || plan.status() == treegraft::Status::Refused => {}
            None if is_pending => {
                let how = "a landing is pending; look again once it has ended or `--write` has put it back";
                end(&mut screen, "nothing is written", Some(how))?;
            }
            None if plan.count(Action::Keep) == plan.files().len() => {
                end(&mut screen, "nothing to write", Some(why_nothing(plan)))?;
            }
            None if plan.status() == treegraft::Status::NeedsVerify && !self.accept_unverified => {
                end(&mut screen, "nothing is written", Some("--write --accept-unverified lands it all the same"))?;
            }
            None => end(&mut screen, "nothing is written", Some("--write lands it"))?,
            Some(Ok(Some(id))) => end(&mut screen, &format!("landed as {id}"), Some("`treegraft undo` takes it back"))?,
            Some(Ok(None)) => end(&mut screen, "nothing to write", Some(why_nothing(plan)))?,
            Some(Err(Error::Unverified)) => {
                end(&mut screen, "nothing is written", Some("--accept-unverified lands it all the same"))?;
            }
            Some(Err(Error::Refused)) => end(&mut screen, "nothing is written", Some("a file is refused"))?,
            Some(Err(error)) => {
                let told = refusal::told(error, None, &self.root);
                match error {
                    Error::Changed { .. } => told.help("run the command again to land on the files as they are now"),
                    _ => told,
                }
                .write(&mut screen)?;
                if !matches!(error, Error::HalfWay { .. }) {
                    end(&mut screen, "nothing is written", None)?;
                }
            }
        }
        screen.flush()
    }

    /// Writes the reasons of a file, then one line: the verdict, and what is done.
    fn tell_file(&self, screen: &mut Screen, file: &PlannedFile) -> io::Result<()> {
        if let Some(error) = file.error() {
            let lines: Vec<String> = file.lines().iter().map(ToString::to_string).collect();
            let place = format!("{} (reply line {})", file.name(), lines.join(", "));
            return refusal::told(error, Some(&place), &self.root).write(screen);
        }
        for (n, edit) in file.edits().iter().enumerate() {
            let reasons = file.doubts().iter().filter_map(|doubt| match doubt {
                Doubt::Edit { edit, reason } if *edit == n => Some(reason),
                _ => None,
            });
            let original = edit.original.as_deref().unwrap_or_default();
            for told in verdict::warnings(edit.path.as_str(), (original, &edit.snippet), &edit.outcome, reasons) {
                told.detail(format!("of the block on line {} of the reply", edit.line)).write(screen)?;
            }
        }
        for doubt in file.doubts() {
            // Warnings of the reply have been told before.
            if !matches!(doubt, Doubt::Edit { .. } | Doubt::Reply(_)) {
                Diagnostic::warning(doubt.kind(), doubt.message())
                    .at(file.name())
                    .help(match doubt {
                        Doubt::Empty => "see whether the file is to be empty",
                        _ => "see whether the old file may go, or choose another name",
                    })
                    .write(screen)?;
            }
        }
        screen.styled(BOLD, file.name())?;
        screen.text(": ")?;
        verdict::in_a_word(screen, file.doubts().len())?;
        screen.text(&format!(": {}", what_is_done(file)))?;
        screen.end_line()
    }
}

/// Says that an earlier landing was put back.
pub(super) fn rolled_back(n_files: usize) -> Diagnostic {
    Diagnostic::warning(
        "rolled_back",
        format!(
            "an earlier landing was interrupted; {} put back as before it",
            match n_files {
                1 => "1 file was".to_owned(),
                n => format!("{n} files were"),
            }
        ),
    )
}

/// Shows git's header lines, then hunks.
fn show_diff(screen: &mut Screen, file: &PlannedFile) -> io::Result<()> {
    let diff = file.diff();
    let body = diff.find("\n--- ").map_or(diff.len(), |at| at + 1);
    let (header, body) = diff.split_at(body);
    for line in header.lines() {
        screen.styled(BOLD, line)?;
        screen.end_line()?;
    }
    screen.diff(body)
}

/// Says why a reply changes nothing.
fn why_nothing(plan: &Plan) -> &'static str {
    let is_lost = |doubt: &Doubt| doubt.kind() == "place_not_found";
    if plan.files().iter().flat_map(PlannedFile::doubts).any(is_lost) {
        "what is to be changed was not found"
    } else {
        "the files hold all of it already"
    }
}

fn what_is_done(file: &PlannedFile) -> String {
    let syntax = file.edits().last().map(|edit| format!("; syntax {}", verdict::syntax(edit.outcome.validation())));
    let syntax = syntax.unwrap_or_default();
    let changes = match file.edits() {
        [] => None,
        [only] => Some(verdict::change(&only.outcome)),
        edits => Some(format!("{} blocks", edits.len())),
    };
    match (file.action(), file.moved_from(), changes) {
        (Action::Make, ..) => {
            let n_lines = match file.after() {
                Some(treegraft_landing::Node::File { content, .. }) => {
                    content.split_inclusive(|&byte| byte == b'\n').count()
                }
                _ => 0,
            };
            format!("new, {}{syntax}", count(n_lines, "line"))
        }
        (Action::Move, Some(from), Some(changes)) => format!("moved from {from}, {changes}{syntax}"),
        (Action::Move, Some(from), None) => format!("moved from {from}"),
        (Action::Remove, ..) => "removed".to_owned(),
        (_, _, Some(changes)) => format!("{changes}{syntax}"),
        _ => "left as it is".to_owned(),
    }
}

/// Writes one line about all files.
fn summary(screen: &mut Screen, plan: &Plan) -> io::Result<()> {
    let n_refused = plan.files().iter().filter(|file| file.error().is_some()).count();
    let of = |n: usize, what: &str| (n > 0).then(|| format!("{n} {what}"));
    let parts: Vec<String> = [
        of(plan.count(Action::Make), "new"),
        of(plan.count(Action::Edit), "changed"),
        of(plan.count(Action::Move), "moved"),
        of(plan.count(Action::Remove), "removed"),
        of(plan.count(Action::Keep), "left"),
        of(n_refused, "refused"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let n_doubts = plan.files().iter().map(|file| file.doubts().len()).sum::<usize>() + plan.doubts().len();
    if n_refused > 0 {
        screen.styled(RED.bold(), "refused")?;
    } else if n_doubts == 0 {
        screen.styled(GREEN.bold(), "trusted")?;
    } else {
        verdict::in_a_word(screen, n_doubts)?;
    }
    screen.text(&format!(": {} ({})", count(plan.files().len(), "file"), parts.join(", ")))?;
    screen.end_line()
}

fn end(screen: &mut Screen, what: &str, how: Option<&str>) -> io::Result<()> {
    screen.styled(BOLD, what)?;
    if let Some(how) = how {
        screen.text(&format!(": {how}"))?;
    }
    screen.end_line()
}

fn print_json(report: &LandReport<'_>) -> anyhow::Result<()> {
    let mut screen = Screen::stdout();
    screen.json(&serde_json::to_string(report)?)?;
    Ok(screen.flush()?)
}
