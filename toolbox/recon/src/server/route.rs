//! Routes: the endpoints of the API by path.

/// An endpoint of the API. The path may end in a slash or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Endpoint {
    /// `/api/version`
    Version,
    /// `/api/users/`
    Users,
    /// `/api/ratings/`
    Ratings,
    /// `/api/users/me`
    Me,
    /// `/api/users/me/max_games`
    MaxGames,
    /// `/api/users/me/ranked`
    Ranked,
    /// `/api/users/me/version`
    MyVersion,
    /// `/api/invitations/`
    Invitations,
    /// `/api/invitations/7`
    Invitation(usize),
    /// `/api/invitations/7/finish`
    FinishInvitation(usize),
    /// `/api/games/7/…`
    Game(usize, GameEndpoint),
}

/// An endpoint of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(super) enum GameEndpoint {
    Color,
    StartingBoard,
    OpponentName,
    Ready,
    SenseActions,
    MoveActions,
    SecondsLeft,
    OpponentMoveResults,
    Sense,
    Move,
    EndTurn,
    Resign,
    IsOver,
    IsMyTurn,
    GameStatus,
    WinnerColor,
    WinReason,
    GameHistory,
    MyTurns,
}

impl Endpoint {
    /// The endpoint of a path, if there is one.
    pub(super) fn of(path: &str) -> Option<Endpoint> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let parts: Vec<&str> = path.split('/').collect();
        let ["", "api", parts @ ..] = parts.as_slice() else {
            return None;
        };
        Some(match *parts {
            ["version"] => Endpoint::Version,
            ["ratings"] => Endpoint::Ratings,
            ["users"] => Endpoint::Users,
            ["users", "me"] => Endpoint::Me,
            ["users", "me", "max_games"] => Endpoint::MaxGames,
            ["users", "me", "ranked"] => Endpoint::Ranked,
            ["users", "me", "version"] => Endpoint::MyVersion,
            ["invitations"] => Endpoint::Invitations,
            ["invitations", id] => Endpoint::Invitation(number(id)?),
            ["invitations", id, "finish"] => Endpoint::FinishInvitation(number(id)?),
            ["games", id, what] => Endpoint::Game(number(id)?, GameEndpoint::of(what)?),
            _ => return None,
        })
    }
}

/// A number of digits alone; one too large is that of nothing.
fn number(text: &str) -> Option<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(usize::MAX))
}

impl GameEndpoint {
    fn of(name: &str) -> Option<GameEndpoint> {
        Some(match name {
            "color" => GameEndpoint::Color,
            "starting_board" => GameEndpoint::StartingBoard,
            "opponent_name" => GameEndpoint::OpponentName,
            "ready" => GameEndpoint::Ready,
            "sense_actions" => GameEndpoint::SenseActions,
            "move_actions" => GameEndpoint::MoveActions,
            "seconds_left" => GameEndpoint::SecondsLeft,
            "opponent_move_results" => GameEndpoint::OpponentMoveResults,
            "sense" => GameEndpoint::Sense,
            "move" => GameEndpoint::Move,
            "end_turn" => GameEndpoint::EndTurn,
            "resign" | "error_resign" => GameEndpoint::Resign,
            "is_over" => GameEndpoint::IsOver,
            "is_my_turn" => GameEndpoint::IsMyTurn,
            "game_status" => GameEndpoint::GameStatus,
            "winner_color" => GameEndpoint::WinnerColor,
            "win_reason" => GameEndpoint::WinReason,
            "game_history" => GameEndpoint::GameHistory,
            "my_turns" => GameEndpoint::MyTurns,
            _ => return None,
        })
    }

    /// Whether it changes something, so that it is posted.
    pub(super) fn is_posted(self) -> bool {
        use GameEndpoint::{EndTurn, Move, Ready, Resign, Sense};
        matches!(self, Ready | Sense | Move | EndTurn | Resign)
    }

    /// Whether everybody may know it, not the players alone.
    pub(super) fn is_public(self) -> bool {
        use GameEndpoint::{GameHistory, IsOver, WinReason, WinnerColor};
        matches!(self, IsOver | WinnerColor | WinReason | GameHistory)
    }
}
