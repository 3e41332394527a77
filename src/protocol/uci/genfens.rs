//! `genfens N seed S book FILE`: random openings for `OpenBench`.

use common::files;
use common::input::{shorten, split_word};
use common::random::Random;
use engine_core::{AnyPosition, CastlingMode, Variant, dispatch, eval};
use std::path::Path;

/// The arguments of the command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GenfensArgs {
    count: usize,
    seed: u64,
    /// A file of FENs or EPDs to start from, one per line; by default the start position.
    book: Option<String>,
    /// The number of random plies from there.
    plies: usize,
}

/// The default number of random plies from the start position; one more in
/// half of the openings, so that either side may be to move.
const PLIES: usize = 8;

/// Openings with a score beyond this, in centipawns, are decided, and useless for tests.
const DECIDED: i32 = 300;

/// Random lines tried for an opening before the last one is accepted anyway.
const MAX_TRIES: usize = 1000;

/// The most openings of one command.
const MAX_OPENINGS: usize = 1_000_000;

impl GenfensArgs {
    /// Reads the arguments of `genfens`. Those for other engines are skipped.
    ///
    /// # Errors
    /// When there is no number of openings.
    pub(super) fn parse(text: &str) -> Result<GenfensArgs, String> {
        let (count, mut rest) = split_word(text);
        let count = count
            .parse()
            .ok()
            .filter(|count| (1..=MAX_OPENINGS).contains(count));
        let mut arguments = GenfensArgs {
            count: count.ok_or(format!(
                "genfens takes a number from 1 to {MAX_OPENINGS} first"
            ))?,
            seed: 0,
            book: None,
            plies: PLIES,
        };
        loop {
            let (word, after) = split_word(rest);
            let (value, next) = split_word(after);
            let number = || value.parse::<u64>();
            rest = next;
            match word {
                "" => return Ok(arguments),
                "seed" => arguments.seed = number().map_err(|_| "seed takes a number")?,
                "plies" => {
                    let plies = number().ok().filter(|plies| *plies <= 200);
                    arguments.plies = plies.ok_or("plies takes a number up to 200")? as usize;
                }
                "book" if value.eq_ignore_ascii_case("none") => arguments.book = None,
                "book" => arguments.book = Some(value.to_owned()),
                _ => rest = after,
            }
        }
    }

    /// Passes one FEN after another to the caller, until all are made or it returns false.
    ///
    /// # Errors
    /// When the book cannot be read, or has no position.
    pub(super) fn run(
        &self,
        variant: Variant,
        mode: CastlingMode,
        report: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), String> {
        let text = match &self.book {
            Some(name) => {
                files::read_text(Path::new(name)).map_err(|error| format!("book {error}"))?
            }
            None => String::new(),
        };
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        if self.book.is_some() && lines.is_empty() {
            return Err("the book is empty".to_owned());
        }
        let mut random = Random::new(self.seed, 0);
        for _ in 0..self.count {
            let opening = self.opening(&lines, variant, mode, &mut random)?;
            if !report(&opening.fen()) {
                break;
            }
        }
        Ok(())
    }

    /// Plays random moves from a start, until a position is found that is not decided.
    fn opening(
        &self,
        lines: &[&str],
        variant: Variant,
        mode: CastlingMode,
        random: &mut Random,
    ) -> Result<AnyPosition, String> {
        let mut position = AnyPosition::start(variant).with_mode(mode);
        for _ in 0..MAX_TRIES {
            position = match lines.get(random.below(lines.len())) {
                Some(line) => {
                    let read = AnyPosition::from_epd(variant, line, mode);
                    read.map_err(|error| format!("book: {}: {error}", shorten(line)))?
                        .0
                }
                None => AnyPosition::start(variant).with_mode(mode),
            };
            let plies = self.plies + random.below(2);
            if play(&mut position, plies, random) {
                return Ok(position);
            }
        }
        Ok(position)
    }
}

/// Plays random moves; returns whether the game is then neither over nor decided.
fn play(position: &mut AnyPosition, plies: usize, random: &mut Random) -> bool {
    dispatch!(position, |position| {
        for _ in 0..plies {
            let moves = position.legal_moves();
            match moves.get(random.below(moves.len())) {
                Some(&m) if position.outcome().is_none() => position.play(m),
                _ => return false,
            }
        }
        position.outcome().is_none()
            && !position.in_check()
            && eval::evaluate(position).abs() <= DECIDED
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fens(text: &str) -> Vec<String> {
        let mut fens = Vec::new();
        let arguments = GenfensArgs::parse(text).unwrap();
        let mut report = |fen: &str| {
            fens.push(fen.to_owned());
            true
        };
        arguments
            .run(Variant::Standard, CastlingMode::Standard, &mut report)
            .unwrap();
        fens
    }

    #[test]
    fn openings_follow_from_the_seed() {
        let first = fens("20 seed 7 book None");
        assert_eq!(first.len(), 20);
        assert_eq!(first, fens("20 seed 7 book none something else"));
        assert_ne!(first, fens("20 seed 8 book None"));
        for fen in &first {
            assert!(AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard).is_ok());
        }
    }

    #[test]
    fn bad_requests() {
        for bad in ["", "x", "0", "5 seed x", "5 plies 1000"] {
            assert!(GenfensArgs::parse(bad).is_err(), "{bad}");
        }
        let lost = GenfensArgs::parse("5 seed 1 book /no/such/file.epd").unwrap();
        let run = lost.run(Variant::Standard, CastlingMode::Standard, &mut |_| true);
        assert!(run.unwrap_err().to_lowercase().contains("no such file"));
    }
}
