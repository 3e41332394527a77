//! Answers to authenticated users.

mod games;
mod invitations;
mod users;

use super::refusal::Refusal;
use super::reply::{JsonReply, reply};
use super::route::Endpoint;
use super::state::ServerState;
use hyper::Method;
pub(crate) use users::username;
pub(super) use users::{Registration, profile, ratings};

/// Answers a request of an authenticated user.
pub(super) fn answer(
    state: &mut ServerState,
    me: usize,
    method: &Method,
    endpoint: Endpoint,
    body: &[u8],
) -> JsonReply {
    let is_post = method == Method::POST;
    if !is_post && method != Method::GET {
        return Err(Refusal::not_allowed());
    }
    match (is_post, endpoint) {
        (false, Endpoint::Users) => users::active(state),
        (_, Endpoint::Me) => profile(state, me),
        (true, Endpoint::MaxGames) => users::set_max_games(state, me, body),
        (true, Endpoint::Ranked) => users::set_ranked(state, me, body),
        (true, Endpoint::MyVersion) => users::new_version(state, me),
        (false, Endpoint::MyVersion) => users::version(state, me),
        (false, Endpoint::Invitations) => reply("invitations", state.open_invitations_to(me)),
        (true, Endpoint::Invitations) => invitations::invite(state, me, body),
        (true, Endpoint::Invitation(number)) => invitations::accept(state, me, number),
        (true, Endpoint::FinishInvitation(number)) => invitations::finish(state, me, number),
        (false, Endpoint::Game(number, endpoint)) => games::answer(state, me, number, endpoint),
        (true, Endpoint::Game(number, endpoint)) => games::act(state, me, number, endpoint, body),
        _ => Err(Refusal::not_allowed()),
    }
}
