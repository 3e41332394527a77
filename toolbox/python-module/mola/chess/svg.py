"""
Pictures of boards and pieces as scalable vector graphics.

Behaves like the module ``chess.svg`` of python-chess 1.11: the same elements with the same
attributes, but pieces of another shape, and all coordinates in one group instead of a group for
each.
"""

from __future__ import annotations

import re
from typing import Dict, Iterable, Iterator, List, Optional, Tuple, Union

import mola.chess as chess
from mola._mola import svg as _native
from mola.chess import Color, IntoSquareSet, Square

SQUARE_SIZE = 45
MARGIN = 20

PIECES: Dict[str, str] = {
    symbol: _native.piece(chess.Piece.from_symbol(symbol)) for symbol in "bknpqrBKNPQR"
}
"""Each piece as a group of shapes."""

_SHAPES = dict(PIECES)

COORDS: Dict[str, str] = {name: _native.coordinate(name) for name in "12345678abcdefgh"}
"""The names of files and ranks as paths."""

XX: str = _native.XX
"""The cross on a marked square."""

CHECK_GRADIENT: str = _native.CHECK_GRADIENT
"""The glow around a king in check."""

DEFAULT_COLORS: Dict[str, str] = dict(_native.DEFAULT_COLORS)

_LETTERS = {"green": "G", "red": "R", "yellow": "Y", "blue": "B"}
_COLORS = {letter: color for color, letter in _LETTERS.items()}


class Arrow:
    """Details of an arrow to be drawn."""

    tail: Square
    """Start square of the arrow."""

    head: Square
    """End square of the arrow."""

    color: str
    """Arrow color."""

    def __init__(self, tail: Square, head: Square, *, color: str = "green") -> None:
        self.tail = tail
        self.head = head
        self.color = color

    def pgn(self) -> str:
        """
        Returns the arrow in the format used by ``[%csl ...]`` and
        ``[%cal ...]`` PGN annotations, e.g., ``Ga1`` or ``Ya2h2``.

        Colors other than ``red``, ``yellow``, and ``blue`` default to green.
        """
        tail, head = chess.square_name(self.tail), chess.square_name(self.head)
        return _LETTERS.get(self.color, "G") + (tail if tail == head else tail + head)

    def __str__(self) -> str:
        return self.pgn()

    def __repr__(self) -> str:
        tail, head = (chess.square_name(square).upper() for square in (self.tail, self.head))
        return f"Arrow({tail}, {head}, color={self.color!r})"

    @classmethod
    def from_pgn(cls, pgn: str) -> Arrow:
        """
        Parses an arrow from the format used by ``[%csl ...]`` and
        ``[%cal ...]`` PGN annotations, e.g., ``Ga1`` or ``Ya2h2``.

        Also allows skipping the color prefix, defaulting to green.

        :raises: :exc:`ValueError` if the format is invalid.
        """
        color = _COLORS.get(pgn[:1], "green")
        squares = pgn[1:] if pgn[:1] in _COLORS else pgn
        tail = chess.parse_square(squares[:2])
        head = chess.parse_square(squares[2:]) if len(squares) > 2 else tail
        return cls(tail, head, color=color)


class SvgWrapper(str):
    """A picture, which notebooks show."""

    def _repr_svg_(self) -> SvgWrapper:
        return self

    def _repr_html_(self) -> SvgWrapper:
        return self


def piece(piece: chess.Piece, size: Optional[int] = None) -> str:
    """
    Renders the given :class:`chess.Piece` as an SVG image.

    >>> import mola.chess as chess
    >>> import mola.chess.svg
    >>>
    >>> picture = chess.svg.piece(chess.Piece.from_symbol("R"))
    """
    sides = "" if size is None else f' width="{size}" height="{size}"'
    return SvgWrapper(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' viewBox="0 0 {SQUARE_SIZE} {SQUARE_SIZE}"{sides}>{PIECES[piece.symbol()]}</svg>'
    )


