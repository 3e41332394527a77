//! The positions of the bench: sampled from self-play games that began with random
//! moves, and some made by hand for what is rare in such games. None has a tenth of all nodes, or the
//! bench would mostly measure that one.

use common::random::Random;
use engine_core::{AnyPosition, CastlingMode, Variant};

/// The positions of a variant: those of standard chess are listed below, those of the variants are from
/// random games with a fixed seed.
pub(super) fn all(variant: Variant) -> Vec<AnyPosition> {
    if variant == Variant::Standard {
        let read = |fen: &&str| AnyPosition::from_fen(variant, fen, CastlingMode::Standard).ok();
        return POSITIONS.iter().filter_map(read).collect();
    }
    (0..GAMES)
        .flat_map(|game| on_the_way(variant, game))
        .collect()
}

/// The number of random games, and the plies between two positions of one.
const GAMES: u64 = 8;
const STEP: usize = 8;

/// Some positions of a random game that is not over yet.
fn on_the_way(variant: Variant, game: u64) -> Vec<AnyPosition> {
    let mut random = Random::new(1, game);
    let mut position = AnyPosition::start(variant);
    let mut found = Vec::new();
    for ply in 0..=4 * STEP {
        let is_over = position.outcome().is_some();
        if is_over {
            break;
        }
        if ply % STEP == 0 && (ply > 0 || game == 0) {
            found.push(position);
        }
        let moves = position.legal_moves();
        if let Some(&m) = moves.get(random.below(moves.len())) {
            position.play(m);
        }
    }
    found
}

