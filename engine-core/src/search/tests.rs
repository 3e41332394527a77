//! Without selectivity the search must equal brute force.

use super::clock::Instant;
use super::event::Bound;
use super::job::{Job, Root};
use super::limits::{Driver, Limits, SearchOptions};
use super::node_type::{NonPv, Pv};
use super::probe::{Probe, Ranked, Ranking};
use super::root_moves::RootMove;
use super::score::Score;
use super::search_position::SearchPosition;
use super::searcher::Searcher;
use super::see;
use super::shared::Shared;
use super::tt::{TranspositionTable, TtEntry};
use super::window::Window;
use super::worker::Worker;
use crate::eval::{self, Evaluator, Tracker, Weights};
use crate::movegen::{All, Noisy};
use crate::{
    AnyPosition, CastlingMode, Color, MoveList, Position, Setup, Standard, Variant, dispatch,
    zobrist,
};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

type Chess = Position<Standard>;

/// Plain negamax with plain alpha-beta quiescence: no table, no move ordering.
struct BruteForce {
    /// Evaluates every position from scratch, as it knows no path.
    evaluator: Evaluator,
    keys: Vec<u64>,
    nodes: u64,
}

impl Default for BruteForce {
    fn default() -> BruteForce {
        let weights = Weights::built_in(Variant::Standard);
        BruteForce {
            evaluator: Evaluator::new(Arc::clone(weights), 1),
            keys: Vec::new(),
            nodes: 0,
        }
    }
}

/// Larger trees are skipped: some positions have endless captures.
const MAX_NODES: u64 = 100_000;

impl BruteForce {
    /// Counts a node; true when the tree is too large, and the value means nothing.
    fn is_exhausted(&mut self) -> bool {
        self.nodes += 1;
        self.nodes > MAX_NODES
    }

    fn evaluate(&mut self, position: &Chess) -> Score {
        let tracker = Tracker::of(position);
        self.evaluator.enter(0, &tracker);
        Score(self.evaluator.value(0, position, &tracker))
    }

    fn is_draw(&self, position: &Chess, ply: usize) -> bool {
        let halfmoves = position.halfmoves() as usize;
        let repeated = (4..=halfmoves.min(self.keys.len()).min(ply))
            .step_by(2)
            .any(|back| self.keys[self.keys.len() - back] == position.key());
        let fifty = halfmoves >= 100 && (!position.in_check() || position.has_legal_move());
        repeated
            || fifty
            || (Standard::dead(position, Color::White) && Standard::dead(position, Color::Black))
    }

    /// Searches every move: no window.
    fn value(&mut self, state: &SearchPosition<Standard>, depth: u32, ply: usize) -> Score {
        if depth == 0 || self.is_exhausted() {
            return self.quiesce(state, Window::FULL, ply);
        }
        if ply > 0 && self.is_draw(&state.position, ply) {
            return Score::DRAW;
        }
        let moves = state.position.legal_moves();
        if moves.is_empty() {
            return no_move(&state.position, ply);
        }
        self.keys.push(state.position.key());
        let best = moves
            .into_iter()
            .map(|m| -self.value(&state.play(m), depth - 1, ply + 1))
            .max()
            .unwrap();
        self.keys.pop();
        best
    }

    /// Alpha-beta, which gives the same value as `value` within the window, for deeper trees.
    fn bounded(
        &mut self,
        state: &SearchPosition<Standard>,
        mut window: Window,
        depth: u32,
        ply: usize,
    ) -> Score {
        if depth == 0 || self.is_exhausted() {
            return self.quiesce(state, window, ply);
        }
        if ply > 0 && self.is_draw(&state.position, ply) {
            return Score::DRAW;
        }
        let moves = captures_first(&state.position, &state.position.legal_moves());
        if moves.is_empty() {
            return no_move(&state.position, ply);
        }
        let mut best = -Score::INFINITE;
        self.keys.push(state.position.key());
        for &m in &moves {
            best = best.max(-self.bounded(&state.play(m), window.flipped(), depth - 1, ply + 1));
            window.alpha = window.alpha.max(best);
            if best >= window.beta {
                break;
            }
        }
        self.keys.pop();
        best
    }

