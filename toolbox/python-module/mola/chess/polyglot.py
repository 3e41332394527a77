"""
Opening books in Polyglot's format: an array of 16-byte entries, sorted by the key of the position.

Behaves like the module ``chess.polyglot`` of python-chess 1.11.
"""

from __future__ import annotations

import bisect
import mmap
import os
import random
import struct
from typing import (
    Any, Callable, Container, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, cast,
)

import mola.chess as chess
from mola._mola import polyglot as _native

StrOrBytesPath = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

ENTRY_STRUCT = struct.Struct(">QHHI")

POLYGLOT_RANDOM_ARRAY: List[int] = _native.random_array()
"""The 781 random numbers of the format: 768 pieces on squares, 4 castling rights, 8 files of en
passant squares, and White to move."""

_CASTLING, _EN_PASSANT, _TURN = 768, 772, 780


class ZobristHasher:
    """Hashes positions with the random numbers of an array, of which there must be 781."""

    def __init__(self, array: List[int]) -> None:
        assert len(array) >= 781
        self.array = array

    def hash_board(self, board: chess.BaseBoard) -> int:
        """The pieces on their squares."""
        key = 0
        for color, occupied in enumerate(board.occupied_co):
            for square in chess.scan_forward(occupied):
                piece_type = cast(chess.PieceType, board.piece_type_at(square))
                key ^= self.array[64 * (2 * (piece_type - 1) + color) + square]
        return key

    def hash_castling(self, board: chess.Board) -> int:
        """The castling rights."""
        rights = (
            board.has_kingside_castling_rights(chess.WHITE),
            board.has_queenside_castling_rights(chess.WHITE),
            board.has_kingside_castling_rights(chess.BLACK),
            board.has_queenside_castling_rights(chess.BLACK),
        )
        key = 0
        for index, has_right in enumerate(rights):
            if has_right:
                key ^= self.array[_CASTLING + index]
        return key

    def hash_ep_square(self, board: chess.Board) -> int:
        """The en passant square, where a pawn stands beside the one that could be taken."""
        if board.ep_square is None:
            return 0
        capturers = chess.BB_PAWN_ATTACKS[not board.turn][board.ep_square]
        if not capturers & board.pawns & board.occupied_co[board.turn]:
            return 0
        return self.array[_EN_PASSANT + chess.square_file(board.ep_square)]

    def hash_turn(self, board: chess.Board) -> int:
        """The side to move."""
        return self.array[_TURN] if board.turn == chess.WHITE else 0

    def __call__(self, board: chess.Board) -> int:
        """The hash of the whole position."""
        return (
            self.hash_board(board)
            ^ self.hash_castling(board)
            ^ self.hash_ep_square(board)
            ^ self.hash_turn(board)
        )


def zobrist_hash(
    board: chess.Board,
    *,
    _hasher: Callable[[chess.Board], int] = ZobristHasher(POLYGLOT_RANDOM_ARRAY),
) -> int:
    """
    Calculates the Polyglot Zobrist hash of the position.

    A Zobrist hash is an XOR of pseudo-random values picked from
    an array. Which values are picked is decided by features of the
    position, such as piece positions, castling rights and en passant
    squares.
    """
    return _hasher(board)


class Entry(NamedTuple):
    """An entry from a Polyglot opening book."""

    key: int
    """The Zobrist hash of the position."""

    raw_move: int
    """The move as the book has it, in 16 bits. See :attr:`move` instead."""

    weight: int
    """How often the move should be played, compared with the others of the position."""

    learn: int
    """For programs to learn; usually 0."""

    move: chess.Move
    """The move."""


class _EmptyMap(bytes):
    """An empty file, which cannot be mapped to memory."""

    def size(self) -> int:
        return 0

    def close(self) -> None:
        pass


_KEY_STRUCT = struct.Struct(">Q")


def _unpack(fields: struct.Struct, book: Any, index: int) -> Tuple[Any, ...]:
    try:
        return fields.unpack_from(book, index * ENTRY_STRUCT.size)
    except struct.error:
        # The file has grown since it was opened.
        raise IndexError() from None


class _Keys(Sequence[int]):
    """The keys of a book, for binary search."""

    def __init__(self, reader: MemoryMappedReader) -> None:
        self.reader = reader

    def __len__(self) -> int:
        return len(self.reader)

    def __getitem__(self, index: Any) -> Any:
        return _unpack(_KEY_STRUCT, self.reader.mmap, index)[0]


