//! Users, invitations and games, and the events that change them.

use super::journal::Journal;
use super::refusal::Refusal;
use super::table::Table;
use crate::{Limits, UciMove, wire};
use common::error::Result;
use engine_core::{Color, Square};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Something that has happened. Users, invitations and games are numbered from 1 as they come.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Event {
    User {
        name: String,
        email: Option<String>,
        affiliation: Option<String>,
        hash: String,
    },
    MaxGames {
        user: usize,
        max_games: u32,
    },
    Ranked {
        user: usize,
        ranked: bool,
    },
    Version {
        user: usize,
    },
    Game {
        white: usize,
        black: usize,
        ranked: bool,
        /// Those of the server when the game began; a server may be started again with others.
        #[serde(default)]
        limits: Option<Limits>,
    },
    Invitation {
        game: usize,
        from: usize,
        to: usize,
    },
    Accepted {
        invitation: usize,
    },
    Finished {
        invitation: usize,
    },
    Ready {
        game: usize,
        #[serde(with = "wire::color")]
        color: Color,
    },
    Sense {
        game: usize,
        #[serde(with = "wire::optional_square")]
        square: Option<Square>,
        left: Option<f64>,
    },
    Move {
        game: usize,
        requested_move: Option<UciMove>,
        left: Option<f64>,
    },
    EndTurn {
        game: usize,
        left: Option<f64>,
    },
    Resign {
        game: usize,
        #[serde(with = "wire::color")]
        color: Color,
    },
    TimedOut {
        game: usize,
        left: Option<f64>,
    },
    Abandoned {
        game: usize,
    },
}

/// Somebody who plays.
#[derive(Clone, Debug)]
pub(super) struct User {
    pub(super) name: String,
    pub(super) hash: String,
    pub(super) max_games: u32,
    pub(super) ranked: bool,
    pub(super) version: u32,
    pub(super) seen: Option<Instant>,
    /// Plays for the server itself.
    pub(super) is_house: bool,
}

/// An invitation to a game.
#[derive(Clone, Debug)]
pub(super) struct Invitation {
    pub(super) game: usize,
    pub(super) to: usize,
    is_accepted: bool,
    is_finished: bool,
}

/// Everything that the server knows.
pub(super) struct State {
    users: Vec<User>,
    invitations: Vec<Invitation>,
    games: Vec<Table>,
    limits: Limits,
    folder: PathBuf,
    journal: Journal,
}

/// How long somebody counts as active who is not heard of.
const ACTIVE: Duration = Duration::from_secs(60);
/// How many games a user plays at a time who has not said it.
const MAX_GAMES: u32 = 4;
/// How long a game waits for its players.
const START_PATIENCE: Duration = Duration::from_secs(600);

impl State {
    /// Goes on from what is in a folder.
    pub(super) fn open(folder: &Path, limits: Limits) -> Result<State> {
        let games = folder.join("games");
        std::fs::create_dir_all(&games).map_err(|error| format!("{}: {error}", games.display()))?;
        let (journal, events) = Journal::open(&folder.join("journal.jsonl"))?;
        let mut state = State {
            users: Vec::new(),
            invitations: Vec::new(),
            games: Vec::new(),
            limits,
            folder: games,
            journal,
        };
        for (number, event) in events.into_iter().enumerate() {
            let applied = state.apply(&event);
            applied.map_err(|error| format!("event {}, {event:?}: {error}", number + 1))?;
        }
        for table in &mut state.games {
            table.resume();
        }
        Ok(state)
    }

    /// Carries out what has happened before.
    fn apply(&mut self, event: &Event) -> std::result::Result<(), Refusal> {
        let missing = || Refusal::not_found("it is about something that is not there");
        match event {
            Event::User { name, hash, .. } => self.users.push(User {
                name: name.clone(),
                hash: hash.clone(),
                max_games: MAX_GAMES,
                ranked: false,
                version: 0,
                seen: None,
                is_house: false,
            }),
            Event::MaxGames { user, max_games } => {
                self.user_mut(*user).ok_or_else(missing)?.max_games = *max_games;
            }
            Event::Ranked { user, ranked } => {
                self.user_mut(*user).ok_or_else(missing)?.ranked = *ranked;
            }
            Event::Version { user } => self.user_mut(*user).ok_or_else(missing)?.version += 1,
            Event::Game {
                white,
                black,
                limits,
                ..
            } => {
                let names =
                    [*white, *black].map(|user| self.user(user).map(|user| user.name.clone()));
                let [Some(white_name), Some(black_name)] = names else {
                    return Err(missing());
                };
                let path = self.folder.join(format!("{}.json", self.games.len() + 1));
                let names = [white_name, black_name];
                let limits = limits.unwrap_or(self.limits);
                self.games
                    .push(Table::new([*white, *black], names, limits, path));
            }
            Event::Invitation { game, to, .. } => self.invitations.push(Invitation {
                game: *game,
                to: *to,
                is_accepted: false,
                is_finished: false,
            }),
            Event::Accepted { invitation } => {
                self.invitation_mut(*invitation)
                    .ok_or_else(missing)?
                    .is_accepted = true;
            }
            Event::Finished { invitation } => {
                self.invitation_mut(*invitation)
                    .ok_or_else(missing)?
                    .is_finished = true;
            }
            Event::Ready { game, .. }
            | Event::Sense { game, .. }
            | Event::Move { game, .. }
            | Event::EndTurn { game, .. }
            | Event::Resign { game, .. }
            | Event::TimedOut { game, .. }
            | Event::Abandoned { game } => {
                let table = self.table_mut(*game).ok_or_else(missing)?;
                table.apply(event)?;
            }
        }
        Ok(())
    }

