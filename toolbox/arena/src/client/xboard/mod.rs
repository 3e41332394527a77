//! The XBoard protocol (CECP, version 2), from the side of the GUI.
//!
//! Facts from the protocol's description (<http://hgm.nubati.net/CECP.html>). An engine that has
//! moved stays in its playing mode, so that it may ponder, and is sent only the clocks and the
//! opponent's move; any other position is set up in force mode.

mod control;
mod edit;
mod feature;
mod game;
mod moves;
mod post;

use super::error::{ErrorKind, Result};
use super::info::Info;
use super::link::{self, Dialect, Link};
use super::option::EngineOption;
use super::process::EngineLine;
use super::request::{EngineRequest, Opponent, PlayResult, SearchEvent};
use common::input::{shorten, split_word};
use common::option_value::OptionValue;
use control::Control;
use engine_core::search::Limits;
use engine_core::{AnyPosition, Game, Move};
use feature::Features;
use moves::{old_move, read_move, write_move};
use std::time::{Duration, Instant};

/// How long an engine may be silent before it is taken for one of the older protocol, which knows
/// no features: at first, as some load a book before they answer, and after a sign of life.
const FIRST_SILENCE: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(2);
/// After so much silence an engine that has not named a feature yet is sent an empty line, up to so
/// many times. (GNU Chess may sleep over its first lines until others come.)
const NUDGE: Duration = Duration::from_millis(500);
const NUDGES: u32 = 5;
/// How long an engine may introduce itself that asks for patience: the protocol sets no limit.
const PATIENCE: Duration = Duration::from_mins(10);
/// How long an engine may prepare for a new game.
const PREPARATION: Duration = Duration::from_mins(1);

/// XBoard with one engine.
#[derive(Default)]
pub(super) struct XBoard {
    features: Features,
    opponent: Option<Opponent>,
    /// What the engine has on its board; `None` before `new`.
    game: Option<Game>,
    control: Option<Control>,
    mode: EngineMode,
    /// Limits of an analysis, which the protocol cannot send, so that we stop it.
    watched: Limits,
    stop_at: Option<Instant>,
    best: Option<Move>,
    hint: Option<String>,
    draw_offered: bool,
    /// Whether the opponent has offered a draw with its last move.
    has_offer: bool,
    pings: u32,
    /// Whether root moves have been excluded; they still are if the position is the same.
    has_excluded: bool,
    /// The number of the `pong` after which an analysis searches no excluded moves any more.
    exclusion_pong: Option<u32>,
    /// The number of the `pong` that ends an analysis.
    last_pong: Option<u32>,
    /// The end of a search that no line announces: of an analysis without `pong`, or of a game that
    /// the engine has ended on the opponent's time.
    unannounced_end: Option<PlayResult>,
}

/// The mode of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum EngineMode {
    /// It only takes moves.
    #[default]
    Force,
    /// It plays the side that was to move.
    Playing,
    /// It analyses.
    Analysing,
}

impl Dialect for XBoard {
    fn handshake(&mut self, link: &mut Link, deadline: Instant) -> Result {
        link.send("xboard");
        link.send("protover 2");
        let doing = "waiting for its features";
        let began = Instant::now();
        let mut silence_end = began + FIRST_SILENCE;
        let mut nudges = NUDGES;
        while !self.features.is_done && !self.features.is_slow {
            let limit = silence_end.min(deadline);
            let nudge = Instant::now() + NUDGE;
            let until = if nudges == 0 { limit } else { limit.min(nudge) };
            let line = match link.process.receive_since(began, until, doing) {
                Ok(line) => line,
                Err(error) if !matches!(error.kind, ErrorKind::TimedOut { .. }) => {
                    return Err(error);
                }
                Err(error) if until < limit => {
                    nudges -= 1;
                    if nudges == 0 {
                        (link.on_delay)(&error, deadline - began);
                    }
                    link.send("");
                    continue;
                }
                Err(_) if until < deadline => break,
                Err(error) => return Err(error),
            };
            silence_end = Instant::now() + SILENCE;
            if self.read_features(link, &line.text) {
                nudges = 0;
            }
        }
        if self.features.is_slow {
            let deadline = deadline.max(began + PATIENCE);
            link.wait_for_introduction(deadline, doing, |link, line| {
                self.read_features(link, line);
                self.features.is_done
            })?;
        }
        self.features.declare_options(link);
        Ok(())
    }

