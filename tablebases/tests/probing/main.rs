//! Probers against the values that others gave for real tables.

mod common;
mod exhaustive;
mod gaviota;
mod many;
mod recode;
mod syzygy;
