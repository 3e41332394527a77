//! The table that user and engine sit at: waits for both and answers what is typed.

use super::board::{Theme, View};
use super::clock::{self, TimeControl};
use super::commands::{self, NoWord, Word};
use super::lines::{Answer, Lines, Request};
use super::pgn;
use super::play::Play;
use crate::error::{Error, Result};
use crate::input::{shorten, split_word};
use crate::options::{OptionId, Spec, Value};
use crate::output::Output;
use crate::session::{Command, Event};
use crate::signals::{self, Signal};
use crate::{diagram, moves, setup};
use crossbeam_channel::{Receiver, select};
use engine_core::search::{self, BestMove, Info, Limits, Score};
use engine_core::{AnyPosition, Color, Variant, dispatch};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// A game, how it is shown, and where its moves come from.
pub(super) struct Table {
    play: Play,
    view: View,
    out: Output,
    lines: Lines,
    /// Whether a terminal shows the output: prompts and a line of status make sense.
    shows: bool,
    signals: Receiver<Signal>,
    task: Task,
    /// The last line of thinking.
    info: Option<Info>,
    /// Whether a line has been asked for and not come.
    is_waiting: bool,
    /// How often Ctrl-C was pressed since the last line.
    interrupts: u32,
}

/// Why the engine thinks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Idle,
    Move,
    Hint,
    Analyze,
}

/// Whether to stay.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stay {
    Yes,
    No,
}

/// Columns of a line of status: one less than a terminal has, so that it never wraps.
const STATUS_WIDTH: usize = 79;

/// How long a hint may take.
const HINT_TIME: Duration = Duration::from_secs(1);

/// How long `analyze` takes without a number.
const ANALYSIS_SECONDS: f64 = 5.0;

/// Nobody looks at one position for longer than a day.
const LONGEST_ANALYSIS: f64 = 86_400.0;

impl Table {
    pub(super) fn new(play: Play, view: View, out: Output, lines: Lines, shows: bool) -> Table {
        Table {
            play,
            view,
            out,
            lines,
            shows,
            signals: signals::watch(),
            task: Task::Idle,
            info: None,
            is_waiting: false,
            interrupts: 0,
        }
    }

    fn say(&mut self, text: &str) -> Result {
        Ok(self.out.line(text)?)
    }

    /// Plays until the user leaves.
    pub(super) fn run(&mut self) -> Result {
        let events = self.play.session.events().clone();
        let answers = self.lines.answers.clone();
        let signals = self.signals.clone();
        self.say(&format!(
            "{}. `help` shows what you can type.",
            crate::ENGINE_NAME
        ))?;
        self.show_board()?;
        let mut stay = Stay::Yes;
        while stay == Stay::Yes {
            if self.task == Task::Idle && !self.is_waiting {
                if self.play.is_engine_due() {
                    self.think(Task::Move, self.play.limits())?;
                } else {
                    self.ask();
                }
            }
            stay = select! {
                recv(answers) -> answer => self.answered(answer.unwrap_or(Answer::End))?,
                recv(signals) -> signal => self.signalled(signal.unwrap_or(Signal::Terminate))?,
                recv(events) -> event => {
                    if let Ok(event) = event {
                        let event = self.play.session.hear(event);
                        self.heard(event)?;
                    }
                    Stay::Yes
                }
            };
        }
        self.play.session.execute(Command::Stop);
        Ok(())
    }

    /// Asks the user for a line. The clock of a user who is to move runs.
    fn ask(&mut self) {
        let turn = self.play.turn();
        if let (None, Some(clocks)) = (self.play.ending, &mut self.play.clocks) {
            clocks.start(turn);
        }
        let number = dispatch!(self.play.position(), |position| position.fullmoves());
        let dots = if turn.is_white() { "." } else { "..." };
        let prompt = match self.play.ending {
            Some(_) => "> ".to_owned(),
            None => format!("{number}{dots} "),
        };
        let names = commands::TABLE.iter().map(|line| line.1.to_owned());
        let words = self.play.legal_moves().into_iter().chain(names).collect();
        self.is_waiting = true;
        self.lines.ask(Request { prompt, words });
    }

    fn think(&mut self, task: Task, limits: Limits) -> Result {
        self.task = task;
        self.info = None;
        self.interrupts = 0;
        let turn = self.play.turn();
        if let (Task::Move, Some(clocks)) = (task, &mut self.play.clocks) {
            clocks.start(turn);
        }
        // A hint is as good as the engine can give it, whatever level it plays at.
        self.play
            .set(OptionId::AnalyseMode, Value::Flag(task != Task::Move));
        for event in self.play.session.execute(Command::Go(limits)) {
            self.heard(event)?;
        }
        Ok(())
    }

