//! The `mola` binary.

fn main() {}
