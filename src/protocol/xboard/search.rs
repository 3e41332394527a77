//! The searches of the engine: for a move, pondering, analysis, hints.

use super::resign_draw::Decision;
use super::search_state::Purpose;
use super::{XBoard, output};
use crate::options::OptionId;
use crate::session::{Command, is_from_book};
use common::error::Result;
use common::option_value::OptionValue;
use crossbeam_channel::never;
use engine_core::Move;
use engine_core::search::{BestMove, Event, Limits};
use std::time::Instant;

/// The depth of a search for a hint.
const HINT_DEPTH: u32 = 8;

impl XBoard {
    /// Stops any search without output, and takes back the move pondered on.
    pub(super) fn halt(&mut self) -> Result {
        self.search_state.paused_ponder = None;
        let purpose = std::mem::take(&mut self.search_state.purpose);
        if purpose != Purpose::Idle {
            // The last events of the search are dropped.
            self.session.execute(Command::Stop);
        }
        if let Purpose::Ponder(_) = purpose {
            self.session.execute(Command::Undo(1));
        }
        self.answer_pings()
    }

    fn answer_pings(&mut self) -> Result {
        for ping in std::mem::take(&mut self.pings) {
            self.say(&format!("pong {ping}"))?;
        }
        Ok(())
    }

    fn start(&mut self, purpose: Purpose, limits: Limits) -> Result {
        self.search_state.purpose = purpose;
        self.search_state.hints_owed = 0;
        self.search_state.info = None;
        self.search_state.current = None;
        self.search_state.started = Some(Instant::now());
        self.search_state.limits.clone_from(&limits);
        self.run(Command::Go(limits))
    }

    /// Depending on the state, starts a search for a move or an analysis, or waits.
    pub(super) fn proceed(&mut self) -> Result {
        if self.search_state.is_paused
            || self.has_illegal_position
            || self.search_state.purpose != Purpose::Idle
        {
            return Ok(());
        }
        if self.search_state.is_analyzing() {
            return self.analyze();
        }
        if self.side != Some(self.turn()) {
            return Ok(());
        }
        if let Some(result) = output::result(self.session.game()) {
            return self.say(&result);
        }
        let limits = self.clock.limits(self.turn(), self.ply());
        self.start(Purpose::Move, limits)
    }

    fn analyze(&mut self) -> Result {
        let legal = self.position().legal_moves();
        let mut search_moves = Vec::new();
        if !self.excluded.is_empty() {
            search_moves.extend(legal.into_iter().filter(|m| !self.excluded.contains(m)));
            if search_moves.is_empty() {
                return Ok(());
            }
        }
        let limits = Limits {
            infinite: true,
            search_moves,
            ..Limits::default()
        };
        self.start(Purpose::Analyze, limits)
    }

    /// Restarts a running analysis, after the position or an option has changed.
    pub(super) fn restart_analysis(&mut self) -> Result {
        if self.search_state.is_analyzing() {
            self.halt()?;
            self.proceed()?;
        }
        Ok(())
    }

    pub(super) fn set_analyzing(&mut self, on: bool) -> Result {
        self.halt()?;
        self.search_state.set_analyzing(on);
        self.side = None;
        self.proceed()
    }

    pub(super) fn set_pondering(&mut self, on: bool) -> Result {
        self.run(Command::Set(OptionId::Ponder, OptionValue::Flag(on)))?;
        match self.search_state.purpose {
            Purpose::Ponder(_) if !on => self.halt(),
            _ => Ok(()),
        }
    }

    pub(super) fn pause(&mut self, on: bool) -> Result {
        self.search_state.is_paused = on;
        if on {
            let state = &self.search_state;
            let reply = state.ponder_move().or(state.paused_ponder);
            self.halt()?;
            self.search_state.paused_ponder = reply;
            return Ok(());
        }
        // What was paused goes on; a hint asked for meanwhile is given before.
        if self.search_state.purpose == Purpose::Hint {
            self.run(Command::Stop)?;
        }
        match self.search_state.paused_ponder.take() {
            Some(reply) if self.session.options().flag(OptionId::Ponder) => self.ponder(reply),
            _ => self.proceed(),
        }
    }

    /// `?`: move now, if the engine is searching for its move.
    pub(super) fn move_now(&mut self) -> Result {
        if self.search_state.owes_move() {
            self.run(Command::Stop)?;
        }
        Ok(())
    }

    /// Plays a legal move of the user.
    pub(super) fn opponent_moved(&mut self, m: Move) -> Result {
        if self.search_state.purpose == Purpose::Ponder(m) {
            let limits = self.clock.limits(self.turn(), self.ply());
            let before = &self.search_state.limits;
            // Other limits of depth and nodes need another search.
            if (limits.depth, limits.nodes) == (before.depth, before.nodes) {
                self.search_state.purpose = Purpose::Move;
                self.search_state.started = Some(Instant::now());
                self.search_state.hint = None;
                return self.run(Command::PonderHit(Some(limits)));
            }
        }
        self.halt()?;
        self.run(Command::Play(m))?;
        self.excluded.clear();
        self.search_state.hint = None;
        if self.search_state.is_analyzing() {
            return self.proceed();
        }
        match self.result() {
            Some(result) => self.say(&result),
            None => self.proceed(),
        }
    }