class MemoryMappedReader:
    """Maps a Polyglot opening book to memory."""

    mmap: Union[mmap.mmap, _EmptyMap]

    def __init__(self, filename: StrOrBytesPath) -> None:
        descriptor = os.open(filename, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            self.mmap = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        except (ValueError, OSError):
            self.mmap = _EmptyMap()
        finally:
            os.close(descriptor)
        if self.mmap.size() % ENTRY_STRUCT.size:
            self.mmap.close()
            raise IOError(
                f"invalid file size: ensure {filename!r} is a valid polyglot opening book"
            )

    def __enter__(self) -> MemoryMappedReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.mmap.size() // ENTRY_STRUCT.size

    def __getitem__(self, index: int) -> Entry:
        count = len(self)
        if index < 0:
            index += count
        if not 0 <= index < count:
            raise IndexError()
        key, raw_move, weight, learn = _unpack(ENTRY_STRUCT, self.mmap, index)
        return Entry(key, raw_move, weight, learn, _move(raw_move))

    def __iter__(self) -> Iterator[Entry]:
        return (self[index] for index in range(len(self)))

    def bisect_key_left(self, key: int) -> int:
        """The index of the first entry whose key is not less than this one."""
        return bisect.bisect_left(_Keys(self), key)

    def __contains__(self, entry: Entry) -> bool:
        return any(known == entry for known in self.find_all(entry.key, minimum_weight=entry.weight))

    def find_all(
        self,
        board: Union[chess.Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[chess.Move] = [],
    ) -> Iterator[Entry]:
        """Seeks a specific position and yields corresponding entries."""
        position: Optional[chess.Board] = None
        if isinstance(board, chess.Board):
            position, key = board, zobrist_hash(board)
        else:
            key = int(board)
        for index in range(self.bisect_key_left(key), len(self)):
            entry = self[index]
            if entry.key != key:
                return
            if entry.weight < minimum_weight:
                continue
            if position is not None:
                raw = entry.move
                move = position._from_chess960(
                    position.chess960, raw.from_square, raw.to_square, raw.promotion, raw.drop
                )
                entry = entry._replace(move=move)
            if entry.move in exclude_moves:
                continue
            if position is None or position.is_legal(entry.move):
                yield entry

    def find(
        self,
        board: Union[chess.Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[chess.Move] = [],
    ) -> Entry:
        """
        Finds the main entry for the given position or Zobrist hash.

        The main entry is the (first) entry with the highest weight.

        By default, entries with weight ``0`` are excluded. This is a common
        way to delete entries from an opening book without compacting it. Pass
        *minimum_weight* ``0`` to select all entries.

        :raises: :exc:`IndexError` if no entries are found. Use
            :func:`~chess.polyglot.MemoryMappedReader.get()` if you prefer to
            get ``None`` instead of an exception.
        """
        found = self.get(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        if found is None:
            raise IndexError()
        return found

    def get(
        self,
        board: Union[chess.Board, int],
        default: Optional[Entry] = None,
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[chess.Move] = [],
    ) -> Optional[Entry]:
        """Finds the main entry like :func:`find()`, or returns *default*."""
        entries = self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        return max(entries, key=lambda entry: entry.weight, default=default)

    def choice(
        self,
        board: Union[chess.Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[chess.Move] = [],
        random: Optional[random.Random] = None,
    ) -> Entry:
        """
        Uniformly selects a random entry for the given position.

        :raises: :exc:`IndexError` if no entries are found.
        """
        chosen = None
        entries = self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        # Reservoir sampling: each entry so far has the same chance.
        for index, entry in enumerate(entries):
            if chosen is None or _randint(random, 0, index) == index:
                chosen = entry
        if chosen is None:
            raise IndexError()
        return chosen

    def weighted_choice(
        self,
        board: Union[chess.Board, int],
        *,
        exclude_moves: Container[chess.Move] = [],
        random: Optional[random.Random] = None,
    ) -> Entry:
        """
        Selects a random entry for the given position, distributed by the
        weights of the entries.

        :raises: :exc:`IndexError` if no entries are found.
        """
        entries = list(self.find_all(board, exclude_moves=exclude_moves))
        if not entries:
            raise IndexError()
        left = _randint(random, 0, sum(entry.weight for entry in entries) - 1)
        for entry in entries:
            left -= entry.weight
            if left < 0:
                return entry
        raise AssertionError("a random number beyond its bound")

    def close(self) -> None:
        """Closes the reader."""
        self.mmap.close()


def _randint(rng: Optional[random.Random], first: int, last: int) -> int:
    return random.randint(first, last) if rng is None else rng.randint(first, last)


def _move(raw: int) -> chess.Move:
    """A move from 16 bits: to, from, promotion. Castling is the king capturing its rook."""
    to_square = raw & 0x3F
    from_square = raw >> 6 & 0x3F
    role = raw >> 12 & 0x7
    promotion = role + 1 if role else None
    if from_square == to_square:
        # In crazyhouse a drop.
        return chess.Move(from_square, to_square, drop=promotion)
    return chess.Move(from_square, to_square, promotion)


def open_reader(path: StrOrBytesPath) -> MemoryMappedReader:
    """
    Creates a reader for the file at the given path.

    >>> import mola.chess as chess
    >>> import mola.chess.polyglot
    >>>
    >>> with chess.polyglot.open_reader("book.bin") as reader:  # doctest: +SKIP
    ...    for entry in reader.find_all(chess.Board()):
    ...        print(entry.move, entry.weight, entry.learn)
    e2e4 1 0
    d2d4 1 0
    c2c4 1 0
    """
    return MemoryMappedReader(path)
