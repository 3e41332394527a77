//! The session: the one owner of the game, the options and the searcher. Every front end sends it
//! [`Command`]s and receives [`Notice`]s.

mod clock;
pub(crate) mod endgame_tables;
pub(crate) mod memory;
mod messages;
pub(crate) mod opening_book;
mod running;
mod searcher;
mod weights;

pub(crate) use messages::{Command, Notice};

use crate::logging;
use crate::options::{OptionId, Options};
use crate::strength::{Chooser, Strength};
use clock::{Lag, NodeClock};
use common::count::count;
use common::option_value::OptionValue;
use common::random;
use crossbeam_channel::{Receiver, Sender, unbounded};
use endgame_tables::EndgameTables;
use engine_core::eval::{Explanation, Weights};
use engine_core::search::{
    self, BestMove, Driver, Instant, Limits, OwnerThread, Poll, Root, Score, SearchOptions,
};
use engine_core::{AnyPosition, Game, Move, Variant};
use opening_book::OpeningBook;
pub(crate) use running::is_from_book;
use running::{BOOK, Running};
use searcher::Searcher;
use std::sync::Arc;
use std::time::Duration;
use weights::LoadedWeights;

/// The state shared by the front ends.
pub(crate) struct Session {
    game: Game,
    options: Options,
    book: OpeningBook,
    tables: EndgameTables,
    weights: LoadedWeights,
    searcher: Option<Searcher>,
    /// Called during searches in the owner's thread.
    poll: Option<Poll>,
    /// Whether to clear hash table and histories before the next search.
    forget: bool,
    /// The weights of the last search.
    searched_with: Option<Arc<Weights>>,
    running: Option<Running>,
    /// When the current command was received, if known.
    arrived: Option<Instant>,
    lag: Lag,
    node_clock: NodeClock,
    /// The seed of the random errors at weak levels.
    seed: u64,
    sender: Sender<search::Event>,
    events: Receiver<search::Event>,
}

impl Default for Session {
    fn default() -> Session {
        let (sender, events) = unbounded();
        Session {
            game: Game::new(AnyPosition::start(Variant::default())),
            options: Options::default(),
            book: OpeningBook::default(),
            tables: EndgameTables::default(),
            weights: LoadedWeights::default(),
            searcher: None,
            poll: None,
            forget: false,
            searched_with: None,
            running: None,
            arrived: None,
            lag: Lag::default(),
            node_clock: NodeClock::default(),
            seed: random::seed(),
            sender,
            events,
        }
    }
}

impl Session {
    /// Searches in the owner's thread, when it calls [`OwnerThread::work`]; the search calls the
    /// poll meanwhile. Call it before the first search.
    pub(crate) fn search_in_owner_thread(&mut self, poll: Poll) {
        self.poll = Some(poll);
    }

    /// The worker of the owner's thread, if that thread searches and there has been a search.
    pub(crate) fn owner_thread(&self) -> Option<OwnerThread> {
        self.searcher.as_ref()?.pool.owner_thread().cloned()
    }

    /// Asks the search to stop, without waiting.
    pub(crate) fn request_stop(&self) {
        if let Some(searcher) = &self.searcher {
            searcher.pool.stop();
        }
    }

    /// The game.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The options.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The book moves of a position with their weights; `None` without a book.
    pub(crate) fn book_moves(&self, position: &AnyPosition) -> Option<Vec<(Move, u16)>> {
        self.book.moves(position)
    }

    /// The static evaluation of the position, term by term; `None` in check.
    pub(crate) fn evaluation(&self) -> Option<Explanation> {
        self.evaluation_of(self.game.position())
    }

    /// The same of another position of the variant.
    pub(crate) fn evaluation_of(&self, position: &AnyPosition) -> Option<Explanation> {
        (!position.in_check()).then(|| Explanation::of(position, &self.weights()))
    }

    /// Whether a search runs whose best move has not been handled yet.
    pub(crate) fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// The events of the search; pass each to [`Session::handle`].
    pub(crate) fn events(&self) -> &Receiver<search::Event> {
        &self.events
    }

