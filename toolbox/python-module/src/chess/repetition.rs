//! Positions that repeat.

use super::game_rules::GameRules;
use super::play::is_losing;
use super::state::{BoardState, Extra, KING};

/// The squares of each piece type, pawns first, and of White and Black; whether White is to move; castling
/// rights; and the en passant square if a pawn can capture there.
pub(crate) type KeyParts = (
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    bool,
    u64,
    Option<u8>,
);

/// What two positions have in common if one repeats the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    roles: [u64; 6],
    colors: [u64; 2],
    turn: bool,
    castling: u64,
    ep_square: Option<u8>,
    promoted: u64,
    extra: Extra,
}

impl Key {
    /// The key of a position.
    pub(crate) fn of((state, extra): &(BoardState, Extra), game: GameRules) -> Key {
        let pieces = &state.pieces;
        // Where drops or the rights of kings depend on which pieces were pawns.
        let promoted = if extra.pockets.is_some() {
            pieces.promoted
        } else if is_losing(game.variant) && state.has_chess960_castling_rights() {
            pieces.promoted & pieces.role(KING)
        } else {
            0
        };
        Key {
            roles: pieces.roles,
            colors: pieces.colors,
            turn: state.turn,
            castling: state.clean_castling_rights(game.mode),
            ep_square: state
                .ep_square
                .filter(|_| state.has_legal_en_passant(extra, game)),
            promoted,
            extra: *extra,
        }
    }

    /// The key without what a variant adds, as python-chess has it.
    pub(crate) fn parts(&self) -> KeyParts {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        let [black, white] = self.colors;
        (
            pawns,
            knights,
            bishops,
            rooks,
            queens,
            kings,
            white,
            black,
            self.turn,
            self.castling,
            self.ep_square,
        )
    }
}

/// The positions before the one on the board.
pub(crate) struct Repetitions<'a> {
    before: &'a [(BoardState, Extra)],
    game: GameRules,
}

impl Repetitions<'_> {
    /// The positions before each move, to be compared.
    pub(crate) fn of(before: &[(BoardState, Extra)], game: GameRules) -> Repetitions<'_> {
        Repetitions { before, game }
    }

    /// How many of them are the same as this one.
    pub(crate) fn count(&self, now: &(BoardState, Extra)) -> usize {
        let is_alike = |then: &&(BoardState, Extra)| {
            let ((then, then_extra), (now, now_extra)) = (then, now);
            then.pieces.roles == now.pieces.roles
                && then.pieces.colors == now.pieces.colors
                && then.turn == now.turn
                && then_extra == now_extra
        };
        let alike = self.before.iter().rev().filter(is_alike);
        let mut alike = alike.peekable();
        if alike.peek().is_none() {
            return 0;
        }
        let key = Key::of(now, self.game);
        alike.filter(|then| Key::of(then, self.game) == key).count()
    }
}
