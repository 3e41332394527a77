//! A player who sits at the terminal.

use super::history_queries::{result_for, start};
use crate::actions::SenseResult;
use crate::board::Board;
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use crate::player::Player;
use crate::screen::{BoardSigns, Screen, columns};
use common::control_characters::without_control_characters;
use common::error::Result;
use common::input::read_line;
use common::window::wrap;
use engine_core::{Bitboard, Color, Role, Square};
use std::io::{Write, stdin, stdout};

/// A player who sits at the terminal, with the own pieces and what was last seen of the others.
pub(super) struct Human {
    color: Color,
    board: Board,
    /// Squares not sensed since the opponent's move.
    fog: Bitboard,
    sensed: Bitboard,
    marked: Bitboard,
    /// Where the player has put pieces of the opponent by guess.
    guessed: Bitboard,
    signs: BoardSigns,
}

/// What the player is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Sense,
    Move,
}

const HELP: &str = "A square such as e7 senses the nine squares around it, `none` senses nowhere.
A move such as e2e4 or a7a8n asks for it, `pass` passes.
Each turn you sense first, then move.
`mark e5 n` puts a knight of the opponent on e5 as your guess, `mark e5` takes it away.
`board` shows the board, `moves` what you can ask for, `resign` gives up, and so does `quit`.
{fog} is fog: pieces on it stood there when you last looked.
[ ] is what you sense now, * * where you lost a piece, ? ? what you have marked.
";

impl Human {
    pub(super) fn new(signs: BoardSigns) -> Human {
        Human {
            color: Color::White,
            board: Board::start(),
            fog: Bitboard::EMPTY,
            sensed: Bitboard::EMPTY,
            marked: Bitboard::EMPTY,
            guessed: Bitboard::EMPTY,
            signs,
        }
    }

    fn screen(&self) -> Screen {
        Screen {
            pieces: *self.board.pieces(),
            bottom: self.color,
            fog: self.fog - self.board.pieces().color(self.color),
            sensed: self.sensed,
            marked: self.marked,
            guessed: self.guessed,
            signs: self.signs,
        }
    }

    fn show(&self) -> Result {
        Ok(write!(stdout(), "\n{}", self.screen().draw())?)
    }

    /// Asks until the answer can be used.
    fn ask<T>(
        &mut self,
        question: Question,
        prompt: &str,
        moves: &[UciMove],
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T> {
        loop {
            write!(stdout(), "{prompt} ")?;
            stdout().flush()?;
            let Some(line) = read_line(&mut stdin().lock())? else {
                return Err("the input has ended".to_owned().into());
            };
            let text = line.text.trim().to_ascii_lowercase();
            let words: Vec<&str> = text.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["help" | "?"] => {
                    let help = HELP.replace("{fog}", &self.signs.fog().to_string());
                    write!(stdout(), "{}", wrap(&help, columns()))?;
                }
                ["board"] => self.show()?,
                ["mark", words @ ..] => match self.mark(words) {
                    Ok(()) => self.show()?,
                    Err(why) => writeln!(stdout(), "{why}")?,
                },
                ["moves"] => {
                    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
                    let text = format!("{} or pass", texts.join(" "));
                    writeln!(stdout(), "{}", wrap(&text, columns()))?;
                }
                ["resign" | "quit" | "exit"] => {
                    return Err("you have resigned".to_owned().into());
                }
                _ => match read(&text) {
                    Some(answer) => return Ok(answer),
                    None => writeln!(stdout(), "{}", self.why_not(question, &text, moves))?,
                },
            }
        }
    }

    /// Puts a guessed piece of the opponent on a square, or takes it away.
    fn mark(&mut self, words: &[&str]) -> std::result::Result<(), String> {
        let usage = || "a square and a piece expected, as in `mark e5 n`".to_owned();
        let (square, piece) = match words {
            [square] => (square, None),
            [square, piece] => (square, Some(piece)),
            _ => return Err(usage()),
        };
        let square: Square = square.parse().map_err(|_| usage())?;
        let role = |letter: &&str| letter.parse().ok().and_then(Role::from_letter);
        let role = piece
            .map(|letter| role(letter).ok_or_else(usage))
            .transpose()?;
        if self.board.pieces().color(self.color).has(square) {
            return Err(format!("your own piece stands on {square}"));
        }
        if self.sensed.has(square) {
            return Err(format!("you have sensed {square} in this turn"));
        }
        let piece = role.map(|role| role.of(!self.color));
        self.board.set_piece(square, piece);
        match piece {
            Some(_) => self.guessed |= square.bitboard(),
            None => self.guessed -= square.bitboard(),
        }
        Ok(())
    }

