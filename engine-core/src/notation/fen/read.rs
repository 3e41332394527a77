//! Reading a FEN.

use super::board::read_board;
use super::error::MAX_COUNT;
use super::extra::{read_checks_given, read_checks_left, read_pockets, split_pocket};
use super::{FenError, FenFault, FenField, FenProblem};
use crate::notation::{is_blank, whole_number, words};
use crate::{Bitboard, Color, File, RemainingChecks, Role, Setup, Square, Variant};
use alloc::vec::Vec;
use core::str::FromStr;

/// Reads a FEN of standard chess: see [`Setup::from_fen`].
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Setup, FenError> {
        Setup::from_fen(fen)
    }
}

impl Setup {
    /// Reads a FEN. Fields from the side to move on may be missing, and any white space separates
    /// them. Castling letters are those of FEN, X-FEN (`KQkq`, the outermost rook) or Shredder-FEN
    /// (`HAha`, the rook's file). The position is validated by
    /// [`Position::from_setup`](crate::Position::from_setup).
    ///
    /// ```
    /// use engine_core::Setup;
    ///
    /// let setup = Setup::from_fen("4k3/8/8/8/8/8/8/4K2R w K -")?;
    /// assert_eq!(setup.castling.count(), 1);
    ///
    /// let error = Setup::from_fen("4k3/8/8/8/9/8/8/4K2R x K -").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "bad FEN: board (column 11): '9' is not a piece letter; \
    ///      turn (column 22): expected `w` or `b`",
    /// );
    /// # Ok::<(), engine_core::notation::FenError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no FEN.
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        Setup::from_variant_fen(Variant::Standard, text)
    }

    /// Reads a FEN with what a variant adds to it: pockets as `board[QPqp]` or `board/QPqp`, empty ones
    /// also as `board[-]`, `~` behind a promoted piece, checks still to be given (`3+3` before the clocks) or given already
    /// (`+0+0` after them). All of it may be missing.
    ///
    /// ```
    /// use engine_core::{Color, Role, Setup, Variant};
    ///
    /// let fen = "4k3/8/8/8/8/8/8/4K2Q~[Pn] w - -";
    /// let setup = Setup::from_variant_fen(Variant::Crazyhouse, fen)?;
    /// let pockets = setup.pockets.unwrap_or_default();
    /// assert_eq!(pockets.count(Color::Black, Role::Knight), 1);
    /// assert_eq!(setup.promoted.count(), 1);
    /// # Ok::<(), engine_core::notation::FenError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no FEN of this variant.
    pub fn from_variant_fen(variant: Variant, text: &str) -> Result<Setup, FenError> {
        Setup::read_fen(variant, text, Large::Cut)
    }

    /// Reads a FEN of a variant as [`from_variant_fen`](Setup::from_variant_fen), which lowers clocks above
    /// 2,147,483,647 to that number; here they are an error.
    ///
    /// # Errors
    /// As [`from_variant_fen`](Setup::from_variant_fen), and when a clock is too large.
    pub fn from_exact_fen(variant: Variant, text: &str) -> Result<Setup, FenError> {
        Setup::read_fen(variant, text, Large::Refused)
    }

    #[inline(always)]
    fn read_fen(variant: Variant, text: &str, large: Large) -> Result<Setup, FenError> {
        let mut reader = FieldReader {
            text,
            at: 0,
            large,
            faults: Vec::new(),
        };
        let mut setup = Setup::EMPTY;
        reader.first_field(variant, &mut setup);
        match reader.next() {
            Some((_, "w")) => {}
            Some((_, "b")) => setup.turn = Color::Black,
            Some((at, _)) => reader.fault(FenField::Turn, at, FenProblem::NotATurn),
            // Like python-chess, which looks for the end of the pocket only here.
            None if variant == Variant::Crazyhouse => {
                reader.fault(FenField::Turn, text.len(), FenProblem::NotATurn);
            }
            None => {}
        }
        if let Some((at, field)) = reader.next()
            && field != "-"
        {
            match castling_rooks(&setup, field) {
                Some(rooks) => setup.castling = rooks,
                None => reader.fault(FenField::Castling, at, FenProblem::NotCastlingRights),
            }
        }
        if let Some((at, field)) = reader.next()
            && field != "-"
        {
            match field.parse() {
                Ok(square) => setup.en_passant = Some(square),
                Err(_) => reader.fault(FenField::EnPassant, at, FenProblem::NotASquare),
            }
        }
        let counts_checks = variant == Variant::ThreeCheck;
        let given_last = counts_checks && has_checks_last(text);
        if given_last {
            setup.checks = Some(RemainingChecks::default());
        } else if counts_checks {
            let checks = reader.checks(|field| field.contains('+'), read_checks_left);
            setup.checks = Some(checks.unwrap_or_default());
        }
        setup.halfmoves = reader.number(FenField::Halfmoves).unwrap_or(0);
        setup.fullmoves = reader.number(FenField::Fullmoves).unwrap_or(1).max(1);
        if given_last
            && let Some(checks) = reader.checks(|field| field.starts_with('+'), read_checks_given)
        {
            setup.checks = Some(checks);
        }
        if let Some((at, _)) = reader.next() {
            reader.fault(FenField::Rest, at, FenProblem::TooManyFields);
        }
        if reader.faults.is_empty() {
            Ok(setup)
        } else {
            Err(FenError(reader.faults))
        }
    }
}

