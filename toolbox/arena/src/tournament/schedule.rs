//! The schedule of a tournament: the pairings in their order.

use common::shard::Shard;
use engine_core::Color;

/// The games of a tournament in their order. In every round each two engines that meet play one
/// opening with both colours.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Engines that meet, by their numbers.
    pairings: Vec<(usize, usize)>,
    /// Games of each pairing.
    games: u64,
    /// The rounds that are played here.
    shard: Shard,
}

/// One game of a schedule: the engines by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScheduledGame {
    /// The round, from 0; its games have one opening.
    pub round: u64,
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
}

impl ScheduledGame {
    /// The number of the engine that has this colour.
    pub fn engine(&self, color: Color) -> usize {
        if color.is_white() {
            self.white
        } else {
            self.black
        }
    }
}

impl Schedule {
    /// Round robin: each pairing plays this many games.
    pub fn round_robin(engines: usize, games: u64) -> Schedule {
        let pairings = (0..engines).flat_map(|one| (one + 1..engines).map(move |two| (one, two)));
        Schedule {
            pairings: pairings.collect(),
            games,
            shard: Shard::default(),
        }
    }

    /// Gauntlet: the first plays this many games against each of the others.
    pub fn gauntlet(engines: usize, games: u64) -> Schedule {
        Schedule {
            pairings: (1..engines).map(|other| (0, other)).collect(),
            games,
            shard: Shard::default(),
        }
    }

    /// The part of the rounds for one of several machines. Each keeps its number and opening.
    #[must_use]
    pub fn part(self, shard: Shard) -> Schedule {
        Schedule { shard, ..self }
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        let pairings = self.pairings.len() as u64;
        let paired = self.shard.share(self.games / 2);
        // The last of an odd number of games is a separate round.
        let odd = self.shard.share(self.rounds()) - paired;
        (2 * paired + odd).saturating_mul(pairings)
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of rounds, and of openings needed.
    pub fn rounds(&self) -> u64 {
        self.games.div_ceil(2)
    }

    /// The game of this number, from 0.
    pub fn game(&self, number: u64) -> Option<ScheduledGame> {
        let pairings = self.pairings.len() as u64;
        if number >= self.len() || pairings == 0 {
            return None;
        }
        // Where it is among the games of all parts.
        let in_round = number % (2 * pairings);
        let round = self.shard.number(number / (2 * pairings));
        let number = round.saturating_mul(2 * pairings) + in_round;
        // The last of an odd number of games has no counterpart with colours reversed.
        let paired = (self.games / 2).saturating_mul(2 * pairings);
        let (round, pairing, is_reversed) = if number < paired {
            let in_round = number % (2 * pairings);
            (number / (2 * pairings), in_round / 2, in_round % 2 == 1)
        } else {
            (self.games / 2, number - paired, false)
        };
        let &(one, two) = self.pairings.get(pairing as usize)?;
        let (white, black) = if is_reversed { (two, one) } else { (one, two) };
        Some(ScheduledGame {
            round,
            white,
            black,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_whole() {
        for total in 1..12 {
            let whole = Schedule::round_robin(3, total);
            let parts = (1..=4).map(|part| format!("{part}/4").parse().unwrap());
            let mut all: Vec<_> = parts
                .flat_map(|shard| games(&whole.clone().part(shard)))
                .collect();
            all.sort_by_key(|game| game.0);
            assert_eq!(all, games(&whole));
        }
    }

    fn games(schedule: &Schedule) -> Vec<(u64, usize, usize)> {
        (0..schedule.len())
            .map(|number| schedule.game(number).unwrap())
            .map(|game| (game.round, game.white, game.black))
            .collect()
    }

    #[test]
    fn two_engines_alternate() {
        let schedule = Schedule::round_robin(2, 3);
        assert_eq!(games(&schedule), [(0, 0, 1), (0, 1, 0), (1, 0, 1)]);
        assert_eq!((schedule.rounds(), schedule.game(3)), (2, None));
    }

    #[test]
    fn everybody_meets_everybody_as_often() {
        let schedule = Schedule::round_robin(4, 5);
        let games = games(&schedule);
        assert_eq!(games.len(), 30);
        for one in 0..4 {
            for two in (0..4).filter(|&two| two != one) {
                let meet = |game: &&(u64, usize, usize)| (game.1, game.2) == (one, two);
                let count = games.iter().filter(meet).count();
                assert_eq!(count, if one < two { 3 } else { 2 });
            }
        }
        assert!(games.is_sorted_by_key(|game| game.0));
        let gauntlet = Schedule::gauntlet(4, 2);
        assert_eq!(gauntlet.len(), 6);
        assert!((0..6).all(|number| {
            let game = gauntlet.game(number).unwrap();
            game.white == 0 || game.black == 0
        }));
    }
}