    fn answered(&mut self, answer: Answer) -> Result<Stay> {
        self.is_waiting = false;
        match answer {
            Answer::Line(line) => {
                self.interrupts = 0;
                self.line(line.trim())
            }
            Answer::Interrupt => self.interrupted(),
            Answer::End => self.leave(),
        }
    }

    /// The shell's prompt is to begin a line.
    fn leave(&mut self) -> Result<Stay> {
        if self.shows {
            self.say("")?;
        }
        Ok(Stay::No)
    }

    fn signalled(&mut self, signal: Signal) -> Result<Stay> {
        match signal {
            Signal::Interrupt => self.interrupted(),
            Signal::Terminate => self.leave(),
        }
    }

    /// Ctrl-C: the engine moves now; without effect on it, twice in a row means to leave.
    fn interrupted(&mut self) -> Result<Stay> {
        self.interrupts += 1;
        if self.interrupts > 1 {
            return self.leave();
        }
        if self.task == Task::Idle {
            self.say("Press Ctrl-C again, or Ctrl-D, to leave.")?;
        } else {
            for event in self.play.session.execute(Command::Stop) {
                self.heard(event)?;
            }
        }
        Ok(Stay::Yes)
    }

    fn heard(&mut self, event: Event) -> Result {
        match event {
            Event::Search(search::Event::Info(info)) => {
                if info.multipv == 1 && !info.pv.is_empty() {
                    if self.task == Task::Analyze {
                        let line = self.line_of_thought(&info);
                        self.say(&line)?;
                    } else {
                        self.show_status(&info)?;
                    }
                    self.info = Some(info);
                }
                Ok(())
            }
            Event::Search(search::Event::CurrentMove { .. }) => Ok(()),
            Event::Search(search::Event::BestMove(best)) => self.search_ended(&best),
            Event::Message(text) => self.say(&text),
        }
    }

    fn search_ended(&mut self, end: &BestMove) -> Result {
        self.clear_status()?;
        let task = std::mem::replace(&mut self.task, Task::Idle);
        let Some(best) = end.best else { return Ok(()) };
        let text = moves::san(self.play.position(), &[best]);
        let score = self.for_white(end.score);
        let depth = self.info.as_ref().map_or(0, |info| info.depth);
        match task {
            Task::Move => {
                if self.play.look_at_flag() {
                    return self.show_ending();
                }
                self.play.play(best, Some(end.score));
                self.show_board()?;
                self.say(&format!("Mola plays {text}  ({score}, depth {depth})"))?;
                self.show_ending()
            }
            Task::Hint => self.say(&format!("Mola would play {text}  ({score})")),
            Task::Analyze | Task::Idle => Ok(()),
        }
    }

    /// A command, a move, or the beginning of a command.
    fn line(&mut self, text: &str) -> Result<Stay> {
        if text.is_empty() {
            return Ok(Stay::Yes);
        }
        let (name, rest) = split_word(text.strip_prefix('/').unwrap_or(text));
        let rest = rest.trim();
        if let Some(word) = commands::exact(name) {
            return self.command(word, rest);
        }
        let error = match dispatch!(self.play.position(), |position| position.parse_human(text)) {
            Ok(m) => return self.user_move(m).map(|()| Stay::Yes),
            Err(error) => error,
        };
        match commands::by_prefix(name) {
            Ok(word) => self.command(word, rest),
            Err(NoWord::Ambiguous(names)) => {
                self.say(&format!("{} can be {names}.", shorten(name)))?;
                Ok(Stay::Yes)
            }
            Err(NoWord::Unknown) if self.play.ending.is_some() => {
                self.refuse_moves()?;
                Ok(Stay::Yes)
            }
            Err(NoWord::Unknown) => {
                self.say(&format!("{}: {error}", shorten(text)))?;
                Ok(Stay::Yes)
            }
        }
    }

    fn user_move(&mut self, m: engine_core::Move) -> Result {
        if self.play.ending.is_some() || self.play.look_at_flag() {
            return self.refuse_moves();
        }
        self.play.play(m, None);
        // The board comes after the engine's answer.
        if !self.play.is_engine_due() {
            self.show_board()?;
        }
        self.show_ending()
    }

    fn refuse_moves(&mut self) -> Result {
        self.show_ending()?;
        self.say("The game is over: `undo` takes back, `new` starts again.")
    }

