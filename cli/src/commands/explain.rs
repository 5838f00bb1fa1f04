//! `treegraft explain`: the ledger as a table.

use std::io::{self, Write as _};

use treegraft::{Engine, Equality, KeepRule, LineRange, Outcome, RemovalCause, Shape, Source, Step};

use crate::Status;
use crate::diagnostic::Diagnostic;
use crate::input::{EditArgs, Inputs};
use crate::terminal::{self, BOLD, DIM, GREEN, RED, Screen, YELLOW};
use crate::verdict::{self, count};

/// Columns of the whole table: what fits beside an editor and into a report.
const COLUMNS: usize = 100;
/// Columns of the fate: that of `reference`.
const FATE_COLUMNS: usize = 9;
/// Columns of the reason: that of the longest one below.
const WHY_COLUMNS: usize = 30;

/// Shows what each snippet line was taken for and why, and the fate of each original line
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The table is read from top to bottom: each row takes the next lines of the
snippet, of the original, or of both.

  anchor     the snippet line is this original line; its bytes stay
  reference  the snippet line stands for these original lines
  kept       original lines stay though the snippet does not show them
  new        the snippet line is written
  removed    original lines go, and what explains it
  removal    the snippet line says that code goes
  dropped    the snippet line is not written

Exit status: 0 trusted; 1 needs a look; 2 refused.

Example:
  treegraft explain src/area.go --snippet edit.go")]
pub(crate) struct Explain {
    #[command(flatten)]
    edit: EditArgs,
}

impl Explain {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        let engine = Engine::default();
        let inputs = self.edit.read(engine.options().max_bytes)?;
        let outcome = engine.apply(&self.edit.edit(&inputs)).map_err(|error| Diagnostic::refusal(&error, &inputs))?;
        let mut screen = Screen::stdout();
        show(&mut screen, &inputs, &outcome)?;
        screen.flush()?;
        Ok(verdict::status(outcome.verdict()))
    }
}

fn show(screen: &mut Screen, inputs: &Inputs, outcome: &Outcome) -> io::Result<()> {
    screen.styled(BOLD, &inputs.name)?;
    let n_steps = outcome.ledger().steps().len();
    screen.text(&format!(": taken for {}", outcome.shape().as_str()))?;
    let around: Vec<String> = outcome.wrapping().iter().map(|one| one.as_str().replace('_', " ")).collect();
    if !around.is_empty() {
        screen.text(&format!(" without {}", around.join(" and ")))?;
    }
    screen.text(&format!(", {}", count(n_steps, "step")))?;
    screen.end_line()?;
    screen.end_line()?;
    table(screen, inputs, outcome)?;
    if !outcome.verdict().is_trusted() {
        screen.end_line()?;
        verdict::reasons(screen, inputs, outcome)?;
    }
    if !outcome.replacements().is_empty() {
        screen.end_line()?;
        screen.styled(BOLD, "replacements")?;
        screen.end_line()?;
    }
    for replacement in outcome.replacements() {
        let place = format!("  {}  {} -> {}", replacement.id, replacement.old_lines, replacement.new_lines);
        screen.text(&place)?;
        let left = COLUMNS.saturating_sub(terminal::width(&place) + 2);
        if !replacement.summary.is_empty() && left > 0 {
            screen.text("  ")?;
            screen.styled(DIM, &terminal::cell(&replacement.summary, left))?;
        }
        screen.end_line()?;
    }
    screen.end_line()?;
    verdict::summary(screen, outcome)
}

/// One row of the table.
struct Row<'a> {
    snippet: String,
    original: String,
    fate: &'static str,
    why: String,
    text: &'a str,
    /// How many further lines the row stands for.
    n_more: usize,
}

