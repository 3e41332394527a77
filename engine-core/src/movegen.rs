//! Legal move generation from a check mask and two pin masks, without pseudo-legal moves in
//! between.
//!
//! One generator passes sets of targets to a [`MoveSink`]; counting, lists and legality tests are
//! sinks. See <https://www.chessprogramming.org/Checks_and_Pinned_Pieces_(Bitboards)>.

mod castling;
mod checks;
mod lenient;
mod sink;

pub use checks::CheckSquares;
pub use sink::MoveSink;
pub(crate) use sink::{HasMove, PROMOTIONS, origin};

use crate::position::castling_targets;
use crate::rules::Rules;
use crate::types::{Bitboard, Black, Color, Move, MoveList, Rank, Role, Side, Square, White};
use crate::{Board, Position, attacks};
use castling::free_rooks;
use sink::{Finder, MoveCounter};

/// Which moves to generate, as a type parameter. Every legal move is either noisy or quiet.
pub trait MoveClass {
    /// Captures and promotions.
    const NOISY: bool;
    /// All others.
    const QUIET: bool;
}

/// All legal moves.
pub struct All;
/// Captures and promotions.
pub struct Noisy;
/// Moves that are neither captures nor promotions.
pub struct Quiet;

impl MoveClass for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl MoveClass for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl MoveClass for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

impl<R: Rules> Position<R> {
    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        R::legal_moves(self)
    }

    #[inline(always)]
    pub(crate) fn legal_moves_generic(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<All, _>(&mut list);
        list
    }

    /// The number of legal moves, without making a list.
    #[inline(always)]
    pub fn count_legal_moves(&self) -> u32 {
        match self.turn() {
            Color::White => self.count_as(White),
            Color::Black => self.count_as(Black),
        }
    }

    /// The number of legal moves, with the side to move as a type parameter.
    pub(crate) fn count_as<S: Side>(&self, side: S) -> u32 {
        let mut counter = MoveCounter::default();
        self.generate_as::<_, All, _>(side, Bitboard::FULL, Bitboard::FULL, &mut counter);
        counter.0
    }

    /// Whether there is a legal move.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        R::has_legal_move(self)
    }

    #[inline(always)]
    pub(crate) fn has_legal_move_generic(&self) -> bool {
        let mut has_move = HasMove(false);
        let all = Bitboard::FULL;
        self.generate_as::<_, All, _>(self.turn(), all, all, &mut has_move);
        has_move.0
    }

    /// Whether a move, which may be any 16 bits, is legal here.
    #[inline]
    pub fn is_legal(&self, m: Move) -> bool {
        R::is_legal(self, m)
    }

    #[inline(always)]
    pub(crate) fn is_legal_generic(&self, m: Move) -> bool {
        if m.is_drop() {
            return R::DROPS && self.is_legal_drop(m);
        }
        if !self.board().color(self.turn()).has(m.from()) {
            return false;
        }
        let mut finder = Finder {
            wanted: m,
            found: false,
        };
        let (from, to) = (m.from().bitboard(), m.to().bitboard());
        self.generate_as::<_, All, _>(self.turn(), from, to, &mut finder);
        finder.found
    }

    #[cold]
    fn is_legal_drop(&self, m: Move) -> bool {
        let mut finder = Finder {
            wanted: m,
            found: false,
        };
        self.generate_within::<Quiet, _>(Bitboard::FULL, m.to().bitboard(), &mut finder);
        finder.found
    }

    /// Passes all legal moves of the class to the sink.
    #[inline(always)]
    pub fn generate<W: MoveClass, K: MoveSink>(&self, sink: &mut K) {
        self.generate_within::<W, K>(Bitboard::FULL, Bitboard::FULL, sink);
    }

    /// Passes the legal moves of the class from and to these squares to the sink. Castling goes from the
    /// king to its rook.
    #[inline(always)]
    pub fn generate_within<W: MoveClass, K: MoveSink>(
        &self,
        from: Bitboard,
        to: Bitboard,
        sink: &mut K,
    ) {
        match self.turn() {
            Color::White => self.generate_as::<_, W, K>(White, from, to, sink),
            Color::Black => self.generate_as::<_, W, K>(Black, from, to, sink),
        }
    }

    /// Generates moves, with the side to move as a type parameter. A search passes a `Color`, which makes
    /// half as much code: then generator and search fit into the instruction cache together.
    #[inline(always)]
    pub(crate) fn generate_as<S: Side, W: MoveClass, K: MoveSink>(
        &self,
        side: S,
        from: Bitboard,
        to: Bitboard,
        sink: &mut K,
    ) {
        if !R::is_variant_end(self) {
            R::generate::<S, W, K>(&Generator::new(self, side, from, to), sink);
        }
    }
}

