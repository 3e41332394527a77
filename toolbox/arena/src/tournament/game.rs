//! One game between two players.

use super::adjudicate::{AdjudicationPolicy, Adjudicator};
use super::clocks::Clocks;
use super::ending::{AGREEMENT, CLAIM, EngineFault, GameEnding, RESIGNATION, reason_of};
use super::move_data::MoveData;
use super::opening::Opening;
use super::player::EnginePlayer;
use crate::client::{self, EngineRequest, Info, Protocol, Result};
use engine_core::search::Bound;
use engine_core::{Color, Game, Move};
use std::time::Duration;

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The game, from its opening on.
    pub game: Game,
    /// What is known of each move; nothing of those of the opening.
    pub moves: Vec<MoveData>,
    /// How it ended.
    pub ending: GameEnding,
    /// Wrong principal variations: whose, at which ply, and why.
    pub bad_lines: Vec<(Color, usize, &'static str)>,
}

/// How long beyond its time and the margin of its clock an engine may think before it counts as hung.
const TIME_MARGIN: Duration = Duration::from_secs(5);
/// How long a search without a time limit may take.
const LONGEST_MOVE: Duration = Duration::from_mins(10);
/// After how many plies any game is drawn: in some variants games may be endless.
const LONGEST_GAME: usize = 2000;

/// Plays a game. An engine's fault loses it; an engine that has failed is restarted for the next
/// game.
///
/// # Errors
/// When an engine cannot be started, does not support the request, or the game is interrupted.
pub fn play(
    white: &mut EnginePlayer,
    black: &mut EnginePlayer,
    opening: &Opening,
    policy: &AdjudicationPolicy,
) -> Result<PlayedGame> {
    let names = [white.name().to_owned(), black.name().to_owned()];
    let clocks = Clocks::new(engine_core::ByColor([
        white.entrant().limits,
        black.entrant().limits,
    ]));
    let game = opening.game();
    let mut game = GameInProgress {
        moves: vec![MoveData::default(); game.moves().len()],
        bad_lines: Vec::new(),
        adjudicator: Adjudicator::new(policy),
        game,
        clocks,
        players: [white, black],
        offer: None,
        pondering: [None; 2],
    };
    let ending = match game.prepare(&names)? {
        Some(ending) => ending,
        None => game.play()?,
    };
    game.send_end(&ending);
    Ok(PlayedGame {
        game: game.game,
        moves: game.moves,
        ending,
        bad_lines: game.bad_lines,
    })
}

