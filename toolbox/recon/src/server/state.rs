//! Users, invitations and games, and the events that change them.

use super::event::Event;
use super::game::ServedGame;
use super::journal::Journal;
use super::ratings::{BotVersion, Rating, Ratings};
use super::refusal::Refusal;
use crate::game::Limits;
use crate::wire::BotRating;
use common::error::Result;
use common::files;
use engine_core::{ByColor, Color};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::{Duration, Instant};

/// Somebody who plays.
#[derive(Clone, Debug)]
pub(super) struct User {
    pub(super) name: String,
    pub(super) hash: String,
    /// How many games it wants to play at a time, at most [`MAX_GAMES`].
    pub(super) max_games: u32,
    pub(super) ranked: bool,
    pub(super) version: u32,
    pub(super) seen: Option<Instant>,
    /// Plays for the server itself.
    pub(super) is_resident: bool,
    /// How many more games it had with White than with Black.
    pub(super) whites: i64,
}

/// An invitation to a game.
#[derive(Clone, Debug)]
pub(super) struct Invitation {
    pub(super) game: usize,
    pub(super) from: usize,
    pub(super) to: usize,
    is_accepted: bool,
    is_finished: bool,
}

/// Everything that the server knows.
pub(super) struct ServerState {
    users: Vec<User>,
    numbers: HashMap<String, usize>,
    invitations: Vec<Invitation>,
    games: Vec<ServedGame>,
    /// The games that are not over, and a few that have just ended or could not be saved.
    running: Vec<usize>,
    /// The invitations to games that are not over, and a few others.
    pending: Vec<usize>,
    ratings: Ratings,
    limits: Limits,
    folder: PathBuf,
    journal: Journal,
    /// Held as long as the server lives: two servers would spoil the journal.
    _lock: File,
}

/// How long a user counts as active after the last request.
const ACTIVE: Duration = Duration::from_mins(1);
/// How many games a user plays at a time by default.
const USUAL_GAMES: u32 = 4;
/// How many games a user can want to play at a time.
pub(super) const MAX_GAMES: u32 = 1024;
/// How many games that a user has invited others to may wait for their start.
const MAX_INVITATIONS: usize = 64;
/// How long a game waits for its players.
const LONGEST_START: Duration = Duration::from_mins(10);

impl ServerState {
    /// Goes on from what is in a folder.
    pub(super) fn open(folder: &Path, limits: Limits) -> Result<ServerState> {
        let games = folder.join("games");
        files::make_folder(&games)?;
        let lock = files::lock(&folder.join("lock"))?;
        let path = folder.join("journal.jsonl");
        let (journal, events) = Journal::open(&path)?;
        let mut state = ServerState {
            users: Vec::new(),
            numbers: HashMap::new(),
            invitations: Vec::new(),
            games: Vec::new(),
            running: Vec::new(),
            pending: Vec::new(),
            ratings: Ratings::default(),
            limits,
            folder: games,
            journal,
            _lock: lock,
        };
        for (line, event) in events {
            let applied = state.apply(&event);
            applied.map_err(|error| format!("{}, line {line}: {error}", path.display()))?;
        }
        state.forget_finished();
        for game in &mut state.games {
            game.resume();
        }
        Ok(state)
    }