fn table(screen: &mut Screen, inputs: &Inputs, outcome: &Outcome) -> io::Result<()> {
    let original = Source::new(&inputs.original.text);
    let snippet = Source::new(outcome.snippet());
    let rows: Vec<Row<'_>> =
        outcome.ledger().steps().iter().flat_map(|step| rows(step, outcome.shape(), &original, &snippet)).collect();
    let columns =
        |cell: fn(&Row<'_>) -> usize, heading: &str| rows.iter().map(cell).max().unwrap_or(0).max(heading.len());
    let snippet_columns = columns(|row| row.snippet.len(), "snippet");
    let original_columns = columns(|row| row.original.len(), "original");

    let head = format!(
        "{:>snippet_columns$}  {:>original_columns$}  {:FATE_COLUMNS$}  {:WHY_COLUMNS$}  text",
        "snippet", "original", "fate", "why"
    );
    screen.styled(BOLD, &head)?;
    screen.end_line()?;
    let left = COLUMNS.saturating_sub(snippet_columns + original_columns + FATE_COLUMNS + WHY_COLUMNS + 8).max(8);
    for row in &rows {
        let style = match row.fate {
            "new" => GREEN,
            "removed" | "removal" => RED,
            "dropped" => YELLOW,
            "kept" | "reference" => DIM,
            _ => anstyle::Style::new(),
        };
        screen.text(&format!("{:>snippet_columns$}  {:>original_columns$}  ", row.snippet, row.original))?;
        let more = if row.n_more > 0 { format!(" (+{})", row.n_more) } else { String::new() };
        let text = terminal::cell(row.text, left.saturating_sub(more.len()));
        let text = text.trim_end();
        // A cell is padded only where another follows: lines end without blanks.
        let has_text = !text.is_empty() || !more.is_empty();
        match (row.why.as_str(), has_text) {
            ("", false) => screen.styled(style, row.fate)?,
            (why, false) => {
                screen.styled(style, &format!("{:FATE_COLUMNS$}", row.fate))?;
                screen.text(&format!("  {why}"))?;
            }
            (why, true) => {
                screen.styled(style, &format!("{:FATE_COLUMNS$}", row.fate))?;
                screen.text(&format!("  {why:WHY_COLUMNS$}  "))?;
                screen.styled(style, text)?;
            }
        }
        screen.styled(DIM, &more)?;
        screen.end_line()?;
    }
    Ok(())
}

/// Gives the rows of a step: one for each snippet line, one for each removed line, one for a range that stays.
fn rows<'a>(step: &Step, shape: Shape, original: &Source<'a>, snippet: &Source<'a>) -> Vec<Row<'a>> {
    let (fate, why) = fate_and_why(step, shape);
    match (step.snippet(), step.original()) {
        (Some(lines), None) => lines.iter().map(|line| row(fate, &why, Some(line), None, snippet.line(line))).collect(),
        (Some(lines), taken) => vec![row(fate, &why, Some(lines.start), taken, snippet.line(lines.start))],
        (None, Some(taken)) if step.keeps() => {
            // The first line that says something stands for all.
            let text = taken.iter().map(|line| original.line(line)).find(|line| !line.trim().is_empty());
            let row = row(fate, &why, None, Some(taken), text.unwrap_or_default());
            vec![Row { n_more: taken.len().saturating_sub(1), ..row }]
        }
        (None, Some(taken)) => taken
            .iter()
            .map(|line| row(fate, &why, None, Some(LineRange::new(line, line + 1)), original.line(line)))
            .collect(),
        (None, None) => Vec::new(),
    }
}

fn row<'a>(
    fate: &'static str,
    why: &str,
    snippet: Option<usize>,
    original: Option<LineRange>,
    text: &'a str,
) -> Row<'a> {
    let original = match original.map(LineRange::one_based) {
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) if first < last => format!("{first}-{last}"),
        _ => "-".to_owned(),
    };
    let snippet = snippet.map_or_else(|| "-".to_owned(), |line| (line + 1).to_string());
    Row { snippet, original, fate, why: why.to_owned(), text, n_more: 0 }
}

fn fate_and_why(step: &Step, shape: Shape) -> (&'static str, String) {
    let names_changes = matches!(shape, Shape::SearchReplace | Shape::Unified | Shape::Patch | Shape::Pairs);
    match step {
        Step::Anchor { equality, .. } => ("anchor", equality_in_words(*equality).to_owned()),
        Step::Fill { original, .. } if original.is_empty() => ("reference", "stands for nothing".to_owned()),
        Step::Fill { original, .. } => ("reference", format!("stands for {}", count(original.len(), "line"))),
        Step::Keep { rule, .. } => ("kept", rule_in_words(*rule).to_owned()),
        Step::Remove { cause, .. } => ("removed", cause_in_words(*cause).to_owned()),
        Step::Marker { .. } => ("removal", "says that code goes".to_owned()),
        Step::New { .. } => ("new", String::new()),
        Step::Drop { .. } if names_changes => ("dropped", "a sign, or the old text".to_owned()),
        Step::Drop { .. } => ("dropped", "blank, or for the reader only".to_owned()),
        _ => ("?", String::new()),
    }
}

fn equality_in_words(equality: Equality) -> &'static str {
    match equality {
        Equality::Exact => "same text",
        Equality::TrailingBlanks => "same but for trailing blanks",
        Equality::Indentation => "same but for indentation",
        Equality::Whitespace => "same but for white space",
        _ => "alike",
    }
}

fn rule_in_words(rule: KeepRule) -> &'static str {
    match rule {
        KeepRule::ImpliedEdge => "reference implied at the edge",
        KeepRule::StillUsed => "imports what is still used",
        KeepRule::Attached => "belongs to what is shown below",
        KeepRule::PureInsert => "an insertion removes nothing",
        KeepRule::OutsideRanges => "outside the announced lines",
        KeepRule::Unmentioned => "not mentioned",
        KeepRule::OutsideHunks => "the edit does not name it",
        _ => "by rule",
    }
}

fn cause_in_words(cause: RemovalCause) -> &'static str {
    match cause {
        RemovalCause::Marker => "removal comment",
        RemovalCause::MinusLine => "named as going",
        RemovalCause::Announced => "announced in the description",
        RemovalCause::WholeFile => "the snippet is the whole file",
        RemovalCause::Rewritten => "new version is in its place",
        RemovalCause::ShownInFull => "its declaration is shown whole",
        RemovalCause::BlankLine => "only blank lines",
        RemovalCause::Unexplained => "nothing explains it",
        _ => "by rule",
    }
}
