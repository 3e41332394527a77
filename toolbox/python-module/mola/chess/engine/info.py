"""Information that an engine sends about its search."""

from __future__ import annotations

import enum
from typing import Dict, List, TypedDict

import mola.chess as chess

from .score import PovScore
from .wdl import PovWdl


class Info(enum.IntFlag):
    """Selects the kinds of information to keep."""

    NONE = 0
    BASIC = 1
    SCORE = 2
    PV = 4
    REFUTATION = 8
    CURRLINE = 16
    ALL = BASIC | SCORE | PV | REFUTATION | CURRLINE


INFO_NONE = Info.NONE
INFO_BASIC = Info.BASIC
INFO_SCORE = Info.SCORE
INFO_PV = Info.PV
INFO_REFUTATION = Info.REFUTATION
INFO_CURRLINE = Info.CURRLINE
INFO_ALL = Info.ALL


class InfoDict(TypedDict, total=False):
    """The latest information on a search.

    The usual keys are ``score``, ``pv`` (a list of moves), ``depth``, ``seldepth``, ``time`` (in
    seconds), ``nodes``, ``nps``, and ``multipv`` (1 for the best line). A bound instead of a
    score is marked by ``lowerbound`` or ``upperbound``.
    """

    score: PovScore
    pv: List[chess.Move]
    depth: int
    seldepth: int
    time: float
    nodes: int
    nps: int
    tbhits: int
    multipv: int
    currmove: chess.Move
    currmovenumber: int
    hashfull: int
    cpuload: int
    refutation: Dict[chess.Move, List[chess.Move]]
    currline: Dict[int, List[chess.Move]]
    ebf: float
    wdl: PovWdl
    string: str
    lowerbound: bool
    upperbound: bool
