//! A game on the terminal: its players, moves, clocks and result.

use super::clock::{Clocks, TimeControl};
use super::pgn::{self, Headers, Loaded, Note};
use super::saved::Saved;
use crate::options::OptionId;
use crate::session::{Command, Session};
use ::pgn::Tree;
use common::ENGINE_NAME;
use common::error::Result;
use common::option_value::OptionValue;
use engine_core::search::{Limits, Score};
use engine_core::{
    AnyPosition, ByColor, Color, Game, Move, Outcome, Position, Role, Rules, Termination, Variant,
    dispatch,
};
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ending {
    pub(super) result: &'static str,
    pub(super) reason: EndReason,
}

/// Why a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EndReason {
    /// By what was played, or the players have agreed, in words.
    OfGame(&'static str),
    /// A side has run out of time.
    TimeForfeit,
    /// Of a loaded game the file tells nothing but the result.
    ResultOfFile,
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndReason::OfGame(words) => words,
            EndReason::TimeForfeit => TIME_FORFEIT,
            EndReason::ResultOfFile => "the result in the file",
        })
    }
}

impl Ending {
    /// Whether a loaded game has this end from its file alone, so that it can go on.
    pub(super) fn is_of_file(self) -> bool {
        self.reason == EndReason::ResultOfFile
    }
}

/// What the PGN says of a game beside its moves and result.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Terms {
    names: ByColor<String>,
    time_control: String,
}

/// All that a saved game depends on: two games with the same state need not both be saved.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct SavedState {
    /// The moves with their notes, also those that were taken back and can be made again.
    line: Vec<(Option<Move>, Note)>,
    ending: Option<Ending>,
    terms: Option<Terms>,
}

/// A game and its players.
pub(super) struct Play {
    pub(super) session: Session,
    /// The side that the engine plays, if any.
    pub(super) engine: Option<Color>,
    /// The name of another engine that plays in Mola's place.
    pub(super) opponent: Option<String>,
    pub(super) clocks: Option<Clocks>,
    pub(super) ending: Option<Ending>,
    /// The terms of a game that is over: settings for the next one do not change them.
    terms: Option<Terms>,
    /// The depth limit of the engine, if the user has set one.
    pub(super) depth: Option<u32>,
    /// The number of moves that were made before the clocks were set.
    untimed: usize,
    /// The moves that were taken back, with their notes; a loaded game may have null moves.
    undone: Vec<(Option<Move>, Note)>,
    /// One for each move.
    notes: Vec<Note>,
    /// What the file has of a game that was loaded.
    source: Option<Tree>,
    saved: Saved,
}

/// The engine's time for a move without clocks.
const MOVE_TIME: Duration = Duration::from_secs(2);

/// The PGN standard's term.
const TIME_FORFEIT: &str = "time forfeit";

/// The engine accepts no draw up to this move.
const DRAW_MOVE: u32 = 30;

impl Play {
    /// The start of a game in which the engine plays a side.
    pub(super) fn new(engine: Option<Color>) -> Play {
        Play {
            session: Session::default(),
            engine,
            opponent: None,
            clocks: None,
            ending: None,
            terms: None,
            depth: None,
            untimed: 0,
            undone: Vec::new(),
            notes: Vec::new(),
            source: None,
            saved: Saved::default(),
        }
    }

    pub(super) fn position(&self) -> &AnyPosition {
        self.session.game().position()
    }

    /// The moves so far; a loaded game may have null moves.
    pub(super) fn moves(&self) -> &[Option<Move>] {
        self.session.game().moves()
    }

    /// Every legal move in SAN.
    pub(super) fn legal_moves(&self) -> Vec<String> {
        let position = self.position();
        let moves = position.legal_moves().into_iter();
        moves.map(|m| position.to_san(m).to_string()).collect()
    }

    pub(super) fn turn(&self) -> Color {
        self.position().turn()
    }

    /// Whether the engine is to move.
    pub(super) fn is_engine_due(&self) -> bool {
        self.ending.is_none() && self.engine == Some(self.turn())
    }

    /// Starts a game from a position.
    pub(super) fn begin(&mut self, position: AnyPosition) {
        self.set_game(Game::new(position), Vec::new(), None);
        self.session.execute(Command::NewGame);
    }

    /// Replaces the game, with fresh clocks.
    fn set_game(&mut self, game: Game, notes: Vec<Note>, source: Option<Tree>) {
        self.session.execute(Command::Game(Box::new(game)));
        self.undone.clear();
        self.notes = notes;
        self.source = source;
        self.saved = Saved::default();
        self.check_for_end();
        let control = self.clocks.as_ref().map(|clocks| clocks.control);
        self.set_clocks(control);
    }

