//! One game between two players.

use super::adjudicate::{Adjudication, Judge};
use super::control::Clocks;
use super::opening::Opening;
use super::player::Player;
use crate::client::{self, ErrorKind, Info, PovScore, Protocol, Request, Result};
use engine_core::search::Bound;
use engine_core::{Color, Game, Move, Termination, dispatch};
use serde::Serialize;
use std::time::Duration;

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game, from its opening on.
    pub game: Game,
    /// What is known of each move; nothing of those of the opening.
    pub notes: Vec<Note>,
    /// How it ended.
    pub ending: Ending,
    /// Lines that engines told and that are wrong: whose, at which ply, and why.
    pub bad_lines: Vec<(Color, usize, &'static str)>,
}

/// What is known of a move beside the move.
#[derive(Clone, Debug, Default)]
pub struct Note {
    /// The score that its side told.
    pub score: Option<PovScore>,
    /// The depth that it told.
    pub depth: Option<u32>,
    /// How long it took.
    pub elapsed: Option<Duration>,
    /// What the clock shows after it.
    pub clock: Option<Duration>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who has won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why, in few words that are the same for all such ends.
    pub reason: &'static str,
    /// Whose fault it was, if anybody's.
    pub fault: Option<(Color, Fault)>,
    /// More about the fault.
    pub detail: Option<String>,
}

/// What a sound engine never does; each loses the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It moves against the rules, or not at all.
    IllegalMove,
    /// It oversteps its time.
    TimeLoss,
    /// Its process ends.
    Crash,
    /// It does not answer at all.
    Hang,
    /// It says that the game has ended otherwise than it has, or refuses a legal move.
    WrongClaim,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 5] = [
        Fault::IllegalMove,
        Fault::TimeLoss,
        Fault::Crash,
        Fault::Hang,
        Fault::WrongClaim,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Fault::IllegalMove => "illegal move",
            Fault::TimeLoss => "time loss",
            Fault::Crash => "crash",
            Fault::Hang => "hang",
            Fault::WrongClaim => "wrong claim",
        }
    }

    /// The fault behind an engine's error; `None` if it was not the engine's.
    fn of(error: &client::Error) -> Option<Fault> {
        match error.kind {
            ErrorKind::Ended { .. } => Some(Fault::Crash),
            ErrorKind::TimedOut { .. } => Some(Fault::Hang),
            ErrorKind::IllegalMove { .. } => Some(Fault::IllegalMove),
            ErrorKind::Refused(_) => Some(Fault::WrongClaim),
            ErrorKind::Start(_) | ErrorKind::Unsupported(_) | ErrorKind::Interrupted => None,
        }
    }
}

impl Ending {
    fn new(winner: Option<Color>, reason: &'static str) -> Ending {
        Ending {
            winner,
            reason,
            fault: None,
            detail: None,
        }
    }

