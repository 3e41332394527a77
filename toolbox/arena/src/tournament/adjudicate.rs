//! Games that are ended because they are decided.

use super::game::Note;
use engine_core::{Color, Game, dispatch};
use std::str::FromStr;
use std::sync::Arc;
use tablebases::{Tablebase, Wdl};

/// When games are ended before their end.
#[derive(Clone, Default)]
pub struct Adjudication {
    /// A side that says so of itself loses.
    pub resign: Option<Resign>,
    /// A level game is drawn.
    pub draw: Option<Draw>,
    /// A game as long as this, in moves of both sides, is drawn.
    pub max_moves: Option<u32>,
    /// Positions that these tables know end as the tables say.
    pub tables: Option<Arc<Tablebase>>,
}

/// `moves=3,score=600[,twosided]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resign {
    /// For so many moves in a row,
    pub moves: u32,
    /// a side has been so many centipawns down;
    pub score: i32,
    /// and the other one has agreed.
    pub two_sided: bool,
}

/// `number=34,moves=8,score=20`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draw {
    /// From this move of the game on,
    pub number: u32,
    /// for so many moves of both sides in a row,
    pub moves: u32,
    /// no score has been further from zero, in centipawns.
    pub score: i32,
}

/// The fields `key=value` of a rule, each of which must be known.
fn fields<'a>(text: &'a str, known: &[&str]) -> Result<Vec<(&'a str, &'a str)>, String> {
    let fields = text.split(',').map(|field| {
        let (key, value) = field.trim().split_once('=').unwrap_or((field.trim(), "1"));
        if known.contains(&key) {
            Ok((key, value))
        } else {
            Err(format!("{} expected, not {field:?}", known.join("=, ")))
        }
    });
    fields.collect()
}

fn number<N: FromStr>(value: &str) -> Result<N, String> {
    value
        .parse()
        .map_err(|_| format!("a whole number expected, not {value:?}"))
}

impl FromStr for Resign {
    type Err = String;

    fn from_str(text: &str) -> Result<Resign, String> {
        let mut rule = Resign {
            moves: 3,
            score: 600,
            two_sided: false,
        };
        for (key, value) in fields(text, &["moves", "score", "twosided"])? {
            match key {
                "moves" => rule.moves = number(value)?,
                "score" => rule.score = number(value)?,
                _ => rule.two_sided = matches!(value, "1" | "true"),
            }
        }
        Ok(rule)
    }
}

impl FromStr for Draw {
    type Err = String;

    fn from_str(text: &str) -> Result<Draw, String> {
        let mut rule = Draw {
            number: 34,
            moves: 8,
            score: 20,
        };
        for (key, value) in fields(text, &["number", "moves", "score"])? {
            match key {
                "number" => rule.number = number(value)?,
                "moves" => rule.moves = number(value)?,
                _ => rule.score = number(value)?,
            }
        }
        Ok(rule)
    }
}

/// What a mate counts in centipawns.
const MATE: i32 = 30_000;

/// Watches one game.
pub struct Judge {
    rules: Adjudication,
    /// For how many moves in a row each side has been lost, and won, in its own eyes.
    lost: [u32; 2],
    won: [u32; 2],
    /// For how many plies the game has been level.
    level: u32,
}

