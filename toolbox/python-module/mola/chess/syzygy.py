"""
Endgame tables in Syzygy's format: win, draw or loss, and the distance to the next capture or pawn
move.

Behaves like the module ``chess.syzygy`` of python-chess 1.11, except for its internals:
how positions are numbered and blocks are unpacked.
"""

from __future__ import annotations

import os
import re
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Optional,
    Tuple,
    Type,
    TypeVar,
)

import mola.chess as chess
from mola._mola import tables as _native

if TYPE_CHECKING:
    from typing_extensions import Self

TBPIECES = 7
"""The most pieces of any table."""

PCHR = ["K", "Q", "R", "B", "N", "P"]
"""The letters of pieces in the order in which names of tables have them."""

TABLENAME_REGEX = re.compile(r"^[KQRBNP]+v[KQRBNP]+\Z")

WDL_TO_DTZ = [-1, -101, 0, 101, 1]

T = TypeVar("T")


def is_tablename(
    name: str, *, one_king: bool = True, piece_count: Optional[int] = TBPIECES,
    normalized: bool = True,
) -> bool:
    """
    Checks if a text is the name of a table, such as ``KRPvKR``, with not more than *piece_count*
    pieces, one king on each side, and the stronger side first.
    """
    return (
        (piece_count is None or len(name) <= piece_count + 1)
        and bool(TABLENAME_REGEX.match(name))
        and (not normalized or normalize_tablename(name) == name)
        and (not one_king or (name != "KvK" and name.startswith("K") and "vK" in name))
    )


