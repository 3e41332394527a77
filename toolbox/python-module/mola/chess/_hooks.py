"""Which methods of boards call which, and so are affected if a subclass overrides some."""

from __future__ import annotations

from typing import Any, Collection, Dict, FrozenSet, Tuple, Type

from mola._mola import chess as _native

_TO_FIND_SAFETY = ("attackers_mask", "_is_safe", "_generate_evasions", "_slider_blockers")
"""What is asked whether a move leaves the king in check."""
CALLS: Dict[str, Tuple[str, ...]] = {
    "piece_at": ("piece_type_at",),
    "piece_map": ("piece_at",),
    "board_fen": ("piece_at",),
    "pieces": ("pieces_mask",),
    "pin_mask": ("king",),
    "attacks": ("attacks_mask",),
    "attackers": ("attackers_mask",),
    "is_attacked_by": ("attackers_mask",),
    "checkers_mask": ("king", "attackers_mask"),
    "checkers": ("checkers_mask",),
    "is_check": ("checkers_mask",),
    "was_into_check": ("king", "is_attacked_by"),
    "push": ("clean_castling_rights", "is_zeroing", "_push_capture"),
    "_is_safe": ("is_castling", "is_attacked_by", "is_en_passant", "pin_mask", "_ep_skewered"),
    "_generate_evasions": ("generate_pseudo_legal_moves", "generate_pseudo_legal_ep"),
    "is_into_check": ("king", *_TO_FIND_SAFETY),
    "gives_check": ("push", "is_check", "pop"),
    "is_capture": ("is_en_passant",),
    "generate_castling_moves": (
        "clean_castling_rights",
        "attackers_mask",
        "_attacked_for_king",
        "_from_chess960",
    ),
    "generate_pseudo_legal_moves": (
        "attacks_mask",
        "generate_castling_moves",
        "generate_pseudo_legal_ep",
    ),
    "generate_pseudo_legal_captures": ("generate_pseudo_legal_moves", "generate_pseudo_legal_ep"),
    "is_pseudo_legal": (
        "piece_type_at",
        "attacks_mask",
        "generate_castling_moves",
        "generate_pseudo_legal_moves",
    ),
    "is_legal": ("is_pseudo_legal", "is_into_check"),
    "generate_legal_moves": ("generate_pseudo_legal_moves", *_TO_FIND_SAFETY),
    "generate_legal_ep": ("generate_pseudo_legal_ep", "is_into_check"),
    "generate_legal_captures": ("is_variant_end", "generate_legal_moves", "generate_legal_ep"),
    "has_pseudo_legal_en_passant": ("generate_pseudo_legal_ep",),
    "has_legal_en_passant": ("is_variant_end", "generate_legal_ep"),
    "has_legal_moves": ("is_variant_end", "generate_legal_moves"),
    "_reduces_castling_rights": ("clean_castling_rights",),
    "has_chess960_castling_rights": ("clean_castling_rights",),
    "chess960_pos": ("clean_castling_rights",),
    "is_irreversible": ("is_zeroing", "_reduces_castling_rights", "has_legal_en_passant"),
    "_transposition_key": ("clean_castling_rights", "has_legal_en_passant"),
    "__eq__": ("_transposition_key",),
    "is_repetition": ("_transposition_key", "is_irreversible"),
    "can_claim_threefold_repetition": (
        "is_variant_end",
        "is_irreversible",
        "generate_legal_moves",
        "push",
        "pop",
        "_transposition_key",
    ),
    "algebraic_without_suffix": (
        "is_castling",
        "is_capture",
        "piece_type_at",
        "pieces_mask",
        "generate_legal_moves",
    ),
    "algebraic": (
        "algebraic_without_suffix",
        "_algebraic",
        "_algebraic_and_push",
        "_algebraic_without_suffix",
        "has_legal_moves",
        "push",
        "pop",
        "is_check",
        "is_checkmate",
        "is_variant_win",
        "is_variant_loss",
    ),
    "is_stalemate": ("is_check", "has_legal_moves"),
    "is_kingside_castling": ("is_castling",),
    "is_queenside_castling": ("is_castling",),
    "parse_san": (
        "pieces_mask",
        "has_legal_moves",
        "find_move",
        "is_legal",
        "generate_castling_moves",
        "is_kingside_castling",
        "is_queenside_castling",
    ),
    "parse_uci": ("is_variant_end", "is_legal"),
    "castling_xfen": ("clean_castling_rights",),
    "castling_shredder_fen": ("clean_castling_rights",),
    "epd_fields": (
        "board_fen",
        "castling_xfen",
        "castling_shredder_fen",
        "has_pseudo_legal_en_passant",
        "has_legal_en_passant",
    ),
    "fen": ("epd", "epd_fields"),
    "status": ("_valid_ep_square",),
    "is_over": ("is_variant_end",),
    "forget_moves": ("clear_stack",),
    "apply_mirror": ("apply_transform",),
    "clear": ("clear_board", "clear_stack"),
    "copy": ("clear", "clear_board", "clear_stack", "reset_board"),
    "reset": ("reset_board", "clear_stack"),
    "set_fen": ("clear_stack",),
    "set_epd": ("set_fen", "clear_stack", "parse_xboard", "parse_san", "_parse_epd_ops"),
}
"""The methods that call others. `is_variant_end` stands only where a native method does not ask it
anyway."""
LOSING = ("suicide", "giveaway", "antichess")
"""Rules by which kings are ordinary pieces and captures compulsory."""
_CALLS_OF_LOSING: Dict[str, Tuple[str, ...]] = {
    # There is no check.
    "checkers_mask": (),
    "was_into_check": (),
    "is_into_check": (),
    "gives_check": (),
    "is_legal": (*CALLS["is_legal"], "is_capture", "generate_pseudo_legal_captures"),
    "generate_legal_moves": (
        "generate_pseudo_legal_captures",
        "generate_pseudo_legal_moves",
        "is_en_passant",
    ),
    "is_variant_win": ("is_stalemate",),
    "is_variant_loss": ("is_stalemate",),
    "board_fen": (*CALLS["board_fen"], "has_chess960_castling_rights"),
    "_transposition_key": (*CALLS["_transposition_key"], "has_chess960_castling_rights"),
}
CALLS_BY_RULES: Dict[str, Dict[str, Tuple[str, ...]]] = {
    **dict.fromkeys(LOSING, _CALLS_OF_LOSING),
    "atomic": {
        "checkers_mask": (*CALLS["checkers_mask"], "_kings_connected"),
        "was_into_check": (*CALLS["was_into_check"], "_kings_connected"),
        # Moves are made to find out whether they are legal.
        "is_into_check": ("push", "pop", "was_into_check"),
        "is_legal": (
            "is_pseudo_legal",
            "push",
            "pop",
            "is_variant_win",
            "is_variant_loss",
            "was_into_check",
        ),
        "generate_legal_moves": ("generate_pseudo_legal_moves", "is_legal"),
    },
    "racingkings": {
        "is_variant_win": ("is_variant_end",),
        "is_variant_loss": ("is_variant_end",),
        "is_legal": (*CALLS["is_legal"], "gives_check"),
        "generate_legal_moves": (*CALLS["generate_legal_moves"], "gives_check"),
    },
    "3check": {
        "push": (*CALLS["push"], "is_check"),
        "is_irreversible": (*CALLS["is_irreversible"], "gives_check"),
    },
    "crazyhouse": {
        "is_irreversible": ("_reduces_castling_rights",),
        "legal_drop_squares_mask": ("king", "attackers_mask"),
        "generate_legal_drops": ("generate_pseudo_legal_drops", "legal_drop_squares_mask"),
        "is_legal": (*CALLS["is_legal"], "legal_drop_squares_mask"),
        "generate_legal_moves": (*CALLS["generate_legal_moves"], "generate_legal_drops"),
    },
}
"""What methods call instead by rules other than those of chess."""


def affected(cls: Type[Any], ours: Type[Any]) -> FrozenSet[str]:
    """The methods that call, at once or through others, some that a subclass of our class overrides."""

    def is_overridden(name: str) -> bool:
        return getattr(cls, name, None) is not getattr(ours, name, None)

    calls = {**CALLS, **CALLS_BY_RULES.get(cls._rules, {})}
    found = {name for names in calls.values() for name in names if is_overridden(name)}
    callers: set[str] = set()
    while found:
        found = {method for method, names in calls.items() if not found.isdisjoint(names)} - callers
        callers |= found
    return frozenset(callers)


def to_bits(methods: Collection[str]) -> int:
    """A bit for each of the methods with a native part."""
    return sum(1 << bit for bit, name in enumerate(_native.HOOKED_METHODS) if name in methods)
