//! Variants against shakmaty, which knows seven of the nine and Chess960.

use crate::{Peer, best_rates, mola, shakmaty};

/// Start positions and positions with the features of the variant: variant, FEN, depth.
const POSITIONS: [(&str, &str, u32); 16] = [
    (
        "chess960",
        "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
        5,
    ),
    (
        "chess960",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        4,
    ),
    (
        "kingofthehill",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
    ),
    (
        "kingofthehill",
        "r1bq1bnr/ppp2ppp/2npk3/4p3/4P3/3PK3/PPP2PPP/RNBQ1BNR w - - 0 7",
        4,
    ),
    (
        "3check",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
        5,
    ),
    (
        "3check",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1 0 1",
        4,
    ),
    (
        "horde",
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        6,
    ),
    (
        "horde",
        "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1",
        5,
    ),
    (
        "crazyhouse",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        5,
    ),
    (
        "crazyhouse",
        "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1",
        4,
    ),
    (
        "antichess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        5,
    ),
    (
        "antichess",
        "rnb1kbnr/p1p1pppp/8/1p6/3p4/1P6/P1PPPPPP/RNBQKBNR w - - 0 4",
        5,
    ),
    (
        "atomic",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
    ),
    (
        "atomic",
        "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1",
        4,
    ),
    ("racingkings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", 5),
    ("racingkings", "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1", 6),
];

/// Prints the rates of Mola and shakmaty, and the ratio of the two, by position.
pub(crate) fn table(rounds: u32) {
    println!("\nVariants, bulk counting: million leaves a second, best of {rounds}");
    println!("{:<16}{:>12}{:>12}{:>8}", "", "mola", "shakmaty", "ratio");
    for (variant, fen, depth) in POSITIONS {
        let ours = if variant == "chess960" {
            "chess"
        } else {
            variant
        };
        let peers: [Box<dyn Peer>; 2] = [
            mola::variant_at(ours, fen),
            shakmaty::variant_at(variant, fen),
        ];
        let [ours, theirs] = best_rates(&peers, depth, rounds, |peer, depth| peer.bulk(depth));
        let ratio = ours / theirs;
        println!(
            "{:<16}{ours:>12.1}{theirs:>12.1}{ratio:>7.2}x",
            format!("{variant} {depth}")
        );
    }
}
