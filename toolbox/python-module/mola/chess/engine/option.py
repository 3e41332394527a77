"""Options of an engine."""

from __future__ import annotations

import dataclasses
from typing import (
    Dict,
    Generic,
    Iterable,
    Iterator,
    List,
    Mapping,
    MutableMapping,
    Optional,
    Tuple,
    TypeVar,
    Union,
)

from .error import EngineError

T = TypeVar("T")

ConfigValue = Union[str, int, bool, None]
ConfigMapping = Mapping[str, ConfigValue]

MANAGED_OPTIONS = ["uci_chess960", "uci_variant", "multipv", "ponder"]

TEXTS = ("string", "file", "path")
BUTTONS = ("button", "reset", "save")


@dataclasses.dataclass(frozen=True)
class Option:
    """An option that an engine has."""

    name: str
    """Its name."""

    type: str
    """What kind of value it takes: ``check``, ``spin``, ``combo``, ``button``, ``string``; XBoard
    engines also have ``file``, ``path``, ``save`` and ``reset``."""

    default: ConfigValue
    """Its value at the start."""

    min: Optional[int]
    """Smallest value of a *spin* option."""

    max: Optional[int]
    """Largest value of a *spin* option."""

    var: Optional[List[str]]
    """Values that a *combo* option allows."""

    def parse(self, value: ConfigValue) -> ConfigValue:
        """The value in the type of the option.

        :raises: :exc:`EngineError` for a value that the option does not allow.
        """
        if self.type == "check":
            return value and value != "false"
        if self.type == "spin":
            return self._integer(value)
        if self.type == "combo":
            return self._choice(str(value))
        if self.type in BUTTONS:
            return None
        if self.type in TEXTS:
            return self._text(str(value))
        raise EngineError(f"unknown option type: {self.type!r}")

    def _integer(self, value: ConfigValue) -> int:
        try:
            number = int(value)  # type: ignore[arg-type]
        except ValueError:
            raise EngineError(
                f"expected integer for {self.type} option {self.name!r}, got: {value!r}"
            ) from None
        if self.min is not None and number < self.min:
            raise EngineError(
                f"expected value for option {self.name!r} to be at least {self.min}, got: {number}"
            )
        if self.max is not None and number > self.max:
            raise EngineError(
                f"expected value for option {self.name!r} to be at most {self.max}, got: {number}"
            )
        return number

    def _choice(self, value: str) -> str:
        if value not in (self.var or []):
            available = ", ".join(self.var) if self.var else "-"
            raise EngineError(
                f"invalid value for combo option {self.name!r}, "
                f"got: {value} (available: {available})"
            )
        return value

    def _text(self, value: str) -> str:
        if "\n" in value or "\r" in value:
            raise EngineError(f"invalid line-break in string option {self.name!r}: {value!r}")
        return value

    def _is_button(self) -> bool:
        """Whether it is a button, without a value."""
        return self.type in BUTTONS

    def _has_value(self) -> bool:
        """Whether it has a valid default value."""
        try:
            return (
                self.default is not None
                and not self._is_button()
                and self.parse(self.default) is not None
            )
        except EngineError:
            return False

    def is_managed(self) -> bool:
        """Whether it is set automatically, as ``UCI_Chess960``, ``UCI_Variant``, ``MultiPV`` and ``Ponder``."""
        return self.name.lower() in MANAGED_OPTIONS


class UciOptionMap(MutableMapping[str, T], Generic[T]):
    """A dictionary with case-insensitive keys."""

    def __init__(
        self, data: Union[Mapping[str, T], Iterable[Tuple[str, T]], None] = None, **kwargs: T
    ) -> None:
        # Named as in the pickles of python-chess.
        self._store: Dict[str, Tuple[str, T]] = {}
        self.update(data or {}, **kwargs)

    def __getitem__(self, key: str) -> T:
        try:
            return self._store[key.lower()][1]
        except KeyError:
            raise KeyError(key) from None

    def __setitem__(self, key: str, value: T) -> None:
        self._store[key.lower()] = (key, value)

    def __delitem__(self, key: str) -> None:
        del self._store[key.lower()]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._store.values())

    def __len__(self) -> int:
        return len(self._store)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        # The other one looks up the names: it may distinguish upper and lower case.
        return len(self) == len(other) and all(
            key in other and other[key] == value for key, value in self.items()
        )

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> UciOptionMap[T]:
        """A copy."""
        return type(self)(self)

    def __copy__(self) -> UciOptionMap[T]:
        return self.copy()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.items())!r})"
