//! `treegraft verify`: says where another engine's merge of an edit isn't what it should be, and puts that right.
//!
//! The findings go to standard output, unless the repaired text goes there.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use treegraft::{Engine, Error, Finding, FindingKind, Input, LineRange, Source, Verification, VerifyReport};

use crate::Status;
use crate::diagnostic::{self, Diagnostic};
use crate::input::{Inputs, Text, VerifyArgs};
use crate::terminal::{GREEN, Screen, YELLOW};
use crate::verdict::{count, quoted, span};
use crate::write::{self, Stored};

/// How many lines of a finding are quoted; more hide the findings that follow.
const MAX_QUOTED: usize = 4;

/// Says where another engine's merge is not what it should be
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Where treegraft would trust its own merge of the snippet, MERGED must be that one,
byte for byte; only the number of blank lines at the edge of the edit is free:

  lost, altered      original lines are gone, or written otherwise
  added              lines that neither the original nor the snippet has
  moved              lines stand elsewhere than they should
  reference_left     a placeholder was written into the file
  not_applied        the snippet's change is not there, or not all of it
  indentation, trailing_blanks, line_ending, final_newline, byte_order_mark

--repair then gives treegraft's own merge, which has the edit and all else as the
original has it.

Where treegraft would not trust its own merge, MERGED is never called clean but
uncertain. It is held against the original, and a difference is told only if no
reading of the snippet can have meant it: away from the edit, at lines that the
snippet does not hold. --repair puts back those alone, and if even that is open,
it leaves MERGED as it is and says so.

The findings go to standard output; with --repair alone the repaired text does,
and the findings go to standard error.

Exit status: 0 clean, or all was put right; 1 there are findings, the repair leaves
some, or it is uncertain, and nothing was written without --accept-unverified;
2 refused.

Examples:
  treegraft verify area.go edit.go merged.go
  treegraft verify area.go edit.go merged.go --json | jq '.findings[].kind'
  some-engine area.go edit.go | treegraft verify area.go edit.go - --repair
  treegraft verify area.go edit.go merged.go --repair --write")]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Verify {
    #[command(flatten)]
    texts: VerifyArgs,

    /// Put right what is found; prints the repaired text
    #[arg(short, long)]
    repair: bool,

    /// Write the repaired text over MERGED
    #[arg(short, long, requires = "repair", conflicts_with = "output")]
    write: bool,

    /// Write the repaired text to FILE
    #[arg(short, long, value_name = "FILE", requires = "repair")]
    output: Option<PathBuf>,

    /// Write the repaired text even if the repair leaves findings or is uncertain
    #[arg(long, requires = "repair")]
    accept_unverified: bool,

    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// What was read, and what was found in it.
struct Verified {
    inputs: Inputs,
    merged: Text,
    verification: Verification,
}

impl Verify {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        match self.verify_and_store() {
            Ok((verified, stored)) => self.show(verified, &stored),
            Err(refusal) => {
                if self.json {
                    print_json(&VerifyReport::refused(refusal.code(), refusal.to_string()))?;
                }
                Err(refusal.into())
            }
        }
    }

    fn verify_and_store(&self) -> Result<(Verified, Stored), Diagnostic> {
        let target = self.target()?;
        let engine = Engine::default();
        let (inputs, merged) = self.texts.read(engine.options().max_bytes)?;
        let verification = engine
            .verify(&self.texts.edit(&inputs), &merged.text)
            .map_err(|error| refusal(&error, &inputs, &merged))?;
        let repaired = verification.repaired();
        let stored = match target {
            None => Stored::NotAsked,
            Some(_) if !is_settled(&verification) && !self.accept_unverified => Stored::Withheld,
            Some(path) if self.texts.merged_path().is_some_and(|merged| write::is_same_file(path, merged)) => {
                Stored::at(path, write::in_place(path, merged.text.as_bytes(), repaired.as_bytes())?)
            }
            Some(path) => Stored::at(path, write::output(path, repaired.as_bytes())?),
        };
        Ok((Verified { inputs, merged, verification }, stored))
    }

    /// Finds out where the repaired text goes.
    fn target(&self) -> Result<Option<&Path>, Diagnostic> {
        match (&self.output, self.texts.merged_path()) {
            (Some(output), _) if output == Path::new("-") => {
                Err(Diagnostic::error("usage", "--output takes a file")
                    .help("--repair alone writes to standard output"))
            }
            (Some(output), _) => Ok(Some(output)),
            (None, _) if !self.write => Ok(None),
            (None, Some(merged)) => Ok(Some(merged)),
            (None, None) => Err(Diagnostic::error("usage", "--write needs a file, but the merge is standard input")
                .help("name the file as MERGED, or use --output FILE")),
        }
    }

    fn show(&self, verified: Verified, stored: &Stored) -> anyhow::Result<Status> {
        let Verified { inputs, merged, verification } = verified;
        let is_fine = if self.repair { is_settled(&verification) } else { verification.is_clean() };
        let status = if is_fine { Status::Fine } else { Status::NeedsLook };
        if self.json {
            let result = Ok(verification);
            print_json(&VerifyReport::new(&result, self.repair))?;
            let _ = stored.tell();
            return Ok(status);
        }
        if self.repair && matches!(stored, Stored::NotAsked) {
            let mut screen = Screen::stdout();
            screen.file(verification.repaired())?;
            screen.flush()?;
            // The exit status tells the outcome as well, so a closed standard error is no failure.
            let _ = tell(&mut Screen::stderr(), &inputs, &merged, &verification, self.repair);
        } else {
            tell(&mut Screen::stdout(), &inputs, &merged, &verification, self.repair)?;
        }
        let _ = stored.tell();
        Ok(status)
    }
}

