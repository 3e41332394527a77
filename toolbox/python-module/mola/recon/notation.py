"""Values as JSON has them: objects with a type and a value, as reconchess writes them."""

from __future__ import annotations

import json
from typing import Any, Dict

import mola.chess as chess

from .types import WinReason


def to_json(value: Any) -> Any:
    """The ``default`` hook of :mod:`json`: encodes values of chess and of the game."""
    if isinstance(value, chess.Piece):
        return {"type": "Piece", "value": value.symbol()}
    if isinstance(value, chess.Move):
        return {"type": "Move", "value": value.uci()}
    if isinstance(value, chess.Board):
        return {"type": "Board", "value": value.fen()}
    if isinstance(value, WinReason):
        return {"type": "WinReason", "value": value.name}
    raise TypeError(f"no JSON for {type(value).__name__}")


def from_json(value: Dict[str, Any]) -> Any:
    """The ``object_hook`` of :mod:`json`: decodes such values."""
    kind = value.get("type")
    if kind == "Piece":
        return chess.Piece.from_symbol(value["value"])
    if kind == "Move":
        return chess.Move.from_uci(value["value"])
    if kind == "Board":
        return chess.Board(value["value"])
    if kind == "WinReason":
        return WinReason[value["value"]]
    return value


class ChessJSONEncoder(json.JSONEncoder):
    """Encodes such values: ``json.dumps(move, cls=ChessJSONEncoder)``."""

    def default(self, o: Any) -> Any:
        return to_json(o)


class ChessJSONDecoder(json.JSONDecoder):
    """Decodes them: ``json.loads(text, cls=ChessJSONDecoder)``."""

    def __init__(self, **options: Any) -> None:
        hook = options.pop("object_hook", None)

        def decode(value: Dict[str, Any]) -> Any:
            return self.decode_object(value if hook is None else hook(value))

        super().__init__(object_hook=decode, **options)

    def decode_object(self, value: Any) -> Any:
        """The value that an object stands for."""
        return from_json(value) if isinstance(value, dict) else value


def dumps(value: Any) -> str:
    """JSON of a value."""
    return json.dumps(value, default=to_json)
