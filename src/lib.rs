//! Mola.
