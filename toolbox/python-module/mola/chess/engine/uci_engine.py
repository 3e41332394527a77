"""What commands in UCI know of an engine, and change."""

from __future__ import annotations

from typing import Iterable, List, Tuple

import mola.chess as chess

from .error import EngineError
from .option import MANAGED_OPTIONS, ConfigMapping, ConfigValue, Option, UciOptionMap
from .protocol import Protocol

OPPONENT = "UCI_Opponent"


class UciEngine(Protocol):
    """An engine that speaks UCI, with its options."""

    def __init__(self) -> None:
        super().__init__()
        self.config: UciOptionMap[ConfigValue] = UciOptionMap()
        """What the engine has been told."""
        self.target_config: UciOptionMap[ConfigValue] = UciOptionMap()
        """The options that are wanted outside single searches."""
        self.board = chess.Board()
        """The position that the engine was told last, without its history."""
        self.first_game = True
        self.game: object = None

    def _check_options(self, options: ConfigMapping) -> None:
        """Checks that the engine has the options, and that they may be set to these values.

        :raises: :exc:`EngineError` if not.
        """
        for name, value in options.items():
            if name.lower() in MANAGED_OPTIONS:
                raise EngineError(f"cannot set {name} which is automatically managed")
            self._require_option(name).parse(value)

    def _require_option(self, name: str) -> Option:
        """The option of this name.

        :raises: :exc:`EngineError` if the engine has none.
        """
        option = self.options.get(name)
        if option is None:
            available = ", ".join(self.options)
            raise EngineError(
                f"engine does not support option {name} (available options: {available})"
            )
        return option

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
