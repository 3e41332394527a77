//! A game on the terminal: waits for the user and the engine, and runs the user's commands.

mod input;
mod screen;
mod show;
mod tables;

use super::board::{Theme, View};
use super::commands;
use super::full::Full;
use super::lines::{LineAnswer, Lines, Request};
use super::opponent::{OpponentEngine, Reply};
use super::play::{EndReason, Ending, Play, SavedState};
use crate::options::OptionId;
use crate::session::{Command, Notice};
use clap::ValueEnum;
use common::error::Result;
use common::option_value::OptionValue;
use common::output::Output;
use common::signals::{self, Signal, Watch};
use common::window;
use crossbeam_channel::{Receiver, after, never, select};
use engine_core::Variant;
use engine_core::notation::move_number;
use engine_core::search::{self, BestMove, Info, Limits};
use std::path::PathBuf;
use std::time::Instant;
use tablebases::Tables;

/// A game, how it is shown, and where its moves come from.
pub(super) struct Repl {
    play: Play,
    view: View,
    front: Front,
    signals: Watch,
    purpose: Purpose,
    /// The last output of the search.
    info: Option<Info>,
    /// Whether a line has been requested that the user has not entered yet.
    is_waiting: bool,
    /// Another engine that plays in Mola's place.
    opponent: Option<OpponentEngine>,
    /// The file that every game is appended to.
    games: Option<PathBuf>,
    /// How the game had ended when it was last looked at.
    seen_ending: Option<Ending>,
    /// The game as it was last saved or loaded.
    saved: Option<SavedState>,
    /// Used by `tb`.
    tables: Tables,
    /// How often Ctrl-C was pressed since the last line, or since a search began or ended.
    interrupts: u32,
}

/// The user interface: line by line, or full screen.
pub(super) enum Front {
    Lines(LineMode),
    Full(Box<Full>),
}

/// Line by line, on a terminal or in a pipe.
pub(super) struct LineMode {
    pub(super) out: Output,
    pub(super) lines: Lines,
    /// Whether the output is a terminal: only then are there prompts and a status line.
    pub(super) shows: bool,
    /// Whether to write prompts here, because there is no line editor to do it.
    pub(super) prompts: bool,
}

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Idle,
    Move,
    /// Another engine, in Mola's place, searches for a move.
    Opponent,
    Hint,
    Analyze,
}

/// Whether to stay.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stay {
    Yes,
    No,
}

impl Repl {
    pub(super) fn new(
        play: Play,
        opponent: Option<OpponentEngine>,
        view: View,
        front: Front,
    ) -> Repl {
        Repl {
            play,
            opponent,
            tables: Tables::builtin(),
            games: None,
            seen_ending: None,
            saved: None,
            view,
            front,
            signals: signals::watch(),
            purpose: Purpose::Idle,
            info: None,
            is_waiting: false,
            interrupts: 0,
        }
    }

    /// Appends every game to this file.
    pub(super) fn set_games_file(&mut self, path: Option<PathBuf>) {
        self.games = path;
    }

    /// Saves the game in the file of all games, if there is one, a move has been made, and the file does not
    /// have all of the game yet.
    pub(super) fn save_game(&mut self) -> Result {
        if let Some(path) = &self.games
            && !self.has_all_saved()
            && !self.play.moves().is_empty()
        {
            self.play.save(path)?;
            self.saved = Some(self.play.saved_state());
        }
        Ok(())
    }

    fn has_all_saved(&self) -> bool {
        let saved = self.saved.as_ref();
        saved.is_some_and(|saved| self.play.is_within(saved))
    }

    /// Saves the game before another takes its place, of which the opponent is told.
    fn leave_game(&mut self) -> Result {
        self.save_and_report()?;
        if let Some(opponent) = &mut self.opponent {
            opponent.new_game();
        }
        self.seen_ending = None;
        self.saved = None;
        Ok(())
    }

    /// Saves the game; an error is only shown, because it must not end the session.
    fn save_and_report(&mut self) -> Result {
        match self.save_game() {
            Ok(()) => Ok(()),
            Err(error) => self.say_as_is(&format!("The game could not be saved: {error}")),
        }
    }

    /// Saves a game as soon as it has ended; and again if it is continued and ends anew.
    fn save_if_over(&mut self) -> Result {
        let ending = self.play.ending;
        if std::mem::replace(&mut self.seen_ending, ending) == ending {
            return Ok(());
        }
        if ending.is_some() {
            self.save_and_report()?;
        }
        Ok(())
    }

    /// Clears the screen and shows the board.
    fn clear_screen(&mut self) -> Result {
        match &mut self.front {
            Front::Lines(line_mode) if line_mode.shows => line_mode.out.part("\x1b[2J\x1b[H")?,
            Front::Lines(_) => {}
            Front::Full(full) => full.screen.clear(),
        }
        self.show_board()
    }

    /// Says a text in the characters of the theme.
    fn say(&mut self, text: &str) -> Result {
        let text = self.view.text(text).into_owned();
        self.say_as_is(&text)
    }

