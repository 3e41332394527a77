//! Legal move generation: only legal moves are ever made, from a check mask and two pin masks.
//!
//! One generator hands sets of targets to a [`MoveSink`]; counting, lists and legality tests are
//! sinks. See <https://www.chessprogramming.org/Checks_and_Pinned_Pieces_(Bitboards)>.

use crate::position::castling_targets;
use crate::rules::Rules;
use crate::types::{Bitboard, Black, Color, Move, MoveList, Rank, Role, Side, Square, White};
use crate::{Board, CastlingMode, Position, attacks};

/// Which moves to generate. Every legal move is either noisy or quiet.
pub trait Want {
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

impl Want for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Want for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Want for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Takes the sets of legal moves that the generator finds.
pub trait MoveSink {
    /// A piece other than a pawn goes from one square to each of the others.
    fn piece(&mut self, role: Role, from: Square, to: Bitboard);
    /// Pawns that reach these squares, coming from `to - step`.
    fn pawns(&mut self, to: Bitboard, step: i8);
    /// Pawns that reach these squares and promote to any piece, coming from `to - step`.
    fn promotions(&mut self, to: Bitboard, step: i8);
    /// One move of another kind: castling, en passant.
    fn single(&mut self, m: Move);

    /// Whether no more moves are needed; the generator asks between kinds of pieces.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// Counts moves without making them.
#[derive(Default)]
struct Counter(u32);

impl MoveSink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, to: Bitboard) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8) {
        self.0 += 4 * to.count();
    }

    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// The square a pawn came from.
#[inline(always)]
pub(crate) fn origin(to: Square, step: i8) -> Square {
    Square::from_index_masked(to.index().wrapping_sub(step as usize))
}

