//! A game between two users.

use super::event::Event;
use super::refusal::Refusal;
use crate::board::Board;
use crate::game::{ActionError, Game, Limits, Phases};
use crate::history::{GameHistory, Turn};
use crate::outcome::{MoveResult, WinReason};
use common::error::Result;
use common::files;
use engine_core::{ByColor, Color};
use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A game with its two users.
pub(super) struct ServedGame {
    users: ByColor<usize>,
    names: ByColor<String>,
    ready: ByColor<bool>,
    game: Game,
    created: Instant,
    /// Where the history goes when the game is over; its turns are then there alone.
    path: PathBuf,
    is_saved: bool,
    /// The seconds that the player to move had left at the last event, and when that was.
    noted: Option<f64>,
    /// Whose next action may be one that is in the journal already: the server has ended before the
    /// answer came, and the client asks again.
    may_repeat: ByColor<bool>,
    /// The versions of both bots, until a ranked game is over and counted.
    pub(super) ranked_versions: Option<ByColor<u32>>,
}

impl ServedGame {
    pub(super) fn new(
        users: ByColor<usize>,
        names: ByColor<String>,
        limits: Limits,
        path: PathBuf,
    ) -> ServedGame {
        let mut game = Game::new(Board::start(), limits, Phases::Strict);
        game.set_names(Some(&names[Color::White]), Some(&names[Color::Black]));
        ServedGame {
            users,
            names,
            ready: ByColor::default(),
            game,
            created: Instant::now(),
            path,
            is_saved: false,
            noted: None,
            may_repeat: ByColor::default(),
            ranked_versions: None,
        }
    }

