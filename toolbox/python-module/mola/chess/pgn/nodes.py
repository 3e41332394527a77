"""Games as trees of moves, and the visitor that builds them.

A game that was read keeps the reader's tree; Python nodes are created from it when they are first
used. So a node may lack attributes that are still in the reader's tree, and are
fetched when they are asked for.
"""

from __future__ import annotations

import abc
import logging
from typing import (
    TYPE_CHECKING, Any, Callable, Generic, Iterable, Iterator, List, Mapping, Optional, Set,
    SupportsIndex, Tuple, Type, TypeVar, Union, cast,
)

import mola.chess as chess
from mola.chess import Color

from . import annotated
from .exporters import StringExporter
from .fetched import FetchedAttribute, _Fetching, present, whole_dict
from .headers import Headers, lazy_headers
from .time_control import TimeControl, parse_time_control
from .traversal import traverse, visit_alone, visit_line
from .visitor import SKIP, BaseVisitor, ResultT

LOGGER = logging.getLogger("chess.pgn")

GameT = TypeVar("GameT", bound="Game")
MainlineMapT = TypeVar("MainlineMapT")


def _fetch_variations(node: GameNode) -> None:
    tree = node._tree
    if tree is not None:
        present(node).setdefault("variations", _make_line(node, tree))


def _fetch_nags(node: GameNode) -> None:
    tree = node._tree
    if tree is not None:
        present(node).setdefault("nags", tree.nags(node._index))


def _fetch_all(node: GameNode) -> None:
    _fetch_variations(node)
    _fetch_nags(node)
    present(node).pop("_tree", None)
    present(node).pop("_index", None)


