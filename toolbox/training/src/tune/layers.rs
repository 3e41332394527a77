//! The parts of the model, each with its own weights, gradients and hyperparameters.

/// One thing for each part of the model.
#[derive(Clone, Debug)]
pub(super) struct Layers<T> {
    /// The tapered tables, in centipawns: middlegame and endgame.
    pub(super) tables: T,
    /// The bonus of the side to move, alike.
    pub(super) tempo: T,
    /// The threats, alike.
    pub(super) threats: T,
    /// The vectors of the features.
    pub(super) vectors: T,
    /// The bias of the sums of the vectors.
    pub(super) bias: T,
    /// The weights of the activations: those of the side to move, then the opponent's.
    pub(super) outputs: T,
    /// The bias of the outputs.
    pub(super) output_bias: T,
}

impl<T> Layers<T> {
    pub(super) fn each(&self) -> [&T; 7] {
        [
            &self.tables,
            &self.tempo,
            &self.threats,
            &self.vectors,
            &self.bias,
            &self.outputs,
            &self.output_bias,
        ]
    }

    pub(super) fn each_mut(&mut self) -> [&mut T; 7] {
        [
            &mut self.tables,
            &mut self.tempo,
            &mut self.threats,
            &mut self.vectors,
            &mut self.bias,
            &mut self.outputs,
            &mut self.output_bias,
        ]
    }

    pub(super) fn map<U>(&self, to: impl Fn(&T) -> U) -> Layers<U> {
        Layers {
            tables: to(&self.tables),
            tempo: to(&self.tempo),
            threats: to(&self.threats),
            vectors: to(&self.vectors),
            bias: to(&self.bias),
            outputs: to(&self.outputs),
            output_bias: to(&self.output_bias),
        }
    }
}
