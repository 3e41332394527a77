//! Syzygy values against those of other probers on real tables.

use crate::common::{position, rows};
use corpora::path;
use engine_core::notation::EnPassant;
use engine_core::{
    Antichess, Atomic, Board, CastlingMode, Giveaway, Piece, Position, Rules, Setup, Square,
    Standard, Suicide, next_splitmix64,
};
use tablebases::{ProbeError, Tablebase, Wdl};

fn tables(folders: &[&str]) -> Tablebase {
    let mut tables = Tablebase::new();
    for folder in folders {
        tables.add_path(path(folder)).unwrap();
    }
    tables
}

/// Compares WDL and DTZ of every row with those of the columns after the FEN.
fn compare<R: Rules>(tables: &Tablebase, file: &str) {
    let mut wrong = Vec::new();
    let mut skipped = 0;
    let rows = rows(file);
    for row in &rows {
        let position: Position<R> = position(&row[0]);
        let wdl = tables.wdl(&position).map(|wdl| wdl.number().to_string());
        let dtz = tables.dtz(&position).map(|dtz| dtz.to_string());
        // Very few rows need a table that the folder does not have.
        if let Err(ProbeError::Missing(..)) = dtz {
            skipped += 1;
            continue;
        }
        let wanted = (row[1].as_str(), row[2].as_str());
        if !matches!((&wdl, &dtz), (Ok(wdl), Ok(dtz)) if (wdl.as_str(), dtz.as_str()) == wanted) {
            wrong.push(format!("{}: {wdl:?} {dtz:?}, not {wanted:?}", row[0]));
        }
    }
    assert!(
        1000 * skipped <= rows.len(),
        "{file}: {skipped} rows lack tables"
    );
    let first = &wrong[..wrong.len().min(10)];
    assert!(
        wrong.is_empty(),
        "{} of {}: {first:#?}",
        wrong.len(),
        rows.len()
    );
}

pub(crate) fn standard() {
    let tables = tables(&["syzygy"]);
    compare::<Standard>(&tables, "tables/regular34.csv.gz");
    compare::<Standard>(&tables, "tables/regular5.csv.gz");
    compare::<Standard>(&tables, "tables/regular_ep.csv.gz");
}

pub(crate) fn atomic() {
    let tables = tables(&["tables/atomic"]);
    compare::<Atomic>(&tables, "tables/atomic.csv.gz");
    compare::<Atomic>(&tables, "tables/atomic_ep.csv.gz");
}

pub(crate) fn suicide() {
    let tables = tables(&["tables/suicide"]);
    compare::<Suicide>(&tables, "tables/suicide.csv.gz");
    compare::<Suicide>(&tables, "tables/suicide_ep.csv.gz");
}

pub(crate) fn giveaway() {
    let tables = tables(&["tables/giveaway"]);
    compare::<Giveaway>(&tables, "tables/giveaway.csv.gz");
    compare::<Antichess>(&tables, "tables/giveaway_ep.csv.gz");
}

/// A position of these pieces on different squares, drawn at random.
fn random_position(pieces: &str, seed: &mut u64) -> Option<Position> {
    let mut board = Board::EMPTY;
    for letter in pieces.chars() {
        let square = Square::from_index_masked(next_splitmix64(seed) as usize);
        if board.piece_at(square).is_some() {
            return None;
        }
        board.put(Piece::from_letter(letter)?, square);
    }
    let setup = Setup {
        board,
        ..Setup::EMPTY
    };
    Position::from_setup(&setup, CastlingMode::Standard).ok()
}

pub(crate) fn a_capture_that_wins_needs_no_other_table() {
    // Of the captures from KQvKRN, the table of those of the rook is missing.
    let tables = tables(&["syzygy/regular/KQvKR.rtbw"]);
    let mut seed = 1;
    let mut won = 0;
    while won < 300 {
        let Some(position) = random_position("KQkrn", &mut seed) else {
            continue;
        };
        let captures = position.legal_moves();
        let mut captures = captures.iter().filter(|&&m| position.is_capture(m));
        if captures.any(|&m| tables.wdl(&position.after(m)).ok() == Some(Wdl::Loss)) {
            assert_eq!(
                tables.wdl(&position).ok(),
                Some(Wdl::Win),
                "{}",
                position.fen(EnPassant::Legal)
            );
            won += 1;
        }
    }
}

/// Tables of the rarer formats: 16-bit maps and values in plies.
pub(crate) fn rare_formats() {
    let plain = tables(&["syzygy"]);
    for (folder, slack) in [("u16", 0), ("wide", 0), ("ply", 1)] {
        let rare = tables(&[&format!("tables/regular34_{folder}"), "syzygy"]);
        for row in rows("tables/regular34.csv.gz") {
            let position: Position<Standard> = position(&row[0]);
            assert_eq!(rare.wdl(&position).unwrap(), plain.wdl(&position).unwrap());
            let (rare, plain) = (rare.dtz(&position).unwrap(), plain.dtz(&position).unwrap());
            assert!(
                (rare - plain).abs() <= slack,
                "{} {folder}: {rare}, not {plain}",
                row[0]
            );
        }
    }
}

pub(crate) fn root_moves() {
    let tables = tables(&["syzygy"]);
    let rows = rows("tables/root_moves.csv.gz");
    let mut skipped = 0;
    for row in &rows {
        let position: Position<Standard> = position(&row[0]);
        let ranked = match tables.ranked_moves(&position) {
            Ok(ranked) => ranked,
            // Some rows need tables that the folder does not have.
            Err(ProbeError::Missing(..)) => {
                skipped += 1;
                continue;
            }
            Err(error) => panic!("{}: {error}", row[0]),
        };
        let best = &ranked[0];
        assert_eq!(
            tables.wdl(&position).unwrap().number().to_string(),
            row[1],
            "{}",
            row[0]
        );
        assert_eq!(
            tables.dtz(&position).unwrap().to_string(),
            row[2],
            "{}",
            row[0]
        );
        let mut ours: Vec<_> = ranked
            .iter()
            .map(|each| (position.to_uci(each.m), each.wdl.number(), each.dtz))
            .map(|(m, wdl, dtz)| format!("{m}:{wdl}:{dtz}"))
            .collect();
        let mut theirs: Vec<_> = row[4].split(' ').map(str::to_owned).collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{}", row[0]);
        let mut ours: Vec<_> = ranked
            .iter()
            .filter(|each| each.dtz == best.dtz)
            .map(|each| position.to_uci(each.m).to_string())
            .collect();
        let mut theirs: Vec<_> = row[3].split(' ').map(str::to_owned).collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{}", row[0]);
    }
    assert!(
        10 * skipped <= rows.len(),
        "{skipped} of {} rows lack tables",
        rows.len()
    );
}