class GameNode(_Fetching, abc.ABC):
    """A position of a game: its root, a :class:`Game`, or a :class:`ChildNode`."""

    parent: Optional[GameNode]
    """The parent node or ``None`` if this is the root node of the game."""

    move: Optional[chess.Move]
    """The move leading to this node or ``None`` if this is the root node of the game."""

    variations: List[ChildNode]
    """The child nodes, the main continuation first."""

    comment: str
    """A comment that goes behind the move leading to this node, or before the first move."""

    starting_comment: str
    """A comment that goes before the move, where the node starts a variation."""

    nags: Set[int]
    """The numeric annotation glyphs of the move."""

    _tree: Any = None
    """The reader's tree, if the node was created from one."""

    _index: int = 0
    """The number of the node in that tree."""

    def __init__(self, *, comment: str = "") -> None:
        self.parent = None
        self.move = None
        self.variations = []
        self.comment = comment
        # The root has these, too, for annotations before the first move.
        self.starting_comment = ""
        self.nags = set()

    if not TYPE_CHECKING:
        variations = FetchedAttribute(_fetch_variations)
        nags = FetchedAttribute(_fetch_nags)
        __dict__ = whole_dict(_fetch_all)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        # Copies and pickles have all attributes themselves, not the reader's tree.
        _fetch_all(self)
        return super().__reduce_ex__(protocol)

    @abc.abstractmethod
    def board(self) -> chess.Board:
        """
        Gets a board with the position of the node.

        For the root node, this is the default starting position (for the
        ``Variant``) unless the ``FEN`` header tag is set.

        It's a copy, so modifying the board will not alter the game.

        Complexity is `O(n)`.
        """

    @abc.abstractmethod
    def ply(self) -> int:
        """
        Returns the number of half-moves up to this node, as indicated by
        fullmove number and turn of the position.
        See :func:`chess.Board.ply()`.

        Usually this is equal to the number of parent nodes, but it may be
        more if the game was started from a custom position.

        Complexity is `O(n)`.
        """

    def turn(self) -> Color:
        """
        Gets the color to move at this node. See :data:`chess.Board.turn`.

        Complexity is `O(n)`.
        """
        return self.ply() % 2 == 0

    def root(self) -> GameNode:
        """Gets the root node."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def game(self) -> Game:
        """
        Gets the root node, i.e., the game.

        Complexity is `O(n)`.
        """
        root = self.root()
        assert isinstance(root, Game), "GameNode not rooted in Game"
        return root

    def end(self) -> GameNode:
        """
        Follows the main variation to the end and returns the last node.

        Complexity is `O(n)`.
        """
        node = self
        while variations := node.variations:
            node = variations[0]
        return node

    def is_end(self) -> bool:
        """
        Checks if this node is the last node in the current variation.

        Complexity is `O(1)`.
        """
        return not self.variations

    def starts_variation(self) -> bool:
        """
        Checks if this node starts a variation (and can thus have a starting
        comment). The root node does not start a variation and can have no
        starting comment.

        For example, in ``1. e4 e5 (1... c5 2. Nf3) 2. Nf3``, the node holding
        1... c5 starts a variation.

        Complexity is `O(1)`.
        """
        return self.parent is not None and not self._is_first()

    def is_mainline(self) -> bool:
        """
        Checks if the node is in the mainline of the game.

        Complexity is `O(n)`.
        """
        node: GameNode = self
        while node.parent is not None:
            siblings = node.parent.variations
            # There are none where the node has been removed.
            if not siblings or siblings[0] != node:
                return False
            node = node.parent
        return True

    def is_main_variation(self) -> bool:
        """
        Checks if this node is the first variation from the point of view of its
        parent. The root node is also in the main variation.

        Complexity is `O(1)`.
        """
        return self._is_first()

    def _is_first(self) -> bool:
        siblings = None if self.parent is None else self.parent.variations
        return not siblings or siblings[0] == self

    def __getitem__(self, move: Union[int, chess.Move, GameNode]) -> ChildNode:
        if isinstance(move, int):
            return self.variations[move]
        if not isinstance(move, (chess.Move, GameNode)):
            try:
                # A number of any other kind, or a slice.
                return self.variations[move]
            except TypeError:
                pass
        for variation in self.variations:
            if variation.move == move or variation == move:
                return variation
        raise KeyError(move)

    def __contains__(self, move: Union[int, chess.Move, GameNode]) -> bool:
        try:
            self[move]
        except KeyError:
            return False
        return True

    def variation(self, move: Union[int, chess.Move, GameNode]) -> ChildNode:
        """
        Gets a child node by either the move or the variation index.
        """
        return self[move]

    def has_variation(self, move: Union[int, chess.Move, GameNode]) -> bool:
        """Checks if this node has the given variation."""
        return move in self

    def _place_of(self, move: Union[int, chess.Move, GameNode]) -> int:
        return self.variations.index(self[move])

    def promote_to_main(self, move: Union[int, chess.Move, GameNode]) -> None:
        """Promotes the given *move* to the main variation."""
        self.variations.insert(0, self.variations.pop(self._place_of(move)))

    def promote(self, move: Union[int, chess.Move, GameNode]) -> None:
        """Moves a variation one up in the list of variations."""
        place = self._place_of(move)
        if place > 0:
            self._swap(place - 1, place)

    def demote(self, move: Union[int, chess.Move, GameNode]) -> None:
        """Moves a variation one down in the list of variations."""
        place = self._place_of(move)
        if place + 1 < len(self.variations):
            self._swap(place, place + 1)

    def _swap(self, first: int, second: int) -> None:
        variations = self.variations
        variations[first], variations[second] = variations[second], variations[first]

    def remove_variation(self, move: Union[int, chess.Move, GameNode]) -> None:
        """Removes a variation."""
        del self.variations[self._place_of(move)]

    def add_variation(
        self,
        move: chess.Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = [],
    ) -> ChildNode:
        """Creates a child node with the given attributes."""
        # The constructor appends it to the variations.
        return ChildNode(
            self, move, comment=comment, starting_comment=starting_comment, nags=nags
        )

    def add_main_variation(
        self, move: chess.Move, *, comment: str = "", nags: Iterable[int] = []
    ) -> ChildNode:
        """
        Creates a child node with the given attributes and promotes it to the
        main variation.
        """
        node = self.add_variation(move, comment=comment, nags=nags)
        self.variations.insert(0, self.variations.pop())
        return node

    def next(self) -> Optional[ChildNode]:
        """
        Returns the first node of the mainline after this node, or ``None`` if
        this node does not have any children.

        Complexity is `O(1)`.
        """
        variations = self.variations
        return variations[0] if variations else None

    def mainline(self) -> Mainline[ChildNode]:
        """Returns an iterable over the mainline starting after this node."""
        return Mainline(self, _itself)

    def mainline_moves(self) -> Mainline[chess.Move]:
        """Returns an iterable over the main moves after this node."""
        return Mainline(self, _move_of)

    def add_line(
        self,
        moves: Iterable[chess.Move],
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = [],
    ) -> GameNode:
        """
        Creates a sequence of child nodes for the given list of moves.
        Adds *comment* and *nags* to the last node of the line and returns it.
        """
        node: GameNode = self
        for move in moves:
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
        if comment:
            node.comment = f"{node.comment} {comment}" if node.comment else comment
        node.nags.update(nags)
        return node

    # The commands in the comment.
    eval = annotated.eval
    eval_depth = annotated.eval_depth
    set_eval = annotated.set_eval
    arrows = annotated.arrows
    set_arrows = annotated.set_arrows
    clock = annotated.clock
    set_clock = annotated.set_clock
    emt = annotated.emt
    set_emt = annotated.set_emt

    @abc.abstractmethod
    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """
        Traverses game nodes in PGN order using the given *visitor*. Starts with
        the move leading to this node. Returns the *visitor* result.
        """

    def accept_subgame(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """
        Traverses headers and game nodes in PGN order, as if the game was
        starting after this node. Returns the *visitor* result.
        """
        if visitor.begin_game() is not SKIP:
            headers = self.game().headers
            board = self.board()
            start = Game.without_tag_roster()
            start.setup(board)

            visitor.begin_headers()
            for name, value in headers.items():
                if name not in start.headers:
                    visitor.visit_header(name, value)
            for name, value in start.headers.items():
                visitor.visit_header(name, value)

            if visitor.end_headers() is not SKIP:
                visitor.visit_board(board)
                _accept_moves(self, board, visitor)
                visitor.visit_result(headers.get("Result", "*"))
        visitor.end_game()
        return visitor.result()

    def __str__(self) -> str:
        return self.accept(StringExporter(columns=None))


class ChildNode(GameNode):
    """
    A child node of a game, with the move leading to it.
    Extends :class:`~chess.pgn.GameNode`.
    """

    parent: GameNode
    """The parent node."""

    move: chess.Move
    """The move leading to this node."""

    def __init__(
        self,
        parent: GameNode,
        move: chess.Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = [],
    ) -> None:
        super().__init__(comment=comment)
        self.parent = parent
        self.move = move
        self.parent.variations.append(self)
        self.nags.update(nags)
        self.starting_comment = starting_comment

    def board(self) -> chess.Board:
        moves: List[chess.Move] = []
        node: GameNode = self
        while node.move is not None and node.parent is not None:
            moves.append(node.move)
            node = node.parent
        board = node.game().board()
        while moves:
            board.push(moves.pop())
        return board

    def ply(self) -> int:
        depth = 0
        node: GameNode = self
        while node.parent is not None:
            depth += 1
            node = node.parent
        return node.game().ply() + depth

    def san(self) -> str:
        """
        Gets the standard algebraic notation of the move leading to this node.
        See :func:`chess.Board.san()`.

        Do not call this on the root node.

        Complexity is `O(n)`.
        """
        return self.parent.board().san(self.move)

    def uci(self, *, chess960: Optional[bool] = None) -> str:
        """
        Gets the UCI notation of the move leading to this node.
        See :func:`chess.Board.uci()`.

        Do not call this on the root node.

        Complexity is `O(n)`.
        """
        return self.parent.board().uci(self.move, chess960=chess960)

    def end(self) -> ChildNode:
        """
        Follows the main variation to the end and returns the last node.

        Complexity is `O(n)`.
        """
        return cast(ChildNode, super().end())

    def _accept_node(self, parent_board: chess.Board, visitor: BaseVisitor[Any]) -> None:
        """Reports this node alone to the visitor."""
        if self.starting_comment:
            visitor.visit_comment(self.starting_comment)
        visitor.visit_move(parent_board, self.move)
        parent_board.push(self.move)
        visitor.visit_board(parent_board)
        parent_board.pop()
        for nag in sorted(self.nags):
            visitor.visit_nag(nag)
        if self.comment:
            visitor.visit_comment(self.comment)

    def _accept(
        self, parent_board: chess.Board, visitor: BaseVisitor[Any], *, sidelines: bool = True
    ) -> None:
        """Reports this node and its subtree to the visitor, with or without its siblings."""
        traverse(visit_line if sidelines else visit_alone, self, parent_board, visitor)

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        self._accept(self.parent.board(), visitor, sidelines=False)
        return visitor.result()

    def __repr__(self) -> str:
        try:
            before = self.parent.board()
        except ValueError:
            return f"<{type(self).__name__} at {id(self):#x} (dangling: {self.move})>"
        dots = "." if before.turn == chess.WHITE else "..."
        san = before.san(self.move)
        return f"<{type(self).__name__} at {id(self):#x} ({before.fullmove_number}{dots} {san} ...)>"


def _accept_moves(node: GameNode, board: chess.Board, visitor: BaseVisitor[Any]) -> None:
    if node.variations:
        node.variations[0]._accept(board, visitor)


class Game(GameNode):
    """
    The root node of a game with extra information such as headers and the
    starting position. Extends :class:`~chess.pgn.GameNode`.
    """

    headers: Headers
    """The tag pairs: a mapping of names to values. See :class:`Headers`."""

    errors: List[Exception]
    """What was wrong with the text when the game was read."""

    def __init__(
        self, headers: Optional[Union[Mapping[str, str], Iterable[Tuple[str, str]]]] = None
    ) -> None:
        super().__init__()
        self.headers = Headers(headers)
        self.errors = []

    def board(self) -> chess.Board:
        return self.headers.board()

    def ply(self) -> int:
        # Only with the tag FEN can the game start at another move than 1. Without it the variant
        # may be unknown.
        return self.board().ply() if "FEN" in self.headers else 0

    def setup(self, board: Union[chess.Board, str]) -> None:
        """
        Sets up a specific starting position. This sets (or resets) the
        ``FEN``, ``SetUp``, and ``Variant`` header tags.
        """
        if board is None or isinstance(board, str):
            board = chess.Board(board)
            board.chess960 = board.has_chess960_castling_rights()
        fen = board.fen()
        if fen == type(board).starting_fen:
            self.headers.pop("FEN", None)
            self.headers.pop("SetUp", None)
        else:
            self.headers["FEN"] = fen
            self.headers["SetUp"] = "1"

        name = type(board).aliases[0]
        if name != "Standard":
            self.headers["Variant"] = name
            self.headers["FEN"] = fen
        elif board.chess960:
            self.headers["Variant"] = "Chess960"
        else:
            self.headers.pop("Variant", None)

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """
        Traverses the game in PGN order using the given *visitor*. Returns
        the *visitor* result.
        """
        if visitor.begin_game() is not SKIP:
            for name, value in self.headers.items():
                visitor.visit_header(name, value)
            if visitor.end_headers() is not SKIP:
                board = self.board()
                visitor.visit_board(board)
                if self.comment:
                    visitor.visit_comment(self.comment)
                _accept_moves(self, board, visitor)
                visitor.visit_result(self.headers.get("Result", "*"))
        visitor.end_game()
        return visitor.result()

    def time_control(self) -> TimeControl:
        """
        Returns the time control of the game. If the game has no time control
        information, the default time control ('UNKNOWN') is returned.
        """
        return parse_time_control(self.headers.get("TimeControl", ""))

    @classmethod
    def from_board(cls: Type[GameT], board: chess.Board) -> GameT:
        """Creates a game from the move stack of a :class:`~chess.Board()`."""
        game = cls()
        game.setup(board.root())
        node: GameNode = game
        for move in board.move_stack:
            node = node.add_variation(move)
        game.headers["Result"] = board.result()
        return game

    @classmethod
    def without_tag_roster(cls: Type[GameT]) -> GameT:
        """Creates an empty game without the default Seven Tag Roster."""
        return cls(headers={})

    @classmethod
    def builder(cls: Type[GameT]) -> GameBuilder[GameT]:
        """A visitor that makes games of this class."""
        return GameBuilder(Game=cls)

    def __repr__(self) -> str:
        get = self.headers.get
        errors = f", {len(self.errors)} errors" if self.errors else ""
        return (
            f"<{type(self).__name__} at {id(self):#x}"
            f" ({get('White', '?')!r} vs. {get('Black', '?')!r},"
            f" {get('Date', '????.??.??')!r} at {get('Site', '?')!r}{errors})>"
        )


class GameBuilder(BaseVisitor[GameT]):
    """
    Creates a game model. Default visitor for :func:`~chess.pgn.read_game()`.
    """

    def __init__(self, *, Game: Any = Game) -> None:
        self.Game = Game

    def begin_game(self) -> None:
        self.game: GameT = self.Game()
        self.variation_stack: List[GameNode] = [self.game]
        self.starting_comment = ""
        self.in_variation = False

    def begin_headers(self) -> Headers:
        return self.game.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.game.headers[tagname] = tagvalue

    def visit_nag(self, nag: int) -> None:
        self.variation_stack[-1].nags.add(nag)

    def begin_variation(self) -> None:
        parent = self.variation_stack[-1].parent
        assert parent is not None, "begin_variation called, but root node on top of stack"
        self.variation_stack.append(parent)
        self.in_variation = False

    def end_variation(self) -> None:
        self.variation_stack.pop()

    def visit_result(self, result: str) -> None:
        if self.game.headers.get("Result", "*") == "*":
            self.game.headers["Result"] = result

    def visit_comment(self, comment: str) -> None:
        node = self.variation_stack[-1]
        if self.in_variation or (node.parent is None and node.is_end()):
            node.comment = _joined(node.comment, comment)
        else:
            # A comment before the first move of a variation.
            self.starting_comment = _joined(self.starting_comment, comment)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        node = self.variation_stack[-1].add_variation(move)
        node.starting_comment = self.starting_comment
        self.variation_stack[-1] = node
        self.starting_comment = ""
        self.in_variation = True

    def handle_error(self, error: Exception) -> None:
        """
        Adds the error to :data:`chess.pgn.Game.errors` and writes it to the log ``chess.pgn``.

        Override it to do something else, or silence the log:

        >>> import logging
        >>> logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
        """
        LOGGER.error("%s while parsing %r", error, self.game)
        self.game.errors.append(error)

    def result(self) -> GameT:
        """
        Returns the visited :class:`~chess.pgn.Game()`.
        """
        return self.game


def _joined(first: str, second: str) -> str:
    return f"{first} {second}" if first and second else first or second


class Mainline(Generic[MainlineMapT]):
    """The main line after a node, with a function applied to each node."""

    def __init__(self, start: GameNode, f: Callable[[ChildNode], MainlineMapT]) -> None:
        self.start = start
        self.f = f

    def __bool__(self) -> bool:
        return bool(self.start.variations)

    def __iter__(self) -> Iterator[MainlineMapT]:
        node = self.start
        f = self.f
        tree = node._tree
        if f is _move_of and tree is not None and "variations" not in present(node):
            # Nodes are not needed, and do not exist yet.
            yield from tree.main_line(node._index)
            return
        while variations := node.variations:
            node = variations[0]
            yield f(node)

    def __reversed__(self) -> Iterator[MainlineMapT]:
        node = self.start.end()
        while node.parent is not None and node is not self.start:
            yield self.f(node)  # type: ignore[arg-type]
            node = node.parent

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Reports the line to a visitor, without variations. Returns its result."""
        node = self.start
        board = self.start.board()
        while variations := node.variations:
            node = variations[0]
            node._accept_node(board, visitor)
            board.push(node.move)
        return visitor.result()

    def __str__(self) -> str:
        return self.accept(StringExporter(columns=None))

    def __repr__(self) -> str:
        line = self.accept(StringExporter(columns=None, comments=False))
        return f"<Mainline at {id(self):#x} ({line})>"


