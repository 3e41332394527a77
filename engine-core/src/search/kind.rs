//! Kinds of nodes as types, so that each kind is compiled separately.

/// The kind of a node.
pub(super) trait Node {
    /// On the principal variation: searched with an open window.
    const PV: bool;
    /// The root, which has its own list of moves.
    const ROOT: bool;
}

/// The root under an open window.
pub(super) struct Root;
/// The root under a null window, as MTD(f) probes it.
pub(super) struct RootProbe;
/// A node of the principal variation.
pub(super) struct Pv;
/// Any other node: searched with a null window.
pub(super) struct NullWindow;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl Node for RootProbe {
    const PV: bool = false;
    const ROOT: bool = true;
}
impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl Node for NullWindow {
    const PV: bool = false;
    const ROOT: bool = false;
}
