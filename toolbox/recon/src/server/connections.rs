//! Which connections are open, how many there may be, and how long one may keep the server waiting.

use super::limiter::network;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// How long a connection may take to send a whole request, to take in a reply, or to stay idle.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// The open connections. Where there are too many, the one that has kept the server waiting
/// longest makes room: half-sent requests never keep players out.
pub(super) struct Connections {
    most: usize,
    most_per_address: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    last_id: u64,
    by_id: HashMap<u64, Connection>,
    by_network: HashMap<IpAddr, usize>,
}

struct Connection {
    network: IpAddr,
    /// Since when the server waits for a request, or the rest of one; `None` while it answers.
    waiting: Option<Instant>,
    close: Arc<Notify>,
}

/// A connection that was admitted; it is forgotten when this is dropped.
pub(super) struct Admitted {
    connections: Arc<Connections>,
    id: u64,
    close: Arc<Notify>,
}

impl Connections {
    pub(super) fn new(most: usize, most_per_address: usize) -> Connections {
        Connections {
            most: most.max(1),
            most_per_address: most_per_address.max(1),
            open: Mutex::default(),
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection from an address, and closes another one if there are too many. `None` if
    /// none of them can be closed, since all are being answered.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Admitted> {
        let network = network(address);
        let mut open = self.open();
        let from_here = open.by_network.get(&network).copied().unwrap_or(0);
        let crowded = if from_here >= self.most_per_address {
            Some(network)
        } else if open.by_id.len() >= self.most {
            open.busiest_network()
        } else {
            None
        };
        if let Some(crowded) = crowded {
            let longest = open.longest_waiting(crowded)?;
            open.close(longest);
        }
        open.last_id += 1;
        let id = open.last_id;
        let close = Arc::new(Notify::new());
        open.by_id.insert(
            id,
            Connection {
                network,
                waiting: Some(Instant::now()),
                close: Arc::clone(&close),
            },
        );
        *open.by_network.entry(network).or_default() += 1;
        Some(Admitted {
            connections: Arc::clone(self),
            id,
            close,
        })
    }

    /// Closes the connections that have kept the server waiting for too long.
    pub(super) fn close_late(&self) {
        let mut open = self.open();
        let is_late = |connection: &Connection| {
            connection
                .waiting
                .is_some_and(|since| since.elapsed() > LONGEST_WAIT)
        };
        let late: Vec<u64> = open
            .by_id
            .iter()
            .filter(|(_, connection)| is_late(connection))
            .map(|(&id, _)| id)
            .collect();
        for id in late {
            open.close(id);
        }
    }
}

impl Open {
    /// The network that has most connections.
    fn busiest_network(&self) -> Option<IpAddr> {
        self.by_network
            .iter()
            .max_by_key(|&(_, count)| *count)
            .map(|(&network, _)| network)
    }

    /// The connection from a network that the server has been waiting for longest.
    fn longest_waiting(&self, network: IpAddr) -> Option<u64> {
        self.by_id
            .iter()
            .filter(|(_, connection)| connection.network == network)
            .filter_map(|(&id, connection)| Some((connection.waiting?, id)))
            .min()
            .map(|(_, id)| id)
    }

    fn close(&mut self, id: u64) {
        if let Some(connection) = self.forget(id) {
            connection.close.notify_one();
        }
    }

    fn forget(&mut self, id: u64) -> Option<Connection> {
        let connection = self.by_id.remove(&id)?;
        if let Some(count) = self.by_network.get_mut(&connection.network) {
            *count -= 1;
            if *count == 0 {
                self.by_network.remove(&connection.network);
            }
        }
        Some(connection)
    }
}

impl Admitted {
    /// Waits until the connection must be closed.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }

    /// A whole request has come, and is being answered.
    pub(super) fn set_busy(&self) {
        self.set_waiting(None);
    }

    /// The reply is on its way, and the next request may come.
    pub(super) fn set_waiting_now(&self) {
        self.set_waiting(Some(Instant::now()));
    }

    fn set_waiting(&self, since: Option<Instant>) {
        if let Some(connection) = self.connections.open().by_id.get_mut(&self.id) {
            connection.waiting = since;
        }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.connections.open().forget(self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn is_closed(admitted: &Admitted) -> bool {
        !admitted.connections.open().by_id.contains_key(&admitted.id)
    }

    #[test]
    fn who_waits_longest_makes_room() {
        let connections = Arc::new(Connections::new(4, 3));
        let admit = |last| connections.admit(Ipv4Addr::new(192, 0, 2, last).into());
        let junk: Vec<Admitted> = (0..3).filter_map(|_| admit(1)).collect();
        junk[0].set_busy();
        let more = admit(1).unwrap();
        assert!(!is_closed(&junk[0]) && is_closed(&junk[1]) && !is_closed(&junk[2]));
        let honest = admit(2).unwrap();
        // All of them are four now: the crowded address makes room for others.
        let other = admit(3).unwrap();
        assert!(is_closed(&junk[2]) && ![&honest, &more, &other].into_iter().any(is_closed));
        drop(junk);
        drop(more);
        assert_eq!(connections.open().by_id.len(), 2);
        assert_eq!(connections.open().by_network.len(), 2);
    }

    #[test]
    fn late_ones_are_closed() {
        let connections = Arc::new(Connections::new(9, 9));
        let admit = || connections.admit(Ipv4Addr::LOCALHOST.into()).unwrap();
        let (half_sent, busy, fresh) = (admit(), admit(), admit());
        busy.set_busy();
        let long_ago = Instant::now().checked_sub(2 * LONGEST_WAIT);
        half_sent.set_waiting(long_ago);
        connections.close_late();
        assert!(long_ago.is_none() || is_closed(&half_sent));
        assert!(!is_closed(&busy) && !is_closed(&fresh));
    }

    #[test]
    fn nobody_is_closed_who_is_being_answered() {
        let connections = Arc::new(Connections::new(1, 1));
        let address = IpAddr::from(Ipv4Addr::LOCALHOST);
        let one = connections.admit(address).unwrap();
        one.set_busy();
        assert!(connections.admit(address).is_none());
        one.set_waiting_now();
        assert!(connections.admit(address).is_some());
        assert!(is_closed(&one));
    }
}
