//! The `replay` command on its own, until it is a subcommand of `treegraft`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, ValueEnum};
use treegraft_replay::{Error, Only, Options, Source, Split, Style};

/// Measures treegraft on real histories.
///
/// Each real change of a file is a right answer: a snippet is written for it as a model would, applied to the old file, and the
/// result compared with the new one.
#[derive(Debug, Parser)]
#[command(name = "replay", version)]
#[allow(clippy::struct_excessive_bools)]
struct Cli {
    #[command(flatten)]
    source: SourceArgs,
    /// At most this many ordinary cases, and a quarter as many hard negatives.
    #[arg(long, value_name = "N")]
    max: Option<usize>,
    /// What all choices depend on.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Styles to use, separated by commas.
    #[arg(long, value_name = "STYLES", value_delimiter = ',', value_parser = style)]
    styles: Vec<Style>,
    /// Which half of the packages to measure.
    #[arg(long, value_enum, default_value = "all")]
    split: SplitArg,
    /// The list that divides the packages; corpus/packages.toml if that is there.
    #[arg(long, value_name = "FILE")]
    packages: Option<PathBuf>,
    /// Take a pair's whole difference as one change instead of walking it in steps.
    #[arg(long)]
    whole_changes: bool,
    /// Keep all cases in this file, one JSON object a line.
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    /// Show this many misses.
    #[arg(long, value_name = "N", default_value_t = 0)]
    show_misses: usize,
    /// Which misses to show.
    #[arg(long, value_enum, default_value = "any")]
    only: OnlyArg,
    /// Only cases whose id contains this. The other flags must be those of the run that named the id.
    #[arg(long, value_name = "SUBSTR")]
    id: Option<String>,
    /// Tables in Markdown.
    #[arg(long)]
    markdown: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct SourceArgs {
    /// Walk the history of this repository.
    #[arg(long, value_name = "REPO")]
    git: Option<PathBuf>,
    /// Compare the releases in this folder: DIR/old and DIR/new, or DIR/<package>/old and DIR/<package>/new. Without a value the
    /// folder that `cargo xtask pairs` fills.
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    #[allow(clippy::option_option)]
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

fn main() -> ExitCode {
    let cli = Cli::parse();
    let source = match (cli.source.git, cli.source.pairs) {
        (Some(repository), _) => Source::Git(repository),
        (None, dir) => Source::Pairs(dir.flatten().unwrap_or_else(treegraft_replay::packages::cache_dir)),
    };
    let listed = PathBuf::from("corpus/packages.toml");
    let options = Options {
        packages: cli.packages.or_else(|| listed.is_file().then_some(listed)),
        max: cli.max,
        seed: cli.seed,
        styles: cli.styles,
        split: match cli.split {
            SplitArg::All => Split::All,
            SplitArg::Tune => Split::Tune,
            SplitArg::Held => Split::Held,
        },
        whole_changes: cli.whole_changes,
        // One case is asked for to be seen.
        show_misses: if cli.id.is_some() { cli.show_misses.max(1) } else { cli.show_misses },
        id: cli.id,
        only: match cli.only {
            OnlyArg::Any => Only::Any,
            OnlyArg::Silent => Only::Silent,
            OnlyArg::Wrong => Only::Wrong,
            OnlyArg::Flagged => Only::Flagged,
        },
        markdown: cli.markdown,
        json: cli.json,
        ..Options::new(source)
    };
    let mut out = anstream::stdout().lock();
    match treegraft_replay::run(&options, &mut out) {
        Ok(report) if report.cases.is_empty() => {
            let _ = writeln!(anstream::stderr(), "error: no case could be made of this source");
            ExitCode::from(2)
        }
        Ok(_) => ExitCode::SUCCESS,
        // A closed pipe ends quietly.
        Err(Error::Write { error, .. }) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(anstream::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
