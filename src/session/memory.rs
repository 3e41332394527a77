//! How much memory the hash table may take.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// One part in this many of the free memory is left to other programs.
const SPARED: u64 = 10;

/// The largest table in MB that fits into the free memory once the current one of `allocated` MB is
/// freed. An operating system may grant more, and kill the program when it uses that.
pub(crate) fn largest_table(allocated: usize) -> usize {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let limit = system.cgroup_limits().map(|limits| limits.free_memory);
    let available = system.available_memory();
    let free = limit.map_or(available, |limit| limit.min(available));
    if free == 0 {
        // Unknown on this system.
        return usize::MAX;
    }
    let megabytes = (free - free / SPARED) >> 20;
    usize::try_from(megabytes)
        .unwrap_or(usize::MAX)
        .saturating_add(allocated)
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