    fn quiesce(
        &mut self,
        state: &SearchPosition<Standard>,
        mut window: Window,
        ply: usize,
    ) -> Score {
        let position = &state.position;
        if self.is_exhausted() || self.is_draw(position, ply) {
            return Score::DRAW;
        }
        let in_check = position.in_check();
        let mut best = -Score::INFINITE;
        let mut moves = MoveList::new();
        if in_check {
            position.generate::<All, _>(&mut moves);
            if moves.is_empty() {
                return no_move(position, ply);
            }
        } else {
            best = self.evaluate(position);
            position.generate::<Noisy, _>(&mut moves);
        }
        window.alpha = window.alpha.max(best);
        self.keys.push(position.key());
        for m in captures_first(position, &moves) {
            if best >= window.beta {
                break;
            }
            best = best.max(-self.quiesce(&state.play(m), window.flipped(), ply + 1));
            window.alpha = window.alpha.max(best);
        }
        self.keys.pop();
        best
    }
}

impl Standard {
    fn dead(position: &Chess, color: Color) -> bool {
        <Standard as crate::Rules>::has_insufficient_material(position, color)
    }
}

fn no_move(position: &Chess, ply: usize) -> Score {
    if position.in_check() {
        Score::mated_in(ply)
    } else {
        Score::DRAW
    }
}

/// Most valuable victim, least valuable attacker: keeps alpha-beta small.
fn captures_first(position: &Chess, moves: &MoveList) -> Vec<crate::Move> {
    let mut moves: Vec<_> = moves.into_iter().collect();
    moves.sort_by_key(|&m| {
        let victim = position.captured(m).map_or(0, see::value);
        (-victim, see::value(position.board().role_on(m.from())))
    });
    moves
}

/// Positions from random play, not over, without end.
fn random_positions() -> impl Iterator<Item = Chess> {
    let mut seed = 1;
    let mut random = move |below: usize| {
        seed = zobrist::splitmix64(seed);
        (seed >> 32) as usize % below
    };
    std::iter::repeat_with(move || {
        let mut position = Chess::start();
        for _ in 0..8 + random(120) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random(moves.len())]);
        }
        position
    })
    .filter(|position| position.has_legal_move() && position.halfmoves() < 90)
}

fn exact_worker(position: &Chess) -> Worker {
    let options = SearchOptions {
        selective: false,
        ..SearchOptions::default()
    };
    worker(position, options, None)
}

fn worker(position: &Chess, options: SearchOptions, probe: Option<Arc<dyn Probe>>) -> Worker {
    let (events, _) = crossbeam_channel::unbounded();
    let shared = Arc::new(Shared::new(1, events));
    let mut worker = Worker::new(0, shared);
    let job = job(AnyPosition::Standard(*position), options, probe);
    worker.prepare(&job, position);
    worker
}

fn job(position: AnyPosition, options: SearchOptions, probe: Option<Arc<dyn Probe>>) -> Job {
    Job {
        search: 1,
        root: Arc::new(Root::from(position)),
        limits: Limits::default(),
        options,
        table: Arc::new(TranspositionTable::new(1).unwrap()),
        probe,
        start: Instant::now(),
        poll: None,
    }
}

