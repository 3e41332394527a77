//! The locale, as far as it says which characters the terminal shows.

use std::env;
use std::ffi::OsString;

/// Whether the terminal may be expected to show Unicode. Only Unix says otherwise.
pub fn is_unicode() -> bool {
    !cfg!(unix) || is_unicode_by(|name| env::var_os(name))
}

/// Of the variables of POSIX, the first that is set and not empty counts. Without any, nothing is known of the
/// terminal, and most have Unicode.
fn is_unicode_by(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let mut values = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().map(variable);
    let locale = values.find_map(|value| value.filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        // The names of systems differ: `C.UTF-8`, `de_DE.utf8`, `UTF-8`.
        let name = locale.to_string_lossy().to_ascii_lowercase();
        name.contains("utf-8") || name.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_counts() {
        let of = |values: [&'static str; 3]| {
            is_unicode_by(|name| {
                let place = ["LC_ALL", "LC_CTYPE", "LANG"]
                    .iter()
                    .position(|it| *it == name);
                place.map(|place| OsString::from(values[place]))
            })
        };
        for values in [
            ["C", "C.UTF-8", "C.UTF-8"],
            ["", "POSIX", "C.UTF-8"],
            ["", "", "de_DE.ISO-8859-1"],
            ["", "", "de_DE@euro"],
        ] {
            assert!(!of(values), "{values:?}");
        }
        for values in [
            ["C.UTF-8", "C", "C"],
            ["", "UTF-8", "C"],
            ["", "", "de_DE.utf8"],
            ["", "", ""],
        ] {
            assert!(of(values), "{values:?}");
        }
        assert!(is_unicode_by(|_| None));
    }
}
