//! Whether the processor has the instructions that this build uses.
//!
//! `is_x86_feature_detected!` does not help: for a feature that the build assumes it is true
//! without testing the processor. This code is compiled with the same features, so it uses only
//! integers and constant strings: building arrays or strings might use the very instructions that
//! it tests.

/// Whether the processor lacks features that this build needs; if so, writes to stderr which, and
/// how to build for it. Call it before anything else.
#[inline(never)]
pub fn is_too_old() -> bool {
    #[cfg(target_arch = "x86_64")]
    if x86::lacks_any() {
        x86::complain();
        return true;
    }
    false
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::__cpuid_count;
    use std::io::{Write, stderr};

    /// The register of CPUID with the bit of a feature.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Register {
        /// Leaf 1, ECX.
        Basic,
        /// Leaf 7, EBX.
        Extended,
        /// Leaf 0x80000001, ECX.
        Amd,
    }

    /// Each feature: its name, whether the build assumes it, its register and its bit.
    const FEATURES: &[(&str, bool, Register, u32)] = &[
        ("SSE3", cfg!(target_feature = "sse3"), Register::Basic, 0),
        ("SSSE3", cfg!(target_feature = "ssse3"), Register::Basic, 9),
        ("FMA", cfg!(target_feature = "fma"), Register::Basic, 12),
        (
            "SSE4.1",
            cfg!(target_feature = "sse4.1"),
            Register::Basic,
            19,
        ),
        (
            "SSE4.2",
            cfg!(target_feature = "sse4.2"),
            Register::Basic,
            20,
        ),
        ("MOVBE", cfg!(target_feature = "movbe"), Register::Basic, 22),
        (
            "POPCNT",
            cfg!(target_feature = "popcnt"),
            Register::Basic,
            23,
        ),
        // The operating system must support the wide registers, too.
        ("OSXSAVE", cfg!(target_feature = "avx"), Register::Basic, 27),
        ("AVX", cfg!(target_feature = "avx"), Register::Basic, 28),
        ("F16C", cfg!(target_feature = "f16c"), Register::Basic, 29),
        ("BMI1", cfg!(target_feature = "bmi1"), Register::Extended, 3),
        ("AVX2", cfg!(target_feature = "avx2"), Register::Extended, 5),
        ("BMI2", cfg!(target_feature = "bmi2"), Register::Extended, 8),
        (
            "AVX-512F",
            cfg!(target_feature = "avx512f"),
            Register::Extended,
            16,
        ),
        ("LZCNT", cfg!(target_feature = "lzcnt"), Register::Amd, 5),
    ];

    /// The bits of a register that the build needs.
    const fn needed(register: Register) -> u32 {
        let mut bits = 0;
        let mut rest = FEATURES;
        while let [(_, is_needed, of, bit), more @ ..] = rest {
            if *is_needed && *of as u8 == register as u8 {
                bits |= 1 << *bit;
            }
            rest = more;
        }
        bits
    }

    const BASIC: u32 = needed(Register::Basic);
    const EXTENDED: u32 = needed(Register::Extended);
    const AMD: u32 = needed(Register::Amd);

    /// The value of a register; 0 if the processor does not have the leaf.
    fn read(register: Register) -> u32 {
        let leaf = match register {
            Register::Basic => 1,
            Register::Extended => 7,
            Register::Amd => 0x8000_0001,
        };
        let (range, found) = (__cpuid_count(leaf & 0x8000_0000, 0), __cpuid_count(leaf, 0));
        match register {
            _ if range.eax < leaf => 0,
            Register::Extended => found.ebx,
            Register::Basic | Register::Amd => found.ecx,
        }
    }

    pub(super) fn lacks_any() -> bool {
        read(Register::Basic) & BASIC != BASIC
            || read(Register::Extended) & EXTENDED != EXTENDED
            || read(Register::Amd) & AMD != AMD
    }

    pub(super) fn complain() {
        // Nothing can be reported when stderr is closed.
        let write = |text: &str| drop(stderr().write_all(text.as_bytes()));
        write("mola: this build needs a processor with");
        for (name, is_needed, register, bit) in FEATURES {
            if *is_needed && read(*register) >> bit & 1 == 0 {
                write(" ");
                write(name);
            }
        }
        write(
            "; for this one, build it with RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n",
        );
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_processor_that_runs_this_test_will_do() {
        assert!(!super::is_too_old());
    }
}
