//! Gaviota values against those of other probers on real tables.

use crate::common::{position, rows};
use crate::recode::recode;
use corpora::path;
use engine_core::{Board, CastlingMode, Color, Position, Role, Setup, Square, Standard};
use std::fs;
use tablebases::{Gaviota, GaviotaError, Mate};

pub(crate) fn three_pieces() {
    let mut tables = Gaviota::new();
    tables.add_path(path("gaviota")).unwrap();
    for row in rows("tables/gaviota3_sample.csv.gz") {
        let mate = tables.mate(&position::<Standard>(&row[0])).unwrap();
        let ours = (mate.wdl().to_string(), mate.plies().to_string());
        assert_eq!(ours, (row[1].clone(), row[2].clone()), "{}", row[0]);
    }
}

/// The same tables, compressed in all four ways, have the same values.
pub(crate) fn every_compression() {
    let folder = path("gaviota");
    let mut plain = Gaviota::new();
    plain.add_path(&folder).unwrap();
    let scratch = std::env::temp_dir().join(format!("mola-gaviota-{}", std::process::id()));
    let all = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    for scheme in 1..=3 {
        fs::create_dir_all(&scratch).unwrap();
        for role in all {
            let name = format!("k{}k.gtb.cp", role.upper().to_ascii_lowercase());
            let bytes = fs::read(folder.join(format!("{name}4"))).unwrap();
            fs::write(
                scratch.join(format!("{name}{scheme}")),
                recode(&bytes, scheme),
            )
            .unwrap();
        }
        let mut tables = Gaviota::new();
        assert_eq!(tables.add_path(&scratch).unwrap(), all.len());
        for role in all {
            let value = |tables: &Gaviota, place| position_of(role, place).map(|p| tables.mate(&p));
            // A step that is prime to the size of the board.
            for place in (0..1 << 19).step_by(7) {
                let of = |tables| -> Option<Result<Mate, GaviotaError>> { value(tables, place) };
                let values = [&tables, &plain].map(of);
                let [ours, wanted] = values.map(|value| value.map(Result::unwrap));
                assert_eq!(ours, wanted, "cp{scheme} {role:?} {place}");
            }
        }
        fs::remove_dir_all(&scratch).unwrap();
    }
}

/// The legal position of both kings and a white piece on squares of six bits each.
fn position_of(role: Role, place: usize) -> Option<Position> {
    let mut board = Board::EMPTY;
    let pieces = [
        Role::King.of(Color::White),
        Role::King.of(Color::Black),
        role.of(Color::White),
    ];
    for (number, piece) in pieces.into_iter().enumerate() {
        let square = Square::from_index_masked(place >> (6 * number) & 63);
        if board.occupied().has(square) {
            return None;
        }
        board.put(piece, square);
    }
    let turn = Color::from_white(place >> 18 == 0);
    let setup = Setup {
        board,
        turn,
        ..Setup::EMPTY
    };
    Position::from_setup(&setup, CastlingMode::Standard).ok()
}
