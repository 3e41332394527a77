//! Values of positions from the values that tables store.
//!
//! Tables leave out what a prober finds by itself: a position whose best move is a capture may
//! have any lower value stored, en passant is not known to them, and DTZ is stored for one side to
//! move. Sources: <https://www.chessprogramming.org/Syzygy_Bases>, and the description at
//! <https://syzygy-tables.info/metrics>.

use super::error::ProbeError;
use super::family::{Family, Metric};
use super::tablebase::Tablebase;
use crate::{Material, Wdl};
use engine_core::{
    All, Bitboard, Board, MoveList, Noisy, Outcome, Position, Role, Rules, Square, attacks,
};
use std::cmp::max;

/// A WDL value, and the kind of the best move if known, which DTZ depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WdlEntry {
    pub(super) wdl: Wdl,
    pub(super) state: ProbeState,
}

/// What the best move is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProbeState {
    /// A capture is the best move, or the game is over.
    ZeroingBestMove,
    /// The best move forces a losing capture, where captures are compulsory.
    Threat,
    /// The value is that of the table; the best move is unknown.
    Normal,
}

impl WdlEntry {
    pub(super) fn new(wdl: Wdl, state: ProbeState) -> WdlEntry {
        WdlEntry { wdl, state }
    }
}

type Result<T> = std::result::Result<T, ProbeError>;

/// How a game that is over ended for the side to move.
pub(super) fn value_of<R: Rules>(position: &Position<R>, outcome: Outcome) -> Wdl {
    match outcome.winner {
        None => Wdl::Draw,
        Some(winner) if winner == position.turn() => Wdl::Win,
        Some(_) => Wdl::Loss,
    }
}

/// Whether a draw is known without a table: bare kings, where captures are not compulsory.
fn is_drawn_without_table(family: Family, board: &Board) -> bool {
    board.role(Role::King) == board.occupied() && !family.must_capture()
}

/// All captures, without en passant.
pub(super) fn captures<R: Rules>(position: &Position<R>) -> MoveList {
    let mut list = MoveList::new();
    let enemy = position.board().color(!position.turn());
    position.generate_within::<Noisy, _>(Bitboard::FULL, enemy, &mut list);
    list
}

/// Whether a piece attacks one of the enemy's. If not there is no capture: this is quicker than to
/// generate moves.
#[inline]
fn attacks_enemy<R: Rules>(position: &Position<R>) -> bool {
    let board = position.board();
    let (own, occupied) = (board.color(position.turn()), board.occupied());
    let enemy = occupied ^ own;
    let any = |pieces: Bitboard, attacks: &dyn Fn(Square) -> Bitboard| {
        pieces
            .into_iter()
            .any(|square| (attacks(square) & enemy).any())
    };
    any(own & board.role(Role::King), &attacks::king)
        || any(own & board.orthogonals(), &|square| {
            attacks::rook(square, occupied)
        })
        || any(own & board.diagonals(), &|square| {
            attacks::bishop(square, occupied)
        })
        || any(own & board.role(Role::Knight), &attacks::knight)
        || any(own & board.role(Role::Pawn), &|square| {
            attacks::pawn(position.turn(), square)
        })
}

/// Captures en passant.
fn en_passants<R: Rules>(position: &Position<R>) -> MoveList {
    let mut list = MoveList::new();
    if let Some(passed) = position.en_passant() {
        let mut to_passed = MoveList::new();
        position.generate_within::<Noisy, _>(Bitboard::FULL, passed.bitboard(), &mut to_passed);
        list.extend(to_passed.iter().copied().filter(|m| m.is_en_passant()));
    }
    list
}

impl Tablebase {
    /// The value of a position for the side to move, as if its last move had been a capture or
    /// pawn move.
    ///
    /// # Errors
    /// When a table that is needed is missing or broken, or the position cannot be in a
    /// table.
    pub fn wdl<R: Rules>(&self, position: &Position<R>) -> Result<Wdl> {
        if const { !Family::has::<R>() } {
            return Err(ProbeError::Variant(R::VARIANT));
        }
        let family = self.family_for(position)?;
        if const { Family::of_must_capture::<R>() } {
            let find = |threats| self.losing(family, position, Wdl::Loss, Wdl::Win, threats);
            // Where the table is missing, a move that forces a losing capture may still win.
            let found = find(false).or_else(|_| find(true))?;
            return Ok(found.wdl);
        }
        // Most positions have no en passant, and then a win in the table needs no captures.
        if position.en_passant().is_none() {
            return self.resolve(family, position, Wdl::Loss, Wdl::Win);
        }
        Ok(self.find(family, position)?.wdl)
    }

