//! The state of a board: sets of squares as in python-chess, each of which can be changed by
//! itself, so that they may be inconsistent.

use engine_core::{
    AnyPosition, Bitboard, Board, ByColor, CastlingMode, Color, Fault, Faults, Pockets,
    RemainingChecks, Role, Setup, Square, Variant, attacks,
};

/// The number of a piece type in Python: 1 is a pawn, 6 is a king.
pub(crate) type PieceType = u8;

/// Pawn.
pub(crate) const PAWN: PieceType = 1;
/// Knight.
pub(crate) const KNIGHT: PieceType = 2;
/// Rook.
pub(crate) const ROOK: PieceType = 4;
/// Queen.
pub(crate) const QUEEN: PieceType = 5;
/// King.
pub(crate) const KING: PieceType = 6;

/// The bit of a square; none for what is no square.
#[inline(always)]
pub(crate) fn bit(square: u8) -> u64 {
    if square < 64 { 1 << square } else { 0 }
}

/// Squares of a set from h8 to a1, which is the order in which python-chess goes through them.
#[inline(always)]
pub(crate) fn descending(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.ilog2();
        set ^= 1 << square;
        Some(square as u8)
    })
}

/// Squares of a set from a1 to h8.
#[inline(always)]
pub(crate) fn ascending(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros();
        set &= set - 1;
        Some(square as u8)
    })
}

/// The role of a piece type.
pub(crate) fn role(piece_type: PieceType) -> Option<Role> {
    Role::from_index(usize::from(piece_type).wrapping_sub(1))
}

/// The piece type of a role.
pub(crate) fn piece_type(role: Role) -> PieceType {
    role.index() as u8 + 1
}

/// The pieces on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pieces {
    /// The squares of each piece type, pawns first.
    pub(crate) roles: [u64; 6],
    /// The squares of Black and White, in this order: `False` and `True` are their indices.
    pub(crate) colors: [u64; 2],
    /// All occupied squares.
    pub(crate) occupied: u64,
    /// The squares of pieces that were pawns.
    pub(crate) promoted: u64,
}

impl Pieces {
    /// No pieces.
    pub(crate) const EMPTY: Pieces = Pieces {
        roles: [0; 6],
        colors: [0; 2],
        occupied: 0,
        promoted: 0,
    };

    /// The pieces of an engine's board.
    pub(crate) fn of(board: &Board, promoted: Bitboard) -> Pieces {
        Pieces {
            roles: Role::ALL.map(|role| board.role(role).0),
            colors: [Color::Black, Color::White].map(|color| board.color(color).0),
            occupied: board.occupied().0,
            promoted: promoted.0,
        }
    }

