//! How much memory the hash table may take.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// One part in this many of the free memory is left to other programs.
const SPARED: u64 = 10;

/// The largest table in MB that fits into the free memory once the current one of `allocated` MB is
/// freed. An operating system may grant more, and kill the program when it uses that.
pub(crate) fn largest_table(allocated: usize) -> usize {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let available = system.available_memory();
    if available == 0 {
        // Unknown on this system.
        return usize::MAX;
    }
    // What a container may still take: its cache of files is given back when memory is short.
    let left = system
        .cgroup_limits()
        .map(|limits| limits.total_memory.saturating_sub(limits.rss));
    let free = left.map_or(available, |left| left.min(available));
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