    fn fault(color: Color, fault: Fault, detail: Option<String>) -> Ending {
        Ending {
            fault: Some((color, fault)),
            detail,
            ..Ending::new(Some(!color), fault.name())
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// How long beyond its time an engine may think before it counts as hung.
const OVERTIME: Duration = Duration::from_secs(5);
/// A move that only nodes or plies bound may take so long.
const LONGEST_MOVE: Duration = Duration::from_secs(600);
/// Moves after which any game is drawn: some variants have endless ones.
const LONGEST_GAME: u32 = 1000;

/// Plays a game. What engines do wrong loses it; an engine that has failed is started anew for
/// the next one.
///
/// # Errors
/// When an engine cannot be started, does not offer what is asked, or the game is interrupted.
pub fn play(
    white: &mut Player,
    black: &mut Player,
    opening: &Opening,
    rules: &Adjudication,
) -> Result<Played> {
    let names = [white.name().to_owned(), black.name().to_owned()];
    let clocks = Clocks::new(engine_core::ByColor([
        white.entrant().pace,
        black.entrant().pace,
    ]));
    let game = opening.game();
    let mut table = Table {
        notes: vec![Note::default(); game.moves().len()],
        bad_lines: Vec::new(),
        judge: Judge::new(rules),
        game,
        clocks,
        players: [white, black],
        offer: None,
        pondering: [None; 2],
    };
    let ending = match table.prepare(&names)? {
        Some(ending) => ending,
        None => table.play()?,
    };
    table.dismiss(&ending);
    Ok(Played {
        game: table.game,
        notes: table.notes,
        ending,
        bad_lines: table.bad_lines,
    })
}

/// A game in progress.
struct Table<'p> {
    game: Game,
    notes: Vec<Note>,
    bad_lines: Vec<(Color, usize, &'static str)>,
    clocks: Clocks,
    judge: Judge,
    players: [&'p mut Player; 2],
    /// Who has offered a draw with the last move.
    offer: Option<Color>,
    /// The moves that players ponder on.
    pondering: [Option<Move>; 2],
}

impl Table<'_> {
    fn player(&mut self, color: Color) -> &mut Player {
        let [white, black] = &mut self.players;
        if color.is_white() { white } else { black }
    }

    /// Starts both engines.
    fn prepare(&mut self, [white, black]: &[String; 2]) -> Result<Option<Ending>> {
        for (color, opponent) in [(Color::White, black), (Color::Black, white)] {
            let name = opponent.clone();
            if let Err(error) = self.player(color).prepare(&name) {
                return self.blame(color, error).map(Some);
            }
        }
        Ok(None)
    }

    fn play(&mut self) -> Result<Ending> {
        loop {
            if let Some(ending) = by_rules(&self.game) {
                return Ok(ending);
            }
            let turn = self.game.position().turn();
            let played = match self.think(turn) {
                Ok(played) => played,
                Err(error) => return self.blame(turn, error),
            };
            if !self.clocks.count(turn, played.elapsed) {
                let seconds = played.elapsed.as_secs_f64();
                let detail = format!("the move took {seconds:.3} s");
                return Ok(Ending::fault(turn, Fault::TimeLoss, Some(detail)));
            }
            let Some(best) = played.best else {
                return Ok(self.given_up(turn, &played));
            };
            if self.player(turn).entrant().command.protocol == Protocol::Uci
                && let Some(why) = line_fault(&self.game, best, &played.info)
            {
                self.bad_lines.push((turn, self.game.moves().len(), why));
            }
            self.game.play(best);
            self.notes.push(Note {
                score: played.info.score,
                depth: played.info.depth,
                elapsed: Some(played.elapsed),
                clock: self.clocks.left(turn),
            });
            if played.draw_offered && self.offer == Some(!turn) {
                return Ok(Ending::new(None, "agreement"));
            }
            self.offer = played.draw_offered.then_some(turn);
            if by_rules(&self.game).is_none()
                && let Some(note) = self.notes.last()
                && let Some((winner, reason)) = self.judge.hear(&self.game, turn, note)
            {
                return Ok(Ending::new(winner, reason));
            }
            self.ponder(turn, played.ponder);
        }
    }

    /// Has a side search, or tells it that it has pondered on the right move.
    fn think(&mut self, turn: Color) -> Result<client::Played> {
        let mut request = Request::new(self.clocks.limits(turn));
        request.draw_offered = self.offer == Some(!turn);
        let expected = self.pondering.get_mut(turn.index()).and_then(Option::take);
        let is_hit = expected.is_some() && self.game.moves().last() == Some(&expected);
        let game = self.game.clone();
        let player = self.player(turn);
        request.may_ponder = player.entrant().ponder;
        let is_timed = request.limits.move_time.is_some() || request.limits.clocks[turn].is_some();
        request.patience = Some(if is_timed { OVERTIME } else { LONGEST_MOVE });
        let Some(engine) = player.engine() else {
            return Ok(client::Played::default());
        };
        if is_hit && engine.is_searching() {
            engine.ponder_hit();
            engine.wait()
        } else {
            engine.play(&game, &request)
        }
    }

    /// Has a side ponder on its move and the reply that it expects. XBoard engines do so by
    /// themselves.
    fn ponder(&mut self, turn: Color, reply: Option<Move>) {
        let (Some(reply), Some(&Some(_))) = (reply, self.game.moves().last()) else {
            return;
        };
        let mut limits = self.clocks.limits(turn);
        limits.ponder = true;
        let mut game = self.game.clone();
        let player = self.player(turn);
        let entrant = player.entrant();
        if !entrant.ponder || entrant.command.protocol != Protocol::Uci {
            return;
        }
        game.play(reply);
        let request = Request {
            may_ponder: true,
            patience: Some(LONGEST_MOVE),
            ..Request::new(limits)
        };
        // A failure shows when it is to move.
        let begun = player
            .engine()
            .is_some_and(|engine| engine.begin(&game, &request).is_ok());
        if let (true, Some(slot)) = (begun, self.pondering.get_mut(turn.index())) {
            *slot = Some(reply);
        }
    }

    /// How the game ends when a side does not move but says something about the game.
    fn given_up(&self, turn: Color, played: &client::Played) -> Ending {
        let own_loss = if turn.is_white() { "0-1" } else { "1-0" };
        if played.resigned || played.claim == Some(own_loss) {
            return Ending::new(Some(!turn), "resignation");
        }
        if played.claim == Some("1/2-1/2") && self.game.outcome(true).is_some() {
            return Ending::new(None, "claim");
        }
        Ending::fault(turn, Fault::WrongClaim, played.claim.map(str::to_owned))
    }

    /// The end of a game in which an engine has failed, unless the failure was not its own.
    fn blame(&mut self, color: Color, error: client::Error) -> Result<Ending> {
        let Some(fault) = Fault::of(&error) else {
            return Err(error);
        };
        self.player(color).discard();
        Ok(Ending::fault(color, fault, Some(error.to_string())))
    }

    /// Tells the engines how the game ended.
    fn dismiss(&mut self, ending: &Ending) {
        for color in Color::ALL {
            let player = self.player(color);
            let has_failed = player
                .engine()
                .is_some_and(|engine| engine.finish(ending.result(), ending.reason).is_err());
            if has_failed {
                player.discard();
            }
        }
    }
}

/// How the game has ended by its rules, draws by repetition and fifty moves included.
fn by_rules(game: &Game) -> Option<Ending> {
    if let Some(outcome) = game.outcome(false) {
        let reason = match outcome.termination {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::InsufficientMaterial => "insufficient material",
            Termination::FiftyMoves | Termination::SeventyFiveMoves => "fifty moves",
            Termination::ThreefoldRepetition | Termination::FivefoldRepetition => "repetition",
            Termination::VariantWin | Termination::VariantLoss | Termination::VariantDraw => {
                "end of the variant"
            }
        };
        return Some(Ending::new(outcome.winner, reason));
    }
    let (halfmoves, number) = dispatch!(game.position(), |position| {
        (position.halfmoves(), position.fullmoves())
    });
    if halfmoves >= 100 {
        Some(Ending::new(None, "fifty moves"))
    } else if game.is_repetition(3) {
        Some(Ending::new(None, "repetition"))
    } else if number > LONGEST_GAME {
        Some(Ending::new(None, "adjudication: length"))
    } else {
        None
    }
}

/// What is wrong with the line that an engine has told last before its move.
fn line_fault(game: &Game, best: Move, info: &Info) -> Option<&'static str> {
    if info.pv_fault.is_some() {
        return Some("a move of its line is illegal");
    }
    let first = *info.pv.first()?;
    if info.bound == Some(Bound::Exact) && first != best {
        return Some("its line begins with another move");
    }
    let mut game = game.clone();
    for (index, &m) in info.pv.iter().enumerate() {
        if index > 0 && by_rules(&game).is_some() {
            return Some("its line goes on after the end of the game");
        }
        game.play(m);
    }
    None
}
