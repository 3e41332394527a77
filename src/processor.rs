//! Whether the processor has the instructions that this build was made of.
//!
//! `is_x86_feature_detected!` is no help here: for a feature that the build takes for granted it
//! answers yes without asking the processor.

/// A line for the user when the processor is older than the build: what it lacks, and what helps.
/// To be asked before anything else runs, since any other code may hold such an instruction.
#[inline(never)]
pub fn complaint() -> Option<String> {
    let lacking = lacking();
    if lacking.is_empty() {
        return None;
    }
    let names = lacking.join(", ");
    Some(format!(
        "mola: this build needs a processor with {names}. For this one, build it with \
         RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n"
    ))
}

#[cfg(not(target_arch = "x86_64"))]
fn lacking() -> Vec<&'static str> {
    Vec::new()
}

/// The features that the build takes for granted and the processor does not have.
#[cfg(target_arch = "x86_64")]
fn lacking() -> Vec<&'static str> {
    let missing = FEATURES
        .iter()
        .filter(|(_, is_needed, leaf, register, bit)| {
            let value = cpuid(*leaf).get(*register).copied().unwrap_or(0);
            *is_needed && value >> bit & 1 == 0
        });
    missing.map(|(name, ..)| *name).collect()
}

/// Each feature: its name, whether the build takes it for granted, and the leaf, the register (EAX
/// to EDX) and the bit in which the processor tells it.
#[cfg(target_arch = "x86_64")]
const FEATURES: &[(&str, bool, u32, usize, u32)] = &[
    ("SSE3", cfg!(target_feature = "sse3"), 1, 2, 0),
    ("SSSE3", cfg!(target_feature = "ssse3"), 1, 2, 9),
    ("FMA", cfg!(target_feature = "fma"), 1, 2, 12),
    ("SSE4.1", cfg!(target_feature = "sse4.1"), 1, 2, 19),
    ("SSE4.2", cfg!(target_feature = "sse4.2"), 1, 2, 20),
    ("MOVBE", cfg!(target_feature = "movbe"), 1, 2, 22),
    ("POPCNT", cfg!(target_feature = "popcnt"), 1, 2, 23),
    // The system must know of the wide registers, too.
    ("OSXSAVE", cfg!(target_feature = "avx"), 1, 2, 27),
    ("AVX", cfg!(target_feature = "avx"), 1, 2, 28),
    ("F16C", cfg!(target_feature = "f16c"), 1, 2, 29),
    ("BMI1", cfg!(target_feature = "bmi1"), 7, 1, 3),
    ("AVX2", cfg!(target_feature = "avx2"), 7, 1, 5),
    ("BMI2", cfg!(target_feature = "bmi2"), 7, 1, 8),
    ("AVX-512F", cfg!(target_feature = "avx512f"), 7, 1, 16),
    ("LZCNT", cfg!(target_feature = "lzcnt"), 0x8000_0001, 2, 5),
];

/// EAX, EBX, ECX and EDX of a leaf; zeros where the processor has none of this number.
#[cfg(target_arch = "x86_64")]
#[allow(unused_unsafe, reason = "safe from Rust 1.94 on")]
#[expect(unsafe_code, reason = "the processor itself is asked")]
fn cpuid(leaf: u32) -> [u32; 4] {
    use std::arch::x86_64::__cpuid_count;
    // SAFETY: every x86-64 processor has the instruction, and it changes nothing.
    let (range, found) = unsafe { (__cpuid_count(leaf & 0x8000_0000, 0), __cpuid_count(leaf, 0)) };
    if range.eax < leaf {
        return [0; 4];
    }
    [found.eax, found.ebx, found.ecx, found.edx]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_that_runs_this_test_will_do() {
        assert_eq!(complaint(), None);
    }
}
