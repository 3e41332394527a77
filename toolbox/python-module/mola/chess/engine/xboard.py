"""The XBoard protocol (Chess Engine Communication Protocol)."""

from __future__ import annotations

import asyncio
from typing import Dict, Iterable, Optional

import mola.chess as chess

from .analysis import AnalysisResult
from .error import EngineError
from .info import INFO_ALL, INFO_NONE, Info
from .limit import Limit
from .opponent import Opponent
from .option import ConfigMapping, ConfigValue
from .protocol import check_limit
from .result import PlayResult
from .xboard_command import (
    XBoardAnalysisCommand,
    XBoardConfigureCommand,
    XBoardInitializeCommand,
    XBoardPingCommand,
    XBoardPlayCommand,
    XBoardResultCommand,
)
from .xboard_engine import XBoardEngine


class XBoardProtocol(XBoardEngine):
    """The communication in the `XBoard protocol <http://hgm.nubati.net/CECP.html>`_."""

    async def initialize(self) -> None:
        await self.communicate(XBoardInitializeCommand)

    async def ping(self) -> None:
        await self.communicate(XBoardPingCommand)

    async def configure(self, options: ConfigMapping) -> None:
        await self.communicate(lambda engine: XBoardConfigureCommand(engine, options))

    async def send_opponent_information(
        self, *, opponent: Optional[Opponent] = None, engine_rating: Optional[int] = None
    ) -> None:
        options = opponent_options(opponent)
        if engine_rating:
            options["engine_rating"] = engine_rating
        await self.configure(options)

    async def play(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_NONE,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
        opponent: Optional[Opponent] = None,
    ) -> PlayResult:
        check_limit("play", limit)
        if root_moves is not None:
            raise EngineError(
                "play with root_moves, but xboard supports 'include' only in analysis mode"
            )
        asked = {**options, **opponent_options(opponent)}
        return await self.communicate(
            lambda engine: XBoardPlayCommand(
                engine, board.copy(), limit, game, asked, info, ponder, draw_offered
            )
        )

    async def analysis(
        self,
        board: chess.Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
    ) -> AnalysisResult:
        if multipv is not None:
            raise EngineError("xboard engine does not support multipv")
        if limit and (limit.white_clock is not None or limit.black_clock is not None):
            raise EngineError("xboard analysis does not support clock limits")
        roots = None if root_moves is None else list(root_moves)
        return await self.communicate(
            lambda engine: XBoardAnalysisCommand(
                engine, board.copy(), limit or Limit(), game, {**options}, info, roots
            )
        )

    async def send_game_result(
        self,
        board: chess.Board,
        winner: Optional[chess.Color] = None,
        game_ending: Optional[str] = None,
        game_complete: bool = True,
    ) -> None:
        line = result_line(board, winner, game_ending, game_complete)
        await self.communicate(lambda engine: XBoardResultCommand(engine, board.copy(), line))

    async def quit(self) -> None:
        if not self.returncode.done():
            self.send_line("quit")
        await asyncio.shield(self.returncode)


def opponent_options(opponent: Optional[Opponent]) -> Dict[str, ConfigValue]:
    """The options for the opponent."""
    if opponent is None:
        return {}
    options: Dict[str, ConfigValue] = {
        "opponent_rating": opponent.rating or 0,
        "computer": bool(opponent.is_engine),
    }
    if opponent.name:
        title = f"{opponent.title} " if opponent.title else ""
        options["name"] = f"{title}{opponent.name}"
    return options


def result_line(
    board: chess.Board,
    winner: Optional[chess.Color],
    game_ending: Optional[str],
    game_complete: bool,
) -> str:
    """The ``result`` line of a game.

    :raises: :exc:`EngineError` for text that cannot be part of it.
    """
    ending = game_ending or ""
    if any(char in ending for char in "\n\r{}"):
        raise EngineError(f"invalid line break or curly braces in game ending message: {ending!r}")
    outcome = board.outcome(claim_draw=True)
    if not game_complete:
        result = "*"
    elif winner is not None:
        result = "1-0" if winner else "0-1"
    elif ending:
        result = "1/2-1/2"
    else:
        result = outcome.result() if outcome else "*"
    if not ending and outcome and game_complete and winner is None:
        ending = describe(outcome)
    return f"result {result} {{{ending}}}" if ending else f"result {result}"


def describe(outcome: chess.Outcome) -> str:
    """The reason for a game's end, in XBoard's terms."""
    if outcome.winner is not None:
        side = "White" if outcome.winner else "Black"
        mates = outcome.termination == chess.Termination.CHECKMATE
        return f"{side} {'mates' if mates else 'variant win'}"
    return outcome.termination.name.replace("_", " ").capitalize()
