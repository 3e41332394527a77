"""python-chess's names for numeric annotation glyphs."""

from __future__ import annotations

from typing import Final

NAG_NULL: Final = 0

NAG_GOOD_MOVE: Final = 1
"""A good move. Can also be indicated by ``!`` in PGN notation."""
NAG_MISTAKE: Final = 2
"""A mistake. Can also be indicated by ``?`` in PGN notation."""
NAG_BRILLIANT_MOVE: Final = 3
"""A brilliant move. Can also be indicated by ``!!`` in PGN notation."""
NAG_BLUNDER: Final = 4
"""A blunder. Can also be indicated by ``??`` in PGN notation."""
NAG_SPECULATIVE_MOVE: Final = 5
"""A speculative move. Can also be indicated by ``!?`` in PGN notation."""
NAG_DUBIOUS_MOVE: Final = 6
"""A dubious move. Can also be indicated by ``?!`` in PGN notation."""

NAG_FORCED_MOVE: Final = 7
NAG_SINGULAR_MOVE: Final = 8
NAG_WORST_MOVE: Final = 9
NAG_DRAWISH_POSITION: Final = 10
NAG_QUIET_POSITION: Final = 11
NAG_ACTIVE_POSITION: Final = 12
NAG_UNCLEAR_POSITION: Final = 13
NAG_WHITE_SLIGHT_ADVANTAGE: Final = 14
NAG_BLACK_SLIGHT_ADVANTAGE: Final = 15
NAG_WHITE_MODERATE_ADVANTAGE: Final = 16
NAG_BLACK_MODERATE_ADVANTAGE: Final = 17
NAG_WHITE_DECISIVE_ADVANTAGE: Final = 18
NAG_BLACK_DECISIVE_ADVANTAGE: Final = 19
NAG_WHITE_ZUGZWANG: Final = 22
NAG_BLACK_ZUGZWANG: Final = 23

NAG_WHITE_MODERATE_COUNTERPLAY: Final = 132
NAG_BLACK_MODERATE_COUNTERPLAY: Final = 133
NAG_WHITE_DECISIVE_COUNTERPLAY: Final = 134
NAG_BLACK_DECISIVE_COUNTERPLAY: Final = 135
NAG_WHITE_MODERATE_TIME_PRESSURE: Final = 136
NAG_BLACK_MODERATE_TIME_PRESSURE: Final = 137
NAG_WHITE_SEVERE_TIME_PRESSURE: Final = 138
NAG_BLACK_SEVERE_TIME_PRESSURE: Final = 139

NAG_NOVELTY: Final = 146
