//! The Chess Engine Communication Protocol of XBoard, version 2.

mod edit;
mod features;
mod game_clock;
mod output;
mod resign_draw;
mod search;
mod search_state;
mod set_position;
mod settings;

use super::front_end::{Flow, FrontEnd, Inbox};
use crate::options::OptionId;
use crate::session::{Command, Notice, Session};
use common::arguments::rules;
use common::error::Result;
use common::input::{shorten, split_word};
use common::option_value::OptionValue;
use common::output::Output;
use common::signals;
use crossbeam_channel::Receiver;
use edit::Editor;
use engine_core::notation::MoveError;
use engine_core::{AnyPosition, Color, Game, Move, Variant};
use game_clock::GameClock;
use resign_draw::ResignDrawPolicy;
use search_state::SearchState;
use std::time::Instant;

/// XBoard between a GUI and the session.
pub(crate) struct XBoard {
    session: Session,
    out: Output,
    /// The side that the engine plays; none in force mode.
    side: Option<Color>,
    clock: GameClock,
    search_state: SearchState,
    /// Root moves excluded from analysis.
    excluded: Vec<Move>,
    /// Whether the GUI has set up an illegal position, from which nothing can be played.
    has_illegal_position: bool,
    editor: Option<Editor>,
    /// Pings to answer once the engine has moved or given a hint.
    pings: Vec<String>,
    /// Whether the GUI accepts comment lines (`#`).
    accepts_comments: bool,
    /// Whether to send `setup` with the start position of variants that xboard does not know.
    takes_setup: bool,
    /// Whether the GUI reads the long form of thinking output; `None` until its answers show that.
    reads_long_lines: Option<bool>,
    resign_draw: ResignDrawPolicy,
}

impl XBoard {
    /// XBoard on this output. From now on the signal for an interrupt is ignored: GUIs send it
    /// before commands.
    pub(crate) fn new(out: Output) -> XBoard {
        signals::ignore_interrupt();
        XBoard {
            session: Session::default(),
            out,
            side: Some(Color::Black),
            clock: GameClock::default(),
            search_state: SearchState::default(),
            excluded: Vec::new(),
            has_illegal_position: false,
            editor: None,
            pings: Vec::new(),
            accepts_comments: false,
            takes_setup: true,
            reads_long_lines: None,
            resign_draw: ResignDrawPolicy::default(),
        }
    }

    fn say(&mut self, text: &str) -> Result {
        Ok(self.out.line(text)?)
    }

    fn position(&self) -> &AnyPosition {
        self.session.game().position()
    }

    fn turn(&self) -> Color {
        self.position().turn()
    }

    fn fullmoves(&self) -> u32 {
        self.position().fullmoves()
    }

    /// The number of the ply by the move number, from 2 on; only differences matter.
    fn ply(&self) -> u64 {
        2 * u64::from(self.fullmoves()) + u64::from(self.turn() == Color::Black)
    }

    fn run(&mut self, command: Command) -> Result {
        for event in self.session.execute(command) {
            self.event(event)?;
        }
        Ok(())
    }

    /// Runs a command by its first word; `None` when the protocol has no such command.
    fn command(&mut self, word: &str, rest: &str) -> Result<Option<Flow>> {
        let rest = rest.trim();
        if word == "quit" {
            return Ok(Some(Flow::Quit));
        }
        let is_known = self.handshake(word, rest)?
            || self.game_command(word, rest)?
            || self.search_command(word, rest)?
            || self.setting(word, rest)?;
        Ok(is_known.then_some(Flow::GoOn))
    }

