"""Patterns of the text of moves, for programs that read it themselves: the native reader has its own."""

from __future__ import annotations

import re

_MOVES = (
    r"[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?",
    r"[PNBRQK]?@[a-h][1-8]",
    "--|Z0|0000|@@@@",
    "O-O(?:-O)?|0-0(?:-0)?",
)
_TOKENS = (
    "|".join(_MOVES),
    r"\{.*",  # a comment
    ";.*",
    r"\$[0-9]+",
    r"\(",
    r"\)",
    r"\*|1-0|0-1|1/2-1/2",
    "[?!]{1,2}",
)

MOVETEXT_REGEX = re.compile("|".join(f"({token})" for token in _TOKENS), re.DOTALL)
"""A move, comment, glyph, parenthesis, result or suffix: a group for each, comments in two."""

SKIP_MOVETEXT_REGEX = re.compile("[;{}]")
"""What begins or ends a comment."""
