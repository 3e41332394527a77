//! Memory of Windows on large pages, which a user may have who has the right to "lock pages in
//! memory" (<https://learn.microsoft.com/windows/win32/memory/large-page-support>).

#![expect(unsafe_code, reason = "functions of the system")]

use memmap2::MmapMut;
use std::io::Result;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use windows_sys::Win32::Foundation::{CloseHandle, ERROR_SUCCESS, GetLastError, LUID};
use windows_sys::Win32::Security::{
    AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME,
    SE_PRIVILEGE_ENABLED, TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES, TOKEN_QUERY,
};
use windows_sys::Win32::System::Memory::{
    GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE,
    VirtualAlloc, VirtualFree,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

/// Zeroed memory: on large pages where they are allowed and there are enough of them, else a map.
pub(super) enum Map {
    Large(LargePages),
    Small(MmapMut),
}

impl Map {
    pub(super) fn map_anon(bytes: usize) -> Result<Map> {
        match LargePages::new(bytes) {
            Some(pages) => Ok(Map::Large(pages)),
            None => MmapMut::map_anon(bytes).map(Map::Small),
        }
    }

    #[inline(always)]
    pub(super) fn as_ptr(&self) -> *const u8 {
        match self {
            Map::Large(pages) => pages.0.load(Relaxed),
            Map::Small(map) => map.as_ptr(),
        }
    }
}

/// Memory on large pages, which is given back when it is dropped. Its address never changes; it is
/// atomic so that threads may share it.
pub(super) struct LargePages(AtomicPtr<u8>);

impl LargePages {
    fn new(bytes: usize) -> Option<LargePages> {
        // SAFETY: it has no condition.
        let page = unsafe { GetLargePageMinimum() };
        if page == 0 || bytes < page || !may_lock_pages() {
            return None;
        }
        let size = bytes.checked_next_multiple_of(page)?;
        let kind = MEM_COMMIT | MEM_RESERVE | MEM_LARGE_PAGES;
        // SAFETY: the system chooses the place, so nothing that is in use changes.
        let memory = unsafe { VirtualAlloc(null(), size, kind, PAGE_READWRITE) };
        (!memory.is_null()).then(|| LargePages(AtomicPtr::new(memory.cast())))
    }
}

impl Drop for LargePages {
    fn drop(&mut self) {
        // SAFETY: it came from `VirtualAlloc` and is given back once, as a whole.
        unsafe { VirtualFree(self.0.get_mut().cast(), 0, MEM_RELEASE) };
    }
}

/// Whether the user may lock pages in memory. The first call enables that privilege for the
/// process.
fn may_lock_pages() -> bool {
    static MAY: OnceLock<bool> = OnceLock::new();
    *MAY.get_or_init(enable_privilege)
}

fn enable_privilege() -> bool {
    let mut token = null_mut();
    let mut id = LUID::default();
    // SAFETY: all pointers are to values that live here, and the token is closed once.
    // `AdjustTokenPrivileges` succeeds even if the user lacks the privilege: only the last error
    // shows that.
    unsafe {
        let access = TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY;
        if OpenProcessToken(GetCurrentProcess(), access, &raw mut token) == 0 {
            return false;
        }
        let is_known = LookupPrivilegeValueW(null(), SE_LOCK_MEMORY_NAME, &raw mut id) != 0;
        let privileges = TOKEN_PRIVILEGES {
            PrivilegeCount: 1,
            Privileges: [LUID_AND_ATTRIBUTES {
                Luid: id,
                Attributes: SE_PRIVILEGE_ENABLED,
            }],
        };
        let is_set = is_known
            && AdjustTokenPrivileges(token, 0, &raw const privileges, 0, null_mut(), null_mut())
                != 0
            && GetLastError() == ERROR_SUCCESS;
        CloseHandle(token);
        is_set
    }
}
