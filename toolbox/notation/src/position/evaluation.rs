//! What a position is worth without a search, and why.

use engine_core::AnyPosition;
use engine_core::eval::{Centipawns, Explanation, TaperedTerm, VectorTerm, Weights};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// The evaluation by the built-in weights; none in check.
pub(super) struct StaticEvaluation(Option<Explanation>);

impl StaticEvaluation {
    pub(super) fn of(position: &AnyPosition) -> StaticEvaluation {
        let weights = Weights::built_in(position.variant());
        StaticEvaluation((!position.in_check()).then(|| Explanation::of(position, weights)))
    }
}

impl fmt::Display for StaticEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(explanation) => {
                let value = Centipawns(explanation.value);
                write!(f, "{value} for White\n\n{explanation}")
            }
            None => f.write_str("none (in check)"),
        }
    }
}

impl Serialize for StaticEvaluation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0
            .as_ref()
            .map(EvaluationTerms::of)
            .serialize(serializer)
    }
}

/// The evaluation as data: centipawns for White.
#[derive(Serialize)]
struct EvaluationTerms {
    value: i32,
    phase: i32,
    tables: Share,
    threats: Option<Share>,
    tempo: Share,
    extra: Share,
    vectors: Option<VectorShare>,
    /// By square.
    pieces: BTreeMap<String, Option<i32>>,
}

#[derive(Serialize)]
struct Share {
    middlegame: i32,
    endgame: i32,
    tapered: i32,
}

#[derive(Serialize)]
struct VectorShare {
    value: i32,
    unclipped: i32,
    bucket: usize,
}

impl EvaluationTerms {
    fn of(explanation: &Explanation) -> EvaluationTerms {
        let share = |part: TaperedTerm| Share {
            middlegame: part.middlegame,
            endgame: part.endgame,
            tapered: part.tapered,
        };
        let vector_share = |part: VectorTerm| VectorShare {
            value: part.value,
            unclipped: part.unclipped,
            bucket: part.bucket,
        };
        let pieces = explanation.pieces.iter();
        EvaluationTerms {
            value: explanation.value,
            phase: explanation.phase,
            tables: share(explanation.tables),
            threats: explanation.threats.map(share),
            tempo: share(explanation.tempo),
            extra: share(explanation.extra),
            vectors: explanation.vectors.map(vector_share),
            pieces: pieces
                .map(|&(square, _, contribution)| (square.to_string(), contribution))
                .collect(),
        }
    }
}
