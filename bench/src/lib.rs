//! Benchmarks of Mola against its peers.
