"""Play and analyse with engines that speak UCI or XBoard.

With asyncio, start an engine by :func:`popen_uci` or :func:`popen_xboard`; without it, by
:meth:`SimpleEngine.popen_uci` or :meth:`SimpleEngine.popen_xboard`:

    engine = SimpleEngine.popen_uci("stockfish")
    result = engine.play(board, Limit(time=0.1))
    info = engine.analyse(board, Limit(depth=20))
    with engine.analysis(board) as analysis:
        for info in analysis:
            print(info.get("score"), info.get("pv"))
    engine.quit()

The conversation is logged, as debugging messages of the logger ``chess.engine``.
"""

from __future__ import annotations

# Star imports of python-chess bring what it imports, too: users write ``chess``, ``asyncio`` or ``List``.
import abc as abc
import asyncio as asyncio
import collections as collections
import concurrent.futures
import contextlib as contextlib
import copy as copy
import dataclasses as dataclasses
import enum as enum
import logging as logging
import math as math
import re as re
import shlex as shlex
import subprocess as subprocess
import sys as sys
import threading as threading
import time as time
import typing as typing
from types import TracebackType as TracebackType
from typing import (
    Any as Any, Callable as Callable, Coroutine as Coroutine, Deque as Deque, Dict as Dict,
    Generator as Generator, Generic as Generic, Iterable as Iterable, Iterator as Iterator, List as List,
    Literal as Literal, Mapping as Mapping, MutableMapping as MutableMapping, Optional as Optional,
    Tuple as Tuple, Type as Type, TypedDict as TypedDict, TypeVar as TypeVar, Union as Union,
)

import mola.chess as chess
from mola.chess import Color as Color

from .._one_module import look_like_one_module as _look_like_one_module
from .analysis import AnalysisResult as AnalysisResult
from .background import run_in_background as run_in_background
from .command import LOGGER as LOGGER
from .command import BaseCommand as BaseCommand
from .command import CommandState as CommandState
from .error import AnalysisComplete as AnalysisComplete
from .error import EngineError as EngineError
from .error import EngineTerminatedError as EngineTerminatedError
from .info import INFO_ALL as INFO_ALL
from .info import INFO_BASIC as INFO_BASIC
from .info import INFO_CURRLINE as INFO_CURRLINE
from .info import INFO_NONE as INFO_NONE
from .info import INFO_PV as INFO_PV
from .info import INFO_REFUTATION as INFO_REFUTATION
from .info import INFO_SCORE as INFO_SCORE
from .info import Info as Info
from .info import InfoDict as InfoDict
from .limit import Limit as Limit
from .mock import MockTransport as MockTransport
from .opponent import Opponent as Opponent
from .option import MANAGED_OPTIONS as MANAGED_OPTIONS
from .option import ConfigMapping as ConfigMapping
from .option import ConfigValue as ConfigValue
from .option import Option as Option
from .option import UciOptionMap as UciOptionMap
from .protocol import Protocol as Protocol
from .result import BestMove as BestMove
from .result import PlayResult as PlayResult
from .score import Cp as Cp
from .score import Mate as Mate
from .score import MateGiven as MateGiven
from .score import MateGivenType as MateGivenType
from .score import PovScore as PovScore
from .score import Score as Score
from .simple import SimpleAnalysisResult as SimpleAnalysisResult
from .simple import SimpleEngine as SimpleEngine
from .start import popen_uci as popen_uci
from .start import popen_xboard as popen_xboard
from .uci import UciProtocol as UciProtocol
from .uci_info import UCI_REGEX as UCI_REGEX
from .uci_info import parse_bestmove as _parse_uci_bestmove
from .uci_info import parse_info as _parse_uci_info
from .wdl import PovWdl as PovWdl
from .wdl import Wdl as Wdl
from .wdl import WdlModel as WdlModel
from .xboard import XBoardProtocol as XBoardProtocol
from .xboard_post import XBOARD_ERROR_REGEX as XBOARD_ERROR_REGEX
from .xboard_post import parse_option as _parse_xboard_option
from .xboard_post import parse_post as _parse_xboard_post


def __getattr__(name: str) -> Any:
    if name == "EventLoopPolicy":
        # asyncio's own policy; fetched only on use, since Python 3.14 deprecates it.
        return asyncio.DefaultEventLoopPolicy
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_look_like_one_module(globals())
