//! The server, and the arbiter against games and positions that reconchess has computed.

mod arbiter;
mod beliefs;
mod data;
mod server;

corpora::tests! {
    arbiter::histories_are_equal_byte_for_byte: ["recon/histories"],
    arbiter::scenarios_are_equal: ["recon/scenarios.jsonl.gz"],
    arbiter::traces_are_equal: ["recon/traces"],
    beliefs::the_true_board_is_never_lost: ["recon/histories"],
    server::any_requests_in_any_order: [],
    server::a_record_that_could_not_be_written_is_written_later: [],
}
