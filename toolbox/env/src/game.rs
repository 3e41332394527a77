//! One game as a reinforcement learner plays it.

use super::action::{self, ACTIONS};
use super::history::PositionHistory;
use super::observation::{self, Form, PositionChannels};
use engine_core::{Color, Faults, Move, Outcome, Position, Setup, Termination};
use std::fmt;

/// The configuration of an environment. The default is `PettingZoo`'s `chess_v6`; all but the form
/// of the observation is an extension.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The form of observations.
    pub form: Form,
    /// Where games start; `None` for the start position of chess.
    pub start: Option<Position>,
    /// After how many plies a game is truncated.
    pub max_plies: Option<u32>,
}

/// Why an action or request is refused. Nothing has changed then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EnvError {
    /// No game was started.
    NotReset,
    /// The game is over.
    Over,
    /// A number that is no action. An illegal move is no error: it loses the game.
    NoAction(usize),
    /// A slice of another length than needed.
    Length {
        /// The length that is right.
        needed: usize,
        /// The length that it had.
        given: usize,
    },
    /// A start position that cannot be played.
    Fen(String),
}

impl fmt::Display for EnvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EnvError::NotReset => f.write_str("reset comes first"),
            EnvError::Over => f.write_str("the game is over; reset to play another"),
            EnvError::NoAction(action) => f.write_str(&no_action(action)),
            EnvError::Length { needed, given } => {
                write!(f, "{given} values given, {needed} needed")
            }
            EnvError::Fen(fault) => f.write_str(fault),
        }
    }
}

impl std::error::Error for EnvError {}

/// The message for a number that is no action.
pub(crate) fn no_action(number: impl fmt::Display) -> String {
    format!("{number} is not an action: 0 to {} expected", ACTIONS - 1)
}

/// Reads a start position. Faults that a game can be played with are ignored.
///
/// # Errors
/// Says all that is wrong.
pub fn start_from_fen(fen: &str) -> Result<Position, EnvError> {
    let setup = Setup::from_fen(fen).map_err(|error| EnvError::Fen(error.to_string()))?;
    Position::from_setup(&setup, setup.castling_mode())
        .or_else(|error| error.ignore(Faults::PLAYABLE))
        .map_err(|error| EnvError::Fen(error.to_string()))
}

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// By the rules; a draw counts as soon as it can be claimed for the present position or the
    /// next move.
    Outcome(Outcome),
    /// The player made a move that is not legal.
    Illegal(Color),
    /// The limit of plies is reached.
    Limit,
}

/// One game.
///
/// ```
/// use engine_core::Color;
/// use env::{ACTIONS, Config, Env, Form};
///
/// let mut env = Env::new(Config::default());
/// let mut mask = [0; ACTIONS];
/// env.mask(&mut mask)?;
/// let action = mask.iter().position(|&legal| legal == 1).expect("a legal move");
/// env.step(action)?;
/// let mut observation = vec![0; Form::Stacked.bytes()];
/// env.observe(env.player(), &mut observation)?;
/// assert_eq!(env.player(), Color::Black);
/// assert_eq!(env.rewards(), [0, 0]);
/// # Ok::<(), env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Env {
    config: Config,
    position: Position,
    history: PositionHistory,
    /// The legal actions, computed once for each position.
    legal: Vec<(usize, Move)>,
    plies: u32,
    end: Option<GameEnd>,
}

impl Env {
    /// An environment at the start of its first game.
    pub fn new(config: Config) -> Env {
        let position = config.start.unwrap_or_else(Position::start);
        let history = PositionHistory::new(&position);
        let mut env = Env {
            config,
            position,
            history,
            legal: Vec::new(),
            plies: 0,
            end: None,
        };
        env.arrive();
        env
    }

    /// Starts another game.
    pub fn reset(&mut self) {
        self.reset_to(self.config.start);
    }