    /// Resumes a game of a file.
    pub(super) fn resume(&mut self, loaded: Loaded) {
        self.set_game(loaded.game, loaded.notes, Some(loaded.source));
    }

    /// What a game that is saved now depends on.
    pub(super) fn saved_state(&self) -> SavedState {
        let made = self.session.game().moves().iter().copied();
        let made = made.zip(self.notes.iter().copied());
        SavedState {
            line: made.chain(self.undone.iter().rev().copied()).collect(),
            ending: self.ending,
            terms: self.terms.clone(),
        }
    }

    /// Whether a game that was saved in this state has all of the present one: moves that were taken
    /// back count until another is made in their place, or the players end the game without them.
    pub(super) fn is_within(&self, saved: &SavedState) -> bool {
        let now = self.saved_state();
        let is_open = !self.undone.is_empty() && !self.has_players_end();
        now == *saved || (is_open && now.line == saved.line)
    }

    /// Whether the players have ended the game, not its moves or its file.
    fn has_players_end(&self) -> bool {
        self.ending.is_some() && self.ending != self.ending_now()
    }

    /// Writes the game to a file, in place of its earlier version, if there is one.
    pub(super) fn save(&mut self, path: &Path) -> Result {
        // A blank line ends a game.
        let text = self.pgn() + "\n";
        self.saved.store(path, &text, self.session.game().moves())
    }

    /// Writes the game to a file that the user names: a version with moves that were taken back since
    /// stays, as the user has asked for it.
    pub(super) fn save_also(&mut self, path: &Path) -> Result {
        self.saved.keep_others(path, self.session.game().moves());
        self.save(path)
    }

    /// Starts the clock of the side to move, unless the game is over.
    pub(super) fn start_clock(&mut self) {
        let turn = self.turn();
        if let (None, Some(clocks)) = (self.ending, &mut self.clocks) {
            clocks.start(turn);
        }
    }

    /// Fresh clocks, or none.
    pub(super) fn set_clocks(&mut self, control: Option<TimeControl>) {
        self.clocks = control.map(Clocks::new);
        self.untimed = self.session.game().moves().len();
    }

    /// Sets the clocks to the times that were left in this position.
    fn restore_clocks(&mut self) {
        let Some(clocks) = &mut self.clocks else {
            return;
        };
        *clocks = Clocks::new(clocks.control);
        let moves = self.session.game().plies().zip(&self.notes);
        for ((position, _), note) in moves.skip(self.untimed) {
            if let Some(left) = note.clock {
                clocks.set(position.turn(), left);
            }
        }
    }

    pub(super) fn level(&self) -> u64 {
        self.session.options().number(OptionId::SkillLevel)
    }

    pub(super) fn set(&mut self, id: OptionId, value: OptionValue) {
        self.session.execute(Command::Set(id, value));
    }

    /// The limits of the engine's next move.
    pub(super) fn limits(&self) -> Limits {
        let mut limits = Limits {
            depth: self.depth,
            ..Limits::default()
        };
        match &self.clocks {
            Some(clocks) => limits.clocks = clocks.for_search(),
            None if self.depth.is_none() => limits.move_time = Some(MOVE_TIME),
            None => {}
        }
        limits
    }

    /// Makes a move, with the engine's score if it has one.
    pub(super) fn play(&mut self, m: Move, score: Option<Score>) {
        // Playing the move that was taken back keeps the rest for `redo`.
        let undone = self.undone.pop();
        if undone.is_none_or(|(undone, _)| undone != Some(m)) {
            self.undone.clear();
        }
        // It may take the place of one from before the clocks were set.
        self.untimed = self.untimed.min(self.notes.len());
        let turn = self.turn();
        let clock = self.clocks.as_mut().map(|clocks| {
            clocks.press(turn);
            clocks.left(turn)
        });
        let eval = score.map(|score| pgn::eval(score, turn));
        let note = Note {
            eval,
            clock,
            ..Note::default()
        };
        self.make(Some(m), note);
    }

    fn make(&mut self, m: Option<Move>, note: Note) {
        self.notes.push(note);
        self.session.execute(m.map_or(Command::Pass, Command::Play));
        self.check_for_end();
    }

    /// Takes back moves until the user is to move again; false if there are none.
    pub(super) fn undo(&mut self) -> bool {
        let plies = self.plies_to_user();
        let moves = self.session.game().moves();
        let Some(left) = moves.len().checked_sub(plies) else {
            return false;
        };
        let undone = moves.iter().rev().zip(self.notes.iter().rev()).take(plies);
        self.undone.extend(undone.map(|(&m, &note)| (m, note)));
        self.notes.truncate(left);
        self.session.execute(Command::Undo(plies));
        self.reopen();
        self.restore_clocks();
        true
    }

