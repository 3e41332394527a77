//! Reading an EPD.

use super::opcode::{is_opcode, is_space};
use super::write::float;
use super::{Epd, EpdError, EpdProblem, Operand, Operations};
use crate::notation::{MoveError, MoveText, is_blank, real_number, whole_number, words};
use crate::{AnyPosition, CastlingMode, Move, Setup, Variant};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Opcodes whose operands are lists of moves.
const LISTS: [&str; 3] = ["pv", "am", "bm"];

impl Epd {
    /// Reads an EPD. Faults of the position are left in place; moves must be legal in it.
    ///
    /// # Errors
    /// Says what is wrong and where.
    pub fn read(text: &str, variant: Variant, mode: CastlingMode) -> Result<Epd, EpdError> {
        let fields = variant.epd_fields();
        let bare = text.trim_matches(is_blank).trim_end_matches(';');
        let Some((position, rest)) = split_fields(bare, fields) else {
            // Without operations it is a FEN, which may have clocks.
            return Epd::finish(text, variant, mode, Operations::default());
        };
        let mut board = None;
        let mut make_board = || {
            if let Some(board) = board {
                return Ok(board);
            }
            let fen = format!("{position} 0 1");
            let read = Epd::finish(&fen, variant, mode, Operations::default());
            let epd = read.map_err(|error| in_line(error, text, &position))?;
            Ok(*board.insert(epd.position))
        };
        let mut reader = OperationReader {
            text,
            rest,
            board: &mut make_board,
            operations: Operations::default(),
        };
        while reader.operation()? {}
        let operations = reader.operations;
        // Other text than a whole number is copied into the FEN, and refused there.
        let clock = |opcode: &str, default: &str| match operations.get(opcode) {
            None => default.to_owned(),
            Some(Operand::Integer(text) | Operand::Text(text)) => text.clone(),
            Some(Operand::Float(number)) => float(*number),
            Some(Operand::Move(m)) => match m.zip(board) {
                Some((m, board)) => board.to_uci(m).to_string(),
                None => MoveText::null_uci().to_string(),
            },
            Some(Operand::Moves(_)) => MoveText::null_uci().to_string(),
            Some(Operand::None) => "None".to_owned(),
        };
        let whole = format!("{position} {} {}", clock("hmvc", "0"), clock("fmvn", "1"));
        let read = Epd::finish(&whole, variant, mode, operations);
        read.map_err(|error| in_line(error, text, &position))
    }

    fn finish(
        fen: &str,
        variant: Variant,
        mode: CastlingMode,
        operations: Operations,
    ) -> Result<Epd, EpdError> {
        let setup = Setup::from_variant_fen(variant, fen).map_err(|error| EpdError {
            column: error.faults().first().map_or(1, |fault| fault.column),
            problem: EpdProblem::Position {
                fen: fen.to_owned(),
                error,
            },
        })?;
        Ok(Epd {
            position: AnyPosition::from_setup_as_written(variant, &setup, mode),
            setup,
            fen: fen.to_owned(),
            operations,
        })
    }
}

/// The first fields of a text, and all that follows on them if anything does.
fn split_fields(text: &str, count: usize) -> Option<(String, &str)> {
    let mut rest = text;
    let mut fields = Vec::with_capacity(count);
    for _ in 0..count {
        let (field, after) = rest.split_at_checked(rest.find(is_blank)?)?;
        fields.push(field);
        rest = after.trim_start_matches(is_blank);
    }
    (!rest.is_empty()).then(|| (fields.join(" "), rest))
}

/// An error in the FEN that was made of an EPD, with columns of the EPD. Those of the clocks, which come from
/// operations, stay.
fn in_line(error: EpdError, text: &str, position: &str) -> EpdError {
    let length = position.chars().count();
    error.map_columns(|column| {
        if column > length {
            column
        } else {
            column_in(text, column)
        }
    })
}

/// The column in a text that a column of its fields, joined by single blanks, has come from.
fn column_in(text: &str, joined: usize) -> usize {
    let mut columns = 0;
    let mut is_after_blank = true;
    let place = text.chars().position(|letter| {
        columns += usize::from(!is_blank(letter) || !is_after_blank);
        is_after_blank = is_blank(letter);
        columns == joined
    });
    place.map_or(joined, |place| place + 1)
}

struct OperationReader<'a, B> {
    text: &'a str,
    rest: &'a str,
    /// Gives the position for moves. A fault of it does not count before the first operand that is one.
    board: B,
    operations: Operations,
}

impl<'a, B: FnMut() -> Result<AnyPosition, EpdError>> OperationReader<'a, B> {
    /// Reads the next operation; false at the end of the text.
    fn operation(&mut self) -> Result<bool, EpdError> {
        self.rest = self
            .rest
            .trim_start_matches(|letter| is_space(letter) || letter == ';');
        let at = self.rest;
        let opcode = self.take_until(|letter| is_space(letter) || letter == ';');
        match opcode {
            "" => return Ok(false),
            // A dash is no operation.
            "-" => return Ok(true),
            _ => {}
        }
        if !self.rest.starts_with(is_space) {
            self.operations.set(opcode.to_owned(), nothing(opcode));
            return Ok(true);
        }
        if !is_opcode(opcode) {
            return Err(self.error(at, EpdProblem::Opcode(opcode.to_owned())));
        }
        self.rest = self.rest.trim_start_matches(is_space);
        let operand = self.operand(opcode)?;
        self.operations.set(opcode.to_owned(), operand);
        Ok(true)
    }

