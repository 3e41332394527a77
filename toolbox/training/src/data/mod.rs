//! Files of games: what `mola datagen` writes and `mola tune` learns from.
//!
//! A file is a header and then blocks of whole games in the order of their numbers. A game is its
//! start and its moves with the search's scores, about four bytes a ply; positions to learn from
//! are found again by playing it. All numbers are little-endian.
//!
//! | header, 36 bytes | content |
//! |---|---|
//! | 0..8 | `MolaData` |
//! | 8..12 | version of the format (3), plus 256 times the number of the variant (below) |
//! | 12..16 | the first half of the hash of the weights that the games are played with |
//! | 16..24 | the seed of the random openings |
//! | 24..32 | nodes for a move |
//! | 32..36 | CRC-32 of bytes 0..32; files of version 2 lack it, and are read and continued as they are |
//!
//! | head of a block, 36 bytes | content |
//! |---|---|
//! | 0..4 | `Blok` |
//! | 4..8 | CRC-32 of bytes 8..36 of the head |
//! | 8..16 | number of the first game, from 0 |
//! | 16..20 | games: 64, fewer in the last block alone |
//! | 20..24 | plies with a score |
//! | 24..28 | positions to learn from: see [`is_quiet`] |
//! | 28..32 | length of the body in bytes |
//! | 32..36 | CRC-32 of the body |
//!
//! | game | content |
//! |---|---|
//! | 0..2 | start: a number of Chess960 (0 to 959, by Scharnagl), or 65,535 for the start of the variant |
//! | 2..3 | the game's result for White: 0 lost, 1 drawn, 2 won |
//! | 3..4 | random moves of the opening |
//! | 4..6 | plies with a score |
//! | then | the moves of the opening, 16 bits each (below) |
//! | then | for each ply the best move, 16 bits, and the score from White's view in centipawns, 16 bits signed |
//!
//! The best move of the last ply is not played when the game was adjudicated there.
//!
//! Variants have these numbers: 0 standard chess with Chess960, 1 suicide, 2 giveaway, 3 antichess,
//! 4 atomic, 5 King of the Hill, 6 racing kings, 7 horde, 8 three-check, 9 crazyhouse.
//!
//! A move is the square it leaves, plus 64 times the square it goes to, plus 4096 times its kind
//! ([`Move::to_bits`](engine_core::Move::to_bits)). Squares count from 0 for a1 over 1 for b1 to 63 for h8,
//! roles from 0: pawn, knight, bishop, rook, queen, king.
//!
//! | kind | move |
//! |---|---|
//! | 1 | a step or capture |
//! | 2 | a capture en passant |
//! | 3 | castling, also in standard chess: from the king's square to its rook's |
//! | 4 | a drop: the role is in the place of the square it leaves |
//! | 5 plus a role | a promotion to this role; in some variants also to a king |
//!
//! A head has the length of its body, so that a reader can go from head to head. As all blocks but
//! the last hold 64 games, the same games make the same file, on any number of threads and however
//! often a run was stopped and continued: games are added behind a block that is not full, and its
//! head is then written anew. What a failure left at the end, a part of a block or games that no head
//! counts, is cut off then; any other damage of a block is reported with its place, and that of the
//! header as such.

mod blocks;
mod format;
mod game;
mod reader;
mod replay;
mod writer;

pub use format::Recipe;
pub use game::{Packed, SearchedPly, SelfPlayGame};
pub use reader::{read, read_each, recipe};
pub use replay::{Visit, is_quiet};
pub use writer::DataWriter;

use common::error::Error;
use format::HeaderFault;
use std::path::Path;

fn not_ours(path: &Path) -> Error {
    Error::Message(format!("{} is not a file of mola datagen", path.display()))
}

/// The error of a file whose header cannot be read.
fn unreadable(path: &Path, fault: HeaderFault) -> Error {
    let what = match fault {
        HeaderFault::NotOurs => return not_ours(path),
        HeaderFault::Damaged => "the header is damaged",
        HeaderFault::Unknown => {
            "made by another version of mola datagen, which this one cannot read"
        }
    };
    Error::Message(format!("{}: {what}", path.display()))
}

fn damaged(path: &Path, offset: u64) -> Error {
    Error::Message(format!(
        "{}: the block at byte {offset} is damaged",
        path.display()
    ))
}

#[cfg(test)]
mod tests;
