// ... existing code ...

impl Source for Stdin {
    fn next(&mut self) -> Option<String> {
        // ... existing code ...
    }

    fn name(&self) -> &str {
        "standard input"
    }
}

// ... existing code ...
