//! Who plays whom.

use super::refusal::Refusal;
use super::state::{Event, State};
use std::time::Instant;

impl State {
    /// A user was heard of.
    pub(super) fn note_activity(&mut self, number: usize) {
        if let Some(user) = self.user_mut(number) {
            user.seen = Some(Instant::now());
        }
    }

    /// Makes sure that a user is there who plays for the server, with this hash of a password. Games
    /// that it was in are taken up again: its invitations are open once more.
    pub(super) fn admit_house(
        &mut self,
        name: &str,
        hash: &str,
    ) -> std::result::Result<(), Refusal> {
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
            user.is_house = true;
            user.max_games = u32::MAX;
        }
        Ok(())
    }

    /// Pairs ranked users who have room for another game: with each other where there are two, who
    /// have not just the same, else with one of the house.
    pub(super) fn pair_ranked(&mut self) {
        loop {
            let waits = |&(number, user): &(usize, &super::state::User)| {
                user.ranked
                    && !user.is_house
                    && State::is_active(user)
                    && self.games_of(number) < user.max_games as usize
            };
            let mut waiting: Vec<(usize, usize)> = self
                .users()
                .filter(waits)
                .map(|(number, _)| (self.games_of(number), number))
                .collect();
            // Who plays least comes first.
            waiting.sort_unstable();
            let Some(&(_, one)) = waiting.first() else {
                return;
            };
            let other = waiting
                .get(1)
                .map(|&(_, number)| number)
                .or_else(|| self.idlest_house());
            let Some(other) = other else {
                return;
            };
            let (white, black) = if self.whites(one) <= self.whites(other) {
                (one, other)
            } else {
                (other, one)
            };
            if let Err(error) = self.pair(white, black) {
                log::error!("no game between {white} and {black}: {error}");
                return;
            }
        }
    }

    /// A ranked game to which both are invited.
    fn pair(&mut self, white: usize, black: usize) -> std::result::Result<(), Refusal> {
        let game = self.add_game(white, black, true)?;
        for (from, to) in [(white, black), (black, white)] {
            self.commit(&Event::Invitation { game, from, to })?;
        }
        Ok(())
    }

    /// The player of the house with the fewest games.
    fn idlest_house(&self) -> Option<usize> {
        let house = self.users().filter(|(_, user)| user.is_house);
        house
            .map(|(number, _)| number)
            .min_by_key(|&number| self.games_of(number))
    }
}
