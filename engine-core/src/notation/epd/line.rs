//! Lines of files of positions, where FEN and EPD are mixed.

use super::{Epd, EpdError};
use crate::{CastlingMode, Color, Setup, Variant};
use alloc::format;
use alloc::string::String;

impl Epd {
    /// Reads a line of EPD, or a FEN that operations may follow: its clocks, and in Three-check its
    /// counts of checks, become operations.
    ///
    /// ```
    /// use engine_core::notation::Epd;
    /// use engine_core::{CastlingMode, Variant};
    ///
    /// let line = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 20 bm e4;";
    /// let epd = Epd::read_line(line, Variant::Standard, CastlingMode::Standard)?;
    /// assert_eq!((epd.setup.halfmoves, epd.setup.fullmoves), (3, 20));
    /// assert!(epd.operations.get("bm").is_some());
    /// # Ok::<(), engine_core::notation::EpdError>(())
    /// ```
    ///
    /// # Errors
    /// Says what is wrong and where.
    pub fn read_line(line: &str, variant: Variant, mode: CastlingMode) -> Result<Epd, EpdError> {
        let fen = (4..=7).rev().find_map(|count| {
            let (fields, rest) = split_fields(line, count)?;
            let (board, _) = split_fields(fields, 4)?;
            // Clocks may end like operations: `0 1; bm e4;`.
            let fields = fields.trim_end();
            let fields = fields
                .strip_suffix(';')
                .filter(|_| count > 4)
                .unwrap_or(fields);
            let setup = Setup::from_variant_fen(variant, fields).ok()?;
            let is_clock = |field: &&str| field.parse::<u32>().is_ok();
            let clocks = fields.split_whitespace().skip(4).filter(is_clock).count();
            Some((setup, board.trim_end(), clocks, rest))
        });
        let Some((setup, board, clocks, rest)) = fen else {
            return Epd::read(line, variant, mode);
        };
        let (half, full) = (setup.halfmoves, setup.fullmoves);
        let clocks = match clocks {
            0 => String::new(),
            1 => format!("hmvc {half}; "),
            _ => format!("hmvc {half}; fmvn {full}; "),
        };
        let checks = setup.checks.map_or(String::new(), |checks| {
            format!("{}+{} ", checks.0[Color::White], checks.0[Color::Black])
        });
        let text = format!("{board} {checks}{clocks}{rest}");
        Epd::read(&text, variant, mode).map_err(|error| {
            // What follows the FEN is at the end of both.
            let (read, given) = (text.chars().count(), line.chars().count());
            error.map_columns(|column| (column + given).saturating_sub(read).max(1))
        })
    }
}

/// The first fields of a line, and what follows them.
fn split_fields(line: &str, count: usize) -> Option<(&str, &str)> {
    let mut rest = line.trim_start();
    for _ in 0..count {
        let (field, _) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = rest.get(field.len()..)?.trim_start();
        if field.is_empty() {
            return None;
        }
    }
    line.split_at_checked(line.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message of a line.
    fn fault(line: &str) -> String {
        let error = Epd::read_line(line, Variant::Standard, CastlingMode::Standard);
        error.expect_err("a fault").to_string()
    }

    #[test]
    fn clocks_may_end_like_operations() {
        for rest in [
            "3 20",
            "3 20;",
            "3 20 ;",
            "3 20; bm e4;",
            "3 20 ; bm e4;",
            "3 20 bm e4;",
        ] {
            let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - - {rest}");
            let epd = Epd::read_line(&line, Variant::Standard, CastlingMode::Standard).unwrap();
            assert_eq!(
                (epd.setup.halfmoves, epd.setup.fullmoves),
                (3, 20),
                "{rest}"
            );
            assert_eq!(
                epd.operations.get("bm").is_some(),
                rest.contains("bm"),
                "{rest}"
            );
        }
    }

    #[test]
    fn clocks_that_are_not_there_are_no_operations() {
        const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (rest, operations) in [
            ("bm e4;", "bm e4;"),
            ("3 bm e4;", "hmvc 3; bm e4;"),
            ("3 20 bm e4;", "hmvc 3; fmvn 20; bm e4;"),
        ] {
            let line = format!("{BOARD} {rest}");
            let epd = Epd::read_line(&line, Variant::Standard, CastlingMode::Standard).unwrap();
            assert_eq!(epd.write().unwrap(), format!("{BOARD} {operations}"));
        }
    }

    #[test]
    fn columns_are_those_of_the_line() {
        const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3";
        for (rest, place) in [
            ("w - - bm e9;", "column 32:"),
            ("w - -  bm e4; am e9;", "column 40:"),
            ("w - - 0 1 bm e9;", "column 36:"),
            (" x - - bm e4;", "turn (column 24)"),
            ("w  -   e9  bm e4;", "en passant (column 30)"),
        ] {
            let message = fault(&format!("{BOARD} {rest}"));
            assert!(message.contains(place), "{rest}: {message}");
            let message = fault(&format!("{BOARD}  {rest}"));
            assert!(!message.contains(place), "{rest}: {message}");
        }
    }
}