    /// Starts a game from another position, or from the start position of chess.
    pub fn reset_to(&mut self, start: Option<Position>) {
        self.position = start.unwrap_or_else(Position::start);
        self.history.reset(&self.position);
        self.plies = 0;
        self.arrive();
    }

    /// Finds the legal actions and the end of the game for a new position.
    fn arrive(&mut self) {
        self.legal.clear();
        for m in &self.position.legal_moves() {
            self.legal.push((action::encode(&self.position, m), m));
        }
        self.end = self.find_end();
    }

    /// Plays an action. An illegal one loses the game.
    ///
    /// # Errors
    /// When the game is over, or the number is not that of an action.
    pub fn step(&mut self, action: usize) -> Result<(), EnvError> {
        if self.end.is_some() {
            return Err(EnvError::Over);
        }
        if action >= ACTIONS {
            return Err(EnvError::NoAction(action));
        }
        let found = self.legal.iter().find(|(legal, _)| *legal == action);
        if let Some(&(_, m)) = found {
            self.position.play(m);
            self.history.push(&self.position);
            self.plies += 1;
            self.arrive();
        } else {
            self.legal.clear();
            self.end = Some(GameEnd::Illegal(self.position.turn()));
        }
        Ok(())
    }

    fn find_end(&self) -> Option<GameEnd> {
        let position = &self.position;
        let draw = |termination| Some(Outcome::draw(termination));
        let outcome = position.outcome().or_else(|| {
            if position.can_claim_fifty() {
                draw(Termination::FiftyMoves)
            } else if self.history.can_claim_threefold(position) {
                draw(Termination::ThreefoldRepetition)
            } else {
                None
            }
        });
        let limit = self
            .config
            .max_plies
            .is_some_and(|limit| self.plies >= limit);
        outcome
            .map(GameEnd::Outcome)
            .or(limit.then_some(GameEnd::Limit))
    }

