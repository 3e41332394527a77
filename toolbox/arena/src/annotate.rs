//! `mola pgn annotate`: games with an engine's opinion of every move.

use crate::client::{self, Engine, EngineCommand, EngineRequest};
use crate::expectation::{comparable, end_eval, mark};
use crate::progress;
use crate::searchable::is_searchable;
use common::count::count;
use common::error::{Error, Result};
use common::files::{Force, RecordFile, refuse_packed, refuse_stdin};
use common::note;
use common::parallel::{self, Interrupt, Workers};
use common::signals;
use engine_core::search::{Limits, Root, Score, ScoreKind, SearchOptions, Searcher};
use engine_core::{AnyPosition, Game, Move};
use indicatif::ProgressBar;
use pgn::command::input::Input;
use pgn::{Comment, DeepEval, Dialect, Eval, NodeId, Opening, Tree, Writer, eval_in};
use std::fmt::{Display, Write as _};
use std::iter;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Annotate the main lines with an engine. Evaluations are written as [%eval] comments.
/// Inaccuracies, mistakes and blunders get ?!, ? and ?? and the better move as a variation. The
/// tags ECO, Opening and Variation name the opening. Evaluations of an earlier run are replaced,
/// and so are ?!, ? and ?? with a variation of one move that has only an evaluation. All other marks
/// are the author's: they stay, and the move gets neither another mark nor a better move. Mola's
/// evaluations beyond five pawns are converted to Stockfish's scale, for which the formula of these
/// marks was made.
///
/// Each finished game is saved in FILE.part, which becomes FILE when all games are done. A stopped
/// run is resumed by the same command with the same settings.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn annotate games.pgn --depth 14 -o annotated.pgn
  mola pgn annotate games.pgn --engine stockfish --nodes 100000 -o annotated.pgn")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Depth for each position [default: 12]
    #[arg(long, value_parser = clap::value_parser!(u32).range(DEPTHS))]
    depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// The command of another engine instead of Mola
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Hash size in MB
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = clap::value_parser!(u32).range(HASH_SIZES))]
    hash: u32,
    /// Write evaluations only, without marks and variations
    #[arg(long)]
    evals_only: bool,
}

/// The depths that a command which evaluates games takes.
pub const DEPTHS: RangeInclusive<i64> = 1..=200;

/// The sizes of its hash table in MB.
pub const HASH_SIZES: RangeInclusive<i64> = 1..=65_536;

/// Searched this deep where nothing else is said.
const DEPTH: u32 = 12;

/// The engine that evaluates: Mola's own search, or another program.
enum EvaluationEngine {
    Own(Box<Searcher>),
    Other(Box<OtherEngine>),
}

/// Another program that evaluates.
struct OtherEngine {
    command: EngineCommand,
    engine: Engine,
    /// Whether it has had a game.
    is_used: bool,
}

/// The evaluation of a position, with the best line.
#[derive(Clone, Copy)]
struct Judgement {
    /// As White sees it.
    eval: Eval,
    best: Option<Move>,
}

impl EvaluationEngine {
    fn new(args: &Args, command: Option<&EngineCommand>) -> Result<EvaluationEngine> {
        Ok(match command {
            None => EvaluationEngine::Own(Box::new(Searcher::new(args.hash as usize)?)),
            Some(command) => {
                let engine = Engine::start(command).map_err(|error| error.to_string())?;
                EvaluationEngine::Other(Box::new(OtherEngine {
                    command: command.clone(),
                    engine,
                    is_used: false,
                }))
            }
        })
    }

