//! A server without a network, for tests and for fuzzing.

use super::Config;
use super::service::{Question, Service};
use common::error::Result;
use hyper::Method;
use std::net::{IpAddr, Ipv4Addr};
use tokio::runtime::{Builder, Runtime};

/// A server without a network, to which requests are passed one at a time.
pub struct OfflineServer {
    service: Service,
    runtime: Runtime,
}

impl OfflineServer {
    /// Goes on from what is in the folder.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn open(config: &Config) -> Result<OfflineServer> {
        Ok(OfflineServer {
            service: Service::open(config)?,
            runtime: Builder::new_current_thread().build()?,
        })
    }

    /// The status and the body of the reply to a request that comes from this machine.
    pub fn answer(
        &self,
        method: &str,
        path: &str,
        authorization: Option<&str>,
        body: &[u8],
    ) -> (u16, String) {
        let Ok(method) = Method::from_bytes(method.as_bytes()) else {
            return (400, String::new());
        };
        let question = Question {
            from: IpAddr::from(Ipv4Addr::LOCALHOST),
            method: &method,
            path,
            authorization,
            body,
        };
        match self.runtime.block_on(self.service.answer(question)) {
            Ok(json) => (200, json),
            Err(refusal) => (refusal.status.as_u16(), refusal.json()),
        }
    }

    /// Time passes: games whose clocks have run out end, ranked ones begin.
    pub fn tick(&self) {
        self.service.tick();
    }
}
