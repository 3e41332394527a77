//! Ratings of bots by their ranked games: Elo's formula, for each version of each user apart.

use std::collections::HashMap;

/// Where everybody begins.
const START: f64 = 1500.0;
/// How far a game moves a rating at most.
const STEP: f64 = 32.0;

/// A version of a user's bot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct BotVersion {
    pub(super) user: usize,
    pub(super) version: u32,
}

/// A rating, and the games that it is from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rating {
    pub(super) elo: f64,
    pub(super) games: u32,
}

/// The ratings of all versions that have played.
#[derive(Default)]
pub(super) struct Ratings(HashMap<BotVersion, Rating>);

impl Ratings {
    fn of(&self, bot: BotVersion) -> Rating {
        let start = Rating {
            elo: START,
            games: 0,
        };
        self.0.get(&bot).copied().unwrap_or(start)
    }

    /// Counts a game with this score of the first: 1, 0.5 or 0.
    pub(super) fn count(&mut self, bots: [BotVersion; 2], score: f64) {
        let [mut one, mut two] = bots.map(|bot| self.of(bot));
        let expected = 1.0 / (1.0 + 10f64.powf((two.elo - one.elo) / 400.0));
        let change = STEP * (score - expected);
        one.elo += change;
        two.elo -= change;
        for (bot, mut rating) in bots.into_iter().zip([one, two]) {
            rating.games += 1;
            self.0.insert(bot, rating);
        }
    }

    /// All of them, the best first.
    pub(super) fn best_first(&self) -> Vec<(BotVersion, Rating)> {
        let mut all: Vec<_> = self.0.iter().map(|(&bot, &rating)| (bot, rating)).collect();
        all.sort_by(|(a, one), (b, two)| two.elo.total_cmp(&one.elo).then(a.cmp(b)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_rated_apart() {
        let bot = |user, version| BotVersion { user, version };
        let mut ratings = Ratings::default();
        ratings.count([bot(1, 1), bot(2, 1)], 1.0);
        ratings.count([bot(1, 2), bot(2, 1)], 0.5);
        let all = ratings.best_first();
        let order: Vec<_> = all.iter().map(|&(bot, _)| bot).collect();
        assert_eq!(order, [bot(1, 1), bot(1, 2), bot(2, 1)]);
        assert!((all[0].1.elo - 1516.0).abs() < 1e-9);
        assert_eq!(all[2].1.games, 2);
        let sum: f64 = all.iter().map(|(_, rating)| rating.elo).sum();
        assert!((sum - 3.0 * START).abs() < 1e-9);
    }
}