    fn command(&mut self, word: Word, rest: &str) -> Result<Stay> {
        match word {
            Word::Quit => return Ok(Stay::No),
            Word::Help => self.say(&commands::help())?,
            Word::Board => self.show_board()?,
            Word::Analyze => self.analyze(rest)?,
            Word::Hint => self.hint()?,
            Word::Eval => {
                let text = diagram::evaluation(self.play.position());
                self.say(&text)?;
            }
            Word::Moves => self.show_moves()?,
            Word::History => self.show_history()?,
            Word::Clock => self.show_clocks()?,
            Word::Pgn => {
                let text = self.play.pgn();
                self.say(text.trim_end())?;
            }
            Word::Fen if rest.is_empty() => {
                let fen = setup::fen(self.play.position());
                self.say(&fen)?;
            }
            Word::Fen | Word::Setup => self.set_up(rest)?,
            Word::New => self.new_game(rest)?,
            Word::Go => {
                self.play.engine = Some(self.play.turn());
                self.show_ending()?;
            }
            Word::Undo => {
                let done = self.play.undo();
                self.step(done, "There is nothing to take back.")?;
            }
            Word::Redo => {
                let done = self.play.redo();
                self.step(done, "There is nothing to make again.")?;
            }
            Word::Flip => {
                self.view.bottom = !self.view.bottom;
                self.show_board()?;
            }
            Word::Theme => self.set_theme(rest)?,
            Word::Level => self.set_level(rest)?,
            Word::Depth => self.set_depth(rest)?,
            Word::Time => self.set_time(rest)?,
            Word::Draw => self.offer_draw()?,
            Word::Resign => self.resign()?,
            Word::Save => self.save_as(rest)?,
            Word::Load => self.load(rest)?,
        }
        Ok(Stay::Yes)
    }

    fn step(&mut self, done: bool, otherwise: &str) -> Result {
        if !done {
            return self.say(otherwise);
        }
        self.show_board()?;
        self.show_ending()
    }

    fn analyze(&mut self, rest: &str) -> Result {
        let seconds = match rest {
            "" => Some(ANALYSIS_SECONDS),
            text => text.parse().ok().filter(|seconds| *seconds > 0.0),
        };
        let Some(seconds) = seconds else {
            return self.say("A number of seconds is expected.");
        };
        let limits = Limits {
            move_time: Some(Duration::from_secs_f64(seconds.min(LONGEST_ANALYSIS))),
            ..Limits::default()
        };
        self.think(Task::Analyze, limits)
    }

    fn hint(&mut self) -> Result {
        let limits = Limits {
            move_time: Some(HINT_TIME),
            ..Limits::default()
        };
        self.think(Task::Hint, limits)
    }

    fn set_up(&mut self, fen: &str) -> Result {
        match setup::from_fen(fen, Variant::default(), setup::mode(false)) {
            Ok(position) => self.begin(position),
            Err(error) => self.say(&error),
        }
    }

    fn new_game(&mut self, rest: &str) -> Result {
        let position = match split_word(rest) {
            ("", _) => AnyPosition::start(Variant::default()),
            ("960", "") => setup::chess960(std::process::id()),
            ("960", number) => match number.trim().parse() {
                Ok(number @ 0..960) => setup::chess960(number),
                _ => return self.say("A number from 0 to 959 is expected."),
            },
            _ => return self.set_up(rest),
        };
        self.begin(position)
    }

    fn begin(&mut self, position: AnyPosition) -> Result {
        self.play.begin(position);
        self.show_board()?;
        self.show_ending()
    }

    fn set_theme(&mut self, name: &str) -> Result {
        match Theme::ALL
            .into_iter()
            .find(|theme| theme.1.eq_ignore_ascii_case(name))
        {
            Some((theme, _)) => {
                self.view.theme = theme;
                self.show_board()
            }
            None => self.say("Themes are brown, green, blue, mono and ascii."),
        }
    }

    fn set_level(&mut self, text: &str) -> Result {
        let value = Spec::of(OptionId::SkillLevel).and_then(|spec| spec.parse(text).ok());
        let Some(value) = value else {
            let level = self.play.level();
            return self.say(&format!(
                "Mola plays at level {level}; `level` takes 1 to 20."
            ));
        };
        self.play.set(OptionId::SkillLevel, value);
        self.play.depth = None;
        let level = self.play.level();
        self.say(&format!("Mola plays at level {level}."))
    }

    fn set_depth(&mut self, text: &str) -> Result {
        match text.parse() {
            Ok(depth @ 1..) => {
                self.play.depth = Some(depth);
                self.say(&format!("Mola looks {depth} plies ahead."))
            }
            _ => self.say("A number of plies is expected."),
        }
    }

    fn set_time(&mut self, text: &str) -> Result {
        if text == "0" {
            self.play.set_clocks(None);
            return self.say("There are no clocks.");
        }
        match text.parse::<TimeControl>() {
            Ok(control) => {
                self.play.set_clocks(Some(control));
                self.show_clocks()
            }
            Err(error) => self.say(error),
        }
    }

    fn offer_draw(&mut self) -> Result {
        if self.play.ending.is_some() {
            return self.show_ending();
        }
        if self.play.offer_draw() {
            self.show_ending()
        } else {
            self.say("Mola plays on.")
        }
    }

