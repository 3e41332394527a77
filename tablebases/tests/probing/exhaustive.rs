//! Every position of three pieces, against known totals. Those of `KQvK` are also the ones that
//! python-chess 1.11.2 finds with its Syzygy and Gaviota probers.

use corpora::path;
use engine_core::{Board, CastlingMode, Color, Position, Role, Setup, Square, Standard};
use tablebases::{Mate, Tables, Wdl};

/// The totals of one ending.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sums {
    positions: u32,
    /// Losses, draws and wins of the side to move.
    wdl: [u32; 3],
    dtz: u32,
    most_dtz: u32,
    dtm: u32,
    most_dtm: u32,
}

fn sum(tables: &Tables, role: Role) -> Sums {
    let mut sums = Sums::default();
    let pieces = [
        Role::King.of(Color::White),
        Role::King.of(Color::Black),
        role.of(Color::White),
    ];
    for place in 0..64 * 64 * 64 {
        let squares = [place & 63, place >> 6 & 63, place >> 12].map(Square::from_index_masked);
        let [a, b, c] = squares;
        if a == b || b == c || a == c {
            continue;
        }
        let mut board = Board::EMPTY;
        for (piece, square) in pieces.into_iter().zip(squares) {
            board.put(piece, square);
        }
        for turn in Color::ALL {
            let setup = Setup {
                board,
                turn,
                ..Setup::EMPTY
            };
            let Ok(position) = Position::<Standard>::from_setup(&setup, CastlingMode::Standard)
            else {
                continue;
            };
            let dtz = tables.syzygy.dtz(&position).unwrap().unsigned_abs();
            let mate = tables.gaviota.mate(&position).unwrap();
            let wdl = tables.syzygy.wdl(&position).unwrap();
            assert_eq!(
                wdl,
                match mate {
                    Mate::Draw => Wdl::Draw,
                    Mate::Win(_) => Wdl::Win,
                    Mate::Loss(_) => Wdl::Loss,
                }
            );
            let dtm = mate.plies().unsigned_abs();
            sums.positions += 1;
            sums.wdl[(wdl.number() / 2 + 1) as usize] += 1;
            sums.dtz += dtz;
            sums.most_dtz = sums.most_dtz.max(dtz);
            sums.dtm += dtm;
            sums.most_dtm = sums.most_dtm.max(dtm);
        }
    }
    sums
}

pub(crate) fn three_pieces() {
    let mut tables = Tables::new();
    for folder in ["syzygy", "gaviota"] {
        tables.add_path(path(folder)).unwrap();
    }
    let row = |positions, wdl, dtz, most_dtz, dtm, most_dtm| Sums {
        positions,
        wdl,
        dtz,
        most_dtz,
        dtm,
        most_dtm,
    };
    for (role, wanted) in [
        (
            Role::Rook,
            row(
                399_112,
                [201_700, 22_244, 175_168],
                7_921_040,
                32,
                7_920_824,
                32,
            ),
        ),
        (Role::Knight, row(429_440, [0, 429_440, 0], 0, 0, 0, 0)),
        (Role::Bishop, row(417_228, [0, 417_228, 0], 0, 0, 0, 0)),
        (
            Role::Queen,
            row(
                368_452,
                [200_896, 23_048, 144_508],
                4_047_504,
                20,
                4_047_140,
                20,
            ),
        ),
        (
            Role::Pawn,
            row(
                331_352,
                [97_604, 108_788, 124_960],
                450_640,
                20,
                4_886_144,
                56,
            ),
        ),
    ] {
        assert_eq!(sum(&tables, role), wanted, "{role:?}");
    }
}