def _itself(node: ChildNode) -> ChildNode:
    return node


def _move_of(node: ChildNode) -> chess.Move:
    return node.move


def _make_line(start: GameNode, tree: Any) -> List[ChildNode]:
    """
    Creates the nodes after one of a reader's tree, as far as the next moves of the main line.
    Returns the first of them.
    """
    node: GameNode = start
    first: List[ChildNode] = []
    for variations in tree.line(start._index):
        nodes = [_lazy_child(node, tree, *child) for child in variations]
        if node is start:
            first = nodes
        else:
            node.variations = nodes
        if nodes:
            node = nodes[0]
    return first


def _lazy_child(
    parent: GameNode, tree: Any, index: int, move: chess.Move, comment: str, starting_comment: str
) -> ChildNode:
    """A node that fetches its variations and NAGs from a reader's tree on first use."""
    node = ChildNode.__new__(ChildNode)
    node.parent = parent
    node.move = move
    node.comment = comment
    node.starting_comment = starting_comment
    node._tree = tree
    node._index = index
    return node


def lazy_game(tree: Any) -> Game:
    """A game whose nodes are created from a reader's tree on first use."""
    game = Game.__new__(Game)
    game.parent = None
    game.move = None
    game.comment = tree.comment()
    game.starting_comment = ""
    game.headers = lazy_headers(tree.tags())
    game.errors = []
    game._tree = tree
    game._index = 0
    return game
