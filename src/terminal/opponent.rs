//! Another engine as the opponent, in a separate thread.

use arena::client::{Engine, EngineCommand, EngineRequest, ErrorKind, Opponent, SearchEvent};
use common::error::Result;
use common::threads;
use crossbeam_channel::{Receiver, Sender, unbounded};
use engine_core::search::Limits;
use engine_core::{Game, Move};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the thread checks whether the engine should move now.
const TICK: Duration = Duration::from_millis(50);

/// How long it may think beyond its clock before it counts as hung.
const TIME_MARGIN: Duration = Duration::from_secs(10);

/// How long it may take to stop and to quit.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// A reply of the engine.
#[derive(Debug)]
pub(super) enum Reply {
    /// A move.
    Move {
        best: Move,
        /// The score for White and the depth, as text; empty if the engine told neither.
        opinion: String,
        offers_draw: bool,
    },
    /// It claims a draw, as it may.
    Draw,
    /// It resigns.
    Resign,
    /// It sent no move, or crashed: the message.
    Fault(String),
}

/// A move to find.
struct Request {
    game: Game,
    limits: Limits,
    /// Whether it is the first of another game.
    is_new_game: bool,
}

/// What the thread must do soon.
#[derive(Default)]
struct Urgency {
    /// The engine moves now.
    move_now: AtomicBool,
    /// The engine ends now.
    quit: AtomicBool,
}

/// The engine.
pub(super) struct OpponentEngine {
    pub(super) name: String,
    pub(super) replies: Receiver<Reply>,
    asked: Option<Sender<Request>>,
    is_new_game: bool,
    urgency: Arc<Urgency>,
    thread: Option<JoinHandle<()>>,
}

impl OpponentEngine {
    /// Starts it.
    ///
    /// # Errors
    /// When it cannot be started or does not answer.
    pub(super) fn start(command: &EngineCommand) -> Result<OpponentEngine> {
        let mut engine = Engine::start(command)?;
        engine.configure(&command.options)?;
        let (asked, requests) = unbounded();
        let (answers, replies) = unbounded();
        let urgency = Arc::new(Urgency::default());
        let shared = Arc::clone(&urgency);
        let name = match command.name.as_deref().unwrap_or(engine.name()) {
            "" => command.label(),
            name => name.to_owned(),
        };
        let thread = threads::spawn(move || serve(engine, &requests, &answers, &shared))?;
        Ok(OpponentEngine {
            name,
            replies,
            asked: Some(asked),
            is_new_game: true,
            urgency,
            thread: Some(thread),
        })
    }

    /// The next request belongs to another game.
    pub(super) fn new_game(&mut self) {
        self.is_new_game = true;
    }

    /// Asks for a move.
    pub(super) fn ask(&mut self, game: &Game, limits: Limits) {
        self.urgency.move_now.store(false, Ordering::Relaxed);
        if let Some(asked) = &self.asked {
            // If the thread has ended, it has sent a fault.
            let _ = asked.send(Request {
                game: game.clone(),
                limits,
                is_new_game: std::mem::take(&mut self.is_new_game),
            });
        }
    }

    /// Tells it to move now.
    pub(super) fn hurry(&self) {
        self.urgency.move_now.store(true, Ordering::Relaxed);
    }
}

impl Drop for OpponentEngine {
    fn drop(&mut self) {
        self.hurry();
        self.urgency.quit.store(true, Ordering::Relaxed);
        self.asked = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(
    mut engine: Engine,
    requests: &Receiver<Request>,
    answers: &Sender<Reply>,
    urgency: &Urgency,
) {
    for request in requests {
        let reply = think(&mut engine, &request, urgency);
        if answers.send(reply).is_err() {
            break;
        }
    }
    engine.quit(STOP_TIMEOUT);
}

/// Tells the engine of another game, and who plays it.
fn announce(engine: &mut Engine, is_new_game: bool) -> Result {
    if is_new_game {
        let you = Opponent {
            name: "You".to_owned(),
            ..Opponent::default()
        };
        engine.new_game(Some(&you))?;
    }
    Ok(())
}

fn think(engine: &mut Engine, request: &Request, urgency: &Urgency) -> Reply {
    let (game, limits) = (&request.game, request.limits.clone());
    let turn = game.position().turn();
    let clock = limits.clocks[turn].map(|clock| clock.remaining);
    let began = Instant::now();
    let mut deadline = limits
        .move_time
        .or(clock)
        .map(|time| began + time + TIME_MARGIN);
    let begun = announce(engine, request.is_new_game)
        .and_then(|()| Ok(engine.begin(game, &EngineRequest::new(limits))?));
    if let Err(error) = begun {
        return Reply::Fault(error.to_string());
    }
    let (mut is_stopped, mut is_leaving) = (false, false);
    loop {
        if urgency.move_now.load(Ordering::Relaxed) && !is_stopped {
            engine.stop();
            is_stopped = true;
        }
        if urgency.quit.load(Ordering::Relaxed) && !is_leaving {
            let soon = Instant::now() + STOP_TIMEOUT;
            deadline = Some(deadline.map_or(soon, |deadline| deadline.min(soon)));
            is_leaving = true;
        }
        match engine.next(Some(TICK)) {
            Ok(SearchEvent::Info(_)) => {}
            Ok(SearchEvent::Done(played)) if played.resigned => return Reply::Resign,
            Ok(SearchEvent::Done(played)) => {
                let Some(best) = played.best else {
                    if played.claim == Some("1/2-1/2") && game.outcome(true).is_some() {
                        return Reply::Draw;
                    }
                    return Reply::Fault("The engine sent no move.".to_owned());
                };
                let score = played.info.score.map(|score| score.white().to_string());
                let depth = played.info.depth.map(|depth| format!("depth {depth}"));
                let parts: Vec<String> = score.into_iter().chain(depth).collect();
                return Reply::Move {
                    best,
                    opinion: parts.join(", "),
                    offers_draw: played.draw_offered,
                };
            }
            Err(mut error) => {
                if let ErrorKind::TimedOut { after, .. } = &mut error.kind {
                    if deadline.is_none_or(|deadline| Instant::now() < deadline) {
                        continue;
                    }
                    *after = began.elapsed();
                }
                return Reply::Fault(error.to_string());
            }
        }
    }
}
