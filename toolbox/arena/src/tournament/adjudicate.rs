//! Adjudication: ending games that are decided.

use super::move_data::MoveData;
use common::note;
use engine_core::{ByColor, Color, Game};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;
use tablebases::{ProbeError, Tablebase, Wdl};

/// The rules by which games are adjudicated.
#[derive(Clone, Default)]
pub struct AdjudicationPolicy {
    /// A side whose own scores are hopeless loses.
    pub resign: Option<Resign>,
    /// A game with scores near zero is drawn.
    pub draw: Option<Draw>,
    /// A game as long as this, in moves of both sides, is drawn.
    pub max_moves: Option<u32>,
    /// A position in these tables ends with its tablebase result.
    pub tables: Option<Arc<Tablebase>>,
}

/// `moves=3,score=600[,twosided]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resign {
    /// For this many moves in a row,
    pub moves: u32,
    /// a side has been this many centipawns down;
    pub score: i32,
    /// and the other one has agreed.
    pub two_sided: bool,
}

/// `number=34,moves=8,score=20`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draw {
    /// After this many moves of both sides, those of the opening included,
    pub number: u32,
    /// if for this many moves of both sides in a row
    pub moves: u32,
    /// no score has been further from zero, in centipawns.
    pub score: i32,
}

impl fmt::Display for Resign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = if self.two_sided { ",twosided" } else { "" };
        write!(f, "moves={},score={}{sides}", self.moves, self.score)
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Draw {
            number,
            moves,
            score,
        } = self;
        write!(f, "number={number},moves={moves},score={score}")
    }
}

/// The fields `key=value` or `key` of a rule, each of which must be known. The names that cutechess-cli
/// and fastchess have for them are understood.
fn fields<'a>(text: &'a str, known: &[&str]) -> Result<Vec<(&'a str, &'a str)>, String> {
    let fields = text.split(',').map(|field| {
        let (key, value) = field.trim().split_once('=').unwrap_or((field.trim(), ""));
        let key = match key {
            "movecount" => "moves",
            "movenumber" => "number",
            key => key,
        };
        if known.contains(&key) {
            Ok((key, value))
        } else {
            Err(format!("{} expected, not {field:?}", known.join(", ")))
        }
    });
    fields.collect()
}

/// The number of a field, which is in a range.
fn number<N: FromStr + PartialOrd + fmt::Display>(
    (key, value): (&str, &str),
    range: RangeInclusive<N>,
) -> Result<N, String> {
    common::arguments::number(value, range).map_err(|why| format!("{key}: {why}"))
}

/// The most moves that a rule can count.
const MAX_MOVES: u32 = 10_000;

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
                "moves" => rule.moves = number((key, value), 1..=MAX_MOVES)?,
                "score" => rule.score = number((key, value), 1..=MATE)?,
                _ => {
                    rule.two_sided = match value {
                        "" | "1" | "true" => true,
                        "0" | "false" => false,
                        _ => {
                            return Err(format!("twosided: true or false expected, not {value:?}"));
                        }
                    }
                }
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
                "number" => rule.number = number((key, value), 0..=MAX_MOVES)?,
                "moves" => rule.moves = number((key, value), 1..=MAX_MOVES)?,
                _ => rule.score = number((key, value), 0..=MATE)?,
            }
        }
        Ok(rule)
    }
}

/// A mate score in centipawns.
const MATE: i32 = 30_000;

/// Adjudicates one game.
pub struct Adjudicator {
    policy: AdjudicationPolicy,
    /// For how many moves in a row each side has been lost, and won, by its own scores.
    lost: ByColor<u32>,
    won: ByColor<u32>,
    /// For how many plies the game has been level.
    level: u32,
}

