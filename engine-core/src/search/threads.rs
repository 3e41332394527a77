//! How search threads are started: by the standard library, which cannot in a WebAssembly module of
//! a page. There the page starts them as workers, if it can.

/// More than the memory that a thread takes beside its stack.
const MEMORY: usize = 4 << 20;

/// Whether there is memory for another thread: where it is short, a thread would end the program.
pub(super) fn has_memory() -> bool {
    let mut memory: Vec<u8> = Vec::new();
    let reserved = memory.try_reserve_exact(MEMORY);
    // The compiler may leave out an allocation that nobody looks at.
    std::hint::black_box(&memory);
    reserved.is_ok()
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(super) use system::{Handle, spawn};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use page::set_spawn;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) use page::{Handle, spawn};

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    use std::io::Result;
    use std::thread::{Builder, JoinHandle};

    const STACK: usize = 16 << 20;

    pub(crate) struct Handle(JoinHandle<()>);

    impl Handle {
        /// Waits for the end of the thread.
        pub(crate) fn join(self) {
            // One that has panicked has ended, too.
            let _ = self.0.join();
        }
    }

    pub(crate) fn spawn(index: usize, run: impl FnOnce() + Send + 'static) -> Result<Handle> {
        Builder::new()
            .name(format!("search-{index}"))
            .stack_size(STACK)
            .spawn(run)
            .map(Handle)
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod page {
    use std::io::{Error, ErrorKind, Result};
    use std::sync::OnceLock;

    type Spawn = fn(Box<dyn FnOnce() + Send>);

    static SPAWN: OnceLock<Spawn> = OnceLock::new();

    /// Sets the function that starts a thread; until then there are none. Later calls change
    /// nothing.
    pub fn set_spawn(spawn: Spawn) {
        let _ = SPAWN.set(spawn);
    }

    /// Pages do not wait for the end of a thread, which comes soon.
    pub(crate) struct Handle;

    impl Handle {
        pub(crate) fn join(self) {}
    }

    pub(crate) fn spawn(_index: usize, run: impl FnOnce() + Send + 'static) -> Result<Handle> {
        let spawn = SPAWN.get().ok_or(Error::from(ErrorKind::Unsupported))?;
        spawn(Box::new(run));
        Ok(Handle)
    }
}