/// The state of move generation: masks of checks and pins, and which moves to generate.
#[derive(Clone, Copy)]
pub struct Generator<'a, R: Rules, S: Side> {
    pub(crate) position: &'a Position<R>,
    pub(crate) board: &'a Board,
    pub(crate) occupied: Bitboard,
    own: Bitboard,
    pub(crate) enemy: Bitboard,
    /// Only pieces on these squares move.
    pub(crate) from: Bitboard,
    /// Only moves to these squares count.
    pub(crate) to: Bitboard,
    /// Squares where a move ends a check: all of them when there is none.
    pub(crate) check_mask: Bitboard,
    checkers: Bitboard,
    /// The square where a pawn can be captured en passant.
    en_passant: Option<Square>,
    /// Rays, slider included, along which a piece is pinned to the king.
    pin_orthogonal: Bitboard,
    pin_diagonal: Bitboard,
    pub(crate) side: S,
}

impl<'a, R: Rules, S: Side> Generator<'a, R, S> {
    #[inline(always)]
    fn new(position: &'a Position<R>, side: S, from: Bitboard, to: Bitboard) -> Self {
        let board = position.board();
        let mut generator = Generator {
            position,
            board,
            occupied: board.occupied(),
            own: board.color(side.color()),
            enemy: board.color(!side.color()),
            from,
            to,
            check_mask: Bitboard::FULL,
            checkers: Bitboard::EMPTY,
            en_passant: position.en_passant(),
            pin_orthogonal: Bitboard::EMPTY,
            pin_diagonal: Bitboard::EMPTY,
            side,
        };
        if let Some(king) = R::royal(board, side.color()) {
            generator.find_checks_and_pins(king);
        }
        generator
    }

    /// For all moves.
    #[inline(always)]
    pub(crate) fn of(position: &'a Position<R>, side: S) -> Self {
        Generator::new(position, side, Bitboard::FULL, Bitboard::FULL)
    }

    #[inline(always)]
    fn find_checks_and_pins(&mut self, king: Square) {
        let board = self.board;
        self.checkers = self.enemy
            & ((attacks::knight(king) & board.role(Role::Knight))
                | (attacks::pawn(self.side.color(), king) & board.role(Role::Pawn)));
        let files_and_ranks = attacks::rook_rays(king);
        let snipers = self.enemy
            & ((files_and_ranks & board.orthogonals())
                | (attacks::bishop_rays(king) & board.diagonals()));
        for sniper in snipers {
            let between = attacks::between(king, sniper);
            let blockers = between & self.occupied;
            if blockers.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !blockers.more_than_one() {
                let pin = between | sniper.bitboard();
                if files_and_ranks.has(sniper) {
                    self.pin_orthogonal |= pin;
                } else {
                    self.pin_diagonal |= pin;
                }
            }
        }
        if self.checkers.any() {
            self.check_mask = evasions(king, self.checkers);
        }
    }

    /// The same from and to fewer squares.
    #[inline(always)]
    pub(crate) fn restricted(&self, from: Bitboard, to: Bitboard) -> Self {
        Generator {
            from: self.from & from,
            to: self.to & to,
            ..*self
        }
    }