    /// Clears hash table and histories, so that a resumed run finds the same as a run in one go. From now
    /// on a search ends before its time when the work is to end.
    fn new_game(&mut self, interrupt: &Interrupt) -> Result {
        match self {
            EvaluationEngine::Own(searcher) => {
                searcher.stop_by(Arc::clone(interrupt.flag()));
                searcher.clear();
            }
            EvaluationEngine::Other(other) => {
                let begun = other.new_game(interrupt);
                begun.map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, game: &Game, limits: &Limits) -> Result<Option<Judgement>> {
        let turn = game.position().turn();
        if let Some(end) = game.outcome(false) {
            let eval = end_eval(end);
            return Ok(Some(Judgement { eval, best: None }));
        }
        if !is_searchable(game.position()) {
            return Ok(None);
        }
        match self {
            EvaluationEngine::Own(searcher) => {
                let root = Root::from(game);
                let (found, _) = searcher.search(root, limits.clone(), SearchOptions::default());
                let score = if turn.is_white() {
                    found.score
                } else {
                    -found.score
                };
                Ok(Some(Judgement {
                    eval: comparable(own_eval(score), game.position().variant()),
                    best: found.best,
                }))
            }
            EvaluationEngine::Other(other) => {
                let request = EngineRequest::new(limits.clone());
                let played = other
                    .engine
                    .play(game, &request)
                    .map_err(|error| error.to_string())?;
                let Some(score) = played.info.score else {
                    return Ok(None);
                };
                Ok(Some(Judgement {
                    eval: score.white().into(),
                    best: played.best,
                }))
            }
        }
    }
}

impl OtherEngine {
    /// Begins a game, in a new process where it can play only one.
    fn new_game(&mut self, interrupt: &Interrupt) -> client::Result {
        if std::mem::replace(&mut self.is_used, true) && !self.engine.is_reusable() {
            self.engine = Engine::start(&self.command)?;
        }
        self.engine.set_interrupt(interrupt.channel().clone());
        self.engine.new_game(None)
    }
}

/// A score of our own engine as an evaluation.
pub fn own_eval(score: Score) -> Eval {
    match score.kind() {
        ScoreKind::Mate(moves) => Eval::Mate(i64::from(moves)),
        ScoreKind::Centipawns(cp) => Eval::Cp(i64::from(cp)),
    }
}

impl Args {
    fn limits(&self) -> Limits {
        let is_limited = self.nodes.is_some() || self.movetime.is_some();
        Limits {
            depth: self.depth.or((!is_limited).then_some(DEPTH)),
            nodes: self.nodes,
            move_time: self.movetime.map(Duration::from_millis),
            ..Limits::default()
        }
    }

    /// The command of another engine.
    fn command(&self) -> Result<Option<EngineCommand>> {
        let command = self.engine.as_deref().map(str::parse).transpose();
        command.map_err(Error::Usage)
    }

    /// What the annotations depend on, as one writes it.
    fn settings(&self, command: Option<&EngineCommand>, dialect: Option<&dyn Dialect>) -> String {
        let mut text = String::new();
        let mut add = |name: &str, value: Option<&dyn Display>| {
            if let Some(value) = value {
                // Writing to a string cannot fail.
                let _ = write!(text, "{name} {value} ");
            }
        };
        let limits = self.limits();
        let movetime = self.movetime;
        add("--depth", limits.depth.as_ref().map(|depth| depth as _));
        add("--nodes", limits.nodes.as_ref().map(|nodes| nodes as _));
        add("--movetime", movetime.as_ref().map(|time| time as _));
        add("--engine", self.engine.as_ref().map(|engine| engine as _));
        for file in EngineCommand::hashed_files(command) {
            add("with", Some(&file));
        }
        add("--hash", Some(&self.hash));
        if self.evals_only {
            text += "--evals-only ";
        }
        text + &self.input.settings(dialect)
    }

    /// Annotates the games that the file does not have yet, and returns their number.
    fn judge_games(
        &self,
        dialect: Option<&dyn Dialect>,
        file: &mut RecordFile,
        judge: &mut EvaluationEngine,
    ) -> Result<u64> {
        let done = file.records();
        let mut input = self.input.clone();
        input.has_bar = true;
        let bar = progress::of_games(&input, done)?;
        let mut number = 0_u64;
        input.each_game(
            dialect,
            |record| std::mem::take(record.tree),
            |tree| {
                number += 1;
                if number <= done {
                    return Ok(true);
                }
                bar.set_message(number.to_string());
                self.add_judged(tree, file, judge, &bar)?;
                bar.inc(1);
                Ok(true)
            },
        )?;
        bar.finish_and_clear();
        Ok(number)
    }

    /// Annotates a game and adds it to the file, unless a signal comes before.
    fn add_judged(
        &self,
        tree: Tree,
        file: &mut RecordFile,
        judge: &mut EvaluationEngine,
        bar: &ProgressBar,
    ) -> Result {
        // Not between games, where the next may never come.
        let signals = signals::watch();
        let workers = Workers {
            threads: 1,
            ahead: 1,
            signals: signals.clone(),
        };
        let judge = Mutex::new(judge);
        let worker = |interrupt: &Interrupt| {
            let interrupt = interrupt.clone();
            let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(move |mut tree: Tree| {
                self.judge_game(&mut tree, &mut judge, bar, &interrupt)?;
                Ok(tree)
            })
        };
        let ended = parallel::in_order(&workers, iter::once(tree), worker, |mut tree| {
            for (name, value) in Opening::of_tree(&tree).into_iter().flat_map(Opening::tags) {
                tree.headers.set(name, value);
            }
            let mut writer = Writer::new();
            tree.visit(&mut writer);
            file.add(&writer.take())?;
            Ok(ControlFlow::Continue(()))
        })?;
        ended.or_interrupted(None)
    }

    fn judge_game(
        &self,
        tree: &mut Tree,
        judge: &mut EvaluationEngine,
        bar: &ProgressBar,
        interrupt: &Interrupt,
    ) -> Result {
        let Some(start) = tree.start else {
            return Ok(());
        };
        let limits = self.limits();
        judge.new_game(interrupt)?;
        let mut evaluate = |game: &Game| {
            let judgement = judge.evaluate(game, &limits)?;
            // What a search has found that was ended is not what it would have found.
            if interrupt.flag().load(Relaxed) {
                return Err(Error::Interrupted("interrupted".to_owned()));
            }
            Ok(judgement)
        };
        let mut game = Game::new(start);
        let mut before = evaluate(&game)?;
        let line: Vec<NodeId> = tree.main_line(tree.root()).collect();
        for id in line {
            let Some(m) = tree.move_to(id) else {
                game.play_null();
                before = None;
                continue;
            };
            let position = *game.position();
            game.play(m);
            let after = evaluate(&game)?;
            bar.tick();
            let is_over = game.outcome(false).is_some();
            if !self.evals_only && before.is_some() && after.is_some() {
                forget_blame(tree, id);
            }
            if let Some(after) = after.filter(|_| !is_over) {
                let depth = self.limits().depth.map(u64::from);
                let eval = after.eval;
                tree.set_eval(id, Some(DeepEval { eval, depth }));
            }
            if let (Some(before), Some(after), false) = (before, after, self.evals_only) {
                blame(tree, id, &position, m, (before, after));
            }
            before = after;
        }
        Ok(())
    }
}

/// Removes the mark of a fault and the better move that [`blame`] added in an earlier run. A mark
/// without both an evaluation and such a variation is the author's.
fn forget_blame(tree: &mut Tree, id: NodeId) {
    let is_fault = |nag: &u32| matches!(nag, 2 | 4 | 6);
    if tree.eval(id).is_none() || !tree.nags(id).iter().any(is_fault) {
        return;
    }
    let siblings = tree.parent(id).map(|parent| tree.children(parent));
    let variations = siblings.unwrap_or_default().iter().copied();
    let variations = variations.filter(|&other| other != id && is_only_evaluated(tree, other));
    let ours: Vec<NodeId> = variations.collect();
    if ours.is_empty() {
        return;
    }
    for variation in ours {
        tree.remove(variation);
    }
    if let Some(nags) = tree.nags_mut(id) {
        nags.retain(|nag| !is_fault(nag));
    }
}

/// Whether a move ends its variation and has nothing but an evaluation, as a better move of
/// [`blame`].
fn is_only_evaluated(tree: &Tree, id: NodeId) -> bool {
    let [comment] = tree.comments(id) else {
        return false;
    };
    let text = comment.text.to_str();
    let eval = eval_in(&text).filter(|eval| eval.depth.is_none());
    tree.children(id).is_empty()
        && tree.nags(id).is_empty()
        && tree.starting_comments(id).is_empty()
        && eval.is_some_and(|eval| eval.to_string() == text.trim())
}

/// Marks a move that was not the best one, and adds that, unless the author has marked the move.
fn blame(
    tree: &mut Tree,
    id: NodeId,
    position: &AnyPosition,
    m: Move,
    (before, after): (Judgement, Judgement),
) {
    let Some(best) = before.best.filter(|&best| best != m) else {
        return;
    };
    let Some(glyph) = mark(position.turn(), before.eval, after.eval) else {
        return;
    };
    if tree.nags(id).iter().any(|nag| (1..=6).contains(nag)) {
        return;
    }
    if let Some(nags) = tree.nags_mut(id) {
        nags.push(glyph);
    }
    let Some(parent) = tree.parent(id) else {
        return;
    };
    if tree
        .children(parent)
        .iter()
        .all(|&other| tree.move_to(other) != Some(best))
    {
        let better = tree.add(parent, Some(best));
        if let Some(comments) = tree.comments_mut(better) {
            let eval = before.eval;
            comments.push(Comment::new(&DeepEval { eval, depth: None }.to_string()));
        }
    }
}

/// Annotates the games, which another program reads if there is a dialect.
///
/// # Errors
/// When a file cannot be read or written, when an engine fails, and on a signal.
pub fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    refuse_packed(&args.output)?;
    let command = args.command()?;
    let mut judge = EvaluationEngine::new(args, command.as_ref())?;
    let mut inputs = args.input.paths();
    inputs.extend(command.iter().flat_map(EngineCommand::files));
    let mut file = RecordFile::open(
        &args.output,
        &args.settings(command.as_ref(), dialect),
        args.force.replace(),
        &inputs,
    )?;
    let done = file.records();
    if done > 0 {
        args.input
            .paths()
            .iter()
            .try_for_each(|path| refuse_stdin(path))?;
    }
    let number = args.judge_games(dialect, &mut file, &mut judge);
    let number = number.map_err(|error| match (error, file.records()) {
        (Error::Interrupted(text), _) => {
            Error::Interrupted(format!("{text}; {}", file.how_to_go_on()))
        }
        (error, 0) => error,
        (error, _) => Error::Message(format!("{error}; {}", file.how_to_go_on())),
    })?;
    if number == 0 {
        return Err(Error::Message("no games".into()));
    }
    file.finish()?;
    let new = number.saturating_sub(done);
    if !args.input.quiet {
        let path = args.output.display();
        note!(
            "{} annotated, {done} were there, in {path}",
            count(new, "game")
        );
    }
    Ok(())
}
