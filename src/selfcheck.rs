//! `mola selfcheck`: verifies a build in seconds.

use crate::bench::{self, Settings};
use common::count::count;
use common::error::{Error, Result};
use engine_core::{AnyPosition, CastlingMode, Variant};
use std::io::{Write, stdout};
use std::time::Instant;
use tablebases::ProbeError::{Missing, NoTables, TooManyPieces};
use tablebases::{Tables, Wdl};

/// Verify this build: move generation, search and tables, in seconds.
///
/// It runs perft on known positions of every variant, and the bench twice, which must give the same
/// node count. If tables are given, it compares their values of known endgames.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola selfcheck
  mola selfcheck --nodes N                       also compares the bench of this version
  mola selfcheck --syzygy '/tables/3-4-5;/tables/6'")]
pub(crate) struct Args {
    /// Expected node count of the bench: the `Bench:` line of this version
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Folders of Syzygy tables to check, separated by `;` or `:`
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
}

/// Positions with their perft counts, checked against python-chess.
const PERFT: &[(Variant, CastlingMode, &str, u32, u64)] = &[
    (
        Variant::Standard,
        CastlingMode::Standard,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
        4_865_609,
    ),
    (
        Variant::Standard,
        CastlingMode::Standard,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    (
        Variant::Standard,
        CastlingMode::Standard,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        5,
        674_624,
    ),
    (
        Variant::Standard,
        CastlingMode::Chess960,
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        4,
        326_672,
    ),
    (
        Variant::Suicide,
        CastlingMode::Standard,
        "1nbqkb1r/3pp1pp/2p2n2/5p2/2P5/7N/P2PPPPP/R1B1KB1R w KQk - 0 9",
        3,
        5_021,
    ),
    (
        Variant::Giveaway,
        CastlingMode::Standard,
        "1nbqkb1r/3pp1pp/2p2n2/5p2/2P5/7N/P2PPPPP/R1B1KB1R w KQk - 0 9",
        3,
        5_021,
    ),
    (
        Variant::Antichess,
        CastlingMode::Standard,
        "1nbqkb1r/3pp1pp/2p2n2/5p2/2P5/7N/P2PPPPP/R1B1KB1R w - - 0 9",
        3,
        5_021,
    ),
    (
        Variant::Atomic,
        CastlingMode::Standard,
        "r1bqk2r/p1ppn1pp/3bn3/1p2pp2/Q1P1PPP1/8/PP1P3P/RNB1KBNR w KQkq - 3 9",
        3,
        36_282,
    ),
    (
        Variant::KingOfTheHill,
        CastlingMode::Standard,
        "r1bqk2r/p1ppn1pp/3bn3/1p2pp2/Q1P1PPP1/8/PP1P3P/RNB1KBNR w KQkq - 3 9",
        3,
        37_862,
    ),
    (
        Variant::RacingKings,
        CastlingMode::Standard,
        "8/8/1r1n1n2/8/4R3/6R1/k1b1N2K/qrb1NB2 w - - 4 9",
        3,
        56_009,
    ),
    (
        Variant::Horde,
        CastlingMode::Standard,
        "rnb1kb1r/1p1ppp1p/1pq4p/p1P1nPPP/PPPPPP2/PPPPPPP1/PPPP1PPP/PPPPPPPP w kq - 0 9",
        3,
        5_000,
    ),
    (
        Variant::ThreeCheck,
        CastlingMode::Standard,
        "r1bqk2r/p1ppn1pp/3bn3/1p2pp2/Q1P1PPP1/8/PP1P3P/RNB1KBNR w KQkq - 3+3 3 9",
        3,
        37_862,
    ),
    (
        Variant::Crazyhouse,
        CastlingMode::Standard,
        "r1bqk2r/p1ppn1pp/3bn3/1p2pp2/Q1P1PPP1/8/PP1P3P/RNB1KBNR[] w KQkq - 3 9",
        3,
        43_568,
    ),
];

/// Endgames with their WDL and DTZ for the side to move.
const ENDGAMES: &[(&str, Wdl, i32)] = &[
    ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", Wdl::Win, 17),
    ("8/8/8/3k4/8/8/8/KQ6 b - - 0 1", Wdl::Loss, -18),
    ("8/8/8/8/3k4/8/3P4/3K4 w - - 0 1", Wdl::Draw, 0),
    ("8/8/4k3/8/8/3BN3/8/K7 w - - 0 1", Wdl::Win, 56),
];

/// Runs the subcommand.
///
/// # Errors
/// When a check fails, or the output is closed.
pub(crate) fn run(args: &Args) -> Result {
    let start = Instant::now();
    let mut faults = 0_usize;
    let mut told = |name: &str, fault: Option<String>| {
        faults += usize::from(fault.is_some());
        let verdict = fault.unwrap_or_else(|| "ok".to_owned());
        writeln!(stdout(), "{name}: {verdict}")
    };
    for &(variant, mode, fen, depth, expected) in PERFT {
        let position = AnyPosition::from_fen(variant, fen, mode)?;
        let nodes = position.perft(depth);
        let fault = format!("FAILED: {nodes} nodes, not {expected}");
        let name = format!("perft {depth} of {variant} from {fen}");
        told(&name, (nodes != expected).then_some(fault))?;
    }
    let bench = || bench::run(&Settings::new(Variant::Standard), &mut |_| true);
    let nodes = bench()?.map_or(0, |report| report.nodes);
    let again = bench()?.map_or(0, |report| report.nodes);
    let fault = if nodes == again {
        let expected = args.nodes.filter(|&expected| expected != nodes);
        expected.map(|expected| format!("FAILED: {expected} nodes expected"))
    } else {
        Some(format!("FAILED: {again} nodes the second time"))
    };
    told(&format!("bench of {nodes} nodes"), fault)?;
    if let Some(list) = &args.syzygy {
        let tables = open(list)?;
        for &(fen, wdl, dtz) in ENDGAMES {
            let position = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard)?;
            let found = (
                tables.syzygy.probe_wdl(&position),
                tables.syzygy.probe_dtz(&position),
            );
            let name = format!("tables of {fen}");
            let fault = match found {
                (Ok(found), Ok(plies)) if (found, plies) == (wdl, dtz) => None,
                (Ok(found), Ok(plies)) => Some(format!("FAILED: {found:?} in {plies}")),
                // Not a fault of this build.
                (Err(error @ (Missing(..) | NoTables(_) | TooManyPieces { .. })), _)
                | (_, Err(error @ (Missing(..) | NoTables(_) | TooManyPieces { .. }))) => {
                    writeln!(stdout(), "{name}: not checked: {error}")?;
                    continue;
                }
                (Err(error), _) | (_, Err(error)) => Some(format!("FAILED: {error}")),
            };
            told(&name, fault)?;
        }
    }
    match faults {
        0 => Ok(writeln!(
            stdout(),
            "All checks passed, in {:.1} s.",
            start.elapsed().as_secs_f64()
        )?),
        _ => Err(Error::Message(format!(
            "{} failed: this build or the tables are faulty",
            count(faults, "check")
        ))),
    }
}

fn open(list: &str) -> Result<Tables> {
    let mut tables = Tables::new();
    for path in tablebases::split_paths(list) {
        let added = tables.add_path(&path).map_err(|error| error.to_string())?;
        if added == 0 {
            return Err(Error::Message(format!("no tables in {}", path.display())));
        }
    }
    Ok(tables)
}