pub(crate) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl MoveSink for MoveList {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        self.extend(to.into_iter().map(|to| Move::normal(from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        self.extend(to.into_iter().map(|to| Move::normal(origin(to, step), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in PROMOTIONS {
                self.push(Move::promotion(origin(to, step), to, role));
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, m: Move) {
        self.push(m);
    }
}

/// Looks for one move among those that are generated.
struct Finder {
    wanted: Move,
    found: bool,
}

impl MoveSink for Finder {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        self.found |=
            self.wanted.is_normal() && self.wanted.from() == from && to.has(self.wanted.to());
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        let wanted = self.wanted;
        self.found |=
            wanted.is_normal() && to.has(wanted.to()) && origin(wanted.to(), step) == wanted.from();
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        let wanted = self.wanted;
        self.found |= wanted
            .promoted()
            .is_some_and(|role| PROMOTIONS.contains(&role))
            && to.has(wanted.to())
            && origin(wanted.to(), step) == wanted.from();
    }

    #[inline(always)]
    fn single(&mut self, m: Move) {
        self.found |= m == self.wanted;
    }
}

/// Is content with any move.
struct Any(bool);

impl MoveSink for Any {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, to: Bitboard) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.0
    }
}

impl<R: Rules> Position<R> {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<All, _>(&mut list);
        list
    }

    /// The number of legal moves, without making a list.
    #[inline(always)]
    pub fn count_legal_moves(&self) -> u32 {
        match self.turn() {
            Color::White => self.count_as::<White>(),
            Color::Black => self.count_as::<Black>(),
        }
    }

    /// The same for a side known at compile time.
    pub(crate) fn count_as<S: Side>(&self) -> u32 {
        let mut counter = Counter::default();
        self.generate_as::<S, All, _>(&mut counter);
        counter.0
    }

    /// Hands the wanted legal moves of the side to move, which is `S`, to the sink.
    #[inline(always)]
    pub(crate) fn generate_as<S: Side, W: Want, K: MoveSink>(&self, sink: &mut K) {
        Generator::<R, S>::new(self, Bitboard::FULL, Bitboard::FULL).run::<W, K>(sink);
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any(false);
        self.generate::<All, _>(&mut any);
        any.0
    }

    /// Whether a move, which may be any 16 bits, is legal here.
    pub fn is_legal(&self, m: Move) -> bool {
        if !self.board().color(self.turn()).has(m.from()) {
            return false;
        }
        let mut finder = Finder {
            wanted: m,
            found: false,
        };
        self.generate_within::<All, _>(m.from().bitboard(), m.to().bitboard(), &mut finder);
        finder.found
    }

    /// Hands all wanted legal moves to the sink.
    #[inline(always)]
    pub fn generate<W: Want, K: MoveSink>(&self, sink: &mut K) {
        self.generate_within::<W, K>(Bitboard::FULL, Bitboard::FULL, sink);
    }

    /// Hands the wanted legal moves between these squares to the sink. Castling goes from the
    /// king to its rook.
    #[inline(always)]
    pub fn generate_within<W: Want, K: MoveSink>(
        &self,
        from: Bitboard,
        to: Bitboard,
        sink: &mut K,
    ) {
        match self.turn() {
            Color::White => Generator::<R, White>::new(self, from, to).run::<W, K>(sink),
            Color::Black => Generator::<R, Black>::new(self, from, to).run::<W, K>(sink),
        }
    }
}

/// What the moves of one position share.
struct Generator<'a, R: Rules, S: Side> {
    position: &'a Position<R>,
    board: &'a Board,
    occupied: Bitboard,
    own: Bitboard,
    enemy: Bitboard,
    /// Only pieces on these squares move.
    from: Bitboard,
    /// Only moves to these squares count.
    to: Bitboard,
    /// Squares where a move ends a check: all of them when there is none.
    check_mask: Bitboard,
    checkers: Bitboard,
    /// Rays, slider included, along which a piece is pinned to the king.
    pin_orthogonal: Bitboard,
    pin_diagonal: Bitboard,
    side: std::marker::PhantomData<S>,
}

impl<'a, R: Rules, S: Side> Generator<'a, R, S> {
    #[inline(always)]
    fn new(position: &'a Position<R>, from: Bitboard, to: Bitboard) -> Self {
        let board = position.board();
        let mut generator = Generator {
            position,
            board,
            occupied: board.occupied(),
            own: board.color(S::COLOR),
            enemy: board.color(!S::COLOR),
            from,
            to,
            check_mask: Bitboard::FULL,
            checkers: Bitboard::EMPTY,
            pin_orthogonal: Bitboard::EMPTY,
            pin_diagonal: Bitboard::EMPTY,
            side: std::marker::PhantomData,
        };
        if let Some(king) = board.king(S::COLOR) {
            generator.find_checks_and_pins(king);
        }
        generator
    }

    #[inline(always)]
    fn find_checks_and_pins(&mut self, king: Square) {
        let board = self.board;
        self.checkers = self.enemy
            & ((attacks::knight(king) & board.role(Role::Knight))
                | (attacks::pawn(S::COLOR, king) & board.role(Role::Pawn)));
        let mut blocks = Bitboard::EMPTY;
        let files_and_ranks = attacks::rook_rays(king);
        let snipers = self.enemy
            & ((files_and_ranks & board.orthogonals())
                | (attacks::bishop_rays(king) & board.diagonals()));
        for sniper in snipers {
            let ray = attacks::between(king, sniper) | sniper.bitboard();
            let blockers = ray & self.occupied ^ sniper.bitboard();
            if blockers.is_empty() {
                self.checkers |= sniper.bitboard();
                blocks |= ray;
            } else if blockers.more_than_one() {
                continue;
            } else if files_and_ranks.has(sniper) {
                self.pin_orthogonal |= ray;
            } else {
                self.pin_diagonal |= ray;
            }
        }
        if self.checkers.any() {
            self.check_mask = if self.checkers.more_than_one() {
                Bitboard::EMPTY
            } else {
                blocks | self.checkers
            };
        }
    }

    #[inline(always)]
    fn run<W: Want, K: MoveSink>(&self, sink: &mut K) {
        let mut wanted = self.to;
        wanted &= match (W::NOISY, W::QUIET) {
            (true, true) => !self.own,
            (true, false) => self.enemy,
            _ => !self.occupied,
        };
        self.king::<W, K>(wanted, sink);
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
        // A pinned knight never moves, a slider only along a pin of its own kind.
        if (movers & pinned).any() {
            let (along, across) = (self.pin_diagonal, self.pin_orthogonal);
            self.diagonals(movers & along, targets & along, sink);
            self.orthogonals(movers & across, targets & across, sink);
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
    fn pawns<W: Want, K: MoveSink>(&self, movers: Bitboard, pinned: Bitboard, sink: &mut K) {
        let forward: i8 = if S::COLOR.is_white() { 8 } else { -8 };
        let last = S::COLOR.relative_rank(Rank::Eighth).bitboard();
        let seventh = S::COLOR.relative_rank(Rank::Seventh).bitboard();
        let pawns = movers & self.board.role(Role::Pawn);
        let free = pawns - pinned;
        let to = self.to & self.check_mask;

        let (mut push, mut double) = self.pushes(free, to);
        let (mut west, mut east) = self.takes(free, to);
        if (pawns & pinned).any() {
            // A pawn pinned along its file may push; one pinned along a diagonal may take.
            let (along, across) = (self.pin_orthogonal, self.pin_diagonal);
            let (pinned_push, pinned_double) = self.pushes(pawns & along, to & along);
            let (pinned_west, pinned_east) = self.takes(pawns & across, to & across);
            push |= pinned_push;
            double |= pinned_double;
            west |= pinned_west;
            east |= pinned_east;
        }
        if (pawns & seventh).any() {
            if W::NOISY {
                sink.promotions(push & last, forward);
                sink.promotions(west & last, forward - 1);
                sink.promotions(east & last, forward + 1);
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
            if let Some(passed) = self.position.en_passant() {
                self.en_passant(passed, pawns, sink);
            }
        }
    }

    /// Single and double pushes that end on these squares.
    #[inline(always)]
    fn pushes(&self, pawns: Bitboard, to: Bitboard) -> (Bitboard, Bitboard) {
        let third = S::COLOR.relative_rank(Rank::Third).bitboard();
        let push = S::forward(pawns) - self.occupied;
        let double = S::forward(push & third) - self.occupied;
        (push & to, double & to)
    }

    /// Captures to the west and to the east that end on these squares.
    #[inline(always)]
    fn takes(&self, pawns: Bitboard, to: Bitboard) -> (Bitboard, Bitboard) {
        let to = to & self.enemy;
        (S::forward_west(pawns) & to, S::forward_east(pawns) & to)
    }

    #[inline(always)]
    fn en_passant<K: MoveSink>(&self, passed: Square, pawns: Bitboard, sink: &mut K) {
        for from in attacks::pawn(!S::COLOR, passed) & pawns {
            if self.to.has(passed) && is_safe_en_passant::<S>(self.board, from, passed) {
                sink.single(Move::en_passant(from, passed));
            }
        }
    }

    #[inline(always)]
    fn king<W: Want, K: MoveSink>(&self, wanted: Bitboard, sink: &mut K) {
        let Some(king) = (self.board.pieces(S::COLOR, Role::King) & self.from).first() else {
            return;
        };
        let steps = attacks::king(king) & wanted;
        let rooks = if W::QUIET {
            self.castling_rooks(king)
        } else {
            Bitboard::EMPTY
        };
        // The danger is dear, and a king at home often has nowhere to go.
        if (steps | rooks).is_empty() {
            return;
        }
        let danger = self.danger(king, steps, rooks);
        sink.piece(Role::King, king, steps & !danger);
        for rook in rooks {
            self.castling(king, rook, danger, sink);
        }
    }

    /// Rooks with the right to castle that the king sees: it jumps over no piece.
    #[inline(always)]
    fn castling_rooks(&self, king: Square) -> Bitboard {
        let rooks = self.position.castling() & self.own & self.to;
        if rooks.is_empty() || self.checkers.any() {
            return Bitboard::EMPTY;
        }
        rooks & attacks::rook(king, self.occupied)
    }

    /// Squares that the enemy attacks once the king has left its square.
    #[inline(always)]
    fn danger(&self, king: Square, steps: Bitboard, rooks: Bitboard) -> Bitboard {
        let board = self.board;
        let occupied = self.occupied ^ king.bitboard();
        // From one or two squares it is cheaper to look back.
        if rooks.is_empty() && steps.count() <= 2 {
            return steps
                .into_iter()
                .filter(|&to| board.attackers(to, !S::COLOR, occupied).any())
                .collect();
        }
        let pawns = board.role(Role::Pawn) & self.enemy;
        let mut danger =
            <S::Other as Side>::forward_west(pawns) | <S::Other as Side>::forward_east(pawns);
        for from in board.role(Role::Knight) & self.enemy {
            danger |= attacks::knight(from);
        }
        for from in board.diagonals() & self.enemy {
            danger |= attacks::bishop(from, occupied);
        }
        for from in board.orthogonals() & self.enemy {
            danger |= attacks::rook(from, occupied);
        }
        for from in board.role(Role::King) & self.enemy {
            danger |= attacks::king(from);
        }
        danger
    }

    #[inline(always)]
    fn castling<K: MoveSink>(&self, king: Square, rook: Square, danger: Bitboard, sink: &mut K) {
        let (king_to, rook_to) = castling_targets(S::COLOR, king, rook);
        let king_path = attacks::between(king, king_to) | king_to.bitboard();
        if (king_path & danger).any() {
            return;
        }
        if self.position.mode() == CastlingMode::Chess960 {
            let rook_path = attacks::between(rook, rook_to) | rook_to.bitboard();
            let others = self.occupied ^ king.bitboard() ^ rook.bitboard();
            // Paths may go beyond king and rook, and a rook may shield its king from the corner,
            // which is a pin.
            if ((king_path | rook_path) & others).any() || self.pin_orthogonal.has(rook) {
                return;
            }
        }
        sink.single(Move::castle(king, rook));
    }
}

/// Two pawns leave a rank at once, so pins cannot tell: look at the board after the capture.
#[cold]
fn is_safe_en_passant<S: Side>(board: &Board, from: Square, passed: Square) -> bool {
    let captured = Square::new(passed.file(), from.rank()).bitboard();
    let occupied = (board.occupied() ^ from.bitboard() ^ captured) | passed.bitboard();
    board.king(S::COLOR).is_none_or(|king| {
        let attackers = board.attackers(king, !S::COLOR, occupied);
        (attackers - captured).is_empty()
    })
}
