//! `mola epd`: positions with operations as data, with python-chess's names and messages.

use crate::clocks::with_clocks;
use crate::pockets::{refuse_dash, refuse_dash_in_epd};
use crate::{messages, names};
use common::batch::{self, VariantChoice};
use common::error::Result;
use common::input::shorten;
use engine_core::notation::{
    Epd, EpdError, EpdProblem, MoveError, Operand, Operations, whole_number,
};
use engine_core::{AnyPosition, CastlingMode, Move, Role, Setup, Square, Variant};
use indexmap::IndexMap;
use notation::epd::{self, EXAMPLES};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

const BATCH: &str = "  mola epd --file suite.epd --json       the same as JSON

With --batch each line of standard input is a JSON record: `epd` is read, or `fen` with `ops` is
written if the record has `write`, any text, which the answer repeats; `variant` and `chess960` are
optional. Operands are JSON numbers, text and null, {\"float\": \"1.0\"}, {\"move\": \"e2e4\"} and lists of moves.";

/// Read EPD: positions with operations, such as test suites.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(
    after_help = format!("{EXAMPLES}\n{BATCH}"),
    mut_group("positions", |group| group.arg("batch")),
)]
pub struct Args {
    #[command(flatten)]
    plain: epd::Args,
    /// Write a line of JSON for each EPD
    #[arg(long)]
    json: bool,
    /// Answer a JSON record on each line of standard input
    #[arg(long, conflicts_with_all = ["json", "variant", "chess960"])]
    batch: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// When an EPD cannot be read.
pub fn run(args: &Args) -> Result {
    if args.batch {
        batch::run(answer)
    } else if args.json {
        epd::run_with(&args.plain, |text, variant, mode| {
            let answer = read(text.to_owned(), variant, mode);
            let text = serde_json::to_string(&answer).map_err(|error| error.to_string())?;
            match answer {
                EpdAnswer::Error { message, .. } => crate::refuse(&text, message),
                _ => Ok(text + "\n"),
            }
        })
    } else {
        epd::run(&args.plain)
    }
}

/// Operands by opcode, as JSON: numbers as they are written, however long.
type Ops = IndexMap<String, Box<RawValue>>;

/// A record of `--batch`.
#[derive(Deserialize)]
struct EpdQuery {
    epd: Option<String>,
    write: Option<String>,
    fen: Option<String>,
    #[serde(default)]
    ops: Ops,
    // Not flattened, which raw JSON beside it would not survive.
    variant: Option<String>,
    #[serde(default)]
    chess960: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum EpdAnswer {
    Read {
        epd: String,
        ok: bool,
        fen: String,
        ops: Ops,
        #[serde(flatten)]
        written: Written,
    },
    Written {
        write: String,
        fen: String,
        ops: Ops,
        ok: bool,
        written: String,
        #[serde(flatten)]
        again: Again,
    },
    Error {
        #[serde(flatten)]
        query: Repeated,
        ok: bool,
        error: &'static str,
        message: String,
    },
}

/// What an error repeats of the record.
#[derive(Serialize)]
#[serde(untagged)]
enum Repeated {
    Epd {
        epd: String,
    },
    Write {
        write: String,
        fen: String,
        ops: Ops,
    },
}

/// The EPD written again.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    Written(String),
    WriteError(String),
}

/// What was written, read again.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Again {
    Reparsed(Ops),
    ReparseError(String),
}

fn answer(query: EpdQuery) -> std::result::Result<EpdAnswer, String> {
    let rules = VariantChoice {
        variant: query.variant,
        chess960: query.chess960,
    };
    let (variant, mode) = rules.resolve()?;
    match (query.epd, query.write, query.fen) {
        (Some(epd), _, _) => Ok(read(epd, variant, mode)),
        (None, Some(write), Some(fen)) => write_record(write, fen, query.ops, variant, mode),
        _ => Err("the record has neither `epd` nor `write` with `fen`".to_owned()),
    }
}

