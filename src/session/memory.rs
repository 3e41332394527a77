//! How much memory a table may take.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// What is left free for everybody else, as a part of what there is.
const SPARED: u64 = 10;

/// The largest table in MB that fits into the memory that is free now, beside one of `held` MB
/// that it replaces. An operating system may promise more, and end the program when it is used.
pub(super) fn largest_table(held: usize) -> usize {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let limit = system.cgroup_limits().map(|limits| limits.free_memory);
    let free = limit
        .map_or(u64::MAX, |limit| limit)
        .min(system.available_memory());
    if free == 0 {
        // Nothing is known here.
        return usize::MAX;
    }
    let megabytes = (free - free / SPARED) >> 20;
    usize::try_from(megabytes)
        .unwrap_or(usize::MAX)
        .saturating_add(held)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_memory_is_free() {
        assert!(largest_table(0) > 16);
        assert!(largest_table(0) < 1 << 24);
    }
}