    /// Updates the session by an event of the search, and returns the notices for the front end.
    pub(crate) fn handle(&mut self, event: search::Event) -> Vec<Notice> {
        let Some(running) = &mut self.running else {
            return vec![Notice::Search(event)];
        };
        let (events, is_over) = running.handle(event);
        if is_over {
            let (nodes, increment) = (running.own_nodes(), running.own_increment());
            self.running = None;
            self.lag.stop();
            if let Some(increment) = increment {
                let rate = self.options.number(OptionId::NodesTime);
                self.node_clock.stop(nodes, rate, increment);
            }
        }
        // Before the best move, after which no engine says anything.
        let broken = if is_over { self.tables.broken() } else { None };
        let events = events.into_iter().map(Notice::Search);
        broken.into_iter().chain(events).collect()
    }

    /// The playing strength set by the options.
    pub(crate) fn strength(&self) -> Strength {
        let options = &self.options;
        if options.flag(OptionId::LimitStrength) {
            Strength::elo(options.number(OptionId::Elo))
        } else {
            Strength::level(options.number(OptionId::SkillLevel))
        }
    }

    /// Sets when the line that is being handled was received, if one is: the clock has been running since
    /// then.
    pub(crate) fn note_arrival(&mut self, at: Option<Instant>) {
        self.arrived = at;
    }

    /// Executes a command, and returns the immediate notices; others come through
    /// [`Session::events`].
    pub(crate) fn execute(&mut self, command: Command) -> Vec<Notice> {
        match command {
            Command::NewGame => {
                let notices = self.finish();
                self.node_clock = NodeClock::default();
                self.lag.forget_clock();
                self.forget = true;
                notices
            }
            Command::Game(game) => {
                // Histories of one variant are useless in another.
                let variant = self.game.position().variant();
                self.forget |= game.position().variant() != variant;
                let goes_on = game.start() == self.game.start()
                    && game.moves().starts_with(self.game.moves());
                if !goes_on {
                    self.lag.forget_clock();
                    self.node_clock = NodeClock::default();
                }
                self.game = *game;
                Vec::new()
            }
            Command::Play(m) => {
                self.game.play(m);
                Vec::new()
            }
            Command::Pass => {
                self.game.play_null();
                Vec::new()
            }
            Command::Undo(plies) => {
                for _ in 0..plies {
                    self.game.undo();
                }
                Vec::new()
            }
            Command::Go(limits) => self.go(limits),
            Command::Stop => self.finish(),
            Command::PonderHit(limits) => {
                self.ponder_hit(limits);
                Vec::new()
            }
            Command::Set(id, value) => self.set(id, value),
            Command::Prepare if self.is_searching() => Vec::new(),
            Command::Prepare => self.prepare(),
        }
    }

    fn go(&mut self, mut limits: Limits) -> Vec<Notice> {
        let mut notices = self.finish();
        if let Some((m, reply)) = self.book.choose(&self.options, &self.game, &limits) {
            notices.push(self.answer_from_book(m, reply));
            return notices;
        }
        let root = Root::from(&self.game);
        let position = root.position;
        let (is_pondering, depth) = (limits.ponder, limits.depth);
        let mut options = self.search_options();
        let wanted = options.multi_pv;
        let is_play = !limits.infinite && !self.options.flag(OptionId::AnalyseMode);
        let strength = Some(self.strength()).filter(|_| is_play);
        let weights = if strength.is_some_and(|strength| !strength.is_full()) {
            Arc::clone(Weights::built_in_tables(position.variant()))
        } else {
            self.weights()
        };
        self.evaluate_by(&weights);
        options.weights = Some(weights);
        notices.extend(self.prepare());
        // Preparation, such as a new hash table, has taken time of the clock.
        let node_increment = self.start_clock(&mut limits);
        if let Some(strength) = strength {
            strength.weaken(&mut limits);
            options.multi_pv = strength.lines(wanted);
        }
        let seed = self.seed;
        let Some(searcher) = &mut self.searcher else {
            return notices;
        };
        let search = searcher.pool.start(root, limits, options);
        let running = self.running.insert(Running::new(search, position));
        running.is_pondering = is_pondering;
        running.chooser =
            strength.and_then(|strength| Chooser::new(strength, wanted, seed, search));
        running.node_increment = node_increment;
        running.depth = depth;
        notices
    }

