//! Moves and commands that the user types.

use super::tables::verdict;
use super::{Front, Purpose, Repl, Stay};
use crate::options::{MAX_DEPTH, OptionId, Spec};
use crate::session::endgame_tables::summary;
use crate::session::opening_book;
use crate::strength;
use crate::terminal::board::Theme;
use crate::terminal::clock;
use crate::terminal::commands::{self, Keyword, NoKeyword};
use crate::terminal::file_name::unquoted;
use crate::terminal::play::{EndReason, Ending};
use crate::terminal::{chess960, full, illegal, movetext, pgn};
use ::pgn::command::unpack;
use clap::ValueEnum;
use common::arguments::{fen, rules};
use common::count::count;
use common::error::Result;
use common::error_text::plain;
use common::input::{shorten, split_word};
use common::option_value::OptionValue;
use common::window;
use engine_core::search::Limits;
use engine_core::{AnyPosition, CastlingMode, Move, Variant};
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::time::Duration;
use tablebases::Tables;

const FILE_EXPECTED: &str = "A file is expected.";

/// How long a hint may take.
const HINT_TIME: Duration = Duration::from_secs(1);

/// How long `analyze` takes without a number.
const ANALYSIS_SECONDS: f64 = 5.0;

/// The longest `analyze`, in seconds: a day.
const MAX_ANALYSIS_SECONDS: f64 = 86_400.0;

impl Repl {
    /// A command, a move, several moves, or the beginning of a command.
    pub(super) fn line(&mut self, text: &str) -> Result<Stay> {
        if text.is_empty() {
            return Ok(Stay::Yes);
        }
        let (name, rest) = split_word(text.strip_prefix('/').unwrap_or(text));
        let rest = rest.trim();
        if let Some(word) = commands::exact(name) {
            return self.command(word, rest);
        }
        let error = match self.play.position().parse_human(text) {
            Ok(m) => return self.user_moves(&[m]).map(|()| Stay::Yes),
            Err(error) => error,
        };
        if let Some(line) = movetext::read(self.play.position(), text) {
            match line {
                Ok(moves) => self.user_moves(&moves)?,
                Err(_) if self.play.is_over() => self.refuse_moves()?,
                Err(fault) => self.say(&fault)?,
            }
            return Ok(Stay::Yes);
        }
        match commands::by_prefix(name) {
            Ok(word) => self.command(word, rest),
            Err(NoKeyword::Ambiguous(names)) => {
                self.say(&format!("{} is ambiguous: {names}.", shorten(name)))?;
                Ok(Stay::Yes)
            }
            Err(NoKeyword::Unknown) if self.play.is_over() => {
                self.refuse_moves()?;
                Ok(Stay::Yes)
            }
            Err(NoKeyword::Unknown) => {
                let reason = illegal::reason(self.play.position(), text, &error);
                self.say(&format!("{}: {reason}", shorten(text)))?;
                Ok(Stay::Yes)
            }
        }
    }

    /// Plays a move of the user, or several for both sides.
    pub(super) fn user_moves(&mut self, moves: &[Move]) -> Result {
        self.play.go_on();
        if self.play.ending.is_some() || self.play.check_flag() {
            return self.refuse_moves();
        }
        let mut left = moves.iter();
        while !self.play.is_over()
            && let Some(&m) = left.next()
        {
            // On the way the game may meet the end that its file has.
            self.play.go_on();
            self.play.play(m, None);
        }
        // The engine's clock runs from here on, also while the board is drawn.
        self.play.start_clock();
        self.show_board()?;
        self.show_ending()?;
        match left.len() {
            0 => Ok(()),
            more => self.say(&format!("Left out: {} after the end.", count(more, "move"))),
        }
    }

    pub(super) fn refuse_moves(&mut self) -> Result {
        self.show_ending()?;
        self.say(if self.play.moves().is_empty() {
            "The game is over: `new` starts another."
        } else {
            "The game is over: `undo` takes back a move, `new` starts another game."
        })
    }

