//! Many games side by side, for learners that take many observations at once.

use super::action::ACTIONS;
use super::game::{Config, Env, EnvError, check_length};
use engine_core::{Color, Position};

/// Games that are stepped together. One that is over starts again with the next step, whose action
/// for it is ignored, so that its last observation can be seen.
///
/// ```
/// use env::{ACTIONS, Batch, Config, Form};
///
/// let mut batch = Batch::new(&Config::default(), 8);
/// let mut observations = vec![0; 8 * Form::Stacked.bytes()];
/// let mut masks = vec![0; 8 * ACTIONS];
/// batch.masks(&mut masks)?;
/// let first = |mask: &[u8]| mask.iter().position(|&legal| legal == 1).unwrap_or(0) as u16;
/// let actions: Vec<u16> = masks.chunks(ACTIONS).map(first).collect();
/// batch.step(&actions)?;
/// batch.observe(None, &mut observations)?;
/// # Ok::<(), env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    envs: Vec<Env>,
}

impl Batch {
    /// So many games of the same kind.
    pub fn new(config: &Config, games: usize) -> Batch {
        Batch {
            envs: vec![Env::new(config.clone()); games],
        }
    }

    /// The games.
    pub fn envs(&self) -> &[Env] {
        &self.envs
    }

    /// Starts all games again.
    pub fn reset(&mut self) {
        self.envs.iter_mut().for_each(Env::reset);
    }

    /// Starts each game from a position, or from the start position of chess.
    ///
    /// # Errors
    /// When there are not as many positions as games.
    pub fn reset_to(&mut self, starts: &[Option<Position>]) -> Result<(), EnvError> {
        check_length(starts.len(), self.envs.len())?;
        for (env, start) in self.envs.iter_mut().zip(starts) {
            env.reset_to(*start);
        }
        Ok(())
    }

    /// Plays one action in each game.
    ///
    /// # Errors
    /// When the numbers of actions and games differ, or an action is invalid. No game is stepped then.
    pub fn step(&mut self, actions: &[u16]) -> Result<(), EnvError> {
        check_length(actions.len(), self.envs.len())?;
        let actions = actions.iter().map(|&action| usize::from(action));
        if let Some(action) = actions.clone().find(|&action| action >= ACTIONS) {
            return Err(EnvError::NoAction(action));
        }
        for (env, action) in self.envs.iter_mut().zip(actions) {
            if env.end().is_some() {
                env.reset();
            } else {
                env.step(action)?;
            }
        }
        Ok(())
    }

    /// Writes a player's observation of each game; that of the player to act if none is named.
    ///
    /// # Errors
    /// When the slice has another length than all observations.
    pub fn observe(&self, player: Option<Color>, out: &mut [u8]) -> Result<(), EnvError> {
        let form = self.envs.first().map(|env| env.config().form);
        let size = form.unwrap_or_default().bytes();
        check_length(out.len(), self.envs.len() * size)?;
        for (env, out) in self.envs.iter().zip(out.chunks_exact_mut(size)) {
            env.observe(player.unwrap_or(env.player()), out)?;
        }
        Ok(())
    }

    /// Writes the masks of the players to act.
    ///
    /// # Errors
    /// When the slice has another length than all masks.
    pub fn masks(&self, out: &mut [u8]) -> Result<(), EnvError> {
        check_length(out.len(), self.envs.len() * ACTIONS)?;
        for (env, out) in self.envs.iter().zip(out.chunks_exact_mut(ACTIONS)) {
            env.mask(out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_over_starts_again() {
        let mut batch = Batch::new(&Config::default(), 2);
        // The first plays a2a3, the second what is not legal.
        batch.step(&[77, 0]).unwrap();
        let plies = |batch: &Batch| -> Vec<bool> {
            let started = |env: &Env| env.position() == &Position::start();
            batch.envs().iter().map(started).collect()
        };
        assert_eq!(batch.envs()[1].rewards(), [-1, 0]);
        batch.step(&[77, 0]).unwrap();
        assert_eq!(batch.envs()[1].end(), None);
        assert_eq!(plies(&batch), [false, true]);
    }

    #[test]
    fn nothing_is_stepped_when_something_is_wrong() {
        let mut batch = Batch::new(&Config::default(), 2);
        assert_eq!(batch.step(&[77, 4672]), Err(EnvError::NoAction(4672)));
        assert!(batch.step(&[77]).is_err());
        assert!(batch.masks(&mut [0; 7]).is_err());
        assert!(batch.observe(None, &mut []).is_err());
        assert_eq!(batch.envs()[0].position(), &Position::start());
    }
}