    /// Says a text in which another character would be wrong, such as one in the name of a file.
    fn say_as_is(&mut self, text: &str) -> Result {
        match &mut self.front {
            Front::Lines(line_mode) if line_mode.shows => {
                line_mode.out.line(window::wrap(text, window::size().0))?;
            }
            Front::Lines(line_mode) => line_mode.out.line(text)?,
            Front::Full(full) => full.screen.show_message(text),
        }
        Ok(())
    }

    /// Plays until the user leaves.
    pub(super) fn run(&mut self) -> Result {
        let events = self.play.session.events().clone();
        let (answers, screen_events) = match &self.front {
            Front::Lines(line_mode) => (line_mode.lines.answers.clone(), never()),
            Front::Full(full) => (never(), full.events()),
        };
        let signals = self.signals.clone();
        let replies = self
            .opponent
            .as_ref()
            .map_or_else(never, |opponent| opponent.replies.clone());
        self.say(&format!(
            "{}. `help` lists the commands.",
            common::ENGINE_NAME
        ))?;
        self.show_board()?;
        let mut stay = Stay::Yes;
        while stay == Stay::Yes {
            if self.purpose == Purpose::Idle && !self.is_waiting {
                if self.play.is_engine_due() {
                    self.start_engine_move()?;
                } else {
                    self.ask()?;
                }
            }
            self.draw()?;
            stay = select! {
                recv(screen_events) -> event => match event {
                    Ok(event) => self.handle_screen_event(&event?)?,
                    Err(_) => Stay::No,
                },
                recv(self.paste_due()) -> _ => self.enter_pasted()?,
                recv(self.clock_tick()) -> _ => Stay::Yes,
                recv(answers) -> answer => self.handle_answer(answer.unwrap_or(LineAnswer::End))?,
                recv(signals) -> signal => self.handle_signal(signal.unwrap_or(Signal::Terminate))?,
                recv(replies) -> reply => {
                    if let Ok(reply) = reply {
                        self.opponent_replied(reply)?;
                    }
                    Stay::Yes
                }
                recv(self.flag_fall()) -> _ => {
                    self.play.check_flag();
                    self.show_ending()?;
                    Stay::Yes
                }
                recv(events) -> event => {
                    if let Ok(event) = event {
                        let notices = self.play.session.handle(event);
                        self.show_notices(notices)?;
                    }
                    Stay::Yes
                }
            };
            self.save_if_over()?;
        }
        self.play.session.execute(Command::Stop);
        Ok(())
    }

    /// Asks the user for a line, and starts the clock of the side to move.
    fn ask(&mut self) -> Result {
        self.play.start_clock();
        self.is_waiting = true;
        let (prompt, words) = (self.prompt(), self.words());
        if let Front::Lines(line_mode) = &mut self.front {
            if line_mode.prompts {
                line_mode.out.part(&prompt)?;
            }
            line_mode.lines.ask(Request { prompt, words });
        }
        Ok(())
    }

    fn prompt(&self) -> String {
        match self.play.ending {
            Some(_) => "> ".to_owned(),
            None => move_number(self.play.position().fullmoves(), self.play.turn()) + " ",
        }
    }

    /// What Tab completes to.
    fn words(&self) -> Vec<String> {
        let names = commands::TABLE.iter().map(|line| line.1.to_owned());
        let themes = Theme::value_variants()
            .iter()
            .filter_map(Theme::to_possible_value);
        let themes = themes.map(|theme| format!("theme {}", theme.get_name()));
        let variants = Variant::all().map(|variant| format!("new {}", variant.uci()));
        let moves = self.play.legal_moves().into_iter();
        moves.chain(names).chain(themes).chain(variants).collect()
    }

    /// Fires when the user's flag falls.
    fn flag_fall(&self) -> Receiver<Instant> {
        let turn = self.play.turn();
        match &self.play.clocks {
            Some(clocks) if self.purpose == Purpose::Idle && self.play.ending.is_none() => {
                after(clocks.left(turn))
            }
            _ => never(),
        }
    }

    /// The purpose of the search that has ended. The Ctrl-C that may have stopped it is not the first
    /// of two that quit.
    fn end_search(&mut self) -> Purpose {
        self.interrupts = 0;
        std::mem::replace(&mut self.purpose, Purpose::Idle)
    }

    fn start_engine_move(&mut self) -> Result {
        let limits = self.play.limits();
        let Some(opponent) = &mut self.opponent else {
            return self.think(Purpose::Move, limits);
        };
        self.purpose = Purpose::Opponent;
        self.interrupts = 0;
        self.play.start_clock();
        opponent.ask(self.play.session.game(), limits);
        Ok(())
    }

