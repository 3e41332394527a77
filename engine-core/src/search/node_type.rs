//! The types of nodes as Rust types, so that each is compiled separately.

/// The type of a node.
pub(super) trait NodeType {
    /// On the principal variation: searched with an open window.
    const PV: bool;
    /// The root, which has its own list of moves.
    const ROOT: bool;
}

/// The root under an open window.
pub(super) struct RootPv;
/// The root under a null window, as MTD(f) probes it.
pub(super) struct RootNonPv;
/// A node of the principal variation.
pub(super) struct Pv;
/// Any other node: searched with a null window.
pub(super) struct NonPv;

impl NodeType for RootPv {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeType for RootNonPv {
    const PV: bool = false;
    const ROOT: bool = true;
}
impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}
