"""Players, and files that hold one."""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
from abc import abstractmethod as abstractmethod
from types import ModuleType
from typing import List, Optional, Tuple, Type, cast

import mola.chess as chess

from .history import GameHistory

# As in reconchess, for bots that import all names of this module.
from .types import *  # noqa: F403
from .types import SenseResult, WinReason


class Player:
    """A player: a bot overrides these methods, which are called in their order.

    The first and the last are called once per game, the others once in each of the player's turns.
    """

    def handle_game_start(self, color: bool, board: chess.Board, opponent_name: str) -> None:
        """A game begins."""

    def handle_opponent_move_result(
        self, captured_my_piece: bool, capture_square: Optional[int]
    ) -> None:
        """The opponent has moved."""

    def choose_sense(
        self, sense_actions: List[int], move_actions: List[chess.Move], seconds_left: float
    ) -> Optional[int]:
        """Where to sense: the middle of a window of three by three squares; ``None``, as by default, for
        nowhere."""
        return None

    def handle_sense_result(self, sense_result: SenseResult) -> None:
        """The result of the sense."""

    def choose_move(
        self, move_actions: List[chess.Move], seconds_left: float
    ) -> Optional[chess.Move]:
        """Which move to request; ``None``, as by default, passes."""
        return None

    def handle_move_result(
        self,
        requested_move: Optional[chess.Move],
        taken_move: Optional[chess.Move],
        captured_opponent_piece: bool,
        capture_square: Optional[int],
    ) -> None:
        """The result of the move."""

    def handle_game_end(
        self,
        winner_color: Optional[bool],
        win_reason: Optional[WinReason],
        game_history: GameHistory,
    ) -> None:
        """The game is over."""


def load_player(source_path: str) -> Tuple[str, Type[Player]]:
    """The name and the class of the one player in a Python file, in the folder of a package, or in a module
    that can be imported. A function ``get_player`` there says which class it is. A file that defines none
    may import it.

    :raises: :exc:`RuntimeError` if there is none, or several.
    """
    if os.path.exists(source_path):
        module = _load_file(os.path.abspath(source_path))
    else:
        module = importlib.import_module(source_path)
    get_player = vars(module).get("get_player")
    if inspect.isfunction(get_player):
        player = get_player()
        return player.__name__, cast(Type[Player], player)
    classes = filter(inspect.isclass, vars(module).values())
    # A class may have several names.
    players = [
        value
        for value in dict.fromkeys(classes)
        if any(base.__name__ == "Player" for base in value.__mro__[1:])
    ]
    found = [player for player in players if player.__module__ == module.__name__] or players
    # A base class of others in the file is not the bot.
    bots = [bot for bot in found if not any(bot in other.__mro__[1:] for other in found)]
    if not bots:
        raise RuntimeError(f"{source_path}: one subclass of Player expected, found none")
    if len(bots) > 1:
        names = ", ".join(bot.__name__ for bot in bots)
        raise RuntimeError(
            f"{source_path}: one subclass of Player expected, found {names};"
            " a function get_player() that returns one of them says which it is"
        )
    return bots[0].__name__, cast(Type[Player], bots[0])


def _load_file(path: str) -> ModuleType:
    """The module of a Python file, or of the folder of a package."""
    name = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    packages = None
    if os.path.isdir(path):
        packages, path = [path], os.path.join(path, "__init__.py")
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=packages)
    if spec is None or spec.loader is None or not os.path.exists(path):
        raise RuntimeError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