    fn set(&mut self, link: &mut Link, option: &EngineOption, value: &OptionValue) {
        let name = &option.name;
        let line = match value {
            _ if feature::is_command(name) => match value {
                OptionValue::Number(number) => format!("{name} {number}"),
                OptionValue::Text(text) => format!("{name} {text}"),
                OptionValue::Flag(_) | OptionValue::Pressed => return,
            },
            OptionValue::Pressed => format!("option {name}"),
            OptionValue::Flag(flag) => format!("option {name}={}", u8::from(*flag)),
            OptionValue::Number(number) => format!("option {name}={number}"),
            OptionValue::Text(text) => format!("option {name}={text}"),
        };
        link.send(&line);
    }

    fn alias(&self, name: &str) -> Option<&'static str> {
        feature::alias(name)
    }

    fn ping(&mut self, link: &mut Link, deadline: Instant) -> Result {
        if !self.features.ping {
            return Ok(());
        }
        let number = self.send_ping(link);
        let mut refusal = None;
        link.wait_for(deadline, "waiting for pong", |_, line| {
            if is_refusal(line) {
                refusal.get_or_insert(shorten(line));
            }
            pong(line) == Some(number)
        })?;
        match refusal {
            Some(line) => Err(link.error(ErrorKind::Refused(line))),
            None => Ok(()),
        }
    }

    fn remarks(&mut self, link: &mut Link, deadline: Instant) -> Result<Vec<String>> {
        let mut remarks = Vec::new();
        if self.features.ping {
            let number = self.send_ping(link);
            link.wait_for(deadline, "waiting for pong", |_, line| {
                if is_about_option(line) && remarks.len() < link::MAX_REMARKS {
                    remarks.push(format!("error: {}", shorten(line)));
                }
                pong(line) == Some(number)
            })?;
        }
        Ok(remarks)
    }

    fn check_game(&self, link: &Link, start: &AnyPosition, limits: &Limits) -> Result {
        self.variant_word(link, start)?;
        Control::of(limits, start).check(&self.features, link)
    }

    fn new_game(&mut self, _link: &mut Link, opponent: Option<&Opponent>) {
        self.game = None;
        self.opponent = opponent.cloned();
    }

    fn begin(&mut self, link: &mut Link, game: &Game, request: &EngineRequest) -> Result {
        let end = self.overheard(link, game);
        self.unannounced_end = end.filter(|_| !request.analyse);
        if self.unannounced_end.is_some() {
            self.mode = EngineMode::Force;
            return Ok(());
        }
        self.has_offer = request.draw_offered;
        self.hint = None;
        self.best = None;
        self.stop_at = None;
        if request.analyse {
            self.analyse(link, game, request)
        } else {
            self.play(link, game, request)
        }
    }

    fn handle_line(&mut self, link: &mut Link, line: &EngineLine) -> Result<Option<SearchEvent>> {
        let text = line.text.trim();
        if text.starts_with('#') {
            return Ok(None);
        }
        if let Some(info) = self
            .position()
            .and_then(|position| post::read(text, &position))
        {
            if self.is_excluded(link, &info)? {
                return Ok(None);
            }
            self.note(link, &info);
            return Ok(Some(SearchEvent::Info(Box::new(info))));
        }
        match self.mode {
            EngineMode::Analysing => {
                let number = pong(text);
                if number.is_some() && number == self.exclusion_pong {
                    self.exclusion_pong = None;
                }
                let is_end = number.is_some() && number == self.last_pong;
                Ok(is_end.then(|| SearchEvent::Done(Box::new(self.end_of_analysis()))))
            }
            EngineMode::Force => Ok(None),
            EngineMode::Playing => self.handle_answer(link, text),
        }
    }

    fn stop_at(&self) -> Option<Instant> {
        self.stop_at
    }

    fn unannounced_end(&mut self) -> Option<PlayResult> {
        self.unannounced_end.take()
    }

    fn stop(&mut self, link: &mut Link) {
        self.stop_at = None;
        match self.mode {
            EngineMode::Playing => link.send("?"),
            EngineMode::Analysing if self.last_pong.is_none() => {
                link.send("exit");
                if self.features.ping {
                    self.last_pong = Some(self.send_ping(link));
                } else {
                    self.unannounced_end = Some(self.end_of_analysis());
                }
            }
            EngineMode::Analysing | EngineMode::Force => {}
        }
    }

    /// An XBoard engine ponders by itself.
    fn ponder_hit(&mut self, _link: &mut Link) {}

    fn is_reusable(&self) -> bool {
        self.features.reuse
    }

    fn finish(&mut self, link: &mut Link, result: &str, reason: &str) {
        let reason = reason.replace(['{', '}'], "");
        link.send(&format!("result {result} {{{reason}}}"));
        link.send("force");
        self.mode = EngineMode::Force;
    }
}

