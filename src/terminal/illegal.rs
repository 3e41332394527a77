//! Explanations of why a typed move is not legal.

use engine_core::attacks::between;
use engine_core::notation::{HumanMoveError, MoveError, edit_distance};
use engine_core::{
    AnyPosition, File, Move, Piece, Position, Role, Rules, Square, castling_targets, dispatch,
};

/// The message for a text that is not a legal move, with the move that was probably meant.
pub(super) fn reason(position: &AnyPosition, text: &str, error: &HumanMoveError) -> String {
    let typed: String = text
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '@')
        .collect();
    let why = match &error.error {
        error @ (MoveError::KingInCheck | MoveError::Illegal | MoveError::Syntax) => {
            let known = drop_reason(position, &typed);
            known.or_else(|| dispatch!(position, |position| explain(position, &typed, error)))
        }
        _ => None,
    };
    let why = why.unwrap_or_else(|| error.error.to_string());
    let suggestion = error.suggestion.as_ref().map(ToString::to_string);
    match suggestion.filter(|suggestion| is_alike(&typed, suggestion)) {
        Some(suggestion) => format!("{why}; did you mean {suggestion}?"),
        None => why,
    }
}

fn explain<R: Rules>(position: &Position<R>, typed: &str, error: &MoveError) -> Option<String> {
    match typed.to_ascii_uppercase().replace('0', "O").as_str() {
        "OO" => return castling_reason(position, File::G),
        "OOO" => return castling_reason(position, File::C),
        _ => {}
    }
    let attempt = Attempt::read(typed)?;
    match error {
        MoveError::KingInCheck => attempt.giver_of_check(position),
        MoveError::Illegal if !attempt.drops => attempt.obstacle(position),
        _ => None,
    }
}

/// Why a piece cannot be dropped.
fn drop_reason(position: &AnyPosition, typed: &str) -> Option<String> {
    let (letter, _) = typed.split_once('@')?;
    let letter = letter.chars().next().unwrap_or('P');
    let role = Piece::from_letter(letter)?.role;
    let AnyPosition::Crazyhouse(position) = position else {
        return Some("only crazyhouse has drops".to_owned());
    };
    let count = position.extra().pockets.count(position.turn(), role);
    (count == 0).then(|| format!("no {} in hand", role.name()))
}

/// Why the king cannot castle towards a file.
fn castling_reason<R: Rules>(position: &Position<R>, file: File) -> Option<String> {
    let (board, turn) = (position.board(), position.turn());
    let king = board.king(turn)?;
    let is_short = file == File::G;
    let rights = position.castling().into_iter();
    let mut rooks = rights.filter(|rook| rook.rank() == king.rank() && (*rook > king) == is_short);
    let Some(rook) = rooks.next() else {
        return Some("the king or that rook has moved".to_owned());
    };
    if position.in_check() {
        return Some("a king in check cannot castle".to_owned());
    }
    let (king_to, rook_to) = castling_targets(turn, king, rook);
    let way = between(king, king_to) | king_to.bitboard();
    let ways = between(king, rook) | way | rook_to.bitboard();
    let others = board.occupied() - king.bitboard() - rook.bitboard();
    if let Some(piece) = (ways & others).into_iter().next() {
        return Some(format!("{} is in the way", on(position, piece)));
    }
    if !R::ROYAL {
        return None;
    }
    way.into_iter().find_map(|square| {
        let attackers = board.attackers(square, !turn, board.occupied());
        let attacker = on(position, attackers.into_iter().next()?);
        Some(format!("{attacker} attacks {square}, on the king's way"))
    })
}

/// A typed move as far as it can be read: piece or from-square, and to-square.
struct Attempt {
    /// Whether a piece in hand is dropped.
    drops: bool,
    role: Option<Role>,
    from: Option<Square>,
    to: Square,
}

impl Attempt {
    fn read(typed: &str) -> Option<Attempt> {
        // The promotion piece does not matter here.
        let plain = typed.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let (start, to) = plain.split_at_checked(plain.len().checked_sub(2)?)?;
        let to = to.to_ascii_lowercase().parse().ok()?;
        let from: Option<Square> = start
            .split_at_checked(start.len().saturating_sub(2))
            .and_then(|(_, from)| from.to_ascii_lowercase().parse().ok());
        let first = start.chars().next().filter(char::is_ascii_uppercase);
        let role = match (first.and_then(Piece::from_letter), from) {
            (Some(piece), _) => Some(piece.role),
            (None, None) => Some(Role::Pawn),
            (None, Some(_)) => None,
        };
        let drops = start.ends_with('@');
        Some(Attempt {
            drops,
            role,
            from,
            to,
        })
    }

    /// The message if the move would leave the king in check: which piece gives check.
    fn giver_of_check<R: Rules>(&self, position: &Position<R>) -> Option<String> {
        let after = position.after(self.pseudo_legal_move(position)?);
        let checkers = after.to_setup().checkers::<R>(position.turn());
        let attacker = on(&after, checkers.into_iter().next()?);
        Some(format!("the king would be in check from {attacker}"))
    }

    /// The first move that may be meant and is pseudo-legal, but not legal.
    fn pseudo_legal_move<R: Rules>(&self, position: &Position<R>) -> Option<Move> {
        let (board, to) = (position.board(), self.to);
        if self.drops {
            return Some(Move::drop(self.role?, to));
        }
        let is_meant = |&from: &Square| match self.from {
            Some(square) => square == from,
            None => board.role_at(from) == self.role,
        };
        let mut own = board.color(position.turn()).into_iter().filter(is_meant);
        own.find_map(|from| {
            let promotion = Move::promotion(from, to, Role::Queen);
            let moves = [
                Move::normal(from, to),
                Move::en_passant(from, to),
                promotion,
            ];
            let mut moves = moves.into_iter();
            moves.find(|&m| position.is_pseudo_legal(m) && !position.is_legal(m))
        })
    }

