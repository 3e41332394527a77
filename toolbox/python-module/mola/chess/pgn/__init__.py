"""
Portable Game Notation: games as text, read, built and written.

Behaves like the module ``chess.pgn`` of python-chess 1.11.
"""

from __future__ import annotations

from .commands import ARROWS_REGEX, CLOCK_REGEX, EMT_REGEX, EVAL_REGEX
from .builders import LOGGER, BoardBuilder, GameBuilder, HeadersBuilder, SkipVisitor
from .exporters import FileExporter, StringExporter, StringExporterMixin
from .headers import TAG_NAME_REGEX, TAG_REGEX, TAG_ROSTER, Headers, HeadersT
from .nags import *
from .nodes import ChildNode, Game, GameNode, GameT, Mainline, MainlineMapT
from .reader import read_game, read_headers, skip_game
from .time_control import TimeControl, TimeControlPart, TimeControlType, parse_time_control
from .visitor import SKIP, BaseVisitor, ResultT, SkipType