/// A game in progress.
struct GameInProgress<'p> {
    game: Game,
    moves: Vec<MoveData>,
    bad_lines: Vec<(Color, usize, &'static str)>,
    clocks: Clocks,
    adjudicator: Adjudicator,
    players: [&'p mut EnginePlayer; 2],
    /// Who has offered a draw with the last move.
    offer: Option<Color>,
    /// The moves that players ponder on.
    pondering: [Option<Move>; 2],
}

impl GameInProgress<'_> {
    fn player(&mut self, color: Color) -> &mut EnginePlayer {
        let [white, black] = &mut self.players;
        if color.is_white() { white } else { black }
    }

    /// Starts both engines.
    fn prepare(&mut self, [white, black]: &[String; 2]) -> Result<Option<GameEnding>> {
        for (color, opponent) in [(Color::White, black), (Color::Black, white)] {
            let name = opponent.clone();
            if let Err(error) = self.player(color).prepare(&name) {
                return self.blame(color, error).map(Some);
            }
        }
        Ok(None)
    }

    fn play(&mut self) -> Result<GameEnding> {
        if let Some(ending) = by_rules(&self.game) {
            return Ok(ending);
        }
        loop {
            let turn = self.game.position().turn();
            let played = match self.think(turn) {
                Ok(played) => played,
                Err(error) => return self.blame(turn, error),
            };
            if !self.clocks.count(turn, played.elapsed) {
                let seconds = played.elapsed.as_secs_f64();
                let detail = format!("the move took {seconds:.3} s");
                return Ok(GameEnding::fault(turn, EngineFault::TimeLoss, Some(detail)));
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
            self.moves.push(MoveData {
                score: played.info.score,
                depth: played.info.depth,
                elapsed: Some(played.elapsed),
                clock: self.clocks.left(turn),
            });
            // A mate ends the game at once, whatever was offered before.
            if let Some(ending) = by_rules(&self.game) {
                return Ok(ending);
            }
            if played.draw_offered && self.offer == Some(!turn) {
                return Ok(GameEnding::new(None, AGREEMENT));
            }
            self.offer = played.draw_offered.then_some(turn);
            if let Some(data) = self.moves.last()
                && let Some((winner, reason)) = self.adjudicator.judge(&self.game, turn, data)
            {
                return Ok(GameEnding::new(winner, reason));
            }
            self.ponder(turn, played.ponder);
        }
    }

    /// What a side is asked for when it is to move.
    fn request(&mut self, turn: Color) -> EngineRequest {
        let mut request = EngineRequest::new(self.clocks.search_limits(turn));
        let entrant = self.player(turn).entrant();
        request.may_ponder = entrant.ponder;
        let limits = &request.limits;
        let is_timed = limits.move_time.is_some() || limits.clocks[turn].is_some();
        request.time_margin = Some(if is_timed {
            entrant.limits.margin + TIME_MARGIN
        } else {
            LONGEST_MOVE
        });
        request
    }

    /// Has a side search, or sends it the ponder hit, and waits for its move.
    fn think(&mut self, turn: Color) -> Result<client::PlayResult> {
        let mut request = self.request(turn);
        request.draw_offered = self.offer == Some(!turn);
        let expected = self.pondering.get_mut(turn.index()).and_then(Option::take);
        let is_hit = expected.is_some() && self.game.moves().last() == Some(&expected);
        let game = self.game.clone();
        let player = self.player(turn);
        let Some(engine) = player.engine() else {
            return Ok(client::PlayResult::default());
        };
        if is_hit && engine.is_searching() {
            engine.ponder_hit();
            engine.wait()
        } else {
            engine.play(&game, &request)
        }
    }

    /// Has a side that can do so ponder on its move and the reply that it expects. XBoard engines do it
    /// by themselves.
    fn ponder(&mut self, turn: Color, reply: Option<Move>) {
        let (Some(reply), Some(&Some(_))) = (reply, self.game.moves().last()) else {
            return;
        };
        let mut request = self.request(turn);
        request.limits.ponder = true;
        let mut game = self.game.clone();
        let player = self.player(turn);
        let entrant = player.entrant();
        if !entrant.ponder || entrant.command.protocol != Protocol::Uci {
            return;
        }
        game.play(reply);
        // A failure is handled when the side is to move.
        let begun = player
            .engine()
            .filter(|engine| engine.has_option("Ponder"))
            .is_some_and(|engine| engine.begin(&game, &request).is_ok());
        if let (true, Some(slot)) = (begun, self.pondering.get_mut(turn.index())) {
            *slot = Some(reply);
        }
    }

    /// How the game ends when a side resigns, accepts a draw or claims a result instead of moving.
    fn given_up(&self, turn: Color, played: &client::PlayResult) -> GameEnding {
        if played.resigned {
            return GameEnding::new(Some(!turn), RESIGNATION);
        }
        let is_draw = played.claim == Some("1/2-1/2");
        if self.offer == Some(!turn) && (is_draw || played.draw_offered) {
            return GameEnding::new(None, AGREEMENT);
        }
        if is_draw && self.game.outcome(true).is_some() {
            return GameEnding::new(None, CLAIM);
        }
        GameEnding::fault(
            turn,
            EngineFault::WrongClaim,
            played.claim.map(str::to_owned),
        )
    }

    /// The end of a game in which an engine has failed, unless the failure was not its own. One
    /// that has never started cannot lose a game: that is an error.
    fn blame(&mut self, color: Color, error: client::Error) -> Result<GameEnding> {
        let fault = EngineFault::of(&error).filter(|_| self.player(color).has_started());
        let Some(fault) = fault else {
            return Err(error);
        };
        self.player(color).discard();
        Ok(GameEnding::fault(color, fault, Some(error.to_string())))
    }

    /// Informs the engines how the game ended.
    fn send_end(&mut self, ending: &GameEnding) {
        for color in Color::ALL {
            let player = self.player(color);
            let has_failed = player
                .engine()
                .is_some_and(|engine| engine.finish(ending.result(), &ending.reason).is_err());
            if has_failed {
                player.discard();
            }
        }
    }
}

/// How the game has ended by its rules, draws by repetition and fifty moves included.
pub(super) fn by_rules(game: &Game) -> Option<GameEnding> {
    if let Some(outcome) = game.outcome(false) {
        let reason = reason_of(outcome.termination);
        return Some(GameEnding::new(outcome.winner, reason));
    }
    if let Some(termination) = game.claimable_draw() {
        Some(GameEnding::new(None, reason_of(termination)))
    } else if game.moves().len() >= LONGEST_GAME {
        Some(GameEnding::new(None, "adjudication: length"))
    } else {
        None
    }
}

/// What is wrong with the last principal variation of an engine before its move.
fn line_fault(game: &Game, best: Move, info: &Info) -> Option<&'static str> {
    if info.pv_fault.is_some() {
        return Some("its PV has an illegal move");
    }
    let first = *info.pv.first()?;
    if info.bound == Some(Bound::Exact) && first != best {
        return Some("its PV begins with another move");
    }
    let mut game = game.clone();
    for (index, &m) in info.pv.iter().enumerate() {
        if index > 0 && by_rules(&game).is_some() {
            return Some("its PV continues after the end of the game");
        }
        game.play(m);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{AnyPosition, CastlingMode, Variant};

    #[test]
    fn crazyhouse_has_no_fifty_moves() {
        let ending = |variant| {
            let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 100 90";
            let position = AnyPosition::from_fen(variant, fen, CastlingMode::Standard).unwrap();
            by_rules(&Game::new(position)).map(|ending| ending.reason)
        };
        assert_eq!(ending(Variant::Standard), Some("fifty moves".into()));
        assert_eq!(ending(Variant::Crazyhouse), None);
    }

    #[test]
    fn only_moves_of_the_game_make_it_long() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 5000";
        let start = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard).unwrap();
        assert_eq!(by_rules(&Game::new(start)), None);
    }
}