/// Compares both drivers with brute force down to four plies; false when the tree was too large.
fn equals_brute_force(position: Chess) -> bool {
    let state = SearchPosition::new(position);
    let mut workers = [Driver::Mtdf, Driver::Pvs].map(|driver| (driver, exact_worker(&position)));
    let mut guess = Score(eval::evaluate(&state.position));
    for depth in 1..=4 {
        let mut brute = BruteForce::default();
        let wanted = brute.bounded(&state, Window::FULL, depth, 0);
        if brute.nodes > MAX_NODES {
            return false;
        }
        if depth <= 2 {
            let mut whole = BruteForce::default();
            let value = whole.value(&state, depth, 0);
            assert!(
                whole.nodes > MAX_NODES || value == wanted,
                "the references agree"
            );
        }
        for (driver, worker) in &mut workers {
            worker.depth = depth;
            let found = worker.search_root(*driver, &state, guess, depth as i32);
            assert_eq!(
                found,
                Some(wanted),
                "{driver:?} at depth {depth}: {position:?}"
            );
        }
        guess = wanted;
    }
    true
}

/// Tablebases of four pieces, in which White wins everything.
#[derive(Debug)]
struct WhiteWins;

impl Probe for WhiteWins {
    fn most_pieces(&self, _: Variant) -> u32 {
        4
    }

    fn wdl(&self, position: &AnyPosition) -> Option<i8> {
        Some(if position.turn().is_white() { 2 } else { -2 })
    }

    fn mate(&self, _: &AnyPosition) -> Option<Score> {
        None
    }

    fn rank(&self, _: &AnyPosition, _: bool) -> Option<Ranking> {
        None
    }
}

/// No quiet move can reach the bound of the tablebases, and there is neither capture nor check; still
/// it is not stalemate.
#[test]
fn a_tablebase_win_without_captures_or_checks_is_a_win() {
    let setup = Setup::from_fen("7k/8/8/8/8/8/7p/KN6 w - - 0 1").unwrap();
    let position = Chess::from_setup(&setup, setup.castling_mode()).unwrap();
    for depth in 1..=8 {
        let mut worker = worker(
            &position,
            SearchOptions::default(),
            Some(Arc::new(WhiteWins)),
        );
        let state = SearchPosition::new(position);
        let found = worker.node::<_, Pv>(&state, Window::FULL, depth, 1, false);
        assert_eq!(found, Score::tb_win(1), "depth {depth}");
    }
}

/// White takes the pawn, whatever Black does, unless it moves: in either case the tables are asked.
#[test]
fn a_searcher_asks_its_tablebases() {
    let fen = "8/7p/2k5/8/8/8/8/K6R b - - 1 1";
    let position = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard).unwrap();
    let limits = Limits {
        depth: Some(4),
        ..Limits::default()
    };
    let mut searcher = Searcher::new(1).unwrap();
    let mut score = |probe: Option<Arc<dyn Probe>>, probe_limit| {
        searcher.clear();
        searcher.set_probe(probe);
        let options = SearchOptions {
            probe_limit,
            ..SearchOptions::default()
        };
        let root = Root::from(position);
        searcher.search(root, limits.clone(), options).0.score
    };
    let lost = -Score::tb_win(4);
    let without = score(None, 7);
    assert!(without > lost, "{without:?}");
    let with_tables = score(Some(Arc::new(WhiteWins)), 7);
    assert!(with_tables <= lost, "{with_tables:?}");
    assert_eq!(score(Some(Arc::new(WhiteWins)), 2), without);
}

/// Tablebases in which pawn moves win soonest and all others later, but for checks, which draw.
#[derive(Debug)]
struct PawnsFirst;

impl Probe for PawnsFirst {
    fn most_pieces(&self, _: Variant) -> u32 {
        4
    }

    fn wdl(&self, _: &AnyPosition) -> Option<i8> {
        None
    }

    fn mate(&self, _: &AnyPosition) -> Option<Score> {
        None
    }

    fn rank(&self, position: &AnyPosition, _: bool) -> Option<Ranking> {
        let rank = |m| {
            let mut after = *position;
            after.play(m);
            let plies = if after.halfmoves() == 0 { 1 } else { 7 };
            let is_draw = after.in_check();
            Ranked {
                m,
                rank: if is_draw { 0 } else { 10 - plies as i32 },
                score: if is_draw {
                    Score::DRAW
                } else {
                    Score::tb_win(plies)
                },
            }
        };
        Some(Ranking {
            moves: position.legal_moves().into_iter().map(rank).collect(),
            leads_to_end: true,
        })
    }
}

