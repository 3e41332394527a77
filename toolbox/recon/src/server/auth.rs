//! Passwords: hashed with Argon2, verified once and then remembered.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use blake2::{Blake2b512, Digest};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The longest password, so that hashing is no way to keep the server busy.
pub(super) const LONGEST_PASSWORD: usize = 1024;

/// A name and a password.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Credentials {
    pub(super) name: String,
    pub(super) password: String,
}

impl Credentials {
    /// What a request says of its sender (RFC 7617).
    pub(super) fn of(headers: &HeaderMap) -> Option<Credentials> {
        let header = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
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
fn verify(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}

/// Credentials that were verified. What is kept is a digest under a secret of this process.
pub(super) struct Verified {
    secret: [u8; 32],
    /// By name.
    digests: Mutex<HashMap<String, Vec<u8>>>,
}

impl Verified {
    pub(super) fn new() -> Result<Verified, String> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| error.to_string())?;
        Ok(Verified {
            secret,
            digests: Mutex::default(),
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

    /// Whether these credentials were found right before.
    pub(super) fn knows(&self, credentials: &Credentials, hash: &str) -> bool {
        let digest = self.digest(credentials, hash);
        let digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        digests.get(&credentials.name) == Some(&digest)
    }

    /// Verifies credentials, which takes long, and remembers them if they are right.
    pub(super) fn verify(&self, credentials: &Credentials, hash: &str) -> bool {
        let right = verify(&credentials.password, hash);
        if right {
            let digest = self.digest(credentials, hash);
            let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
            digests.insert(credentials.name.clone(), digest);
        }
        right
    }
}