/// What becomes of clocks greater than [`MAX_COUNT`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Large {
    Cut,
    Refused,
}

/// Splits the text into fields and collects their errors.
struct FieldReader<'a> {
    text: &'a str,
    /// The byte where the rest begins.
    at: usize,
    large: Large,
    faults: Vec<FenFault>,
}

impl<'a> FieldReader<'a> {
    /// The next field and the byte where it begins.
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let start = self.after_blanks();
        self.at = self.after_field(start);
        let field = self.text.get(start..self.at)?;
        (!field.is_empty()).then_some((start, field))
    }

    #[inline(always)]
    fn after_blanks(&self) -> usize {
        let mut at = self.at;
        while let Some(length) = self.blank_at(at) {
            at += length;
        }
        at
    }

    #[inline]
    fn after_field(&self, start: usize) -> usize {
        let mut at = start;
        loop {
            let plain = plain_bytes(eight_bytes(self.text.as_bytes(), at));
            at += plain;
            if plain < 8 {
                if at >= self.text.len() || self.blank_at(at).is_some() {
                    return at;
                }
                // A letter of another script, or a control character.
                at += 1;
            }
        }
    }

    /// The bytes of the blank that begins at this byte, if one does.
    #[inline(always)]
    fn blank_at(&self, at: usize) -> Option<usize> {
        let byte = *self.text.as_bytes().get(at)?;
        if byte.is_ascii() {
            is_ascii_blank(byte).then_some(1)
        } else {
            self.wide_blank_at(at)
        }
    }

    #[cold]
    #[inline(never)]
    fn wide_blank_at(&self, at: usize) -> Option<usize> {
        let letter = self.text.get(at..)?.chars().next()?;
        is_blank(letter).then(|| letter.len_utf8())
    }

    /// Reads the pieces and, in Crazyhouse, the pockets.
    #[inline(always)]
    fn first_field(&mut self, variant: Variant, setup: &mut Setup) {
        match self.next() {
            Some((at, field)) if variant == Variant::Crazyhouse => {
                self.board_and_pockets(at, field, setup);
            }
            Some((at, field)) => self.board(at, field, setup),
            None => self.fault(FenField::Board, 0, FenProblem::Empty),
        }
        if variant == Variant::Crazyhouse {
            // Marks on pieces that no pawn becomes are ignored.
            setup.promoted -= setup.board.role(Role::King) | setup.board.role(Role::Pawn);
        } else if !variant.tracks_promoted() {
            setup.promoted = Bitboard::EMPTY;
        }
    }

    fn board(&mut self, at: usize, field: &str, setup: &mut Setup) {
        match read_board(field) {
            Ok((board, promoted)) => (setup.board, setup.promoted) = (board, promoted),
            Err((offset, problem)) => self.fault(FenField::Board, at + offset, problem),
        }
    }

    #[cold]
    fn board_and_pockets(&mut self, at: usize, field: &str, setup: &mut Setup) {
        match split_pocket(field) {
            Ok((board, begin, letters)) => {
                self.board(at, board, setup);
                match read_pockets(letters) {
                    Ok(pockets) => setup.pockets = Some(pockets),
                    Err((offset, problem)) => {
                        self.fault(FenField::Pockets, at + begin + offset, problem);
                    }
                }
            }
            Err((offset, problem)) => self.fault(FenField::Pockets, at + offset, problem),
        }
    }

    /// The next field, if it looks like a count of checks.
    #[cold]
    fn checks(
        &mut self,
        looks: impl Fn(&str) -> bool,
        read: impl Fn(&str) -> Option<RemainingChecks>,
    ) -> Option<RemainingChecks> {
        let before = self.at;
        let (at, field) = self.next()?;
        if !looks(field) {
            self.at = before;
            return None;
        }
        let checks = read(field);
        if checks.is_none() {
            self.fault(FenField::Checks, at, FenProblem::NotChecks);
        }
        checks
    }

    #[cold]
    fn fault(&mut self, field: FenField, at: usize, problem: FenProblem) {
        let column = 1 + self.text.get(..at).unwrap_or(self.text).chars().count();
        self.faults.push(FenFault {
            field,
            column,
            problem,
        });
    }

    fn number(&mut self, name: FenField) -> Option<u32> {
        let (at, field) = self.next()?;
        match field.parse::<u32>() {
            Ok(number @ ..=MAX_COUNT) => Some(number),
            _ => self.odd_number(name, at, field),
        }
    }

    /// The same for a number that is large or in the digits of another script.
    #[cold]
    fn odd_number(&mut self, name: FenField, at: usize, field: &str) -> Option<u32> {
        let number = whole_number(field).filter(|number| !number.starts_with('-'));
        let Some(number) = number else {
            self.fault(name, at, FenProblem::NotANumber);
            return None;
        };
        let kept = number.parse().ok().filter(|&number| number <= MAX_COUNT);
        if kept.is_none() && self.large == Large::Refused {
            self.fault(name, at, FenProblem::LargeNumber);
        }
        Some(kept.unwrap_or(MAX_COUNT))
    }
}

