"""Which methods of boards call which, and so are affected if a subclass overrides some."""

from __future__ import annotations

from typing import Any, Collection, Dict, FrozenSet, Tuple, Type

from mola._mola import chess as _native

_TO_FIND_SAFETY = (
    "attackers_mask",
    "is_attacked_by",
    "is_castling",
    "is_en_passant",
    "pin_mask",
    "generate_pseudo_legal_ep",
    "_is_safe",
    "_ep_skewered",
    "_generate_evasions",
    "_slider_blockers",
)
"""What is asked whether a move leaves the king in check."""
CALLS: Dict[str, Tuple[str, ...]] = {
    "attacks": ("attacks_mask",),
    "attackers": ("attackers_mask",),
    "is_attacked_by": ("attackers_mask",),
    "checkers_mask": ("king", "attackers_mask"),
    "checkers": ("checkers_mask",),
    "is_check": ("checkers_mask",),
    "was_into_check": ("king", "is_attacked_by"),
    "push": ("clean_castling_rights", "is_zeroing", "_push_capture"),
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
    # In Atomic, moves are made to find out whether they are legal.
    "is_legal": ("is_pseudo_legal", "is_into_check", "_push_capture"),
    "generate_legal_moves": (
        "generate_pseudo_legal_moves",
        "_push_capture",
        *_TO_FIND_SAFETY,
    ),
    "generate_legal_ep": ("generate_pseudo_legal_ep", "is_into_check"),
    "generate_legal_captures": ("is_variant_end", "generate_legal_moves", "generate_legal_ep"),
    "has_pseudo_legal_en_passant": ("generate_pseudo_legal_ep",),
    "has_legal_en_passant": ("is_variant_end", "generate_legal_ep"),
    "has_legal_moves": ("is_variant_end", "generate_legal_moves"),
    "__eq__": ("_transposition_key",),
    "is_repetition": ("_transposition_key",),
    "can_claim_threefold_repetition": (
        "is_variant_end",
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
    "parse_san": ("has_legal_moves", "find_move", "is_legal", "generate_castling_moves"),
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
    "clear": ("clear_board", "clear_stack"),
    "copy": ("clear", "clear_board", "clear_stack", "reset_board"),
    "reset": ("reset_board", "clear_stack"),
    "set_fen": ("clear_stack",),
    "set_epd": ("set_fen", "clear_stack", "parse_xboard", "parse_san", "_parse_epd_ops"),
}
"""The methods that call others, a method after those that it calls. `is_variant_end` stands only where a
native method does not ask it anyway."""
OWN_CHECKS = ("atomic", "suicide", "giveaway", "antichess")
"""Rules by which check is something else than an attack on the king."""
_ATTACKS_ON_KINGS = ("checkers_mask", "was_into_check", "is_into_check")
"""What has no slow way by these rules."""


def affected(cls: Type[Any], ours: Type[Any]) -> FrozenSet[str]:
    """The methods that call, at once or through others, some that a subclass of our class overrides."""

    def is_overridden(name: str) -> bool:
        return getattr(cls, name, None) is not getattr(ours, name, None)

    found: set[str] = set()
    for method, calls in CALLS.items():
        if cls._rules in OWN_CHECKS and method in _ATTACKS_ON_KINGS:
            continue
        if any(name in found or is_overridden(name) for name in calls):
            found.add(method)
    return frozenset(found)


def to_bits(methods: Collection[str]) -> int:
    """A bit for each of the methods with a native part."""
    return sum(1 << bit for bit, name in enumerate(_native.HOOKED_METHODS) if name in methods)