    /// The distance to the next capture or pawn move that keeps the value, in plies: positive for
    /// the winner, above 100 where the fifty-move rule spoils the win, 0 for a draw. May be one
    /// ply short where that does not matter ("DTZ50 with rounding").
    ///
    /// # Errors
    /// As [`Tablebase::wdl`]; both kinds of tables are needed.
    pub fn dtz<R: Rules>(&self, position: &Position<R>) -> Result<i32> {
        if const { !Family::has::<R>() } {
            return Err(ProbeError::Variant(R::VARIANT));
        }
        let family = self.family_for(position)?;
        self.distance(family, position)
    }

    /// The family of a position that tables can know.
    pub(super) fn family_for<R: Rules>(&self, position: &Position<R>) -> Result<Family> {
        let family = Family::of(R::VARIANT).ok_or(ProbeError::Variant(R::VARIANT))?;
        if position.castling().any() {
            return Err(ProbeError::Castling);
        }
        let pieces = position.board().occupied().count();
        let most = self.most_pieces(family);
        // One more may be solved by a capture, and bare kings need no table.
        if pieces > most + 1 && !is_drawn_without_table(family, position.board()) {
            return Err(match most {
                0 => ProbeError::NoTables(R::VARIANT),
                most => ProbeError::TooManyPieces { pieces, most },
            });
        }
        Ok(family)
    }

    /// The value with captures and en passant, and the kind of the best move.
    pub(super) fn find<R: Rules>(
        &self,
        family: Family,
        position: &Position<R>,
    ) -> Result<WdlEntry> {
        if const { Family::of_must_capture::<R>() } {
            return self.losing(family, position, Wdl::Loss, Wdl::Win, true);
        }
        if let Some(end) = R::variant_end(position) {
            return Ok(WdlEntry::new(
                value_of(position, end),
                ProbeState::ZeroingBestMove,
            ));
        }
        let mut best_capture = Wdl::Loss;
        // A missing table matters only if no capture wins, en passant or not.
        let mut missing = Ok(());
        for m in &captures(position) {
            let next = position.after(m);
            match self.resolve(family, &next, Wdl::Loss, -best_capture) {
                Ok(Wdl::Loss) => return Ok(WdlEntry::new(Wdl::Win, ProbeState::ZeroingBestMove)),
                Ok(value) => best_capture = max(best_capture, -value),
                Err(error) => missing = Err(error),
            }
        }
        let mut best_en_passant = None;
        for m in &en_passants(position) {
            match self.resolve(family, &position.after(m), Wdl::Loss, Wdl::Win) {
                Ok(Wdl::Loss) => return Ok(WdlEntry::new(Wdl::Win, ProbeState::ZeroingBestMove)),
                Ok(value) => best_en_passant = max(best_en_passant, Some(-value)),
                Err(error) => missing = Err(error),
            }
        }
        missing?;
        let stored = self.stored(family, position)?;
        let without = max(stored, best_capture);
        if let Some(value) = best_en_passant {
            // Better than all else, or the only moves there are in what looks like stalemate.
            let forced = || stored == Wdl::Draw && !has_other_move(position);
            if value > without || best_capture < stored && forced() {
                return Ok(WdlEntry::new(value, ProbeState::ZeroingBestMove));
            }
        }
        let best_zeroing = max(best_capture, best_en_passant.unwrap_or(Wdl::Loss));
        let state = if best_zeroing >= stored && best_zeroing > Wdl::Draw {
            ProbeState::ZeroingBestMove
        } else {
            ProbeState::Normal
        };
        Ok(WdlEntry::new(without, state))
    }

    /// The value of a position without en passant, if it is between the bounds; else a bound.
    fn resolve<R: Rules>(
        &self,
        family: Family,
        position: &Position<R>,
        alpha: Wdl,
        beta: Wdl,
    ) -> Result<Wdl> {
        if let Some(end) = R::variant_end(position) {
            return Ok(value_of(position, end));
        }
        // What is stored is never too high. A missing table does not matter where a capture wins.
        let stored = self.stored(family, position);
        let mut best = *stored.as_ref().unwrap_or(&Wdl::Loss);
        if best >= beta {
            return Ok(best);
        }
        if !attacks_enemy(position) {
            return stored;
        }
        let mut missing = Ok(());
        for m in &captures(position) {
            let next = position.after(m);
            match self.resolve(family, &next, -beta, -max(alpha, best)) {
                Ok(value) => best = max(best, -value),
                Err(error) => missing = Err(error),
            }
            if best >= beta {
                return Ok(best);
            }
        }
        missing?;
        stored.map(|_| best)
    }

