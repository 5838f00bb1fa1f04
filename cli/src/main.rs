//! The treegraft command.

fn main() {}
