//! The state of the search in the XBoard protocol.

use crossbeam_channel::{Receiver, after, never};
use engine_core::Move;
use engine_core::search::{Info, Limits};
use std::time::{Duration, Instant};

/// The running search, its purpose and its last report.
pub(super) struct SearchState {
    pub(super) purpose: Purpose,
    /// The limits with which the search began.
    pub(super) limits: Limits,
    analysis: Analysis,
    pub(super) is_paused: bool,
    /// The expected move of the opponent on which the engine pondered before a pause.
    pub(super) paused_ponder: Option<Move>,
    /// Whether the engine's thinking about its moves is shown (`post`).
    posts: bool,
    /// The reply that the engine expects.
    pub(super) hint: Option<Move>,
    /// Hints asked for before analysis had one.
    pub(super) hints_owed: u32,
    pub(super) info: Option<Info>,
    /// The current root move and its number.
    pub(super) current: Option<(Move, usize)>,
    pub(super) started: Option<Instant>,
    /// The timer of a report on analysis.
    pub(super) report: Receiver<Instant>,
}

/// Whether the GUI has begun analysis, and sees its thinking.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Analysis {
    Off,
    Shown,
    Silent,
}

/// Why a search runs.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Purpose {
    #[default]
    Idle,
    Move,
    /// Pondering. The game already has this expected move of the opponent.
    Ponder(Move),
    Analyze,
    Hint,
}

/// The delay of a report: long enough for a client to leave analysis, too short for a user to
/// notice.
const REPORT_DELAY: Duration = Duration::from_millis(20);

impl Default for SearchState {
    fn default() -> SearchState {
        SearchState {
            purpose: Purpose::Idle,
            limits: Limits::default(),
            analysis: Analysis::Off,
            is_paused: false,
            paused_ponder: None,
            posts: false,
            hint: None,
            hints_owed: 0,
            info: None,
            current: None,
            started: None,
            report: never(),
        }
    }
}

impl SearchState {
    /// Whether the GUI waits for a move.
    pub(super) fn owes_move(&self) -> bool {
        self.purpose == Purpose::Move
    }

    /// Whether the GUI waits for a move or a hint.
    pub(super) fn owes_answer(&self) -> bool {
        matches!(self.purpose, Purpose::Move | Purpose::Hint)
    }

    /// `post` or `nopost`.
    pub(super) fn post(&mut self, on: bool) {
        self.posts = on;
        if self.is_analyzing() {
            self.analysis = if on {
                Analysis::Shown
            } else {
                Analysis::Silent
            };
        }
    }

    pub(super) fn is_analyzing(&self) -> bool {
        self.analysis != Analysis::Off
    }

    /// Begins or ends analysis, which is shown unless the GUI silences it after its beginning.
    pub(super) fn set_analyzing(&mut self, on: bool) {
        self.analysis = if on { Analysis::Shown } else { Analysis::Off };
        self.report = never();
    }

    /// Whether the thinking of this search is shown.
    pub(super) fn shows_thinking(&self) -> bool {
        match self.purpose {
            Purpose::Analyze => self.analysis == Analysis::Shown,
            Purpose::Hint => false,
            Purpose::Idle | Purpose::Move | Purpose::Ponder(_) => self.posts,
        }
    }

    /// The expected move of the opponent, while the engine ponders on it.
    pub(super) fn ponder_move(&self) -> Option<Move> {
        match self.purpose {
            Purpose::Ponder(m) => Some(m),
            _ => None,
        }
    }

    /// `.`: schedules a report. Not at once: python-chess asks for one as it leaves analysis, and
    /// then reads none.
    pub(super) fn ask_report(&mut self) {
        if self.is_analyzing() {
            self.report = after(REPORT_DELAY);
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started
            .map_or(Duration::ZERO, |started| started.elapsed())
    }
}