    /// The result line of a game that is over. In force mode no draw is claimed: the GUI may be
    /// setting up a position.
    fn result(&self) -> Option<String> {
        let game = self.session.game();
        let claim = || self.side.and_then(|_| output::claim(game));
        output::result(game).or_else(claim)
    }

    /// `hint`: the expected reply or, if there is none, the result of a short search.
    pub(super) fn hint(&mut self) -> Result {
        if let Some(hint) = self.search_state.hint {
            return self.send_hint(hint);
        }
        if self.search_state.purpose == Purpose::Analyze {
            let best = self
                .search_state
                .info
                .as_ref()
                .and_then(|info| info.pv.first().copied());
            self.search_state.hints_owed += u32::from(best.is_none());
            return best.map_or(Ok(()), |best| self.send_hint(best));
        }
        if self.search_state.purpose != Purpose::Idle || self.has_illegal_position {
            return Ok(());
        }
        let limits = Limits {
            depth: Some(HINT_DEPTH),
            ..Limits::default()
        };
        self.start(Purpose::Hint, limits)
    }

    fn send_hint(&mut self, m: Move) -> Result {
        let text = format!("Hint: {}", self.position_before_ponder_move().to_xboard(m));
        self.say(&text)
    }

    /// `bk`: the book moves of this position.
    pub(super) fn send_book_moves(&mut self) -> Result {
        let position = self.position_before_ponder_move();
        let text = output::book(position, self.session.book_moves(position));
        self.say(&text)
    }

    /// The state of the analysis, in answer to `.`.
    pub(super) fn report(&mut self) -> Result {
        self.search_state.report = never();
        let Some(info) = self
            .search_state
            .info
            .as_ref()
            // Of a search that was halted nothing is told, if no other could start.
            .filter(|_| self.search_state.purpose == Purpose::Analyze)
        else {
            return Ok(());
        };
        let total = self.position().legal_moves().len();
        let total = total.saturating_sub(self.excluded.len());
        let (m, number) = match self.search_state.current {
            Some((m, number)) => (Some(m), number),
            None => (info.pv.first().copied(), total),
        };
        let line = format!(
            "stat01: {} {} {} {} {total} {}",
            self.search_state.elapsed().as_millis() / 10,
            info.nodes,
            info.depth,
            total.saturating_sub(number),
            self.position().variation_xboard(m.as_slice()),
        );
        self.say(&line)
    }

    /// Handles an event of the search.
    pub(super) fn search_event(&mut self, event: Event) -> Result {
        match event {
            Event::Info(info) => {
                let is_long = self.reads_long_lines == Some(true);
                let line = output::line(&info, self.position(), is_long);
                let best = info.pv.first().copied();
                if info.multipv == 1 {
                    self.search_state.info = Some(info);
                }
                if self.search_state.shows_thinking() {
                    self.say(&line)?;
                }
                for _ in 0..std::mem::take(&mut self.search_state.hints_owed) {
                    best.map_or(Ok(()), |best| self.send_hint(best))?;
                }
                Ok(())
            }
            Event::CurrentMove { m, number, .. } => {
                self.search_state.current = Some((m, number));
                Ok(())
            }
            Event::BestMove(best) => self.search_ended(&best),
        }
    }

    fn search_ended(&mut self, end: &BestMove) -> Result {
        match (std::mem::take(&mut self.search_state.purpose), end.best) {
            (Purpose::Move, Some(best)) => {
                if !is_from_book(end) {
                    self.resign_draw.moved(self.turn(), end.score);
                }
                self.play(best, end.ponder)
            }
            (Purpose::Hint, Some(best)) => {
                self.send_hint(best)?;
                self.answer_pings()
            }
            _ => self.answer_pings(),
        }
    }

    /// Plays the engine's move, sends the result of a game that has ended, resigns or offers a
    /// draw, and starts to ponder.
    fn play(&mut self, best: Move, reply: Option<Move>) -> Result {
        let text = self.position().to_xboard(best);
        self.clock.moved(self.search_state.elapsed(), self.ply());
        let fullmoves = self.fullmoves();
        self.run(Command::Play(best))?;
        self.say(&format!("move {text}"))?;
        self.excluded.clear();
        self.search_state.hint = reply;
        let result = self.result();
        if let Some(result) = &result {
            self.say(result)?;
        } else if self.session.options().flag(OptionId::Resign) {
            match self.resign_draw.decide(fullmoves) {
                Some(Decision::Resign) => self.say("resign")?,
                Some(Decision::OfferDraw) => self.say("offer draw")?,
                None => {}
            }
        }
        self.answer_pings()?;
        let ponders = self.session.options().flag(OptionId::Ponder);
        match reply {
            Some(reply) if ponders && result.is_none() => {
                // Only this line tells clients the ponder move.
                self.send_hint(reply)?;
                self.ponder(reply)
            }
            _ => Ok(()),
        }
    }

    fn ponder(&mut self, reply: Move) -> Result {
        self.run(Command::Play(reply))?;
        if self.result().is_some() {
            return self.run(Command::Undo(1));
        }
        let limits = Limits {
            ponder: true,
            ..self.clock.limits(self.turn(), self.ply())
        };
        self.start(Purpose::Ponder(reply), limits)
    }
}