/// Openings, middlegames, endgames, mates and stalemates.
const POSITIONS: &[&str] = &[
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/ppppppp1/n7/7P/8/5N1P/PPPPPP2/RNBQKB1R w KQkq - 1 5",
    "r1bqkb1r/pp1pn2p/2n5/2p1pp2/2P5/2N3N1/PP1PPPPP/R1BQKB1R w KQkq - 4 7",
    "1rbqk2r/1p1p1ppp/p1n2n2/2b1p3/4P3/2NBBN2/PP3PPP/R2Q1RK1 b k - 10 12",
    "r1bqkb1r/ppp4p/n3pnp1/3p1p2/3P4/P2BP2N/RPP2PPP/1NBQK2R w Kkq - 0 7",
    "r1bqkb1r/1ppppppp/p1n2n2/8/5P2/2N3P1/PPPPP2P/R1BQKBNR b KQkq - 0 4",
    "rnbqkbnr/1pp1pppp/8/p2p4/P6P/4P3/1PPP1PP1/RNBQKBNR w KQkq - 0 4",
    "r1bqkbnr/ppppppp1/n6p/8/3PP3/P1N5/1PP2PPP/R1BQKBNR b KQkq - 0 5",
    "rnb1kbnr/ppp2pp1/4q2p/3pP3/P7/4P3/RPPP2PP/1NBQKBNR w Kkq - 1 6",
    "r1bqkbnr/ppp1ppp1/n6p/3p4/3P1P2/6P1/PPP1P2P/RNBQKBNR w KQkq - 0 4",
    "1r1q1rk1/p1pbppb1/n2p1npp/Np1P4/8/1QP1BN2/PP2PPPP/2KR1B1R b - - 0 11",
    "r1bq1rk1/p1p2pp1/2n2n1p/2b5/1pNp4/3B1P2/PPPPN1PP/R1BQ1RK1 b - - 5 12",
    "r3kbnr/pp2p1pp/2p1b3/4p1P1/1PPqP3/2NP4/P4P2/R1BQKB1R w KQkq - 1 12",
    // Middlegames.
    "r1bqkb2/ppp1ppp1/2np4/4P1N1/3P3r/2PB1Q1P/P1P2P2/R1B1K2R b KQq - 1 13",
    "r2q2kr/pp5p/2np4/3Pp1b1/1p2Pp2/3P2P1/PP2BP1P/R1BQ1RK1 b - - 0 18",
    "1Bbq1rk1/1pP2ppp/p4n2/8/P3p2P/3B1N2/5PP1/b2Q1RK1 b - - 0 19",
    "r5k1/pb6/p3p3/2Pp2p1/1P1PpbN1/P7/RB4PP/6K1 w - - 1 26",
    "r1b1k2r/1pp3pp/p3pp2/2bqP1N1/1n2pP2/2P3P1/PP1PQ2P/R1BK1B1R w kq - 1 13",
    "2kr2nr/1pp1qpp1/3b4/p6p/Pn1P1p2/2N2P2/1PPK1B1P/R2Q1B1R w - - 2 15",
    "r1b2rk1/1p1n1p1p/3q1np1/p3N3/P1pPpP1P/8/1P1BB1P1/R2Q1RK1 w - - 0 16",
    "r1b2rk1/pp3pp1/nq1bpn1p/4N3/P1BPp3/2N1B3/1PP2PPP/2RQ1RK1 w - - 1 15",
    "r1k3r1/2p5/p1p4p/P2p3P/3P3b/R3q3/1PP1N2K/3Q1R2 b - - 1 25",
    "r4Nk1/ppp2qp1/n2bp2p/3n4/2BPp1Q1/4P1P1/PPPB3P/R3K2R b KQ - 0 15",
    "2rq1rk1/pppb2pp/2n1p3/P2p1p2/1b1PnP1P/2NBPN2/1PPB2P1/R2QR1K1 w - - 3 14",
    "2rq1rk1/1b2ppbp/p1n3pn/1p2N3/P4PP1/3PB2P/1PN3B1/R2Q1RK1 b - - 0 16",
    "r1bq1rk1/p1p2pp1/2n4p/2bn4/1pNp4/3B1P2/PPPPN1PP/R1BQ1RK1 w - - 6 13",
    "2kr1bnr/pp2p1pp/2p1b3/4p1P1/1PPqP3/2NP4/P2B1P2/R2QKB1R w KQ - 3 13",
    "r1bq2k1/ppppb2p/7p/3p4/1n6/2N2N1P/PPP2PP1/R2Q1RK1 b - - 1 13",
    "r4rk1/pp4pp/2p2q1n/3p1p1P/3pP1b1/3P2P1/PPPNBP2/R2Q1RK1 w - - 0 15",
    // Endgames.
    "8/2p1p3/1pknP1R1/p2p4/P2P4/2P5/2P5/7K w - - 1 48",
    "3k4/1p6/7p/p2PP2P/1p1P4/5P2/PP6/1n5K w - - 0 45",
    "5k2/3b1ppp/7P/3n2P1/1p1N4/8/3B1P2/6K1 w - - 1 38",
    "8/2p2k2/p1p1p3/P1P1P3/1P6/2B1P3/3K2R1/7r w - - 3 38",
    "6r1/pRqb3k/7p/5p2/2PP4/5Q2/8/5R1K b - - 1 40",
    "6r1/1kp5/1bp3Np/1p1p3P/3P4/4K3/2P5/5R2 w - - 2 36",
    "8/7R/kPp1N3/1p2Q3/1p1PP3/1P6/P4R2/1K6 w - - 1 46",
    "6k1/8/4p1p1/p6p/4pr1P/4N3/1P4P1/1R4K1 b - - 0 38",
    "8/5pk1/4p1p1/1r5p/1P1R3P/6P1/5PK1/8 w - - 0 40",
    "6k1/8/3b4/pbp4p/8/BP1P1P2/3PNK2/8 b - - 4 40",
    "1r6/1P5p/7k/3R3P/P2p4/4b2P/1R6/7K b - - 0 58",
    "8/6p1/6k1/p5r1/P7/3Pn2p/1PrN1R1K/3R4 w - - 4 44",
    "8/5k2/6N1/8/P3Q3/2P4P/6PK/8 b - - 2 55",
    "2r5/2P5/1P5k/4p2p/5p2/1R6/6R1/1K6 w - - 1 63",
    "4q1k1/6pp/7P/p1P5/3Q3N/2r4b/3R1K2/8 b - - 2 47",
    // King and pawn, rook against pawn, bishop and knight, queen against rook.
    "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1",
    "8/8/8/5k2/8/1pK5/8/6R1 b - - 0 1",
    "8/8/3k4/8/8/2BNK3/8/8 w - - 12 60",
    "8/3k4/3r4/8/2Q5/8/4K3/8 w - - 5 80",
    // Mate in three, stalemate as the only defence, already mated.
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    "5k2/8/8/8/8/1q6/7R/K7 w - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
];
