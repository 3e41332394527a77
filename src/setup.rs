//! Positions from text that a user or a GUI sends.

use engine_core::notation::EnPassant;
use engine_core::{
    AnyPosition, Bitboard, Board, CastlingMode, Color, Fault, Faults, File, Pockets, Rank,
    RemainingChecks, Role, Setup, Square, Variant, dispatch,
};

/// The castling mode by the option for it.
pub fn mode(chess960: bool) -> CastlingMode {
    if chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    }
}

/// The start position of a variant.
pub fn start(variant: Variant, mode: CastlingMode) -> AnyPosition {
    with_mode(&AnyPosition::start(variant), mode)
}

/// The same position with castling written in another mode.
pub fn with_mode(position: &AnyPosition, mode: CastlingMode) -> AnyPosition {
    position.with_mode(mode)
}

/// Reads a FEN. Where the mode is that of orthodox chess but the castling rights are not, it is
/// taken for Chess960. Faults that a game can be played with are passed over.
///
/// # Errors
/// Says all that is wrong.
pub fn from_fen(text: &str, variant: Variant, mode: CastlingMode) -> Result<AnyPosition, String> {
    let setup = Setup::from_variant_fen(variant, text).map_err(|error| error.to_string())?;
    from_setup(&setup, variant, mode)
}

/// The same for a setup.
///
/// # Errors
/// Says all that is wrong.
pub fn from_setup(
    setup: &Setup,
    variant: Variant,
    mode: CastlingMode,
) -> Result<AnyPosition, String> {
    let is_fine = |mode| !setup.standard_faults(mode).has(Fault::BadCastlingRights);
    let mode = if !is_fine(mode) && is_fine(CastlingMode::Chess960) {
        CastlingMode::Chess960
    } else {
        mode
    };
    AnyPosition::from_setup_ignoring(variant, setup, mode, Faults::PLAYABLE)
        .map_err(|error| error.to_string())
}

/// The FEN of a position; the en passant square is there when a pawn can take on it.
pub fn fen(position: &AnyPosition) -> String {
    dispatch!(position, |position| position.fen(EnPassant::Legal))
}

/// The start position of Chess960 with this number, 0 to 959 (Scharnagl's numbering); 518 is that
/// of orthodox chess. Larger numbers begin again.
pub fn chess960(number: u32) -> AnyPosition {
    let mut rest = number as usize % 960;
    let mut next = |choices: usize| {
        let choice = rest % choices;
        rest /= choices;
        choice
    };
    // One bishop on a light square, one on a dark one, then the queen on one of six squares.
    let (light, dark, queen) = (2 * next(4) + 1, 2 * next(4), next(6));
    let (first, second) = KNIGHTS.get(next(10)).copied().unwrap_or_default();
    let mut free: Vec<usize> = (0..8)
        .filter(|&file| file != light && file != dark)
        .collect();
    let queen = free.remove(queen);
    // The farther knight first: taking it away moves no nearer one.
    let knights = [free.remove(second), free.remove(first)];

    let mut setup = Setup::EMPTY;
    for (index, file) in File::ALL.into_iter().enumerate() {
        let role = match index {
            _ if index == light || index == dark => Role::Bishop,
            _ if index == queen => Role::Queen,
            _ if knights.contains(&index) => Role::Knight,
            // Of the last three squares the king has the one between the rooks.
            _ if free.get(1) == Some(&index) => Role::King,
            _ => Role::Rook,
        };
        for color in Color::ALL {
            let at = |rank| Square::new(file, color.relative_rank(rank));
            setup.board.put(role.of(color), at(Rank::First));
            setup.board.put(Role::Pawn.of(color), at(Rank::Second));
        }
    }
    setup.castling = setup.board.role(Role::Rook);
    let position = from_setup(&setup, Variant::Standard, CastlingMode::Chess960);
    position.unwrap_or_else(|_| start(Variant::Standard, CastlingMode::Chess960))
}

/// The places of two knights among five free squares.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// The position with the sides exchanged: colours change and ranks are mirrored.
///
/// # Errors
/// When the position has faults that a game cannot be played with.
pub fn flip(position: &AnyPosition) -> Result<AnyPosition, String> {
    let (setup, mode) = dispatch!(position, |position| (position.to_setup(), position.mode()));
    let mut board = Board::EMPTY;
    for (square, piece) in setup.board.iter() {
        board.put(piece.role.of(!piece.color), square.flip());
    }
    let castling = setup.castling.into_iter().map(Square::flip);
    let flipped = Setup {
        board,
        turn: !setup.turn,
        castling: castling.collect::<Bitboard>(),
        en_passant: setup.en_passant.map(Square::flip),
        promoted: setup.promoted.flip(),
        pockets: setup.pockets.map(Pockets::flip),
        checks: setup.checks.map(RemainingChecks::flip),
        ..setup
    };
    from_setup(&flipped, position.variant(), mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<AnyPosition, String> {
        from_fen(text, Variant::Standard, CastlingMode::Standard)
    }

    #[test]
    fn chess960_rights_are_noticed() {
        let mode = |text| dispatch!(read(text).unwrap(), |position| position.mode());
        let orthodox = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        assert_eq!(mode(orthodox), CastlingMode::Standard);
        assert_eq!(
            mode("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq -"),
            CastlingMode::Chess960
        );
        assert_eq!(
            mode("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb -"),
            CastlingMode::Chess960
        );
    }

    #[test]
    fn chess960_starts() {
        let rank = |number| {
            let fen = fen(&chess960(number));
            fen.split('/').next().unwrap_or("").to_owned()
        };
        assert_eq!(rank(518), "rnbqkbnr");
        assert_eq!(rank(0), "bbqnnrkr");
        assert_eq!(rank(959), "rkrnnqbb");
        let all: std::collections::HashSet<String> = (0..960).map(rank).collect();
        assert_eq!(all.len(), 960);
    }

    #[test]
    fn faults() {
        assert!(read("8/8/8/8/8/8/8/8 w - -").is_err());
        assert!(read("").is_err());
        assert!(read("QQQQQQQQ/QQQQQQQQ/8/8/7k/8/8/K7 w - -").is_err());
        // More pawns than chess has; a game can be played all the same.
        assert!(read("4k3/pppppppp/p7/8/8/8/8/4K3 w - -").is_ok());
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 9";
        let position = read(text).unwrap();
        let flipped = flip(&position).unwrap();
        assert_eq!(
            fen(&flipped),
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R w Qk - 3 9"
        );
        assert_eq!(flip(&flipped).unwrap(), position);
    }
}
