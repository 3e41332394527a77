//! The Universal Chess Interface.

mod display;
mod genfens;
mod go;
mod info;
mod tuning;

use super::front_end::{Flow, FrontEnd, Inbox};
use crate::bench::{self, Settings};
use crate::options::{OptionId, Spec, TABLE};
use crate::perft;
use crate::session::{Command, Notice, Session};
use common::ENGINE_NAME;
use common::error::Result;
use common::input::{shorten, split_word};
use common::output::Output;
use engine_core::search::Instant;
use engine_core::{AnyPosition, CastlingMode, Game, Variant};
use go::Go;
use std::time::Duration;

/// Lines that come this soon after one another were sent together.
const SCRIPT_WINDOW: Duration = Duration::from_millis(200);

/// UCI between a GUI and the session.
pub(crate) struct Uci {
    session: Session,
    out: Output,
    /// The root of the last search, from which its moves are written: `position` may have set
    /// another one since.
    root: AnyPosition,
    /// Whether to report how commands were understood, after `debug on`.
    debug: bool,
}

impl Uci {
    /// UCI on this output.
    pub(crate) fn new(out: Output) -> Uci {
        let session = Session::default();
        let root = *session.game().position();
        Uci {
            session,
            out,
            root,
            debug: false,
        }
    }

    fn say(&mut self, text: &str) -> Result {
        Ok(self.out.line(text)?)
    }

    /// Writes an `info string`, which GUIs skip or show, but never mistake for an answer.
    fn note(&mut self, text: &str) -> Result {
        Ok(self.out.line(format_args!("info string {text}"))?)
    }

    fn run(&mut self, command: Command) -> Result {
        for event in self.session.execute(command) {
            self.event(event)?;
        }
        Ok(())
    }

    /// Runs a command by its first word; `None` when UCI has no such command.
    fn command(&mut self, word: &str, rest: &str, inbox: &mut Inbox) -> Result<Option<Flow>> {
        match word {
            "uci" => self.introduce()?,
            "isready" => {
                self.run(Command::Prepare)?;
                self.say("readyok")?;
            }
            "debug" => match rest.trim() {
                "off" => self.debug = false,
                "" | "on" => self.debug = true,
                text => self.note(&format!("debug: on or off expected, not {}", shorten(text)))?,
            },
            "setoption" => self.set_option(rest)?,
            "register" => {}
            "ucinewgame" => self.run(Command::NewGame)?,
            "position" => self.position(rest)?,
            "go" => self.go(rest, inbox)?,
            "stop" => self.run(Command::Stop)?,
            "ponderhit" => self.run(Command::PonderHit(None))?,
            "quit" => return Ok(Some(Flow::Quit)),
            "d" => {
                let text = display::board(self.session.game().position());
                self.say(&text)?;
            }
            "eval" => {
                let text = display::evaluation(self.session.evaluation().as_ref());
                self.say(&text)?;
            }
            "flip" => self.flip()?,
            "bench" => self.bench(rest, inbox)?,
            "genfens" => self.generate_openings(rest)?,
            "perft" => match rest.trim() {
                "" => self.perft(1, inbox)?,
                text => match text.parse() {
                    Ok(depth) => self.perft(depth, inbox)?,
                    Err(_) => self.note(&format!("perft: not a depth: {}", shorten(text)))?,
                },
            },
            "help" => self.say(HELP)?,
            "license" => self.say(LICENSE)?,
            _ => return Ok(None),
        }
        Ok(Some(Flow::GoOn))
    }

    fn introduce(&mut self) -> Result {
        self.say(&format!("id name {ENGINE_NAME}"))?;
        self.say("id author the Mola authors")?;
        for spec in TABLE.iter().filter(|spec| spec.is_uci()) {
            self.say(&spec.uci())?;
        }
        for line in tuning::declarations() {
            self.say(&line)?;
        }
        self.say("uciok")
    }

