//! Sessions with the real binary, front end by front end.

mod support;
mod terminal;
mod uci;
mod xboard;
