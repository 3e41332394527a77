//! Moves in the order of python-chess: from h8 to a1, pieces first, then castling, captures of
//! pawns, their steps, and en passant.

use super::game_rules::GameRules;
use super::moves::RawMove;
use super::play::{backrank, is_losing};
use super::state::{
    BoardState, Extra, KING, KNIGHT, PAWN, PieceType, Pieces, QUEEN, ascending, bit, descending,
    piece_type, role,
};
use engine_core::{
    All, AnyPosition, Bitboard, CastlingMode, Move, MoveKind, MoveSink, Position, Role, Rules,
    Setup, Square, Variant, attacks, dispatch,
};

/// Moves as sets of squares.
pub(crate) struct MoveSets {
    /// Where each piece may go.
    targets: [u64; 64],
    /// The pawns that may take en passant.
    en_passant: u64,
    /// The rooks that the king may castle with.
    castling: u64,
    /// Where a piece of each type may be dropped, pawns first.
    drops: [u64; 6],
    /// The king whose moves come first, as it is in check and only legal moves are wanted.
    evading: u64,
    /// All promotions, if pawns may not become every piece.
    promotions: Option<Vec<Move>>,
}

/// A set of squares or of one.
fn set(square: Square) -> u64 {
    square.bitboard().0
}

impl MoveSink for MoveSets {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        self.targets[from.index()] |= to.0;
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            let from = to.index().wrapping_sub(step as usize) & 63;
            self.targets[from] |= set(to);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        self.pawns(to, step);
    }

    #[inline(always)]
    fn single(&mut self, m: Move) {
        match m.kind() {
            MoveKind::Castle => self.castling |= set(m.to()),
            MoveKind::EnPassant => self.en_passant |= set(m.from()),
            MoveKind::Drop(role) => self.drops[role.index()] |= set(m.to()),
            MoveKind::Normal | MoveKind::Promotion(_) => {
                self.targets[m.from().index()] |= set(m.to());
            }
        }
    }

    #[inline(always)]
    fn drops(&mut self, role: Role, to: Bitboard) {
        self.drops[role.index()] |= to.0;
    }
}

/// A filter of moves by squares.
#[derive(Clone, Copy)]
pub(crate) struct MoveFilter {
    /// From these squares.
    pub(crate) from: u64,
    /// To these squares; of castling, those of the rook.
    pub(crate) to: u64,
}

impl MoveFilter {
    /// All of them.
    pub(crate) const ALL: MoveFilter = MoveFilter {
        from: u64::MAX,
        to: u64::MAX,
    };
}

impl MoveSets {
    const NONE: MoveSets = MoveSets {
        targets: [0; 64],
        en_passant: 0,
        castling: 0,
        drops: [0; 6],
        evading: 0,
        promotions: None,
    };

    fn of(moves: Vec<Move>) -> MoveSets {
        let mut sets = MoveSets::NONE;
        for &m in &moves {
            sets.single(m);
        }
        let is_promotion = |m: &Move| m.promoted().is_some();
        sets.promotions = Some(moves.into_iter().filter(is_promotion).collect());
        sets
    }

    /// The legal moves.
    pub(crate) fn legal(state: &BoardState, extra: &Extra, game: GameRules) -> MoveSets {
        let mut sets = MoveSets::NONE;
        match state.position(extra, game.variant, game.mode) {
            Ok(position) => {
                dispatch!(&position, |position| position.generate::<All, _>(&mut sets));
            }
            Err(setup) => sets = MoveSets::of(lenient_moves(&setup, game)),
        }
        sets.evading = evading_king(state, game);
        sets
    }

    /// The pseudo-legal moves from these squares, which may leave the king in check.
    pub(crate) fn pseudo_legal(
        state: &BoardState,
        extra: &Extra,
        game: GameRules,
        from: u64,
    ) -> MoveSets {
        let mut sets = MoveSets::NONE;
        let (pieces, pawns) = (&state.pieces, state.pieces.role(PAWN));
        let own = pieces.color(state.turn);
        for from in ascending(own & from & !pawns) {
            sets.targets[usize::from(from)] = pieces.attacks(from) & !own;
        }
        for from in ascending(own & from & pawns) {
            sets.targets[usize::from(from)] = state.pawn_targets(from);
        }
        sets.en_passant = state.en_passant_takers();
        let castles = state
            .castling_king()
            .is_some_and(|king| from & bit(king) != 0);
        if castles && state.clean_castling_rights(game.mode) & backrank(state.turn) != 0 {
            sets.castling = pseudo_legal_castling(&state.setup(extra), game);
        }
        sets
    }