    fn resign(&mut self) -> Result {
        if self.play.ending.is_none() {
            let loser = self.play.engine.map_or(self.play.turn(), |engine| !engine);
            self.play.lose(loser, "resignation");
        }
        self.show_ending()
    }

    /// Appends the game to a file.
    pub(super) fn save(&self, path: &Path) -> Result {
        let open = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path);
        let written = open.and_then(|mut file| writeln!(file, "{}", self.play.pgn()));
        written.map_err(|error| Error::Message(format!("{}: {error}", path.display())))
    }

    fn save_as(&mut self, name: &str) -> Result {
        if name.is_empty() {
            return self.say("A file is expected.");
        }
        match self.save(Path::new(name)) {
            Ok(()) => self.say(&format!("The game is in {name}.")),
            Err(error) => self.say(&error.to_string()),
        }
    }

    fn load(&mut self, name: &str) -> Result {
        let read = std::fs::read(name).map_err(|error| error.to_string());
        match read.and_then(|bytes| pgn::read(&String::from_utf8_lossy(&bytes))) {
            Ok(game) => {
                self.play.set_game(game);
                // Whose side the user takes is for the user to say.
                self.play.engine = None;
                self.show_board()?;
                self.show_ending()
            }
            Err(error) => self.say(&format!("{}: {error}", shorten(name))),
        }
    }

    fn show_board(&mut self) -> Result {
        let last = self.play.moves().last().copied();
        let mut lines = self.view.draw(self.play.position(), last);
        let top = !self.view.bottom;
        for (index, color) in [(0, top), (7, self.view.bottom)] {
            if let Some(line) = lines.get_mut(index) {
                line.push_str("   ");
                line.push_str(&self.describe(color));
            }
        }
        for line in lines {
            self.say(line.trim_end())?;
        }
        Ok(())
    }

    /// A side's name, clock and what it has taken.
    fn describe(&self, color: Color) -> String {
        let name = match color {
            Color::White => "White",
            Color::Black => "Black",
        };
        let mut parts = vec![format!("{name}: {}", self.play.name(color))];
        let clocks = self.play.clocks.as_ref();
        parts.extend(clocks.map(|clocks| clock::show(clocks.left(color))));
        parts.push(self.view.row(!color, &self.play.captured_by(color)));
        parts.join("  ")
    }

    fn show_ending(&mut self) -> Result {
        match self.play.ending {
            Some(ending) => self.say(&format!("{}  {}", ending.result, ending.reason)),
            None => Ok(()),
        }
    }

    fn show_clocks(&mut self) -> Result {
        let Some(clocks) = &self.play.clocks else {
            return self.say("There are no clocks; `time 5+3` sets them.");
        };
        let [white, black] = Color::ALL.map(|color| clock::show(clocks.left(color)));
        self.say(&format!("White {white}  Black {black}"))
    }

    fn show_moves(&mut self) -> Result {
        let mut sans = self.play.legal_moves();
        sans.sort();
        self.say(&format!("{} moves: {}", sans.len(), sans.join(" ")))
    }

    fn show_history(&mut self) -> Result {
        let text = match self.play.moves().as_slice() {
            [] => "No moves yet.".to_owned(),
            line => moves::san(self.play.session.game().start(), line),
        };
        self.say(&text)
    }

    /// `d12 +0.34 1.2M nodes 850 kn/s 1. e4 e5`.
    fn line_of_thought(&self, info: &Info) -> String {
        let text = format!(
            "d{} {} {} {} kn/s {}",
            info.depth,
            self.for_white(info.score),
            amount(info.nodes),
            info.nps() / 1000,
            moves::san(self.play.position(), &info.pv),
        );
        text.chars().take(STATUS_WIDTH).collect()
    }

    /// A score of the side to move as people are used to it.
    fn for_white(&self, score: Score) -> Score {
        match self.play.turn() {
            Color::White => score,
            Color::Black => -score,
        }
    }

    fn show_status(&mut self, info: &Info) -> Result {
        if self.shows {
            let status = self.line_of_thought(info);
            self.out.part(&format!("\r{status}\x1b[K"))?;
        }
        Ok(())
    }

    fn clear_status(&mut self) -> Result {
        if self.shows {
            self.out.part("\r\x1b[K")?;
        }
        Ok(())
    }
}

/// `1234 nodes`, `56k nodes` or `7.8M nodes`.
fn amount(nodes: u64) -> String {
    match nodes {
        0..10_000 => format!("{nodes} nodes"),
        10_000..1_000_000 => format!("{}k nodes", nodes / 1000),
        _ => format!("{:.1}M nodes", nodes as f64 / 1e6),
    }
}
