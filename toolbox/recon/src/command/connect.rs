//! `mola recon connect`: a bot that plays on a server.

use super::history_queries::result;
use super::save::save_beside_others;
use super::user::UserArgs;
use crate::bots::BotSpec;
use crate::remote::{Http, HttpError, Lobby, RECONCHESS_VERSION, play_remote_game};
use common::control_characters::without_control_characters;
use common::error::{Error, Result};
use common::files::make_folder;
use common::note;
use common::random::{self, Random};
use common::signals;
use common::threads;
use crossbeam_channel::{Receiver, never, select, unbounded};
use std::collections::{BTreeSet, HashSet};
use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Let a bot play on a server that has the HTTP API of reconchess
///
/// The bot accepts every invitation. After Ctrl-C it accepts no more, finishes the games in
/// progress and exits; a second Ctrl-C exits at once.
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{}\n\nExample:
  mola recon connect mola --username me --server-url https://rbc.jhuapl.edu --ranked", BotSpec::HELP))]
pub(super) struct Args {
    /// The bot
    bot: BotSpec,
    #[command(flatten)]
    user: UserArgs,
    /// Play ranked games
    #[arg(long)]
    ranked: bool,
    /// Keep the bot's version in ranked games, because the bot has not changed
    #[arg(long)]
    keep_version: bool,
    /// Number of games played at the same time
    #[arg(long, default_value = "4", value_parser = clap::value_parser!(u32).range(1..=1024))]
    max_concurrent_games: u32,
    /// Exit after this many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Save the history of each game in this folder
    #[arg(long, value_name = "FOLDER")]
    histories: Option<PathBuf>,
}

/// How a bot plays on a server.
pub(super) struct Connection {
    pub(super) bot: BotSpec,
    pub(super) http: Http,
    /// The same server for what is not about games in progress.
    pub(super) lobby: Http,
    /// It takes part in ranked games.
    pub(super) ranked: bool,
    pub(super) max_concurrent_games: u32,
    pub(super) games: Option<u32>,
    pub(super) histories: Option<PathBuf>,
    /// Results go to the log rather than to the terminal.
    pub(super) is_quiet: bool,
    /// The games in progress.
    pub(super) open_games: OpenGames,
}

/// The numbers of the games in progress.
#[derive(Clone, Default)]
pub(super) struct OpenGames(Arc<Mutex<BTreeSet<u64>>>);

impl OpenGames {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What becomes of them when the program ends at once.
    fn left(&self) -> String {
        let games: Vec<String> = self.lock().iter().map(u64::to_string).collect();
        match games.as_slice() {
            [] => "no game is left unfinished".to_owned(),
            [game] => format!("game {game} is left unfinished: it is lost on time"),
            games => format!(
                "games {} are left unfinished: they are lost on time",
                games.join(", ")
            ),
        }
    }
}

/// The time between two requests for invitations.
const POLL: Duration = Duration::from_secs(1);

/// Runs the subcommand.
///
/// # Errors
/// When the server refuses.
pub(super) fn run(args: &Args) -> Result {
    let (name, password) = args.user.credentials()?;
    let http = Http::new(&args.user.server_url, Some((&name, &password)));
    if let Some(folder) = &args.histories {
        make_folder(folder)?;
    }
    let lobby = Lobby(&http);
    let version = lobby.server_version()?;
    if version != RECONCHESS_VERSION {
        note!("the server is of version {version}, Mola knows {RECONCHESS_VERSION}");
    }
    // A client that was killed may have left it on.
    lobby.set_ranked(false)?;
    if args.ranked {
        let current = lobby.bot_version()?;
        if current == 0 || !args.keep_version && is_new_version(current)? {
            lobby.increment_version()?;
        }
    }
    let leave = Arc::new(AtomicBool::new(false));
    let connection = Connection {
        bot: args.bot.clone(),
        lobby: http.stopped_by(Arc::clone(&leave)),
        http: http.clone(),
        ranked: args.ranked,
        max_concurrent_games: args.max_concurrent_games,
        games: args.games,
        histories: args.histories.clone(),
        is_quiet: false,
        open_games: OpenGames::default(),
    };
    // Not before, while it may wait for the user.
    connection.play(&interrupts(leave, connection.open_games.clone())?)
}

