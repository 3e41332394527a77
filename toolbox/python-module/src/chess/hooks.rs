//! Methods that call others, which a subclass may override: `CALLS` in `_hooks.py` says which.

use pyo3::call::PyCallArgs;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Lists methods by variant and by name.
macro_rules! methods {
    ($($method:ident $name:literal,)*) => {
        /// A method, or a part of one, that goes another way if a subclass overrides what it calls. Mostly that
        /// is a function of this name in `_overridden.py`.
        #[derive(Clone, Copy)]
        pub(crate) enum Method {
            $(#[doc = concat!("`", $name, "`.")] $method,)*
        }

        impl Method {
            /// Their names in Python, in the order of the bits of `Hooks`.
            pub(crate) const NAMES: &[&str] = &[$($name,)*];
        }
    };
}

methods! {
    Algebraic "algebraic",
    AlgebraicWithoutSuffix "algebraic_without_suffix",
    Attackers "attackers",
    Attacks "attacks",
    BoardFen "board_fen",
    CanClaimThreefold "can_claim_threefold_repetition",
    Checkers "checkers",
    CheckersMask "checkers_mask",
    Epd "epd_fields",
    Fen "fen",
    ForgetMoves "forget_moves",
    GenerateCastling "generate_castling_moves",
    GenerateLegal "generate_legal_moves",
    GenerateLegalCaptures "generate_legal_captures",
    GenerateLegalEnPassant "generate_legal_ep",
    GeneratePseudoLegal "generate_pseudo_legal_moves",
    GeneratePseudoLegalCaptures "generate_pseudo_legal_captures",
    GivesCheck "gives_check",
    HasChess960Rights "has_chess960_castling_rights",
    HasLegalEnPassant "has_legal_en_passant",
    HasPseudoLegalEnPassant "has_pseudo_legal_en_passant",
    HasLegalMoves "has_legal_moves",
    IsCapture "is_capture",
    IsIntoCheck "is_into_check",
    IsLegal "is_legal",
    IsOver "is_over",
    IsPseudoLegal "is_pseudo_legal",
    IsRepetition "is_repetition",
    ParseSan "parse_san",
    ParseUci "parse_uci",
    PieceAt "piece_at",
    PieceMap "piece_map",
    Pieces "pieces",
    PinMask "pin_mask",
    Push "push",
    ReducesCastlingRights "_reduces_castling_rights",
    WasIntoCheck "was_into_check",
}

impl Method {
    /// Its name in Python.
    fn name(self) -> &'static str {
        Method::NAMES[self as usize]
    }

    /// The answer of its slow way.
    pub(super) fn slowly<'py>(
        self,
        py: Python<'py>,
        arguments: impl PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ways = py.import(intern!(py, "mola.chess._overridden"))?;
        ways.call_method1(self.name().trim_start_matches('_'), arguments)
    }
}

/// The methods that call some that a class overrides: a bit for each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hooks(u64);

impl Hooks {
    /// None: the class is one of the package, or overrides nothing that others call.
    pub(crate) const NONE: Hooks = Hooks(0);

    /// Those that Python has found for a class.
    pub(super) fn of(class: &Bound<'_, PyType>) -> PyResult<Hooks> {
        static BASE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        if class.is(BASE.import(class.py(), "mola.chess._base_board", "BaseBoard")?) {
            return Ok(Hooks::NONE);
        }
        match class.getattr_opt(intern!(class.py(), "_overridden"))? {
            None => Ok(Hooks::NONE),
            Some(bits) => bits.extract().map(Hooks),
        }
    }

    /// Whether this method is among them.
    #[inline(always)]
    pub(super) fn has(self, method: Method) -> bool {
        self.0 & 1 << method as u32 != 0
    }
}
