//! HTTP over TCP: connections, requests with their bodies, replies.

use super::Config;
use super::connections::{Admitted, Connections};
use super::limiter::network;
use super::refusal::Refusal;
use super::reply::JsonReply;
use super::service::{Question, Service};
use common::error::{Error, Result};
use common::threads;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::future::poll_fn;
use std::net::{IpAddr, TcpListener};
use std::num::NonZero;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{interval, sleep, timeout};

/// The longest body of a request, in bytes. The longest that makes sense is a registration.
const LONGEST_BODY: usize = 16 << 10;
/// How long a body may take to come.
const BODY_TIME: Duration = Duration::from_secs(30);
/// What a connection keeps of what has come: at least the headers of a request.
const BUFFER: usize = 32 << 10;
/// How often clocks are checked, and players paired.
const TICK: Duration = Duration::from_millis(250);
/// How often idle connections are closed.
const SWEEP: Duration = Duration::from_secs(5);
/// How long to wait when the system cannot accept another connection.
const NO_ROOM: Duration = Duration::from_millis(20);

/// A server with its network.
pub struct Server {
    service: Service,
    connections: Arc<Connections>,
    behind_proxy: bool,
}

/// Opens the folder of a server, which is its own from now on.
///
/// # Errors
/// When another server has the folder, or the state cannot be read.
pub fn open(config: &Config) -> Result<Server> {
    let per_address = if config.behind_proxy {
        config.max_connections
    } else {
        config.max_connections_per_address
    };
    Ok(Server {
        service: Service::open(config)?,
        connections: Arc::new(Connections::new(config.max_connections, per_address)),
        behind_proxy: config.behind_proxy,
    })
}

/// The threads that serve.
///
/// # Errors
/// When the system allows too few threads or open files.
pub fn runtime() -> Result<Runtime> {
    let workers = available_parallelism().map_or(1, NonZero::get);
    // Where it cannot start one, the runtime panics. One more hashes passwords.
    threads::require(workers + 1)?;
    let built = Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_all()
        .build();
    built.map_err(|error| Error::Message(format!("the server cannot start: {error}")))
}

/// Serves until the process ends.
///
/// # Errors
/// When the listener fails.
pub fn serve(runtime: &Runtime, server: Server, listener: TcpListener) -> Result {
    let server = Arc::new(server);
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::spawn(watch_games(Arc::clone(&server)));
        tokio::spawn(sweep(Arc::clone(&server)));
        loop {
            match listener.accept().await {
                Ok((stream, address)) => {
                    if let Some(admitted) = server.connections.admit(address.ip()) {
                        let server = Arc::clone(&server);
                        tokio::spawn(server.talk(stream, address.ip(), admitted));
                    }
                }
                Err(error) => {
                    log::warn!("cannot accept connections: {error}");
                    sleep(NO_ROOM).await;
                }
            }
        }
    })
}

/// Ends games and begins others, when it is time.
async fn watch_games(server: Arc<Server>) {
    let mut ticks = interval(TICK);
    loop {
        ticks.tick().await;
        server.service.tick();
    }
}

/// Closes idle connections, and prunes the rate limits.
async fn sweep(server: Arc<Server>) {
    let mut ticks = interval(SWEEP);
    loop {
        ticks.tick().await;
        server.connections.close_late();
        server.service.prune();
    }
}

impl Server {
    /// Answers the requests of a connection until it ends or must be closed.
    async fn talk(self: Arc<Self>, stream: TcpStream, address: IpAddr, admitted: Admitted) {
        // A reply is written at once, and none waits for the one before to be acknowledged.
        let _ = stream.set_nodelay(true);
        let service = service_fn(async |request| {
            let reply = self.respond(request, address, &admitted).await;
            admitted.set_waiting_now();
            Ok::<_, Infallible>(reply)
        });
        let connection = http1::Builder::new()
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(connection);
        let mut closed = pin!(admitted.closed());
        // Whichever comes first.
        let ended = poll_fn(|context| match closed.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Ok(())),
            Poll::Pending => connection.as_mut().poll(context),
        });
        if let Err(error) = ended.await {
            log::debug!("{address}: {error}");
        }
    }

    async fn respond(
        &self,
        request: Request<Incoming>,
        address: IpAddr,
        admitted: &Admitted,
    ) -> Response<Full<Bytes>> {
        let start = Instant::now();
        let (head, body) = request.into_parts();
        let from = if self.behind_proxy {
            forwarded_for(&head.headers).unwrap_or(address)
        } else {
            address
        };
        let authorization = head.headers.get(header::AUTHORIZATION);
        let authorization = authorization.and_then(|value| value.to_str().ok());
        let answer = match collect(body).await {
            Ok(body) => {
                admitted.set_busy();
                let question = Question {
                    from,
                    method: asked_for(&head.method),
                    path: head.uri.path(),
                    authorization,
                    body: &body,
                };
                self.service.answer(question).await
            }
            Err(refusal) => Err(refusal),
        };
        let response = response(answer);
        log::debug!(
            "{} {} {} {:?}",
            head.method,
            head.uri.path(),
            response.status(),
            start.elapsed()
        );
        response
    }
}

/// The method whose answer is wanted: that to HEAD is that to GET, of which only the headers are sent.
fn asked_for(method: &Method) -> &Method {
    match *method {
        Method::HEAD => &Method::GET,
        _ => method,
    }
}

/// The address that a proxy says a request is from. The proxy adds it at the end; what is before
/// may be from anybody.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    let (_, last) = last
        .to_str()
        .ok()?
        .rsplit_once(',')
        .unwrap_or(("", last.to_str().ok()?));
    last.trim().parse().ok().map(network)
}

/// A whole body. One that is said to be too long is refused before it comes.
async fn collect(body: Incoming) -> std::result::Result<Bytes, Refusal> {
    let too_long = || {
        let text = format!("a body has at most {LONGEST_BODY} bytes");
        Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, text))
    };
    if body.size_hint().lower() > LONGEST_BODY as u64 {
        return too_long();
    }
    match timeout(BODY_TIME, Limited::new(body, LONGEST_BODY).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => too_long(),
        Ok(Err(error)) => Err(Refusal::bad(error.to_string())),
        Err(_) => Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            "the body did not arrive",
        )),
    }
}

/// An answer as HTTP has it.
fn response(answer: JsonReply) -> Response<Full<Bytes>> {
    let (status, json) = match answer {
        Ok(json) => (StatusCode::OK, json),
        Err(refusal) => (refusal.status, refusal.json()),
    };
    let mut response = Response::new(Full::from(json));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let json = HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, json);
    match status {
        StatusCode::UNAUTHORIZED => {
            let realm = HeaderValue::from_static("Basic realm=\"mola\"");
            headers.insert(header::WWW_AUTHENTICATE, realm);
        }
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        _ => {}
    }
    response
}
