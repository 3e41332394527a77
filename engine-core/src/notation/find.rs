//! From squares to a legal move, or the reason why there is none.

use super::MoveError;
use crate::attacks;
use crate::rules::{Extra, Rules};
use crate::{Bitboard, File, Move, MoveKind, Position, Rank, Role, Square, Variant};

impl<R: Rules> Position<R> {
    /// The rook that the king castles with when it goes from the e-file to the g- or c-file.
    pub(super) fn rook_of_castling(&self, from: Square, to: Square) -> Option<Square> {
        let backrank = self.turn().backrank();
        let king = self.board().pieces(self.turn(), Role::King);
        if !king.has(from) || from != Square::new(File::E, backrank) || to.rank() != backrank {
            return None;
        }
        let file = match to.file() {
            File::G => File::H,
            File::C => File::A,
            _ => return None,
        };
        // With a castling rook on the target square, king takes rook means that one.
        let rook = Square::new(file, backrank);
        (self.castling().has(rook) && !self.castling().has(to)).then_some(rook)
    }

    /// The legal move between two squares. Castling may be given as the king's move, `e1` to `g1`,
    /// or as king takes rook, `e1` to `h1`.
    ///
    /// ```
    /// use engine_core::notation::MoveError;
    /// use engine_core::{Move, Position, Role, Setup, Square};
    ///
    /// let setup = Setup::from_fen("8/4P1k1/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let position: Position = Position::from_setup(&setup, setup.castling_mode()).unwrap();
    /// let castle = Move::castle(Square::E1, Square::H1);
    /// assert_eq!(position.find_move(Square::E1, Square::G1, None), Ok(castle));
    /// let error = position.find_move(Square::E7, Square::E8, None);
    /// assert_eq!(error, Err(MoveError::NoPromotion));
    /// assert!(position.find_move(Square::E7, Square::E8, Some(Role::Rook)).is_ok());
    /// # Ok::<(), engine_core::notation::FenError>(())
    /// ```
    ///
    /// # Errors
    /// Says why no legal move goes there. A promotion must name its piece.
    pub fn find_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, MoveError> {
        let found = match self.rook_of_castling(from, to) {
            // Like python-chess, ignore a piece of promotion.
            Some(rook) => self.find_exact_move(from, rook, None),
            None => self.find_exact_move(from, to, promotion),
        };
        found.map_err(|error| self.unless_over(error))
    }

    /// The legal move between these squares, where castling is king takes rook.
    pub(super) fn find_exact_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, MoveError> {
        let board = self.board();
        let own = board.color(self.turn());
        if !own.has(from) {
            return Err(MoveError::NoPiece(from));
        }
        let last_rank = self.turn().relative_rank(Rank::Eighth);
        let m = match (board.role_on(from), promotion) {
            (Role::Pawn, Some(role)) if to.rank() == last_rank => Move::promotion(from, to, role),
            (_, Some(_)) => return Err(MoveError::Illegal),
            (Role::Pawn, None) if self.en_passant() == Some(to) && from.file() != to.file() => {
                Move::en_passant(from, to)
            }
            (Role::Pawn, None) if to.rank() == last_rank => {
                return Err(self
                    .find_exact_move(from, to, Some(Role::Queen))
                    .err()
                    .unwrap_or(MoveError::NoPromotion));
            }
            (Role::King, None) if (self.castling() & own).has(to) => Move::castle(from, to),
            _ => Move::normal(from, to),
        };
        self.checked(m)
    }

