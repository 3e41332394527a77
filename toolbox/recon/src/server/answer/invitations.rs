//! Invitations to games.

use crate::server::event::Event;
use crate::server::refusal::Refusal;
use crate::server::reply::{JsonReply, done, read, reply};
use crate::server::state::ServerState;
use crate::wire;
use engine_core::Color;
use serde::Deserialize;

#[derive(Deserialize)]
struct Invite {
    opponent: String,
    #[serde(with = "wire::color")]
    color: Color,
}

/// Invites somebody to a game.
pub(super) fn invite(state: &mut ServerState, me: usize, body: &[u8]) -> JsonReply {
    let Invite { opponent, color } = read(body)?;
    let found = state.find_user(&opponent);
    let (to, _) = found.ok_or_else(|| Refusal::bad(format!("no user {opponent:?} to invite")))?;
    if to == me {
        return Err(Refusal::bad("you cannot invite yourself"));
    }
    state.check_may_invite(me)?;
    let (white, black) = if color.is_white() { (me, to) } else { (to, me) };
    let game = state.add_game(white, black, false, &[me])?;
    reply("game_id", game)
}

/// Accepts an invitation.
pub(super) fn accept(state: &mut ServerState, me: usize, invitation: usize) -> JsonReply {
    let game = game_of(state, me, invitation)?;
    state.commit(&Event::Accepted { invitation })?;
    reply("game_id", game)
}

/// The game of an invitation is over.
pub(super) fn finish(state: &mut ServerState, me: usize, invitation: usize) -> JsonReply {
    game_of(state, me, invitation)?;
    state.commit(&Event::Finished { invitation })?;
    Ok(done())
}

/// The game of an invitation, which must be to this user.
fn game_of(state: &ServerState, me: usize, invitation: usize) -> Result<usize, Refusal> {
    state
        .invitation(invitation)
        .filter(|invitation| invitation.to == me)
        .map(|invitation| invitation.game)
        .ok_or_else(|| Refusal::bad("no such invitation to you"))
}
