use super::*;
use crate::types::Piece;
use crate::{AnyPosition, Variant};

/// The position of a FEN.
pub(crate) fn position(fen: &str, mode: CastlingMode) -> Position {
    Position::from_setup(&Setup::from_fen(fen).unwrap(), mode).unwrap()
}

/// Pseudo-random numbers: xorshift64* (Vigna 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545f4914f6cdd1d) >> 33) as usize % limit
    }
}

/// The start positions of random games: openings, pins, promotions, en passant, odd castling.
const STARTS: [(&str, CastlingMode); 8] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        CastlingMode::Standard,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        CastlingMode::Standard,
    ),
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        CastlingMode::Standard,
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        CastlingMode::Standard,
    ),
    (
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        CastlingMode::Standard,
    ),
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        CastlingMode::Chess960,
    ),
    (
        "1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w FBfb - 0 1",
        CastlingMode::Chess960,
    ),
    ("rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1", CastlingMode::Chess960),
];

/// Plays random games from all the starts and calls `visit` with every position.
pub(crate) fn for_random_positions(games: usize, mut visit: impl FnMut(&Position)) {
    let mut random = Random(0x9e3779b97f4a7c15);
    for (fen, mode) in STARTS {
        for _ in 0..games {
            let mut position = position(fen, mode);
            for _ in 0..120 {
                visit(&position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
            }
        }
    }
}

#[test]
fn every_move_keeps_the_position_valid() {
    for_random_positions(4, |position| {
        assert_eq!(position.validate(), Ok(()), "{position:?}");
        for m in &position.legal_moves() {
            let mut child = *position;
            child.play(m);
            assert_eq!(child.validate(), Ok(()), "{position:?}{m:?}");
            assert_ne!(child.key(), position.key());
            let theirs = child.board.king(position.turn);
            let taken = theirs.map(|king| {
                child
                    .board
                    .attackers(king, child.turn, child.board.occupied())
            });
            assert_eq!(taken, Some(Bitboard::EMPTY), "{position:?}{m:?}");
            let reset = child.halfmoves() == 0;
            assert_eq!(reset, position.is_zeroing(m), "{position:?}{m:?}");
        }
        let mut passed = *position;
        passed.play_null();
        assert_eq!(passed.validate(), Ok(()), "{position:?}");
    });
}

/// An observer that keeps a copy of the board.
struct Mirror(Board);

impl Observer for Mirror {
    fn put(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0.piece_at(square), None);
        self.0.put(piece, square);
    }

    fn remove(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0.remove_at(square), Some(piece));
    }
}

#[test]
fn an_observer_is_told_of_every_piece() {
    for_random_positions(1, |position| {
        for m in &position.legal_moves() {
            let mut mirror = Mirror(position.board);
            let mut child = *position;
            child.play_observed(m, &mut mirror);
            assert_eq!(mirror.0, child.board, "{position:?}{m:?}");
            let captures = child.board.occupied().count() < position.board.occupied().count();
            assert_eq!(position.is_capture(m), captures, "{position:?}{m:?}");
            assert_eq!(position.captured(m).is_some(), captures);
        }
    });
}

#[test]
fn keys_are_those_of_polyglot() {
    // The examples in the description of the book format.
    let line = [
        ("e2", "e4", 0x823c9b50fd114196),
        ("d7", "d5", 0x0756b94461c50fb0),
        ("e4", "e5", 0x662fafb965db29d4),
        ("f7", "f5", 0x22a48b5a8e47ff78),
        ("e1", "e2", 0x652a607ca3f242c1),
        ("e8", "f7", 0x00fdd303c946bdd9),
    ];
    let mut position: Position = Position::start();
    assert_eq!(position.key(), 0x463b96181691fc9c);
    for (from, to, key) in line {
        position.play(Move::normal(from.parse().unwrap(), to.parse().unwrap()));
        assert_eq!(position.key(), key, "after {from}{to}");
    }
}

#[test]
fn keys_of_books_leave_out_what_a_variant_adds() {
    let key = |variant, fen| {
        let position = AnyPosition::from_fen(variant, fen, CastlingMode::Standard).unwrap();
        (position.key(), position.polyglot_key())
    };
    let standard = key(Variant::Standard, "4k3/8/8/8/8/8/Q7/4K3 w - - 0 1").1;
    for (variant, fen) in [
        (Variant::Crazyhouse, "4k3/8/8/8/8/8/Q~7/4K3[Pn] w - - 0 1"),
        (Variant::ThreeCheck, "4k3/8/8/8/8/8/Q7/4K3 w - - 1+2 0 1"),
    ] {
        let (own, books) = key(variant, fen);
        assert_eq!(books, standard, "{variant}");
        assert_ne!(own, books, "{variant}");
    }
}

#[test]
fn an_illegal_move_does_not_panic() {
    let kiwipete = position(STARTS[1].0, STARTS[1].1);
    for m in (0..=u16::MAX).filter_map(Move::from_bits) {
        let mut child = kiwipete;
        child.play(m);
    }
}

#[test]
fn clocks_wrap_instead_of_overflowing() {
    let mut setup = Position::<Standard>::start().to_setup();
    (setup.halfmoves, setup.fullmoves) = (u32::MAX, u32::MAX);
    let mut position: Position = Position::from_setup_unchecked(&setup, CastlingMode::Standard);
    position.play(Move::normal(Square::G1, Square::F3));
    position.play(Move::normal(Square::G8, Square::F6));
    assert_eq!((position.halfmoves(), position.fullmoves()), (1, 0));
}

/// Or a failed comparison would show two equal positions.
#[test]
fn debug_shows_what_the_board_does_not() {
    let shown = |fen| format!("{:?}", position(fen, CastlingMode::Standard));
    let fens = ["KQkq - 0 1", "- - 0 1", "KQkq - 5 9"]
        .map(|end| format!("r3k2r/8/8/8/8/8/8/R3K2R w {end}"));
    let [all, none, later] = fens.each_ref().map(|fen| shown(fen));
    assert!(all != none && all != later && none != later);
}

/// As in python-chess.
#[test]
fn a_promoted_rook_that_castles_loses_its_mark() {
    let fen = "4k3/8/8/8/8/8/8/R~3K3[] w Q - 0 1";
    let variant = Variant::Crazyhouse;
    let mut position = AnyPosition::from_fen(variant, fen, CastlingMode::Standard).unwrap();
    let moves = position.legal_moves();
    position.play(*moves.iter().find(|m| m.is_castle()).unwrap());
    crate::dispatch!(&position, |position| {
        assert_eq!(position.validate(), Ok(()));
        assert!(position.to_setup().promoted.is_empty());
    });
}
