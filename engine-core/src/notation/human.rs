//! Moves as people type them, in any of the usual notations.

use super::san::SanText;
use super::{MoveError, MoveText};
use crate::rules::Rules;
use crate::{Move, Position};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// Why a text that a person typed is no move, and a suggestion.
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

impl core::error::Error for HumanMoveError {}

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
        self.read_human(text).map_err(|error| {
            let suggestion = match error {
                MoveError::Syntax
                | MoveError::NoPiece(_)
                | MoveError::NoPromotion
                | MoveError::Illegal => self.nearest_move(&plain(text)),
                // The move was read as it was meant.
                _ => None,
            };
            HumanMoveError { error, suggestion }
        })
    }

    /// Reads a move as [`parse_human`](Position::parse_human), without a suggestion in the error.
    ///
    /// # Errors
    /// Says why the text is no legal move.
    pub fn read_human(&self, text: &str) -> Result<Move, MoveError> {
        if let Some(m) = self.parse_exact_san(text) {
            return Ok(m);
        }
        let plain = plain(text);
        let mut moves: Vec<Move> = Vec::new();
        let mut error = MoveError::Syntax;
        for reading in readings(&plain) {
            match self.parse_reading(&reading) {
                Ok(m) if moves.contains(&m) => {}
                Ok(m) => moves.push(m),
                // The first reading that is a move at all gives the reason.
                Err(reason) if error == MoveError::Syntax => error = reason,
                Err(_) => {}
            }
        }
        match *moves {
            [] => Err(error),
            [m] => Ok(m),
            _ => Err(MoveError::Ambiguous(
                moves.into_iter().map(|m| self.to_san(m)).collect(),
            )),
        }
    }

    /// The move whose SAN is this text, check marks and annotations apart. Then there is no need to
    /// guess whether `bxc4` means `Bxc4`.
    fn parse_exact_san(&self, text: &str) -> Option<Move> {
        let typed = bare(text);
        let m = self.parse_san(typed).ok()?;
        (bare(&self.to_san(m)) == typed).then_some(m)
    }

    fn parse_reading(&self, text: &str) -> Result<Move, MoveError> {
        match self.parse_uci(text) {
            Err(MoveError::Syntax) => self.parse_san(text),
            result => result,
        }
    }
}

/// The text without what follows the move: marks of check and annotations.
fn bare(text: &str) -> &str {
    text.trim().trim_end_matches(['+', '#', '!', '?'])
}

/// How many characters can belong to a move; more are ignored.
const MAX_LENGTH: usize = 16;

/// The text without move number, blanks, annotations, check marks, `x`, `=` and `e.p.`; figurines
/// become letters.
fn plain(text: &str) -> String {
    let kept: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace() && !"!?+#=xX×:()/".contains(*letter))
        .take(MAX_LENGTH)
        .map(letter_of_figurine)
        .collect();
    let unnumbered = kept.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let plain = match unnumbered.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        None => &kept,
    };
    let mut en_passant = ["e.p.", "e.p", "ep"].into_iter();
    let bare = en_passant.find_map(|suffix| plain.strip_suffix(suffix));
    bare.unwrap_or(plain).to_owned()
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

/// The texts to try: castling with zeros, small letters or without hyphens; the text itself; and,
/// unless it begins with a capital letter of a piece, coordinates, a pawn move or a piece move in
/// the wrong case. Only with `b` can it be both of the last two.
fn readings(plain: &str) -> Vec<String> {
    match plain.to_ascii_uppercase().replace('0', "O").as_str() {
        "O-O" | "OO" => return vec!["O-O".to_owned()],
        "O-O-O" | "OOO" => return vec!["O-O-O".to_owned()],
        _ => {}
    }
    let mut readings = vec![plain.to_owned()];
    let is_piece = plain.starts_with(['N', 'B', 'R', 'Q', 'K']);
    if is_piece && plain.contains(|letter: char| letter.is_ascii_lowercase()) {
        return readings;
    }
    let lower = plain.to_ascii_lowercase();
    let is_coordinates = SanText::read(lower.as_bytes()).is_some_and(|san| san.rank.is_some());
    if !is_coordinates {
        let mut piece = lower.clone();
        if let Some(first) = piece.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        readings.push(piece);
    }
    readings.push(lower);
    readings
}

#[cfg(test)]
mod tests {
    use crate::{CastlingMode, Position, Setup};