    /// Whether a pawn that gets from one square to another may become a piece.
    fn promotes(&self, from: u8, to: u8, promotion: PieceType) -> bool {
        let Some(promotions) = &self.promotions else {
            return true;
        };
        let [from, to] = [from, to].map(|at| Square::from_index_masked(usize::from(at)));
        let m = role(promotion).map(|role| Move::promotion(from, to, role));
        m.is_some_and(|m| promotions.contains(&m))
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.castling | self.en_passant == 0 && self.targets == [0; 64] && self.drops == [0; 6]
    }

    /// Whether a king can castle.
    pub(crate) fn has_castling(&self) -> bool {
        self.castling != 0
    }

    /// Whether a pawn can take en passant.
    pub(crate) fn has_en_passant(&self) -> bool {
        self.en_passant != 0
    }

    /// Where the pieces stand that can go to a square, other than by castling or en passant.
    pub(crate) fn origins(&self, to: u8) -> u64 {
        let targets = self.targets.iter().enumerate();
        targets
            .filter(|(_, set)| *set & bit(to) != 0)
            .fold(0, |origins, (from, _)| origins | 1 << from)
    }

    /// Only captures, en passant included.
    pub(crate) fn captures(mut self, state: &BoardState) -> MoveSets {
        let enemy = state.pieces.color(!state.turn);
        self.targets.iter_mut().for_each(|to| *to &= enemy);
        MoveSets {
            castling: 0,
            drops: [0; 6],
            ..self
        }
    }

    /// All but castling.
    pub(crate) fn without_castling(self) -> MoveSets {
        MoveSets {
            castling: 0,
            ..self
        }
    }

    /// Only castling.
    pub(crate) fn castling_alone(self) -> MoveSets {
        MoveSets {
            castling: self.castling,
            ..MoveSets::NONE
        }
    }

    /// Only captures en passant.
    pub(crate) fn en_passant_alone(self) -> MoveSets {
        MoveSets {
            en_passant: self.en_passant,
            ..MoveSets::NONE
        }
    }

    /// Whether this move is among them, however castling is written.
    pub(crate) fn has(&self, m: RawMove, state: &BoardState, game: GameRules) -> bool {
        if m.drop != 0 {
            // Kings in hand can be dropped, but no such drop is legal.
            let drops = usize::from(m.drop) - 1;
            return m.drop != KING
                && m.promotion == 0
                && m.from == m.to
                && self.drops.get(drops).is_some_and(|&to| to & bit(m.to) != 0);
        }
        let king = state.pieces.pieces(KING, state.turn) & bit(m.from) != 0;
        if king && m.promotion == 0 && self.castles(m, state, game) {
            return true;
        }
        let to = self.targets.get(usize::from(m.from)).copied().unwrap_or(0);
        if to & bit(m.to) != 0 {
            let promotes = state.pieces.role(PAWN) & bit(m.from) != 0 && Pieces::is_backrank(m.to);
            return match m.promotion {
                _ if promotes && !self.promotes(m.from, m.to, m.promotion) => false,
                0 => !promotes,
                KING => promotes && is_losing(game.variant),
                promotion => promotes && promotion > PAWN && promotion < KING,
            };
        }
        m.promotion == 0 && self.en_passant & bit(m.from) != 0 && state.ep_square == Some(m.to)
    }

    /// Whether a king's move is castling that is among them. In standard mode the squares of the
    /// king and of the rook will both do.
    fn castles(&self, m: RawMove, state: &BoardState, game: GameRules) -> bool {
        let rook = match game.mode {
            CastlingMode::Chess960 => m,
            CastlingMode::Standard => state.castling_to_chess960(m),
        };
        self.castling & bit(rook.to) != 0 && state.castling_king() == Some(m.from)
    }

    /// All of them in order.
    pub(crate) fn list(
        &self,
        state: &BoardState,
        game: GameRules,
        wanted: MoveFilter,
    ) -> Vec<RawMove> {
        let mut moves = Vec::with_capacity(48);
        let pawns = state.pieces.role(PAWN);
        let own = state.pieces.color(state.turn) & wanted.from;
        let enemy = state.pieces.color(!state.turn);
        let steps = |from: u8, moves: &mut Vec<RawMove>| {
            let to = self.targets[usize::from(from & 63)] & wanted.to;
            moves.extend(descending(to).map(|to| RawMove::step(from, to)));
        };
        let evades = self.evading;
        descending(own & evades).for_each(|from| steps(from, &mut moves));
        descending(own & !pawns & !evades).for_each(|from| steps(from, &mut moves));
        if let Some(king) = state
            .castling_king()
            .filter(|&king| wanted.from & bit(king) != 0)
        {
            moves.extend(descending(self.castling & wanted.to).map(|rook| {
                state.castling_from_chess960(
                    RawMove::step(king, rook),
                    game.mode == CastlingMode::Chess960,
                )
            }));
        }
        self.list_pawns(own & pawns, enemy, state, game, wanted, &mut moves);
        self.list_drops(wanted, &mut moves);
        moves
    }

