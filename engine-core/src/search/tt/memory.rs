//! The memory of the transposition table: zeroed lazily by the operating system, on huge pages
//! where available.

use super::entry::Cluster;
#[cfg(not(target_family = "wasm"))]
pub(super) use mapped::ZeroedClusters;
#[cfg(target_family = "wasm")]
pub(super) use plain::ZeroedClusters;

#[cfg(not(target_family = "wasm"))]
mod mapped {
    #[cfg(windows)]
    use super::super::large_pages::Map;
    use super::Cluster;
    #[cfg(not(windows))]
    use memmap2::MmapMut as Map;

    /// Zeroed clusters in an anonymous memory map, whose pages cost nothing until touched.
    pub(in super::super) struct ZeroedClusters {
        map: Map,
        len: usize,
    }

    impl ZeroedClusters {
        pub(in super::super) fn new(len: usize) -> std::io::Result<ZeroedClusters> {
            let bytes = len
                .checked_mul(size_of::<Cluster>())
                .ok_or_else(|| std::io::Error::from(std::io::ErrorKind::OutOfMemory))?;
            let map = Map::map_anon(bytes)?;
            // Fewer TLB misses: 10 % more nodes a second with 64 MB. Advice only: errors do not matter.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            Ok(ZeroedClusters { map, len })
        }

        #[inline(always)]
        #[expect(
            unsafe_code,
            reason = "bytes of a memory map seen as atomics; Vec cannot be lazy"
        )]
        #[expect(clippy::cast_ptr_alignment, reason = "a map is aligned to a page")]
        pub(in super::super) fn get(&self) -> &[Cluster] {
            // SAFETY: the map is page-aligned, so aligned for `Cluster`; it is `len` clusters long;
            // it lives as long as `self`; any bits are valid atomics; and as nobody takes the map's
            // bytes otherwise, all access goes through these atomics.
            unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<Cluster>(), self.len) }
        }
    }
}

/// WebAssembly maps no memory.
#[cfg(target_family = "wasm")]
mod plain {
    use super::Cluster;
    use std::io::{Error, ErrorKind, Result};

    pub(in super::super) struct ZeroedClusters(Vec<Cluster>);

    impl ZeroedClusters {
        pub(in super::super) fn new(len: usize) -> Result<ZeroedClusters> {
            let mut clusters = Vec::new();
            let reserved = clusters.try_reserve_exact(len);
            reserved.map_err(|_| Error::from(ErrorKind::OutOfMemory))?;
            clusters.resize_with(len, Cluster::default);
            Ok(ZeroedClusters(clusters))
        }

        #[inline(always)]
        pub(in super::super) fn get(&self) -> &[Cluster] {
            &self.0
        }
    }
}

/// Prefetches the cache line of a cluster.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "an intrinsic: 5 % more nodes a second")
)]
pub(super) fn prefetch(cluster: &Cluster) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect that a program can see; SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cluster).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cluster;
}
