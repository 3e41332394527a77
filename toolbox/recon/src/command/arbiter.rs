//! `mola recon arbiter`: the arbiter for other programs.

use crate::arbiter;
use common::error::Result;
use common::output::Output;
use std::io::stdin;

/// Arbitrate games between other programs, with JSON lines on standard input and output
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Each input line is a request and each output line its reply; requests act for the player to move.
  {\"method\":\"start\"}           also with \"fen\", \"white_name\", \"black_name\", \"seconds_per_player\",
                             \"seconds_increment\", \"reversible_moves_limit\", \"full_turn_limit\",
                             and \"phases\":\"free\" to let actions come in any order
  {\"method\":\"sense_actions\"}
  {\"method\":\"move_actions\"}
  {\"method\":\"opponent_move_results\"}
  {\"method\":\"sense\",\"square\":52}                    0 is a1, 63 is h8; null senses nowhere
  {\"method\":\"move\",\"requested_move\":{\"type\":\"Move\",\"value\":\"e2e4\"}}      null passes
  {\"method\":\"end_turn\"}
  {\"method\":\"turn\"}, \"seconds_left\", \"is_over\", \"winner_color\", \"win_reason\", \"game_history\",
  {\"method\":\"resign\"}, \"end\"
Requests and replies are those of reconchess's HTTP API; an invalid request is answered with an
\"error\" and changes nothing.

Example:
  printf '{\"method\":\"start\"}\\n{\"method\":\"sense\",\"square\":52}\\n' | mola recon arbiter"
)]
pub(super) struct Args {}

/// Runs the subcommand.
///
/// # Errors
/// When reading or writing fails.
pub(super) fn run(_: &Args) -> Result {
    arbiter::serve(&mut stdin().lock(), &mut Output::stdout())
}
