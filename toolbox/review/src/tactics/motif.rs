//! The ideas behind a move, each with the names that players and lichess's puzzles have for it:
//! <https://github.com/lichess-org/lila/blob/master/translation/source/puzzleTheme.xml>.

use super::exchange::{value, wins_on};
use super::geometry::{behind, uncovered};
use engine_core::{AnyPosition, Bitboard, Board, Color, Move, Role, Square, Variant};

/// An idea.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Motif {
    /// Takes a piece that nothing defends.
    HangingPiece(Role),
    /// Attacks two pieces at once, the more valuable first.
    Fork(Role, Role),
    /// The first piece cannot leave, since the second is behind it.
    Pin(Role, Role),
    /// The first piece has to leave, and the second is behind it.
    Skewer(Role, Role),
    /// A move out of the way of a piece that attacks this one.
    DiscoveredAttack(Role),
    /// Two pieces give check.
    DoubleCheck,
    /// A pawn becomes this.
    Promotion(Role),
    EnPassant,
    Castling,
    /// A mate on the last rank by a rook or queen, behind pawns that did not move.
    BackRankMate,
    /// A mate by a knight of a king whose own pieces stand around it.
    SmotheredMate,
}

impl Motif {
    /// Lichess's name of the theme.
    pub(crate) fn theme(self) -> &'static str {
        match self {
            Motif::HangingPiece(_) => "hangingPiece",
            Motif::Fork(..) => "fork",
            Motif::Pin(..) => "pin",
            Motif::Skewer(..) => "skewer",
            Motif::DiscoveredAttack(Role::King) => "discoveredCheck",
            Motif::DiscoveredAttack(_) => "discoveredAttack",
            Motif::DoubleCheck => "doubleCheck",
            Motif::Promotion(Role::Queen) => "promotion",
            Motif::Promotion(_) => "underPromotion",
            Motif::EnPassant => "enPassant",
            Motif::Castling => "castling",
            Motif::BackRankMate => "backRankMate",
            Motif::SmotheredMate => "smotheredMate",
        }
    }

    /// What the move does, to follow it in a sentence: `which forks king and rook`.
    pub(crate) fn clause(self) -> Option<String> {
        Some(match self {
            Motif::Fork(one, other) => format!("which forks {} and {}", one.name(), other.name()),
            Motif::Pin(one, other) => {
                format!("which pins the {} to the {}", one.name(), other.name())
            }
            Motif::Skewer(one, other) => {
                format!("which skewers {} and {}", one.name(), other.name())
            }
            Motif::DiscoveredAttack(Role::King) => "which gives a discovered check".to_owned(),
            Motif::DiscoveredAttack(role) => {
                format!("which uncovers an attack on the {}", role.name())
            }
            Motif::DoubleCheck => "which gives a double check".to_owned(),
            _ => return None,
        })
    }
}

/// The ideas of a move, those that explain most first. Variants with other rules have none.
pub(crate) fn of_move(before: &AnyPosition, m: Move) -> Vec<Motif> {
    if before.variant() != Variant::Standard {
        return Vec::new();
    }
    if m.is_castle() {
        return vec![Motif::Castling];
    }
    let after = before.after(m);
    let scene = Scene {
        before,
        after: &after,
        m,
        us: before.turn(),
        is_safe: wins_on(&after, m.to()) == 0,
    };
    let mut motifs = Vec::new();
    if after.checkers().more_than_one() {
        motifs.push(Motif::DoubleCheck);
    }
    motifs.extend(scene.discovered());
    motifs.extend(scene.fork());
    motifs.extend(scene.along_a_line());
    motifs.extend(scene.hanging());
    motifs.extend(m.promoted().map(Motif::Promotion));
    if m.is_en_passant() {
        motifs.push(Motif::EnPassant);
    }
    motifs
}

/// The pattern of a mate.
pub(crate) fn of_mate(position: &AnyPosition) -> Option<Motif> {
    let them = position.turn();
    let board = position.board();
    let king = board.king(them)?;
    let checker = position.checkers().single()?;
    let around = engine_core::attacks::king(king);
    let own = board.color(them);
    match board.role_at(checker)? {
        Role::Knight if around.is_subset(own) => Some(Motif::SmotheredMate),
        Role::Rook | Role::Queen
            if king.rank() == checker.rank() && king.rank() == them.backrank() =>
        {
            let in_front = around
                .into_iter()
                .filter(|square| square.rank() != king.rank());
            let mut is_blocked = false;
            for square in in_front {
                let is_own = own.has(square);
                is_blocked |= is_own;
                let attackers = board.attackers(square, !them, board.occupied());
                if !is_own && attackers.is_empty() {
                    return None;
                }
            }
            is_blocked.then_some(Motif::BackRankMate)
        }
        _ => None,
    }
}

/// A move and the positions around it.
struct Scene<'a> {
    before: &'a AnyPosition,
    after: &'a AnyPosition,
    m: Move,
    us: Color,
    /// Whether the piece that moved is not lost at once.
    is_safe: bool,
}