impl XBoard {
    /// Reads a line of features; returns whether it is one.
    fn read_features(&mut self, link: &mut Link, line: &str) -> bool {
        let ("feature", rest) = split_word(line) else {
            return false;
        };
        self.features.read(rest, link);
        true
    }

    /// Reads what the engine has said since its last answer. One that plays may have offered a draw,
    /// or ended the game, on the opponent's time.
    fn overheard(&mut self, link: &Link, game: &Game) -> Option<PlayResult> {
        let is_in_game = self.mode == EngineMode::Playing && self.continues_with(game);
        let mut end = None;
        while let Some(line) = link.process.try_receive() {
            let text = line.text.trim();
            self.draw_offered |= text == "offer draw";
            end = end.or_else(|| given_up(text, game));
        }
        end.filter(|_| is_in_game)
    }

    /// Handles a line of an engine that is to move.
    fn handle_answer(&mut self, link: &mut Link, text: &str) -> Result<Option<SearchEvent>> {
        let (word, rest) = split_word(text);
        let said = match old_move(word, rest) {
            Some(m) => ("move", m),
            None => (word, rest.trim()),
        };
        match said {
            ("move", m) => self.moved(link, m),
            ("Hint:", m) => {
                self.hint = Some(m.to_owned());
                Ok(None)
            }
            ("offer", "draw") => {
                self.draw_offered = true;
                // The answer to an offer accepts it, without a move.
                Ok(self.has_offer.then(|| self.ended(PlayResult::default())))
            }
            (word, _) => {
                let end = self.game.as_ref().and_then(|game| given_up(text, game));
                if let Some(played) = end {
                    return Ok(Some(self.ended(played)));
                }
                if is_refusal(text) {
                    // The engine's board may differ from ours now.
                    self.game = None;
                    return Err(link.error(ErrorKind::Refused(shorten(text))));
                }
                if word == "Error" {
                    log::info!("{}: {text}", link.name);
                }
                Ok(None)
            }
        }
    }

    fn position(&self) -> Option<AnyPosition> {
        self.game.as_ref().map(|game| *game.position())
    }

    fn send_ping(&mut self, link: &mut Link) -> u32 {
        self.pings += 1;
        link.send(&format!("ping {}", self.pings));
        self.pings
    }

    /// Whether a line of an analysis begins with a root move that is not to be searched, as lines may
    /// until the engine has been told all of these.
    fn is_excluded(&mut self, link: &mut Link, info: &Info) -> Result<bool> {
        let wanted = &self.watched.search_moves;
        if self.mode != EngineMode::Analysing || wanted.is_empty() {
            return Ok(false);
        }
        let first = info.pv.first();
        let is_told = self.features.ping && self.exclusion_pong.is_none();
        if first.is_none_or(|first| wanted.contains(first)) {
            return Ok(first.is_none() && !is_told);
        }
        if is_told {
            self.stop(link);
            self.mode = EngineMode::Force;
            return Err(link.unsupported("it searches root moves that are excluded"));
        }
        Ok(true)
    }

