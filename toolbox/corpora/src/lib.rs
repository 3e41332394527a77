//! Reference data that is not part of the repository, and the tests that need it.
//!
//! A test target with `harness = false` lists its tests, each with the files that it needs. Where
//! one of them is missing, the test is reported as ignored.
//!
//! ```no_run
//! fn three_pieces() {
//!     assert!(corpora::path("gaviota").is_dir());
//! }
//!
//! corpora::tests! {
//!     three_pieces: ["gaviota"],
//! }
//! ```

use flate2::read::MultiGzDecoder;
use libtest_mimic::{Arguments, Trial};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where a file or folder of the data lies, or would lie.
pub fn path(name: &str) -> PathBuf {
    let root = std::env::var_os("MOLA_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    root.join(name)
}

/// The text of a file that gzip compressed.
///
/// # Panics
/// When it cannot be read: what a test needs, its list says.
pub fn text(path: &Path) -> String {
    let mut text = String::new();
    let read =
        File::open(path).and_then(|file| MultiGzDecoder::new(file).read_to_string(&mut text));
    match read {
        Ok(_) => text,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// A test.
#[derive(Debug)]
pub struct Test {
    /// Its name.
    pub name: &'static str,
    /// The files and folders without which it can compare nothing.
    pub needs: &'static [&'static str],
    /// What it does; it panics when it fails.
    pub run: fn(),
}

/// Runs tests as the standard harness would, with its options.
pub fn run(tests: impl IntoIterator<Item = Test>) -> ExitCode {
    let trials = tests.into_iter().map(|test| {
        let Test { name, needs, run } = test;
        let is_missing = |name: &&str| !path(name).exists();
        let trial = Trial::test(name, move || {
            run();
            Ok(())
        });
        trial.with_ignored_flag(needs.iter().any(is_missing))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// The `main` of a target with these tests.
#[macro_export]
macro_rules! tests {
    ($($test:path: [$($needs:expr),* $(,)?]),* $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            $crate::run([$($crate::Test {
                name: stringify!($test),
                needs: &[$($needs),*],
                run: $test,
            }),*])
        }
    };
}