    /// Handles a reply of the other engine, unless it is no longer expected.
    fn opponent_replied(&mut self, reply: Reply) -> Result {
        if self.end_search() != Purpose::Opponent {
            return Ok(());
        }
        if self.play.check_flag() {
            return self.show_ending();
        }
        let turn = self.play.turn();
        let name = self.play.name(turn);
        match reply {
            Reply::Move {
                best,
                opinion,
                offers_draw,
            } => {
                let text = self.play.position().variation_san(&[best]);
                self.play.play(best, None);
                self.show_board()?;
                let opinion = match opinion.as_str() {
                    "" => String::new(),
                    opinion => format!("  ({opinion})"),
                };
                self.say(&format!("{name} plays {text}{opinion}"))?;
                if offers_draw {
                    self.play.receive_draw_offer();
                    self.say(&format!("{name} offers a draw; `draw` accepts it."))?;
                }
            }
            Reply::Draw => {
                self.play.offer_draw();
            }
            Reply::Resign => self.play.lose(turn, EndReason::OfGame("resignation")),
            Reply::Fault(fault) => {
                self.play.engine = None;
                // It may name the program's file.
                self.say_as_is(&fault)?;
                self.say("You play both sides now; `go` asks the engine again.")?;
            }
        }
        self.show_ending()
    }

    fn think(&mut self, purpose: Purpose, limits: Limits) -> Result {
        self.purpose = purpose;
        self.info = None;
        self.interrupts = 0;
        if purpose == Purpose::Move {
            self.play.start_clock();
        }
        // Hints and analysis use full strength, whatever level Mola plays at.
        self.play.set(
            OptionId::AnalyseMode,
            OptionValue::Flag(purpose != Purpose::Move),
        );
        let notices = self.play.session.execute(Command::Go(limits));
        self.show_notices(notices)
    }

    fn handle_answer(&mut self, answer: LineAnswer) -> Result<Stay> {
        self.is_waiting = false;
        match answer {
            LineAnswer::Line(line) => {
                self.interrupts = 0;
                self.line(line.trim())
            }
            // A discarded line is the whole effect, unless there is a search to stop.
            LineAnswer::Discard if self.purpose == Purpose::Idle => {
                self.interrupts = 0;
                Ok(Stay::Yes)
            }
            LineAnswer::Interrupt | LineAnswer::Discard => self.handle_interrupt(),
            LineAnswer::End => self.leave(),
        }
    }

    /// Quits; on a terminal after a line feed, so that the shell's prompt starts a new line.
    fn leave(&mut self) -> Result<Stay> {
        if let Front::Lines(LineMode { shows: true, .. }) = self.front {
            self.say("")?;
        }
        Ok(Stay::No)
    }

    fn handle_signal(&mut self, signal: Signal) -> Result<Stay> {
        match signal {
            Signal::Interrupt => self.handle_interrupt(),
            Signal::Terminate | Signal::HangUp => self.leave(),
        }
    }

    /// Ctrl-C: stops the search, so that the engine moves now; twice in a row: quits.
    fn handle_interrupt(&mut self) -> Result<Stay> {
        self.interrupts += 1;
        if self.interrupts > 1 {
            return self.leave();
        }
        if self.purpose == Purpose::Idle {
            self.say("Press Ctrl-C again, or Ctrl-D, to leave.")?;
        } else if let (Purpose::Opponent, Some(opponent)) = (self.purpose, &self.opponent) {
            opponent.hurry();
        } else {
            self.stop_search()?;
        }
        Ok(Stay::Yes)
    }

    fn stop_search(&mut self) -> Result {
        let notices = self.play.session.execute(Command::Stop);
        self.show_notices(notices)
    }

    fn show_notices(&mut self, notices: Vec<Notice>) -> Result {
        notices
            .into_iter()
            .try_for_each(|notice| self.show_notice(notice))
    }

    fn show_notice(&mut self, notice: Notice) -> Result {
        match notice {
            Notice::Search(search::Event::Info(info)) => {
                if info.multipv == 1 && !info.pv.is_empty() {
                    self.show_thinking(&info)?;
                    self.info = Some(info);
                }
                Ok(())
            }
            Notice::Search(search::Event::CurrentMove { .. }) => Ok(()),
            Notice::Search(search::Event::BestMove(best)) => self.handle_best_move(&best),
            // A book move is shown when it is played.
            Notice::Message(_) if self.purpose == Purpose::Move => Ok(()),
            Notice::Message(text) => self.say(&text),
            // It may name a file.
            Notice::Failure(text) => self.say_as_is(&text),
        }
    }

    fn handle_best_move(&mut self, end: &BestMove) -> Result {
        self.clear_status()?;
        let purpose = self.end_search();
        let Some(best) = end.best else {
            // There is no move, so the game is over.
            return self.show_ending();
        };
        let text = self.play.position().variation_san(&[best]);
        let score = self.for_white(end.score);
        let depth = self.info.as_ref().map_or(0, |info| info.depth);
        match purpose {
            Purpose::Move => {
                if self.play.check_flag() {
                    return self.show_ending();
                }
                // A book move comes without a search, so without a score.
                let opinion = self.info.as_ref().map(|_| end.score);
                self.play.play(best, opinion);
                self.show_board()?;
                let why = match opinion {
                    Some(_) => format!("{score}, depth {depth}"),
                    None => "from the book".to_owned(),
                };
                self.say(&format!("Mola plays {text}  ({why})"))?;
                self.show_ending()
            }
            Purpose::Hint => self.say(&format!("Mola would play {text}  ({score} for White)")),
            Purpose::Analyze | Purpose::Opponent | Purpose::Idle => Ok(()),
        }
    }
}