/// A nearer mate comes first, though the tables rank another move higher; but no mate that the
/// tables call a draw.
#[test]
fn lines_of_tablebases_are_sorted_by_their_scores() {
    let setup = Setup::from_fen("8/8/8/5P2/2R5/8/k1K5/8 w - - 0 1").unwrap();
    let position = Chess::from_setup(&setup, setup.castling_mode()).unwrap();
    let probe = || -> Option<Arc<dyn Probe>> { Some(Arc::new(PawnsFirst)) };
    let options = SearchOptions {
        multi_pv: position.legal_moves().len(),
        ..SearchOptions::default()
    };
    let search = |depth, nodes| {
        let mut worker = worker(&position, options.clone(), probe());
        let limits = Limits {
            depth,
            nodes,
            ..Limits::default()
        };
        let job = Job {
            limits,
            ..job(AnyPosition::Standard(position), options.clone(), probe())
        };
        let found = worker.search(&job, &position);
        let lines = worker.root_moves;
        assert_eq!(found.best, Some(lines[0].m));
        let told = |root: &RootMove| (root.table_score > Some(Score::DRAW), root.reported_score());
        let told: Vec<_> = lines.iter().map(told).collect();
        assert!(told.is_sorted_by(|one, other| one >= other), "{lines:?}");
        lines
    };
    let lines = search(Some(6), None);
    assert_eq!(lines[0].reported_score(), Score::mate_in(3));
    assert_ne!(lines[0].m, position.parse_uci("f5f6").unwrap());
    let last = lines.last().unwrap();
    assert_eq!(last.m, position.parse_uci("c4a4").unwrap());
    assert_eq!(last.reported_score(), Score::mate_in(1));
    for nodes in (100..3000).step_by(100) {
        search(None, Some(nodes));
    }
}

/// How many moves of a line it keeps that begins with the first of these moves, when the table has
/// the others.
fn kept_of_line(fen: &str, moves: &str, score: Score) -> usize {
    let setup = Setup::from_fen(fen).unwrap();
    let root = Chess::from_setup(&setup, setup.castling_mode()).unwrap();
    let mut worker = worker(&root, SearchOptions::default(), None);
    worker.depth = 8;
    let (mut position, mut line) = (root, Vec::new());
    for (ply, text) in moves.split(' ').enumerate() {
        let m = position.parse_uci(text).unwrap();
        let entry = TtEntry::new(Score::DRAW, Window::FULL, Some(m), 1, true);
        worker.store(position.key(), ply, entry);
        position.play(m);
        if ply == 0 {
            line.push(m);
        }
    }
    worker.extend_from_table(&root, &mut line, score);
    line.len()
}

#[test]
fn no_line_ends_against_its_score() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mate = |score| kept_of_line(start, "f2f3 e7e5 g2g4 d8h4", score);
    assert_eq!(mate(Score(-300)), 3);
    assert_eq!(mate(Score::DRAW), 3);
    assert_eq!(mate(Score::tb_win(1)), 3);
    assert_eq!(mate(-Score::tb_win(1)), 4);
    assert_eq!(mate(Score::mated_in(4)), 4);
    for (fen, moves) in [
        ("6k1/8/6K1/8/8/8/8/5Q2 b - - 0 1", "g8h8 f1f7"),
        ("7k/8/8/8/8/8/R7/K7 w - - 98 80", "a2b2 h8g8"),
        ("8/8/8/8/8/4k3/3p4/K7 w - - 0 1", "a1b2 d2d1b"),
    ] {
        let drawn = |score| kept_of_line(fen, moves, score);
        assert_eq!(drawn(Score(500)), 1, "{fen}");
        assert_eq!(drawn(Score::DRAW), 2, "{fen}");
    }
}