    /// The colour that a user has.
    pub(super) fn color_of(&self, user: usize) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.users[color] == user)
    }

    /// The user who has a colour.
    pub(super) fn user(&self, color: Color) -> usize {
        self.users[color]
    }

    /// The name of a side.
    pub(super) fn name(&self, color: Color) -> &str {
        &self.names[color]
    }

    /// The game. It is changed by events alone.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// How long ago the game was made, or the server began.
    pub(super) fn age(&self) -> Duration {
        self.created.elapsed()
    }

    /// Whether both players are ready, so that the clocks run.
    pub(super) fn has_started(&self) -> bool {
        self.ready == ByColor([true; 2])
    }

    /// Whether a user is ready to play.
    pub(super) fn is_ready(&self, user: usize) -> bool {
        self.color_of(user).is_some_and(|color| self.ready[color])
    }

    /// Seconds that the player to move has left; `None` without a limit.
    pub(super) fn left(&self) -> Option<f64> {
        Some(self.game.seconds_left()).filter(|seconds| seconds.is_finite())
    }

    /// Seconds that a player has left; `None` without a limit.
    pub(super) fn left_of(&self, color: Color) -> Option<f64> {
        if self.game.turn() == color {
            return self.left();
        }
        Some(self.game.clock().stored(color)).filter(|seconds| seconds.is_finite())
    }

    /// Whether it is a player's turn.
    pub(super) fn is_turn_of(&self, color: Color) -> bool {
        self.has_started() && !self.game.is_finished() && self.game.turn() == color
    }

    /// What happens when the time of the player to move is up: the end of the game. Who has captured the king has
    /// won, and only not ended the turn.
    pub(super) fn out_of_time(&self, game: usize) -> Event {
        if self.game.is_king_captured() {
            let left = self.noted;
            Event::EndTurn { game, left }
        } else {
            let left = self.left();
            Event::TimedOut { game, left }
        }
    }

    /// The game, for an action of a player.
    pub(super) fn check_turn(&self, color: Color) -> std::result::Result<(), Refusal> {
        if self.game.is_finished() {
            Err(Refusal::bad("the game is over"))
        } else if !self.has_started() {
            Err(Refusal::bad(
                "the game has not started: both players must be ready",
            ))
        } else if self.game.turn() == color {
            Ok(())
        } else {
            Err(Refusal::bad("it is not your turn"))
        }
    }

    /// Whether a player may repeat an action, as it has not had an answer since the server was started.
    pub(super) fn may_repeat(&self, color: Color) -> bool {
        self.may_repeat[color]
    }

    /// From now on a player may not repeat an action, because it has had an answer.
    pub(super) fn forbid_repeat(&mut self, color: Color) {
        self.may_repeat[color] = false;
    }

    /// The turn in which a player has begun to act.
    pub(super) fn begun_turn(&self, color: Color) -> Option<Turn> {
        let last = self.game.history().last_turn();
        last.filter(|last| last.color == color && self.is_turn_of(color))
    }

    /// The history, once the game is over.
    pub(super) fn finished(&self) -> std::result::Result<Cow<'_, GameHistory>, Refusal> {
        self.check_finished()?;
        self.history()
    }

    fn check_finished(&self) -> std::result::Result<(), Refusal> {
        if self.game.is_finished() {
            Ok(())
        } else {
            Err(Refusal::bad("the game is not over"))
        }
    }

    /// The history so far, from its file if the game is over.
    pub(super) fn history(&self) -> std::result::Result<Cow<'_, GameHistory>, Refusal> {
        if !(self.game.is_finished() && self.is_saved) {
            return Ok(Cow::Borrowed(self.game.history()));
        }
        let history = GameHistory::from_file(&self.path).map_err(|error| {
            log::error!("{}", error.in_file(&self.path));
            Refusal::not_found("the server has lost the record of this game")
        })?;
        Ok(Cow::Owned(history))
    }

    /// The result, once the game is over.
    pub(super) fn result(
        &self,
    ) -> std::result::Result<(Option<Color>, Option<WinReason>), Refusal> {
        self.check_finished()?;
        let history = self.game.history();
        Ok((history.winner(), history.win_reason()))
    }

    /// The result of the last move.
    pub(super) fn last_move(&self, color: Color) -> Option<MoveResult> {
        let history = self.game.history();
        history.move_result(history.last_turn_of(color)?)
    }

    /// Applies an event, new or from the journal.
    pub(super) fn apply(&mut self, event: &Event) -> std::result::Result<(), Refusal> {
        let refused = |error: ActionError| Refusal::bad(error.to_string());
        match event {
            Event::Ready { color, .. } => {
                if std::mem::replace(&mut self.ready[*color], true) {
                    return Err(Refusal::bad("you are marked as ready already"));
                }
                if self.has_started() && !self.game.is_finished() {
                    self.game.start();
                }
            }
            Event::Sense { square, left, .. } => {
                self.game.sense(*square).map_err(refused)?;
                self.noted = *left;
            }
            Event::Move {
                requested_move,
                left,
                ..
            } => {
                self.game.make_move(*requested_move).map_err(refused)?;
                self.noted = *left;
            }
            Event::EndTurn { left, .. } => {
                let left = left.or(self.noted).unwrap_or(self.game.seconds_left());
                self.game.end_turn_with(left).map_err(refused)?;
                self.noted = None;
            }
            Event::Resign { color, .. } => self.game.resign_as(*color).map_err(refused)?,
            Event::TimedOut { left, .. } => {
                self.note(*left);
                self.game.finish();
            }
            Event::Abandoned { .. } => self.game.finish(),
            _ => {}
        }
        if let Err(error) = self.save() {
            log::error!("game not saved: {error}");
        }
        Ok(())
    }

    /// Notes the seconds that the player to move has left now, as given by an event.
    fn note(&mut self, left: Option<f64>) {
        let turn = self.game.turn();
        if let Some(left) = left {
            self.game.clock_mut().restart(turn, left);
        }
    }

    /// Goes on where the server ended: the time in between does not count.
    pub(super) fn resume(&mut self) {
        self.may_repeat = ByColor([true; 2]);
        if !self.game.is_finished() {
            self.note(self.noted);
        }
    }

    /// Whether the game is over and its history could not be written yet.
    pub(super) fn is_unsaved(&self) -> bool {
        self.game.is_finished() && !self.is_saved
    }

    /// Writes the history of a game that is over, and keeps its turns no longer: a server has many
    /// games.
    ///
    /// # Errors
    /// When it cannot be written, as on a full disk.
    pub(super) fn save(&mut self) -> Result {
        if self.is_unsaved() {
            let json = self.game.history().to_json();
            let json = json.map_err(|error| error.to_string())?;
            // After a restart most files are there. One may be of an end that the journal has lost.
            if !fs::read(&self.path).is_ok_and(|old| old == json.as_bytes()) {
                files::replace(&self.path, json.as_bytes())?;
            }
            self.is_saved = true;
        }
        if self.is_saved {
            self.game.forget_turns();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(folder: &tempfile::TempDir) -> ServedGame {
        let limits = Limits {
            seconds_increment: 0.0,
            ..Limits::default()
        };
        let path = folder.path().join("1.json");
        ServedGame::new(ByColor([1, 2]), ByColor::default(), limits, path)
    }

    fn ready(served: &mut ServedGame) {
        for color in Color::ALL {
            served.apply(&Event::Ready { game: 1, color }).unwrap();
        }
    }

    #[test]
    fn a_replay_takes_no_time() {
        let folder = tempfile::tempdir().unwrap();
        let mut served = game(&folder);
        ready(&mut served);
        let (game, left) = (1, Some(1e-12));
        let events = [
            Event::Sense {
                game,
                square: None,
                left,
            },
            Event::Move {
                game,
                requested_move: None,
                left,
            },
            Event::EndTurn { game, left },
        ];
        for event in events {
            served.apply(&event).unwrap();
        }
        assert!(!served.game().is_finished());
        assert_eq!(served.left_of(Color::White), left);
    }

    #[test]
    fn a_finished_game_is_kept_in_its_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mut served = game(&folder);
        ready(&mut served);
        let (game, left) = (1, None);
        let sense = Event::Sense {
            game,
            square: None,
            left,
        };
        served.apply(&sense).unwrap();
        let resign = Event::Resign {
            game,
            color: Color::White,
        };
        served.apply(&resign).unwrap();
        assert_eq!(served.game().history().turns_of(Color::White).count(), 0);
        let history = served.finished().unwrap();
        assert_eq!(history.turns_of(Color::White).count(), 1);
        assert_eq!(
            served.result().unwrap(),
            (Some(Color::Black), Some(WinReason::Resign))
        );
    }

    #[test]
    fn the_record_is_of_the_game_that_was_played() {
        let folder = tempfile::tempdir().unwrap();
        let resign = |color| Event::Resign { game: 1, color };
        let winner_on_file = || {
            let history = GameHistory::from_file(folder.path().join("1.json"));
            history.unwrap().winner()
        };
        let mut served = game(&folder);
        served.apply(&resign(Color::White)).unwrap();
        assert_eq!(winner_on_file(), Some(Color::Black));
        // The journal has lost that, as in a crash, and the game ends in another way.
        let mut served = game(&folder);
        served.apply(&resign(Color::Black)).unwrap();
        assert_eq!(winner_on_file(), Some(Color::White));
        assert_eq!(served.finished().unwrap().winner(), Some(Color::White));
    }

    #[test]
    fn who_has_captured_the_king_does_not_lose_on_time() {
        let folder = tempfile::tempdir().unwrap();
        for (line, reason, is_restarted) in [
            (
                ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"],
                WinReason::KingCapture,
            ),
            (["e2e4", "f7f6", "d1h5", "a7a6", "h5f7"], WinReason::Timeout),
        ]
        .into_iter()
        .flat_map(|(line, reason)| [(line, reason, false), (line, reason, true)])
        {
            let limits = Limits {
                seconds_per_player: Some(0.2),
                seconds_increment: 0.0,
                ..Limits::default()
            };
            let path = folder.path().join(format!("{reason:?}{is_restarted}.json"));
            let mut served = ServedGame::new(ByColor([1, 2]), ByColor::default(), limits, path);
            ready(&mut served);
            for (ply, text) in line.into_iter().enumerate() {
                let (game, left) = (1, Some(0.1));
                let requested_move = Some(text.parse().unwrap());
                let square = None;
                served.apply(&Event::Sense { game, square, left }).unwrap();
                let event = Event::Move {
                    game,
                    requested_move,
                    left,
                };
                served.apply(&event).unwrap();
                if ply < 4 {
                    served.apply(&Event::EndTurn { game, left }).unwrap();
                }
            }
            if is_restarted {
                served.resume();
            }
            std::thread::sleep(Duration::from_millis(250));
            assert!(served.game().is_out_of_time());
            served.apply(&served.out_of_time(1)).unwrap();
            assert_eq!(served.result().unwrap().1, Some(reason));
        }
    }

    #[test]
    fn clocks_of_a_finished_game_stand_still() {
        let folder = tempfile::tempdir().unwrap();
        let mut served = game(&folder);
        let left = served.left();
        let resign = Event::Resign {
            game: 1,
            color: Color::White,
        };
        served.apply(&resign).unwrap();
        ready(&mut served);
        assert_eq!(served.left(), left);
    }
}