/// How a game is ended: who has won, and why.
pub(super) type Sentence = (Option<Color>, &'static str);

impl Judge {
    /// A judge by these rules.
    pub fn new(rules: &Adjudication) -> Judge {
        Judge {
            rules: rules.clone(),
            lost: [0; 2],
            won: [0; 2],
            level: 0,
        }
    }

    /// Hears a move that has been played in the game and what its side thinks of it.
    pub(super) fn hear(&mut self, game: &Game, mover: Color, note: &Note) -> Option<Sentence> {
        let is_zeroing = game
            .plies()
            .last()
            .is_some_and(|(before, m)| m.is_some_and(|m| before.is_zeroing(m)));
        let score = note.score.map(|score| score.pov(mover).with_mate(MATE));
        let count = |plies: &mut u32, seen: bool| *plies = if seen { *plies + 1 } else { 0 };
        if let Some(rule) = self.rules.resign {
            let side = mover.index();
            for (counts, seen) in [
                (&mut self.lost, score.is_some_and(|s| s <= -rule.score)),
                (&mut self.won, score.is_some_and(|s| s >= rule.score)),
            ] {
                if let Some(plies) = counts.get_mut(side) {
                    count(plies, seen);
                }
            }
            let side = |counts: [u32; 2], color: Color| {
                counts.get(color.index()).is_some_and(|&n| n >= rule.moves)
            };
            let resigns = side(self.lost, mover);
            if resigns && (!rule.two_sided || side(self.won, !mover)) {
                return Some((Some(!mover), "adjudication: lost"));
            }
            if rule.two_sided && side(self.won, mover) && side(self.lost, !mover) {
                return Some((Some(mover), "adjudication: lost"));
            }
        }
        let number = game.position().fullmoves();
        if let Some(rule) = self.rules.draw {
            // Captures and pawn moves are progress.
            let is_level = !is_zeroing && score.is_some_and(|s| s.abs() <= rule.score);
            count(&mut self.level, is_level);
            if number >= rule.number && self.level >= 2 * rule.moves {
                return Some((None, "adjudication: level"));
            }
        }
        if self
            .rules
            .max_moves
            .is_some_and(|most| game.moves().len() >= 2 * most as usize)
        {
            return Some((None, "adjudication: length"));
        }
        self.look_up(game)
    }

    /// What the tables say of a position whose fifty moves have just begun.
    fn look_up(&self, game: &Game) -> Option<Sentence> {
        let tables = self.rules.tables.as_ref()?;
        let reason = "adjudication: tables";
        dispatch!(game.position(), |position| {
            if position.halfmoves() > 0 || position.castling().any() {
                return None;
            }
            let winner = match tables.wdl(position).ok()? {
                Wdl::Win => Some(position.turn()),
                Wdl::Loss => Some(!position.turn()),
                _ => None,
            };
            Some((winner, reason))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{PovScore, Score};
    use engine_core::{AnyPosition, Variant};

    /// What a judge says when the sides, in turn, say this of themselves in knight moves.
    fn sentence(rules: &Adjudication, scores: &[i32]) -> Option<(Sentence, usize)> {
        let mut judge = Judge::new(rules);
        let mut game = Game::new(AnyPosition::start(Variant::Standard));
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
        for (ply, (&cp, m)) in scores.iter().zip(moves.iter().cycle()).enumerate() {
            let turn = game.position().turn();
            game.play(game.position().parse_uci(m).unwrap());
            let note = Note {
                score: Some(PovScore {
                    relative: Score::Cp(cp),
                    turn,
                }),
                ..Note::default()
            };
            if let Some(sentence) = judge.hear(&game, turn, &note) {
                return Some((sentence, ply + 1));
            }
        }
        None
    }

    #[test]
    fn lost_games() {
        let mut rules = Adjudication {
            resign: Some("moves=2,score=500".parse().unwrap()),
            ..Adjudication::default()
        };
        let white = Some(Color::White);
        let lost = "adjudication: lost";
        assert_eq!(
            sentence(&rules, &[0, -500, 0, -600]),
            Some(((white, lost), 4))
        );
        assert_eq!(sentence(&rules, &[0, -500, 0, -499, 0, -500]), None);
        rules.resign = Some("moves=2,score=500,twosided".parse().unwrap());
        assert_eq!(sentence(&rules, &[0, -500, 0, -600, 0]), None);
        let agreed = [0, -500, 500, -600, 500];
        assert_eq!(sentence(&rules, &agreed), Some(((white, lost), 5)));
    }

    #[test]
    fn level_games_and_long_ones() {
        let rules = Adjudication {
            draw: Some("number=4,moves=2,score=10".parse().unwrap()),
            ..Adjudication::default()
        };
        let level = (None, "adjudication: level");
        assert_eq!(sentence(&rules, &[0; 20]), Some((level, 6)));
        assert_eq!(
            sentence(&rules, &[0, 0, 0, 0, 11, 0, 0, 0, 0]),
            Some((level, 9))
        );
        let rules = Adjudication {
            max_moves: Some(3),
            ..Adjudication::default()
        };
        assert_eq!(sentence(&rules, &[0; 20]).map(|(_, plies)| plies), Some(6));
        assert!("plies=3".parse::<Draw>().is_err());
        assert!("moves=x".parse::<Resign>().is_err());
    }
}