/// A thousand positions, on all processors: brute force evaluates every leaf from scratch.
#[test]
fn both_drivers_equal_brute_force() {
    let positions = Mutex::new(random_positions());
    let checked = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while checked.load(Ordering::Relaxed) < 1000 {
                    let position = positions.lock().unwrap().next().unwrap();
                    checked.fetch_add(usize::from(equals_brute_force(position)), Ordering::Relaxed);
                }
            });
        }
    });
}

#[test]
fn the_node_contract_holds_in_random_windows() {
    let mut seed = 99;
    let mut random = |below: i32| {
        seed = zobrist::splitmix64(seed);
        (seed >> 33) as i32 % below
    };
    for position in random_positions().take(300) {
        let state = SearchPosition::new(position);
        for depth in 1..=3 {
            let mut brute = BruteForce::default();
            let value = brute.bounded(&state, Window::FULL, depth, 0);
            if brute.nodes > MAX_NODES {
                break;
            }
            let mut worker = exact_worker(&position);
            worker.depth = depth;
            for _ in 0..4 {
                let alpha = value + random(120) - 60;
                let null = Window::above(alpha);
                let open = Window {
                    alpha,
                    beta: alpha + 1 + random(100),
                };
                let zero = worker.node::<_, NonPv>(&state, null, depth as i32, 0, true);
                check_contract(value, null, zero, &position);
                let pv = worker.node::<_, Pv>(&state, open, depth as i32, 0, false);
                check_contract(value, open, pv, &position);
            }
        }
    }
}

fn check_contract(value: Score, window: Window, found: Score, position: &Chess) {
    let holds = if found <= window.alpha {
        value <= found
    } else if found >= window.beta {
        value >= found
    } else {
        value == found
    };
    assert!(holds, "{found:?} in {window:?} for {value:?}: {position:?}");
}

/// The root move that MTD(f) finds within the limits, with an empty table.
fn best_within(limits: Limits, position: &Chess) -> RootMove {
    lines_within(limits, position, Driver::Mtdf, 1).swap_remove(0)
}

/// The lines that a search within the limits finds, with an empty table.
fn lines_within(
    limits: Limits,
    position: &Chess,
    driver: Driver,
    multi_pv: usize,
) -> Vec<RootMove> {
    let options = SearchOptions {
        driver: Some(driver),
        multi_pv,
        ..SearchOptions::default()
    };
    let mut worker = worker(position, options.clone(), None);
    let job = Job {
        limits,
        ..job(AnyPosition::Standard(*position), options, None)
    };
    worker.search(&job, position);
    worker.root_moves.truncate(multi_pv);
    worker.root_moves
}

#[test]
fn lines_after_a_stop_are_those_of_this_iteration_or_of_the_last() {
    let (mut mixed, mut bounded) = (0, 0);
    for (number, position) in random_positions().take(60).enumerate() {
        let driver = [Driver::Mtdf, Driver::Pvs][number % 2];
        let lines = |nodes, depth| {
            let limits = Limits {
                depth,
                nodes,
                ..Limits::default()
            };
            lines_within(limits, &position, driver, 2 + number % 5)
        };
        for nodes in (400..3000).step_by(250) {
            let stopped = lines(Some(nodes), None);
            let depth = stopped[0].depth;
            assert!(depth > 0, "{position:?}");
            let completed = lines(None, Some(depth.max(2) - 1));
            let mut better = Score::INFINITE;
            // In the first iteration nothing is known of other lines.
            let known = stopped.iter().take_while(|root| root.is_known());
            for (line, root) in known.enumerate() {
                assert!(
                    root.score <= better,
                    "line {line}: {position:?}, {nodes} nodes"
                );
                better = root.score;
                // Of the first, a better move may be known than the last iteration had.
                assert!(line == 0 || root.bound() != Bound::Lower, "{position:?}");
                if root.depth == depth && !root.failed_low {
                    continue;
                }
                let last = completed.iter().find(|last| last.m == root.m);
                let last = last.unwrap_or_else(|| panic!("line {line}: {position:?}"));
                if root.failed_low {
                    assert!(
                        root.depth == depth && root.score < last.score,
                        "{position:?}"
                    );
                    bounded += 1;
                } else {
                    let results = [root, last].map(|root| (root.depth, root.score));
                    assert_eq!(results[0], results[1], "line {line}: {position:?}");
                    mixed += 1;
                }
            }
        }
    }
    assert!(
        mixed > 100 && bounded > 20,
        "{mixed} mixed, {bounded} bounded"
    );
}

