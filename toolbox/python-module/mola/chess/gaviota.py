"""
Endgame tables in Gaviota's format: the distance to mate, for up to 5 pieces.

Behaves like the module ``chess.gaviota`` of python-chess 1.11, except for its internals.
Both classes probe with Mola's own code; no library is needed.
"""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Union

import mola.chess as chess
from mola._mola import tables as _native

from .syzygy import calc_key as _calc_key

if TYPE_CHECKING:
    from typing_extensions import Self

_SUFFIX = ".gtb.cp4"


class MissingTableError(KeyError):
    """Can not probe position because a required table is missing."""


class PythonTablebase:
    """Provides access to Gaviota tablebases."""

    def __init__(self) -> None:
        self.available_tables: Dict[str, str] = {}
        self._tables = _native.Gaviota()

    def add_directory(self, directory: str) -> None:
        """
        Adds *.gtb.cp4* tables from a directory. The relevant files are lazily
        opened when the tablebase is actually probed.
        """
        directory = os.path.abspath(directory)
        if not os.path.isdir(directory):
            raise IOError(f"not a directory: {directory!r}")
        for name in os.listdir(directory):
            if name.endswith(_SUFFIX):
                path = os.path.join(directory, name)
                self._tables.add_file(path)
                self.available_tables[name[: -len(_SUFFIX)]] = path

    def _probe(self, board: chess.Board) -> Tuple[int, int]:
        """Plies to mate, with the sign of the result; and 1, 0 or -1 for win, draw or loss."""
        if board.castling_rights:
            raise KeyError(
                f"gaviota tables do not contain positions with castling rights: {board.fen()}"
            )
        pieces = chess.popcount(board.occupied)
        if pieces > 5:
            raise KeyError(f"gaviota tables support up to 5 pieces, not {pieces}: {board.fen()}")
        if board.occupied == board.kings:
            return 0, 0
        found = self._tables.probe(board)
        if found is None:
            raise MissingTableError(f"no gaviota table available for: {_calc_key(board)}")
        return found

    def probe_dtm(self, board: chess.Board) -> int:
        """
        Probes for depth to mate information.

        The absolute value is the number of half-moves until forced mate
        (or ``0`` in drawn or checkmated positions). The value is positive if
        the side to move is winning, otherwise it is negative or 0.

        In the example position, white to move will get mated in 10 half-moves:

        >>> import mola.chess as chess
        >>> import mola.chess.gaviota
        >>>
        >>> with chess.gaviota.open_tablebase("gaviota") as tablebase:  # doctest: +SKIP
        ...     board = chess.Board("8/8/8/8/8/8/8/K2kr3 w - - 0 1")
        ...     print(tablebase.probe_dtm(board))
        -10

        :raises: :exc:`KeyError` (or specifically
            :exc:`chess.gaviota.MissingTableError`) if the probe fails. Use
            :func:`~chess.gaviota.PythonTablebase.get_dtm()` if you prefer
            to get ``None`` instead of an exception. :exc:`OSError` if a file is broken.
        """
        return self._probe(board)[0]

    def get_dtm(self, board: chess.Board, default: Optional[int] = None) -> Optional[int]:
        """Probes like :func:`probe_dtm()`; *default* where that raises :exc:`KeyError`."""
        try:
            return self.probe_dtm(board)
        except KeyError:
            return default

    def probe_wdl(self, board: chess.Board) -> int:
        """
        Probes for win/draw/loss information.

        Returns ``1`` if the side to move is winning, ``0`` if it is a draw,
        and ``-1`` if the side to move is losing.

        :raises: :exc:`KeyError` (or specifically
            :exc:`chess.gaviota.MissingTableError`) if the probe fails. Use
            :func:`~chess.gaviota.PythonTablebase.get_wdl()` if you prefer
            to get ``None`` instead of an exception. :exc:`OSError` if a file is broken.
        """
        return self._probe(board)[1]

    def get_wdl(self, board: chess.Board, default: Optional[int] = None) -> Optional[int]:
        """Probes like :func:`probe_wdl()`; *default* where that raises :exc:`KeyError`."""
        try:
            return self.probe_wdl(board)
        except KeyError:
            return default

    def close(self) -> None:
        """Closes all loaded tables."""
        self.available_tables.clear()
        self._tables.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class NativeTablebase(PythonTablebase):
    """
    Provides access to Gaviota tablebases by native code.
    Has the same interface as :class:`~chess.gaviota.PythonTablebase`.
    """

    def __init__(self, libgtb: Any = None) -> None:
        super().__init__()
        self.libgtb = libgtb


def open_tablebase_native(
    directory: str,
    *,
    libgtb: Optional[str] = None,
    LibraryLoader: ctypes.LibraryLoader[ctypes.CDLL] = ctypes.cdll,
) -> NativeTablebase:
    """
    Opens a collection of tables for probing by native code.

    The code is Mola's own: *libgtb* and *LibraryLoader* have no effect.
    """
    tables = NativeTablebase()
    tables.add_directory(directory)
    return tables


def open_tablebase(
    directory: str,
    *,
    libgtb: Optional[str] = None,
    LibraryLoader: Optional[ctypes.LibraryLoader[ctypes.CDLL]] = ctypes.cdll,
) -> Union[NativeTablebase, PythonTablebase]:
    """
    Opens a collection of tables for probing.

    *libgtb* and *LibraryLoader* have no effect, as no library is needed.
    """
    tables = PythonTablebase()
    tables.add_directory(directory)
    return tables