    /// The message if the piece cannot reach the square.
    fn obstacle<R: Rules>(&self, position: &Position<R>) -> Option<String> {
        let (board, turn) = (position.board(), position.turn());
        let to = self.to;
        if board.color_at(to) == Some(turn) {
            let role = board.role_at(to)?;
            return Some(format!("your own {} stands on {to}", role.name()));
        }
        if let Some(from) = self.from {
            let role = board.role_at(from)?;
            let blocker = (between(from, to) & board.occupied()).into_iter().next();
            return Some(match blocker {
                Some(square) if role != Role::Knight => {
                    format!("{} is in the way", on(position, square))
                }
                _ => format!("the {} on {from} cannot go to {to}", role.name()),
            });
        }
        let role = self.role?;
        if board.pieces(turn, role).is_empty() {
            return Some(format!("you have no {}", role.name()));
        }
        Some(format!("no {} can go to {to}", role.name()))
    }
}

/// `the queen on d8`.
fn on<R: Rules>(position: &Position<R>, square: Square) -> String {
    let role = position.board().role_at(square);
    format!("the {} on {square}", role.map_or("piece", Role::name))
}

/// Whether two texts differ in at most a third of their letters, or in one.
fn is_alike(typed: &str, suggestion: &str) -> bool {
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let (a, b) = (plain(typed), plain(suggestion));
    let most = (a.len().max(b.len()) / 3).max(1);
    edit_distance(&a, &b) <= most
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{CastlingMode, Variant};

    fn message(variant: Variant, fen: &str, text: &str) -> String {
        let position = AnyPosition::from_fen(variant, fen, CastlingMode::Standard).unwrap();
        let error = position.parse_human(text).unwrap_err();
        reason(&position, text, &error)
    }

    #[test]
    fn reasons() {
        let start = Variant::Standard.start_fen();
        let castles = "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1";
        for (fen, text, expected) in [
            (
                "k2r4/8/8/8/8/8/3N4/3K4 w - - 0 1",
                "Nf3",
                "the king would be in check from the rook on d8",
            ),
            (
                "k2r4/8/8/8/8/8/8/4K3 w - - 0 1",
                "Kd1",
                "the king would be in check from the rook on d8",
            ),
            (castles, "O-O", "the king or that rook has moved"),
            (start, "O-O", "the bishop on f1 is in the way"),
            (
                "3r3k/8/8/8/8/8/8/R3K3 w Q - 0 1",
                "0-0-0",
                "the rook on d8 attacks d1, on the king's way",
            ),
            (
                "4r2k/8/8/8/8/8/8/R3K3 w Q - 0 1",
                "O-O-O",
                "a king in check cannot castle",
            ),
            (start, "Ke2", "your own pawn stands on e2"),
            (start, "f1c4", "the pawn on e2 is in the way"),
            (start, "g1g3", "the knight on g1 cannot go to g3"),
            (start, "Nf4", "no knight can go to f4; did you mean Nf3?"),
            (start, "N@f3", "only crazyhouse has drops"),
        ] {
            let reason = message(Variant::Standard, fen, text);
            assert!(reason.starts_with(expected), "{text} in {fen}: {reason}");
        }
        let house = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[P] w KQkq - 0 1";
        assert!(message(Variant::Crazyhouse, house, "N@f3").starts_with("no knight in hand"));
    }

    #[test]
    fn reasons_in_variants() {
        use Variant::{Antichess, Atomic, Crazyhouse, KingOfTheHill, RacingKings, Suicide};
        for (variant, fen, text, expected) in [
            (
                Antichess,
                "rnbqkbnr/p1pppppp/8/1p6/8/4P3/PPPP1PPP/RNBQKBNR w - - 0 2",
                "Nf3",
                "captures are compulsory",
            ),
            (
                Suicide,
                "4k3/8/8/1p6/P7/8/8/4K2R w K - 0 1",
                "O-O",
                "captures are compulsory",
            ),
            (
                KingOfTheHill,
                "rnbqkbnr/1ppppppp/8/8/p2K4/4P3/PPPP1PPP/RNBQ1BNR b kq - 1 4",
                "h6",
                "the game is over",
            ),
            (
                RacingKings,
                "8/8/8/8/8/8/1R6/K6k w - - 0 1",
                "Rb1",
                "no move may give check",
            ),
            (
                RacingKings,
                "8/8/8/7k/8/8/7q/K7 w - - 0 1",
                "Ka2",
                "the king would be in check from the queen on h2",
            ),
            (
                Atomic,
                "8/8/8/8/8/8/1p6/K6k w - - 0 1",
                "Kxb2",
                "that explodes the own king",
            ),
            // The knight explodes with the pawn that it captures.
            (
                Atomic,
                "4r2k/8/8/8/4p3/2N5/8/4K3 w - - 0 1",
                "Nxe4",
                "the king would be in check from the rook on e8",
            ),
            (
                Crazyhouse,
                "4r1k1/8/8/8/8/8/8/4K3[N] w - - 0 1",
                "N@c3",
                "the king would be in check from the rook on e8",
            ),
        ] {
            let reason = message(variant, fen, text);
            assert_eq!(reason, expected, "{text} in {fen}");
        }
    }

    #[test]
    fn suggestions_are_alike_in_letters() {
        assert!(is_alike("Nf4", "Nf3") && is_alike("exd6", "exd5+") && is_alike("e5", "e4"));
        assert!(!is_alike("hello", "h4") && !is_alike("Qxh7", "a3"));
    }
}