    /// Makes something happen.
    pub(super) fn commit(&mut self, event: &Event) -> std::result::Result<(), Refusal> {
        self.apply(event)?;
        self.journal.write(event);
        Ok(())
    }

    /// The number and the user of this name.
    pub(super) fn find_user(&self, name: &str) -> Option<(usize, &User)> {
        let mut users = self.users.iter().zip(1..);
        users
            .find(|(user, _)| user.name == name)
            .map(|(user, number)| (number, user))
    }

    pub(super) fn user(&self, number: usize) -> Option<&User> {
        self.users.get(number.checked_sub(1)?)
    }

    pub(super) fn user_mut(&mut self, number: usize) -> Option<&mut User> {
        self.users.get_mut(number.checked_sub(1)?)
    }

    /// All users with their numbers.
    pub(super) fn users(&self) -> impl Iterator<Item = (usize, &User)> {
        (1..).zip(&self.users)
    }

    /// Whether a user was heard of lately.
    pub(super) fn is_active(user: &User) -> bool {
        user.is_house || user.seen.is_some_and(|seen| seen.elapsed() < ACTIVE)
    }

    pub(super) fn invitation(&self, number: usize) -> Option<&Invitation> {
        self.invitations.get(number.checked_sub(1)?)
    }

    fn invitation_mut(&mut self, number: usize) -> Option<&mut Invitation> {
        self.invitations.get_mut(number.checked_sub(1)?)
    }

    /// The invitations to a user that wait to be accepted.
    pub(super) fn open_invitations(&self, user: usize) -> Vec<usize> {
        let open = |&(_, invitation): &(usize, &Invitation)| {
            let is_over = self
                .table(invitation.game)
                .is_none_or(|table| table.game().is_finished());
            invitation.to == user && !invitation.is_accepted && !invitation.is_finished && !is_over
        };
        (1..)
            .zip(&self.invitations)
            .filter(open)
            .map(|(number, _)| number)
            .collect()
    }

    pub(super) fn table(&self, number: usize) -> Option<&Table> {
        self.games.get(number.checked_sub(1)?)
    }

    pub(super) fn table_mut(&mut self, number: usize) -> Option<&mut Table> {
        self.games.get_mut(number.checked_sub(1)?)
    }

    /// How many games of a user are not over.
    pub(super) fn games_of(&self, user: usize) -> usize {
        let is_running =
            |table: &&Table| !table.game().is_finished() && table.color_of(user).is_some();
        self.games.iter().filter(is_running).count()
    }

    /// A game between two users; its number.
    pub(super) fn add_game(
        &mut self,
        white: usize,
        black: usize,
        ranked: bool,
    ) -> std::result::Result<usize, Refusal> {
        self.commit(&Event::Game {
            white,
            black,
            ranked,
            limits: Some(self.limits),
        })?;
        Ok(self.games.len())
    }

    /// How many more games a user had with White than with Black.
    pub(super) fn whites(&self, user: usize) -> i64 {
        let count = |table: &Table| match table.color_of(user) {
            Some(Color::White) => 1,
            Some(Color::Black) => -1,
            None => 0,
        };
        self.games.iter().map(count).sum()
    }

    /// Invitations to a user whose games go on can be accepted once more.
    pub(super) fn reopen_invitations(&mut self, user: usize) {
        for invitation in self
            .invitations
            .iter_mut()
            .filter(|invitation| invitation.to == user)
        {
            invitation.is_accepted = false;
        }
    }

    /// Ends games whose time is up, also those whose players never came.
    pub(super) fn watch_clocks(&mut self) {
        let late = |(number, table): (usize, &Table)| {
            if table.game().is_finished() {
                None
            } else if table.game().is_out_of_time() {
                let left = table.left();
                Some(Event::TimedOut { game: number, left })
            } else if !table.has_started() && table.age() > START_PATIENCE {
                Some(Event::Abandoned { game: number })
            } else {
                None
            }
        };
        let events: Vec<Event> = (1..).zip(&self.games).filter_map(late).collect();
        for event in events {
            if self.commit(&event).is_err() {
                log::error!("a game could not be ended: {event:?}");
            }
        }
        self.journal.sync();
    }
}