/// Whether the seventh field is the number of checks given.
#[cold]
fn has_checks_last(text: &str) -> bool {
    words(text)
        .nth(6)
        .is_some_and(|field| field.starts_with('+'))
}

/// Eight bytes from this one on, the first one lowest; zeros follow on the end of the text.
#[inline(always)]
fn eight_bytes(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    if let Some(bytes) = rest.first_chunk() {
        return u64::from_le_bytes(*bytes);
    }
    match text.last_chunk() {
        // Shifted by the bytes before, which are 1 to 8 here.
        Some(bytes) => {
            let before = 8 * (8 - rest.len() as u32);
            u64::from_le_bytes(*bytes).checked_shr(before).unwrap_or(0)
        }
        None => few_bytes(rest),
    }
}

#[cold]
#[inline(never)]
fn few_bytes(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// How many of eight bytes come before the first that could be part of a blank: a space, a control
/// character or a byte beyond ASCII. See <https://graphics.stanford.edu/~seander/bithacks.html>.
#[inline(always)]
fn plain_bytes(bytes: u64) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Up to the first byte less than `!`, subtraction borrows nothing from the next.
    let odd = (bytes.wrapping_sub(ONES * u64::from(b'!')) | bytes) & (ONES << 7);
    odd.trailing_zeros() as usize / 8
}

/// [`is_blank`] for ASCII.
fn is_ascii_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | 0x1c..=b' ')
}

/// The squares of the rooks that the letters mean, whether or not rooks stand there: at most two
/// white letters and then at most two black ones.
fn castling_rooks(setup: &Setup, field: &str) -> Option<Bitboard> {
    let white = field.bytes().take_while(u8::is_ascii_uppercase).count();
    if white > 2 || field.len() - white > 2 {
        return None;
    }
    let mut squares = Bitboard::EMPTY;
    for (i, letter) in field.chars().enumerate() {
        let color = Color::from_white(i < white);
        if letter.is_ascii_uppercase() != color.is_white() {
            return None;
        }
        // After the first right, promoted kings do not count, as in python-chess.
        let kings = if squares.is_empty() {
            setup.board.role(Role::King)
        } else {
            setup.board.role(Role::King) - setup.promoted
        };
        squares |= castling_rook(setup, kings, color, letter.to_ascii_lowercase())?;
    }
    Some(squares)
}

fn castling_rook(setup: &Setup, kings: Bitboard, color: Color, letter: char) -> Option<Bitboard> {
    let backrank = color.backrank();
    let rooks = setup.board.pieces(color, Role::Rook) & backrank.bitboard();
    let king = (kings & setup.board.color(color)).single();
    let square = match letter {
        // Like python-chess: `q` is ignored if there is a king but no rook.
        'q' if king.is_some() && rooks.is_empty() => return Some(Bitboard::EMPTY),
        'q' => king
            .and_then(|king| rooks.first().filter(|&rook| rook < king))
            .unwrap_or(Square::new(File::A, backrank)),
        'k' => king
            .and_then(|king| rooks.last().filter(|&rook| rook > king))
            .unwrap_or(Square::new(File::H, backrank)),
        file => Square::new(File::from_letter(file)?, backrank),
    };
    Some(square.bitboard())
}