fn read(text: String, variant: Variant, mode: CastlingMode) -> EpdAnswer {
    let read = Epd::read(&text, variant, mode);
    if let Err(message) = refuse_dash_in_epd(&text, variant, &read) {
        return refused(Repeated::Epd { epd: text }, "ValueError", message);
    }
    match read {
        Ok(epd) => EpdAnswer::Read {
            ok: true,
            fen: with_clocks(&epd.position.fen(), &epd.fen),
            ops: to_json(&epd.operations, &epd.position),
            written: match epd.write() {
                Ok(text) => Written::Written(text),
                Err(error) => {
                    Written::WriteError(format!("ValueError: {}", messages::epd(&error, variant)))
                }
            },
            epd: text,
        },
        Err(error) => refused(
            Repeated::Epd { epd: text },
            class_of(&error),
            messages::epd(&error.problem, variant),
        ),
    }
}

/// An EPD that cannot be read, or operations that are not written.
fn refused(query: Repeated, error: &'static str, message: String) -> EpdAnswer {
    EpdAnswer::Error {
        query,
        ok: false,
        error,
        message,
    }
}

fn class_of(error: &EpdError) -> &'static str {
    match &error.problem {
        EpdProblem::Move { error, .. } => names::exception(error),
        _ => "ValueError",
    }
}

fn write_record(
    write: String,
    fen: String,
    ops: Ops,
    variant: Variant,
    mode: CastlingMode,
) -> std::result::Result<EpdAnswer, String> {
    refuse_dash(&fen, variant).map_err(|error| format!("fen: {error}"))?;
    let setup = Setup::from_variant_fen(variant, &fen).map_err(|error| format!("fen: {error}"))?;
    let position = AnyPosition::from_setup_as_written(variant, &setup, mode);
    let operations = from_json(&ops, &position)?;
    if let Some(number) = operations.iter().find_map(|(_, operand)| match operand {
        Operand::Float(number) if !number.is_finite() => Some(*number),
        _ => None,
    }) {
        let number = number.to_string().to_lowercase();
        let message = format!("expected numeric epd operand to be finite, got: {number}");
        let query = Repeated::Write { write, fen, ops };
        return Ok(refused(query, "AssertionError", message));
    }
    Ok(match operations.write(&position) {
        Ok(written) => EpdAnswer::Written {
            again: match Epd::read(&written, variant, mode) {
                Ok(epd) => Again::Reparsed(to_json(&epd.operations, &epd.position)),
                Err(error) => Again::ReparseError(messages::epd(&error.problem, variant)),
            },
            write,
            fen,
            ops,
            ok: true,
            written,
        },
        Err(error) => {
            let message = messages::epd(&error, variant);
            refused(Repeated::Write { write, fen, ops }, "ValueError", message)
        }
    })
}

/// A number with a fraction: JSON cannot tell 1.0 from 1.
#[derive(Serialize, Deserialize)]
struct Float {
    float: String,
}

/// A move in UCI notation.
#[derive(Serialize, Deserialize)]
struct MoveOperand {
    #[serde(rename = "move")]
    uci: String,
}

fn to_json(operations: &Operations, position: &AnyPosition) -> Ops {
    let raw = |(opcode, operand): (&str, &Operand)| {
        let json = match operand {
            Operand::None => to_raw_value(&()),
            Operand::Move(m) => to_raw_value(&move_operand(position, *m)),
            Operand::Moves(moves) => {
                let mut board = *position;
                let moves: Vec<MoveOperand> = moves
                    .iter()
                    .map(|&m| {
                        let operand = move_operand(&board, m);
                        if opcode == "pv" {
                            board.play_or_pass(m);
                        }
                        operand
                    })
                    .collect();
                to_raw_value(&moves)
            }
            Operand::Text(text) => to_raw_value(text),
            Operand::Integer(digits) => RawValue::from_string(digits.clone()),
            Operand::Float(number) => to_raw_value(&Float {
                float: engine_core::notation::float(*number),
            }),
        };
        Some((opcode.to_owned(), json.ok()?))
    };
    operations.iter().filter_map(raw).collect()
}