def tablenames(*, one_king: bool = True, piece_count: int = 6) -> Iterator[str]:
    """The names of all tables with up to *piece_count* pieces."""
    first = "K" if one_king else "P"
    pawns = piece_count - 2
    targets = [
        f"{first}{'P' * (pawns - black)}v{first}{'P' * black}" for black in range(pawns // 2 + 1)
    ]
    return all_dependencies(targets, one_king=one_king)


def normalize_tablename(name: str, *, mirror: bool = False) -> str:
    """The name with the stronger side first, or last if *mirror* is set."""
    white, black = (sorted(side, key=PCHR.index) for side in name.split("v", 1))

    def strength(side: List[str]) -> Tuple[int, List[int]]:
        return len(side), [-PCHR.index(piece) for piece in side]

    if mirror ^ (strength(white) < strength(black)):
        white, black = black, white
    return "".join(white) + "v" + "".join(black)


def _dependencies(target: str, *, one_king: bool = True) -> Iterator[str]:
    """The material after each promotion or capture, some of it twice."""
    white, black = target.split("v", 1)
    for piece in PCHR:
        if piece == "K" and one_king:
            continue
        if piece != "P" and "P" in white:
            yield normalize_tablename(white.replace("P", piece, 1) + "v" + black)
        if piece != "P" and "P" in black:
            yield normalize_tablename(white + "v" + black.replace("P", piece, 1))
        if piece in white and len(white) > 1:
            yield normalize_tablename(white.replace(piece, "", 1) + "v" + black)
        if piece in black and len(black) > 1:
            yield normalize_tablename(white + "v" + black.replace(piece, "", 1))


def dependencies(target: str, *, one_king: bool = True) -> Iterator[str]:
    """The tables after a promotion or capture in a table."""
    closed = {"KvK"} if one_king else set()
    for dependency in _dependencies(target, one_king=one_king):
        if dependency not in closed and len(dependency) > 2:
            yield dependency
            closed.add(dependency)


def all_dependencies(targets: Iterable[str], *, one_king: bool = True) -> Iterator[str]:
    """These tables, and all that they depend on."""
    closed = {"KvK"} if one_king else set()
    waiting = [normalize_tablename(target) for target in targets]
    while waiting:
        name = waiting.pop()
        if name in closed:
            continue
        yield name
        closed.add(name)
        waiting.extend(_dependencies(name, one_king=one_king))


def calc_key(board: chess.BaseBoard, *, mirror: bool = False) -> str:
    """The material on a board, White's first, or Black's if *mirror* is set."""
    sides = ["", ""]
    for piece_type, letter in zip(range(chess.KING, 0, -1), PCHR):
        for index, color in enumerate((chess.WHITE, chess.BLACK)):
            sides[index] += letter * chess.popcount(board.pieces_mask(piece_type, color))
    return "v".join(reversed(sides) if mirror else sides)


def recalc_key(pieces: List[chess.PieceType], *, mirror: bool = False) -> str:
    """The material of a table, whose file has White's pieces as 1 to 6 and Black's as 9 to 14."""
    colors = (8, 0) if mirror else (0, 8)
    kinds = zip(range(chess.KING, 0, -1), PCHR)
    sides = ["", ""]
    for piece_type, letter in kinds:
        for index, color in enumerate(colors):
            sides[index] += letter * pieces.count(piece_type ^ color)
    return "v".join(sides)


def dtz_before_zeroing(wdl: int) -> int:
    """The DTZ of a position with this value whose best move is a capture or pawn move."""
    return ((wdl > 0) - (wdl < 0)) * (1 if abs(wdl) == 2 else 101)


class MissingTableError(KeyError):
    """Can not probe position because a required table is missing."""


def _answer(found: Tuple[Optional[T], Optional[Tuple[str, str]]]) -> T:
    """The result of a probe."""
    value, missing = found
    if missing is not None:
        name, kind = missing
        raise MissingTableError(f"did not find {kind} table {name}")
    assert value is not None
    return value


class Table:
    """A table file. It is opened when first probed."""

    _is_dtz = False

    def __init__(self, path: str, *, variant: Type[chess.Board] = chess.Board) -> None:
        self.path = path
        self.variant = variant
        name, _ = os.path.splitext(os.path.basename(path))
        self.key = normalize_tablename(name)
        self.mirrored_key = normalize_tablename(name, mirror=True)
        self.symmetric = self.key == self.mirrored_key
        self.num = len(name) - 1
        self.has_pawns = "P" in name
        self._tables: Optional[_native.Syzygy] = None

    def init_mmap(self) -> None:
        """Opens the file."""
        self._open()

    def _open(self) -> _native.Syzygy:
        if self._tables is None:
            with open(self.path, "rb") as file:
                magic = file.read(4)
            if not _native.Syzygy.is_magic(magic, self._is_dtz):
                raise IOError(f"invalid magic header: ensure {self.path!r} is a valid syzygy tablebase file")
            self._tables = _native.Syzygy()
            self._tables.add_file(self.path)
        return self._tables

    def close(self) -> None:
        """Closes the file."""
        self._tables = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class WdlTable(Table):
    """A WDL table."""

    def init_table_wdl(self) -> None:
        """Opens the file."""
        self._open()

    def probe_wdl_table(self, board: chess.Board) -> int:
        """The stored value, which ignores en passant and may be too low where the best move
        is a capture."""
        return _answer(self._open().probe_wdl_table(board))


class DtzTable(Table):
    """A DTZ table."""

    _is_dtz = True

    def init_table_dtz(self) -> None:
        """Opens the file."""
        self._open()

    def probe_dtz_table(self, board: chess.Board, wdl: int) -> Tuple[int, int]:
        """The stored value, given the WDL value of the position, and ``1``; or ``-1`` if the table
        is only for the other side to move."""
        return _answer(self._open().probe_dtz_table(board, wdl))


class Tablebase:
    """
    Manages a collection of tablebase files for probing.

    Files are mapped to memory when first probed and then hold no file descriptor, so
    that *max_fds* has no effect.
    """

    def __init__(
        self, *, max_fds: Optional[int] = 128, VariantBoard: Type[chess.Board] = chess.Board
    ) -> None:
        self.variant = VariantBoard
        self.max_fds = max_fds
        self.wdl: Dict[str, WdlTable] = {}
        self.dtz: Dict[str, DtzTable] = {}
        self._tables = _native.Syzygy()

    def add_directory(
        self, directory: str, *, load_wdl: bool = True, load_dtz: bool = True
    ) -> int:
        """
        Adds tables from a directory.

        By default, all available tables with the correct file names
        (e.g., WDL files like ``KQvKN.rtbw`` and DTZ files like ``KRBvK.rtbz``)
        are added.

        The relevant files are lazily opened when the tablebase is actually
        probed.

        Returns the number of table files that were found.
        """
        directory = os.path.abspath(directory)
        return sum(
            self.add_file(os.path.join(directory, name), load_wdl=load_wdl, load_dtz=load_dtz)
            for name in os.listdir(directory)
        )

    def add_file(self, path: str, *, load_wdl: bool = True, load_dtz: bool = True) -> int:
        """Adds a table. Returns the number of tables that were found: 1 or 0."""
        name, suffix = os.path.splitext(os.path.basename(path))
        if not is_tablename(name, one_king=self.variant.one_king) or not os.path.isfile(path):
            return 0
        variant = self.variant
        pawnless = "P" not in name
        if load_wdl and (
            suffix == variant.tbw_suffix or pawnless and suffix == variant.pawnless_tbw_suffix
        ):
            _add(self.wdl, WdlTable(path, variant=variant))
        elif load_dtz and (
            suffix == variant.tbz_suffix or pawnless and suffix == variant.pawnless_tbz_suffix
        ):
            _add(self.dtz, DtzTable(path, variant=variant))
        else:
            return 0
        self._tables.add_file(path)
        return 1

    def _check(self, board: chess.Board, *, ignore_castling: bool = False) -> None:
        """Refuses a position that can be in no table."""
        self._check_variant(board)
        if board.castling_rights and not ignore_castling:
            raise KeyError(
                f"syzygy tables do not contain positions with castling rights: {board.fen()}"
            )
        pieces = chess.popcount(board.occupied)
        if pieces > TBPIECES:
            raise KeyError(
                f"syzygy tables support up to {TBPIECES} pieces, not {pieces}: {board.fen()}"
            )

    def _check_variant(self, board: chess.Board) -> None:
        if board.uci_variant != self.variant.uci_variant:
            raise KeyError(
                f"tablebase has been opened for {self.variant.uci_variant},"
                f" probed with: {board.uci_variant}"
            )

    def _check_king(self, board: chess.Board) -> None:
        """Refuses a position in which the king can be captured: no table has what follows."""
        king = board.kings & board.occupied_co[not board.turn]
        capture = next(board.generate_legal_moves(to_mask=king), None)
        # python-chess takes bare kings for a draw, even one alone.
        if capture is not None and board.kings != board.occupied:
            after = board.copy(stack=False)
            after.push(capture)
            raise MissingTableError(f"did not find wdl table {calc_key(after)}")

    def probe_wdl_table(self, board: chess.Board) -> int:
        """The stored WDL value, which ignores castling and en passant, and may be too low
        where the best move is a capture."""
        self._check(board, ignore_castling=True)
        return _answer(self._tables.probe_wdl_table(_without_castling(board)))

    def _probe(
        self,
        probe: Callable[..., Optional[Tuple[Optional[int], Optional[Tuple[str, str]]]]],
        board: chess.Board,
    ) -> int:
        """The result of a probe of the tables after its checks. It finds nothing where the king can
        be captured."""
        self._check(board)
        found = probe(board)
        if found is None:
            self._check_king(board)
            found = probe(board, allow_capture_of_king=True)
            assert found is not None
        return _answer(found)

    def probe_wdl(self, board: chess.Board) -> int:
        """
        Probes WDL tables for win/draw/loss information under the 50-move rule,
        assuming the position has been reached directly after a capture or
        pawn move.

        Any number of threads can probe.

        Returns ``2`` if the side to move is winning, ``0`` if the position is
        a draw and ``-2`` if the side to move is losing.

        Returns ``1`` in case of a cursed win and ``-1`` in case of a blessed
        loss. Mate can be forced but the position can be drawn due to the
        fifty-move rule.

        >>> import mola.chess as chess
        >>> import mola.chess.syzygy
        >>>
        >>> with chess.syzygy.open_tablebase("syzygy/regular") as tablebase:  # doctest: +SKIP
        ...     board = chess.Board("8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1")
        ...     print(tablebase.probe_wdl(board))
        -2

        :raises: :exc:`KeyError` (or specifically
            :exc:`chess.syzygy.MissingTableError`) if the position could not
            be found in the tablebase. Use
            :func:`~chess.syzygy.Tablebase.get_wdl()` if you prefer to get
            ``None`` instead of an exception. :exc:`OSError` if a file is broken.
        """
        return self._probe(self._tables.probe_wdl, board)

    def get_wdl(self, board: chess.Board, default: Optional[int] = None) -> Optional[int]:
        """Probes WDL tables like :func:`probe_wdl()`; *default* where that raises
        :exc:`KeyError`."""
        try:
            return self.probe_wdl(board)
        except KeyError:
            return default

    def probe_dtz_table(self, board: chess.Board, wdl: int) -> Tuple[int, int]:
        """The stored DTZ value, given the WDL value of the position, and ``1``; or ``-1`` if
        the table is only for the other side to move. It ignores castling and en passant.

        :raises: :exc:`ValueError` if the table has no number for this WDL value, as it is not that of the
            position.
        """
        self._check_variant(board)
        return _answer(self._tables.probe_dtz_table(_without_castling(board), wdl))

    def probe_dtz_no_ep(self, board: chess.Board) -> int:
        """Probes DTZ tables for a position without its captures en passant."""
        if board.ep_square is not None:
            board = board.copy(stack=False)
            board.ep_square = None
        return self.probe_dtz(board)

    def probe_dtz(self, board: chess.Board) -> int:
        """
        Probes DTZ tables for
        `DTZ50'' information with rounding <https://syzygy-tables.info/metrics#dtz>`_.

        Minmaxing the DTZ50'' values guarantees winning a won position
        (and drawing a drawn position), because it makes progress keeping the
        win in hand.
        However, the lines are not always the most straightforward ways to win.
        Engines like Stockfish calculate themselves, checking with DTZ, but
        only play according to DTZ if they can not manage on their own.

        Returns a positive value if the side to move is winning, ``0`` if the
        position is a draw, and a negative value if the side to move is losing:

        +-----+------------------+--------------------------------------------+
        | WDL | DTZ              |                                            |
        +=====+==================+============================================+
        |  -2 | -100 <= n <= -1  | Loss, with a zeroing move in -n plies.     |
        +-----+------------------+--------------------------------------------+
        |  -1 |         n < -100 | Loss, but draw under the 50-move rule.     |
        +-----+------------------+--------------------------------------------+
        |   0 |         0        | Draw.                                      |
        +-----+------------------+--------------------------------------------+
        |   1 |   100 < n        | Win, but draw under the 50-move rule.      |
        +-----+------------------+--------------------------------------------+
        |   2 |    1 <= n <= 100 | Win, with a zeroing move in n plies.       |
        +-----+------------------+--------------------------------------------+

        The return value can be off by one: -n can mean a losing zeroing move in n + 1 plies and
        +n a winning zeroing move in n + 1 plies. This never changes the outcome of a game in which
        the table's move is always played, but one more ply wasted may.

        Both DTZ and WDL tables are required. Any number of threads can probe.

        :raises: :exc:`KeyError` (or specifically
            :exc:`chess.syzygy.MissingTableError`) if the position could not
            be found in the tablebase. Use
            :func:`~chess.syzygy.Tablebase.get_dtz()` if you prefer to get
            ``None`` instead of an exception. :exc:`OSError` if a file is broken.
        """
        return self._probe(self._tables.probe_dtz, board)

    def get_dtz(self, board: chess.Board, default: Optional[int] = None) -> Optional[int]:
        """Probes DTZ tables like :func:`probe_dtz()`; *default* where that raises
        :exc:`KeyError`."""
        try:
            return self.probe_dtz(board)
        except KeyError:
            return default

    def close(self) -> None:
        """Closes all loaded tables."""
        self.wdl.clear()
        self.dtz.clear()
        self._tables.close()

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _without_castling(board: chess.Board) -> chess.Board:
    if not board.castling_rights:
        return board
    board = board.copy(stack=False)
    board.castling_rights = chess.BB_EMPTY
    return board


def _add(tables: Dict[str, Any], table: Table) -> None:
    tables[table.key] = table
    tables[table.mirrored_key] = table


def open_tablebase(
    directory: str,
    *,
    load_wdl: bool = True,
    load_dtz: bool = True,
    max_fds: Optional[int] = 128,
    VariantBoard: Type[chess.Board] = chess.Board,
) -> Tablebase:
    """
    Opens a collection of tables for probing. See
    :class:`~chess.syzygy.Tablebase`.

    A position needs the table of its material, and those of all material that captures and
    promotions lead to, which are often in other folders: add them with
    :func:`~chess.syzygy.Tablebase.add_directory()`.
    """
    tables = Tablebase(max_fds=max_fds, VariantBoard=VariantBoard)
    tables.add_directory(directory, load_wdl=load_wdl, load_dtz=load_dtz)
    return tables
