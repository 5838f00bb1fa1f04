use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

const USAGE: &str = "\
usage: pack [options] FILE...

options:
  -o, --output FILE   write here
  -l, --level N       0 to 9
  -v, --verbose       say more
  -h, --help          this text
";

#[derive(Debug, PartialEq, Eq)]
pub enum ArgsError {
    Unknown(String),
    MissingValue(&'static str),
    BadNumber { option: &'static str, value: String },
    NoFiles,
    Help,
}

impl fmt::Display for ArgsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgsError::Unknown(name) => write!(f, "unknown option {name}"),
            ArgsError::MissingValue(name) => write!(f, "{name} needs a value"),
            ArgsError::BadNumber { option, value } => write!(f, "{option}: {value} is no number"),
            ArgsError::NoFiles => write!(f, "no files"),
            ArgsError::Help => f.write_str(USAGE),
        }
    }
}

impl std::error::Error for ArgsError {}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Args {
    pub files: Vec<PathBuf>,
    pub output: Option<PathBuf>,
    pub level: u8,
    pub verbose: bool,
    pub defines: BTreeMap<String, String>,
}

pub trait Source {
    fn next(&mut self) -> Option<String>;
    fn name(&self) -> &str;
}

pub struct Command<I> {
    inner: I,
    name: String,
}

impl<I: Iterator<Item = String>> Command<I> {
    pub fn new(mut inner: I) -> Self {
        let name = inner.next().unwrap_or_else(|| "pack".to_owned());
        Command { inner, name }
    }
}

impl<I: Iterator<Item = String>> Source for Command<I> {
    fn next(&mut self) -> Option<String> {
        self.inner.next()
    }

    fn name(&self) -> &str {
        &self.name
    }
}

pub struct Response {
    lines: Vec<String>,
    at: usize,
}

impl Response {
    pub fn new(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        Response { lines, at: 0 }
    }
}

impl Source for Response {
    fn next(&mut self) -> Option<String> {
        let line = self.lines.get(self.at)?.clone();
        self.at += 1;
        Some(line)
    }

    fn name(&self) -> &str {
        if self.lines.is_empty() {
            return "empty response file";
        }
        "response file"
    }
}

impl Args {
    pub fn parse(source: &mut dyn Source) -> Result<Args, ArgsError> {
        let mut args = Args { level: 6, ..Args::default() };
        let mut only_files = false;
        while let Some(arg) = source.next() {
            if only_files || !arg.starts_with('-') || arg == "-" {
                args.files.push(PathBuf::from(arg));
                continue;
            }
            match arg.as_str() {
                "--" => only_files = true,
                "-h" | "--help" => return Err(ArgsError::Help),
                "-v" | "--verbose" => args.verbose = true,
                "-o" | "--output" => {
                    let value = source.next().ok_or(ArgsError::MissingValue("--output"))?;
                    args.output = Some(PathBuf::from(value));
                }
                "-l" | "--level" => {
                    let value = source.next().ok_or(ArgsError::MissingValue("--level"))?;
                    args.level = parse_level(&value)?;
                }
                "-D" | "--define" => {
                    let value = source.next().ok_or(ArgsError::MissingValue("--define"))?;
                    let (name, value) = value.split_once('=').unwrap_or((&value, "1"));
                    args.defines.insert(name.to_owned(), value.to_owned());
                }
                _ => return Err(ArgsError::Unknown(arg)),
            }
        }
        if args.files.is_empty() {
            return Err(ArgsError::NoFiles);
        }
        Ok(args)
    }

    pub fn output_or_default(&self) -> PathBuf {
        match &self.output {
            Some(path) => path.clone(),
            None => self.files[0].with_extension("pack"),
        }
    }
}

fn parse_level(value: &str) -> Result<u8, ArgsError> {
    let bad = || ArgsError::BadNumber { option: "--level", value: value.to_owned() };
    let level: u8 = value.parse().map_err(|_| bad())?;
    if level > 9 {
        return Err(bad());
    }
    Ok(level)
}