    pub(super) fn command(&mut self, word: Keyword, rest: &str) -> Result<Stay> {
        if let Some(name) = commands::without_arguments(word).filter(|_| !rest.is_empty()) {
            self.say(&format!("`{name}` takes no arguments."))?;
            return Ok(Stay::Yes);
        }
        match word {
            Keyword::Quit => return Ok(Stay::No),
            Keyword::Clear => self.clear_screen()?,
            Keyword::Help => self.help()?,
            Keyword::Board => self.show_board()?,
            Keyword::Analyze => self.analyze(rest)?,
            Keyword::Hint => self.hint()?,
            Keyword::Eval => self.show_evaluation()?,
            Keyword::Moves => self.show_moves(rest)?,
            Keyword::Book => self.book(unquoted(rest))?,
            Keyword::Tb => self.tables(unquoted(rest))?,
            Keyword::History => self.show_history()?,
            Keyword::Clock => self.show_clocks()?,
            Keyword::Pgn => self.show_pgn()?,
            Keyword::Fen if rest.is_empty() => {
                let fen = self.play.position().fen();
                self.say(&fen)?;
            }
            Keyword::Fen | Keyword::Setup => self.set_up(rest)?,
            Keyword::New => self.new_game(rest)?,
            Keyword::Go if self.play.is_over() => self.refuse_moves()?,
            Keyword::Go => {
                self.play.go_on();
                self.play.engine = Some(self.play.turn());
            }
            Keyword::Undo | Keyword::Takeback => {
                let done = self.play.undo();
                self.step(done, "There is no move to take back.")?;
            }
            Keyword::Redo => {
                let done = self.play.redo();
                self.step(done, "There is no move to redo.")?;
            }
            Keyword::Flip => {
                self.view.bottom = !self.view.bottom;
                self.show_board()?;
            }
            Keyword::Theme => self.set_theme(rest)?,
            Keyword::Level | Keyword::Elo if self.opponent.is_some() => {
                self.say("Another engine plays: its strength is one of its options.")?;
            }
            Keyword::Level => self.set_level(rest)?,
            Keyword::Elo => self.set_elo(rest)?,
            Keyword::Depth => self.set_depth(rest)?,
            Keyword::Time => self.set_time(rest)?,
            Keyword::Draw => self.offer_draw()?,
            Keyword::Resign => self.resign()?,
            Keyword::Save => self.save_as(rest)?,
            Keyword::Load => self.load(rest)?,
        }
        Ok(Stay::Yes)
    }

    /// On a terminal that has only ASCII, in those characters; a program or a file gets the game as it is.
    fn show_pgn(&mut self) -> Result {
        let text = self.play.pgn_with(|name| self.view.text(name).into_owned());
        if stdout().is_terminal() {
            self.say(text.trim_end())
        } else {
            self.say_as_is(text.trim_end())
        }
    }

    fn help(&mut self) -> Result {
        let help = commands::help(window::size().0);
        match self.front {
            Front::Lines(_) => self.say(&help),
            Front::Full(_) => self.say(&format!("{}\n\n{help}", full::KEYS)),
        }
    }

    pub(super) fn step(&mut self, done: bool, otherwise: &str) -> Result {
        if !done {
            return self.say(otherwise);
        }
        self.show_board()?;
        self.show_ending()
    }

    pub(super) fn analyze(&mut self, rest: &str) -> Result {
        let seconds = match rest {
            "" => Some(ANALYSIS_SECONDS),
            text => text.parse().ok().filter(|seconds| *seconds > 0.0),
        };
        let Some(seconds) = seconds else {
            return self.say("A number of seconds is expected.");
        };
        let limits = Limits {
            move_time: Some(Duration::from_secs_f64(seconds.min(MAX_ANALYSIS_SECONDS))),
            ..Limits::default()
        };
        self.think(Purpose::Analyze, limits)
    }

    pub(super) fn hint(&mut self) -> Result {
        let limits = Limits {
            move_time: Some(HINT_TIME),
            ..Limits::default()
        };
        self.think(Purpose::Hint, limits)
    }

    pub(super) fn set_up(&mut self, text: &str) -> Result {
        let variant = self.play.position().variant();
        match AnyPosition::from_fen(variant, fen(text, variant), CastlingMode::Standard) {
            Ok(position) => self.begin(position),
            Err(error) => self.say(&error.to_string()),
        }
    }