    /// Makes as many moves again as `undo` takes back; false if there are none.
    pub(super) fn redo(&mut self) -> bool {
        if self.undone.is_empty() {
            return false;
        }
        for _ in 0..self.plies_to_user() {
            if let Some((m, note)) = self.undone.pop() {
                self.make(m, note);
            }
        }
        self.restore_clocks();
        true
    }

    /// How many plies `undo` and `redo` step: against an engine, its move and the user's.
    fn plies_to_user(&self) -> usize {
        match self.engine {
            Some(color) if color != self.turn() => 2,
            _ => 1,
        }
    }

    /// Ends the game if the rules end it, a draw could be claimed, or the file of a loaded game has
    /// its result.
    fn check_for_end(&mut self) {
        match self.ending_now() {
            Some(ending) => self.end(ending),
            None => self.reopen(),
        }
    }

    /// How the game ends with its last move, if it does.
    fn ending_now(&self) -> Option<Ending> {
        let game = self.session.game();
        let outcome = game.outcome(false);
        match outcome.or_else(|| game.claimable_draw().map(Outcome::draw)) {
            Some(outcome) => Some(Ending {
                result: outcome.result(),
                reason: EndReason::OfGame(reason(game, outcome.termination)),
            }),
            None => self.ending_of_file(),
        }
    }

    /// What the file has of a loaded game, as long as the game has all of its moves and no others.
    fn source_of_moves(&self) -> Option<&Tree> {
        self.source.as_ref().filter(|source| {
            let moves = source.line_to(source.end(source.root()));
            moves == self.session.game().moves()
        })
    }

    /// The result that the file has for a loaded game.
    fn ending_of_file(&self) -> Option<Ending> {
        let result = self.source_of_moves()?.known_result();
        let result = ["1-0", "0-1", "1/2-1/2"]
            .into_iter()
            .find(|known| *known == result)?;
        Some(Ending {
            result,
            reason: EndReason::ResultOfFile,
        })
    }

    /// Whether the game is over and cannot go on.
    pub(super) fn is_over(&self) -> bool {
        self.ending.is_some_and(|ending| !ending.is_of_file())
    }

    /// Goes on with a loaded game that has its result from the file alone.
    pub(super) fn go_on(&mut self) {
        if self.ending.is_some_and(Ending::is_of_file) {
            self.reopen();
        }
    }

    /// The game is not over, or no longer.
    fn reopen(&mut self) {
        self.ending = None;
        self.terms = None;
    }

    fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.terms = Some(self.terms_now());
        if let Some(clocks) = &mut self.clocks {
            clocks.stop();
        }
    }

    /// Ends the game with a loss for this side.
    pub(super) fn lose(&mut self, loser: Color, reason: EndReason) {
        let result = match loser {
            Color::White => "0-1",
            Color::Black => "1-0",
        };
        self.end(Ending { result, reason });
    }

    /// Whether the flag of the side to move has fallen, which then loses, or draws if the opponent cannot win by any
    /// moves (FIDE Laws of Chess, 6.9).
    pub(super) fn check_flag(&mut self) -> bool {
        let turn = self.turn();
        let has_fallen = self
            .clocks
            .as_ref()
            .is_some_and(|clocks| clocks.has_fallen(turn));
        if has_fallen && self.ending.is_none() {
            let can_win = dispatch!(self.position(), |position| can_win(position, !turn));
            if can_win {
                self.lose(turn, EndReason::TimeForfeit);
            } else {
                self.end(Ending {
                    result: "1/2-1/2",
                    reason: EndReason::TimeForfeit,
                });
            }
        }
        has_fallen
    }

    /// Notes that the opponent offers a draw with its last move.
    pub(super) fn receive_draw_offer(&mut self) {
        if let Some(note) = self.notes.last_mut() {
            note.offers_draw = true;
        }
    }

    /// Offers a draw, or accepts one. The engine accepts late in the game unless the last evaluation
    /// favours it; a draw that can be claimed needs no consent.
    pub(super) fn offer_draw(&mut self) -> bool {
        let game = self.session.game();
        let reason = match game.outcome(true) {
            Some(outcome) => reason(game, outcome.termination),
            None => "agreement",
        };
        let fullmoves = self.position().fullmoves();
        let last_eval = self.notes.iter().rev().find_map(|note| note.eval);
        let is_offered = self.notes.last().is_some_and(|note| note.offers_draw);
        let agrees = is_offered
            || self.engine.is_none_or(|engine| {
                let is_content = last_eval.is_some_and(|eval| !pgn::favours(eval, engine));
                fullmoves > DRAW_MOVE && is_content
            });
        let is_drawn = reason != "agreement" || agrees;
        if is_drawn {
            self.end(Ending {
                result: "1/2-1/2",
                reason: EndReason::OfGame(reason),
            });
        }
        is_drawn
    }

    /// The roles that a side has captured.
    pub(super) fn captured_by(&self, color: Color) -> Vec<Role> {
        let mut roles: Vec<Role> = self
            .session
            .game()
            .plies()
            .filter_map(|(position, m)| position.captured(m?).filter(|_| position.turn() == color))
            .collect();
        roles.sort_by(|a, b| b.cmp(a));
        roles
    }

    /// What messages call the engine.
    pub(super) fn engine_name(&self) -> &str {
        self.opponent.as_deref().unwrap_or("Mola")
    }

    fn terms_now(&self) -> Terms {
        Terms {
            names: ByColor(Color::ALL.map(|color| self.name_now(color))),
            time_control: pgn::time_control(self.clocks.as_ref()),
        }
    }

    /// The name of the player of a side.
    pub(super) fn name(&self, color: Color) -> String {
        match &self.terms {
            Some(terms) => terms.names[color].clone(),
            None => self.name_now(color),
        }
    }

    /// The name by the present settings.
    fn name_now(&self, color: Color) -> String {
        let tag = self
            .source
            .as_ref()
            .and_then(|source| source.headers.get(&color.to_string()));
        if let Some(name) = tag {
            return name.into_owned();
        }
        match self.engine {
            Some(engine) if engine == color => {
                match (&self.opponent, self.session.strength().rating()) {
                    (Some(name), _) => name.clone(),
                    (None, None) => ENGINE_NAME.to_owned(),
                    (None, Some(_)) if !self.session.options().flag(OptionId::LimitStrength) => {
                        format!("{ENGINE_NAME} level {}", self.level())
                    }
                    (None, Some(rating)) => format!("{ENGINE_NAME} at {rating}"),
                }
            }
            _ => "You".to_owned(),
        }
    }

    /// The game as PGN.
    pub(super) fn pgn(&self) -> String {
        self.pgn_with(str::to_owned)
    }

    /// The game as PGN, with Mola's own names of openings as `show` turns them.
    pub(super) fn pgn_with(&self, show: impl Fn(&str) -> String) -> String {
        if let Some(source) = self.unchanged_source() {
            return pgn::write_unchanged(source);
        }
        let (game, source) = (self.session.game(), self.source.as_ref());
        pgn::write(game, &self.notes, &self.headers(), source, show)
    }

    /// What the file has of a loaded game that has not been changed, nor ended by the players.
    fn unchanged_source(&self) -> Option<&Tree> {
        self.source_of_moves().filter(|_| !self.has_players_end())
    }

    /// What the file has of a loaded game and [`pgn`](Play::pgn) has not, because the game was
    /// changed.
    pub(super) fn left_out(&self) -> Vec<String> {
        match (&self.source, self.unchanged_source()) {
            (Some(source), None) => pgn::left_out(source, self.session.game(), &self.headers()),
            _ => Vec::new(),
        }
    }

    fn headers(&self) -> Headers {
        let terms = self.terms.clone().unwrap_or_else(|| self.terms_now());
        let ByColor([white, black]) = terms.names;
        Headers {
            white,
            black,
            result: self.ending.map_or("*", |ending| ending.result),
            termination: match self.ending {
                Some(ending) if ending.reason == EndReason::TimeForfeit => TIME_FORFEIT,
                Some(_) => "normal",
                None => "unterminated",
            },
            time_control: terms.time_control,
        }
    }
}

fn reason(game: &Game, termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate => "checkmate",
        Termination::Stalemate => "stalemate",
        Termination::InsufficientMaterial => "insufficient material",
        Termination::SeventyFiveMoves | Termination::FiftyMoves => {
            "fifty moves without capture or pawn move"
        }
        Termination::FivefoldRepetition | Termination::ThreefoldRepetition => {
            "threefold repetition"
        }
        Termination::VariantWin | Termination::VariantLoss | Termination::VariantDraw => {
            match game.position().variant() {
                Variant::Atomic => "the king exploded",
                Variant::KingOfTheHill => "the king is on the hill",
                Variant::RacingKings => "the race is over",
                Variant::ThreeCheck => "the third check",
                Variant::Horde => "the horde is captured",
                Variant::Suicide | Variant::Giveaway | Variant::Antichess => {
                    "no pieces or no moves left"
                }
                Variant::Standard | Variant::Crazyhouse => "the rules of the variant",
            }
        }
    }
}

/// Whether a side has enough material to win.
fn can_win<R: Rules>(position: &Position<R>, color: Color) -> bool {
    !R::has_insufficient_material(position, color)
}