    /// Notes what an analysis has found and ends it at its limits.
    fn note(&mut self, link: &mut Link, info: &Info) {
        if let Some(&first) = info.pv.first() {
            self.best = Some(first);
        }
        if self.mode != EngineMode::Analysing {
            return;
        }
        let limits = &self.watched;
        let reached = |limit: Option<u64>, now: Option<u64>| limit.is_some() && now >= limit;
        let mates = |limit: u32| {
            let score = info.score.and_then(|score| score.relative.mate());
            score.is_some_and(|moves| moves > 0 && moves.unsigned_abs() <= limit)
        };
        if reached(limits.nodes, info.nodes)
            || reached(limits.depth.map(u64::from), info.depth.map(u64::from))
            || limits.mate.is_some_and(mates)
        {
            self.stop(link);
        }
    }

    fn end_of_analysis(&mut self) -> PlayResult {
        self.mode = EngineMode::Force;
        self.last_pong = None;
        PlayResult {
            best: self.best,
            ..PlayResult::default()
        }
    }

    /// The end of a search, with the last information about it.
    fn ended(&mut self, played: PlayResult) -> SearchEvent {
        self.mode = EngineMode::Force;
        self.done(played)
    }

    fn done(&mut self, played: PlayResult) -> SearchEvent {
        SearchEvent::Done(Box::new(PlayResult {
            draw_offered: std::mem::take(&mut self.draw_offered),
            ..played
        }))
    }

    fn moved(&mut self, link: &Link, text: &str) -> Result<Option<SearchEvent>> {
        let Some(game) = &mut self.game else {
            return Ok(None);
        };
        let Some(best) = read_move(game.position(), text) else {
            let fen = game.position().fen();
            // The engine's board may differ from ours now.
            self.game = None;
            return Err(link.error(ErrorKind::IllegalMove {
                text: shorten(text),
                fen,
            }));
        };
        game.play(best);
        let hint = self.hint.take();
        let ponder = hint.and_then(|hint| read_move(game.position(), &hint));
        Ok(Some(self.done(PlayResult {
            best: Some(best),
            ponder,
            ..PlayResult::default()
        })))
    }

    fn play(&mut self, link: &mut Link, game: &Game, request: &EngineRequest) -> Result {
        if !request.limits.search_moves.is_empty() {
            return Err(link.unsupported("in play, the XBoard protocol cannot restrict root moves"));
        }
        if request.multi_pv.unwrap_or(1) > 1 {
            return Err(link.unsupported("the XBoard protocol has no MultiPV"));
        }
        let control = Control::of(&request.limits, game.position());
        control.check(&self.features, link)?;
        let is_same = self.control.as_ref() == Some(&control);
        let turn = game.position().turn();
        if self.mode == EngineMode::Playing && is_same && self.continues_with(game) {
            self.send_clocks(link, request, turn);
            self.send_moves(link, game);
            return Ok(());
        }
        if !is_same {
            // Only `new` removes a depth limit.
            self.game = None;
        }
        self.set_up(link, game)?;
        control.send(link);
        self.control = Some(control);
        link.send("post");
        link.send(if request.may_ponder { "hard" } else { "easy" });
        self.send_clocks(link, request, turn);
        link.send("go");
        self.mode = EngineMode::Playing;
        Ok(())
    }

    fn send_clocks(&mut self, link: &mut Link, request: &EngineRequest, turn: engine_core::Color) {
        if self.features.time {
            control::send_clocks(&request.limits, turn, link);
        }
        if request.draw_offered && self.features.draw {
            link.send("draw");
        }
    }

    fn analyse(&mut self, link: &mut Link, game: &Game, request: &EngineRequest) -> Result {
        if !self.features.analyze {
            return Err(link.unsupported("it does not analyse"));
        }
        if request.multi_pv.unwrap_or(1) > 1 {
            return Err(link.unsupported("the XBoard protocol has no MultiPV"));
        }
        self.set_up(link, game)?;
        if std::mem::take(&mut self.has_excluded) {
            link.send("include all");
        }
        let wanted = &request.limits.search_moves;
        if !wanted.is_empty() && !self.features.exclude {
            return Err(link.unsupported("it cannot exclude root moves"));
        }
        link.send("post");
        link.send("analyze");
        self.mode = EngineMode::Analysing;
        self.last_pong = None;
        self.exclusion_pong = None;
        if !wanted.is_empty() {
            self.exclude_others(link, game.position(), wanted);
        }
        self.watched = request.limits.clone();
        self.stop_at = request.limits.move_time.map(|time| Instant::now() + time);
        Ok(())
    }