    /// The SAN of a typed move, or the message of the error.
    fn read(fen: &str, text: &str) -> String {
        let setup = Setup::from_fen(fen).unwrap_or(Setup::EMPTY);
        let position: Position = Position::from_setup_unchecked(&setup, CastlingMode::Standard);
        match position.parse_human(text) {
            Ok(m) => position.to_san(m).to_string(),
            Err(error) => error.to_string(),
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn coordinates_and_pawns() {
        for text in [
            "e4",
            "E4",
            "e2e4",
            "E2-E4",
            " e2 e4 ",
            "1. e4",
            "1.e4!",
            "e4+",
            "e2–e4?!",
        ] {
            assert_eq!(read(START, text), "e4", "{text}");
        }
    }

    #[test]
    fn en_passant_in_every_spelling() {
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        for text in [
            "exd6",
            "exd6e.p.",
            "exd6 e.p.",
            "exd6e.p",
            "ed6ep",
            "exd6ep!",
        ] {
            assert_eq!(read(fen, text), "exd6", "{text}");
        }
    }

    #[test]
    fn castling_in_every_spelling() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in [
            "O-O", "o-o", "0-0", "oo", "00", "0-0!", "e1g1", "e1h1", "E1G1",
        ] {
            assert_eq!(read(fen, text), "O-O", "{text}");
        }
        assert_eq!(read(fen, "0-0-0"), "O-O-O");
    }

    #[test]
    fn promotions_in_every_spelling() {
        let fen = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
        for text in [
            "e8q", "e8=Q", "e8Q", "e8(Q)", "e8/Q", "e7e8q", "E7E8Q", "e7-e8=q",
        ] {
            assert_eq!(read(fen, text), "e8=Q", "{text}");
        }
        assert_eq!(
            read(fen, "e8"),
            "a promotion names the new piece, as in e8=Q; did you mean e8=Q?"
        );
    }

    #[test]
    fn a_promotion_without_a_piece_is_that_to_a_queen() {
        let why = "a promotion names the new piece, as in e8=Q; did you mean ";
        for (fen, text, meant) in [
            // The queen gives check.
            ("7k/P7/8/8/8/8/p6K/8 w - - 0 1", "a8", "a8=Q+?"),
            ("7k/P7/8/8/8/8/p6K/8 w - - 0 1", "a7a8", "a8=Q+?"),
            ("7k/P7/8/8/8/8/p6K/8 b - - 0 1", "a1", "a1=Q?"),
            // The rook does, too, and the knight alone.
            ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "axb8", "axb8=Q+?"),
            ("8/P1k5/8/8/8/8/8/K7 w - - 0 1", "a8", "a8=Q?"),
        ] {
            assert_eq!(read(fen, text), format!("{why}{meant}"), "{text} in {fen}");
        }
    }

    #[test]
    fn a_small_b_is_a_pawn_or_a_bishop_but_never_a_guess() {
        // Both a pawn and a bishop can take on c4.
        let fen = "4k3/8/8/8/2p5/1P6/4B3/4K3 w - - 0 1";
        assert_eq!(read(fen, "bxc4"), "bxc4");
        assert_eq!(read(fen, "Bxc4"), "Bxc4");
        assert_eq!(read(fen, "bc4"), "ambiguous: bxc4 or Bxc4");
        // Only one of them can.
        assert_eq!(read("4k3/8/8/8/2p5/8/4B3/4K3 w - - 0 1", "bc4"), "Bxc4");
        assert_eq!(read("4k3/8/8/8/2p5/1P6/8/4K3 w - - 0 1", "bc4"), "bxc4");
        // A capital letter is a piece, even where only the pawn can go.
        assert_eq!(
            read("4k3/8/8/8/2p5/1P6/8/4K3 w - - 0 1", "Bc4"),
            "not a legal move; did you mean bxc4?"
        );
    }

    #[test]
    fn reasons_and_suggestions() {
        let two_knights = "4k3/8/8/8/8/8/5N2/1N2K3 w - - 0 1";
        assert_eq!(read(two_knights, "nd2"), "Nd2");
        let two_knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        assert_eq!(read(two_knights, "nd2"), "ambiguous: Nbd2 or Nfd2");
        let pinned = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1";
        assert_eq!(read(pinned, "Nd4"), "that leaves the king in check");
        assert_eq!(read(pinned, "e2d4"), "that leaves the king in check");
        assert_eq!(read(START, "e2e5"), "not a legal move; did you mean e3?");
        assert_eq!(
            read(START, "e3e4"),
            "the side to move has no piece on e3; did you mean e4?"
        );
        assert_eq!(read(START, "hello world"), "not a move");
        assert_eq!(read(START, ""), "not a move");
        assert_eq!(read(START, &"Nf3".repeat(1000)), "not a move");
    }
}