    /// `name N [value V]`: both may contain spaces; a missing value is empty.
    fn set_option(&mut self, text: &str) -> Result {
        let (first, rest) = split_word(text);
        let mut rest = if first.eq_ignore_ascii_case("name") {
            rest
        } else {
            text
        };
        let mut name = Vec::new();
        let value = loop {
            match split_word(rest) {
                ("", _) => break "",
                (word, value) if word.eq_ignore_ascii_case("value") => break value,
                (word, after) => {
                    name.push(word);
                    rest = after;
                }
            }
        };
        let name = name.join(" ");
        let Some(spec) = Spec::find(&name) else {
            if let Some(set) = tuning::set(&name, value.trim()) {
                return set.or_else(|error| self.note(&format!("error: {error}")));
            }
            return self.note(&format!("error: unknown option: {}", shorten(&name)));
        };
        match spec.parse(value.trim()) {
            Ok(value) => self.run(Command::Set(spec.id, value))?,
            Err(error) => return self.note(&format!("error: {error}")),
        }
        let variant = self.variant();
        if spec.id == OptionId::Variant && variant != self.session.game().position().variant() {
            // The position is none of the variant, even before the next `position`.
            let start = AnyPosition::start(variant).with_mode(self.castling_mode());
            self.run(Command::Game(Box::new(Game::new(start))))?;
        }
        Ok(())
    }

    fn variant(&self) -> Variant {
        let name = self.session.options().text(OptionId::Variant);
        name.parse().unwrap_or_default()
    }

    fn castling_mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.session.options().flag(OptionId::Chess960))
    }

    /// `startpos | fen F`, then `moves M...`. Errors are reported: a bad FEN leaves the position as
    /// it was, and the moves before an illegal one are played.
    fn position(&mut self, text: &str) -> Result {
        let mut words = text.split_whitespace();
        let setup = words.by_ref().take_while(|&word| word != "moves");
        let setup = setup.collect::<Vec<_>>().join(" ");
        let (variant, mode) = (self.variant(), self.castling_mode());
        let start = match split_word(&setup) {
            ("startpos", "") => Ok(AnyPosition::start(variant).with_mode(mode)),
            ("startpos", word) => Err(format!("moves expected, not {:?}", shorten(word))),
            ("fen", fen) => {
                AnyPosition::from_fen(variant, fen, mode).map_err(|error| error.to_string())
            }
            (word, _) => Err(format!("startpos or fen expected, not {:?}", shorten(word))),
        };
        let mut game = match start {
            Ok(position) => Game::new(position),
            Err(error) => return self.note(&format!("error: {error}")),
        };
        let mut error = None;
        for word in words {
            match game.position().parse_uci(word) {
                Ok(m) => game.play(m),
                Err(reason) => {
                    error = Some(format!("error: illegal move {}: {reason}", shorten(word)));
                    break;
                }
            }
        }
        self.run(Command::Game(Box::new(game)))?;
        error.map_or(Ok(()), |error| self.note(&error))
    }

    fn go(&mut self, text: &str, inbox: &mut Inbox) -> Result {
        let position = *self.session.game().position();
        let (go, ignored) = go::parse(text, &position);
        if !ignored.is_empty() {
            self.note(&format!("go: ignored {}", shorten(&ignored.join(" "))))?;
        }
        match go {
            Go::Perft(depth) => self.perft(depth, inbox),
            Go::Search(limits) => {
                // The last search ends first, with its own root.
                self.run(Command::Stop)?;
                self.root = position;
                if self.debug {
                    let limits = go::describe(&limits, &position);
                    self.note(&format!("go from {}: {limits}", position.fen()))?;
                }
                self.run(Command::Go(limits))
            }
        }
    }

    fn perft(&mut self, depth: u32, inbox: &mut Inbox) -> Result {
        self.run(Command::Stop)?;
        let position = *self.session.game().position();
        let since = Instant::now();
        let mut failed = Ok(());
        let total = perft::divide(&position, depth, &mut |progress| {
            if let Some((m, nodes)) = progress {
                let line = format!("{}: {nodes}", position.to_uci(m));
                failed = std::mem::replace(&mut failed, Ok(())).and_then(|()| self.say(&line));
            }
            failed.is_ok() && self.handle_while_busy(since, inbox)
        });
        failed?;
        match total {
            Some(total) => self.say(&format!("\nNodes searched: {total}\n")),
            None => self.note("perft stopped"),
        }
    }

    fn bench(&mut self, text: &str, inbox: &mut Inbox) -> Result {
        self.run(Command::Stop)?;
        let since = Instant::now();
        let variant = self.session.game().position().variant();
        let settings = match Settings::parse(text, variant) {
            Ok(settings) => settings,
            Err(error) => return self.note(&format!("error: {error}")),
        };
        let report = bench::run(&settings, &mut |_| self.handle_while_busy(since, inbox));
        match report {
            Ok(Some(report)) => self.say(&report.to_string()),
            Ok(None) => self.note("bench stopped"),
            Err(error) => self.note(&format!("error: {error}")),
        }
    }

    /// `genfens`: random openings for engine tests.
    fn generate_openings(&mut self, text: &str) -> Result {
        let mode = self.castling_mode();
        let variant = self.session.game().position().variant();
        let mut failed = Ok(());
        let run = genfens::GenfensArgs::parse(text).and_then(|request| {
            request.run(variant, mode, &mut |fen| {
                failed = self.note(&format!("genfens {fen}"));
                failed.is_ok()
            })
        });
        failed?;
        run.or_else(|error| self.note(&format!("error: {error}")))
    }

    /// Handles new lines while a bench or perft runs that began at this moment: answers `isready`,
    /// and keeps other lines for later. False if it must stop.
    fn handle_while_busy(&mut self, since: Instant, inbox: &mut Inbox) -> bool {
        while let Some(line) = inbox.take_new() {
            match line.text.trim() {
                "stop" => {
                    // It is also meant for a search that has been asked for since.
                    if inbox.keeps_search() {
                        inbox.keep(line);
                    }
                    return false;
                }
                // A script sends `quit` together with the command, and expects its result.
                "quit" if since.elapsed() > SCRIPT_WINDOW => {
                    inbox.keep(line);
                    return false;
                }
                "isready" => {
                    if self.say("readyok").is_err() {
                        return false;
                    }
                }
                _ => inbox.keep(line),
            }
        }
        // The input of a script ends at once, and it expects the result; that of a GUI ends later,
        // and no one waits for the result.
        inbox
            .ended()
            .is_none_or(|ended| ended < since + SCRIPT_WINDOW)
    }

    /// `flip`: swaps the colours and mirrors the ranks.
    fn flip(&mut self) -> Result {
        let flipped = self.session.game().position().mirrored();
        match flipped {
            Ok(position) => self.run(Command::Game(Box::new(Game::new(position)))),
            Err(error) => self.note(&format!("error: {error}")),
        }
    }
}

