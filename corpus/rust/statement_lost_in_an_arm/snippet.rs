// ... existing code ...

impl Args {
    pub fn parse(source: &mut dyn Source) -> Result<Args, ArgsError> {
        // ... existing code ...
            match arg.as_str() {
                // ... existing code ...
                "-D" | "--define" => {
                    let value = source.next().ok_or(ArgsError::MissingValue("--define"))?;
                    args.defines.insert(name.to_owned(), value.to_owned());
                }
                _ => return Err(ArgsError::Unknown(arg)),
            }
        // ... existing code ...
    }

    // ... existing code ...
}