    /// The same without captures.
    #[inline(always)]
    pub(crate) fn without_captures(&self) -> Self {
        Generator {
            to: self.to - self.enemy,
            en_passant: None,
            ..*self
        }
    }

    /// For captures by any piece, pseudo-legal ones included, which leave the own king in check.
    #[inline(always)]
    pub(crate) fn pseudo_legal_captures(&self) -> Self {
        let passed = self.en_passant.map_or(Bitboard::EMPTY, Square::bitboard);
        Generator {
            from: Bitboard::FULL,
            to: self.enemy | passed,
            check_mask: Bitboard::FULL,
            checkers: Bitboard::EMPTY,
            pin_orthogonal: Bitboard::EMPTY,
            pin_diagonal: Bitboard::EMPTY,
            ..*self
        }
    }

    /// Generates moves by the rules of standard chess, modified by the constants of the variant.
    #[inline(always)]
    pub(crate) fn run<W: MoveClass, K: MoveSink>(&self, sink: &mut K) {
        let mut wanted = self.to;
        wanted &= match (W::NOISY, W::QUIET) {
            (true, true) => !self.own,
            (true, false) => self.enemy,
            _ => !self.occupied,
        };
        if R::ROYAL {
            self.king::<W, K>(wanted, sink);
        } else {
            self.kings::<W, K>(wanted, sink);
        }
        // In double check only the king moves.
        if sink.is_done() || self.check_mask.is_empty() {
            return;
        }
        let movers = self.own & self.from;
        let pinned = self.pin_orthogonal | self.pin_diagonal;
        self.pawns::<W, K>(movers, pinned, sink);
        if sink.is_done() {
            return;
        }
        self.pieces(movers, pinned, wanted & self.check_mask, sink);
    }

    #[inline(always)]
    fn pieces<K: MoveSink>(
        &self,
        movers: Bitboard,
        pinned: Bitboard,
        targets: Bitboard,
        sink: &mut K,
    ) {
        let free = movers - pinned;
        for from in free & self.board.role(Role::Knight) {
            sink.piece(Role::Knight, from, attacks::knight(from) & targets);
        }
        self.diagonals(free, targets, sink);
        self.orthogonals(free, targets, sink);
        // A pinned knight never moves; a pinned slider moves along the ray of the pin.
        if (movers & pinned).any() {
            let (diagonal, orthogonal) = (self.pin_diagonal, self.pin_orthogonal);
            self.diagonals(movers & diagonal, targets & diagonal, sink);
            self.orthogonals(movers & orthogonal, targets & orthogonal, sink);
        }
    }

    #[inline(always)]
    fn diagonals<K: MoveSink>(&self, movers: Bitboard, targets: Bitboard, sink: &mut K) {
        for from in movers & self.board.diagonals() {
            let to = attacks::bishop(from, self.occupied) & targets;
            sink.piece(self.slider(from, Role::Bishop), from, to);
        }
    }

    #[inline(always)]
    fn orthogonals<K: MoveSink>(&self, movers: Bitboard, targets: Bitboard, sink: &mut K) {
        for from in movers & self.board.orthogonals() {
            let to = attacks::rook(from, self.occupied) & targets;
            sink.piece(self.slider(from, Role::Rook), from, to);
        }
    }

    /// A queen moves once as a bishop and once as a rook.
    #[inline(always)]
    fn slider(&self, from: Square, role: Role) -> Role {
        if self.board.role(Role::Queen).has(from) {
            Role::Queen
        } else {
            role
        }
    }

