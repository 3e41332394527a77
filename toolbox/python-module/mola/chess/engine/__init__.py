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

import asyncio as _asyncio
import typing as _typing

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


def __getattr__(name: str) -> _typing.Any:
    if name == "EventLoopPolicy":
        # asyncio's own policy; fetched only on use, since Python 3.14 deprecates it.
        return _asyncio.DefaultEventLoopPolicy
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _belong_here() -> None:
    """Sets the module of the classes to this one, from which users import them."""
    for value in list(globals().values()):
        if isinstance(value, type) and value.__module__.startswith(f"{__name__}."):
            value.__module__ = __name__


_belong_here()