    fn operand(&mut self, opcode: &str) -> Result<Operand, EpdError> {
        let at = self.rest;
        if let Some(quoted) = self.rest.strip_prefix('"') {
            self.rest = quoted;
            return Ok(Operand::Text(self.quoted()));
        }
        let text = self.take_until(|letter| letter == ';');
        match text.chars().next() {
            None => Ok(nothing(opcode)),
            Some('+' | '-' | '.' | '0'..='9') => {
                let number = if text.contains(['.', 'e', 'E']) {
                    real_number(text).map(Operand::Float)
                } else {
                    whole_number(text).map(Operand::Integer)
                };
                match number {
                    Some(Operand::Float(number)) if number.is_infinite() => {
                        let (opcode, number) = (opcode.to_owned(), text.to_owned());
                        Err(self.error(at, EpdProblem::NumberTooLarge { opcode, number }))
                    }
                    number => {
                        number.ok_or_else(|| self.error(at, EpdProblem::Number(text.to_owned())))
                    }
                }
            }
            Some(_) => self.moves(opcode, text, at),
        }
    }

    fn moves(&mut self, opcode: &str, text: &str, at: &str) -> Result<Operand, EpdError> {
        let mut board = (self.board)()?;
        let is_list = LISTS.contains(&opcode);
        let mut moves = Vec::new();
        let texts: Vec<&str> = if is_list {
            words(text).collect()
        } else {
            vec![text]
        };
        for word in texts {
            let problem = |error| EpdProblem::Move {
                text: word.to_owned(),
                error,
                position: Box::new(board),
            };
            let m = read_move(&board, word).map_err(|error| self.error(at, problem(error)))?;
            if opcode == "pv" {
                board.play_or_pass(m);
            }
            moves.push(m);
        }
        Ok(match *moves {
            [m] if !is_list => Operand::Move(m),
            _ => Operand::Moves(moves),
        })
    }

    /// The text up to the closing quotation mark or, without one, the end.
    fn quoted(&mut self) -> String {
        let mut value = String::new();
        let mut letters = self.rest.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => break,
                '\\' => value.extend(letters.next().map(|escaped| match escaped {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    other => other,
                })),
                other => value.push(other),
            }
        }
        self.rest = letters.as_str();
        value
    }

    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    #[cold]
    fn error(&self, at: &str, problem: EpdProblem) -> EpdError {
        // `at` is a suffix of the text, up to trailing blanks and semicolons.
        let bare = self.text.trim_start_matches(is_blank);
        let end = self.text.trim_end_matches(is_blank).trim_end_matches(';');
        let lead = self.text.len() - bare.len();
        let column = end.len().saturating_sub(at.len()).max(lead);
        let column = self.text.get(..column).unwrap_or_default().chars().count();
        EpdError {
            column: column + 1,
            problem,
        }
    }
}

fn read_move(board: &AnyPosition, text: &str) -> Result<Option<Move>, MoveError> {
    match board.parse_san(text) {
        Ok(m) => Ok(Some(m)),
        Err(MoveError::Null) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What an opcode without an operand has.
fn nothing(opcode: &str) -> Operand {
    if LISTS.contains(&opcode) {
        Operand::Moves(Vec::new())
    } else {
        Operand::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_may_take_on_a_square_that_no_pawn_has_passed() {
        for (variant, text, line) in [
            (
                Variant::Standard,
                "4k3/8/8/4PP2/8/8/8/4K3 w - f6 bm exf6;",
                "",
            ),
            (
                Variant::Standard,
                "4k3/8/8/4P3/8/8/8/4K3 w - f6 pv exf6 Kf7 Ke2;",
                "4k3/8/5P2/8",
            ),
            (
                Variant::Atomic,
                "4k3/8/8/4P3/8/8/8/4K3 w - f6 pv exf6 Kf8 Ke2;",
                "4k3/8/5P2/8",
            ),
            (
                Variant::Standard,
                "4k3/8/8/8/4pn2/8/8/4K3 b - f3 sm exf3;",
                "",
            ),
            (
                Variant::Horde,
                "rnbqkbnr/ppp2ppp/2P5/1P1pPPP1/PPP1PPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq g6 bm fxg6;",
                "",
            ),
        ] {
            let epd = Epd::read(text, variant, CastlingMode::Standard).expect(text);
            assert_eq!(epd.write().as_deref(), Ok(text));
            if let Some(Operand::Moves(moves)) = epd.operations.get("pv") {
                let board = epd.position.after(moves[0].expect("a move"));
                assert!(board.fen().starts_with(line), "{}", board.fen());
            }
        }
        // A piece is there, the rank is wrong, or the king is in check.
        for text in [
            "4k3/8/5N2/4P3/8/8/8/4K3 w - f6 bm exf6;",
            "4k3/8/8/8/4P3/8/8/4K3 w - f5 bm exf5;",
            "4k3/8/8/4P3/8/8/8/r3K3 w - f6 bm exf6;",
            "4k3/8/8/K3P2r/8/8/8/8 w - f6 bm exf6;",
        ] {
            assert!(
                Epd::read(text, Variant::Standard, CastlingMode::Standard).is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_bad_position_is_told_when_it_is_needed() {
        const BAD: &str = "8/8/8/8/8/8/8/8  x - -";
        let fault = |operations: &str| {
            let text = format!("{BAD} {operations}");
            Epd::read(&text, Variant::Standard, CastlingMode::Standard).expect_err("a fault")
        };
        for (operations, clocks) in [("hmvc 7;", "7 1"), ("hmvc 7; bm e4;", "0 1")] {
            let error = fault(operations);
            assert_eq!(error.column, 18, "{operations}");
            let EpdProblem::Position { fen, .. } = error.problem else {
                panic!("{operations}: {error}");
            };
            assert_eq!(fen, format!("8/8/8/8/8/8/8/8 x - - {clocks}"));
        }
        assert_eq!(fault("7 8;").problem, EpdProblem::Opcode("7".to_owned()));
    }
}