    #[inline(always)]
    fn pawns<W: MoveClass, K: MoveSink>(&self, movers: Bitboard, pinned: Bitboard, sink: &mut K) {
        let us = self.side.color();
        let forward: i8 = if us.is_white() { 8 } else { -8 };
        let last = us.relative_rank(Rank::Eighth).bitboard();
        let seventh = us.relative_rank(Rank::Seventh).bitboard();
        let pawns = movers & self.board.role(Role::Pawn);
        let free = pawns - pinned;
        let to = self.to & self.check_mask;

        let (mut push, mut double) = self.pushes(free, to);
        let (mut west, mut east) = self.takes(free, to);
        if (pawns & pinned).any() {
            // A pawn pinned along its file may push; one pinned along a diagonal may capture.
            let (diagonal, orthogonal) = (self.pin_diagonal, self.pin_orthogonal);
            let (pinned_push, pinned_double) = self.pushes(pawns & orthogonal, to & orthogonal);
            let (pinned_west, pinned_east) = self.takes(pawns & diagonal, to & diagonal);
            push |= pinned_push;
            double |= pinned_double;
            west |= pinned_west;
            east |= pinned_east;
        }
        if (pawns & seventh).any() {
            if W::NOISY {
                for (to, step) in [(push, forward), (west, forward - 1), (east, forward + 1)] {
                    sink.promotions(to & last, step);
                    if !R::ROYAL {
                        for to in to & last {
                            sink.single(Move::promotion(origin(to, step), to, Role::King));
                        }
                    }
                }
            }
            push -= last;
            west -= last;
            east -= last;
        }
        if W::QUIET {
            sink.pawns(push, forward);
            sink.pawns(double, 2 * forward);
        }
        if W::NOISY {
            sink.pawns(west, forward - 1);
            sink.pawns(east, forward + 1);
            if let Some(passed) = self.en_passant {
                self.en_passant(passed, pawns, sink);
            }
        }
    }

    /// Single and double pushes that end on these squares.
    #[inline(always)]
    fn pushes(&self, pawns: Bitboard, to: Bitboard) -> (Bitboard, Bitboard) {
        // In Horde a pawn may also go two squares from the first rank.
        let [second, third] =
            [Rank::Second, Rank::Third].map(|rank| self.side.color().relative_rank(rank));
        let home_ranks = second.bitboard() | third.bitboard();
        let push = self.side.forward(pawns) - self.occupied;
        let double = self.side.forward(push & home_ranks) - self.occupied;
        (push & to, double & to)
    }

    /// Captures to the west and to the east that end on these squares.
    #[inline(always)]
    fn takes(&self, pawns: Bitboard, to: Bitboard) -> (Bitboard, Bitboard) {
        let to = to & self.enemy;
        (
            self.side.forward_west(pawns) & to,
            self.side.forward_east(pawns) & to,
        )
    }

    #[inline(always)]
    fn en_passant<K: MoveSink>(&self, passed: Square, pawns: Bitboard, sink: &mut K) {
        for from in attacks::pawn(!self.side.color(), passed) & pawns {
            if self.to.has(passed)
                && is_safe_en_passant::<R>(self.board, self.side.color(), from, passed)
            {
                sink.single(Move::en_passant(from, passed));
            }
        }
    }

    /// Kings that are not royal move like other pieces.
    #[inline(always)]
    fn kings<W: MoveClass, K: MoveSink>(&self, wanted: Bitboard, sink: &mut K) {
        for king in self.board.pieces(self.side.color(), Role::King) & self.from {
            sink.piece(Role::King, king, attacks::king(king) & wanted);
        }
        if W::QUIET
            && self.position.castling().any()
            && let Some(king) = R::castling_king(self.position, self.side.color())
            && self.from.has(king)
        {
            for rook in self.castling_rooks(king) {
                self.castling(king, rook, Bitboard::EMPTY, sink);
            }
        }
    }

    #[inline(always)]
    fn king<W: MoveClass, K: MoveSink>(&self, wanted: Bitboard, sink: &mut K) {
        let Some(king) = (self.board.pieces(self.side.color(), Role::King) & self.from).first()
        else {
            return;
        };
        let steps = attacks::king(king) & wanted;
        let rooks = if W::QUIET {
            self.castling_rooks(king)
        } else {
            Bitboard::EMPTY
        };
        // Attack maps are costly, and a king behind its own pawns often has no square to go to.
        if (steps | rooks).is_empty() {
            return;
        }
        let danger = self.danger(king, steps, rooks);
        sink.piece(Role::King, king, steps & !danger);
        for rook in rooks {
            self.castling(king, rook, danger, sink);
        }
    }

