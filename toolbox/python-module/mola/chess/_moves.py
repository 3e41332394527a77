"""Moves and the ends of games."""

from __future__ import annotations

from typing import Iterable, List, Optional

from mola._mola import chess as _native
from mola._mola.chess import AmbiguousMoveError, IllegalMoveError, Move

from ._constants import (
    BB_FILES,
    BB_RANKS,
    BB_SQUARES,
    BLACK,
    FILE_NAMES,
    PAWN,
    PIECE_SYMBOLS,
    QUEEN,
    RANK_NAMES,
    SAN_REGEX,
    SQUARE_NAMES,
    WHITE,
    Color,
    PieceType,
    Square,
    Termination,
    square_file,
    square_rank,
)
from ._outcome import Outcome
from ._position import PositionBoard

class MovingBoard(PositionBoard):
    """The part of `Board` for moves, their notation, and the ends of games."""

    __slots__ = ()
    __hash__ = None

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
        """Whether the position has occurred five times."""
        return self.is_repetition(5)

    def can_claim_draw(self) -> bool:
        """Whether the side to move can claim a draw by fifty moves or the third repetition."""
        return self.can_claim_fifty_moves() or self.can_claim_threefold_repetition()

    def is_fifty_moves(self) -> bool:
        """Whether the last capture or move of a pawn was 50 moves ago."""
        return self._is_halfmoves(100)

    def can_claim_fifty_moves(self) -> bool:
        """Whether the fifty-move rule applies now or after some legal move."""
        if self.is_fifty_moves():
            return True
        if self.halfmove_clock >= 99:
            for move in self.generate_legal_moves():
                if not self.is_zeroing(move):
                    self.push(move)
                    try:
                        if self.is_fifty_moves():
                            return True
                    finally:
                        self.pop()
        return False

    # Moves.

    def find_move(
        self, from_square: Square, to_square: Square, promotion: Optional[PieceType] = None
    ) -> Move:
        """The legal move between two squares; by default, pawns promote to queens.

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
        if "algebraic" in self._affected:
            return self._algebraic_and_push(move)
        # Not `self.san`: the one of a subclass may call this method.
        san = _native.Board.san(self, move)
        self.push(move)
        return san

    def _algebraic(self, move: Move, *, long: bool = False) -> str:
        """A move in algebraic notation."""
        text = self._algebraic_and_push(move, long=long)
        self.pop()
        return text

    def _algebraic_and_push(self, move: Move, *, long: bool = False) -> str:
        """A move in algebraic notation; it is made, too."""
        text = self._algebraic_without_suffix(move, long=long)
        self.push(move)
        if not move:
            return text
        in_check = self.is_check()
        if in_check and self.is_checkmate() or self.is_variant_loss() or self.is_variant_win():
            return text + "#"
        return text + "+" if in_check else text

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

    def _parse_san(self, san: str) -> Optional[Move]:
        """Reads a move in SAN that is one of those that a subclass generates.

        Returns `None` for null moves and what is not SAN.
        """
        if "@" in san and self._rules == "crazyhouse":
            return self._parse_drop(san)
        castling = san.rstrip("+#")
        if castling in ("O-O", "0-0", "O-O-O", "0-0-0"):
            is_short = len(castling) == 3
            is_side = self.is_kingside_castling if is_short else self.is_queenside_castling
            for move in self.generate_castling_moves():
                if is_side(move):
                    return move
            raise IllegalMoveError(f"illegal san: {san!r} in {self.fen()}")
        match = SAN_REGEX.match(san)
        if match is None:
            return None
        letter, file, rank, target, suffix = match.groups()
        promotion = PIECE_SYMBOLS.index(suffix[-1].lower()) if suffix else None
        to_square = SQUARE_NAMES.index(target)
        if not letter and file and rank:
            # Coordinates, of any piece.
            move = self.find_move(SQUARE_NAMES.index(file + rank), to_square, promotion)
            if move.promotion == promotion:
                return move
            raise IllegalMoveError(f"missing promotion piece type: {san!r} in {self.fen()}")

        if letter:
            from_mask = self.pieces_mask(PIECE_SYMBOLS.index(letter.lower()), self.turn)
        else:
            from_mask = self.pawns
            file = file or target[0]  # Captures of pawns have a file.
        if file:
            from_mask &= BB_FILES[FILE_NAMES.index(file)]
        if rank:
            from_mask &= BB_RANKS[RANK_NAMES.index(rank)]
        to_mask = BB_SQUARES[to_square] & ~self.occupied_co[self.turn]
        moves = self.generate_legal_moves(from_mask, to_mask)
        found = [move for move in moves if move.promotion == promotion]
        if not found:
            raise IllegalMoveError(f"illegal san: {san!r} in {self.fen()}")
        if len(found) > 1:
            raise AmbiguousMoveError(f"ambiguous san: {san!r} in {self.fen()}")
        return found[0]

    def _parse_drop(self, san: str) -> Move:
        uci = san.rstrip("+#")
        move = Move.from_uci("P" + uci if uci.startswith("@") else uci)
        if not self.is_legal(move):
            raise IllegalMoveError(f"illegal drop san: {san!r} in {self.fen()}")
        return move

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

        It captures, moves a pawn, or gives up castling rights or an en passant capture. This
        does not find moves that are irreversible because later moves are forced.
        """
        return (
            self.is_zeroing(move)
            or self._reduces_castling_rights(move)
            or self.has_legal_en_passant()
        )

    def is_kingside_castling(self, move: Move) -> bool:
        """Whether a pseudo-legal move is kingside castling."""
        return self.is_castling(move) and square_file(move.to_square) > square_file(move.from_square)

    def is_queenside_castling(self, move: Move) -> bool:
        """Whether a pseudo-legal move is queenside castling."""
        return self.is_castling(move) and square_file(move.to_square) < square_file(move.from_square)
