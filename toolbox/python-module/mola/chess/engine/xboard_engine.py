"""What commands of the XBoard protocol know of an engine, and change."""

from __future__ import annotations

from typing import Dict, Optional

import mola.chess as chess

from .error import EngineError
from .option import MANAGED_OPTIONS, ConfigMapping, ConfigValue, Option, UciOptionMap
from .protocol import Protocol
from .xboard_limit import XBoardLimits
from .xboard_post import FeatureMap, format_option

# Sent as separate commands at the start of a game.
OPPONENT_OPTIONS = (
    Option("random", "check", False, None, None, None),
    Option("computer", "check", False, None, None, None),
    Option("name", "string", "", None, None, None),
    Option("engine_rating", "spin", 0, None, None, None),
    Option("opponent_rating", "spin", 0, None, None, None),
)

class XBoardEngine(Protocol):
    """An engine that speaks XBoard's protocol, with its features, its options and its board."""

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
        self.limits = XBoardLimits()
        self.has_excluded = False
        """Whether it was told to leave out moves in analysis, maybe in the position on its board."""
        self.pings = 0

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

    def _set_board(
        self, board: chess.Board, game: object, options: ConfigMapping, *, again: bool = False
    ) -> None:
        """Sets the engine's board to that of a game, which may have to begin *again*."""
        options = UciOptionMap(options)
        wanted = UciOptionMap({**self.target_config, **options})
        opponent = {
            option.name: option.parse(wanted[option.name])
            for option in OPPONENT_OPTIONS
            if option.name in wanted
        }
        # A search or result without one is still that of the game's opponent.
        other_opponent = any(
            name in options and value != self.config.get(name) for name, value in opponent.items()
        )
        root = board.root()
        new_game = (
            self.board is None
            or self.game != game
            or other_opponent
            or type(self.board) is not type(board)
            or self.board.chess960 != board.chess960
            or self.board.root() != root
        )
        if new_game:
            self._new_game(root, opponent)
            self.game = game
        elif again:
            told = {option.name: self.config.get(option.name) for option in OPPONENT_OPTIONS}
            self._new_game(root, told)
        else:
            self.send_line("force")
        self._replay(board)

    def _new_game(self, root: chess.Board, opponent: Dict[str, ConfigValue]) -> None:
        variant = self._variant(root)
        fen = root.fen(shredder=root.chess960, en_passant="fen")
        placed = variant != "normal" or fen != chess.STARTING_FEN
        if placed:
            self._require("setboard")
        self.board = None  # until the engine has all of it
        self.send_line("new")
        self.limits.new_game()
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
