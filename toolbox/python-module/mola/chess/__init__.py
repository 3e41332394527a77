"""Boards, moves and pieces with the API of python-chess."""

from __future__ import annotations

# Star imports of python-chess bring what it imports, too; the annotations of `Move` name `Optional`.
import collections as collections
import copy as copy
import dataclasses as dataclasses
import itertools as itertools
import math as math
from typing import (
    ClassVar as ClassVar, Counter as Counter, Generic as Generic, Hashable as Hashable,
    Iterator as Iterator, Literal as Literal, Mapping as Mapping, Optional as Optional, Type as Type,
    TypeVar as TypeVar,
)

from mola._mola.chess import (
    AmbiguousMoveError as AmbiguousMoveError,
    IllegalMoveError as IllegalMoveError,
    InvalidMoveError as InvalidMoveError,
    LegalMoveGenerator as LegalMoveGenerator,
    Move as Move,
    Piece as Piece,
    PseudoLegalMoveGenerator as PseudoLegalMoveGenerator,
    SquareSet as SquareSet,
)

from ._attack_functions import (  # noqa: F401
    _attack_table,
    _carry_rippler,
    _edges,
    _rays,
    _sliding_attacks,
    _step_attacks,
)
from ._base_board import (
    BaseBoard as BaseBoard,
    BaseBoardT as BaseBoardT,
)
from ._board import (
    Board as Board,
    BoardT as BoardT,
)
from ._constants import *  # noqa: F403
from . import _data_classes  # noqa: F401
from ._one_module import look_like_one_module as _look_like_one_module
from ._outcome import Outcome as Outcome
from ._pickles import PositionState as _BoardState  # noqa: F401

__author__ = "The Mola authors"
__email__ = ""
__version__ = "1.11.2"
"""The version of python-chess whose behavior this is."""


_look_like_one_module(globals())
