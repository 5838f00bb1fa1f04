//! `treegraft verify`: says which bytes outside of an edit another engine's merge altered, and puts them back.
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

/// Says which bytes outside of the edit another engine's merge altered or lost
#[derive(Debug, clap::Args)]
#[command(after_help = "\
What the snippet changes is the merge's own affair, wherever it put it. All else
must be the original's, byte for byte; each of these is found:

  lost, altered      original lines are gone, or written otherwise
  added              lines that neither the original nor the snippet has
  reference_left     a placeholder was written into the file
  not_applied        the snippet's change is not there, or not all of it
  indentation, trailing_blanks, line_ending, final_newline, byte_order_mark

--repair puts the original's bytes back and takes out what is from nowhere; what
comes from the snippet always stays. Where nothing says in which order lost lines
and new ones belong, the merge is left as it is and the finding remains.

The findings go to standard output; with --repair alone the repaired text does,
and the findings go to standard error.

Exit status: 0 nothing is found, or the repair leaves nothing; 1 there are
findings, or the repair leaves some, and nothing was written without
--accept-unverified; 2 refused.

Examples:
  treegraft verify area.go edit.go merged.go
  treegraft verify area.go edit.go merged.go --json | jq '.findings[].kind'
  some-engine area.go edit.go | treegraft verify area.go edit.go - --repair
  treegraft verify area.go edit.go merged.go --repair --write")]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Verify {
    #[command(flatten)]
    texts: VerifyArgs,

    /// Put the original's bytes back; prints the repaired text
    #[arg(short, long)]
    repair: bool,

    /// Write the repaired text over MERGED
    #[arg(short, long, requires = "repair", conflicts_with = "output")]
    write: bool,

    /// Write the repaired text to FILE
    #[arg(short, long, value_name = "FILE", requires = "repair")]
    output: Option<PathBuf>,

    /// Write the repaired text even if the repair leaves findings
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
            Some(_) if !verification.left().is_empty() && !self.accept_unverified => Stored::Withheld,
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
        let remains = if self.repair { verification.left() } else { verification.findings() };
        let status = if remains.is_empty() { Status::Fine } else { Status::NeedsLook };
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
    match n_findings {
        0 => screen.styled(GREEN.bold(), "clean")?,
        n => screen.styled(YELLOW.bold(), &count(n, "finding"))?,
    }
    let left = verification.left().len();
    screen.text(match (n_findings, repair) {
        (0, _) => ": every byte outside of the edit is the original's",
        (_, false) if left == 0 => ": --repair puts all of it right",
        (_, false) => ": --repair cannot put all of it right",
        (_, true) if left == 0 => ": all of it is put right",
        (_, true) => ": not all of it could be put right",
    })?;
    if !verification.is_certain() {
        screen.text("; where the snippet belongs is not certain, so the places it may go to were passed over")?;
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
