//! A bot that assumes one board, the likeliest, and lets a chess engine move on it.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use crate::player::Player;
use arena::client::{Engine, EngineCommand, EngineRequest};
use common::error::{Error, Result};
use common::random::Random;
use crossbeam_channel::{Receiver, never};
use engine_core::search::{Limits, Root, SearchOptions, Searcher};
use engine_core::{AnyPosition, CastlingMode, Color, Faults, Game, Position, Role, Square};
use std::time::Duration;

/// How long another engine may take to introduce itself.
const START_TIME: Duration = Duration::from_secs(30);

/// A player with one board: what it has sensed and what it has moved, and everything else where
/// it was. It takes a king that it sees; else it plays as an engine would.
pub struct TroutBot {
    random: Random,
    engine: Thinker,
    time: Duration,
    /// Closed when the engine is no longer waited for.
    interrupt: Receiver<()>,
    color: Color,
    board: Board,
    captured: Option<Square>,
}

/// The engine that finds the moves.
enum Thinker {
    /// Mola's own search.
    Own(Box<Searcher>),
    /// Another engine, started again after a failure.
    Other(Box<EngineCommand>, Option<Box<Engine>>),
}

/// The table of Mola's own search, in MB.
const HASH: usize = 16;

impl TroutBot {
    /// The bot with this stream of random numbers, an engine (Mola's own search if `None`) and the
    /// time for each of its searches, of which there are two a turn.
    ///
    /// # Errors
    /// When there is no memory for a search, and when the engine cannot be started.
    pub fn new(random: Random, command: Option<EngineCommand>, time: Duration) -> Result<TroutBot> {
        let engine = match command {
            None => Thinker::Own(Box::new(Searcher::new(HASH)?)),
            Some(command) => {
                let engine = Engine::start(&command)?;
                Thinker::Other(Box::new(command), Some(Box::new(engine)))
            }
        };
        Ok(TroutBot {
            random,
            engine,
            time,
            interrupt: never(),
            color: Color::White,
            board: Board::start(),
            captured: None,
        })
    }

    /// The best move on the assumed board; `None` if chess cannot be played on it.
    fn think(&mut self) -> Result<Option<UciMove>> {
        let them = !self.color;
        let pieces = self.board.pieces();
        let Some(king) = pieces.king(them) else {
            return Ok(None);
        };
        if let Some(from) = pieces
            .attackers(king, self.color, pieces.occupied())
            .first()
        {
            return Ok(Some(UciMove::new(from, king)));
        }
        let setup = self.board.setup();
        let position = Position::from_setup(setup, CastlingMode::Standard)
            .or_else(|error| error.ignore(Faults::PLAYABLE));
        let Ok(position) = position.map(AnyPosition::Standard) else {
            return Ok(None);
        };
        let best = self.engine.best(position, self.time, &self.interrupt)?;
        Ok(best.and_then(|text| text.parse().ok()))
    }
}

impl Thinker {
    /// The best move by UCI. An engine that fails is started again the next time.
    fn best(
        &mut self,
        position: AnyPosition,
        time: Duration,
        interrupt: &Receiver<()>,
    ) -> Result<Option<String>> {
        let limits = Limits {
            move_time: Some(time),
            ..Limits::default()
        };
        let best = match self {
            Thinker::Own(searcher) => {
                let root = Root::from(position);
                searcher
                    .search(root, limits, SearchOptions::default())
                    .0
                    .best
            }
            Thinker::Other(command, running) => {
                let start = || Engine::start_with(command, START_TIME, interrupt.clone());
                let mut engine = running.take().map_or_else(|| start().map(Box::new), Ok)?;
                engine.set_interrupt(interrupt.clone());
                match engine.play(&Game::new(position), &EngineRequest::new(limits)) {
                    Ok(played) => {
                        *running = Some(engine);
                        played.best
                    }
                    Err(error) => {
                        log::warn!("{error}");
                        None
                    }
                }
            }
        };
        Ok(best.map(|m| position.to_uci(m).to_string()))
    }
}

impl Player for TroutBot {
    fn seed(&mut self, random: Random) {
        self.random = random;
    }

    fn set_interrupt(&mut self, interrupt: Receiver<()>) {
        self.interrupt = interrupt;
    }

    fn game_start(&mut self, color: Color, board: &Board, _: &str) -> Result {
        self.color = color;
        self.board = board.clone();
        self.captured = None;
        match &mut self.engine {
            Thinker::Own(searcher) => searcher.clear(),
            Thinker::Other(_, None) => {}
            Thinker::Other(_, Some(engine)) => engine.new_game(None).map_err(Error::from)?,
        }
        Ok(())
    }

    fn opponent_move_result(&mut self, capture: Option<Square>) -> Result {
        self.captured = capture;
        if let Some(square) = capture {
            self.board.set_piece(square, None);
        }
        self.board = self.board.clone().with_turn(self.color);
        Ok(())
    }

    /// Senses where the opponent has captured, else where the bot is about to capture, else at
    /// random but not on its own pieces.
    fn choose_sense(&mut self, _: &[UciMove], _: f64) -> Result<Option<Square>> {
        if self.captured.is_some() {
            return Ok(self.captured);
        }
        let occupied = self.board.pieces().occupied();
        if let Some(m) = self.think()?.filter(|m| occupied.has(m.to)) {
            return Ok(Some(m.to));
        }
        let squares = !self.board.pieces().color(self.color);
        let nth = self.random.below(squares.count() as usize);
        Ok(squares.into_iter().nth(nth))
    }

    fn sense_result(&mut self, result: &SenseResult) -> Result {
        for &(square, piece) in result {
            self.board.set_piece(square, piece);
        }
        Ok(())
    }

    fn choose_move(&mut self, moves: &[UciMove], _: f64) -> Result<Option<UciMove>> {
        let m = self.think()?;
        // The last rank makes a queen of a pawn that takes a king there.
        let is_pawn = |m: &UciMove| self.board.pieces().role_at(m.from) == Some(Role::Pawn);
        Ok(m.filter(|m| moves.contains(m) || is_pawn(m)))
    }

    fn move_result(&mut self, result: MoveResult) -> Result {
        self.board.push(result.taken);
        Ok(())
    }

    fn game_end(&mut self, _: Option<Color>, _: Option<WinReason>, _: &GameHistory) -> Result {
        Ok(())
    }
}
