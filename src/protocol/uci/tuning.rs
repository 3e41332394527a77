//! The search parameters as options: none in an ordinary build.

use engine_core::search::{TUNABLES, Tunable};

/// The lines that declare them.
pub(super) fn declarations() -> impl Iterator<Item = String> {
    TUNABLES.iter().map(|tunable| {
        let Tunable {
            name,
            default,
            min,
            max,
            off,
            ..
        } = tunable;
        let (min, max) = match off {
            Some(off) => (min.min(off), max.max(off)),
            None => (min, max),
        };
        format!("option name {name} type spin default {default} min {min} max {max}")
    })
}

/// Sets the parameter of this name; `None` if there is none.
pub(super) fn set(name: &str, value: &str) -> Option<Result<(), String>> {
    let tunable = TUNABLES.iter().find(|tunable| tunable.name == name)?;
    let is_set = value.parse().is_ok_and(|value| tunable.set(value));
    Some(if is_set {
        Ok(())
    } else {
        let Tunable { min, max, .. } = tunable;
        Err(format!("option {name}: {min} to {max} expected"))
    })
}
