//! Reading SAN.

use super::text::{SanText, without_check_mark};
use crate::movegen::origin;
use crate::notation::{MoveError, MoveText};
use crate::rules::Rules;
use crate::{
    All, Bitboard, CastlingMode, File, IS_PAGE, Move, MoveSink, Position, Rank, Role, Square,
};
use alloc::vec::Vec;

impl<R: Rules> Position<R> {
    /// Reads a move in algebraic notation. Like python-chess it is lenient: there may be a
    /// needless origin (`Ng1f3`), a missing `x` or `=`, `-` for `x`, a wrong or missing `+` or
    /// `#`, zeros for castling, coordinates without a piece letter. Annotations such as `!?` are
    /// not part of a move; see [`Position::parse_human`] for what a person may type.
    ///
    /// ```
    /// use engine_core::{Move, Position, Square};
    ///
    /// let position: Position = Position::start();
    /// assert_eq!(position.parse_san("Nf3"), Ok(Move::normal(Square::G1, Square::F3)));
    /// assert_eq!(position.parse_san("e2-e4"), Ok(Move::normal(Square::E2, Square::E4)));
    /// ```
    ///
    /// # Errors
    /// Says why the text is no legal move; `--` and its like are [`MoveError::Null`].
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        self.parse_san_bytes(text.as_bytes())
    }

    /// Reads SAN from bytes, which need not be UTF-8.
    ///
    /// # Errors
    /// As [`Position::parse_san`].
    #[inline]
    pub fn parse_san_bytes(&self, bytes: &[u8]) -> Result<Move, MoveError> {
        match self.quick_san(bytes) {
            Some(m) => Ok(m),
            None => R::read_san(self, bytes),
        }
    }

    /// The slow path: all forms of a move in all variants.
    #[cold]
    pub(crate) fn read_san(&self, bytes: &[u8]) -> Result<Move, MoveError> {
        let found = self.read_any_san(bytes);
        found.map_err(|error| self.unless_over(error))
    }

    fn read_any_san(&self, bytes: &[u8]) -> Result<Move, MoveError> {
        match without_check_mark(bytes) {
            b"O-O" | b"0-0" => return self.find_castling(true),
            b"O-O-O" | b"0-0-0" => return self.find_castling(false),
            _ => {}
        }
        if R::DROPS && bytes.contains(&b'@') {
            return self.parse_drop(bytes);
        }
        match SanText::read(bytes) {
            Some(san) => self.find_san(san),
            None if matches!(bytes, b"--" | b"Z0" | b"0000" | b"@@@@") => Err(MoveError::Null),
            None => Err(MoveError::Syntax),
        }
    }

    /// Reads a drop: `N@f3`, `P@e4` or `@e4`, with any number of marks of check and mate.
    #[cold]
    fn parse_drop(&self, mut bytes: &[u8]) -> Result<Move, MoveError> {
        while let [rest @ .., b'+' | b'#'] = bytes {
            bytes = rest;
        }
        match *bytes {
            [b'@', file, rank] => self.find_drop(b'P', file, rank),
            [role, b'@', file, rank] => self.find_drop(role, file, rank),
            _ => Err(MoveError::Syntax),
        }
    }

    pub(in crate::notation) fn find_castling(&self, king_side: bool) -> Result<Move, MoveError> {
        let us = self.turn();
        let king = R::castling_king(self, us).ok_or(MoveError::Illegal)?;
        let rooks = (self.castling() & self.board().color(us)).into_iter();
        let rooks = rooks.filter(|&rook| (rook > king) == king_side);
        let mut error = MoveError::Illegal;
        for castle in rooks.map(|rook| Move::castle(king, rook)) {
            if self.is_legal(castle) {
                return Ok(castle);
            }
            error = self.why_illegal(castle);
        }
        Err(error)
    }

    fn find_san(&self, san: SanText) -> Result<Move, MoveError> {
        if let (None, Some(file), Some(rank)) = (san.role, san.file, san.rank) {
            let from = Square::new(file, rank);
            let to = match self.mode() {
                CastlingMode::Standard => self.rook_of_castling(from, san.to).unwrap_or(san.to),
                // In Chess960 castling is king takes rook, here as elsewhere.
                CastlingMode::Chess960 => san.to,
            };
            return self.find_exact_move(from, to, san.promotion);
        }
        let origins = self.origins_of(san);
        let mut matches = Matches::of(san);
        if self.has_several_kings() {
            matches.among(&self.to_setup().legal_moves(self.mode()), origins);
        } else if const { IS_PAGE } {
            // One generator less for each variant to load.
            matches.among(&self.legal_moves(), origins);
        } else {
            let (us, to) = (self.turn(), san.to.bitboard());
            self.generate_as::<_, All, _>(us, origins, to, &mut matches);
        }
        match matches.found {
            Some(m) if !matches.origins.more_than_one() => Ok(m),
            Some(_) => Err(MoveError::Ambiguous(self.candidates(&matches))),
            None if matches.promotes && san.promotion.is_none() => Err(MoveError::NoPromotion),
            None => Err(self.why_none(san, origins)),
        }
    }

    /// Why none of these pieces can go where a SAN says: the reason of the first that reaches it.
    #[cold]
    fn why_none(&self, san: SanText, origins: Bitboard) -> MoveError {
        let mut errors = origins
            .into_iter()
            .filter(|&from| self.reaches(from, san.to))
            .filter_map(|from| self.find_exact_move(from, san.to, san.promotion).err());
        errors.next().unwrap_or(MoveError::Illegal)
    }

    /// The own pieces that a SAN may mean.
    fn origins_of(&self, san: SanText) -> Bitboard {
        let role = san.role.unwrap_or(Role::Pawn);
        let file = match san.role {
            // A pawn without a file does not capture.
            None => Some(san.file.unwrap_or(san.to.file())),
            Some(_) => san.file,
        };
        self.board().pieces(self.turn(), role)
            & file.map_or(Bitboard::FULL, File::bitboard)
            & san.rank.map_or(Bitboard::FULL, Rank::bitboard)
    }

    #[cold]
    fn candidates(&self, matches: &Matches) -> Vec<MoveText> {
        let san = |from| match self.find_exact_move(from, matches.to, matches.promotion) {
            Ok(m) => Some(self.to_san(m)),
            Err(_) => None,
        };
        matches.origins.into_iter().filter_map(san).collect()
    }
}

