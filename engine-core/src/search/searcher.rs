//! The searcher as a plain function call: one thread, no events.

use super::clock::Instant;
use super::event::BestMove;
use super::job::Poll;
use super::job::{Job, Root};
use super::probe::Probe;
use super::shared::Shared;
use super::tt::TranspositionTable;
use super::worker::Worker;
use super::{Limits, SearchOptions};
use crate::dispatch;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A searcher that runs in the caller's thread: for programs that search many positions. The
/// limits must end the search, or a flag ([`Searcher::stop_by`]). It has no tablebases until
/// [`Searcher::set_probe`] gives it some.
///
/// ```
/// use engine_core::search::{Limits, Root, SearchOptions, Searcher};
/// use engine_core::{AnyPosition, Game, Variant};
///
/// let mut game = Game::new(AnyPosition::start(Variant::Standard));
/// for text in ["f2f3", "e7e5", "g2g4"] {
///     game.play(game.position().parse_uci(text)?);
/// }
/// let mut searcher = Searcher::new(16)?;
/// let limits = Limits { depth: Some(4), ..Limits::default() };
/// let (found, _nodes) = searcher.search(Root::from(&game), limits, SearchOptions::default());
/// let best = found.best.ok_or("mate or stalemate")?;
/// assert_eq!(game.position().to_san(best).to_string(), "Qh4#");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    worker: Worker,
    shared: Arc<Shared>,
    table: Arc<TranspositionTable>,
    probe: Option<Arc<dyn Probe>>,
    poll: Option<Poll>,
    searches: u64,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut searcher = f.debug_struct("Searcher");
        searcher.field("searches", &self.searches);
        searcher.finish_non_exhaustive()
    }
}

impl Searcher {
    /// A searcher with a table of this many MB.
    ///
    /// # Errors
    /// When the memory cannot be allocated.
    pub fn new(hash_mb: usize) -> std::io::Result<Searcher> {
        let shared = Arc::new(Shared::without_events());
        Ok(Searcher {
            worker: Worker::new(0, Arc::clone(&shared)),
            shared,
            table: Arc::new(TranspositionTable::new(hash_mb)?),
            probe: None,
            poll: None,
            searches: 0,
        })
    }

    /// Searches and returns the best move and the number of nodes. The same searches in the same
    /// order after [`Searcher::clear`] have the same results, unless a clock limits them.
    pub fn search(
        &mut self,
        root: Root,
        limits: Limits,
        options: SearchOptions,
    ) -> (BestMove, u64) {
        self.table.age();
        self.searches += 1;
        let job = Job {
            search: self.searches,
            root: Arc::new(root),
            limits,
            options,
            table: Arc::clone(&self.table),
            probe: self.probe.clone(),
            start: Instant::now(),
            poll: self.poll.clone(),
        };
        self.shared.reset(&job);
        let found = dispatch!(&job.root.position, |position| self
            .worker
            .search(&job, position));
        (found.into_best_move(job.search), self.worker.nodes)
    }

    /// Sets the tablebases for the next searches, or none; see [`SearchOptions::probe_limit`].
    pub fn set_probe(&mut self, probe: Option<Arc<dyn Probe>>) {
        self.probe = probe;
    }

    /// Makes every search end at once when the flag is set, which another thread may do.
    pub fn stop_by(&mut self, flag: Arc<AtomicBool>) {
        let shared = Arc::clone(&self.shared);
        self.poll = Some(Arc::new(move || {
            if flag.load(Ordering::Relaxed) {
                shared.end();
            }
        }));
    }

