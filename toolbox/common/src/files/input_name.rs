//! How messages name an input, which may be the standard input.

use super::{is_dash, named};
use std::io;
use std::path::{Display, Path};

/// How messages name an input.
pub fn input_name(path: &Path) -> Display<'_> {
    shown(path).display()
}

/// The same error, but its message names the input.
pub fn named_input(path: &Path, error: &io::Error) -> io::Error {
    named(shown(path), error)
}

fn shown(path: &Path) -> &Path {
    if is_dash(path) {
        Path::new("stdin")
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_input_has_a_name() {
        assert_eq!(input_name(Path::new("-")).to_string(), "stdin");
        assert_eq!(input_name(Path::new("a-")).to_string(), "a-");
    }
}