fn move_operand(position: &AnyPosition, m: Option<Move>) -> MoveOperand {
    MoveOperand {
        uci: m.map_or("0000".to_owned(), |m| position.to_uci(m).to_string()),
    }
}

/// One operand as JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum JsonOperand {
    Nothing(()),
    Truth(bool),
    Text(String),
    Float(Float),
    Move(MoveOperand),
    Moves(Vec<MoveOperand>),
}

fn from_json(ops: &Ops, position: &AnyPosition) -> std::result::Result<Operations, String> {
    let mut operations = Operations::default();
    for (opcode, raw) in ops {
        let json = raw.get();
        let operand = if let Some(digits) = whole_number(json) {
            Operand::Integer(digits)
        } else if let Ok(number) = json.parse::<f64>() {
            Operand::Float(number)
        } else {
            let operand: JsonOperand = serde_json::from_str(json)
                .map_err(|_| format!("ops: {opcode}: not an operand: {}", shorten(json)))?;
            operand_of(opcode, operand, position)?
        };
        operations.set(opcode.clone(), operand);
    }
    Ok(operations)
}

fn operand_of(
    opcode: &str,
    json: JsonOperand,
    position: &AnyPosition,
) -> std::result::Result<Operand, String> {
    Ok(match json {
        JsonOperand::Nothing(()) => Operand::None,
        // Python reads it as a number, and writes it as a word.
        JsonOperand::Truth(true) => Operand::Integer("True".to_owned()),
        JsonOperand::Truth(false) => Operand::Integer("False".to_owned()),
        JsonOperand::Text(text) => Operand::Text(text),
        JsonOperand::Float(Float { float }) => {
            let number = float.parse::<f64>();
            Operand::Float(number.map_err(|_| format!("ops: {opcode}: not a number: {float}"))?)
        }
        JsonOperand::Move(m) => Operand::Move(any_move(position, &m.uci)?),
        JsonOperand::Moves(moves) => {
            let mut board = *position;
            let mut list = Vec::with_capacity(moves.len());
            for m in moves {
                let m = any_move(&board, &m.uci)?;
                if opcode == "pv" {
                    board.play_or_pass(m);
                }
                list.push(m);
            }
            match opcode {
                "pv" | "am" | "bm" => Operand::Moves(list),
                _ => Operand::Text(listed(position, &list)),
            }
        }
    })
}

/// Moves under an opcode that takes none, as python-chess shows a list of them.
fn listed(position: &AnyPosition, moves: &[Option<Move>]) -> String {
    let uci = |&m: &Option<Move>| format!("Move.from_uci('{}')", move_operand(position, m).uci);
    format!("[{}]", moves.iter().map(uci).collect::<Vec<_>>().join(", "))
}

/// A move that may be written though it is not legal, as long as a piece is there to go.
fn any_move(position: &AnyPosition, text: &str) -> std::result::Result<Option<Move>, String> {
    match position.parse_uci(text) {
        Ok(m) => Ok(Some(m)),
        Err(MoveError::Null) => Ok(None),
        Err(error @ MoveError::Syntax) => Err(format!("ops: {text}: {error}")),
        Err(error) => {
            let square = |range: std::ops::Range<usize>| {
                text.get(range).and_then(|name| name.parse::<Square>().ok())
            };
            let role = text
                .get(4..5)
                .and_then(|letter| Role::from_letter(letter.chars().next()?));
            let occupied = position.board().occupied();
            match (
                square(0..2).filter(|&from| occupied.has(from)),
                square(2..4),
                role,
            ) {
                (Some(from), Some(to), Some(role)) => Ok(Some(Move::promotion(from, to, role))),
                (Some(from), Some(to), None) => Ok(Some(Move::normal(from, to))),
                _ => Err(format!("ops: {text}: {error}")),
            }
        }
    }
}
