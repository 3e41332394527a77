//! One game of Mola against itself.

use crate::data::{SearchedPly, SelfPlayGame, is_quiet};
use common::random::Random;
use engine_core::eval::Weights;
use engine_core::search::{Limits, Root, Score, SearchOptions, Searcher};
use engine_core::{AnyPosition, Color, Game, Move, Variant, dispatch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The table in MB: enough for some thousand nodes a move, little to clear before each game.
const HASH: usize = 4;
/// An iteration may take this many times the nodes for a move before it is cut off.
const NODE_LIMIT_FACTOR: u64 = 20;

/// One game in this many of standard chess starts from a random Chess960 position.
const CHESS960: u64 = 4;
/// An opening is fair when neither side is further ahead, in centipawns.
const FAIR: i32 = 200;
/// A side that is this far ahead for this many plies has won.
const WON: (i32, u32) = (1500, 5);
/// A game that is this level for this many plies, late enough, is drawn.
const DRAWN: (i32, u32) = (6, 16);
const LATE: usize = 100;
/// A game as long as this is drawn, too.
const MAX_PLIES: usize = 500;

/// A player with its searcher.
pub(super) struct SelfPlayer {
    searcher: Searcher,
    weights: Arc<Weights>,
    nodes: u64,
    /// Set, by another thread, when no further game is wanted.
    stop: Arc<AtomicBool>,
}

impl SelfPlayer {
    /// A player of the weights' variant, until the flag is set.
    pub(super) fn new(
        weights: &Arc<Weights>,
        nodes: u64,
        stop: &Arc<AtomicBool>,
    ) -> std::io::Result<SelfPlayer> {
        let mut searcher = Searcher::new(HASH)?;
        searcher.stop_by(Arc::clone(stop));
        Ok(SelfPlayer {
            searcher,
            weights: Arc::clone(weights),
            nodes,
            stop: Arc::clone(stop),
        })
    }

    /// Plays the game with this number; `None` when it is stopped. The game depends on seed and
    /// number alone.
    pub(super) fn play(&mut self, seed: u64, number: u64) -> Option<SelfPlayGame> {
        let mut random = Random::new(seed, number);
        self.searcher.clear();
        let (chess960, mut game) = loop {
            let chess960 = self.start(number, &mut random);
            let game = random_opening(
                SelfPlayGame::start(self.weights.variant(), chess960),
                &mut random,
            );
            if let Some(game) = game
                && self.is_fair(&game)?
            {
                break (chess960, game);
            }
        };
        let mut played = SelfPlayGame {
            chess960,
            opening: game.moves().iter().copied().flatten().collect(),
            ..SelfPlayGame::default()
        };
        let mut adjudicator = Adjudicator::default();
        played.result = loop {
            if let Some(result) = result_by_rules(&game) {
                break result;
            }
            let (best, score) = self.search(&game)?;
            // A position without an outcome has a move.
            let best = best?;
            let is_white = game.position().turn().is_white();
            let white_score = if is_white { score } else { -score };
            let score = white_score.0 as i16;
            let quiet = dispatch!(game.position(), |position| is_quiet(position, best, score));
            played.plies.push(SearchedPly { best, score });
            played.positions += u32::from(quiet);
            adjudicator.add(white_score);
            if let Some(verdict) = adjudicator.result(game.moves().len()) {
                break verdict;
            }
            game.play(best);
        };
        Some(played)
    }

    /// The number of the start position of Chess960 for a game that begins from one.
    fn start(&self, number: u64, random: &mut Random) -> Option<u16> {
        let is_chess960 =
            self.weights.variant() == Variant::Standard && (number + 1).is_multiple_of(CHESS960);
        is_chess960.then(|| random.below(960) as u16)
    }

    /// Whether the game may begin here; `None` when it is stopped.
    fn is_fair(&mut self, game: &Game) -> Option<bool> {
        let (best, score) = self.search(game)?;
        Some(best.is_some() && score.0.abs() <= FAIR)
    }

    /// The result of the search; `None` when it is stopped, as it is then one of fewer nodes.
    fn search(&mut self, game: &Game) -> Option<(Option<Move>, Score)> {
        let root = Root::from(game);
        let limits = Limits {
            soft_nodes: Some(self.nodes),
            nodes: Some(self.nodes * NODE_LIMIT_FACTOR),
            ..Limits::default()
        };
        let options = SearchOptions {
            weights: Some(Arc::clone(&self.weights)),
            ..SearchOptions::default()
        };
        let (found, _) = self.searcher.search(root, limits, options);
        (!self.stop.load(Relaxed)).then_some((found.best, found.score))
    }
}

/// Eight to ten random moves; `None` when they end the game.
fn random_opening(start: AnyPosition, random: &mut Random) -> Option<Game> {
    let mut game = Game::new(start);
    for _ in 0..8 + random.below(3) {
        let moves = game.position().legal_moves();
        let choice = random.below(moves.len());
        game.play(moves.into_iter().nth(choice)?);
    }
    game.outcome(false).is_none().then_some(game)
}

/// White's half points in a game that has ended by its rules. A draw that could be claimed with a
/// further move is none yet: the side to move may have a better one.
fn result_by_rules(game: &Game) -> Option<u8> {
    if let Some(outcome) = game.outcome(false) {
        Some(half_points(outcome.winner))
    } else {
        game.claimable_draw().map(|_| half_points(None))
    }
}

/// Adjudicates games that are decided.
#[derive(Clone, Copy, Default)]
struct Adjudicator {
    /// For how many plies the scores have indicated each result.
    white: u32,
    black: u32,
    drawn: u32,
}

impl Adjudicator {
    /// Takes the score of a ply, from White's view.
    fn add(&mut self, score: Score) {
        let count = |plies: u32, seen| if seen { plies + 1 } else { 0 };
        self.white = count(self.white, score.0 >= WON.0);
        self.black = count(self.black, score.0 <= -WON.0);
        self.drawn = count(self.drawn, score.0.abs() <= DRAWN.0);
    }

    /// White's half points in a game that is decided.
    fn result(self, plies: usize) -> Option<u8> {
        if self.white >= WON.1 {
            Some(half_points(Some(Color::White)))
        } else if self.black >= WON.1 {
            Some(half_points(Some(Color::Black)))
        } else if plies >= MAX_PLIES || plies >= LATE && self.drawn >= DRAWN.1 {
            Some(half_points(None))
        } else {
            None
        }
    }
}

/// White's half points for a result.
fn half_points(winner: Option<Color>) -> u8 {
    match winner {
        Some(Color::White) => 2,
        None => 1,
        Some(Color::Black) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{self, DataWriter, Recipe};

    #[test]
    fn a_game_depends_on_its_seed_and_number_alone() {
        let stop = Arc::default();
        let weights = Weights::built_in(Variant::Standard);
        let mut player = SelfPlayer::new(weights, 50, &stop).expect("memory");
        let first = player.play(1, 0);
        let second = player.play(1, 1);
        assert!(first.as_ref().is_some_and(|game| !game.plies.is_empty()));
        assert_ne!(first, second);
        assert_eq!(player.play(1, 0), first);
        stop.store(true, Relaxed);
        assert_eq!(player.play(1, 0), None);
    }

    #[test]
    fn a_long_search_is_stopped() {
        let stop = Arc::default();
        let weights = Weights::built_in(Variant::Standard);
        let mut player = SelfPlayer::new(weights, 1_000_000_000, &stop).expect("memory");
        let playing = std::thread::spawn(move || player.play(1, 0));
        std::thread::sleep(std::time::Duration::from_millis(50));
        stop.store(true, Relaxed);
        assert_eq!(playing.join().expect("no panic"), None);
    }

    #[test]
    fn a_draw_needs_the_third_repetition() {
        let mut game = Game::default();
        for m in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split(' ') {
            game.push_san(m).expect("a legal move");
        }
        // Ng8 would repeat the start position.
        assert_eq!(result_by_rules(&game), None);
        game.push_san("Ng8").expect("a legal move");
        assert_eq!(result_by_rules(&game), Some(1));
        for m in "f3 e5 g4 Qh4".split(' ') {
            game.push_san(m).expect("a legal move");
        }
        assert_eq!(result_by_rules(&game), Some(0));
    }

    #[test]
    fn games_are_found_in_the_file() {
        let stop = Arc::default();
        for variant in Variant::all() {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("games.data");
            let recipe = Recipe {
                variant,
                seed: 1,
                nodes: 30,
                weights: 0,
            };
            let mut writer = DataWriter::open(&path, recipe).expect("a new file");
            let weights = Weights::built_in(variant);
            let mut player = SelfPlayer::new(weights, recipe.nodes, &stop).expect("memory");
            for number in 0..12 {
                let game = player.play(recipe.seed, number).expect("a game");
                let is_chess960 = variant == Variant::Standard && number % 4 == 3;
                assert_eq!(game.chess960.is_some(), is_chess960);
                writer.add(&game).expect("room on the disk");
            }
            writer.sync().expect("room on the disk");
            let (_, packed) = data::read(&path, 1).expect("our file");
            assert_eq!(packed.len() as u64, writer.positions);
        }
    }

    #[test]
    fn adjudication_needs_several_plies_in_a_row() {
        let mut adjudicator = Adjudicator::default();
        for _ in 1..WON.1 {
            adjudicator.add(Score(-2000));
        }
        assert_eq!(adjudicator.result(30), None);
        adjudicator.add(Score(-2000));
        assert_eq!(adjudicator.result(30), Some(0));
        for _ in 0..DRAWN.1 {
            adjudicator.add(Score(0));
        }
        assert_eq!(adjudicator.result(30), None);
        assert_eq!(adjudicator.result(LATE), Some(1));
    }
}
