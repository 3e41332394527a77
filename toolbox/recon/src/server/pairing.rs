//! Pairing ranked players.

use super::event::Event;
use super::refusal::Refusal;
use super::state::{MAX_GAMES, ServerState, User};
use std::time::Instant;

/// How many games are begun at a time, so that other requests need not wait for all of them.
const MAX_PAIRS: usize = 32;

impl ServerState {
    /// Notes that a user has sent a request.
    pub(super) fn note_activity(&mut self, number: usize) {
        if let Some(user) = self.user_mut(number) {
            user.seen = Some(Instant::now());
        }
    }

    /// Makes sure that a user is there who plays for the server, with this hash of a password.
    /// Games that it was in are taken up again: its invitations are open once more.
    pub(super) fn admit_resident(&mut self, name: &str, hash: &str) -> Result<(), Refusal> {
        if self.find_user(name).is_none() {
            self.commit(&Event::User {
                name: name.to_owned(),
                email: None,
                affiliation: None,
                hash: hash.to_owned(),
            })?;
        }
        let number = self.find_user(name).map_or(0, |(number, _)| number);
        self.reopen_invitations(number);
        if let Some(user) = self.user_mut(number) {
            hash.clone_into(&mut user.hash);
            user.is_resident = true;
            user.max_games = MAX_GAMES;
        }
        Ok(())
    }

    /// Pairs ranked users who have room for another game, those with the fewest games first: two
    /// with each other, one alone with a bot of the server itself.
    pub(super) fn pair_ranked(&mut self) {
        let mut playing = self.games_by_user();
        for _ in 0..MAX_PAIRS {
            let games_of = |number| playing.get(&number).copied().unwrap_or(0);
            let waits = |&(number, user): &(usize, &User)| {
                user.ranked
                    && !user.is_resident
                    && ServerState::is_active(user)
                    && games_of(number) < user.max_games
            };
            let mut waiting: Vec<(u32, usize)> = self
                .users()
                .filter(waits)
                .map(|(number, _)| (games_of(number), number))
                .collect();
            // Who plays least comes first.
            waiting.sort_unstable();
            let Some(&(_, one)) = waiting.first() else {
                return;
            };
            let residents = || {
                let residents = self.users().filter(|(_, user)| user.is_resident);
                let idle = residents.filter(|&(number, user)| games_of(number) < user.max_games);
                idle.map(|(number, _)| number)
                    .min_by_key(|&number| games_of(number))
            };
            let other = waiting.get(1).map(|&(_, number)| number).or_else(residents);
            let Some(other) = other else {
                return;
            };
            let whites = |number| self.user(number).map_or(0, |user| user.whites);
            let (white, black) = if whites(one) <= whites(other) {
                (one, other)
            } else {
                (other, one)
            };
            // Both are invited.
            if let Err(error) = self.add_game(white, black, true, &[white, black]) {
                log::error!("no game between {white} and {black}: {error}");
                return;
            }
            for number in [one, other] {
                *playing.entry(number).or_default() += 1;
            }
        }
    }
}
