//! Information that engines send about a search.

use super::score::PovScore;
use super::wdl::PovWdl;
use engine_core::search::Bound;
use engine_core::{AnyPosition, Move};
use std::time::Duration;

/// Information about a search, from one line of the engine or several together. Each field is
/// `None`, or empty, where the engine gave nothing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: Option<u32>,
    /// The deepest ply reached.
    pub seldepth: Option<u32>,
    /// Which of several lines, from 1.
    pub multipv: Option<usize>,
    /// The score, for the side to move at the root.
    pub score: Option<PovScore>,
    /// Whether the score is exact; set with the score.
    pub bound: Option<Bound>,
    /// Expected results.
    pub wdl: Option<PovWdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Since the start of the search.
    pub time: Option<Duration>,
    /// Permille of the table in use.
    pub hashfull: Option<u32>,
    /// Tablebase positions found.
    pub tbhits: Option<u64>,
    /// Permille of the processor in use.
    pub cpuload: Option<u32>,
    /// Effective branching factor.
    pub ebf: Option<f64>,
    /// The root move being searched.
    pub currmove: Option<Move>,
    /// Its number, from 1.
    pub currmovenumber: Option<u32>,
    /// The best line, as far as it is legal.
    pub pv: Vec<Move>,
    /// The first word of the line that is no legal move.
    pub pv_fault: Option<String>,
    /// A root move and what refutes it.
    pub refutation: Vec<Move>,
    /// The processor and the line that it searches.
    pub currline: Option<(u32, Vec<Move>)>,
    /// Anything else.
    pub string: Option<String>,
}

impl Info {
    /// Replaces the fields that a later line has.
    pub fn update(&mut self, later: Info) {
        macro_rules! take_over {
            ($($field:ident),*) => { $( if later.$field.is_some() { self.$field = later.$field; } )* };
        }
        take_over!(
            depth, seldepth, multipv, wdl, nodes, nps, time, hashfull, tbhits, cpuload, ebf
        );
        take_over!(currmove, currmovenumber, currline, string);
        if later.score.is_some() {
            (self.score, self.bound) = (later.score, later.bound);
        }
        if !later.pv.is_empty() || later.pv_fault.is_some() {
            (self.pv, self.pv_fault) = (later.pv, later.pv_fault);
        }
        if !later.refutation.is_empty() {
            self.refutation = later.refutation;
        }
    }
}

/// Longer lines are cut: no game that matters has as many plies.
const LONGEST_LINE: usize = 1024;

/// Reads moves from words for as long as they are legal, and the first word that is not.
pub(super) fn read_line<'a>(
    root: &AnyPosition,
    words: impl Iterator<Item = &'a str>,
    read: impl Fn(&AnyPosition, &str) -> Option<Move>,
) -> (Vec<Move>, Option<&'a str>) {
    let mut position = *root;
    let mut line = Vec::new();
    for word in words.take(LONGEST_LINE) {
        let Some(m) = read(&position, word) else {
            return (line, Some(word));
        };
        line.push(m);
        position.play(m);
    }
    (line, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_lines_win() {
        let mut all = Info {
            depth: Some(3),
            pv_fault: Some("x".into()),
            ..Info::default()
        };
        all.update(Info {
            nodes: Some(5),
            ..Info::default()
        });
        assert_eq!((all.depth, all.nodes), (Some(3), Some(5)));
        assert!(all.pv_fault.is_some());
    }
}
