//! Methods that call others, which a subclass may override: `CALLS` in `_overridden.py` says which.

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
    Push "push",
    WasIntoCheck "was_into_check",
}

impl Method {
    /// Its name in Python.
    pub(super) fn name(self) -> &'static str {
        Method::NAMES[self as usize]
    }
}

/// The methods that call some that a class overrides: a bit for each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hooks(u64);

impl Hooks {
    /// None: the class is one of the package, or overrides nothing that others call.
    pub(crate) const NONE: Hooks = Hooks(0);

    /// From the bits that Python has found.
    pub(crate) fn of(bits: u64) -> Hooks {
        Hooks(bits)
    }

    /// Whether this method is among them.
    pub(super) fn has(self, method: Method) -> bool {
        self.0 & 1 << method as u32 != 0
    }
}
