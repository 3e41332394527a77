//! Whether the processor has the instructions that this build uses.
//!
//! `is_x86_feature_detected!` does not help: for a feature that the build assumes it is true
//! without testing the processor. This code is compiled with the same features, so it uses only
//! integers and constant strings: building arrays or strings might use the very instructions that
//! it tests, as might a shift by a variable.

/// Whether the processor lacks features that this build needs. Ask before anything else.
#[inline(never)]
pub fn lacks_features() -> bool {
    #[cfg(target_arch = "x86_64")]
    if x86::lacks_any(&x86::registers()) {
        return true;
    }
    false
}

/// Writes to stderr which features the processor lacks, and how to build for it.
#[inline(never)]
pub fn report_missing_features() {
    #[cfg(target_arch = "x86_64")]
    x86::report(&x86::registers());
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::__cpuid_count;
    use std::io::{Write, stderr};

    /// A register of CPUID.
    enum Register {
        Basic,
        Extended,
        Amd,
    }
    use Register::{Amd, Basic, Extended};

    /// Each feature: its name, whether the build assumes it, its register and its bit there.
    const FEATURES: &[(&str, bool, Register, u32)] = &[
        ("SSE3", cfg!(target_feature = "sse3"), Basic, 1 << 0),
        ("SSSE3", cfg!(target_feature = "ssse3"), Basic, 1 << 9),
        ("FMA", cfg!(target_feature = "fma"), Basic, 1 << 12),
        ("SSE4.1", cfg!(target_feature = "sse4.1"), Basic, 1 << 19),
        ("SSE4.2", cfg!(target_feature = "sse4.2"), Basic, 1 << 20),
        ("MOVBE", cfg!(target_feature = "movbe"), Basic, 1 << 22),
        ("POPCNT", cfg!(target_feature = "popcnt"), Basic, 1 << 23),
        // The operating system must support the wide registers, too.
        ("OSXSAVE", cfg!(target_feature = "avx"), Basic, 1 << 27),
        ("AVX", cfg!(target_feature = "avx"), Basic, 1 << 28),
        ("F16C", cfg!(target_feature = "f16c"), Basic, 1 << 29),
        ("BMI1", cfg!(target_feature = "bmi1"), Extended, 1 << 3),
        ("AVX2", cfg!(target_feature = "avx2"), Extended, 1 << 5),
        ("BMI2", cfg!(target_feature = "bmi2"), Extended, 1 << 8),
        (
            "AVX-512F",
            cfg!(target_feature = "avx512f"),
            Extended,
            1 << 16,
        ),
        ("LZCNT", cfg!(target_feature = "lzcnt"), Amd, 1 << 5),
    ];

    /// The registers of CPUID with the bits of features; 0 where the processor does not have the leaf.
    pub(super) struct Registers {
        /// Leaf 1, ECX.
        pub(super) basic: u32,
        /// Leaf 7, EBX.
        pub(super) extended: u32,
        /// Leaf 0x80000001, ECX.
        pub(super) amd: u32,
    }

    pub(super) fn registers() -> Registers {
        let (last, last_amd) = (__cpuid_count(0, 0).eax, __cpuid_count(0x8000_0000, 0).eax);
        let has_amd = last_amd >= 0x8000_0001;
        Registers {
            basic: __cpuid_count(1, 0).ecx,
            extended: if last < 7 { 0 } else { __cpuid_count(7, 0).ebx },
            amd: if has_amd {
                __cpuid_count(0x8000_0001, 0).ecx
            } else {
                0
            },
        }
    }

    /// Passes on the name of each feature that the build needs and these registers lack.
    pub(super) fn each_missing(registers: &Registers, mut tell: impl FnMut(&'static str)) {
        for (name, is_needed, register, bit) in FEATURES {
            let bits = match register {
                Basic => registers.basic,
                Extended => registers.extended,
                Amd => registers.amd,
            };
            if *is_needed && bits & bit == 0 {
                tell(name);
            }
        }
    }

    pub(super) fn lacks_any(registers: &Registers) -> bool {
        let mut lacks_any = false;
        each_missing(registers, |_| lacks_any = true);
        lacks_any
    }

    pub(super) fn report(registers: &Registers) {
        // Nothing can be reported when stderr is closed.
        let write = |text: &str| drop(stderr().write_all(text.as_bytes()));
        write("mola: this build needs a processor with");
        each_missing(registers, |name| {
            write(" ");
            write(name);
        });
        write(
            "; for this one, build it with RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n",
        );
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_processor_that_runs_this_test_will_do() {
        assert!(!super::lacks_features());
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn features_of_known_processors() {
        let nehalem = super::x86::Registers {
            basic: 0x0098_e3bd,
            extended: 0,
            amd: 0x0000_0001,
        };
        let haswell = super::x86::Registers {
            basic: 0x7ffa_fbff,
            extended: 0x0000_27ab,
            amd: 0x0000_0021,
        };
        // What later processors have is not asked here, as a build for this machine may need it.
        let missing = |registers: super::x86::Registers| {
            let mut names = Vec::new();
            super::x86::each_missing(&registers, |name| names.push(name));
            names.retain(|&name| name != "AVX-512F");
            names.join(" ")
        };
        assert_eq!(missing(haswell), "");
        let mut lacking = vec![
            ("FMA", cfg!(target_feature = "fma")),
            ("MOVBE", cfg!(target_feature = "movbe")),
            ("OSXSAVE", cfg!(target_feature = "avx")),
            ("AVX", cfg!(target_feature = "avx")),
            ("F16C", cfg!(target_feature = "f16c")),
            ("BMI1", cfg!(target_feature = "bmi1")),
            ("AVX2", cfg!(target_feature = "avx2")),
            ("BMI2", cfg!(target_feature = "bmi2")),
            ("LZCNT", cfg!(target_feature = "lzcnt")),
        ];
        // A build may be for a processor between the two.
        lacking.retain(|&(_, is_needed)| is_needed);
        let lacking: Vec<_> = lacking.into_iter().map(|(name, _)| name).collect();
        assert_eq!(missing(nehalem), lacking.join(" "));
    }
}
