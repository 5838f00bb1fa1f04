// ... existing code ...

impl Source for Response {
    // ... existing code ...

    fn name(&self) -> &str {
        if self.lines.is_empty() {
            return "empty response file";
        }
        "response file"
    }
}

// ... existing code ...
