//! Levels of x86-64, as its psABI defines them.

/// The highest level with a build of its own that the processor and the system have.
#[cfg(target_arch = "x86_64")]
pub(crate) fn best() -> &'static str {
    if has_v3() { "x86-64-v3" } else { "x86-64" }
}

/// Others have one level.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn best() -> &'static str {
    std::env::consts::ARCH
}

/// Haswell, Zen and later.
#[cfg(target_arch = "x86_64")]
fn has_v3() -> bool {
    macro_rules! all {
        ($($feature:tt)*) => { true $(&& std::arch::is_x86_feature_detected!($feature))* };
    }
    all!("sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "cmpxchg16b" "avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe")
}