    pub(super) fn new_game(&mut self, rest: &str) -> Result {
        let variant = self.play.position().variant();
        let position = match split_word(rest) {
            ("", _) => AnyPosition::start(variant),
            ("960", "") => return self.new_chess960(variant, None),
            ("startpos", "") => return self.set_up(rest),
            ("960", number) => match number.trim().parse() {
                Ok(number @ 0..960) => return self.new_chess960(variant, Some(number)),
                _ => return self.say("A number from 0 to 959 is expected."),
            },
            _ => match rules(rest) {
                Ok((variant, CastlingMode::Chess960)) => return self.new_chess960(variant, None),
                Ok((variant, CastlingMode::Standard)) => AnyPosition::start(variant),
                Err(_) if rest.contains('/') => return self.set_up(rest),
                Err(error) => return self.say(&error.to_string()),
            },
        };
        self.begin(position)
    }

    fn new_chess960(&mut self, variant: Variant, number: Option<u32>) -> Result {
        match chess960::start(variant, number) {
            Ok(position) => self.begin(position),
            Err(error) => self.say(&format!("{error}.")),
        }
    }

    pub(super) fn begin(&mut self, position: AnyPosition) -> Result {
        self.leave_game()?;
        self.play.begin(position);
        self.show_board()?;
        self.show_ending()
    }

    pub(super) fn set_theme(&mut self, name: &str) -> Result {
        match Theme::from_str(name, true) {
            Ok(theme) => {
                self.view.theme = theme;
                self.show_board()
            }
            Err(_) => self.say("Themes are brown, green, blue, mono and ascii."),
        }
    }

    pub(super) fn set_level(&mut self, text: &str) -> Result {
        let value = Spec::of(OptionId::SkillLevel).and_then(|spec| spec.parse(text).ok());
        let Some(value) = value else {
            let level = self.play.level();
            let is_rated = self.play.session.options().flag(OptionId::LimitStrength);
            let now = match self.play.session.strength().rating() {
                Some(elo) if is_rated => format!("at about {elo}"),
                Some(elo) => format!("at level {level}, about {elo}"),
                None => format!("at level {level}"),
            };
            return self.say(&format!("Mola plays {now}; `level` takes 1 to 20."));
        };
        self.play.set(OptionId::SkillLevel, value);
        self.play
            .set(OptionId::LimitStrength, OptionValue::Flag(false));
        self.play.depth = None;
        let level = self.play.level();
        self.say(&format!("Mola plays at level {level}."))
    }

    pub(super) fn set_elo(&mut self, text: &str) -> Result {
        if text.is_empty() {
            let rating = self.play.session.strength().rating();
            let now = rating.map_or("at full strength".to_owned(), |elo| {
                format!("at about {elo}")
            });
            let (least, most) = strength::ELO;
            return self.say(&format!("Mola plays {now}; `elo` takes {least} to {most}."));
        }
        let spec = Spec::of(OptionId::Elo);
        let Some(value) = spec.and_then(|spec| spec.parse(text).ok()) else {
            let (least, most) = strength::ELO;
            return self.say(&format!("A rating from {least} to {most} is expected."));
        };
        self.play.set(OptionId::Elo, value);
        self.play
            .set(OptionId::LimitStrength, OptionValue::Flag(true));
        self.play.depth = None;
        self.say(&format!("Mola plays at about {text}."))
    }

    /// The moves of the opening book; with a file, of another book from now on.
    pub(super) fn book(&mut self, name: &str) -> Result {
        if !name.is_empty() {
            if let Err(error) = opening_book::read(name) {
                return self.say_as_is(&error);
            }
            self.play
                .set(OptionId::BookFile, OptionValue::Text(name.to_owned()));
            self.play.set(OptionId::OwnBook, OptionValue::Flag(true));
        }
        let position = self.play.position();
        let Some(moves) = self.play.session.book_moves(position) else {
            return self.say("There is no book; `book FILE` opens one.");
        };
        let moves = moves.into_iter();
        let moves = moves.map(|(m, weight)| format!("{} {weight}", position.to_san(m)));
        let moves: Vec<String> = moves.collect();
        match moves.as_slice() {
            [] => self.say("The book does not have this position."),
            moves => self.say(&format!("Book: {}", moves.join(", "))),
        }
    }