    fn ponder_hit(&mut self, limits: Option<Limits>) {
        let running = self.running.as_mut();
        if !running.is_some_and(|running| std::mem::take(&mut running.is_pondering)) {
            return;
        }
        // A clock counted in nodes is not that of the GUI.
        let limits = limits.filter(|_| self.options.number(OptionId::NodesTime) == 0);
        let limits = limits.map(|mut limits| {
            self.start_clock(&mut limits);
            limits
        });
        if limits.is_none() {
            self.lag.restart();
        }
        if let (Some(searcher), Some(running)) = (&self.searcher, &mut self.running) {
            running.pondered = searcher.pool.nodes();
            searcher.pool.ponder_hit(limits);
        }
    }

    /// Forgets what was searched with other weights: it says nothing of what these weights make of a
    /// position, and with it a weak level would play far better moves than its own.
    fn evaluate_by(&mut self, weights: &Arc<Weights>) {
        let before = self.searched_with.replace(Arc::clone(weights));
        self.forget |= before.is_some_and(|before| !Arc::ptr_eq(&before, weights));
    }

    /// Starts to measure the lag of the clock of the side to move, and subtracts it from the limits.
    /// If time is counted in nodes, sets our own clock instead, and returns its increment.
    fn start_clock(&mut self, limits: &mut Limits) -> Option<Duration> {
        let since = self.arrived.take().unwrap_or_else(Instant::now);
        let turn = self.game.position().turn();
        let ply = self.game.moves().len();
        let moves_to_go = limits.moves_to_go;
        let clock = &mut limits.clocks[turn];
        if self.options.number(OptionId::NodesTime) == 0 {
            self.lag.start(ply, *clock, since);
            clock::shorten(limits, turn, since);
            let overhead = self.options.number(OptionId::MoveOverhead);
            self.lag
                .charge(limits, turn, Duration::from_millis(overhead));
            return None;
        }
        clock.as_mut().map(|clock| {
            *clock = self.node_clock.start(ply, *clock, moves_to_go);
            clock.increment
        })
    }

    /// Answers with a book move instead of a search.
    fn answer_from_book(&mut self, m: Move, reply: Option<Move>) -> Notice {
        let text = self.game.position().to_uci(m).to_string();
        self.running = Some(Running::new(BOOK, *self.game.position()));
        // Sending cannot fail: the session holds the receiver, too.
        let _ = self.sender.send(search::Event::BestMove(BestMove {
            search: BOOK,
            best: Some(m),
            ponder: reply,
            score: Score::DRAW,
        }));
        Notice::Message(format!("{text} is from the book"))
    }

    /// Stops the search, waits for its end, and returns its remaining notices.
    fn finish(&mut self) -> Vec<Notice> {
        let mut notices = Vec::new();
        while self.is_searching() {
            self.request_stop();
            if let Some(owner_thread) = self.owner_thread() {
                owner_thread.work();
            }
            match self.events.recv() {
                Ok(event) => notices.extend(self.handle(event)),
                Err(_) => self.running = None,
            }
        }
        notices
    }

