//! Rate limits: a token bucket for each key.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most keys in the table. If it is full, new keys are refused.
const MAX_KEYS: usize = 1 << 16;

/// How many actions are allowed at once, and how long it takes until one more is.
pub(super) type Rate = (u32, Duration);

/// A token bucket for each key: this many actions at once, then one for each interval.
pub(super) struct RateLimiter<K> {
    burst: f64,
    interval: Duration,
    buckets: Mutex<HashMap<K, Bucket>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl<K: Eq + Hash> RateLimiter<K> {
    pub(super) fn new((burst, interval): Rate) -> RateLimiter<K> {
        RateLimiter {
            burst: f64::from(burst),
            interval,
            buckets: Mutex::default(),
        }
    }

    fn buckets(&self) -> MutexGuard<'_, HashMap<K, Bucket>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tokens in a bucket at a time.
    fn tokens(&self, bucket: Bucket, now: Instant) -> f64 {
        let since = now.saturating_duration_since(bucket.filled);
        let refilled = since.as_secs_f64() / self.interval.as_secs_f64();
        (bucket.tokens + refilled).min(self.burst)
    }

    /// Takes a token; false if none is left.
    pub(super) fn take(&self, key: K) -> bool {
        self.take_at(key, Instant::now())
    }

    fn take_at(&self, key: K, now: Instant) -> bool {
        let mut buckets = self.buckets();
        if buckets.len() >= MAX_KEYS && !buckets.contains_key(&key) {
            buckets.retain(|_, bucket| self.tokens(*bucket, now) < self.burst);
            if buckets.len() >= MAX_KEYS {
                return false;
            }
        }
        let bucket = buckets.entry(key).or_insert(Bucket {
            tokens: self.burst,
            filled: now,
        });
        let tokens = self.tokens(*bucket, now);
        let allowed = tokens >= 1.0;
        *bucket = Bucket {
            tokens: tokens - f64::from(u8::from(allowed)),
            filled: now,
        };
        allowed
    }

    /// Puts a token back that was taken for something harmless.
    pub(super) fn put_back(&self, key: &K) {
        if let Some(bucket) = self.buckets().get_mut(key) {
            bucket.tokens += 1.0;
        }
    }

    /// Forgets the keys whose buckets are full.
    pub(super) fn prune(&self) {
        self.prune_at(Instant::now());
    }

    fn prune_at(&self, now: Instant) {
        self.buckets()
            .retain(|_, bucket| self.tokens(*bucket, now) < self.burst);
    }
}

/// What counts as one address: an IPv6 address stands for its network of 64 bits, since one user
/// has all of that.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_then_one_for_each_interval() {
        let limiter = RateLimiter::new((3, Duration::from_millis(50)));
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        assert!((0..3).all(|_| limiter.take_at('a', start)));
        assert!(!limiter.take_at('a', at(49)));
        assert!(limiter.take_at('b', at(49)), "each key has its own");
        limiter.put_back(&'a');
        assert!(limiter.take_at('a', at(49)));
        assert!(!limiter.take_at('a', at(49)));
        assert!(limiter.take_at('a', at(51)));
        limiter.prune_at(at(150));
        assert!(!limiter.buckets().is_empty());
        limiter.prune_at(at(202));
        assert!(limiter.buckets().is_empty());
    }

    #[test]
    fn keys_are_bounded() {
        let limiter = RateLimiter::new((1, Duration::from_hours(1)));
        assert!((0..MAX_KEYS).all(|key| limiter.take(key)));
        assert!(!limiter.take(MAX_KEYS));
        assert_eq!(limiter.buckets().len(), MAX_KEYS);
    }

    #[test]
    fn networks() {
        let of = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
