//! The Universal Chess Interface, from the side of the GUI.

mod declare;
mod go;
mod info;
mod message;
mod moves;

pub use message::{BestMove, UciCommand, UciMessage};

use super::error::{ErrorKind, Result};
use super::link::{self, Dialect, Link};
use super::option::EngineOption;
use super::process::EngineLine;
use super::request::{EngineRequest, Opponent, PlayResult, SearchEvent};
use common::input::shorten;
use common::option_value::OptionValue;
use engine_core::notation::EnPassant;
use engine_core::search::Limits;
use engine_core::{AnyPosition, CastlingMode, Game, Variant, dispatch};
use std::time::{Duration, Instant};

/// How long an engine may prepare for a new game: clearing a large table takes a while.
const PREPARATION: Duration = Duration::from_mins(1);

/// UCI with one engine.
#[derive(Default)]
pub(super) struct Uci {
    root: Option<AnyPosition>,
    /// The next search is the first of a game.
    new_game: bool,
    opponent: Option<String>,
    greeted: bool,
}

impl Dialect for Uci {
    fn handshake(&mut self, link: &mut Link, deadline: Instant) -> Result {
        let start = AnyPosition::start(Variant::Standard);
        say(link, &UciCommand::Uci);
        link.wait_for_introduction(deadline, "waiting for uciok", |link, line| {
            match UciMessage::read(line, &start) {
                UciMessage::UciOk => return true,
                UciMessage::Name(name) => name.clone_into(&mut link.name),
                UciMessage::Author(author) => author.clone_into(&mut link.author),
                UciMessage::Option(option) => link.options.declare(option),
                _ => {}
            }
            false
        })?;
        self.new_game = true;
        self.greeted = true;
        Ok(())
    }

    fn set(&mut self, link: &mut Link, option: &EngineOption, value: &OptionValue) {
        say(link, &UciCommand::SetOption(&option.name, value));
    }

    fn ping(&mut self, link: &mut Link, deadline: Instant) -> Result {
        self.remarks(link, deadline).map(drop)
    }

    fn remarks(&mut self, link: &mut Link, deadline: Instant) -> Result<Vec<String>> {
        let mut remarks = Vec::new();
        say(link, &UciCommand::IsReady);
        link.wait_for(deadline, "waiting for readyok", |_, line| {
            if let Some(remark) = line.strip_prefix("info string ")
                && remarks.len() < link::MAX_REMARKS
            {
                remarks.push(shorten(remark.trim()));
            }
            line == "readyok"
        })?;
        Ok(remarks)
    }

    fn check_game(&self, link: &Link, start: &AnyPosition, _limits: &Limits) -> Result {
        variant_value(link, start).map(drop)
    }

    fn new_game(&mut self, _link: &mut Link, opponent: Option<&Opponent>) {
        self.new_game = true;
        self.opponent = opponent.map(|opponent| {
            let title = opponent.title.as_deref().unwrap_or("none");
            let rating = opponent.rating.map_or("none".to_owned(), |r| r.to_string());
            let kind = if opponent.is_engine {
                "computer"
            } else {
                "human"
            };
            format!("{title} {rating} {kind} {}", opponent.name)
        });
    }

    fn begin(&mut self, link: &mut Link, game: &Game, request: &EngineRequest) -> Result {
        self.manage_options(link, request)?;
        self.set_rules(link, game.position())?;
        if std::mem::take(&mut self.new_game) {
            say(link, &UciCommand::NewGame);
            if let Some(opponent) = self.opponent.take()
                && link.has_option("UCI_Opponent")
            {
                link::set(self, link, "UCI_Opponent", &OptionValue::Text(opponent));
            }
            self.ping(link, Instant::now() + PREPARATION)?;
        }
        // Drops late lines about the last search.
        while link.process.try_receive().is_some() {}
        say(link, &UciCommand::Position(game));
        say(link, &UciCommand::Go(&request.limits, game.position()));
        self.root = Some(*game.position());
        Ok(())
    }

    fn handle_line(&mut self, link: &mut Link, line: &EngineLine) -> Result<Option<SearchEvent>> {
        let Some(root) = self.root else {
            return Ok(None);
        };
        match UciMessage::read(&line.text, &root) {
            UciMessage::Info(info) => Ok(Some(SearchEvent::Info(info))),
            UciMessage::BestMove(answer) => {
                let played = best_move(link, &root, answer)?;
                Ok(Some(SearchEvent::Done(Box::new(played))))
            }
            _ => Ok(None),
        }
    }

