"""Boards."""

from __future__ import annotations

import math
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    Hashable,
    Iterable,
    List,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from mola._mola import chess as _native
from mola._mola.chess import (
    IllegalMoveError,
    Move,
    Piece,
    SquareSet,
)

from ._constants import (
    BB_SQUARES,
    BLACK,
    FILE_NAMES,
    PAWN,
    QUEEN,
    RANK_NAMES,
    SQUARES_180,
    SQUARE_NAMES,
    STARTING_BOARD_FEN,
    STARTING_FEN,
    WHITE,
    Bitboard,
    Color,
    EnPassantSpec,
    PieceType,
    Square,
    Status,
    Termination,
    msb,
    square_file,
    square_rank,
)
from ._outcome import Outcome

BaseBoardT = TypeVar("BaseBoardT", bound="BaseBoard")
BoardT = TypeVar("BoardT", bound="Board")

_Operand = Union[None, str, int, float, Move, List[Move]]
_Operands = Union[None, str, int, float, Move, Iterable[Move]]


class BaseBoard(_native.BaseBoard):
    """Pieces on the squares of a board.

    Made with the start position, from the first field of a FEN, or empty if that is `None`.
    """

    __slots__ = ("__dict__", "__weakref__")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, board_fen: Optional[str] = STARTING_BOARD_FEN) -> None:
        if board_fen is None:
            self._clear_board()
        elif board_fen == STARTING_BOARD_FEN:
            self._reset_board()
        else:
            self._set_board_fen(board_fen)

    def reset_board(self) -> None:
        """Puts the pieces where they start."""
        self._reset_board()

    def clear_board(self) -> None:
        """Removes all pieces."""
        self._clear_board()

    def set_board_fen(self, fen: str) -> None:
        """Puts the pieces where the first field of a FEN has them.

        Raises `ValueError` if it cannot be read.
        """
        self._set_board_fen(fen)

    def set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        """Puts the pieces where a mapping has them."""
        self._set_piece_map(pieces)

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Puts the pieces where a game of Chess960 with this number, from 0 to 959, starts.

        Raises `ValueError` for other numbers.
        """
        self._set_chess960_pos(scharnagl)

    def chess960_pos(self) -> Optional[int]:
        """The number of the start position of Chess960, or `None`."""
        return self._chess960_number()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.board_fen()!r})"

    def __str__(self) -> str:
        return self._picture(lambda piece: piece.symbol(), ".")

    def _picture(
        self, text: Callable[[Piece], str], empty: str, orientation: Color = WHITE
    ) -> str:
        squares = SQUARES_180 if orientation else SQUARES_180[::-1]
        pieces = self.piece_map()
        names = [text(pieces[square]) if square in pieces else empty for square in squares]
        return "\n".join(" ".join(names[start : start + 8]) for start in range(0, 64, 8))

    def unicode(
        self,
        *,
        invert_color: bool = False,
        borders: bool = False,
        empty_square: str = "⭘",
        orientation: Color = WHITE,
    ) -> str:
        """The board as text with figurines.

        `invert_color` exchanges black and white figurines, for a dark background; `borders` adds
        lines and coordinates.
        """

        def figurine(piece: Piece) -> str:
            return piece.unicode_symbol(invert_color=invert_color)

        picture = self._picture(figurine, empty_square, orientation)
        if not borders:
            return picture
        line = "  " + "-" * 17 + "\n"
        ranks = RANK_NAMES[::-1] if orientation else RANK_NAMES
        files = FILE_NAMES if orientation else FILE_NAMES[::-1]
        text = line
        for rank, row in zip(ranks, picture.split("\n")):
            text += f"{rank} |{row.replace(' ', '|')}|\n{line}"
        return text + "   " + " ".join(files)

    def _repr_svg_(self) -> str:
        import mola.chess.svg

        return mola.chess.svg.board(board=self, size=400)

    def __eq__(self, board: object) -> bool:
        if isinstance(board, _native.BaseBoard):
            return self._same_pieces(board)
        return NotImplemented

    def apply_transform(self, f: Callable[[Bitboard], Bitboard]) -> None:
        """Puts what a function makes of each set of squares in its place."""
        self._transform_pieces(f)

    def transform(self: BaseBoardT, f: Callable[[Bitboard], Bitboard]) -> BaseBoardT:
        """A copy with what a function makes of each set of squares.

        Useful functions are `flip_vertical`, `flip_horizontal`, `flip_diagonal` and
        `flip_anti_diagonal`; see also `mirror`.
        """
        board = self.copy()
        board.apply_transform(f)
        return board

    def apply_mirror(self) -> None:
        """Turns the board upside down and exchanges the colors."""
        self._mirror_pieces()

    def mirror(self: BaseBoardT) -> BaseBoardT:
        """A copy that is turned upside down, with the colors exchanged."""
        board = self.copy()
        board.apply_mirror()
        return board

    def copy(self: BaseBoardT) -> BaseBoardT:
        """A copy."""
        board = type(self)(None)
        board._copy_pieces(self)
        return board

    def __copy__(self: BaseBoardT) -> BaseBoardT:
        return self.copy()

    def __deepcopy__(self: BaseBoardT, memo: Dict[int, object]) -> BaseBoardT:
        board = self.copy()
        memo[id(self)] = board
        return board

    def __getstate__(self) -> Any:
        return self._dump_pieces(), self.__dict__

    def __setstate__(self, state: Any) -> None:
        masks, attributes = state
        self._load_pieces(masks)
        self.__dict__.update(attributes)

    @classmethod
    def empty(cls: Type[BaseBoardT]) -> BaseBoardT:
        """A board without pieces."""
        return cls(None)

    @classmethod
    def from_chess960_pos(cls: Type[BaseBoardT], scharnagl: int) -> BaseBoardT:
        """The board of a start position of Chess960 with a number from 0 to 959."""
        board = cls.empty()
        board.set_chess960_pos(scharnagl)
        return board


class Board(_native.Board, BaseBoard):
    """A position with the moves that led to it.

    Made with the start position, from a FEN, or empty if that is `None`. A board of Chess960
    writes castling as the king taking its rook.

    Moves are made by `push` and taken back by `pop`, and need not be legal. All attributes may be
    changed; what is wrong with a position then says `status`.
    """

    __slots__ = ()
    __hash__ = None

    _rules: ClassVar[str] = "standard"

    aliases: ClassVar[List[str]] = [
        "Standard",
        "Chess",
        "Classical",
        "Normal",
        "Illegal",
        "From Position",
    ]
    uci_variant: ClassVar[Optional[str]] = "chess"
    xboard_variant: ClassVar[Optional[str]] = "normal"
    starting_fen: ClassVar[str] = STARTING_FEN
    tbw_suffix: ClassVar[Optional[str]] = ".rtbw"
    tbz_suffix: ClassVar[Optional[str]] = ".rtbz"
    tbw_magic: ClassVar[Optional[bytes]] = b"\x71\xe8\x23\x5d"
    tbz_magic: ClassVar[Optional[bytes]] = b"\xd7\x66\x0c\xa5"
    pawnless_tbw_suffix: ClassVar[Optional[str]] = None
    pawnless_tbz_suffix: ClassVar[Optional[str]] = None
    pawnless_tbw_magic: ClassVar[Optional[bytes]] = None
    pawnless_tbz_magic: ClassVar[Optional[bytes]] = None
    connected_kings: ClassVar[bool] = False
    one_king: ClassVar[bool] = True
    captures_compulsory: ClassVar[bool] = False

    def __init__(self, fen: Optional[str] = STARTING_FEN, *, chess960: bool = False) -> None:
        self.chess960 = chess960
        if fen is None:
            self.clear()
        elif fen == type(self).starting_fen:
            self.reset()
        else:
            self.set_fen(fen)

    # The position.

    def reset(self) -> None:
        """Puts the pieces where they start, with all rights, and forgets the moves."""
        self._reset()

    def clear(self) -> None:
        """Removes all pieces and rights, and forgets the moves. White is to move."""
        self._clear()

    def reset_board(self) -> None:
        """Puts the pieces where they start, and forgets the moves."""
        self._reset_board()
        self.clear_stack()

    def clear_board(self) -> None:
        """Removes all pieces, and forgets the moves."""
        self._clear_board()
        self.clear_stack()

    def root(self: BoardT) -> BoardT:
        """A copy of the position before the first move."""
        board = self._blank()
        board._copy_root(self)
        return board

    def ply(self) -> int:
        """The number of plies since the start, as `fullmove_number` and `turn` have it."""
        return 2 * (self.fullmove_number - 1) + (self.turn == BLACK)

    def set_fen(self, fen: str) -> None:
        """Takes the position of a FEN, and forgets the moves.

        Raises `ValueError` if it cannot be read.
        """
        self._set_fen(fen)

    def set_castling_fen(self, castling_fen: str) -> None:
        """Takes the castling rights of the third field of a FEN, and forgets the moves.

        Raises `ValueError` if it cannot be read.
        """
        self._set_castling_fen(castling_fen)
        self.clear_stack()

    def set_board_fen(self, fen: str) -> None:
        """Puts the pieces where the first field of a FEN has them, and forgets the moves.

        Raises `ValueError` if it cannot be read.
        """
        self._set_board_fen(fen)
        self.clear_stack()

    def set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        """Puts the pieces where a mapping has them, and forgets the moves."""
        self._set_piece_map(pieces)
        self.clear_stack()

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Takes a start position of Chess960 by its number, from 0 to 959."""
        self._set_chess960_pos(scharnagl)
        self.chess960 = True
        self.turn = WHITE
        self.castling_rights = self.rooks
        self.ep_square = None
        self.halfmove_clock = 0
        self.fullmove_number = 1
        self.clear_stack()

    def chess960_pos(
        self,
        *,
        ignore_turn: bool = False,
        ignore_castling: bool = False,
        ignore_counters: bool = True,
    ) -> Optional[int]:
        """The number of the start position of Chess960, or `None`.

        It has all castling rights and White to move, unless that is ignored.
        """
        if self.ep_square is not None:
            return None
        return self._chess960_start(ignore_turn, ignore_castling, ignore_counters)

    def castling_shredder_fen(self) -> str:
        """The castling rights by the files of the rooks, such as ``"HAha"``."""
        return self._epd(True, "fen", False).split()[2]

    def castling_xfen(self) -> str:
        """The castling rights as in a FEN, such as ``"KQkq"``."""
        return self._epd(False, "fen", False).split()[2]

    def shredder_fen(
        self, *, en_passant: EnPassantSpec = "legal", promoted: Optional[bool] = None
    ) -> str:
        """The FEN with castling rights by the files of the rooks."""
        return self.fen(shredder=True, en_passant=en_passant, promoted=promoted)

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
            return " ".join([opcode, *map(position.san_and_push, operand)]) + ";"
        if opcode in ("am", "bm") and not isinstance(operand, str):
            return " ".join([opcode, *sorted(map(self.san, operand))]) + ";"
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
        """Takes the position of an EPD, forgets the moves, and returns the operations.

        Operands are `None`, a number, text, or moves after ``pv``, ``bm`` and ``am``; ``hmvc`` and
        ``fmvn`` are the clocks.

        Raises `ValueError` if it cannot be read.
        """
        return self._set_epd(epd)

    # Ends.

    def is_variant_end(self) -> bool:
        """Whether the game is over by a rule of the variant."""
        return False

    def is_variant_loss(self) -> bool:
        """Whether the side to move has lost by a rule of the variant."""
        return False

    def is_variant_win(self) -> bool:
        """Whether the side to move has won by a rule of the variant."""
        return False

    def is_variant_draw(self) -> bool:
        """Whether the game is drawn by a rule of the variant."""
        return False

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether the game is over; see `outcome`."""
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """The result, or ``*``; see `outcome`."""
        outcome = self.outcome(claim_draw=claim_draw)
        return outcome.result() if outcome else "*"

    def outcome(self, *, claim_draw: bool = False) -> Optional[Outcome]:
        """How the game has ended, or `None`.

        It ends by checkmate, stalemate, insufficient material, a rule of the variant, 75 moves
        without a capture or move of a pawn, or the fifth repetition; with `claim_draw` also if the
        side to move can claim a draw, which takes longer to find out.
        """
        if self.is_variant_loss():
            return Outcome(Termination.VARIANT_LOSS, not self.turn)
        if self.is_variant_win():
            return Outcome(Termination.VARIANT_WIN, self.turn)
        if self.is_variant_draw():
            return Outcome(Termination.VARIANT_DRAW, None)
        if self.is_checkmate():
            return Outcome(Termination.CHECKMATE, not self.turn)
        if self.is_insufficient_material():
            return Outcome(Termination.INSUFFICIENT_MATERIAL, None)
        if not self._has_legal_moves():
            return Outcome(Termination.STALEMATE, None)
        if self.is_seventyfive_moves():
            return Outcome(Termination.SEVENTYFIVE_MOVES, None)
        if self.is_fivefold_repetition():
            return Outcome(Termination.FIVEFOLD_REPETITION, None)
        if claim_draw:
            if self.can_claim_fifty_moves():
                return Outcome(Termination.FIFTY_MOVES, None)
            if self.can_claim_threefold_repetition():
                return Outcome(Termination.THREEFOLD_REPETITION, None)
        return None

    def is_checkmate(self) -> bool:
        """Whether the side to move is mated."""
        return self.is_check() and not self._has_legal_moves()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no move and is not in check."""
        return not self.is_check() and not self.is_variant_end() and not self._has_legal_moves()

    def is_insufficient_material(self) -> bool:
        """Whether neither side can ever win."""
        return self.has_insufficient_material(WHITE) and self.has_insufficient_material(BLACK)

    def has_insufficient_material(self, color: Color) -> bool:
        """Whether a side can never win, whatever the opponent plays."""
        return self._has_insufficient_material(color)

    def _is_halfmoves(self, n: int) -> bool:
        return self.halfmove_clock >= n and self._has_legal_moves()

    def is_seventyfive_moves(self) -> bool:
        """Whether the last capture or move of a pawn was 75 moves ago."""
        return self._is_halfmoves(150)

    def is_fivefold_repetition(self) -> bool:
        """Whether the position is there for the fifth time."""
        return self.is_repetition(5)

    def can_claim_draw(self) -> bool:
        """Whether the side to move can claim a draw by fifty moves or the third repetition."""
        return self.can_claim_fifty_moves() or self.can_claim_threefold_repetition()

    def is_fifty_moves(self) -> bool:
        """Whether the last capture or move of a pawn was 50 moves ago."""
        return self._is_halfmoves(100)

    def can_claim_fifty_moves(self) -> bool:
        """Whether the last capture or move of a pawn was, or after a move will be, 50 moves ago."""
        if self._is_halfmoves(100):
            return True
        if self.halfmove_clock >= 99:
            for move in self.generate_legal_moves():
                if not self.is_zeroing(move):
                    self.push(move)
                    try:
                        if self._is_halfmoves(100):
                            return True
                    finally:
                        self.pop()
        return False

    # Moves.

    def find_move(
        self, from_square: Square, to_square: Square, promotion: Optional[PieceType] = None
    ) -> Move:
        """The legal move between two squares; a pawn becomes a queen if nothing else is said.

        Raises `IllegalMoveError` if there is none.
        """
        if (
            promotion is None
            and self.piece_type_at(from_square) == PAWN
            and square_rank(to_square) in (0, 7)
        ):
            promotion = QUEEN
        move = Move(from_square, to_square, promotion)
        if not self.chess960:
            move = self._with_castling(move, False)
        if not self.is_legal(move):
            start, end = SQUARE_NAMES[from_square], SQUARE_NAMES[to_square]
            raise IllegalMoveError(
                f"no matching legal move for {move.uci()} ({start} -> {end}) in {self.fen()}"
            )
        return move

    def san_and_push(self, move: Move) -> str:
        """Makes a move, and returns it in SAN."""
        san = self.san(move)
        self.push(move)
        return san

    def variation_san(self, variation: Iterable[Move]) -> str:
        """Moves in SAN with their numbers, such as ``"1. e4 e5 2. Nf3"``.

        Raises `IllegalMoveError` if one is not legal.
        """
        board = self.copy(stack=False)
        words: List[str] = []
        for move in variation:
            if not board.is_legal(move):
                raise IllegalMoveError(f"illegal move {move} in position {board.fen()}")
            if board.turn == WHITE:
                words.append(f"{board.fullmove_number}. {board.san_and_push(move)}")
            elif not words:
                words.append(f"{board.fullmove_number}...{board.san_and_push(move)}")
            else:
                words.append(board.san_and_push(move))
        return " ".join(words)

    def push_san(self, san: str) -> Move:
        """Reads a legal move in SAN, makes it and returns it; see `parse_san`."""
        move = self.parse_san(san)
        self.push(move)
        return move

    def push_uci(self, uci: str) -> Move:
        """Reads a legal move in UCI notation, makes it and returns it; see `parse_uci`."""
        move = self.parse_uci(uci)
        self.push(move)
        return move

    def xboard(self, move: Move, chess960: Optional[bool] = None) -> str:
        """A move as XBoard writes it: in UCI notation, but castling in Chess960 as in SAN."""
        if chess960 is None:
            chess960 = self.chess960
        if not chess960 or not self.is_castling(move):
            return move.xboard()
        return "O-O" if self.is_kingside_castling(move) else "O-O-O"

    def parse_xboard(self, xboard: str) -> Move:
        """Reads a legal move as XBoard writes it; see `parse_san`."""
        return self.parse_san(xboard)

    def push_xboard(self, san: str) -> Move:
        """Reads a legal move as XBoard writes it, makes it and returns it."""
        move = self.parse_xboard(san)
        self.push(move)
        return move

    def is_irreversible(self, move: Move) -> bool:
        """Whether no earlier position can repeat after a pseudo-legal move.

        It captures, moves a pawn, takes castling rights or the right to capture en passant. This
        does not find moves that are irreversible because of what is forced on the board.
        """
        return (
            self.is_zeroing(move)
            or self._reduces_castling_rights(move)
            or self.has_legal_en_passant()
        )

    def is_kingside_castling(self, move: Move) -> bool:
        """Whether a pseudo-legal move is castling to the side of the king."""
        return self.is_castling(move) and square_file(move.to_square) > square_file(move.from_square)

    def is_queenside_castling(self, move: Move) -> bool:
        """Whether a pseudo-legal move is castling to the side of the queen."""
        return self.is_castling(move) and square_file(move.to_square) < square_file(move.from_square)

    # Castling rights.

    def _rooks_with_rights(self, color: Color) -> Tuple[Optional[Square], SquareSet]:
        """The square of the king of a color, and its rooks that may castle."""
        rank = 0xFF if color else 0xFF << 56
        kings = self.kings & self.occupied_co[color] & rank & ~self.promoted
        rooks = SquareSet(self.clean_castling_rights() & rank)
        return (msb(kings) if kings else None), rooks

    def has_castling_rights(self, color: Color) -> bool:
        """Whether a side has castling rights."""
        return bool(self._rooks_with_rights(color)[1])

    def has_kingside_castling_rights(self, color: Color) -> bool:
        """Whether a side may castle to the side of the king."""
        king, rooks = self._rooks_with_rights(color)
        return king is not None and any(rook > king for rook in rooks)

    def has_queenside_castling_rights(self, color: Color) -> bool:
        """Whether a side may castle to the side of the queen."""
        king, rooks = self._rooks_with_rights(color)
        return king is not None and any(rook < king for rook in rooks)

    # Validity.

    def status(self) -> Status:
        """All that is wrong with the position; see `Status`."""
        return Status(self._status())

    def is_valid(self) -> bool:
        """Whether nothing is wrong with the position; see `status`."""
        return self.status() == Status.VALID

    # Comparison and copies.

    def _transposition_key(self) -> Hashable:
        return tuple(self._position_key())

    def __repr__(self) -> str:
        chess960 = ", chess960=True" if self.chess960 else ""
        return f"{type(self).__name__}({self.fen()!r}{chess960})"

    def _repr_svg_(self) -> str:
        import mola.chess.svg

        return mola.chess.svg.board(
            board=self,
            size=390,
            lastmove=self.peek() if self.move_stack else None,
            check=self.king(self.turn) if self.is_check() else None,
        )

    def __eq__(self, board: object) -> bool:
        if isinstance(board, Board):
            return (
                self.halfmove_clock == board.halfmove_clock
                and self.fullmove_number == board.fullmove_number
                and self.uci_variant == board.uci_variant
                and self._same_position(board)
            )
        return NotImplemented

    def apply_transform(self, f: Callable[[Bitboard], Bitboard]) -> None:
        """Puts what a function makes of each set of squares in its place, and forgets the moves."""
        super().apply_transform(f)
        self.clear_stack()
        if self.ep_square is not None:
            self.ep_square = msb(f(BB_SQUARES[self.ep_square]))
        self.castling_rights = f(self.castling_rights)

    def transform(self: BoardT, f: Callable[[Bitboard], Bitboard]) -> BoardT:
        """A copy with what a function makes of each set of squares, without the moves."""
        board = self.copy(stack=False)
        board.apply_transform(f)
        return board

    def apply_mirror(self) -> None:
        """Turns the board upside down and exchanges the sides, and forgets the moves."""
        super().apply_mirror()
        self.clear_stack()
        self._mirror_position()

    def mirror(self: BoardT) -> BoardT:
        """A copy that is turned upside down, with the sides exchanged, without the moves.

        The position is the same for the side to move.
        """
        board = self.copy(stack=False)
        board.apply_mirror()
        return board

    def _blank(self: BoardT) -> BoardT:
        """A board of the same class, which is about to get a position."""
        cls = type(self)
        if cls.__init__ in _PLAIN:
            return cls.__new__(cls)
        return cls(None)

    def copy(self: BoardT, *, stack: Union[bool, int] = True) -> BoardT:
        """A copy, with all moves, none, or so many of the last."""
        board = self._blank()
        board._copy_position(self)
        if stack:
            board._copy_stack(self, None if stack is True else stack)
        return board

    def __getstate__(self) -> Any:
        return self._dump(), list(self.move_stack), self.__dict__

    def __setstate__(self, state: Any) -> None:
        (chess960, states), moves, attributes = state
        self._load(chess960, states)
        self.move_stack = moves
        self.__dict__.update(attributes)

    @classmethod
    def empty(cls: Type[BoardT], *, chess960: bool = False) -> BoardT:
        """A board without pieces, with White to move."""
        return cls(None, chess960=chess960)

    @classmethod
    def from_epd(
        cls: Type[BoardT], epd: str, *, chess960: bool = False
    ) -> Tuple[BoardT, Dict[str, _Operand]]:
        """A board with the position of an EPD, and its operations; see `set_epd`."""
        board = cls.empty(chess960=chess960)
        return board, board.set_epd(epd)

    @classmethod
    def from_chess960_pos(cls: Type[BoardT], scharnagl: int) -> BoardT:
        """The board of a start position of Chess960 with a number from 0 to 959."""
        board = cls.empty(chess960=True)
        board.set_chess960_pos(scharnagl)
        return board


_PLAIN = {Board.__init__}
"""Constructors that do nothing to a board but give it a position."""