    /// The result by the tablebases; with a path, from other tablebases from now on.
    pub(super) fn tables(&mut self, list: &str) -> Result {
        if !list.is_empty() {
            match Tables::open(tablebases::split_paths(list)) {
                Ok(tables) => self.tables = tables,
                Err(error) => return self.say_as_is(&plain(&error.to_string())),
            }
            for line in summary(&self.tables) {
                self.say_as_is(&line)?;
            }
        }
        let text = verdict(&self.tables, self.play.position());
        self.say_as_is(&text)
    }

    pub(super) fn set_depth(&mut self, text: &str) -> Result {
        match text.parse() {
            Ok(depth @ 1..=MAX_DEPTH) => {
                self.play.depth = Some(depth);
                let name = self.play.engine_name().to_owned();
                self.say(&format!("{name} searches {} deep.", count(depth, "ply")))
            }
            _ => self.say(&format!(
                "A number of plies from 1 to {MAX_DEPTH} is expected."
            )),
        }
    }

    pub(super) fn set_time(&mut self, text: &str) -> Result {
        if text.is_empty() {
            return self.show_clocks();
        }
        if text == "0" {
            self.play.set_clocks(None);
            return self.say("The clocks are off.");
        }
        match clock::read(text) {
            Ok(control) => {
                self.play.set_clocks(Some(control));
                self.show_clocks()
            }
            Err(error) => self.say(error),
        }
    }

    pub(super) fn offer_draw(&mut self) -> Result {
        if self.play.ending.is_some() {
            return self.show_ending();
        }
        if self.play.offer_draw() {
            self.show_ending()
        } else {
            let name = self.play.engine_name().to_owned();
            self.say(&format!("{name} declines the draw."))
        }
    }

    pub(super) fn resign(&mut self) -> Result {
        if self.play.ending.is_none() {
            let loser = self.play.engine.map_or(self.play.turn(), |engine| !engine);
            self.play.lose(loser, EndReason::OfGame("resignation"));
        }
        self.show_ending()
    }

    pub(super) fn save_as(&mut self, name: &str) -> Result {
        if name.is_empty() {
            return self.say(FILE_EXPECTED);
        }
        let name = unquoted(name);
        match self.play.save_also(Path::new(name)) {
            Ok(()) => {
                let left_out = self.play.left_out();
                let without = match left_out.as_slice() {
                    [] => String::new(),
                    parts => format!(", without what its file has of it: {}", parts.join(", ")),
                };
                self.say_as_is(&format!("The game is saved in {name}{without}."))
            }
            Err(error) => self.say_as_is(&error.to_string()),
        }
    }

    /// `FILE [NUMBER]`: resumes a game of a file (by default the first), against the same
    /// opponent as before.
    pub(super) fn load(&mut self, text: &str) -> Result {
        if text.is_empty() {
            return self.say(FILE_EXPECTED);
        }
        let (name, number) = match text.rsplit_once(char::is_whitespace) {
            Some((name, number)) => match number.parse() {
                Ok(number) => (name.trim_end(), number),
                Err(_) => (text, 1),
            },
            None => (text, 1),
        };
        let name = unquoted(name);
        let read = unpack::read(Path::new(name)).map_err(|error| error.to_string());
        let game_of = |bytes: Vec<u8>| {
            let game = pgn::read(&bytes, number);
            game.map_err(|error| format!("{name}: {error}"))
        };
        match read.and_then(game_of) {
            Ok(loaded) => {
                self.leave_game()?;
                let text = loaded.describe(number);
                self.play.resume(loaded);
                self.seen_ending = self.play.ending;
                // A file has it, so only what is added to it is new.
                self.saved = Some(self.play.saved_state());
                self.show_board()?;
                self.say(&text)?;
                self.show_ending()?;
                if self.play.ending.is_some_and(Ending::is_of_file) {
                    self.say("A move or `go` continues the game, without that result.")?;
                }
                Ok(())
            }
            Err(error) => self.say_as_is(&error),
        }
    }
}
