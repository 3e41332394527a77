"""Boards, with reading and writing of EPDs."""

from __future__ import annotations

import math
import re
from typing import Callable, Dict, Iterable, List, Mapping, Match, Optional, Tuple, Type, TypeVar, Union

from mola._mola.chess import Move

from ._constants import (
    EnPassantSpec,
)
from ._private_methods import PrivateBoard

BoardT = TypeVar("BoardT", bound="Board")

_Operand = Union[None, str, int, float, Move, List[Move]]
_Operands = Union[None, str, int, float, Move, Iterable[Move]]

_OPERATION = re.compile(
    r"""[\s;]*(?:-(?=[\s;]|\Z)|([^\s;]+)(?:\s+(?:"(?:\\.|[^"\\])*"?|([^";][^;]*)?))?)""", re.DOTALL
)
"""An operation of an EPD, with its operand if that is not quoted; or a dash, which is none."""


class Board(PrivateBoard):
    """A position with the moves that led to it.

    Has the start position by default; from a FEN, or empty if that is `None`. A Chess960 board
    writes castling as the king capturing its rook.

    Moves are made by `push` and taken back by `pop`, and need not be legal. All attributes may be
    changed; `status` then says whether the position is valid.

    A subclass changes the rules by overriding methods in its body: the others call them. Subclasses
    that do so are slower.
    """

    __slots__ = ()
    __hash__ = None

    # Operations of an EPD.

    def epd(
        self,
        *,
        shredder: bool = False,
        en_passant: EnPassantSpec = "legal",
        promoted: Optional[bool] = None,
        **operations: _Operands,
    ) -> str:
        """The position as an EPD with operations, such as ``bm=move`` or ``id="a name"``.

        Raises `ValueError` if an opcode cannot be written.
        """
        epd = self._epd(shredder, en_passant, promoted)
        return f"{epd} {self._epd_operations(operations)}" if operations else epd

    def _epd_operations(self, operations: Mapping[str, _Operands]) -> str:
        return " ".join(
            self._epd_operation(opcode, operand) for opcode, operand in operations.items()
        )

    def _epd_operation(self, opcode: str, operand: _Operands) -> str:
        self._validate_epd_opcode(opcode)
        if operand is None:
            return f"{opcode};"
        if isinstance(operand, Move):
            return f"{opcode} {self.san(operand)};"
        if isinstance(operand, int):
            return f"{opcode} {operand};"
        if isinstance(operand, float):
            assert math.isfinite(operand), f"expected numeric epd operand to be finite, got: {operand}"
            return f"{opcode} {operand};"
        if opcode == "pv" and not isinstance(operand, str):
            position = self.copy(stack=False)
            return " ".join([opcode, *[position.san_and_push(move) for move in operand]]) + ";"
        if opcode in ("am", "bm") and not isinstance(operand, str):
            return " ".join([opcode, *sorted([self.san(move) for move in operand])]) + ";"
        text = str(operand)
        for plain, escaped in (("\\", "\\\\"), ("\t", "\\t"), ("\r", "\\r"), ("\n", "\\n"), ('"', '\\"')):
            text = text.replace(plain, escaped)
        return f'{opcode} "{text}";'

    def _validate_epd_opcode(self, opcode: str) -> None:
        if not opcode:
            raise ValueError("empty string is not a valid epd opcode")
        if opcode == "-":
            raise ValueError("dash (-) is not a valid epd opcode")
        if not opcode[0].isalpha():
            raise ValueError(f"expected epd opcode to start with a letter, got: {opcode!r}")
        for blank in (" ", "\n", "\t", "\r"):
            if blank in opcode:
                raise ValueError(f"invalid character {blank!r} in epd opcode: {opcode!r}")

    def set_epd(self, epd: str) -> Dict[str, _Operand]:
        """Sets up the position of an EPD, clears the move stack, and returns the operations.

        Operands are `None`, a number, text, or moves after ``pv``, ``bm`` and ``am``; ``hmvc`` and
        ``fmvn`` are the clocks.

        Raises `ValueError` if it cannot be read.
        """
        if "set_epd" not in self._affected:
            return self._set_epd(epd)
        # Three-check has one field more.
        count = 5 if self._rules == "3check" else 4
        fields = epd.strip().rstrip(";").split(None, count)
        if len(fields) <= count:
            self.set_fen(epd)
            return {}
        position = " ".join(fields[:count])
        operations = self._parse_epd_ops(fields[count], lambda: type(self)(f"{position} 0 1"))
        fields[count:] = [str(operations.get("hmvc", 0)), str(operations.get("fmvn", 1))]
        self.set_fen(" ".join(fields))
        return operations

    def _parse_epd_ops(
        self, operation_part: str, make_board: Callable[[], Board]
    ) -> Dict[str, _Operand]:
        """The operations of an EPD. Operands that are moves are read by a board that the function makes."""
        moves: Dict[str, _Operand] = {}

        def read(match: Match[str]) -> str:
            opcode, operand = match.groups()
            if not operand or operand[0] in "+-.0123456789":
                return match[0]
            board = make_board()
            if opcode == "pv":
                moves[opcode] = line = []
                for word in operand.split():
                    line.append(board.parse_xboard(word))
                    board.push(line[-1])
            elif opcode in ("am", "bm"):
                moves[opcode] = [board.parse_xboard(word) for word in operand.split()]
            else:
                moves[opcode] = board.parse_xboard(operand)
            return f";{opcode}"

        rest = _OPERATION.sub(read, operation_part)
        board = self._plain()
        return {**board._set_epd(f"{board._epd(False, 'fen', None)} {rest}"), **moves}

    @classmethod
    def from_epd(
        cls: Type[BoardT], epd: str, *, chess960: bool = False
    ) -> Tuple[BoardT, Dict[str, _Operand]]:
        """A board with the position of an EPD, and its operations; see `set_epd`."""
        board = cls.empty(chess960=chess960)
        return board, board.set_epd(epd)
