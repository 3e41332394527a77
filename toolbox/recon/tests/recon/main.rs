//! The arbiter and the server, and the arbiter against games and positions that reconchess has computed. They are found in
//! `../shared/data/recon` or `$MOLA_DATA/recon`; without them those tests pass.

mod arbiter;
mod beliefs;
mod data;
mod server;