/// Collects the legal moves that fit a SAN; castling and drops never do.
#[cfg_attr(test, derive(PartialEq, Debug))]
struct Matches {
    to: Square,
    promotion: Option<Role>,
    found: Option<Move>,
    /// The from-squares of the moves that fit.
    origins: Bitboard,
    /// Whether a promotion fits, apart from its piece.
    promotes: bool,
}

impl Matches {
    /// None yet.
    fn of(san: SanText) -> Matches {
        Matches {
            to: san.to,
            promotion: san.promotion,
            found: None,
            origins: Bitboard::EMPTY,
            promotes: false,
        }
    }

    fn among(&mut self, moves: &[Move], origins: Bitboard) {
        for &m in moves {
            // A drop has its role where other moves have their square.
            if !m.is_drop() && origins.has(m.from()) && m.to() == self.to {
                self.promotes |= m.promoted().is_some();
                self.single(m);
            }
        }
    }

    fn add(&mut self, m: Move) {
        self.found = Some(m);
        self.origins |= m.from().bitboard();
    }
}

impl MoveSink for Matches {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        if to.any() && self.promotion.is_none() {
            self.add(Move::normal(from, self.to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        if to.any() && self.promotion.is_none() {
            self.add(Move::normal(origin(self.to, step), self.to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        if to.any() {
            self.promotes = true;
            if let Some(role) = self.promotion
                && role != Role::King
            {
                self.add(Move::promotion(origin(self.to, step), self.to, role));
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, m: Move) {
        if !m.is_castle() && m.promoted() == self.promotion {
            self.add(m);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::tests::Random;
    use crate::{Atomic, Crazyhouse, Standard};

    /// Pages look for a move in the list of all legal moves, other programs ask the generator for
    /// those to its square: both find the same.
    fn lists_have_what_the_generator_finds<R: Rules>() {
        let mut random = Random(7);
        for _ in 0..20 {
            let mut position = Position::<R>::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                for &m in moves.iter().filter(|m| !m.is_castle() && !m.is_drop()) {
                    let text = position.to_san(m).to_string();
                    let san = SanText::read(text.as_bytes()).unwrap();
                    let origins = position.origins_of(san);
                    let (mut listed, mut generated) = (Matches::of(san), Matches::of(san));
                    listed.among(&moves, origins);
                    let (us, to) = (position.turn(), san.to.bitboard());
                    position.generate_as::<_, All, _>(us, origins, to, &mut generated);
                    assert_eq!(listed, generated, "{position:?}{text}");
                    assert_eq!(listed.found, Some(m), "{position:?}{text}");
                }
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn lists_and_the_generator_give_the_same_moves() {
        lists_have_what_the_generator_finds::<Standard>();
        lists_have_what_the_generator_finds::<Atomic>();
        lists_have_what_the_generator_finds::<Crazyhouse>();
    }
}
