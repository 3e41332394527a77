//! One game by JSON lines: a request a line, and for each a reply of one line.
//!
//! | request | reply |
//! |---|---|
//! | `{"cmd":"reset"}`, also with `"fen":"…"` | the state |
//! | `{"cmd":"step","action":77}` | the state |
//! | `{"cmd":"observe"}`, also with `"player":1` | `player`, `shape`, `observation`: bits in hexadecimal, the first in the highest place |
//! | `{"cmd":"mask"}`, also with `"player":1` | `player`, `actions`, and the same as UCI `moves` |
//! | `{"cmd":"render"}`, also with `"mode":"svg"` | `render`: the picture |
//! | `{"cmd":"close"}` | `closed`, and the end |
//!
//! The state is `player` (to act: 0 is White, 1 is Black), `rewards` of both players, `terminated`,
//! `truncated`, `end` (why the game is over, or null) and `fen`. A request that is refused is
//! answered with `{"error":"…"}` and changes nothing; an action that is not legal loses the game.

use super::game::{Config, Env, EnvError, GameEnd, no_action, start_from_fen};
use super::pack::pack;
use super::render;
use common::error::Result;
use common::input::read_line;
use common::output::Output;
use engine_core::notation::EnPassant;
use engine_core::{Color, Termination};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use std::fmt::Write;
use std::io::BufRead;

#[derive(Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase", deny_unknown_fields)]
enum EnvRequest {
    Reset { fen: Option<String> },
    Step { action: ActionNumber },
    Observe { player: Option<PlayerNumber> },
    Mask { player: Option<PlayerNumber> },
    Render { mode: Option<RenderMode> },
    Close {},
}

/// A number that may be one of an action.
#[derive(Deserialize)]
#[serde(try_from = "Number")]
struct ActionNumber(usize);

impl TryFrom<Number> for ActionNumber {
    type Error = String;

    fn try_from(number: Number) -> std::result::Result<ActionNumber, String> {
        let index = number.as_u64().and_then(|index| index.try_into().ok());
        index.map(ActionNumber).ok_or_else(|| no_action(number))
    }
}

/// A player by number.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(try_from = "u8", into = "u8")]
struct PlayerNumber(Color);

impl TryFrom<u8> for PlayerNumber {
    type Error = &'static str;

    fn try_from(number: u8) -> std::result::Result<PlayerNumber, &'static str> {
        match number {
            0 => Ok(PlayerNumber(Color::White)),
            1 => Ok(PlayerNumber(Color::Black)),
            _ => Err("players are 0 and 1"),
        }
    }
}

impl From<PlayerNumber> for u8 {
    fn from(player: PlayerNumber) -> u8 {
        player.0 as u8
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RenderMode {
    Ansi,
    Svg,
}

#[derive(Serialize)]
#[serde(untagged)]
enum EnvReply {
    State {
        player: PlayerNumber,
        rewards: [i8; 2],
        terminated: bool,
        truncated: bool,
        end: Option<&'static str>,
        fen: String,
    },
    Observation {
        player: PlayerNumber,
        shape: [usize; 3],
        observation: String,
    },
    Mask {
        player: PlayerNumber,
        actions: Vec<usize>,
        moves: Vec<String>,
    },
    Render {
        render: String,
    },
    Closed {
        closed: bool,
    },
    Error {
        error: String,
    },
}

/// Answers requests until the input ends or one of them is to close.
///
/// # Errors
/// When reading or writing fails.
pub fn serve(config: &Config, input: &mut impl BufRead, output: &mut Output) -> Result {
    let mut env = None;
    while let Some(line) = read_line(input)? {
        let reply = line
            .json_object()
            .and_then(|request| answer(config, &mut env, request).map_err(|e| e.to_string()));
        let reply = reply.unwrap_or_else(|error| EnvReply::Error { error });
        let text = serde_json::to_string(&reply).map_err(|error| error.to_string())?;
        output.line(text)?;
        if matches!(reply, EnvReply::Closed { .. }) {
            break;
        }
    }
    Ok(())
}

/// Carries out a request. There is no game before the first reset.
fn answer(
    config: &Config,
    slot: &mut Option<Env>,
    request: EnvRequest,
) -> std::result::Result<EnvReply, EnvError> {
    match request {
        EnvRequest::Reset { fen } => {
            let start = fen.as_deref().map(start_from_fen).transpose()?;
            let env = slot.get_or_insert_with(|| Env::new(config.clone()));
            env.reset_to(start.or(config.start));
            Ok(state(env))
        }
        EnvRequest::Step { action } => {
            let env = started(slot)?;
            env.step(action.0)?;
            Ok(state(env))
        }
        EnvRequest::Observe { player } => observation(started(slot)?, player),
        EnvRequest::Mask { player } => Ok(mask(started(slot)?, player)),
        EnvRequest::Render { mode } => Ok(picture(started(slot)?, mode)),
        EnvRequest::Close {} => Ok(EnvReply::Closed { closed: true }),
    }
}

fn started(slot: &mut Option<Env>) -> std::result::Result<&mut Env, EnvError> {
    slot.as_mut().ok_or(EnvError::NotReset)
}

fn state(env: &Env) -> EnvReply {
    EnvReply::State {
        player: PlayerNumber(env.player()),
        rewards: env.rewards(),
        terminated: env.is_terminated(),
        truncated: env.is_truncated(),
        end: env.end().map(reason),
        fen: env.position().fen(EnPassant::Legal),
    }
}

fn reason(end: GameEnd) -> &'static str {
    match end {
        GameEnd::Illegal(_) => "illegal action",
        GameEnd::Limit => "ply limit",
        GameEnd::Outcome(outcome) => match outcome.termination {
            Termination::VariantWin | Termination::VariantLoss | Termination::VariantDraw => {
                "rule of the variant"
            }
            termination => termination.name(),
        },
    }
}

fn observation(env: &Env, player: Option<PlayerNumber>) -> std::result::Result<EnvReply, EnvError> {
    let player = player.unwrap_or(PlayerNumber(env.player()));
    let form = env.config().form;
    let mut bytes = vec![0; form.bytes()];
    env.observe(player.0, &mut bytes)?;
    let mut observation = String::with_capacity(bytes.len() / 4);
    for byte in pack(&bytes) {
        // Writing to a string cannot fail.
        let _ = write!(observation, "{byte:02x}");
    }
    Ok(EnvReply::Observation {
        player,
        shape: [8, 8, form.channels()],
        observation,
    })
}

/// Only the player to act has legal actions.
fn mask(env: &Env, player: Option<PlayerNumber>) -> EnvReply {
    let player = player.unwrap_or(PlayerNumber(env.player()));
    let legal = if player.0 == env.player() {
        env.legal()
    } else {
        &[]
    };
    let uci = |m| env.position().to_uci(m).to_string();
    EnvReply::Mask {
        player,
        actions: legal.iter().map(|&(action, _)| action).collect(),
        moves: legal.iter().map(|&(_, m)| uci(m)).collect(),
    }
}

fn picture(env: &Env, mode: Option<RenderMode>) -> EnvReply {
    let board = env.position().board();
    let render = match mode.unwrap_or(RenderMode::Ansi) {
        RenderMode::Ansi => render::ansi(board),
        RenderMode::Svg => render::svg(board),
    };
    EnvReply::Render { render }
}
