"""The Universal Chess Interface."""

from __future__ import annotations

import asyncio
from typing import Dict, Iterable, Optional

import mola.chess as chess

from .analysis import AnalysisResult
from .info import INFO_ALL, INFO_NONE, Info
from .limit import Limit
from .opponent import Opponent
from .option import ConfigMapping, ConfigValue
from .protocol import check_limit
from .result import PlayResult
from .uci_command import (
    UciAnalysisCommand,
    UciConfigureCommand,
    UciInitializeCommand,
    UciPingCommand,
    UciPlayCommand,
)
from .uci_engine import OPPONENT, UciEngine
from .uci_search import UciSearch


class UciProtocol(UciEngine):
    """The communication in the
    `Universal Chess Interface <https://www.chessprogramming.org/UCI>`_."""

    async def initialize(self) -> None:
        await self.communicate(UciInitializeCommand)

    async def ping(self) -> None:
        await self.communicate(UciPingCommand)

    def debug(self, on: bool = True) -> None:
        """Switches the engine's debug mode, without stopping the running command."""
        self.send_line(f"debug {'on' if on else 'off'}")

    async def configure(self, options: ConfigMapping) -> None:
        await self.communicate(lambda engine: UciConfigureCommand(engine, options))

    async def send_opponent_information(
        self, *, opponent: Optional[Opponent] = None, engine_rating: Optional[int] = None
    ) -> None:
        await self.configure(self._opponent_options(opponent))

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
        search = UciSearch(board, limit, game, root_moves, {**options})
        search.options.update(self._opponent_options(opponent))
        search.managed["Ponder"] = ponder
        return await self.communicate(lambda engine: UciPlayCommand(engine, search, info, ponder))

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
        search = UciSearch(board, limit, game, root_moves, {**options})
        search.analysing = True
        if multipv is not None:
            search.managed["MultiPV"] = multipv
        return await self.communicate(lambda engine: UciAnalysisCommand(engine, search, info))

    async def send_game_result(
        self,
        board: chess.Board,
        winner: Optional[chess.Color] = None,
        game_ending: Optional[str] = None,
        game_complete: bool = True,
    ) -> None:
        pass

    async def quit(self) -> None:
        if not self.returncode.done():
            self.send_line("quit")
        await asyncio.shield(self.returncode)

    def _opponent_options(self, opponent: Optional[Opponent]) -> Dict[str, ConfigValue]:
        """The option for the opponent, if the engine has it and the opponent a name."""
        if opponent is None or not opponent.name or OPPONENT not in self.options:
            return {}
        title = opponent.title or "none"
        rating = opponent.rating or "none"
        kind = "computer" if opponent.is_engine else "human"
        return {OPPONENT: f"{title} {rating} {kind} {opponent.name}"}
