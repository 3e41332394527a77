//! A player who sits at the terminal.

use crate::screen::{Screen, figurine};
use crate::{Board, GameHistory, MoveResult, Player, SenseResult, UciMove, WinReason};
use common::error::Result;
use common::input::read_line;
use engine_core::{Bitboard, Color, Square};
use std::io::{Write, stdin, stdout};

/// A player who sits at the terminal, with the own pieces and what was last seen of the others.
pub(super) struct Human {
    color: Color,
    board: Board,
    /// Where nobody has looked since the opponent moved.
    fog: Bitboard,
    sensed: Bitboard,
    marked: Bitboard,
}

const HELP: &str = "A square such as e7 senses the nine squares around it, `none` senses nowhere.
A move such as e2e4 or a7a8n asks for it, `pass` passes.
`board` shows the board, `moves` what you can ask for, `resign` gives up.
░ is fog: pieces on it stood there when you last looked. [ ] is what you sense now, * * where you lost a piece.
";

impl Human {
    pub(super) fn new() -> Human {
        Human {
            color: Color::White,
            board: Board::start(),
            fog: Bitboard::EMPTY,
            sensed: Bitboard::EMPTY,
            marked: Bitboard::EMPTY,
        }
    }

    fn screen(&self) -> Screen {
        Screen {
            pieces: *self.board.pieces(),
            bottom: self.color,
            fog: self.fog - self.board.pieces().color(self.color),
            sensed: self.sensed,
            marked: self.marked,
        }
    }

    fn show(&self) -> Result {
        Ok(write!(stdout(), "\n{}", self.screen().draw())?)
    }

    /// Asks until the answer can be used.
    fn ask<T>(
        &self,
        question: &str,
        moves: &[UciMove],
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T> {
        loop {
            write!(stdout(), "{question} ")?;
            stdout().flush()?;
            let Some(line) = read_line(&mut stdin().lock())? else {
                return Err("the input has ended".to_owned().into());
            };
            let text = line.text.trim().to_ascii_lowercase();
            match text.as_str() {
                "" => {}
                "help" | "?" => write!(stdout(), "{HELP}")?,
                "board" => self.show()?,
                "moves" => {
                    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
                    writeln!(stdout(), "{} or pass", texts.join(" "))?;
                }
                "resign" | "quit" | "exit" => return Err("you have resigned".to_owned().into()),
                _ => match read(&text) {
                    Some(answer) => return Ok(answer),
                    None => writeln!(stdout(), "{text:?} cannot be done; `help` says what can")?,
                },
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
            "You have {}, {opponent} the other side. `help` helps.",
            color.name()
        )?)
    }

    fn opponent_move_result(&mut self, capture: Option<Square>) -> Result {
        self.fog = Bitboard::FULL;
        self.sensed = Bitboard::EMPTY;
        self.marked = capture.map_or(Bitboard::EMPTY, Square::bitboard);
        self.board = self.board.clone().with_turn(self.color);
        if let Some(square) = capture {
            let lost = self.board.pieces().piece_at(square).map_or(' ', figurine);
            writeln!(stdout(), "\nYour {lost} on {square} was captured.")?;
            self.board.set_piece(square, None);
        }
        self.show()
    }

    fn choose_sense(&mut self, moves: &[UciMove], seconds_left: f64) -> Result<Option<Square>> {
        let question = if seconds_left.is_finite() {
            format!("[{seconds_left:.0} s] Sense where?")
        } else {
            "Sense where?".to_owned()
        };
        self.ask(&question, moves, |text| match text {
            "none" | "-" => Some(None),
            _ => text.parse().ok().map(Some),
        })
    }

    fn sense_result(&mut self, result: &SenseResult) -> Result {
        for &(square, piece) in result {
            self.board.set_piece(square, piece);
            self.sensed |= square.bitboard();
        }
        self.fog -= self.sensed;
        self.show()
    }

    fn choose_move(&mut self, moves: &[UciMove], _: f64) -> Result<Option<UciMove>> {
        self.ask("Your move?", moves, |text| match text {
            "pass" | "-" => Some(None),
            _ => {
                let m: UciMove = text.parse().ok()?;
                let is_short = |known: &&UciMove| (known.from, known.to) == (m.from, m.to);
                let known = moves.contains(&m)
                    || m.promotion.is_none() && moves.iter().any(|k| is_short(&k));
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
        Ok(())
    }

    fn game_end(
        &mut self,
        winner: Option<Color>,
        reason: Option<WinReason>,
        history: &GameHistory,
    ) -> Result {
        let winner = match winner {
            None => "Nobody has",
            Some(color) if color == self.color => "You have",
            Some(_) => "You have not",
        };
        let reason = reason.map_or("", WinReason::name);
        writeln!(stdout(), "\n{winner} won: {reason}. The true board:")?;
        // The last turn may have come to no move.
        let boards = history.collect(GameHistory::truth_board_after_move, history.turns());
        let last = boards.filter_map(|board| board.ok()?).last();
        if let Some(board) = last {
            write!(
                stdout(),
                "{}",
                Screen::new(*board.pieces(), self.color).draw()
            )?;
        }
        Ok(())
    }
}
