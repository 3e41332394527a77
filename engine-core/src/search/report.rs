//! Reports of a running search: principal variations and the current root move.

use super::event::{Event, Info};
use super::worker::Worker;
use crate::Move;
use std::time::Duration;

/// The current root move is reported from this time of a search on.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

impl Worker {
    /// Reports the root move being searched in a long search, once per iteration.
    pub(super) fn report_current_move(&mut self, m: Move, count: usize) {
        let number = self.pv_index + count;
        let place = (self.depth, self.pv_index, number);
        let is_due = place > self.reported_move
            && self.is_main()
            && self.shared.has_listener()
            && self.shared.since_start() >= CURRENT_MOVE_AFTER;
        if is_due {
            self.reported_move = place;
            let depth = self.depth;
            self.shared.send(Event::CurrentMove { depth, m, number });
        }
    }

    /// Reports the best lines, those that were searched: of the others nothing is known. There is always one.
    pub(super) fn report_lines(&self, lines: usize) {
        if self.shared.has_listener() {
            let is_known = |&line: &usize| line == 0 || self.root_moves[line].is_known();
            for line in (0..lines).take_while(is_known) {
                self.shared.send(Event::Info(self.info(line)));
            }
        }
    }

    /// The report of a line.
    pub(super) fn info(&self, line: usize) -> Info {
        let root = &self.root_moves[line];
        Info {
            depth: root.depth.max(1),
            // The table may know the line beyond what this iteration visited.
            seldepth: root.seldepth.max(root.pv.len()).max(1) as u32,
            multipv: line + 1,
            score: root.reported_score(),
            bound: root.bound(),
            nodes: self.shared.nodes(),
            time: self.shared.since_start(),
            hashfull: self.tt.hashfull(),
            tbhits: self.shared.tb_hits(),
            pv: root.pv.clone(),
            convergence: self.convergence,
        }
    }
}