    /// Excludes all root moves but these from the analysis that runs: some engines forget at its
    /// start what they were told before. Each move is excluded alone, so that none of these is ever
    /// missing, and what is found meanwhile about one of these is true.
    fn exclude_others(&mut self, link: &mut Link, position: &AnyPosition, wanted: &[Move]) {
        self.has_excluded = true;
        let moves = position.legal_moves();
        for m in moves.into_iter().filter(|m| !wanted.contains(m)) {
            link.send(&format!("exclude {}", write_move(position, m)));
        }
        if self.features.ping {
            self.exclusion_pong = Some(self.send_ping(link));
        }
    }

    /// Sets up a new game or continues the current one, in force mode.
    fn set_up(&mut self, link: &mut Link, game: &Game) -> Result {
        let is_known = self
            .game
            .as_ref()
            .is_some_and(|old| old.start() == game.start());
        if is_known {
            link.send("force");
            self.mode = EngineMode::Force;
        } else {
            self.begin_game(link, game)?;
        }
        self.take_back(link, game);
        self.send_moves(link, game);
        Ok(())
    }
}

/// `pong N`, anywhere in its line: some engines print a prompt before it.
fn pong(line: &str) -> Option<u32> {
    let (_, number) = line.rsplit_once("pong ")?;
    number.trim().parse().ok()
}

/// Whether a line says that an option could not be set: `Error (cannot use): option NAME=VALUE`.
fn is_about_option(line: &str) -> bool {
    let rest = line.strip_prefix("Error");
    let command = rest.and_then(|rest| rest.split_once("): "));
    command.is_some_and(|(_, command)| split_word(command).0 == "option")
}

/// Whether a line refuses a move or a position. Some engines call every command that they do not
/// know an illegal move.
fn is_refusal(line: &str) -> bool {
    if line.starts_with("tellusererror Illegal position") {
        return true;
    }
    let Some(rest) = line.strip_prefix("Illegal move") else {
        return false;
    };
    let text = rest.rsplit_once(':').map_or("", |(_, text)| text.trim());
    let (word, _) = split_word(text.trim_start_matches("usermove "));
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    word.is_empty() || word.starts_with("O-O") || word.as_bytes().windows(2).any(is_square)
}

/// How an engine that is to move ends the game instead, if it does: it resigns, or claims a result.
fn given_up(text: &str, game: &Game) -> Option<PlayResult> {
    let (word, rest) = split_word(text);
    let results = ["1-0", "0-1", "1/2-1/2"];
    let claim = results.into_iter().find(|&result| result == word);
    let own_loss = if game.position().turn().is_white() {
        "0-1"
    } else {
        "1-0"
    };
    let resigned =
        word == "resign" || (word, rest.trim()) == ("tellics", "resign") || claim == Some(own_loss);
    (resigned || claim.is_some()).then(|| PlayResult {
        resigned,
        claim,
        ..PlayResult::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals() {
        for line in [
            "Illegal move: e2e4",
            "Illegal move (in check): Nf3",
            "Illegal move: usermove e7e8q",
            "Illegal move: O-O",
            "Illegal move",
            "tellusererror Illegal position",
        ] {
            assert!(is_refusal(line), "{line}");
        }
        for line in [
            "Illegal move: computer",
            "Illegal move: level 0 1 0",
            "Error (x): e2e4",
        ] {
            assert!(!is_refusal(line), "{line}");
        }
        assert!(is_about_option("Error (cannot use): option EvalFile=none"));
        for line in [
            "Error (unknown command): accepted option",
            "Error (x): memory 1",
            "option x",
        ] {
            assert!(!is_about_option(line), "{line}");
        }
        assert_eq!(pong("Sjeng: pong 3"), Some(3));
        assert_eq!(pong("pong"), None);
    }
}
