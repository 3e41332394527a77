"""
Portable Game Notation: games as text, read, built and written.

Behaves like the module ``chess.pgn`` of python-chess 1.11.
"""

from __future__ import annotations

# Star imports of python-chess bring what it imports, too: users write ``chess``, ``re`` or ``List``.
import abc as abc
import dataclasses as dataclasses
import enum as enum
import itertools as itertools
import logging as logging
import re as re
import typing as typing
from typing import (
    Any as Any, Callable as Callable, Dict as Dict, Generic as Generic, Iterable as Iterable,
    Iterator as Iterator, List as List, Literal as Literal, Mapping as Mapping,
    MutableMapping as MutableMapping, Optional as Optional, Set as Set, TextIO as TextIO, Tuple as Tuple,
    Type as Type, TypeVar as TypeVar, Union as Union,
)

import mola.chess as chess
from mola.chess import Color as Color, Square as Square

from .._one_module import look_like_one_module as _look_like_one_module
from .commands import (
    ARROWS_REGEX as ARROWS_REGEX,
    CLOCK_REGEX as CLOCK_REGEX,
    EMT_REGEX as EMT_REGEX,
    EVAL_REGEX as EVAL_REGEX,
)
from .builders import (
    BoardBuilder as BoardBuilder,
    SkipVisitor as SkipVisitor,
)
from .exporters import (
    FileExporter as FileExporter,
    StringExporter as StringExporter,
    StringExporterMixin as StringExporterMixin,
)
from .headers import (
    TAG_NAME_REGEX as TAG_NAME_REGEX,
    TAG_REGEX as TAG_REGEX,
    TAG_ROSTER as TAG_ROSTER,
    Headers as Headers,
    HeadersBuilder as HeadersBuilder,
    HeadersT as HeadersT,
)
from .nags import *
from .nodes import (
    LOGGER as LOGGER,
    ChildNode as ChildNode,
    Game as Game,
    GameBuilder as GameBuilder,
    GameNode as GameNode,
    GameT as GameT,
    Mainline as Mainline,
    MainlineMapT as MainlineMapT,
)
from .reader import (
    read_game as read_game,
    read_headers as read_headers,
    skip_game as skip_game,
)
from .time_control import (
    TimeControl as TimeControl,
    TimeControlPart as TimeControlPart,
    TimeControlType as TimeControlType,
    parse_time_control as parse_time_control,
)
from .tokens import (
    MOVETEXT_REGEX as MOVETEXT_REGEX,
    SKIP_MOVETEXT_REGEX as SKIP_MOVETEXT_REGEX,
)
from .visitor import (
    SKIP as SKIP,
    BaseVisitor as BaseVisitor,
    ResultT as ResultT,
    SkipType as SkipType,
)

_look_like_one_module(globals())
