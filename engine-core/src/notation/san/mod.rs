//! Standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q#`.

mod quick;
mod read;
mod text;
mod write;

pub(super) use text::SanText;
