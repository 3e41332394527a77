//! Authentication by names and passwords. Passwords are stored as Argon2 hashes; a verified one is
//! cached, so that further requests of its user cost nothing.

use super::limiter::{Rate, RateLimiter, network};
use super::refusal::Refusal;
use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use blake2::{Blake2b512, Digest};
use hyper::StatusCode;
use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore};

/// The longest password, so that hashing is no way to keep the server busy.
pub(super) const LONGEST_PASSWORD: usize = 1024;
/// The most passwords that may wait for hashing; each takes about 20 ms.
const LONGEST_QUEUE: usize = 64;
/// How many wrong passwords an address may send for one user, and the time after which it may send
/// one more.
const WRONG_FOR_USER: Rate = (30, Duration::from_secs(10));
/// How many wrong passwords an address may send for all users.
const WRONG_FROM_ADDRESS: Rate = (100, Duration::from_secs(2));

/// A name and a password.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Credentials {
    pub(super) name: String,
    pub(super) password: String,
}

impl Credentials {
    /// The name and password in an authorization header (RFC 7617).
    pub(super) fn from_header(header: &str) -> Option<Credentials> {
        let (scheme, encoded) = header.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("basic") {
            return None;
        }
        let decoded = STANDARD.decode(encoded.trim()).ok()?;
        // Python's requests sends Latin-1 where it can.
        let text = String::from_utf8(decoded)
            .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
        let (name, password) = text.split_once(':')?;
        (password.len() <= LONGEST_PASSWORD).then(|| Credentials {
            name: name.to_owned(),
            password: password.to_owned(),
        })
    }
}

/// The hash of a password, to be kept.
pub(super) fn hash(password: &str) -> Result<String, String> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string())
        .map_err(|error| error.to_string())
}

/// Whether the password is the one of the hash.
fn is_password_of(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}

/// Hashes and verifies passwords, some at a time and on separate threads: each takes 19 MB and
/// as much time as thousands of other requests.
pub(super) struct Passwords {
    /// The key of the cached digests, known to this process alone.
    secret: [u8; 32],
    /// Digests of the credentials that were verified, by name.
    verified: Mutex<HashMap<String, Vec<u8>>>,
    hashers: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    /// Credentials that are being verified, by their digests.
    in_progress: Mutex<HashMap<Vec<u8>, Arc<AsyncMutex<()>>>>,
    wrong_for_user: RateLimiter<(IpAddr, String)>,
    wrong_from_address: RateLimiter<IpAddr>,
}

impl Passwords {
    pub(super) fn new() -> Result<Passwords, String> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| error.to_string())?;
        // Half of the processors are left to games.
        let hashers = available_parallelism().map_or(1, NonZero::get).div_ceil(2);
        Ok(Passwords {
            secret,
            verified: Mutex::default(),
            hashers: Arc::new(Semaphore::new(hashers.min(8))),
            queue: Arc::new(Semaphore::new(LONGEST_QUEUE)),
            in_progress: Mutex::default(),
            wrong_for_user: RateLimiter::new(WRONG_FOR_USER),
            wrong_from_address: RateLimiter::new(WRONG_FROM_ADDRESS),
        })
    }

    fn digest(&self, credentials: &Credentials, hash: &str) -> Vec<u8> {
        let mut digest = Blake2b512::new();
        digest.update(self.secret);
        for part in [hash, &credentials.name, &credentials.password] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        digest.finalize().to_vec()
    }

    /// Whether these credentials were verified before.
    pub(super) fn remembers(&self, credentials: &Credentials, hash: &str) -> bool {
        let digest = self.digest(credentials, hash);
        let verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        verified.get(&credentials.name) == Some(&digest)
    }

    /// Remembers credentials that are known to be right.
    pub(super) fn remember(&self, credentials: &Credentials, hash: &str) {
        let digest = self.digest(credentials, hash);
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        verified.insert(credentials.name.clone(), digest);
    }

    /// Hashes or verifies a password when its turn comes. It keeps its turn to the end, even if the
    /// client has gone.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = || {
            let text = "too many users are logging in: try again";
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, text)
        };
        let place = Arc::clone(&self.queue).try_acquire_owned();
        let place = place.map_err(|_| busy())?;
        let turn = Arc::clone(&self.hashers).acquire_owned().await;
        let turn = turn.map_err(|_| busy())?;
        let permits: [OwnedSemaphorePermit; 2] = [place, turn];
        let work = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permits);
            done
        });
        work.await
            .map_err(|error| Refusal::internal(error.to_string()))
    }

    /// The hash of a new password.
    pub(super) async fn hash(&self, password: String) -> Result<String, Refusal> {
        let hash = self.in_turn(move || hash(&password)).await?;
        hash.map_err(Refusal::internal)
    }

    /// Whether these are the credentials of this hash, asked from an address. Right ones are
    /// remembered; wrong ones are counted.
    ///
    /// # Errors
    /// When there were too many wrong passwords, or too many are being verified.
    pub(super) async fn verify(
        self: &Arc<Self>,
        credentials: Credentials,
        hash: String,
        from: IpAddr,
    ) -> Result<bool, Refusal> {
        // A user who comes with many requests at a time is verified once: the others wait for that.
        let one_at_a_time = {
            let digest = self.digest(&credentials, &hash);
            let in_progress = self.in_progress.lock();
            let mut in_progress = in_progress.unwrap_or_else(PoisonError::into_inner);
            Arc::clone(in_progress.entry(digest).or_default())
        };
        let _guard = one_at_a_time.lock().await;
        if self.remembers(&credentials, &hash) {
            return Ok(true);
        }
        let address = network(from);
        let user = (address, credentials.name.clone());
        // Counted as wrong until it is found right: many may come at a time.
        if !self.wrong_for_user.take(user.clone()) || !self.wrong_from_address.take(address) {
            let text = "too many wrong passwords: try again in a minute";
            return Err(Refusal::too_many(text));
        }
        let passwords = Arc::clone(self);
        let verify = move || {
            let is_right = is_password_of(&credentials.password, &hash);
            if is_right {
                passwords.remember(&credentials, &hash);
            }
            is_right
        };
        let verified = self.in_turn(verify).await;
        if !matches!(verified, Ok(false)) {
            self.wrong_for_user.put_back(&user);
            self.wrong_from_address.put_back(&address);
        }
        verified
    }

    /// Forgets wrong passwords of long ago, and verifications that have ended.
    pub(super) fn prune(&self) {
        let in_progress = self.in_progress.lock();
        in_progress
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|_, waiting| Arc::strong_count(waiting) > 1);
        self.wrong_for_user.prune();
        self.wrong_from_address.prune();
    }
}
