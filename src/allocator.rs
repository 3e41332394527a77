//! Settings of glibc's allocator: how much freed memory it retains.
//!
//! Left alone, glibc keeps 50 MB for good after searches with 64 threads.

/// To be called before any thread is started, by a program that is an engine for long: large blocks
/// shall come from the system and go back to it, and small ones from few places.
pub(crate) fn prepare() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "settings of the C library")]
    // SAFETY: `mallopt` takes plain numbers and has no effect on memory in use; as the program has
    // one thread yet, nobody allocates meanwhile.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 4);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 256 << 10);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 256 << 10);
    }
}

/// Gives free memory back to the system: for the rare moments when much has been freed.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "a call of the C library")]
    // SAFETY: `malloc_trim` may be called at any time by any thread, and touches free memory only.
    unsafe {
        libc::malloc_trim(0);
    }
}