    /// The player to act: player 0 is White, player 1 is Black. After an illegal action it is the
    /// opponent, although the position stays.
    pub fn player(&self) -> Color {
        match self.end {
            Some(GameEnd::Illegal(player)) => !player,
            _ => self.position.turn(),
        }
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// How the game has ended.
    pub fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// The rewards of the last step for player 0 and player 1.
    pub fn rewards(&self) -> [i8; 2] {
        match self.end {
            Some(GameEnd::Outcome(outcome)) => match outcome.winner {
                Some(Color::White) => [1, -1],
                Some(Color::Black) => [-1, 1],
                None => [0, 0],
            },
            Some(GameEnd::Illegal(Color::White)) => [-1, 0],
            Some(GameEnd::Illegal(Color::Black)) => [0, -1],
            Some(GameEnd::Limit) | None => [0, 0],
        }
    }

    /// Whether the game has ended by the rules or by an illegal action.
    pub fn is_terminated(&self) -> bool {
        matches!(self.end, Some(GameEnd::Outcome(_) | GameEnd::Illegal(_)))
    }

    /// Whether the game was cut off, as an illegal action does, too.
    pub fn is_truncated(&self) -> bool {
        matches!(self.end, Some(GameEnd::Limit | GameEnd::Illegal(_)))
    }

    /// Writes a player's observation.
    ///
    /// # Errors
    /// When the slice has not the length of the form.
    pub fn observe(&self, player: Color, out: &mut [u8]) -> Result<(), EnvError> {
        check_length(out.len(), self.config.form.bytes())?;
        match self.config.form {
            Form::Stacked => {
                observation::write_stacked(out, player, &self.position, self.history.stack());
            }
            Form::Single => {
                let frame = PositionChannels::new(&self.position, self.history.is_repeated());
                observation::write_single(out, player, &self.position, &frame);
            }
        }
        Ok(())
    }

    /// Writes 1 for each legal action of the player to act and 0 for all others. There are legal
    /// actions after a draw, too, but none after an illegal action.
    ///
    /// # Errors
    /// When the slice has not one byte for each action.
    pub fn mask(&self, out: &mut [u8]) -> Result<(), EnvError> {
        check_length(out.len(), ACTIONS)?;
        out.fill(0);
        for &(action, _) in &self.legal {
            if let Some(byte) = out.get_mut(action) {
                *byte = 1;
            }
        }
        Ok(())
    }

    /// The legal actions of the player to act, with their moves: the same as in [`Env::mask`].
    pub fn legal(&self) -> &[(usize, Move)] {
        &self.legal
    }
}

/// Whether a buffer has the length that it must have.
pub(crate) fn check_length(given: usize, needed: usize) -> Result<(), EnvError> {
    if given == needed {
        Ok(())
    } else {
        Err(EnvError::Length { needed, given })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(fen: &str, max_plies: Option<u32>) -> Env {
        Env::new(Config {
            start: Some(start_from_fen(fen).unwrap()),
            max_plies,
            ..Config::default()
        })
    }

    fn play(env: &mut Env, line: &str) {
        for text in line.split_whitespace() {
            let m = env.position().parse_uci(text).unwrap();
            let action = action::encode(env.position(), m);
            env.step(action).unwrap();
        }
    }

    fn facts(env: &Env) -> ([i8; 2], bool, bool) {
        (env.rewards(), env.is_terminated(), env.is_truncated())
    }

    #[test]
    fn mate_is_won_and_lost() {
        let mut env = Env::new(Config::default());
        play(&mut env, "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(facts(&env), ([-1, 1], true, false));
        assert_eq!(env.step(0), Err(EnvError::Over));
        env.reset();
        assert_eq!(facts(&env), ([0, 0], false, false));
        assert_eq!(env.legal().len(), 20);
    }

    #[test]
    fn a_draw_that_the_next_move_can_claim_ends_the_game() {
        let mut env = Env::new(Config::default());
        play(&mut env, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6");
        assert_eq!(env.end(), None);
        play(&mut env, "f3g1");
        assert_eq!(facts(&env), ([0, 0], true, false));
        // The moves are still shown.
        assert!(!env.legal().is_empty());

        let mut env = self::env("4k3/8/8/8/8/8/8/R3K3 w - - 97 90", None);
        play(&mut env, "a1a2");
        assert_eq!(env.end(), None);
        play(&mut env, "e8e7");
        let draw = Outcome::draw(Termination::FiftyMoves);
        assert_eq!(env.end(), Some(GameEnd::Outcome(draw)));
    }

    #[test]
    fn an_illegal_action_loses() {
        let mut env = Env::new(Config::default());
        assert_eq!(env.step(ACTIONS), Err(EnvError::NoAction(ACTIONS)));
        assert_eq!(env.end(), None);
        play(&mut env, "e2e4");
        env.step(0).unwrap();
        assert_eq!(facts(&env), ([0, -1], true, true));
        assert_eq!(env.player(), Color::White);
        let mut mask = [9; ACTIONS];
        env.mask(&mut mask).unwrap();
        assert_eq!(mask, [0; ACTIONS]);
    }

    #[test]
    fn extensions() {
        let mut env = env("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", Some(2));
        assert_eq!(env.player(), Color::Black);
        play(&mut env, "e8e7");
        assert_eq!(facts(&env), ([0, 0], false, false));
        play(&mut env, "e2e4");
        assert_eq!(facts(&env), ([0, 0], false, true));
        // A start that is an end.
        let env = self::env("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None);
        assert_eq!(facts(&env), ([0, 0], true, false));
        assert!(start_from_fen("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
        assert!(start_from_fen("no position").is_err());
    }

    #[test]
    fn slices_of_another_length_are_refused() {
        let env = Env::new(Config::default());
        let error = |given, needed| Err(EnvError::Length { needed, given });
        assert_eq!(env.mask(&mut [0; 3]), error(3, ACTIONS));
        let needed = Form::Stacked.bytes();
        assert_eq!(env.observe(Color::White, &mut []), error(0, needed));
    }
}
