// ... existing code ...

#[derive(Debug, PartialEq, Eq)]
pub enum ArgsError {
    // ... existing code ...
    NoFiles,
    Twice(PathBuf),
    Help,
}

impl fmt::Display for ArgsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // ... existing code ...
            ArgsError::NoFiles => write!(f, "no files"),
            ArgsError::Twice(path) => write!(f, "{} is named twice", path.display()),
            ArgsError::Help => f.write_str(USAGE),
        }
    }
}

// ... existing code ...

impl Args {
    pub fn parse(source: &mut dyn Source) -> Result<Args, ArgsError> {
        // ... existing code ...
        while let Some(arg) = source.next() {
            if only_files || !arg.starts_with('-') || arg == "-" {
                let path = PathBuf::from(arg);
                if args.files.contains(&path) {
                    return Err(ArgsError::Twice(path));
                }
                args.files.push(path);
                continue;
            }
            // ... existing code ...
        }
        // ... existing code ...
    }

    // ... existing code ...
}

// ... existing code ...