    /// All sets of squares: those of the piece types, White, Black, all pieces, and those that were
    /// pawns.
    pub(crate) fn sets_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        let colors = self.colors.iter_mut().rev();
        let others = [&mut self.occupied, &mut self.promoted];
        self.roles.iter_mut().chain(colors).chain(others)
    }

    /// The squares of a piece type.
    #[inline(always)]
    pub(crate) fn role(&self, piece_type: PieceType) -> u64 {
        let index = usize::from(piece_type).wrapping_sub(1);
        self.roles.get(index).copied().unwrap_or(0)
    }

    /// The squares of a colour.
    #[inline(always)]
    pub(crate) fn color(&self, color: bool) -> u64 {
        self.colors[usize::from(color)]
    }

    /// The squares of a piece type and colour.
    #[inline(always)]
    pub(crate) fn pieces(&self, piece_type: PieceType, color: bool) -> u64 {
        self.role(piece_type) & self.color(color)
    }

    /// The piece type on a square.
    #[inline(always)]
    pub(crate) fn piece_type_at(&self, square: u8) -> Option<PieceType> {
        let mask = bit(square);
        if self.occupied & mask == 0 {
            return None;
        }
        let index = self.roles.iter().position(|&set| set & mask != 0);
        // An occupied square of no other role counts as a king's.
        Some(index.map_or(KING, |index| index as u8 + 1))
    }

    /// The piece type on a square, and whether the piece is White's.
    pub(crate) fn piece_at(&self, square: u8) -> Option<(PieceType, bool)> {
        let is_white = self.color(true) & bit(square) != 0;
        self.piece_type_at(square).map(|role| (role, is_white))
    }

    /// The colour of the piece on a square.
    #[inline(always)]
    pub(crate) fn color_at(&self, square: u8) -> Option<bool> {
        let mask = bit(square);
        if self.color(true) & mask != 0 {
            Some(true)
        } else if self.color(false) & mask != 0 {
            Some(false)
        } else {
            None
        }
    }

    /// The king that is not promoted; of several the one on the highest square (a1 is 0, h8 is 63).
    pub(crate) fn king(&self, color: bool) -> Option<u8> {
        descending(self.pieces(KING, color) & !self.promoted).next()
    }

    /// Empties a square.
    pub(crate) fn remove(&mut self, square: u8) -> Option<PieceType> {
        let piece_type = self.piece_type_at(square)?;
        let mask = bit(square);
        if let Some(set) = self.roles.get_mut(usize::from(piece_type) - 1) {
            *set ^= mask;
        }
        self.occupied ^= mask;
        self.colors[0] &= !mask;
        self.colors[1] &= !mask;
        self.promoted &= !mask;
        Some(piece_type)
    }

    /// Puts a piece on a square, whatever was there.
    pub(crate) fn set(&mut self, square: u8, piece_type: PieceType, color: bool, promoted: bool) {
        self.remove(square);
        let mask = bit(square);
        let Some(set) = self.roles.get_mut(usize::from(piece_type).wrapping_sub(1)) else {
            return;
        };
        *set |= mask;
        self.occupied ^= mask;
        self.colors[usize::from(color)] ^= mask;
        if promoted {
            self.promoted ^= mask;
        }
    }

    /// The squares that the piece on a square attacks.
    pub(crate) fn attacks(&self, square: u8) -> u64 {
        let Some(at) = Square::from_index(usize::from(square)) else {
            return 0;
        };
        let occupied = Bitboard(self.occupied);
        let Some(role) = self.piece_type_at(square).and_then(role) else {
            return 0;
        };
        let attacked = match role {
            Role::Pawn => {
                let color = Color::from_white(self.color(true) & bit(square) != 0);
                attacks::pawn(color, at)
            }
            Role::Knight => attacks::knight(at),
            Role::Bishop => attacks::bishop(at, occupied),
            Role::Rook => attacks::rook(at, occupied),
            Role::Queen => attacks::queen(at, occupied),
            Role::King => attacks::king(at),
        };
        attacked.0
    }

    /// The pieces of a colour that attack a square, given which squares are occupied.
    pub(crate) fn attackers(&self, color: bool, square: u8, occupied: u64) -> u64 {
        let Some(square) = Square::from_index(usize::from(square)) else {
            return 0;
        };
        let occupied = Bitboard(occupied);
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        let attackers = attacks::pawn(Color::from_white(!color), square).0 & pawns
            | attacks::knight(square).0 & knights
            | attacks::bishop(square, occupied).0 & (bishops | queens)
            | attacks::rook(square, occupied).0 & (rooks | queens)
            | attacks::king(square).0 & kings;
        attackers & self.color(color)
    }

    /// Whether each occupied square has one role and one colour.
    pub(crate) fn is_consistent(&self) -> bool {
        let (mut union, mut count) = (0, 0);
        for set in self.roles {
            union |= set;
            count += set.count_ones();
        }
        let [black, white] = self.colors;
        union == self.occupied
            && count == self.occupied.count_ones()
            && black & white == 0
            && black | white == self.occupied
    }

    /// The engine's board with these pieces.
    pub(crate) fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for square in ascending(self.occupied) {
            let role = self.piece_type_at(square).and_then(role);
            if let (Some(role), Some(color)) = (role, self.color_at(square)) {
                let at = Square::from_index_masked(usize::from(square));
                board.put(role.of(Color::from_white(color)), at);
            }
        }
        board
    }
}

/// A position as python-chess's `Board` has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardState {
    /// The pieces.
    pub(crate) pieces: Pieces,
    /// Whether White is to move.
    pub(crate) turn: bool,
    /// The squares of rooks that may still castle.
    pub(crate) castling_rights: u64,
    /// The square that a pawn has just passed over.
    pub(crate) ep_square: Option<u8>,
    /// Plies since the last capture or pawn move.
    pub(crate) halfmove_clock: i64,
    /// The number of the move.
    pub(crate) fullmove_number: i64,
    /// Whether the move stack is not empty: then castling rights are taken as they are
    /// (python-chess's `clean_castling_rights`), since the first `push` has cleaned them.
    pub(crate) has_moved: bool,
}