    /// Rooks with castling rights and nothing in the way.
    #[inline(always)]
    fn castling_rooks(&self, king: Square) -> Bitboard {
        let rooks = self.position.castling() & self.own & self.to;
        if rooks.is_empty() || self.checkers.any() {
            return Bitboard::EMPTY;
        }
        // In Chess960 a rook may shield its king from the corner, which is a pin.
        let pinned = if R::EXPLODES {
            Bitboard::EMPTY
        } else {
            self.pin_orthogonal
        };
        rooks & (free_rooks(self.side.color(), king, self.occupied) - pinned)
    }

    /// Squares that the enemy attacks once the king has left its square. Only squares among the
    /// king's steps are needed, and all of them if it may castle.
    #[inline(always)]
    fn danger(&self, king: Square, steps: Bitboard, rooks: Bitboard) -> Bitboard {
        let board = self.board;
        let occupied = self.occupied ^ king.bitboard();
        // In Atomic, kings that touch cannot be in check.
        if R::EXPLODES {
            let near = board.pieces(!self.side.color(), Role::King).first();
            let near = near.map_or(Bitboard::EMPTY, attacks::king);
            return board.attack_map(self.side.other(), occupied) - near;
        }
        // For one or two squares it is cheaper to look for attackers of each.
        if rooks.is_empty() && steps.count() <= 2 {
            return steps
                .into_iter()
                .filter(|&to| board.attackers(to, !self.side.color(), occupied).any())
                .collect();
        }
        board.attack_map(self.side.other(), occupied)
    }

    #[inline(always)]
    fn castling<K: MoveSink>(&self, king: Square, rook: Square, danger: Bitboard, sink: &mut K) {
        let (king_to, _) = castling_targets(self.side.color(), king, rook);
        let king_path = attacks::between(king, king_to) | king_to.bitboard();
        // In Atomic the rook may shield its king on the target: the position after it decides.
        let safe_after = if R::EXPLODES {
            king_to.bitboard()
        } else {
            Bitboard::EMPTY
        };
        if (king_path & (danger - safe_after)).any() {
            return;
        }
        let castle = Move::castle(king, rook);
        if R::EXPLODES {
            // Kings that touch before or after castling change what is a check and what is a pin.
            let mut after = *self.position;
            after.play(castle);
            after.play_null();
            if after.in_check() {
                return;
            }
        }
        sink.single(castle);
    }
}

/// The squares where a move of another piece than the king ends a check: the check mask.
#[cold]
fn evasions(king: Square, checkers: Bitboard) -> Bitboard {
    checkers.single().map_or(Bitboard::EMPTY, |checker| {
        attacks::between(king, checker) | checkers
    })
}

/// Whether an en passant capture leaves the king safe. Two pawns leave a rank at once, so pin masks
/// do not suffice: look for attackers on the board after the capture.
#[cold]
fn is_safe_en_passant<R: Rules>(board: &Board, us: Color, from: Square, passed: Square) -> bool {
    // In Atomic the sink of its captures tests this, since more than two pawns may vanish.
    if R::EXPLODES {
        return true;
    }
    let captured = Square::new(passed.file(), from.rank()).bitboard();
    let occupied = (board.occupied() - from.bitboard() - captured) | passed.bitboard();
    R::royal(board, us).is_none_or(|king| {
        let attackers = board.attackers(king, !us, occupied);
        // Behind a square that no pawn has passed a slider may stand, which python-chess has attack.
        let sliders = board.orthogonals() | board.diagonals();
        (attackers - (captured - sliders)).is_empty()
    })
}

#[cfg(test)]
mod tests;
