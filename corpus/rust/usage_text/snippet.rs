// ... existing code ...

const USAGE: &str = "\
usage: pack [options] FILE...

options:
  -o, --output FILE   write here
  -l, --level N       0 to 9
  -q, --quiet         say nothing
  -v, --verbose       say more
  -h, --help          this text
";

// ... existing code ...

pub struct Args {
    // ... existing code ...
    pub level: u8,
    pub quiet: bool,
    pub verbose: bool,
    // ... existing code ...
}

// ... existing code ...

            match arg.as_str() {
                "--" => only_files = true,
                "-h" | "--help" => return Err(ArgsError::Help),
                "-q" | "--quiet" => args.quiet = true,
                "-v" | "--verbose" => args.verbose = true,
                // ... existing code ...
            }

// ... existing code ...