/// Handles Ctrl-C: the first is sent to the receiver and ends all requests but those of games, the second
/// says what it leaves and ends the program.
fn interrupts(leave: Arc<AtomicBool>, open_games: OpenGames) -> Result<Receiver<()>> {
    let (sender, interrupts) = unbounded();
    let signals = signals::watch();
    threads::spawn(move || {
        for (number, signal) in signals.iter().enumerate() {
            if number > 0 {
                note!("{}", open_games.left());
                signals::end_program(signal);
            }
            note!("finishing the games in progress; Ctrl-C again leaves them");
            leave.store(true, Relaxed);
            let _ = sender.send(());
        }
    })?;
    Ok(interrupts)
}

/// Asks the user on a terminal whether the bot has changed; without a terminal it has.
fn is_new_version(current: u32) -> Result<bool> {
    if !stdin().is_terminal() {
        return Ok(true);
    }
    write!(stderr(), "Is this bot newer than version {current}? [Y/n] ")?;
    let mut line = String::new();
    stdin().read_line(&mut line)?;
    Ok(!line.trim_start().to_lowercase().starts_with('n'))
}

/// The games of a connection.
struct Progress {
    /// How many games at a time the server knows to be wanted.
    wanted: u32,
    started: u32,
    failed: u32,
    /// The invitations whose games are played.
    running: HashSet<u64>,
    /// It plays more games.
    is_accepting: bool,
    /// The server pairs it with others.
    is_ranked: bool,
    /// A request was given up at Ctrl-C.
    is_unanswered: bool,
    /// Why no more games are played.
    fault: Option<HttpError>,
}

impl Progress {
    fn has_room(&self, max_concurrent_games: u32) -> bool {
        self.running.len() < max_concurrent_games as usize
    }

    /// What a request of the lobby brought; after one that failed no more games are played.
    fn take<T>(&mut self, reply: std::result::Result<T, HttpError>) -> Option<T> {
        let error = match reply {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        self.is_accepting = false;
        if error == HttpError::Stopped {
            self.is_unanswered = true;
        } else {
            self.fault.get_or_insert(error);
        }
        None
    }
}

impl Connection {
    /// Plays until it is interrupted or has played enough games. Games in progress are finished.
    pub(super) fn play(&self, interrupts: &Receiver<()>) -> Result {
        let (sender, done) = unbounded();
        let mut progress = self.begin();
        let mut is_waiting = false;
        let mut interrupts = interrupts.clone();
        thread::scope(|scope| {
            loop {
                progress.is_accepting &=
                    self.wanted(progress.started) > 0 && !self.lobby.is_stopped();
                if progress.is_accepting && progress.running.is_empty() && !is_waiting {
                    self.print_waiting();
                }
                is_waiting = progress.running.is_empty();
                for invitation in self.new_invitations(&mut progress) {
                    let end = {
                        let sender = sender.clone();
                        move |played: std::result::Result<(), String>| {
                            if let Err(error) = &played {
                                self.report(&format!("invitation {invitation}: {error}"));
                            }
                            let _ = sender.send((invitation, played.is_ok()));
                        }
                    };
                    let ended = end.clone();
                    let play = move || ended(self.play_invitation(invitation));
                    if let Err(error) = threads::spawn_scoped(scope, play) {
                        end(Err(error.to_string()));
                    }
                }
                if !progress.is_accepting {
                    self.leave_pairing(&mut progress);
                    if progress.running.is_empty() {
                        return self.outcome(progress);
                    }
                }
                select! {
                    recv(done) -> ended => {
                        if let Ok((invitation, is_played)) = ended {
                            progress.running.remove(&invitation);
                            progress.failed += u32::from(!is_played);
                        }
                    }
                    recv(interrupts) -> _ => {
                        progress.is_accepting = false;
                        interrupts = never();
                    }
                    default(POLL) => {}
                }
            }
        })
    }

