//! Moves as people type them.

use super::{MoveError, MoveText};
use crate::rules::Rules;
use crate::{Move, Position};
use std::fmt;

/// Why what a person typed is no move, and what they may have meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HumanMoveError {
    /// What is wrong.
    pub error: MoveError,
    /// The legal move whose text is nearest, in SAN.
    pub suggestion: Option<MoveText>,
}

impl fmt::Display for HumanMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)?;
        match self.suggestion {
            Some(suggestion) => write!(f, "; did you mean {suggestion}?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for HumanMoveError {}

impl<R: Rules> Position<R> {
    /// Reads a move as a person may type it: algebraic or coordinates, in either case, with or
    /// without annotations, figurines, `x`, `=`, check marks and `e.p.`
    ///
    /// ```
    /// use engine_core::Position;
    ///
    /// let position: Position = Position::start();
    /// let knight = position.parse_san("Nf3").ok();
    /// for text in ["nf3", "Ng1-f3!?", "g1f3", "G1 F3", "♘f3"] {
    ///     assert_eq!(position.parse_human(text).ok(), knight, "{text}");
    /// }
    /// let error = position.parse_human("Nf4").unwrap_err();
    /// assert_eq!(error.to_string(), "not a legal move; did you mean Nf3?");
    /// ```
    ///
    /// # Errors
    /// Says why the text is no legal move and names the nearest one.
    pub fn parse_human(&self, text: &str) -> Result<Move, HumanMoveError> {
        let plain = plain(text);
        let mut first = None;
        for reading in readings(&plain) {
            let result = match reading.as_str() {
                "O-O" => self.find_castling(true),
                "O-O-O" => self.find_castling(false),
                _ => self
                    .parse_uci(&reading)
                    .or_else(|_| self.parse_san(&reading)),
            };
            match result {
                Ok(m) => return Ok(m),
                // The reason of the first reading that is a move at all is the one to tell.
                Err(MoveError::Syntax) => {}
                Err(error) => {
                    first.get_or_insert(error);
                }
            }
        }
        let error = first.unwrap_or(MoveError::Syntax);
        let suggestion = match error {
            MoveError::Ambiguous(_) | MoveError::Null => None,
            _ => self.nearest_move(&plain),
        };
        Err(HumanMoveError { error, suggestion })
    }

    /// The legal move whose SAN or coordinates look most like the text, if any does.
    fn nearest_move(&self, text: &str) -> Option<MoveText> {
        let text = text.to_ascii_lowercase();
        let distance = |candidate: &str| {
            // The first letter is the piece or its file: people rarely get that wrong.
            let other_piece = text.bytes().next() != candidate.bytes().next();
            edit_distance(&text, candidate) + usize::from(other_piece)
        };
        self.legal_moves()
            .into_iter()
            .map(|m| {
                let san = self.to_san(m);
                let coordinates = self.to_uci(m);
                let nearest = distance(&san.to_ascii_lowercase()).min(distance(&coordinates));
                (nearest, san)
            })
            .min_by_key(|&(distance, _)| distance)
            .filter(|&(distance, _)| distance <= 2)
            .map(|(_, san)| san)
    }
}

/// The longest text that can be a move with all its trimmings; more is not looked at.
const MAX_LENGTH: usize = 16;

/// The text without what is not the move itself: blanks, annotations, check marks, `=`, `x`,
/// figurines turned into letters.
fn plain(text: &str) -> String {
    let mut plain: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace() && !"!?+#=x×:()/".contains(*letter))
        .take(MAX_LENGTH)
        .map(letter_of_figurine)
        .collect();
    for ending in ["e.p.", "ep"] {
        if let Some(rest) = plain.strip_suffix(ending) {
            plain.truncate(rest.len());
        }
    }
    plain
}

fn letter_of_figurine(letter: char) -> char {
    match letter {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '–' | '—' | '−' => '-',
        _ => letter,
    }
}

/// What the text can mean, the likeliest first: castling, itself, all lower case (a pawn or
/// coordinates), lower case after a piece letter, and so without hyphens.
fn readings(plain: &str) -> Vec<String> {
    let zeros = plain.to_ascii_uppercase().replace('0', "O");
    match zeros.as_str() {
        "O-O" | "OO" => return vec!["O-O".to_owned()],
        "O-O-O" | "OOO" => return vec!["O-O-O".to_owned()],
        _ => {}
    }
    let lower = plain.to_ascii_lowercase();
    let mut piece = lower.clone();
    if let Some(first) = piece.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let mut readings = vec![plain.to_owned(), lower, piece];
    for i in 0..readings.len() {
        let joined = readings.get(i).map(|text| text.replace('-', ""));
        readings.extend(joined);
    }
    readings
}

/// The number of letters to insert, delete or change to get from one text to another.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let change = diagonal + usize::from(x != y);
            diagonal = *cell;
            left = change.min(left + 1).min(*cell + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}