impl FrontEnd for Uci {
    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Words before the first command are skipped, as the specification demands.
    fn line(&mut self, text: &str, inbox: &mut Inbox) -> Result<Flow> {
        let mut rest = text;
        loop {
            let (word, after) = split_word(rest);
            if word.is_empty() {
                break;
            }
            if let Some(flow) = self.command(word, after, inbox)? {
                return Ok(flow);
            }
            rest = after;
        }
        if !text.trim().is_empty() {
            self.note(&format!("unknown command: {}", shorten(text.trim())))?;
        }
        Ok(Flow::GoOn)
    }

    fn event(&mut self, event: Notice) -> Result {
        match event {
            Notice::Search(event) => {
                let shows_wdl = self.session.options().flag(OptionId::ShowWdl);
                let line = info::line(&event, &self.root, shows_wdl);
                self.say(&line)
            }
            Notice::Message(text) => self.note(&text),
            Notice::Failure(text) => self.note(&format!("error: {text}")),
        }
    }

    fn message(&mut self, text: &str) -> Result {
        self.note(text)
    }

    /// Stops a search that still runs and writes its best move: a script may wait for it.
    fn end(&mut self) -> Result {
        self.run(Command::Stop)
    }
}

const HELP: &str = "\
Mola speaks UCI: uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, quit.
Beyond UCI: d (show the position), eval, flip, go perft N, bench [DEPTH | HASH THREADS DEPTH],
genfens N seed S book FILE, help, license.
To play on the terminal, start `mola play`; for all commands, `mola --help`.";

const LICENSE: &str =
    "Mola is free software under the MIT licence or the Apache licence 2.0, at your option.";
