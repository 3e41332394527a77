"""Methods that python-chess keeps to itself, but other packages call and subclasses override."""

from __future__ import annotations

from typing import Iterator, List, Optional

from mola._mola import chess as _native
from mola._mola.chess import Move

from ._constants import (
    BB_ALL,
    BB_KING_ATTACKS,
    BB_RANKS,
    BB_SQUARES,
    Bitboard,
    PieceType,
    Square,
    between,
    msb,
    popcount,
    ray,
    scan_reversed,
    square_rank,
)
from ._moves import MovingBoard
from ._pickles import PositionState


class PrivateBoard(MovingBoard):
    """The part of `Board` with private methods of python-chess.

    Where a subclass overrides one of those that `CALLS` of `_hooks` names, others call it.
    """

    __slots__ = ()
    __hash__ = None

    @property
    def _stack(self) -> List[PositionState]:
        """The positions before each move. This list is a copy."""
        board = self._plain()
        board._copy_stack(self, None)
        states = []
        while board._has_moved() and board.move_stack:
            board.pop()
            states.append(PositionState(board))
        return states[::-1]

    # Checks.

    def _slider_blockers(self, king: Square) -> Bitboard:
        """Own pieces that alone stand between an enemy slider and a square."""
        queens, blockers = self.queens, 0
        snipers = _native.rook_attacks(king, 0) & (self.rooks | queens)
        snipers |= _native.bishop_attacks(king, 0) & (self.bishops | queens)
        for sniper in scan_reversed(snipers & self.occupied_co[not self.turn]):
            hiding = between(king, sniper) & self.occupied
            if popcount(hiding) == 1:
                blockers |= hiding
        return blockers & self.occupied_co[self.turn]

    def _is_safe(self, king: Square, blockers: Bitboard, move: Move) -> bool:
        """Whether a move exposes the king to no attack, given the blockers; in check, of an evasion."""
        if move.from_square == king:
            return self.is_castling(move) or not self.is_attacked_by(not self.turn, move.to_square)
        if self.is_en_passant(move):
            line = self.pin_mask(self.turn, move.from_square)
            return bool(line & BB_SQUARES[move.to_square]) and not self._ep_skewered(king, move.from_square)
        is_blocker = blockers & BB_SQUARES[move.from_square]
        return not is_blocker or bool(ray(move.from_square, move.to_square) & BB_SQUARES[king])

    def _ep_skewered(self, king: Square, capturer: Square) -> bool:
        """Whether a capture en passant opens a rank or a diagonal to a square, by the pawn that it takes."""
        assert self.ep_square is not None
        captured = self.ep_square + self._backwards()
        gone = BB_SQUARES[captured] | BB_SQUARES[capturer]
        occupied = self.occupied & ~gone | BB_SQUARES[self.ep_square]
        enemy = self.occupied_co[not self.turn]
        rank = _native.rook_attacks(king, occupied) & BB_RANKS[square_rank(king)]
        diagonals = _native.bishop_attacks(king, occupied)
        return bool(enemy & (rank & (self.rooks | self.queens) | diagonals & (self.bishops | self.queens)))

    def _generate_evasions(
        self, king: Square, checkers: Bitboard, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        """Generates moves that may end a check: first those of the king, off the lines of the checkers."""
        lines = 0
        for slider in scan_reversed(checkers & (self.bishops | self.rooks | self.queens)):
            lines |= ray(king, slider) ^ BB_SQUARES[slider]
        if BB_SQUARES[king] & from_mask:
            # By steps only, also where a subclass lets kings attack more.
            steps = BB_KING_ATTACKS[king] & ~self.occupied_co[self.turn] & ~lines & to_mask
            for square in scan_reversed(steps):
                yield Move(king, square)
        if popcount(checkers) != 1:
            return
        meeting = checkers | between(king, msb(checkers))
        yield from self.generate_pseudo_legal_moves(from_mask & ~self.kings, to_mask & meeting)
        # The pawn that gives check may be taken on another square than its own.
        passed = self.ep_square
        if passed and not BB_SQUARES[passed] & meeting:
            if BB_SQUARES[passed + self._backwards()] & checkers:
                yield from self.generate_pseudo_legal_ep(from_mask, to_mask)

    # Castling and captures.

    def _attacked_for_king(self, path: Bitboard, occupied: Bitboard) -> bool:
        """Whether a square is attacked over which the king castles."""
        them = not self.turn
        return any(self.attackers_mask(them, square, occupied) for square in scan_reversed(path))

    def _to_chess960(self, move: Move) -> Move:
        """The move with castling written as the king capturing its rook."""
        return self._with_castling(move, True)

    def _from_chess960(
        self,
        chess960: bool,
        from_square: Square,
        to_square: Square,
        promotion: Optional[PieceType] = None,
        drop: Optional[PieceType] = None,
    ) -> Move:
        """The move with castling written as in Chess960, or not, given as the king capturing its rook."""
        move = Move(from_square, to_square, promotion, drop)
        return move if chess960 else self._with_castling(move, False)

    def _push_capture(
        self, move: Move, capture_square: Square, piece_type: PieceType, was_promoted: bool
    ) -> None:
        """What a capture does beyond taking a piece, before the turn changes."""