/// The state that a variant adds to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Extra {
    /// The pieces in hand of Black and White.
    pub(crate) pockets: Option<[Pocket; 2]>,
    /// The checks that Black and White must still give: less than none if the game went on after
    /// the last.
    pub(crate) checks: Option<[i16; 2]>,
}

/// A number of remaining checks as `i16`, at the limits if it is beyond; negative after the last
/// check.
pub(crate) fn count_of_checks(count: i64) -> i16 {
    count.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Pieces in hand: a count for each piece type, pawns first.
pub(crate) type Pocket = [u8; 6];

impl BoardState {
    /// An empty board with White to move.
    pub(crate) const EMPTY: BoardState = BoardState {
        pieces: Pieces::EMPTY,
        turn: true,
        castling_rights: 0,
        ep_square: None,
        halfmove_clock: 0,
        fullmove_number: 1,
        has_moved: false,
    };

    /// The start position.
    pub(crate) const START: BoardState = BoardState {
        pieces: Pieces {
            roles: [
                0x00ff_0000_0000_ff00,
                0x4200_0000_0000_0042,
                0x2400_0000_0000_0024,
                0x8100_0000_0000_0081,
                0x0800_0000_0000_0008,
                0x1000_0000_0000_0010,
            ],
            colors: [0xffff_0000_0000_0000, 0x0000_0000_0000_ffff],
            occupied: 0xffff_0000_0000_ffff,
            promoted: 0,
        },
        castling_rights: 0x8100_0000_0000_0081,
        ..BoardState::EMPTY
    };

    /// The position of a setup.
    pub(crate) fn of(setup: &Setup) -> BoardState {
        BoardState {
            pieces: Pieces::of(&setup.board, setup.promoted),
            turn: setup.turn.is_white(),
            castling_rights: setup.castling.0,
            ep_square: setup.en_passant.map(|square| square.index() as u8),
            halfmove_clock: i64::from(setup.halfmoves),
            fullmove_number: i64::from(setup.fullmoves),
            has_moved: false,
        }
    }

    /// The color to move.
    pub(crate) fn color(&self) -> Color {
        Color::from_white(self.turn)
    }

    /// This position for the engine, not validated.
    pub(crate) fn setup(&self, extra: &Extra) -> Setup {
        let mut pockets = Pockets::default();
        if let Some(both) = extra.pockets {
            for (pocket, color) in both.into_iter().zip([Color::Black, Color::White]) {
                for (count, role) in pocket.into_iter().zip(Role::ALL) {
                    (0..count).for_each(|_| pockets.add(color, role));
                }
            }
        }
        let ep_square = self.ep_square.map(usize::from);
        Setup {
            board: self.pieces.board(),
            turn: self.color(),
            castling: Bitboard(self.castling_rights),
            en_passant: ep_square.and_then(Square::from_index),
            halfmoves: u32::try_from(self.halfmove_clock.max(0)).unwrap_or(u32::MAX),
            fullmoves: u32::try_from(self.fullmove_number.max(1)).unwrap_or(u32::MAX),
            promoted: Bitboard(self.pieces.promoted),
            pockets: extra.pockets.map(|_| pockets),
            checks: extra
                .checks
                .map(|[black, white]| [white, black].map(|left| left.clamp(0, 255) as u8))
                .map(|left| RemainingChecks(ByColor(left))),
        }
    }

    /// The engine's position, if the sets are consistent and have no fault but those that change no
    /// rule (too many pieces, bad castling rights, impossible checks); else the setup.
    pub(crate) fn position(
        &self,
        extra: &Extra,
        variant: Variant,
        mode: CastlingMode,
    ) -> Result<AnyPosition, Setup> {
        let setup = self.setup(extra);
        let has_king = |pocket: &Pocket| pocket[Role::King.index()] > 0;
        let drops_kings = extra.pockets.is_some_and(|both| both.iter().any(has_king));
        if drops_kings || !self.pieces.is_consistent() {
            return Err(setup);
        }
        let faults = AnyPosition::faults_of(variant, &setup, mode);
        let grave = faults.without(Faults::of(&[
            Fault::TooManyWhitePawns,
            Fault::TooManyBlackPawns,
            Fault::TooManyWhitePieces,
            Fault::TooManyBlackPieces,
            Fault::BadCastlingRights,
            Fault::TooManyCheckers,
            Fault::ImpossibleCheck,
        ]));
        if grave.is_empty() {
            Ok(AnyPosition::from_setup_unchecked(variant, &setup, mode))
        } else {
            Err(setup)
        }
    }
}
