//! Settings of glibc's allocator: how much freed memory it keeps.
//!
//! By default, glibc never returns 50 MB after searches with 64 threads.

/// Call it before any thread is started, in a program that runs for long: large blocks
/// are then allocated by the system and returned to it, and small ones come from few arenas.
pub(crate) fn configure() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "settings of the C library")]
    // SAFETY: `mallopt` takes plain numbers and has no effect on memory in use; the program has only
    // one thread at this point, so nothing is allocated meanwhile.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 4);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 256 << 10);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 256 << 10);
    }
}

/// Returns free memory to the system, after much has been freed.
pub(crate) fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "a call of the C library")]
    // SAFETY: `malloc_trim` may be called at any time by any thread, and touches free memory only.
    unsafe {
        libc::malloc_trim(0);
    }
}