/// The winner, and the reason.
type Decision = (Option<Color>, &'static str);

/// Counts one more move in a row, or starts again from none.
fn count(moves: &mut u32, seen: bool) {
    *moves = if seen { *moves + 1 } else { 0 };
}

impl Adjudicator {
    /// An adjudicator by this policy, at the start of a game.
    pub fn new(policy: &AdjudicationPolicy) -> Adjudicator {
        Adjudicator {
            policy: policy.clone(),
            lost: ByColor([0; 2]),
            won: ByColor([0; 2]),
            level: 0,
        }
    }

    /// Whether the game is decided after a move of `mover`, which `data` is about.
    pub(super) fn judge(&mut self, game: &Game, mover: Color, data: &MoveData) -> Option<Decision> {
        let score = data.score.map(|score| score.pov(mover).with_mate(MATE));
        // Both rules count every move, whichever of them decides.
        let lost = self.resigned(mover, score);
        let level = self.drawn(game, score);
        lost.or(level)
            .or_else(|| self.too_long(game))
            .or_else(|| self.look_up(game))
    }

    fn resigned(&mut self, mover: Color, score: Option<i32>) -> Option<Decision> {
        let rule = self.policy.resign?;
        count(
            &mut self.lost[mover],
            score.is_some_and(|s| s <= -rule.score),
        );
        count(&mut self.won[mover], score.is_some_and(|s| s >= rule.score));
        let has_lost = |side: Color| {
            self.lost[side] >= rule.moves && (!rule.two_sided || self.won[!side] >= rule.moves)
        };
        let loser = if has_lost(mover) {
            mover
        } else if rule.two_sided && has_lost(!mover) {
            !mover
        } else {
            return None;
        };
        Some((Some(!loser), "adjudication: lost"))
    }

    fn drawn(&mut self, game: &Game, score: Option<i32>) -> Option<Decision> {
        let rule = self.policy.draw?;
        // Captures and pawn moves are progress.
        let is_zeroing = game
            .plies()
            .last()
            .is_some_and(|(before, m)| m.is_some_and(|m| before.is_zeroing(m)));
        let is_level =
            !is_zeroing && score.is_some_and(|s| s.unsigned_abs() <= rule.score.unsigned_abs());
        count(&mut self.level, is_level);
        let is_late = game.moves().len() >= 2 * rule.number as usize;
        let is_over = is_late && self.level >= 2 * rule.moves;
        is_over.then_some((None, "adjudication: level"))
    }

    fn too_long(&self, game: &Game) -> Option<Decision> {
        let most = self.policy.max_moves?;
        let is_over = game.moves().len() >= 2 * most as usize;
        is_over.then_some((None, "adjudication: length"))
    }

    /// The tablebase result of a position with a fifty-move counter of zero.
    fn look_up(&mut self, game: &Game) -> Option<Decision> {
        let tables = self.policy.tables.as_ref()?;
        let position = game.position();
        if position.halfmoves() > 0 || position.castling().any() {
            return None;
        }
        let winner = match tables.probe_wdl(position) {
            Ok(Wdl::Win) => Some(position.turn()),
            Ok(Wdl::Loss) => Some(!position.turn()),
            Ok(_) => None,
            Err(ProbeError::Broken(error)) => {
                note!("{error}");
                // Said once a game.
                self.policy.tables = None;
                return None;
            }
            Err(_) => return None,
        };
        Some((winner, "adjudication: tables"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{PovScore, Score};
    use engine_core::{AnyPosition, Variant};

    /// How a game of knight moves ends in which the sides, in turn, give these scores.
    fn decision(policy: &AdjudicationPolicy, scores: &[i32]) -> Option<(Decision, usize)> {
        let mut adjudicator = Adjudicator::new(policy);
        let mut game = Game::new(AnyPosition::start(Variant::Standard));
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
        for (ply, (&cp, m)) in scores.iter().zip(moves.iter().cycle()).enumerate() {
            let turn = game.position().turn();
            game.play(game.position().parse_uci(m).unwrap());
            let data = MoveData {
                score: Some(PovScore {
                    relative: Score::Cp(cp),
                    turn,
                }),
                ..MoveData::default()
            };
            if let Some(decision) = adjudicator.judge(&game, turn, &data) {
                return Some((decision, ply + 1));
            }
        }
        None
    }

    #[test]
    fn lost_games() {
        let mut rules = AdjudicationPolicy {
            resign: Some("moves=2,score=500".parse().unwrap()),
            ..AdjudicationPolicy::default()
        };
        let white = Some(Color::White);
        let lost = "adjudication: lost";
        assert_eq!(
            decision(&rules, &[0, -500, 0, -600]),
            Some(((white, lost), 4))
        );
        assert_eq!(decision(&rules, &[0, -500, 0, -499, 0, -500]), None);
        rules.resign = Some("moves=2,score=500,twosided".parse().unwrap());
        assert_eq!(decision(&rules, &[0, -500, 0, -600, 0]), None);
        let agreed = [0, -500, 500, -600, 500];
        assert_eq!(decision(&rules, &agreed), Some(((white, lost), 5)));
    }

    #[test]
    fn level_games_and_long_ones() {
        let rules = AdjudicationPolicy {
            draw: Some("number=4,moves=2,score=10".parse().unwrap()),
            ..AdjudicationPolicy::default()
        };
        let level = (None, "adjudication: level");
        assert_eq!(decision(&rules, &[0; 20]), Some((level, 8)));
        assert_eq!(
            decision(&rules, &[0, 0, 0, 0, 11, 0, 0, 0, 0]),
            Some((level, 9))
        );
        let rules = AdjudicationPolicy {
            max_moves: Some(3),
            ..AdjudicationPolicy::default()
        };
        assert_eq!(decision(&rules, &[0; 20]).map(|(_, plies)| plies), Some(6));
        assert!("plies=3".parse::<Draw>().is_err());
        let as_elsewhere = "movenumber=4,movecount=2,score=10".parse();
        assert_eq!(as_elsewhere, "number=4,moves=2,score=10".parse::<Draw>());
        for wrong in [
            "moves=x",
            "moves=0",
            "moves",
            "score=-5",
            "twosided=perhaps",
        ] {
            assert!(wrong.parse::<Resign>().is_err(), "{wrong}");
        }
        assert!("moves=0".parse::<Draw>().is_err());
        // No engine is this hopeless, but one may say so.
        let rules = AdjudicationPolicy {
            draw: Some("number=0,moves=1,score=10".parse().unwrap()),
            ..AdjudicationPolicy::default()
        };
        assert_eq!(decision(&rules, &[i32::MIN; 20]), None);
    }
}