/// Says whether the repaired text is known to be what it should be.
fn is_settled(verification: &Verification) -> bool {
    verification.is_certain() && verification.left().is_empty()
}

/// Writes each finding as a warning, then one line that sums up.
fn tell(
    screen: &mut Screen,
    inputs: &Inputs,
    merged: &Text,
    verification: &Verification,
    repair: bool,
) -> io::Result<()> {
    let sources = [&inputs.original, &inputs.snippet, merged].map(|text| Source::new(&text.text));
    for finding in verification.findings() {
        warning(inputs, merged, &sources, finding).write(screen)?;
    }
    let n_findings = verification.findings().len();
    match (verification.is_certain(), n_findings) {
        (true, 0) => screen.styled(GREEN.bold(), "clean")?,
        (true, n) => screen.styled(YELLOW.bold(), &count(n, "finding"))?,
        (false, 0) => screen.styled(YELLOW.bold(), "uncertain")?,
        (false, n) => screen.styled(YELLOW.bold(), &format!("uncertain, {}", count(n, "finding")))?,
    }
    let is_left = !verification.left().is_empty();
    screen.text(match (verification.is_certain(), n_findings, repair) {
        (true, 0, _) => ": the edit is in its place, and every byte outside of it is the original's",
        (true, _, false) => ": --repair gives treegraft's own merge instead",
        (true, _, true) => ": the repaired text is treegraft's own merge",
        (false, 0, _) => ": nothing is wrong away from the edit",
        (false, _, false) if is_left => ": --repair cannot put all of it right",
        (false, _, false) => ": --repair puts it right",
        (false, _, true) if is_left => ": not all of it could be put right",
        (false, _, true) => ": it is put right",
    })?;
    if !verification.is_certain() {
        screen.text("; where the snippet belongs is not certain, so what it may touch was not judged")?;
    }
    screen.end_line()?;
    screen.flush()
}

fn warning(inputs: &Inputs, merged: &Text, sources: &[Source<'_>; 3], finding: &Finding) -> Diagnostic {
    let places = [
        (&inputs.name, "original line", finding.original_lines, &sources[0]),
        (&inputs.snippet.name, "snippet line", finding.snippet_lines, &sources[1]),
        (&merged.name, "merged line", finding.merged_lines, &sources[2]),
    ];
    let named = places.iter().filter_map(|(name, _, lines, _)| Some(format!("{name}:{}", span((*lines)?))));
    let mut told =
        Diagnostic::warning(finding.kind.as_str(), &finding.message).at(named.collect::<Vec<_>>().join(", "));
    for (_, what, lines, source) in places {
        let lines = lines.unwrap_or_default();
        let lines = LineRange::new(lines.start, lines.end.min(source.n_lines()));
        for line in lines.iter().take(MAX_QUOTED) {
            told = told.detail(format!("{what} {}: {}", line + 1, shown(finding.kind, source, line)));
        }
        if lines.len() > MAX_QUOTED {
            told = told.detail(format!("… and {}", count(lines.len() - MAX_QUOTED, "more line")));
        }
    }
    told
}

/// Quotes a line; where its white space is what matters, so that it can be seen.
fn shown(kind: FindingKind, source: &Source<'_>, line: usize) -> String {
    let end = match (kind, source.terminator(line)) {
        (FindingKind::LineEnding, "\n") => " ends with LF",
        (FindingKind::LineEnding, "\r\n") => " ends with CRLF",
        (FindingKind::LineEnding, "\r") => " ends with CR",
        _ => "",
    };
    let text = source.line(line);
    if matches!(kind, FindingKind::Indentation | FindingKind::TrailingBlanks) {
        return quoted(&text.replace('\t', "→").replace(' ', "·"));
    }
    quoted(text) + end
}

fn refusal(error: &Error, inputs: &Inputs, merged: &Text) -> Diagnostic {
    match error {
        Error::NotText { input: Input::Merge, offset } => {
            diagnostic::not_text(&merged.name, Input::Merge, merged.text.as_bytes(), *offset)
        }
        Error::TooLarge { input: Input::Merge, bytes, limit } => {
            diagnostic::too_large(&merged.name, *bytes as u64, *limit)
        }
        _ => Diagnostic::refusal(error, inputs),
    }
}

fn print_json(report: &VerifyReport<'_>) -> anyhow::Result<()> {
    let mut screen = Screen::stdout();
    screen.json(&serde_json::to_string(report)?)?;
    Ok(screen.flush()?)
}