    fn list_pawns(
        &self,
        pawns: u64,
        enemy: u64,
        state: &BoardState,
        game: GameRules,
        wanted: MoveFilter,
        moves: &mut Vec<RawMove>,
    ) {
        let mut steps = [0_u64; 2];
        for from in descending(pawns) {
            let to = self.targets[usize::from(from & 63)] & wanted.to;
            for to in descending(to & enemy) {
                self.push_pawn(from, to, game, moves);
            }
            for to in descending(to & !enemy) {
                steps[usize::from(from.abs_diff(to) == 16)] |= bit(to);
            }
        }
        let back: i16 = if state.turn { -8 } else { 8 };
        for (to, length) in steps.into_iter().zip([1, 2]) {
            for to in descending(to) {
                self.push_pawn((i16::from(to) + length * back) as u8, to, game, moves);
            }
        }
        if let Some(to) = state.ep_square.filter(|&to| wanted.to & bit(to) != 0) {
            let takers = self.en_passant & wanted.from;
            moves.extend(descending(takers).map(|from| RawMove::step(from, to)));
        }
    }

    fn push_pawn(&self, from: u8, to: u8, game: GameRules, moves: &mut Vec<RawMove>) {
        if !Pieces::is_backrank(to) {
            moves.push(RawMove::step(from, to));
            return;
        }
        let first = if is_losing(game.variant) { KING } else { QUEEN };
        let roles = (KNIGHT..=first).rev();
        let possible = roles.filter(|&role| self.promotes(from, to, role));
        moves.extend(possible.map(|role| RawMove::promotion(from, to, role)));
    }

    fn list_drops(&self, wanted: MoveFilter, moves: &mut Vec<RawMove>) {
        for (role, set) in Role::ALL.into_iter().zip(self.drops) {
            let to = ascending(set & wanted.from & wanted.to);
            moves.extend(to.map(|to| RawMove::drop(piece_type(role), to)));
        }
    }
}

/// The king that is in check, whose moves come first.
fn evading_king(state: &BoardState, game: GameRules) -> u64 {
    if game.variant == Variant::Atomic || is_losing(game.variant) {
        return 0;
    }
    let pieces = &state.pieces;
    let king = pieces.king(state.turn);
    let in_check = |&king: &u8| pieces.attackers(!state.turn, king, pieces.occupied) != 0;
    king.filter(in_check).map_or(0, bit)
}

impl BoardState {
    /// The king that castles: of several the one nearest to a1.
    pub(crate) fn castling_king(&self) -> Option<u8> {
        let kings = self.pieces.pieces(KING, self.turn) & !self.pieces.promoted;
        ascending(kings & backrank(self.turn)).next()
    }

    /// Where a pawn may go, but for captures en passant.
    fn pawn_targets(&self, from: u8) -> u64 {
        let pieces = &self.pieces;
        let forward = |set: u64| if self.turn { set << 8 } else { set >> 8 };
        let one = forward(bit(from)) & !pieces.occupied;
        // In Horde a pawn may also go two squares from its own first rank.
        let leaps = if self.turn {
            0xffff << 16
        } else {
            0xffff << 32
        };
        let two = forward(one) & !pieces.occupied & leaps;
        let at = Square::from_index_masked(usize::from(from));
        let takes = attacks::pawn(self.color(), at).0 & pieces.color(!self.turn);
        takes | one | two
    }
}

/// The rooks that a king may castle with. Nobody castles any more when the game is over.
fn pseudo_legal_castling(setup: &Setup, game: GameRules) -> u64 {
    fn of<R: Rules>(position: &Position<R>, setup: &Setup) -> u64 {
        if R::is_variant_end(position) {
            return 0;
        }
        let moves = setup.variant_castling_moves::<R>(position.mode());
        moves.into_iter().fold(0, |rooks, m| rooks | set(m.to()))
    }
    let position = AnyPosition::from_setup_unchecked(game.variant, setup, game.mode);
    dispatch!(&position, |position| of(position, setup))
}

fn lenient_moves(setup: &Setup, game: GameRules) -> Vec<Move> {
    fn of<R: Rules>(_: &Position<R>, setup: &Setup, mode: CastlingMode) -> Vec<Move> {
        setup.variant_moves::<R>(mode)
    }
    let any = AnyPosition::start(game.variant);
    dispatch!(&any, |position| of(position, setup, game.mode))
}
