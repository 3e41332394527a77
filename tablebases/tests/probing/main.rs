//! The probers against others, on real tables.

mod common;
mod exhaustive;
mod gaviota;
mod many;
mod recode;
mod syzygy;

corpora::tests! {
    exhaustive::three_pieces: ["syzygy", "gaviota"],
    gaviota::every_compression: ["gaviota"],
    gaviota::three_pieces: ["gaviota", "tables/gaviota3_sample.csv.gz"],
    many::thousands_of_tables_take_no_time_and_no_files: [],
    syzygy::atomic: ["tables/atomic", "tables/atomic.csv.gz", "tables/atomic_ep.csv.gz"],
    syzygy::a_capture_that_wins_needs_no_other_table: ["syzygy/regular/KQvKR.rtbw"],
    syzygy::giveaway: ["tables/giveaway", "tables/giveaway.csv.gz", "tables/giveaway_ep.csv.gz"],
    syzygy::rare_formats: [
        "syzygy",
        "tables/regular34_u16",
        "tables/regular34_wide",
        "tables/regular34_ply",
        "tables/regular34.csv.gz",
    ],
    syzygy::root_moves: ["syzygy", "tables/root_moves.csv.gz"],
    syzygy::standard: [
        "syzygy",
        "tables/regular34.csv.gz",
        "tables/regular5.csv.gz",
        "tables/regular_ep.csv.gz",
    ],
    syzygy::suicide: ["tables/suicide", "tables/suicide.csv.gz", "tables/suicide_ep.csv.gz"],
}
