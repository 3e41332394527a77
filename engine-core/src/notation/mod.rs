//! Reading and writing positions and moves.

mod fen;
