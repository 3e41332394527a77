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
from .option import MANAGED_OPTIONS, ConfigMapping, ConfigValue, Option, UciOptionMap
from .protocol import Protocol
from .result import PlayResult
from .xboard_command import (
    XBoardAnalysisCommand,
    XBoardConfigureCommand,
    XBoardInitializeCommand,
    XBoardPingCommand,
    XBoardPlayCommand,
    XBoardResultCommand,
)
from .xboard_post import FeatureMap, format_option

# Sent as separate commands at the start of a game.
OPPONENT_OPTIONS = (
    Option("random", "check", False, None, None, None),
    Option("computer", "check", False, None, None, None),
    Option("name", "string", "", None, None, None),
    Option("engine_rating", "spin", 0, None, None, None),
    Option("opponent_rating", "spin", 0, None, None, None),
)


class XBoardProtocol(Protocol):
    """The communication in the `XBoard protocol <http://hgm.nubati.net/CECP.html>`_."""

    def __init__(self) -> None:
        super().__init__()
        self.features: FeatureMap = {}
        """What the engine said that it can do."""
        self.options = UciOptionMap((option.name, option) for option in OPPONENT_OPTIONS)
        self.config: UciOptionMap[ConfigValue] = UciOptionMap()
        """What the engine has been told."""
        self.target_config: UciOptionMap[ConfigValue] = UciOptionMap()
        """What it shall be told, but for the options of a single search."""
        self.board: Optional[chess.Board] = None
        """What it has on its board; nothing before the first game, and after an error."""
        self.game: object = None
        self.clock_id: object = None
        self.pings = 0

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

    def _send_ping(self) -> str:
        """Sends a ping and returns the line that answers it."""
        self.pings += 1
        self.send_line(f"ping {self.pings}")
        return f"pong {self.pings}"

    def _require(self, feature: str) -> None:
        """Checks that the engine has a feature.

        :raises: :exc:`EngineError` if not.
        """
        if not self.features.get(feature, 0):
            raise EngineError(f"xboard engine did not declare required feature: {feature}")

    # Options.

    def _check_options(self, options: ConfigMapping) -> None:
        """Checks that the engine has the options, and that they may be set to these values.

        :raises: :exc:`EngineError` if not.
        """
        for name, value in options.items():
            option = self.options.get(name)
            if option is None:
                if name.lower() in MANAGED_OPTIONS:
                    raise EngineError(f"cannot set {name} which is automatically managed")
                raise EngineError(f"unsupported xboard option or command: {name}")
            option.parse(value)

    def _set_options(self, options: ConfigMapping) -> None:
        """Sends the options that differ from the configuration with these *options*."""
        for name, value in UciOptionMap({**self.target_config, **UciOptionMap(options)}).items():
            option = self.options[name]
            parsed = option.parse(value)
            if option in OPPONENT_OPTIONS or (
                not option._is_button() and parsed == self.config.get(name)
            ):
                continue
            self.config[option.name] = parsed
            if option.name in ("memory", "cores") or option.name.startswith("egtpath "):
                self.send_line(f"{option.name} {parsed}")
            else:
                self.send_line(format_option(option.name, option, parsed))

    # The board of the engine.

    def _set_board(self, board: chess.Board, game: object, options: ConfigMapping) -> bool:
        """Sets the engine's board to that of a game; returns whether a new game began."""
        opponent = {
            option.name: option.parse({**self.target_config, **options}.get(option.name))
            for option in OPPONENT_OPTIONS
            if option.name in {**self.target_config, **options}
        }
        told = {name: self.config.get(name) for name in opponent}
        root = board.root()
        new_game = (
            self.board is None
            or self.game != game
            or opponent != told
            or type(self.board) is not type(board)
            or self.board.chess960 != board.chess960
            or self.board.root() != root
        )
        if new_game:
            self._new_game(root, opponent)
            self.game = game
        else:
            self.send_line("force")
        self._replay(board)
        return new_game

    def _new_game(self, root: chess.Board, opponent: Dict[str, ConfigValue]) -> None:
        variant = self._variant(root)
        fen = root.fen(shredder=root.chess960, en_passant="fen")
        placed = variant != "normal" or fen != chess.STARTING_FEN
        if placed:
            self._require("setboard")
        self.board = None  # until the engine has all of it
        self.send_line("new")
        if variant != "normal":
            self.send_line(f"variant {variant}")
        self._tell_opponent(opponent)
        self.send_line("force")
        if placed:
            self.send_line(f"setboard {fen}")
        self.board = root

    def _variant(self, board: chess.Board) -> str:
        variant = type(board).xboard_variant or "normal"
        if variant == "normal" and board.chess960:
            variant = "fischerandom"
        variants = [name.strip() for name in str(self.features.get("variants", "")).split(",")]
        if variant != "normal" and variant not in variants:
            available = ", ".join(name for name in variants if name)
            raise EngineError(f"unsupported xboard variant: {variant} (available: {available})")
        return variant

    def _tell_opponent(self, opponent: Dict[str, ConfigValue]) -> None:
        self.config.update(opponent)
        if opponent.get("random"):
            self.send_line("random")
        if opponent.get("name") and self.features.get("name", 1):
            self.send_line(f"name {opponent['name']}")
        if opponent.get("engine_rating") or opponent.get("opponent_rating"):
            self.send_line(f"rating {opponent['engine_rating']} {opponent['opponent_rating']}")
        if opponent.get("computer"):
            self.send_line("computer")

    def _replay(self, board: chess.Board) -> None:
        """Takes back and plays moves, so that the engine has the moves of the board."""
        assert self.board is not None
        played, wanted = self.board.move_stack, board.move_stack
        common = 0
        while common < min(len(played), len(wanted)) and played[common] == wanted[common]:
            common += 1
        back = len(played) - common
        for line in ["remove"] * (back // 2) + ["undo"] * (back % 2):
            self.send_line(line)
        for _ in range(back):
            self.board.pop()
        prefix = "usermove " if self.features.get("usermove", 0) else ""
        for move in wanted[common:]:
            self.send_line(prefix + self.board.xboard(move))
            self.board.push(move)


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
