//! The parameters during a run.

use super::parameter::Parameter;
use serde::{Deserialize, Serialize};

/// The parameters after a number of pairs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Milestone {
    pub(super) played: u64,
    pub(super) values: Vec<f64>,
}

/// Milestones of a run.
const MILESTONES: u64 = 100;

/// Whether the parameters are recorded after this many pairs.
pub(super) fn is_milestone(played: u64, pairs: u64) -> bool {
    let every = pairs.div_ceil(MILESTONES).max(1);
    played.is_multiple_of(every) || played == pairs
}

impl Milestone {
    pub(super) fn of(played: u64, parameters: &[Parameter]) -> Milestone {
        Milestone {
            played,
            values: parameters.iter().map(|parameter| parameter.value).collect(),
        }
    }
}