    fn stop(&mut self, link: &mut Link) {
        say(link, &UciCommand::Stop);
    }

    fn ponder_hit(&mut self, link: &mut Link) {
        say(link, &UciCommand::PonderHit);
    }

    fn finish(&mut self, _link: &mut Link, _result: &str, _reason: &str) {}
}

fn say(link: &mut Link, command: &UciCommand<'_>) {
    link.send(&command.to_string());
}

impl Uci {
    /// Options that follow from the request.
    fn manage_options(&mut self, link: &mut Link, request: &EngineRequest) -> Result {
        if !link.options.is_wanted("UCI_AnalyseMode")
            && !request
                .options
                .iter()
                .any(|(name, _)| name.eq_ignore_ascii_case("UCI_AnalyseMode"))
        {
            link::set(
                self,
                link,
                "UCI_AnalyseMode",
                &OptionValue::Flag(request.analyse),
            );
        }
        let ponders = request.may_ponder || request.limits.ponder;
        link::set(self, link, "Ponder", &OptionValue::Flag(ponders));
        let lines = request.multi_pv.unwrap_or(1);
        let value = match link.options.find("MultiPV") {
            Some((_, option)) => option.parse(&lines.to_string()),
            None => Err("it has no option MultiPV".to_owned()),
        };
        match value {
            Ok(value) => link::set(self, link, "MultiPV", &value),
            Err(why) if lines > 1 => return Err(link.unsupported(why)),
            Err(_) => {}
        }
        Ok(())
    }

    /// The rules of the game: variant and castling.
    fn set_rules(&mut self, link: &mut Link, position: &AnyPosition) -> Result {
        if let Some(value) = variant_value(link, position)? {
            link::set(self, link, "UCI_Variant", &value);
        }
        let is_960 = OptionValue::Flag(is_chess960(position));
        link::set(self, link, "UCI_Chess960", &is_960);
        Ok(())
    }
}

/// The value of the option `UCI_Variant` for a position, if the engine has that option.
///
/// # Errors
/// When the engine does not play by these rules.
fn variant_value(link: &Link, position: &AnyPosition) -> Result<Option<OptionValue>> {
    let variant = position.variant();
    // It may have the option, and not this value.
    let option = link.options.find("UCI_Variant");
    let value = option.map(|(_, option)| option.parse(variant.uci()).ok());
    let is_known = value
        .as_ref()
        .map_or(variant == Variant::Standard, Option::is_some);
    if !is_known {
        return Err(link.unsupported(format!("it does not play {variant}")));
    }
    if is_chess960(position) && !link.has_option("UCI_Chess960") {
        return Err(link.unsupported("it does not play Chess960"));
    }
    Ok(value.flatten())
}

fn is_chess960(position: &AnyPosition) -> bool {
    position.mode() == CastlingMode::Chess960
}

/// The command `position`. A game with null moves is sent without its history.
fn position(game: &Game) -> String {
    let has_null = game.moves().contains(&None);
    let start = if has_null {
        game.position()
    } else {
        game.start()
    };
    let fen = if is_chess960(start) {
        dispatch!(start, |start| start.shredder_fen(EnPassant::Legal))
    } else {
        start.fen()
    };
    let mut text = if fen == Variant::Standard.start_fen() && start.variant() == Variant::Standard {
        "position startpos".to_owned()
    } else {
        format!("position fen {fen}")
    };
    if !has_null && !game.moves().is_empty() {
        text.push_str(" moves");
        for (before, m) in game.plies() {
            if let Some(m) = m {
                text.push(' ');
                text.push_str(&before.to_uci(m));
            }
        }
    }
    text
}

/// The result of a search. An answer without a move is valid only if the game is over.
fn best_move(link: &Link, root: &AnyPosition, answer: BestMove<'_>) -> Result<PlayResult> {
    let (best, ponder) = match answer {
        BestMove::Move { best, ponder } => (Some(best), ponder),
        BestMove::None(_) if root.outcome().is_some() => (None, None),
        BestMove::None(text) | BestMove::Illegal(text) => return Err(illegal(link, root, text)),
    };
    Ok(PlayResult {
        best,
        ponder,
        ..PlayResult::default()
    })
}

fn illegal(link: &Link, root: &AnyPosition, text: &str) -> super::Error {
    link.error(ErrorKind::IllegalMove {
        text: shorten(text),
        fen: root.fen(),
    })
}
