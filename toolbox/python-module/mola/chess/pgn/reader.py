"""Reading games from text files."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Iterator, List, Optional, TextIO, Tuple, Union

import mola.chess as chess
from mola._mola import pgn as _native

from .builders import SkipVisitor
from .headers import TAG_REGEX, Headers, HeadersBuilder, lazy_headers, start_board
from .nodes import Game, GameBuilder, lazy_game
from .visitor import SKIP, BaseVisitor


def read_game(handle: TextIO, *, Visitor: Any = GameBuilder) -> Any:
    """
    Reads a game from a file opened in text mode.

    Returns the result of the *Visitor*, by default a :class:`~chess.pgn.Game`, or ``None``
    at the end of the file.

    >>> import io
    >>> import mola.chess.pgn
    >>>
    >>> pgn = io.StringIO("1. e4 e5 2. Nf3 *")
    >>> game = mola.chess.pgn.read_game(pgn)
    >>> game.end().san()
    'Nf3'

    A blank line that is not in a comment ends a game. Games need not have tags. The caller
    opens the file with the right encoding; a byte order mark is skipped.

    What cannot be read is skipped. Errors are written to the log ``chess.pgn`` and collected
    in :data:`Game.errors <chess.pgn.Game.errors>`, unless
    :func:`handle_error() <chess.pgn.GameBuilder.handle_error>` is overridden.
    """
    visitor = Visitor()
    kind = type(visitor)
    if not _is_plain(visitor):
        return Reader(handle).read(visitor)
    if kind is GameBuilder and visitor.Game is Game:
        return _read_game(handle, visitor)
    if kind is HeadersBuilder and visitor.Headers is Headers:
        return read_headers(handle)
    if kind is SkipVisitor:
        return _native.skip_game(handle) or None
    return Reader(handle).read(visitor)


_CALLBACKS = [name for name in vars(BaseVisitor) if not name.startswith("_")]
_callbacks = attrgetter(*_CALLBACKS)
_OURS = {kind: _callbacks(kind) for kind in (GameBuilder, HeadersBuilder, SkipVisitor)}


def _is_plain(visitor: Any) -> bool:
    """Whether all callbacks are those of this package, so that the native reader can build the result
    alone: in a subclass, on the visitor or its class there may be others."""
    kind = type(visitor)
    return (
        kind in _OURS
        and _OURS[kind] == _callbacks(kind)
        and vars(visitor).keys().isdisjoint(_CALLBACKS)
    )


def _read_game(handle: TextIO, builder: GameBuilder[Game]) -> Optional[Game]:
    try:
        tree = _native.read_game(handle)
    except _native.UnsupportedLine as error:
        game: Optional[Game] = Reader(Replay(error.args[0], handle)).read(builder)
        return game
    if tree is None:
        return None
    builder.game = lazy_game(tree)
    for name, message in tree.errors():
        builder.handle_error(_ERRORS.get(name, ValueError)(message))
    return builder.game


_ERRORS = {
    "InvalidMoveError": chess.InvalidMoveError,
    "IllegalMoveError": chess.IllegalMoveError,
    "AmbiguousMoveError": chess.AmbiguousMoveError,
}


def read_headers(handle: TextIO) -> Optional[Headers]:
    """
    Reads game headers from a PGN file opened in text mode and skips the rest of the game.

    Returns ``None`` at the end of the file. This is much faster than reading games, and serves
    to find the games of interest:

    >>> import io
    >>> import mola.chess.pgn
    >>>
    >>> pgn = io.StringIO('[White "A"]\\n\\n1. e4 *\\n\\n[White "B"]\\n\\n1. d4 *\\n')
    >>> offsets = []
    >>> while True:
    ...     offset = pgn.tell()
    ...     headers = mola.chess.pgn.read_headers(pgn)
    ...     if headers is None:
    ...         break
    ...     if headers["White"] == "B":
    ...         offsets.append(offset)
    >>> offsets
    [22]
    """
    try:
        tags = _native.read_headers(handle)
    except _native.UnsupportedLine as error:
        headers: Optional[Headers] = Reader(Replay(error.args[0], handle)).read(HeadersBuilder())
        return headers
    return None if tags is None else lazy_headers(tags)


def skip_game(handle: TextIO) -> bool:
    """
    Skips a game. Returns ``True`` if there was one.
    """
    return _native.skip_game(handle)


class Replay:
    """A file after some of its lines have been read, with these lines once more before the others."""

    def __init__(self, lines: List[str], handle: TextIO) -> None:
        self.lines = iter(lines)
        self.handle = handle

    def readline(self) -> str:
        return next(self.lines, "") or self.handle.readline()


class Reader:
    """Reads one game line by line, and reports it to a visitor written in Python."""

    def __init__(self, handle: Union[TextIO, Replay]) -> None:
        self.handle = handle
        self.line = handle.readline().lstrip("\ufeff")

    def next_line(self) -> None:
        self.line = self.handle.readline()

    def read(self, visitor: BaseVisitor[Any]) -> Any:
        """The result of the visitor, or ``None`` if there is no game."""
        while self.line.isspace() or self.line.startswith(("%", ";")):
            self.next_line()
        if not self.line:
            return None
        headers = self.read_headers(visitor)
        board = None if headers is None else start_of(headers, visitor)
        if board is None:
            self.skip_moves()
        else:
            visitor.visit_board(board)
            self.read_moves(board, visitor)
        visitor.end_game()
        return visitor.result()

    def read_headers(self, visitor: BaseVisitor[Any]) -> Optional[Headers]:
        """The tags; ``None`` if the visitor skips the moves."""
        skipping = visitor.begin_game() is SKIP
        headers: Optional[Headers] = None
        for name, value in self.tags():
            if skipping:
                continue
            if headers is None:
                visited, headers = begin_headers(visitor)
            visitor.visit_header(name, value)
            if not visited:
                headers[name] = value
        if skipping:
            return None
        if headers is None:
            visited, headers = begin_headers(visitor)
        return None if visitor.end_headers() is SKIP else headers

    def tags(self) -> Iterator[Tuple[str, str]]:
        """The tag pairs before the moves. One blank line may stand between two of them."""
        blank_lines = 0
        while self.line:
            if self.line.startswith(("%", ";")):
                self.next_line()
                continue
            if blank_lines < 1 and self.line.isspace():
                blank_lines += 1
                self.next_line()
                continue
            if not self.line.startswith("["):
                return
            blank_lines = 0
            match = TAG_REGEX.match(self.line)
            if match is not None:
                yield match[1], match[2]
            self.next_line()

    def skip_moves(self) -> None:
        """Skips the moves; only comments must be recognised."""
        in_comment = False
        while self.line:
            if not in_comment:
                if self.line.isspace():
                    return
                if self.line.startswith("%"):
                    self.next_line()
                    continue
            for character in self.line:
                if character == "{":
                    in_comment = True
                elif character == "}":
                    in_comment = False
                elif character == ";" and not in_comment:
                    break
            self.next_line()

    def read_moves(self, start: chess.Board, visitor: BaseVisitor[Any]) -> None:
        """Plays the moves, each variation on its own board."""
        boards = [start]
        # The nesting depth of skipped variations.
        skipped = 0
        while self.line and not self.line.isspace():
            if self.line.startswith(("%", ";")):
                self.next_line()
                continue
            text: Optional[str] = self.line
            while text is not None:
                tokens, length = _native.tokens(text)
                for kind, value in tokens:
                    skipped = visit_token(kind, value, boards, skipped, visitor)
                if length is None:
                    text = None
                else:
                    comment, text = self.read_comment(text[length:])
                    if not skipped:
                        visitor.visit_comment(comment)
            self.next_line()

    def read_comment(self, text: str) -> Tuple[str, str]:
        """The comment that begins with a text, with further lines if need be, and the rest of
        the line where it ends."""
        parts: List[str] = []
        text = text[text.startswith(" ") :]
        while True:
            last, brace, rest = text.partition("}")
            if brace:
                parts.append(last[: -1 if last.endswith(" ") else None])
                return "".join(parts), rest
            parts.append(text)
            text = self.handle.readline()
            if not text:
                return "".join(parts), ""


def visit_token(
    kind: str, text: str, boards: List[chess.Board], skipped: int, visitor: BaseVisitor[Any]
) -> int:
    """
    Reports a token other than a comment to the visitor.

    The boards are those of the open variations. Takes and returns the nesting depth of skipped
    variations.
    """
    if kind == "open":
        if skipped:
            return skipped + 1
        if boards[-1].move_stack:
            if visitor.begin_variation() is SKIP:
                return 1
            board = boards[-1].copy()
            board.pop()
            boards.append(board)
    elif kind == "close":
        if skipped > 1:
            return skipped - 1
        if skipped or len(boards) > 1:
            visitor.end_variation()
        if not skipped and len(boards) > 1:
            boards.pop()
        return 0
    elif skipped:
        return skipped
    elif kind == "nag":
        visitor.visit_nag(int(text))
    elif kind == "result" and len(boards) == 1:
        visitor.visit_result(text)
    elif not play(text, boards[-1], visitor):
        return 1
    return skipped


def begin_headers(visitor: BaseVisitor[Any]) -> Tuple[bool, Headers]:
    """The headers in which to look for the start, and whether the visitor fills them."""
    headers = visitor.begin_headers()
    if isinstance(headers, Headers):
        return True, headers
    return False, Headers({})


def start_of(headers: Headers, visitor: BaseVisitor[Any]) -> Optional[chess.Board]:
    """The start position; ``None`` if the tags name none. Unknown variants count as standard chess."""
    try:
        board_class = headers.variant()
    except ValueError as error:
        visitor.handle_error(error)
        board_class = chess.Board
    try:
        return start_board(headers, board_class)
    except ValueError as error:
        visitor.handle_error(error)
        return None


def play(text: str, board: chess.Board, visitor: BaseVisitor[Any]) -> bool:
    """Plays a move. False if it cannot be played; the rest of its variation is then skipped."""
    played = True
    if visitor.begin_parse_san(board, text) is not SKIP:
        try:
            move = visitor.parse_san(board, text)
        except ValueError as error:
            visitor.handle_error(error)
            played = False
        else:
            visitor.visit_move(board, move)
            board.push(move)
    visitor.visit_board(board)
    return played