#[test]
fn a_move_that_failed_high_before_a_stop_has_a_lower_bound() {
    let (mut bounds, mut scores) = (0, 0);
    for position in random_positions().take(60) {
        for nodes in (500..3000).step_by(250) {
            let stopped = best_within(
                Limits {
                    nodes: Some(nodes),
                    ..Limits::default()
                },
                &position,
            );
            if stopped.failed_high {
                assert_eq!(stopped.bound(), Bound::Lower);
                bounds += 1;
                continue;
            }
            let depth = Some(stopped.depth).filter(|&depth| depth > 0);
            let Some(depth) = depth else { continue };
            let completed = best_within(
                Limits {
                    depth: Some(depth),
                    ..Limits::default()
                },
                &position,
            );
            let (m, score) = (completed.m, completed.score);
            assert_eq!((stopped.m, stopped.score), (m, score), "{position:?}");
            scores += 1;
        }
    }
    assert!(
        bounds > 5 && scores > 100,
        "{bounds} bounds, {scores} scores"
    );
}

/// The best root move that a search to a depth finds in a position of a variant.
fn best_of_variant(variant: Variant, fen: &str, depth: u32) -> RootMove {
    let position = AnyPosition::from_fen(variant, fen, CastlingMode::Standard).unwrap();
    let job = Job {
        limits: Limits {
            depth: Some(depth),
            ..Limits::default()
        },
        ..job(position, SearchOptions::default(), None)
    };
    let (events, _) = crossbeam_channel::unbounded();
    let mut worker = Worker::new(0, Arc::new(Shared::new(1, events)));
    dispatch!(&position, |position| worker.search(&job, position));
    worker.root_moves.swap_remove(0)
}

#[test]
fn mates_by_a_rule_of_the_variant_have_their_whole_line() {
    let hill = "8/8/2nN2k1/8/5R2/8/4K3/8 w - - 2 60";
    let checks = "8/4p3/4N3/3R4/P7/5k2/8/3K4 b - - 1+3 14 53";
    for (variant, fen, score) in [
        (Variant::KingOfTheHill, hill, Score::mate_in(3)),
        (Variant::ThreeCheck, checks, Score::mated_in(2)),
    ] {
        for depth in [6, 8, 10] {
            let best = best_of_variant(variant, fen, depth);
            let found = (best.score, best.bound(), Some(best.pv.len()));
            let wanted = (score, Bound::Exact, score.plies_to_mate());
            assert_eq!(found, wanted, "{variant} at depth {depth}");
        }
    }
}

/// In losing chess Black, who cannot move, has won, and there is nothing left to claim.
#[test]
fn an_end_by_stalemate_comes_before_the_fifty_move_draw() {
    let fen = "8/8/8/p7/P7/8/8/6N1 w - - 99 80";
    for variant in [Variant::Suicide, Variant::Giveaway, Variant::Antichess] {
        let best = best_of_variant(variant, fen, 6);
        assert_eq!(best.score, Score::mated_in(1), "{variant}");
    }
    // In standard chess the knight does not mate, and both rules make it a draw.
    let best = best_of_variant(Variant::Standard, "k7/P7/K7/8/8/8/8/6N1 w - - 99 80", 6);
    assert_eq!(best.score, Score::DRAW);
}