    fn set(&mut self, id: OptionId, value: OptionValue) -> Vec<Notice> {
        let before = self.options.text(id).to_owned();
        self.options.set(id, value);
        let text = self.options.text(id);
        match id {
            // Scores in the hash table and histories belong to the old weights.
            OptionId::ClearHash | OptionId::Evaluation => self.forget = true,
            OptionId::Threads => return self.limit_threads(),
            OptionId::Opponent => log::info!("the opponent is {text}"),
            OptionId::BookFile => {
                if let Err(error) = self.book.open(text) {
                    self.options.set(id, OptionValue::Text(before));
                    return vec![Notice::Failure(error)];
                }
            }
            OptionId::EvalFile => return self.load_weights(),
            OptionId::SyzygyPath | OptionId::GaviotaTbPath => {
                return self
                    .tables
                    .open(id, &self.options)
                    .unwrap_or_else(|failures| {
                        self.options.set(id, OptionValue::Text(before));
                        failures
                    });
            }
            OptionId::DebugLogFile => {
                if let Err(error) = logging::set_file(text) {
                    let failure = logging::cannot_log(text, &error);
                    self.options.set(id, OptionValue::Text(before));
                    return vec![Notice::Failure(failure)];
                }
            }
            _ => {}
        }
        Vec::new()
    }

    /// Limits the threads to those that run at once: more would only delay each other.
    fn limit_threads(&mut self) -> Vec<Notice> {
        let wanted = self.options.number(OptionId::Threads);
        let most = std::thread::available_parallelism().map_or(wanted, |most| most.get() as u64);
        if wanted <= most {
            return Vec::new();
        }
        self.options
            .set(OptionId::Threads, OptionValue::Number(most.cast_signed()));
        let (processors, threads) = (count(most, "processor"), count(most, "thread"));
        vec![Notice::Message(format!(
            "this machine has {processors}, so Mola uses {threads}, not {wanted}"
        ))]
    }

    fn load_weights(&mut self) -> Vec<Notice> {
        let name = self.options.text(OptionId::EvalFile);
        match self.weights.load(name) {
            Ok(loaded) => {
                self.forget = true;
                let variant = loaded.map(Weights::variant);
                let other = variant.filter(|&variant| variant != self.game.position().variant());
                let line = |variant| format!("{name}: weights of {variant}, for that variant only");
                other.map(line).map(Notice::Message).into_iter().collect()
            }
            Err(error) => vec![Notice::Failure(error)],
        }
    }

    /// The weights for the game's variant.
    fn weights(&self) -> Arc<Weights> {
        self.weights
            .of(self.game.position().variant(), &self.options)
    }

    fn search_options(&self) -> SearchOptions {
        let overhead = Duration::from_millis(self.options.number(OptionId::MoveOverhead));
        SearchOptions {
            driver: match self.options.text(OptionId::SearchDriver) {
                "PVS" => Some(Driver::Pvs),
                "MTDF" => Some(Driver::Mtdf),
                _ => None,
            },
            multi_pv: self.options.number(OptionId::MultiPv) as usize,
            move_overhead: overhead.max(self.lag.estimate()),
            node_time: Some(self.options.number(OptionId::NodesTime)).filter(|&rate| rate > 0),
            probe_limit: self.options.number(OptionId::SyzygyProbeLimit) as u32,
            probe_depth: self.options.number(OptionId::SyzygyProbeDepth) as u32,
            fifty_moves: self.options.flag(OptionId::Syzygy50MoveRule),
            ..SearchOptions::default()
        }
    }

    /// Sets the searcher up by the options. Nothing is allocated before this, so that a GUI
    /// that only asks for the options is answered at once.
    fn prepare(&mut self) -> Vec<Notice> {
        let hash = self.options.number(OptionId::Hash) as usize;
        let threads = self.options.number(OptionId::Threads) as usize;
        let searcher = self
            .searcher
            .get_or_insert_with(|| Searcher::new(self.sender.clone(), self.poll.as_ref()));
        // Clearing touches new memory now, so that no search has to wait for its pages.
        self.forget |= searcher.hash() != hash;
        let failures = [searcher.set_threads(threads), searcher.set_hash(hash)];
        searcher.pool.set_probe(self.tables.probe());
        if std::mem::take(&mut self.forget) {
            searcher.pool.clear();
        }
        let messages = failures.into_iter().filter_map(Result::err);
        messages
            .map(|error| Notice::Message(error.to_string()))
            .collect()
    }
}