    /// Commands by which GUI and engine introduce themselves; false when the word is another one.
    fn handshake(&mut self, word: &str, rest: &str) -> Result<bool> {
        match (word, rest) {
            // Answered at once, so that the GUI waits for the features.
            ("xboard", _) => self.say("feature done=0")?,
            ("protover", _) => {
                for line in features::lines() {
                    self.say(&line)?;
                }
            }
            ("accepted" | "rejected", "debug") => self.accepts_comments = word == "accepted",
            // Only GUIs with this new feature support the long form of thinking output.
            ("accepted" | "rejected", "exclude") => {
                self.reads_long_lines = Some(word == "accepted");
            }
            // xboard and cutechess accept features in the order sent: `exclude` has been answered before `egt`.
            // python-chess accepts only some, warns of unknown lines, and reads the
            // long form.
            ("accepted", "egt") => {
                self.takes_setup = false;
                self.reads_long_lines.get_or_insert(true);
            }
            ("accepted", "variants") => self.takes_setup = true,
            ("name", _) => self.run(Command::Set(
                OptionId::Opponent,
                OptionValue::Text(rest.into()),
            ))?,
            ("rating", _) => self.set_rating(rest)?,
            // Commands without answer or effect here.
            (
                "accepted" | "rejected" | "random" | "computer" | "ics" | "hover" | "lift" | "put"
                | "setscore",
                _,
            ) => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Commands that change the game; false when the word is another one.
    fn game_command(&mut self, word: &str, rest: &str) -> Result<bool> {
        match word {
            "new" => self.new_game()?,
            "variant" => self.variant(rest)?,
            "force" | "result" => self.play_side(None)?,
            "go" => self.play_turn(true)?,
            "playother" => self.play_turn(false)?,
            "white" => self.give_move(Color::White)?,
            "black" => self.give_move(Color::Black)?,
            "level" | "st" | "sd" | "nps" | "time" | "otim" => self.time_control(word, rest)?,
            "usermove" => self.user_move(rest)?,
            "draw" => self.consider_draw()?,
            "setboard" => self.set_board(rest)?,
            "edit" => {
                self.halt()?;
                self.editor = Some(Editor::new(self.position().to_setup()));
            }
            "undo" => self.take_back(1)?,
            "remove" => self.take_back(2)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Commands for the search; false when the word is another one.
    fn search_command(&mut self, word: &str, rest: &str) -> Result<bool> {
        match word {
            "?" => self.move_now()?,
            "ping" if self.search_state.owes_answer() => self.pings.push(rest.to_owned()),
            "ping" => self.say(&format!("pong {rest}"))?,
            "hint" => self.hint()?,
            "bk" => self.send_book_moves()?,
            "hard" => self.set_pondering(true)?,
            "easy" => self.set_pondering(false)?,
            "post" | "nopost" => self.search_state.post(word == "post"),
            "analyze" => self.set_analyzing(true)?,
            "exit" => self.set_analyzing(false)?,
            "." => self.search_state.ask_report(),
            "exclude" | "include" => self.exclude(rest, word == "exclude")?,
            "pause" | "resume" => self.pause(word == "pause")?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Starts a game from a position.
    fn set_game(&mut self, position: AnyPosition) -> Result {
        self.halt()?;
        self.run(Command::Game(Box::new(Game::new(position))))?;
        self.has_illegal_position = false;
        self.forget_position();
        Ok(())
    }

    /// Drops what was noted about a position that another has replaced: scores of the moves to it,
    /// excluded moves and the hint.
    fn forget_position(&mut self) {
        self.resign_draw = ResignDrawPolicy::default();
        self.excluded.clear();
        self.search_state.hint = None;
    }

    fn new_game(&mut self) -> Result {
        self.set_game(AnyPosition::start(Variant::default()))?;
        self.run(Command::NewGame)?;
        // Before a clock runs.
        self.run(Command::Prepare)?;
        // Analysis goes on, and the engine plays no side in it.
        self.side = (!self.search_state.is_analyzing()).then_some(Color::Black);
        self.clock.restart(self.ply());
        self.search_state.is_paused = false;
        self.proceed()
    }

    fn variant(&mut self, name: &str) -> Result {
        match rules(name) {
            Ok((variant, mode)) => {
                self.set_game(AnyPosition::start(variant).with_mode(mode))?;
                if self.takes_setup
                    && let Some(line) = features::setup(variant)
                {
                    self.say(&line)?;
                }
                self.proceed()
            }
            Err(_) => self.say(&format!("Error (unsupported variant): {}", shorten(name))),
        }
    }

    /// The engine plays this side from now on, or none.
    fn play_side(&mut self, side: Option<Color>) -> Result {
        self.halt()?;
        self.side = side;
        self.search_state.set_analyzing(false);
        self.proceed()
    }

    /// The engine plays the side to move from now on, or the other.
    fn play_turn(&mut self, own: bool) -> Result {
        // Before this, the position may be the one pondered on.
        self.halt()?;
        let turn = self.turn();
        self.play_side(Some(if own { turn } else { !turn }))
    }

    fn time_control(&mut self, word: &str, rest: &str) -> Result {
        let ply = self.ply();
        let understood = match word {
            "level" => self.clock.level(rest, ply),
            "st" => self.clock.per_move(rest),
            "sd" => self.clock.depth(rest),
            "nps" => self.clock.set_nps(rest),
            _ => self.clock.set_remaining(rest, word == "time"),
        };
        match understood {
            Some(()) => Ok(()),
            None => self.say(&format!("Error (bad value): {word} {}", shorten(rest))),
        }
    }

    fn user_move(&mut self, text: &str) -> Result {
        if self.has_illegal_position {
            return self.say(&format!("Illegal move: {}", shorten(text)));
        }
        if self.search_state.owes_move() {
            let text = shorten(text);
            return self.say(&format!("Illegal move (not your turn): {text}"));
        }
        match self.read_move(text) {
            Ok(m) => self.opponent_moved(m),
            Err(MoveError::Null) if self.may_pass() => self.pass(),
            Err(error) => self.say(&format!("Illegal move ({error}): {}", shorten(text))),
        }
    }

    /// Whether a null move is allowed: in force mode and analysis, and never in check.
    fn may_pass(&self) -> bool {
        self.side.is_none() && !self.position().in_check()
    }

    fn pass(&mut self) -> Result {
        self.halt()?;
        self.run(Command::Pass)?;
        self.excluded.clear();
        self.search_state.hint = None;
        self.proceed()
    }

    /// The position as the GUI knows it, without the move pondered on.
    fn position_before_ponder_move(&self) -> &AnyPosition {
        let before = self
            .search_state
            .ponder_move()
            .and_then(|_| self.session.game().plies().last());
        before.map_or(self.position(), |(position, _)| position)
    }

    /// Reads a move of the game.
    fn read_move(&self, text: &str) -> std::result::Result<Move, MoveError> {
        let position = self.position_before_ponder_move();
        if text == "@@@@" {
            return Err(MoveError::Null);
        }
        position.parse_uci(text).or_else(|error| match error {
            MoveError::Syntax => position.parse_san(text),
            error => Err(error),
        })
    }

    fn take_back(&mut self, plies: usize) -> Result {
        self.halt()?;
        self.run(Command::Undo(plies))?;
        self.forget_position();
        // After `remove` the user is to move; after `undo` the engine plays no side.
        if self.search_state.is_analyzing() {
            self.proceed()?;
        }
        Ok(())
    }

    fn consider_draw(&mut self) -> Result {
        // In force mode the engine may be about to play the side to move.
        let side = self.side.unwrap_or_else(|| self.turn());
        let fullmoves = self.position_before_ponder_move().fullmoves();
        if self.resign_draw.accepts_draw(side, fullmoves) {
            self.say("offer draw")?;
        }
        Ok(())
    }

    fn exclude(&mut self, text: &str, out: bool) -> Result {
        let legal = self.position().legal_moves();
        let named: Vec<Move> = match text {
            "all" => legal.to_vec(),
            text => self.read_move(text).into_iter().collect(),
        };
        if named.is_empty() {
            return self.say(&format!("Error (not a legal move): {}", shorten(text)));
        }
        self.excluded.retain(|m| !named.contains(m));
        if out {
            self.excluded.extend(named);
        }
        self.restart_analysis()
    }
}

impl FrontEnd for XBoard {
    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn line(&mut self, text: &str, _: &mut Inbox) -> Result<Flow> {
        let (word, rest) = split_word(text);
        // `quit` and `ping` are obeyed even in `edit` mode: they are no squares.
        if self.editor.is_some() && !matches!(word, "quit" | "ping") {
            self.edit(text)?;
            return Ok(Flow::GoOn);
        }
        if word.is_empty() {
            return Ok(Flow::GoOn);
        }
        if let Some(flow) = self.command(word, rest)? {
            return Ok(flow);
        }
        // A bare move, from GUIs without `usermove`.
        match self.read_move(word) {
            Err(MoveError::Syntax) => {
                self.say(&format!(
                    "Error (unknown command): {}",
                    shorten(text.trim())
                ))?;
            }
            _ => self.user_move(word)?,
        }
        Ok(Flow::GoOn)
    }

    fn event(&mut self, event: Notice) -> Result {
        match event {
            Notice::Search(event) => self.search_event(event),
            Notice::Message(text) | Notice::Failure(text) => self.message(&text),
        }
    }

    fn message(&mut self, text: &str) -> Result {
        if self.accepts_comments {
            self.say(&format!("# {text}"))?;
        }
        Ok(())
    }

    fn timer(&self) -> Receiver<Instant> {
        self.search_state.report.clone()
    }

    fn on_timer(&mut self) -> Result {
        self.report()
    }

    /// A move that is owed is made first: a script may wait for it.
    fn end(&mut self) -> Result {
        self.move_now()?;
        self.halt()
    }
}