    /// Tells the server what games are wanted.
    fn begin(&self) -> Progress {
        let wanted = self.wanted(0);
        let mut progress = Progress {
            wanted,
            started: 0,
            failed: 0,
            running: HashSet::new(),
            is_accepting: true,
            is_ranked: false,
            is_unanswered: false,
            fault: None,
        };
        let lobby = Lobby(&self.lobby);
        if progress.take(lobby.set_max_games(wanted)).is_some() && self.ranked {
            // Though the reply may be lost.
            progress.is_ranked = true;
            progress.take(lobby.set_ranked(true));
        }
        progress
    }

    /// The invitations whose games begin now.
    fn new_invitations(&self, progress: &mut Progress) -> Vec<u64> {
        let lobby = Lobby(&self.lobby);
        let wanted = self.wanted(progress.started);
        // The server must not pair an opponent with a bot that does not come.
        if progress.is_accepting && wanted < progress.wanted {
            progress.wanted = wanted;
            progress.take(lobby.set_max_games(wanted));
        }
        if !progress.is_accepting || !progress.has_room(self.max_concurrent_games) {
            return Vec::new();
        }
        let mut begun = progress.take(lobby.invitations()).unwrap_or_default();
        begun.retain(|&invitation| {
            let is_new = self.wanted(progress.started) > 0
                && progress.has_room(self.max_concurrent_games)
                && progress.running.insert(invitation);
            progress.started += u32::from(is_new);
            is_new
        });
        begun
    }

    /// Tells the server once that it must pair the bot with nobody any more: whoever is paired with it
    /// would wait in vain.
    fn leave_pairing(&self, progress: &mut Progress) {
        if !std::mem::take(&mut progress.is_ranked) {
            return;
        }
        let left = if !progress.running.is_empty() {
            // A server that does not answer is waited for as long as there are games.
            Lobby(&self.http).set_ranked(false)
        } else if progress.is_unanswered {
            Err(HttpError::Stopped)
        } else {
            Lobby(&self.lobby).set_ranked(false)
        };
        if let Err(error) = left {
            progress.fault.get_or_insert(error);
        }
    }

    /// How it ends, once all games are over.
    fn outcome(&self, progress: Progress) -> Result {
        let Progress {
            started, failed, ..
        } = progress;
        if let Some(fault) = progress.fault {
            Err(fault.into())
        } else if self.games.is_some_and(|games| started < games) {
            Err(Error::Interrupted("interrupted".to_owned()))
        } else if started > 0 && failed == started {
            Err(Error::Message("every game failed".to_owned()))
        } else {
            Ok(())
        }
    }

    /// How many games it wants at a time after having started some.
    fn wanted(&self, started: u32) -> u32 {
        let most = self.max_concurrent_games;
        self.games.map_or(most, |games| most.min(games - started))
    }

    /// Accepts an invitation and plays its game.
    fn play_invitation(&self, invitation: u64) -> std::result::Result<(), String> {
        let lobby = Lobby(&self.http);
        let refused = |error: HttpError| error.to_string();
        let game = lobby.accept(invitation).map_err(refused)?;
        self.open_games.lock().insert(game);
        let random = Random::new(random::seed(), game);
        let played = self
            .bot
            .build(random)
            .and_then(|mut bot| play_remote_game(&self.http, game, &mut *bot));
        let ended = match played {
            Ok(history) => {
                self.report(&format!("game {game}: {}", result(&history)));
                self.histories.as_ref().map_or(Ok(()), |folder| {
                    // Another server may have had a game of this number.
                    let saved = save_beside_others(&history, folder, &game.to_string());
                    saved.map(|_| ()).map_err(|error| error.to_string())
                })
            }
            Err(error) => {
                // The game may be over, or the server gone.
                let _ = lobby.error_resign(game);
                Err(format!("game {game}: {error}"))
            }
        };
        self.open_games.lock().remove(&game);
        lobby.finish(invitation).map_err(refused)?;
        ended
    }

    /// Tells the user that the bot waits, as nothing else is printed until somebody invites it.
    fn print_waiting(&self) {
        if !self.is_quiet {
            note!("waiting for games on {} (Ctrl-C quits)", self.http.url());
        }
    }

    fn report(&self, text: &str) {
        if self.is_quiet {
            log::info!("{text}");
        } else {
            // Failing to write it is not an error.
            let _ = writeln!(stdout(), "{}", without_control_characters(text));
        }
    }
}