    /// Whether a move, which may be any 16 bits, is pseudo-legal: legal, but that it may leave the
    /// king in check. Castling and drops must be legal.
    ///
    /// ```
    /// use engine_core::{Move, Position, Setup, Square};
    ///
    /// let setup = Setup::from_fen("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1")?;
    /// let position: Position = Position::from_setup(&setup, setup.castling_mode()).unwrap();
    /// let pinned = Move::normal(Square::E2, Square::D4);
    /// assert!(position.is_pseudo_legal(pinned) && !position.is_legal(pinned));
    /// # Ok::<(), engine_core::notation::FenError>(())
    /// ```
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let own = self.board().color(self.turn());
        let is_pawn = (own & self.board().role(Role::Pawn)).has(from);
        let promotes = is_pawn && Bitboard::BACKRANKS.has(to);
        match m.kind() {
            MoveKind::Castle | MoveKind::Drop(_) => self.is_legal(m),
            MoveKind::EnPassant => {
                is_pawn && self.en_passant() == Some(to) && attacks::pawn(self.turn(), from).has(to)
            }
            MoveKind::Promotion(Role::King) if R::ROYAL => false,
            MoveKind::Promotion(role) => role != Role::Pawn && promotes && self.reaches(from, to),
            MoveKind::Normal => {
                let captures_en_passant =
                    is_pawn && self.en_passant() == Some(to) && from.file() != to.file();
                own.has(from) && !promotes && !captures_en_passant && self.reaches(from, to)
            }
        }
    }

    /// The move if it is legal, or why it is not.
    pub(super) fn checked(&self, m: Move) -> Result<Move, MoveError> {
        if self.is_legal_lenient(m) {
            Ok(m)
        } else {
            Err(self.why_illegal(m))
        }
    }

    /// Why a move is not legal, in a game that goes on.
    pub(super) fn why_illegal(&self, m: Move) -> MoveError {
        let is_possible = match m.kind() {
            // It is legal or not as a whole, but where captures are compulsory.
            MoveKind::Castle => R::must_capture(self),
            MoveKind::Drop(role) => self.can_drop(role, m.to()),
            _ => self.is_pseudo_legal(m),
        };
        if is_possible {
            R::why_illegal(self, m)
        } else {
            MoveError::Illegal
        }
    }

    /// The reason why a text is not a legal move: after an end of the game by a rule of the variant
    /// none is.
    pub(super) fn unless_over(&self, error: MoveError) -> MoveError {
        match error {
            MoveError::Syntax | MoveError::Null => error,
            _ if R::is_variant_end(self) => MoveError::GameOver,
            _ => error,
        }
    }

    /// Whether a piece in hand can be dropped on a square, though that may leave the king in check.
    fn can_drop(&self, role: Role, to: Square) -> bool {
        let on_backrank = role == Role::Pawn && Bitboard::BACKRANKS.has(to);
        R::DROPS
            && self.extra().pockets().count(self.turn(), role) > 0
            && !self.board().occupied().has(to)
            && !on_backrank
    }

    /// Whether a move is legal; lenient where the side to move has several kings.
    pub(super) fn is_legal_lenient(&self, m: Move) -> bool {
        if self.has_several_kings() {
            self.to_setup().legal_moves(self.mode()).contains(&m)
        } else {
            self.is_legal(m)
        }
    }

    /// Whether the side to move has several kings, of which the generator sees only one. Such a
    /// position is not legal, but its moves can be read and written.
    pub(super) fn has_several_kings(&self) -> bool {
        let kings = self.board().pieces(self.turn(), Role::King);
        R::VARIANT == Variant::Standard && kings.more_than_one()
    }

    /// Whether moving the own piece on `from` to `to` is pseudo-legal; castling apart.
    pub(super) fn reaches(&self, from: Square, to: Square) -> bool {
        let board = self.board();
        let us = self.turn();
        if board.color(us).has(to) {
            return false;
        }
        if board.role_at(from) != Some(Role::Pawn) {
            return board.attacks_from(from).has(to);
        }
        let captures = board.color(!us).has(to) || self.en_passant() == Some(to);
        if from.file() != to.file() {
            return captures && attacks::pawn(us, from).has(to);
        }
        let forward = if us.is_white() { 1 } else { -1 };
        let one = from.offset(0, forward);
        let two = from.offset(0, 2 * forward);
        // In Horde a pawn may also go two squares from its own first rank.
        let first = [Rank::First, Rank::Second].contains(&us.relative_rank(from.rank()));
        let path = attacks::between(from, to) | to.bitboard();
        (one == Some(to) || first && two == Some(to)) && (path & board.occupied()).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::tests::{Random, for_random_positions};
    use crate::{AnyPosition, CastlingMode, Setup};

    #[test]
    fn pseudo_legal_moves_are_those_of_the_lenient_generator() {
        let mut random = Random(3);
        for_random_positions(2, |position| {
            let expected = position.to_setup().pseudo_legal_moves(position.mode());
            for &m in &expected {
                assert!(position.is_pseudo_legal(m), "{position:?}{m:?}");
            }
            let any = (0..300).map(|_| random.below(1 << 16) as u16);
            for m in any.filter_map(Move::from_bits) {
                let is_expected = expected.contains(&m);
                assert_eq!(
                    position.is_pseudo_legal(m),
                    is_expected,
                    "{position:?}{m:?}"
                );
            }
        });
    }

    #[test]
    fn legal_moves_of_all_variants_are_pseudo_legal() {
        let mut random = Random(5);
        for variant in Variant::all() {
            for _ in 0..6 {
                let mut position = AnyPosition::start(variant);
                for _ in 0..150 {
                    let moves = position.legal_moves();
                    for m in &moves {
                        assert!(position.is_pseudo_legal(m), "{position:?}{m:?}");
                    }
                    if moves.is_empty() {
                        break;
                    }
                    position.play(moves[random.below(moves.len())]);
                }
            }
        }
    }

    /// Why each of these moves, in UCI notation or SAN, is illegal.
    fn reasons(variant: Variant, fen: &str, moves: &str) -> Vec<MoveError> {
        let setup = Setup::from_variant_fen(variant, fen).expect("a FEN");
        let position = AnyPosition::from_setup_unchecked(variant, &setup, CastlingMode::Standard);
        let read = |text| match position.parse_uci(text) {
            Err(MoveError::Syntax) => position.parse_san(text),
            found => found,
        };
        moves
            .split(' ')
            .map(|text| read(text).unwrap_err())
            .collect()
    }

    #[test]
    fn every_variant_says_why_a_move_is_illegal() {
        use MoveError::{GivesCheck, Illegal, KingExplodes, KingInCheck, MustCapture};
        use Variant::{Antichess, Atomic, Crazyhouse, Giveaway, RacingKings, Standard, Suicide};
        let pinned = "8/KP5r/8/8/8/8/8/7k w - - 0 1";
        let capture = "4k3/8/8/1p6/P7/8/8/4K2R w K - 0 1";
        let without_right = "4k3/8/8/1p6/P7/8/8/4K2R w - - 0 1";
        let race = "8/8/8/8/8/7q/1R6/K6k w - - 0 1";
        let attacked = "8/8/8/7k/8/8/7q/K7 w - - 0 1";
        let opened = "4r2k/8/8/8/4p3/2N5/8/4K3 w - - 0 1";
        let near = "7k/8/8/8/8/8/4r3/2N1K3 w - - 0 1";
        let house = "4r1k1/8/8/8/8/8/8/4K3[NP] w - - 0 1";
        for (variant, fen, moves, error) in [
            (Standard, pinned, "b7b8q b7b8 b8=N b8", KingInCheck),
            (Standard, pinned, "b7b8k b7b8p Kc7", Illegal),
            (
                Suicide,
                capture,
                "a4a5 a5 h1h8 Rh8+ Ke2 e1g1 O-O",
                MustCapture,
            ),
            (
                Giveaway,
                capture,
                "a4a5 a5 h1h8 Rh8+ Ke2 e1g1 O-O",
                MustCapture,
            ),
            (Antichess, capture, "a4a5 a5 h1h8 Rh8+ Ke2", MustCapture),
            (Suicide, without_right, "h1b5 Rb5 a6 e1g1 O-O", Illegal),
            (RacingKings, race, "b2b1 Rb1 b2h2", GivesCheck),
            (RacingKings, attacked, "a1a2 Ka2", KingInCheck),
            (Atomic, opened, "c3e4 Nxe4", KingInCheck),
            (Atomic, near, "e1e2 Kxe2 c1e2 Nxe2", KingExplodes),
            (Crazyhouse, house, "N@c3 P@a2 @a2", KingInCheck),
            (Crazyhouse, house, "Q@e2 N@e8 P@e1 O-O", Illegal),
        ] {
            let expected = vec![error; moves.split(' ').count()];
            assert_eq!(reasons(variant, fen, moves), expected, "{variant}: {moves}");
        }
    }

    #[test]
    fn no_move_is_legal_when_a_game_is_over() {
        let hill = "rnbqkbnr/1ppppppp/8/8/p2K4/4P3/PPPP1PPP/RNBQ1BNR b kq - 1 4";
        for (variant, fen) in [
            (Variant::KingOfTheHill, hill),
            (Variant::ThreeCheck, "4k2r/7p/8/8/8/8/8/4K3 b k - 0+3 0 1"),
            (Variant::Atomic, "7r/7p/8/8/8/8/8/4K3 b - - 0 1"),
            (Variant::Horde, "8/8/8/8/8/8/7p/8 w - - 0 1"),
            (Variant::RacingKings, "7K/8/8/8/8/8/8/7k w - - 0 1"),
            (Variant::Antichess, "8/8/8/8/8/8/8/7N b - - 0 1"),
        ] {
            let over = reasons(variant, fen, "h7h6 h6 h8h1 Rh1 O-O e8g8 h2h4");
            assert_eq!(over, [const { MoveError::GameOver }; 7], "{variant}");
            let others = reasons(variant, fen, "0000 hello");
            assert_eq!(others, [MoveError::Null, MoveError::Syntax], "{variant}");
        }
    }

    #[test]
    fn legal_moves_are_found_by_their_squares() {
        for_random_positions(1, |position| {
            for m in position
                .legal_moves()
                .into_iter()
                .filter(|m| !m.is_castle())
            {
                let found = position.find_exact_move(m.from(), m.to(), m.promoted());
                assert_eq!(found, Ok(m), "{position:?}");
            }
        });
    }
}
