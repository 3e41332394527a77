//! The arbiter against games and positions that reconchess has computed. They are found in
//! `../shared/data/recon` or `$MOLA_DATA/recon`; without them these tests pass.

mod arbiter;
mod beliefs;
mod data;