    /// Applies an event of the journal.
    fn apply(&mut self, event: &Event) -> std::result::Result<(), Refusal> {
        let missing = || Refusal::not_found("there is no such user, game or invitation");
        match event {
            Event::User { name, hash, .. } => self.add_user(name, hash),
            Event::MaxGames { user, max_games } => {
                // Journals of older servers have larger numbers.
                let max_games = *max_games.min(&MAX_GAMES);
                self.user_mut(*user).ok_or_else(missing)?.max_games = max_games;
            }
            Event::Ranked { user, ranked } => {
                self.user_mut(*user).ok_or_else(missing)?.ranked = *ranked;
            }
            Event::Version { user } => {
                let user = self.user_mut(*user).ok_or_else(missing)?;
                user.version = user.version.saturating_add(1);
            }
            Event::Game {
                white,
                black,
                ranked,
                limits,
            } => {
                self.start_game(ByColor([*white, *black]), *ranked, *limits)
                    .ok_or_else(missing)?;
            }
            Event::Invitation { game, from, to } => {
                self.invitations.push(Invitation {
                    game: *game,
                    from: *from,
                    to: *to,
                    is_accepted: false,
                    is_finished: false,
                });
                self.pending.push(self.invitations.len());
            }
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
                let served = self.game_mut(*game).ok_or_else(missing)?;
                served.apply(event)?;
                self.rate(*game);
            }
        }
        Ok(())
    }

    /// Applies a new event and writes it into the journal. One that cannot be written now has happened all the
    /// same, and is written before any other: its sender must not repeat it. Until then nothing more is accepted.
    pub(super) fn commit(&mut self, event: &Event) -> std::result::Result<(), Refusal> {
        self.commit_all(slice::from_ref(event))
    }

    /// The same for events of which none may happen without the others.
    fn commit_all(&mut self, events: &[Event]) -> std::result::Result<(), Refusal> {
        self.check_can_save()?;
        events.iter().try_for_each(|event| self.apply(event))?;
        if let Err(error) = self.journal.write(events) {
            log::error!("the journal cannot be written: {error}");
        }
        Ok(())
    }

    /// Whether the journal can be written.
    ///
    /// # Errors
    /// When it cannot.
    pub(super) fn check_can_save(&mut self) -> std::result::Result<(), Refusal> {
        self.journal.flush().map_err(Refusal::not_saved)
    }

    fn add_user(&mut self, name: &str, hash: &str) {
        self.users.push(User {
            name: name.to_owned(),
            hash: hash.to_owned(),
            max_games: USUAL_GAMES,
            ranked: false,
            version: 0,
            seen: None,
            is_resident: false,
            whites: 0,
        });
        // The first one keeps a name that was given twice.
        self.numbers
            .entry(name.to_owned())
            .or_insert(self.users.len());
    }

    /// A new game, unless one of its users is not there.
    fn start_game(
        &mut self,
        users: ByColor<usize>,
        ranked: bool,
        limits: Option<Limits>,
    ) -> Option<()> {
        let ByColor([white, black]) = users;
        let names = ByColor([
            self.user(white)?.name.clone(),
            self.user(black)?.name.clone(),
        ]);
        let versions = ByColor([self.user(white)?.version, self.user(black)?.version]);
        self.user_mut(white)?.whites += 1;
        self.user_mut(black)?.whites -= 1;
        let path = self.folder.join(format!("{}.json", self.games.len() + 1));
        let mut game = ServedGame::new(users, names, limits.unwrap_or(self.limits), path);
        game.ranked_versions = ranked.then_some(versions);
        self.games.push(game);
        self.running.push(self.games.len());
        Some(())
    }

    /// Counts a ranked game that has just ended. A game that ended without play is not counted.
    fn rate(&mut self, number: usize) {
        let Some(game) = self
            .game_mut(number)
            .filter(|game| game.game().is_finished())
        else {
            return;
        };
        let Some(versions) = game.ranked_versions.take() else {
            return;
        };
        let history = game.game().history();
        let score = match (history.winner(), history.win_reason()) {
            (_, None) => return,
            (Some(Color::White), _) => 1.0,
            (Some(Color::Black), _) => 0.0,
            (None, Some(_)) => 0.5,
        };
        let bots = Color::ALL.map(|color| BotVersion {
            user: game.user(color),
            version: versions[color],
        });
        self.ratings.count(bots, score);
    }

    /// The ratings of all versions of all users, the best first.
    pub(super) fn ratings(&self) -> Vec<BotRating> {
        let row = |(bot, rating): (BotVersion, Rating)| {
            Some(BotRating {
                username: self.user(bot.user)?.name.clone(),
                version: bot.version,
                rating: rating.elo.round() as i64,
                games: rating.games,
            })
        };
        self.ratings
            .best_first()
            .into_iter()
            .filter_map(row)
            .collect()
    }

    /// The number and the user of this name.
    pub(super) fn find_user(&self, name: &str) -> Option<(usize, &User)> {
        let number = *self.numbers.get(name)?;
        Some((number, self.user(number)?))
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
        user.is_resident || user.seen.is_some_and(|seen| seen.elapsed() < ACTIVE)
    }

    pub(super) fn invitation(&self, number: usize) -> Option<&Invitation> {
        self.invitations.get(number.checked_sub(1)?)
    }

    fn invitation_mut(&mut self, number: usize) -> Option<&mut Invitation> {
        self.invitations.get_mut(number.checked_sub(1)?)
    }

    fn is_running(&self, game: usize) -> bool {
        self.game(game)
            .is_some_and(|game| !game.game().is_finished())
    }

    /// Whether an invitation is pending.
    fn is_open(&self, invitation: &Invitation) -> bool {
        !invitation.is_accepted && !invitation.is_finished && self.is_running(invitation.game)
    }

    /// The invitations to games that are not over, and a few others, with their numbers.
    fn pending_invitations(&self) -> impl Iterator<Item = (usize, &Invitation)> {
        let pending = self.pending.iter();
        pending.filter_map(|&number| Some((number, self.invitation(number)?)))
    }

    /// The invitations to a user that are pending. One of the server's own bots sees them when the
    /// other player is ready: it accepts all, and takes memory as long as it waits.
    pub(super) fn open_invitations_to(&self, user: usize) -> Vec<usize> {
        let is_resident = self.user(user).is_some_and(|user| user.is_resident);
        let is_shown = |invitation: &Invitation| {
            let game = self.game(invitation.game);
            let opponent_is_ready = game.is_some_and(|game| game.is_ready(invitation.from));
            self.is_open(invitation) && (opponent_is_ready || !is_resident)
        };
        self.pending_invitations()
            .filter(|(_, invitation)| invitation.to == user && is_shown(invitation))
            .map(|(number, _)| number)
            .collect()
    }

    /// Whether a user may invite others now.
    ///
    /// # Errors
    /// When too many of the games that it has invited others to have not started.
    pub(super) fn check_may_invite(&self, user: usize) -> std::result::Result<(), Refusal> {
        let waits = |&(_, invitation): &(usize, &Invitation)| {
            let game = self.game(invitation.game);
            invitation.from == user
                && game.is_some_and(|game| !game.has_started() && !game.game().is_finished())
        };
        if self.pending_invitations().filter(waits).count() < MAX_INVITATIONS {
            return Ok(());
        }
        Err(Refusal::too_many(format!(
            "{MAX_INVITATIONS} games that you have invited others to have not started yet"
        )))
    }

    pub(super) fn game(&self, number: usize) -> Option<&ServedGame> {
        self.games.get(number.checked_sub(1)?)
    }

    pub(super) fn game_mut(&mut self, number: usize) -> Option<&mut ServedGame> {
        self.games.get_mut(number.checked_sub(1)?)
    }

    /// How many games each user plays that are not over; users without any are left out.
    pub(super) fn games_by_user(&self) -> HashMap<usize, u32> {
        let mut counts = HashMap::new();
        for &number in self.running.iter().filter(|&&game| self.is_running(game)) {
            for color in Color::ALL {
                if let Some(game) = self.game(number) {
                    *counts.entry(game.user(color)).or_default() += 1;
                }
            }
        }
        counts
    }

    /// A game between two users, to which those of `inviting` invite the others; its number.
    pub(super) fn add_game(
        &mut self,
        white: usize,
        black: usize,
        ranked: bool,
        inviting: &[usize],
    ) -> std::result::Result<usize, Refusal> {
        let game = self.games.len() + 1;
        let mut events = vec![Event::Game {
            white,
            black,
            ranked,
            limits: Some(self.limits),
        }];
        events.extend(inviting.iter().map(|&from| {
            let to = if from == white { black } else { white };
            Event::Invitation { game, from, to }
        }));
        self.commit_all(&events)?;
        Ok(game)
    }

    /// Invitations to a user whose games continue can be accepted again.
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
    pub(super) fn end_late_games(&mut self) {
        let late = |&number: &usize| {
            let game = self.game(number)?;
            if game.game().is_finished() {
                None
            } else if game.game().is_out_of_time() {
                Some(game.out_of_time(number))
            } else if !game.has_started() && game.age() > LONGEST_START {
                Some(Event::Abandoned { game: number })
            } else {
                None
            }
        };
        let events: Vec<Event> = self.running.iter().filter_map(late).collect();
        for event in events {
            if self.commit(&event).is_err() {
                log::error!("a game could not be ended: {event:?}");
            }
        }
        self.save_finished();
        self.forget_finished();
        self.journal.sync();
    }

    /// Writes the histories that could not be written when their games ended.
    fn save_finished(&mut self) {
        for number in self.running.clone() {
            let game = self.game_mut(number).filter(|game| game.is_unsaved());
            // What fails was logged then, and others may be written nevertheless.
            if let Some(game) = game {
                let _ = game.save();
            }
        }
    }

    /// Drops finished games and invitations from the lists of running ones.
    fn forget_finished(&mut self) {
        let mut running = std::mem::take(&mut self.running);
        let is_unsaved = |game: &ServedGame| game.is_unsaved();
        running.retain(|&game| self.is_running(game) || self.game(game).is_some_and(is_unsaved));
        self.running = running;
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain(|&number| {
            self.invitation(number).is_some_and(|invitation| {
                !invitation.is_finished && self.is_running(invitation.game)
            })
        });
        self.pending = pending;
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_leaves_no_game_without_its_invitation() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = ServerState::open(folder.path(), Limits::default()).unwrap();
        for name in ["one", "two"] {
            let event = Event::User {
                name: name.to_owned(),
                email: None,
                affiliation: None,
                hash: String::new(),
            };
            state.commit(&event).unwrap();
        }
        state.journal.fill_disk().unwrap();
        assert_eq!(state.add_game(1, 2, false, &[1]), Ok(1));
        assert_eq!(state.open_invitations_to(2), [1]);
        assert!(state.add_game(1, 2, false, &[1]).is_err());
        assert_eq!((state.games.len(), state.invitations.len()), (1, 1));
    }
}
