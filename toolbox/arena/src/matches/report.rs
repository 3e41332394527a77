//! The report of a match: about two engines in words, about several as a table, or as JSON.

use super::duel::Duel;
use super::standings::Standings;
use super::summary::MatchSummary;
use std::fmt;

impl MatchSummary {
    /// All of it as JSON.
    pub(super) fn json(&self) -> serde_json::Result<String> {
        if self.is_duel() {
            serde_json::to_string_pretty(&Duel::of(self))
        } else {
            serde_json::to_string_pretty(&Standings::of(self))
        }
    }
}

impl fmt::Display for MatchSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_duel() {
            Duel::of(self).fmt(f)
        } else {
            Standings::of(self).fmt(f)
        }
    }
}