    /// Clears the transposition table and histories.
    pub fn clear(&mut self) {
        self.table.clear();
        self.worker.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::search::{Driver, Score};
    use crate::{AnyPosition, Color, Game, Setup, Variant, zobrist};

    #[test]
    fn searches_repeat_after_a_clear_and_keep_to_soft_nodes() {
        let mut searcher = Searcher::new(1).unwrap();
        let mut search = || {
            searcher.clear();
            let root = Root {
                position: AnyPosition::start(Variant::Standard),
                history: Vec::new(),
            };
            let limits = Limits {
                soft_nodes: Some(1000),
                nodes: Some(50_000),
                ..Limits::default()
            };
            searcher.search(root, limits, SearchOptions::default())
        };
        let (best, nodes) = search();
        assert!(best.best.is_some());
        assert!((1000..20_000).contains(&nodes), "{nodes} nodes");
        assert_eq!(search(), (BestMove { search: 2, ..best }, nodes));
    }

    #[test]
    fn a_flag_ends_a_search_without_other_limits() {
        let mut searcher = Searcher::new(1).unwrap();
        let flag = Arc::new(AtomicBool::new(false));
        searcher.stop_by(Arc::clone(&flag));
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            flag.store(true, Ordering::Relaxed);
        });
        let root = Root {
            position: AnyPosition::start(Variant::Standard),
            history: Vec::new(),
        };
        let (best, nodes) = searcher.search(root, Limits::default(), SearchOptions::default());
        stopper.join().unwrap();
        assert!(best.best.is_some() && nodes > 0);
    }

    /// Plays the variant against itself from some random moves on and gives the winner.
    fn play(variant: Variant, seed: u64) -> Option<Color> {
        let mut searcher = Searcher::new(1).unwrap();
        let mut game = Game::new(AnyPosition::start(variant));
        let mut random = seed;
        while game.outcome(true).is_none() && game.moves().len() < 250 {
            let moves = game.position().legal_moves();
            random = zobrist::splitmix64(random);
            let m = if game.moves().len() < 6 {
                moves[random as usize % moves.len()]
            } else {
                let root = Root {
                    position: *game.position(),
                    history: game.keys(),
                };
                let limits = Limits {
                    nodes: Some(400),
                    ..Limits::default()
                };
                let (best, _) = searcher.search(root, limits, SearchOptions::default());
                best.best.expect("a game that goes on has a move")
            };
            assert!(moves.contains(&m), "{variant}: {m:?}");
            game.play(m);
        }
        game.outcome(true).and_then(|outcome| outcome.winner)
    }

    #[test]
    fn weights_of_another_variant_are_not_used() {
        let search = |variant, weights: Option<Variant>| {
            let mut searcher = Searcher::new(1).unwrap();
            let root = Root::from(AnyPosition::start(variant));
            let limits = Limits {
                nodes: Some(2000),
                ..Limits::default()
            };
            let options = SearchOptions {
                weights: weights.map(|of| Arc::clone(Weights::built_in(of))),
                ..SearchOptions::default()
            };
            searcher.search(root, limits, options).0
        };
        for (variant, other) in [
            (Variant::Standard, Variant::Crazyhouse),
            (Variant::Crazyhouse, Variant::Standard),
        ] {
            assert_eq!(search(variant, Some(other)), search(variant, None));
        }
    }

    /// Development builds compare each check with the position.
    #[test]
    fn one_of_two_kings_of_horde_may_be_taken() {
        let fen = "4k2r/4P3/5P2/8/8/8/8/k6R w - - 0 1";
        let mode = crate::CastlingMode::Standard;
        let root = Root::from(AnyPosition::from_fen(Variant::Horde, fen, mode).unwrap());
        let limits = Limits {
            depth: Some(6),
            ..Limits::default()
        };
        let mut searcher = Searcher::new(1).unwrap();
        let (best, _) = searcher.search(root, limits, SearchOptions::default());
        assert!(best.best.is_some());
    }

    #[test]
    fn mates_of_the_table_are_none_where_the_fifty_moves_end_before() {
        let mut searcher = Searcher::new(1).unwrap();
        let mut search = |halfmoves, depth| {
            let fen = format!("8/5kp1/1Q5K/8/8/8/8/R7 w - - {halfmoves} 1");
            let hill = Variant::KingOfTheHill;
            let position = AnyPosition::from_fen(hill, &fen, crate::CastlingMode::Standard);
            let limits = Limits {
                depth: Some(depth),
                ..Limits::default()
            };
            let root = Root::from(position.unwrap());
            searcher
                .search(root, limits, SearchOptions::default())
                .0
                .score
        };
        assert!(search(0, 10).plies_to_mate().is_some());
        for depth in [1, 2, 3] {
            assert_eq!(search(97, depth).plies_to_mate(), None, "depth {depth}");
        }
    }

    #[test]
    fn endless_captures_end() {
        let fen =
            "qqqqkqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1";
        let setup = Setup::from_variant_fen(Variant::Standard, fen).unwrap();
        let mode = setup.castling_mode();
        let root = Root {
            position: AnyPosition::from_setup_unchecked(Variant::Standard, &setup, mode),
            history: Vec::new(),
        };
        let limits = Limits {
            depth: Some(1),
            nodes: Some(30_000_000),
            ..Limits::default()
        };
        let mut searcher = Searcher::new(1).unwrap();
        let (best, nodes) = searcher.search(root, limits, SearchOptions::default());
        assert!(best.best.is_some() && nodes < 30_000_000, "{nodes} nodes");
    }

    #[test]
    fn every_variant_is_played_to_the_end() {
        for variant in Variant::all() {
            let decided = (0..4).filter(|&seed| play(variant, seed).is_some()).count();
            assert!(variant == Variant::Standard || decided > 0, "{variant}");
        }
    }

    #[test]
    fn captures_that_end_the_game_are_not_pruned() {
        // The only move that is searched, and the capture that answers it beyond the horizon.
        let cases = [
            (
                Variant::Atomic,
                "2B5/6k1/6n1/8/2P1KB2/8/8/1N6 w - - 7 41",
                "c8d7",
            ),
            (Variant::Horde, "4k3/8/8/2p5/8/8/1P6/8 w - - 0 1", "b2b4"),
            (
                Variant::RacingKings,
                "7n/7K/8/8/k7/8/b7/8 b - - 0 1",
                "a4a5",
            ),
        ];
        for (variant, fen, only) in cases {
            for driver in [Driver::Mtdf, Driver::Pvs] {
                let mode = crate::CastlingMode::Standard;
                let position = AnyPosition::from_fen(variant, fen, mode).unwrap();
                let limits = Limits {
                    depth: Some(1),
                    search_moves: vec![position.parse_uci(only).unwrap()],
                    ..Limits::default()
                };
                let options = SearchOptions {
                    driver: Some(driver),
                    ..SearchOptions::default()
                };
                let mut searcher = Searcher::new(1).unwrap();
                let (best, _) = searcher.search(Root::from(position), limits, options);
                assert_eq!(best.score, Score::mated_in(2), "{variant} {driver:?}");
            }
        }
    }

    #[test]
    fn ends_of_variants_are_seen() {
        // Variant, position, and the winner for the side to move, with the plies that it takes.
        let cases = [
            ("kingofthehill", "7k/8/8/8/8/2K5/8/7r w - - 0 1", 1),
            ("atomic", "3qkr2/3ppp2/8/8/8/8/8/3QK3 w - - 0 1", 1),
            ("3check", "6k1/8/8/8/8/8/8/K6R w - - 1+3 0 1", 1),
            ("crazyhouse", "6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", 1),
            ("antichess", "8/8/8/8/1p6/8/P7/8 w - - 0 1", 2),
            ("giveaway", "8/8/8/8/8/1p6/P7/8 w - - 0 1", -1),
            ("racingkings", "8/8/8/k7/8/8/6K1/8 b - - 0 1", 5),
            ("horde", "8/8/8/8/8/8/1k6/P7 b - - 0 1", 1),
        ];
        for (name, fen, plies) in cases {
            let variant: Variant = name.parse().unwrap();
            let setup = Setup::from_variant_fen(variant, fen).unwrap();
            let position = AnyPosition::from_setup(variant, &setup, setup.castling_mode());
            let root = Root {
                position: position.unwrap(),
                history: Vec::new(),
            };
            let limits = Limits {
                depth: Some(10),
                ..Limits::default()
            };
            let mut searcher = Searcher::new(1).unwrap();
            let (best, _) = searcher.search(root, limits, SearchOptions::default());
            let expected = if plies > 0 {
                Score::mate_in(plies as usize)
            } else {
                Score::mated_in(-plies as usize)
            };
            assert_eq!(best.score, expected, "{name} {fen}");
        }
    }
}