def board(
    board: Optional[chess.BaseBoard] = None,
    *,
    orientation: Color = chess.WHITE,
    lastmove: Optional[chess.Move] = None,
    check: Optional[Square] = None,
    arrows: Iterable[Union[Arrow, Tuple[Square, Square]]] = [],
    fill: Dict[Square, str] = {},
    squares: Optional[IntoSquareSet] = None,
    size: Optional[int] = None,
    coordinates: bool = True,
    colors: Dict[str, str] = {},
    flipped: bool = False,
    borders: bool = False,
    style: Optional[str] = None,
) -> str:
    """
    Renders a board with pieces and/or selected squares as an SVG image.

    :param board: A :class:`chess.BaseBoard` for a chessboard with pieces, or
        ``None`` (the default) for a chessboard without pieces.
    :param orientation: The point of view, defaulting to ``chess.WHITE``.
    :param lastmove: A :class:`chess.Move` to be highlighted.
    :param check: A square to be marked indicating a check.
    :param arrows: A list of :class:`~chess.svg.Arrow` objects, like
        ``[chess.svg.Arrow(chess.E2, chess.E4)]``, or a list of tuples, like
        ``[(chess.E2, chess.E4)]``. An arrow from a square pointing to the same
        square is drawn as a circle, like ``[(chess.E2, chess.E2)]``.
    :param fill: A dictionary mapping squares to a colors that they should be
        filled with.
    :param squares: A :class:`chess.SquareSet` with selected squares to mark
        with an X.
    :param size: The size of the image in pixels (e.g., ``400`` for a 400 by
        400 board), or ``None`` (the default) for no size limit.
    :param coordinates: Pass ``False`` to disable the coordinate margin.
    :param colors: A dictionary to override default colors. Possible keys are
        ``square light``, ``square dark``, ``square light lastmove``,
        ``square dark lastmove``, ``margin``, ``coord``, ``inner border``,
        ``outer border``, ``arrow green``, ``arrow blue``, ``arrow red``,
        and ``arrow yellow``. Values should look like ``#ffce9e`` (opaque),
        or ``#15781B80`` (transparent).
    :param flipped: Pass ``True`` to flip the board.
    :param borders: Pass ``True`` to enable a border around the board and,
       (if *coordinates* is enabled) the coordinate margin.
    :param style: A CSS stylesheet to include in the SVG image.

    >>> import mola.chess as chess
    >>> import mola.chess.svg
    >>>
    >>> board = chess.Board("8/8/8/8/4N3/8/8/8 w - - 0 1")
    >>> picture = chess.svg.board(
    ...     board,
    ...     fill=dict.fromkeys(board.attacks(chess.E4), "#cc0000cc"),
    ...     arrows=[chess.svg.Arrow(chess.E4, chess.F6, color="#0000cccc")],
    ...     squares=chess.SquareSet(chess.BB_DARK_SQUARES & chess.BB_FILE_B),
    ...     size=350,
    ... )

    .. deprecated:: 1.1
        Use *orientation* with a color instead of the *flipped* toggle.
    """
    drawn: List[Tuple[int, int, str]] = []
    for arrow in arrows:
        try:
            drawn.append((arrow.tail, arrow.head, arrow.color))  # type: ignore[union-attr]
        except AttributeError:
            tail, head = arrow  # type: ignore[misc]
            drawn.append((tail, head, "green"))
    orientation ^= flipped
    picture = _native.board(
        _with_seen_pieces(board),
        bool(orientation),
        [lastmove.from_square, lastmove.to_square] if lastmove else [],
        check,
        drawn,
        list(_filled(fill)),
        0 if squares is None else int(chess.SquareSet(squares)),
        None if size is None else str(size),
        bool(coordinates),
        list({**DEFAULT_COLORS, **colors}.items()),
        bool(borders),
        style,
    )
    return SvgWrapper(_with_own_pieces(picture))


def _with_seen_pieces(board: Optional[chess.BaseBoard]) -> Optional[chess.BaseBoard]:
    """The board, or one with the pieces that a subclass shows."""
    if board is None or "piece_map" not in board._affected:
        return board
    seen = chess.BaseBoard(None)
    for square in chess.SQUARES:
        seen.set_piece_at(square, board.piece_at(square))
    return seen


def _filled(fill: Dict[Square, str]) -> Iterator[Tuple[Square, str]]:
    """The squares with a colour; other keys are ignored."""
    for square in chess.SQUARES:
        try:
            yield square, fill[square]
        except KeyError:
            pass


def _with_own_pieces(picture: str) -> str:
    """The picture with the pieces that the program has put into `PIECES`."""
    for symbol, shape in PIECES.items():
        if shape is not _SHAPES.get(symbol):
            piece = chess.Piece.from_symbol(symbol)
            name = f"{chess.COLOR_NAMES[piece.color]}-{chess.piece_name(piece.piece_type)}"
            usual = rf'<g id="{name}"[^>]*><use [^>]*/></g>'
            picture = re.sub(usual, lambda _, shape=shape: shape, picture, count=1)  # type: ignore[misc]
    return picture