impl Scene<'_> {
    fn board(&self) -> &Board {
        self.after.board()
    }

    fn is_undefended(&self, square: Square) -> bool {
        let board = self.board();
        board
            .attackers(square, !self.us, board.occupied())
            .is_empty()
    }

    /// Whether an attack by a piece of this value is a threat.
    fn is_target(&self, square: Square, attacker: i32) -> bool {
        match self.board().role_at(square) {
            Some(Role::King) => true,
            Some(Role::Pawn) | None => false,
            Some(role) => value(role) > attacker || self.is_undefended(square),
        }
    }

    fn mover(&self) -> Option<Role> {
        self.board().role_at(self.m.to())
    }

    fn hanging(&self) -> Option<Motif> {
        let captured = self.before.captured(self.m)?;
        let is_free = value(captured) >= value(Role::Knight) && self.is_undefended(self.m.to());
        is_free.then_some(Motif::HangingPiece(captured))
    }

    fn fork(&self) -> Option<Motif> {
        let mover = self.mover().filter(|_| self.is_safe)?;
        let board = self.board();
        let attacked = board.attacks_from(self.m.to()) & board.color(!self.us);
        let worth = value(mover);
        let targets = attacked
            .into_iter()
            .filter(|&square| self.is_target(square, worth));
        let mut roles: Vec<_> = targets.filter_map(|square| board.role_at(square)).collect();
        roles.sort_by_key(|&role| match role {
            Role::King => i32::MIN,
            role => -value(role),
        });
        match roles.as_slice() {
            [one, other, ..] => Some(Motif::Fork(*one, *other)),
            _ => None,
        }
    }

    /// A pin or a skewer by the piece that moved.
    fn along_a_line(&self) -> Option<Motif> {
        let mover = self.mover().filter(|_| self.is_safe)?;
        let board = self.board();
        let them = board.color(!self.us);
        let attacked = board.attacks_from(self.m.to()) & them;
        attacked.into_iter().find_map(|near| {
            let far = behind(board, self.m.to(), near).filter(|&far| them.has(far))?;
            // It stood on this line before.
            if engine_core::attacks::line(self.m.to(), near).has(self.m.from()) {
                return None;
            }
            let (one, other) = (board.role_at(near)?, board.role_at(far)?);
            let is_pin = one != Role::Pawn
                && one != Role::King
                && (other == Role::King || value(other) > value(one))
                && self.is_target(far, value(mover));
            let is_skewer = (one == Role::King || value(one) > value(mover))
                && other != Role::King
                && (one == Role::King || value(one) >= value(other))
                && self.is_target(far, value(mover));
            if is_pin {
                Some(Motif::Pin(one, other))
            } else {
                is_skewer.then_some(Motif::Skewer(one, other))
            }
        })
    }

    fn discovered(&self) -> Option<Motif> {
        let (before, after) = (self.before.board(), self.board());
        let sliders = after.color(self.us) & (after.diagonals() | after.orthogonals());
        let sliders = sliders - self.m.to().bitboard();
        let found = sliders.into_iter().flat_map(|slider| {
            let worth = after.role_at(slider).map_or(0, value);
            let seen: Bitboard = uncovered(before, after, slider, self.m.from());
            let targets = (seen & after.color(!self.us)).into_iter();
            targets.filter(move |&square| self.is_target(square, worth))
        });
        let roles = found.filter_map(|square| after.role_at(square));
        let best = roles.max_by_key(|&role| match role {
            Role::King => i32::MAX,
            role => value(role),
        })?;
        Some(Motif::DiscoveredAttack(best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::CastlingMode;

    fn position(fen: &str) -> AnyPosition {
        AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard).unwrap()
    }

    #[test]
    fn ideas_of_moves() {
        use Motif::{
            DiscoveredAttack, DoubleCheck, EnPassant, Fork, HangingPiece, Pin, Promotion, Skewer,
        };
        use Role::{King, Knight, Queen, Rook};
        for (fen, san, expected) in [
            (
                "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1",
                "Nc7+",
                vec![Fork(King, Rook)],
            ),
            (
                "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1",
                "Rxd5",
                vec![HangingPiece(Knight)],
            ),
            ("4k3/8/8/8/4n3/8/7K/R7 w - - 0 1", "Ra4", vec![]),
            (
                "4k3/8/8/8/4n3/8/7K/R7 w - - 0 1",
                "Re1",
                vec![Pin(Knight, King)],
            ),
            (
                "4q3/8/8/4k3/8/8/7K/R7 w - - 0 1",
                "Re1+",
                vec![Skewer(King, Queen)],
            ),
            (
                "q6k/8/8/8/8/2N5/1B6/3K4 w - - 0 1",
                "Nb5+",
                vec![DiscoveredAttack(King)],
            ),
            (
                "4k3/8/8/8/4N3/8/4R3/3K4 w - - 0 1",
                "Nf6+",
                vec![DoubleCheck, DiscoveredAttack(King)],
            ),
            (
                "8/P6k/8/8/8/8/8/3K4 w - - 0 1",
                "a8=N",
                vec![Promotion(Knight)],
            ),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", vec![EnPassant]),
        ] {
            let position = position(fen);
            let m = position.parse_san(san).unwrap();
            assert_eq!(of_move(&position, m), expected, "{fen} {san}");
        }
    }

    #[test]
    fn patterns_of_mates() {
        for (fen, expected) in [
            (
                "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
                Some(Motif::BackRankMate),
            ),
            (
                "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1",
                Some(Motif::SmotheredMate),
            ),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", None),
        ] {
            assert_eq!(of_mate(&position(fen)), expected, "{fen}");
        }
    }
}
