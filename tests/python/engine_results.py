"""What a call of an engine returns depends on its arguments: types that `test_python_types.py` checks."""

from typing import List, Optional, Union

from mola import chess
from mola.chess.engine import InfoDict, Limit, Protocol, SimpleEngine


def simple(engine: SimpleEngine, board: chess.Board, limit: Limit, lines: Optional[int]) -> None:
    one: InfoDict = engine.analyse(board, limit)
    several: List[InfoDict] = engine.analyse(board, limit, multipv=2)
    either: Union[List[InfoDict], InfoDict] = engine.analyse(board, limit, multipv=lines)


async def asynchronous(engine: Protocol, board: chess.Board, limit: Limit, lines: Optional[int]) -> None:
    one: InfoDict = await engine.analyse(board, limit)
    several: List[InfoDict] = await engine.analyse(board, limit, multipv=2)
    either: Union[List[InfoDict], InfoDict] = await engine.analyse(board, limit, multipv=lines)
