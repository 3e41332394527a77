//! Sessions with the real binary, front end by front end.

mod support;
mod tables;
mod terminal;
mod uci;
mod xboard;
