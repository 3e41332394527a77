//! Gaviota values against those that other probers gave for real tables.

use crate::common::{data, position, rows};
use engine_core::Standard;
use tablebases::Gaviota;

#[test]
fn three_pieces() {
    let mut tables = Gaviota::new();
    if let Some(folder) = data("gaviota") {
        tables.add_path(&folder).unwrap();
    }
    for row in rows("tables/gaviota3_sample.csv.gz") {
        let mate = tables.mate(&position::<Standard>(&row[0])).unwrap();
        let ours = (mate.wdl().to_string(), mate.plies().to_string());
        assert_eq!(ours, (row[1].clone(), row[2].clone()), "{}", row[0]);
    }
}
