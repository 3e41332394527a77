"""The Universal Chess Interface."""

from __future__ import annotations

import asyncio
from typing import Dict, Iterable, List, Optional, Tuple

import mola.chess as chess

from .analysis import AnalysisResult
from .error import EngineError
from .info import INFO_ALL, INFO_NONE, Info
from .limit import Limit
from .opponent import Opponent
from .option import ConfigMapping, ConfigValue, UciOptionMap
from .protocol import Protocol
from .result import PlayResult
from .uci_command import (
    UciAnalysisCommand,
    UciConfigureCommand,
    UciInitializeCommand,
    UciPingCommand,
    UciPlayCommand,
)
from .uci_search import OPPONENT, UciSearch


class UciProtocol(Protocol):
    """The communication in the
    `Universal Chess Interface <https://www.chessprogramming.org/UCI>`_."""

    def __init__(self) -> None:
        super().__init__()
        self.config: UciOptionMap[ConfigValue] = UciOptionMap()
        """What the engine has been told."""
        self.target_config: UciOptionMap[ConfigValue] = UciOptionMap()
        """The options that are wanted outside single searches."""
        self.first_game = True
        self.game: object = None

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

    # Options.

    def _check_options(self, options: ConfigMapping) -> None:
        """Checks that the engine has the options, and that they may be set to these values.

        :raises: :exc:`EngineError` if not.
        """
        for name, value in options.items():
            option = self.options.get(name)
            if option is None:
                available = ", ".join(self.options)
                raise EngineError(
                    f"engine does not support option {name} (available options: {available})"
                )
            if option.is_managed():
                raise EngineError(f"cannot set {name} which is automatically managed")
            option.parse(value)

    def _changes(self, options: ConfigMapping) -> List[Tuple[str, ConfigValue]]:
        """The options to set for the configuration with these *options*.

        The opponent is left out, since it is set at the start of a game.
        """
        changes: List[Tuple[str, ConfigValue]] = []
        for name, value in UciOptionMap({**self.target_config, **UciOptionMap(options)}).items():
            option = self.options.get(name)
            if option is None or name.lower() == OPPONENT.lower():
                continue
            parsed = option.parse(value)
            if option._is_button() or parsed != self.config.get(name):
                changes.append((option.name, parsed))
        return changes

    def _set_options(self, changes: Iterable[Tuple[str, ConfigValue]]) -> None:
        """Tells the engine the values of options."""
        for name, value in changes:
            if self.options[name]._is_button():
                self.send_line(f"setoption name {name}")
                continue
            text = str(value).lower() if isinstance(value, bool) else value
            self.send_line(f"setoption name {name} value {text}")
            self.config[name] = value

    def _opponent_options(self, opponent: Optional[Opponent]) -> Dict[str, ConfigValue]:
        """The option for the opponent, if the engine has it and the opponent a name."""
        if opponent is None or not opponent.name or OPPONENT not in self.options:
            return {}
        title = opponent.title or "none"
        rating = opponent.rating or "none"
        kind = "computer" if opponent.is_engine else "human"
        return {OPPONENT: f"{title} {rating} {kind} {opponent.name}"}