    /// The value in the WDL table of a family.
    pub(super) fn stored<R: Rules>(&self, family: Family, position: &Position<R>) -> Result<Wdl> {
        let board = position.board();
        if is_drawn_without_table(family, board) {
            return Ok(Wdl::Draw);
        }
        let material = Material::of(board);
        let table = self.table(family, Metric::Wdl, material)?;
        let value = table.wdl(board, material, position.turn());
        value.map_err(|error| ProbeError::of(table, error, position))
    }

    /// The value in the WDL table, without a search of captures.
    pub(crate) fn table_wdl<R: Rules>(&self, position: &Position<R>) -> Result<Wdl> {
        if const { !Family::has::<R>() } {
            return Err(ProbeError::Variant(R::VARIANT));
        }
        let family = self.family_for(position)?;
        self.stored(family, position)
    }

    /// The number of plies in the DTZ table, without a search of captures and pawn moves, given the
    /// position's value; `None` when the table is for the other side to move.
    pub(crate) fn table_dtz<R: Rules>(
        &self,
        position: &Position<R>,
        wdl: Wdl,
    ) -> Result<Option<i32>> {
        if const { !Family::has::<R>() } {
            return Err(ProbeError::Variant(R::VARIANT));
        }
        let family = self.family_for(position)?;
        self.stored_dtz(family, position, wdl)
    }

    /// The plies in the DTZ table of a family; `None` when it is for the other side to move.
    fn stored_dtz<R: Rules>(
        &self,
        family: Family,
        position: &Position<R>,
        wdl: Wdl,
    ) -> Result<Option<i32>> {
        let board = position.board();
        let material = Material::of(board);
        let table = self.table(family, Metric::Dtz, material)?;
        let plies = table.dtz(board, material, position.turn(), wdl);
        plies.map_err(|error| ProbeError::of(table, error, position))
    }

    /// The distance of [`Tablebase::dtz`] in the tables of a family.
    fn distance<R: Rules>(&self, family: Family, position: &Position<R>) -> Result<i32> {
        let WdlEntry { wdl, state } = self.find(family, position)?;
        let zeroing = wdl.dtz_before_zeroing();
        let board = position.board();
        let own = board.color(position.turn());
        let pawns = own & board.role(Role::Pawn);
        if wdl == Wdl::Draw || state == ProbeState::ZeroingBestMove || pawns == own {
            return Ok(zeroing);
        }
        if wdl > Wdl::Draw {
            if state == ProbeState::Threat {
                return Ok(zeroing + 1);
            }
            // Winning captures are known already; pawn moves are not.
            let mut pushes = MoveList::new();
            position.generate_within::<All, _>(pawns, !board.occupied(), &mut pushes);
            // A missing table matters only if no other pawn move wins.
            let mut missing = Ok(());
            for &m in pushes.iter().filter(|m| !m.is_en_passant()) {
                match self.wdl(&position.after(m)) {
                    Ok(value) if -value == wdl => return Ok(zeroing),
                    Ok(_) => {}
                    Err(error) => missing = Err(error),
                }
            }
            missing?;
        }
        if let Some(plies) = self.stored_dtz(family, position, wdl)? {
            return Ok(zeroing + zeroing.signum() * plies);
        }
        self.distance_by_moves(family, position, wdl)
    }

    /// The distance from those after each move, where the table is for the other side.
    fn distance_by_moves<R: Rules>(
        &self,
        family: Family,
        position: &Position<R>,
        wdl: Wdl,
    ) -> Result<i32> {
        let zeroing = wdl.dtz_before_zeroing();
        let mut best = None;
        for m in &position.legal_moves() {
            let next = position.after(m);
            if next.halfmoves() == 0 {
                continue;
            }
            // A stored value is never too high, so it rules out most moves that do not win.
            if wdl > Wdl::Draw && !family.must_capture() && -self.stored(family, &next)? < wdl {
                continue;
            }
            let distance = -self.distance(family, &next)?;
            if distance.signum() != zeroing.signum() {
                continue;
            }
            // Mate counts like a capture or pawn move.
            let distance = if distance == 1 && next.is_checkmate() {
                1
            } else {
                distance + zeroing.signum()
            };
            best = Some(best.map_or(distance, |best| distance.min(best)));
        }
        // The losing side may have nothing but captures and pawn moves.
        Ok(match best {
            Some(best) if wdl < Wdl::Draw => best.min(zeroing),
            Some(best) => best,
            None => zeroing,
        })
    }
}

/// Whether there is a legal move other than en passant.
fn has_other_move<R: Rules>(position: &Position<R>) -> bool {
    position.legal_moves().iter().any(|m| !m.is_en_passant())
}
