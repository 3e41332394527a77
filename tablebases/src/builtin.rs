//! Built-in tables of three pieces, so that the program never misplays `KPvK` even
//! without files: win, draw or loss, DTZ, and the distance to mate, in 65 kB.
//!
//! They are made by [`generate`](crate::generate): `tests::write_the_files` writes them anew, and
//! another test compares them with what is generated.

use crate::{Mate, Tablebase, Wdl};
use engine_core::{Position, Rules, Variant};

/// A built-in table, by the name of its file.
macro_rules! table {
    ($material:literal, $suffix:literal) => {
        (
            concat!($material, ".rt", $suffix),
            include_bytes!(concat!("builtin/", $material, ".rt", $suffix)).as_slice(),
        )
    };
    // Distances to mate lie in a file like one of DTZ.
    ($material:literal) => {
        (
            concat!($material, ".rtbz"),
            include_bytes!(concat!("builtin/", $material, ".dtm")).as_slice(),
        )
    };
}

type File = (&'static str, &'static [u8]);

const SYZYGY: [File; 10] = [
    table!("KQvK", "bw"),
    table!("KQvK", "bz"),
    table!("KRvK", "bw"),
    table!("KRvK", "bz"),
    table!("KBvK", "bw"),
    table!("KBvK", "bz"),
    table!("KNvK", "bw"),
    table!("KNvK", "bz"),
    table!("KPvK", "bw"),
    table!("KPvK", "bz"),
];

/// The most pieces of these tables.
pub(crate) const PIECES: u32 = 3;

const MATES: [File; 3] = [table!("KQvK"), table!("KRvK"), table!("KPvK")];

/// Adds the tables of win, draw or loss and of DTZ.
pub(crate) fn add_to(tables: &mut Tablebase) {
    for (name, bytes) in SYZYGY {
        tables.add_bytes(name, bytes);
    }
}

/// Distances to mate of two and three pieces of standard chess.
#[derive(Debug)]
pub(crate) struct Mates {
    syzygy: Tablebase,
    /// Distances to mate, laid out as those of DTZ are; only wins of the side to move.
    mates: Tablebase,
}

impl Mates {
    pub(crate) fn new() -> Mates {
        let mut mates = Mates {
            syzygy: Tablebase::new(),
            mates: Tablebase::new(),
        };
        add_to(&mut mates.syzygy);
        for (name, bytes) in MATES {
            mates.mates.add_bytes(name, bytes);
        }
        mates
    }

    /// The distance to mate, if there are so few pieces.
    pub(crate) fn mate<R: Rules>(&self, position: &Position<R>) -> Option<Mate> {
        if const { !matches!(R::VARIANT, Variant::Standard) } {
            return None;
        }
        if position.board().occupied().count() > PIECES {
            return None;
        }
        match self.syzygy.wdl(position).ok()? {
            Wdl::Win => self.win(position),
            Wdl::Loss => {
                let moves = position.legal_moves();
                let replies = moves.iter();
                let replies = replies.map(|&m| self.win(&position.after(m)).map(Mate::before));
                // Without a move it is mate.
                let best = replies.collect::<Option<Vec<_>>>()?.into_iter().max();
                Some(best.unwrap_or(Mate::Loss(0)))
            }
            _ => Some(Mate::Draw),
        }
    }

    /// The mate of the side that wins, which is to move.
    fn win<R: Rules>(&self, position: &Position<R>) -> Option<Mate> {
        let plies = self.mates.table_dtz(position, Wdl::Win).ok()??;
        Some(Mate::Win(1 + plies.unsigned_abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::Mates;
    use crate::generate::{Generator, distances_to_mate, materials};
    use crate::{Mate, Material};
    use engine_core::{Bitboard, CastlingMode, Color, Piece, Position, Role, Setup, Square};
    use std::collections::BTreeMap;
    use std::path::Path;

    /// The contents that the files must have, by their names.
    fn generated() -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut generator = Generator::default();
        for material in materials(3) {
            let made = generator.generate(material).unwrap();
            files.insert(format!("{material}.rtbw"), made.wdl);
            files.insert(format!("{material}.rtbz"), made.dtz);
        }
        for name in ["KQvK", "KRvK", "KPvK"] {
            let material: Material = name.parse().unwrap();
            files.insert(format!("{name}.dtm"), distances_to_mate(material).unwrap());
        }
        files
    }

    fn folder() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/builtin"))
    }

    #[test]
    fn the_files_are_those_that_are_generated() {
        let mut size = 0;
        for (name, bytes) in generated() {
            assert!(
                std::fs::read(folder().join(&name)).unwrap() == bytes,
                "{name}"
            );
            size += bytes.len();
        }
        assert!(size <= 80_000, "{size} bytes");
    }

    /// Counts, sums and most plies that others have computed from Gaviota's tables.
    #[test]
    fn mates_of_all_positions() {
        let mates = Mates::new();
        for (role, count, sum, most) in [
            (Role::Pawn, 331_352, 4_886_144, 56),
            (Role::Rook, 399_112, 7_920_824, 32),
        ] {
            let (mut positions, mut plies, mut longest) = (0, 0, 0);
            for white in Bitboard::FULL {
                for black in Bitboard::FULL - white.bitboard() {
                    for third in Bitboard::FULL - white.bitboard() - black.bitboard() {
                        for turn in Color::ALL {
                            let piece = role.of(Color::White);
                            let Some(position) = position(white, black, piece, third, turn) else {
                                continue;
                            };
                            let mate = mates.mate(&position).unwrap();
                            positions += 1;
                            plies += mate.plies().unsigned_abs();
                            longest = longest.max(mate.plies().abs());
                        }
                    }
                }
            }
            assert_eq!((positions, plies, longest), (count, sum, most), "{role:?}");
        }
    }

    fn position(
        white: Square,
        black: Square,
        piece: Piece,
        third: Square,
        turn: Color,
    ) -> Option<Position> {
        let mut setup = Setup::EMPTY;
        setup.turn = turn;
        setup.board.put(Role::King.of(Color::White), white);
        setup.board.put(Role::King.of(Color::Black), black);
        setup.board.put(piece, third);
        Position::from_setup(&setup, CastlingMode::Standard).ok()
    }

    #[test]
    fn colours_and_mates_on_the_board() {
        let mates = Mates::new();
        for (fen, mate) in [
            ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", Mate::Draw),
            ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Mate::Loss(0)),
            ("8/8/8/8/8/8/5kq1/7K w - - 0 1", Mate::Loss(0)),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1", Mate::Draw),
        ] {
            let setup = Setup::from_fen(fen).unwrap();
            let position: Position = Position::from_setup(&setup, CastlingMode::Standard).unwrap();
            assert_eq!(mates.mate(&position), Some(mate), "{fen}");
        }
    }

    /// The recipe: `cargo test -p mola-tablebases write_the_files -- --ignored`.
    #[test]
    #[ignore = "writes the files"]
    fn write_the_files() {
        for (name, bytes) in generated() {
            std::fs::write(folder().join(name), bytes).unwrap();
        }
    }
}