    /// Why an answer cannot be used, and what can.
    fn why_not(&self, question: Question, text: &str, moves: &[UciMove]) -> String {
        let own = self.board.pieces().color(self.color);
        let m = text.parse::<UciMove>();
        match (question, m, text.parse::<Square>()) {
            (Question::Sense, Ok(m), _) => format!(
                "you sense first, then you move: a square such as {}, or `none`",
                m.to
            ),
            (Question::Move, _, Ok(square)) => {
                format!("you have sensed: now a move such as e2e4, or `pass`; {square} is a square")
            }
            (Question::Move, Ok(m), _) if !own.has(m.from) => {
                format!("no piece of yours stands on {}", m.from)
            }
            (Question::Move, Ok(m), _) if moves.contains(&m.without_promotion()) => {
                format!("{} is no promotion", m.without_promotion())
            }
            (Question::Move, Ok(m), _) if moves.iter().any(|known| known.has_squares_of(m)) => {
                format!("the pawn on {} becomes a q, r, b or n", m.from)
            }
            (Question::Move, Ok(m), _) => format!(
                "the piece on {} cannot go to {}; `moves` lists the possible requests",
                m.from, m.to
            ),
            (Question::Sense, ..) => {
                format!("{text:?} is not a square: one such as e7 expected, or `none`; see `help`")
            }
            (Question::Move, ..) => {
                format!("{text:?} is not a move: one such as e2e4 expected, or `pass`; see `help`")
            }
        }
    }
}

impl Player for Human {
    fn game_start(&mut self, color: Color, board: &Board, opponent: &str) -> Result {
        self.color = color;
        self.board = board.clone();
        Ok(writeln!(
            stdout(),
            "You play {}, {} the other side. `help` lists the commands.",
            color.name(),
            self.signs.text(&without_control_characters(opponent))
        )?)
    }

    fn opponent_move_result(&mut self, capture: Option<Square>) -> Result {
        self.fog = Bitboard::FULL;
        self.sensed = Bitboard::EMPTY;
        self.marked = capture.map_or(Bitboard::EMPTY, Square::bitboard);
        self.board = self.board.clone().with_turn(self.color);
        self.guessed -= self.board.pieces().color(self.color);
        if let Some(square) = capture {
            let lost = self.board.pieces().piece_at(square);
            let lost = lost.map_or(' ', |piece| self.signs.piece(piece));
            writeln!(stdout(), "\nYour {lost} on {square} was captured.")?;
            self.board.set_piece(square, None);
        }
        self.show()
    }

    fn choose_sense(&mut self, moves: &[UciMove], seconds_left: f64) -> Result<Option<Square>> {
        let prompt = if seconds_left.is_finite() {
            format!("[{seconds_left:.0} s] Sense where?")
        } else {
            "Sense where?".to_owned()
        };
        self.ask(Question::Sense, &prompt, moves, |text| match text {
            "none" | "-" => Some(None),
            _ => text.parse().ok().map(Some),
        })
    }

    fn sense_result(&mut self, result: &SenseResult) -> Result {
        for &(square, piece) in result {
            self.board.set_piece(square, piece);
            self.sensed |= square.bitboard();
        }
        self.guessed -= self.sensed;
        self.fog -= self.sensed;
        self.show()
    }

    fn choose_move(&mut self, moves: &[UciMove], _: f64) -> Result<Option<UciMove>> {
        self.ask(Question::Move, "Your move?", moves, |text| match text {
            "pass" | "-" => Some(None),
            _ => {
                let m: UciMove = text.parse().ok()?;
                let known = moves.contains(&m)
                    || m.promotion.is_none() && moves.iter().any(|known| known.has_squares_of(m));
                known.then_some(Some(m))
            }
        })
    }

    fn move_result(&mut self, result: MoveResult) -> Result {
        let text = match (result.requested, result.taken) {
            (None, _) => "You pass".to_owned(),
            (Some(m), None) => format!("{m} was not possible"),
            (Some(asked), Some(taken)) if asked.to != taken.to => format!("{asked} became {taken}"),
            (_, Some(taken)) => taken.to_string(),
        };
        let captured = result
            .capture
            .map(|square| format!(", something was captured on {square}"));
        writeln!(stdout(), "{text}{}.", captured.unwrap_or_default())?;
        self.board.push(result.taken);
        // A pawn that was captured in passing stands beside the square of the move.
        let passed = |square: &Square| result.taken.is_some_and(|m| m.to != *square);
        if let Some(square) = result.capture.filter(passed) {
            self.board.set_piece(square, None);
        }
        Ok(())
    }

    fn game_end(
        &mut self,
        _: Option<Color>,
        _: Option<WinReason>,
        history: &GameHistory,
    ) -> Result {
        let result = result_for(history, self.color);
        writeln!(stdout(), "\n{result}. The true board:")?;
        // The last turn may have no move; perhaps no turn has one.
        let boards = history.collect(GameHistory::truth_board_after_move, history.turns());
        let last = boards.filter_map(|board| board.ok()?).last();
        let board = last.unwrap_or_else(|| start(history));
        let screen = Screen::new(*board.pieces(), self.color, self.signs);
        Ok(write!(stdout(), "{}", screen.draw())?)
    }
}
