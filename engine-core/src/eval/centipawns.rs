//! Centipawns as people read them: in pawns.

use std::fmt;

/// A value in centipawns, shown in pawns with its sign: `+0.15`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Centipawns(pub i32);

impl fmt::Display for Centipawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        let size = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:02}", size / 100, size % 100))
    }
}
