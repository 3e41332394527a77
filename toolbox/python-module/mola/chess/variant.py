"""Chess variants, with the API of python-chess."""

from __future__ import annotations

from typing import Any, ClassVar, Hashable, Iterator, List, Optional, Tuple, Type, TypeVar

import mola.chess as chess
from mola._mola.chess import CrazyhousePocket as CrazyhousePocket

from ._board import _Operands
from ._pickles import PositionState as _PositionState
from ._position import _PLAIN

CrazyhousePocketT = TypeVar("CrazyhousePocketT", bound=CrazyhousePocket)
_CrazyhouseBoardState = _ThreeCheckBoardState = _PositionState
"""Their names in pickles of python-chess."""

ThreeCheckBoardT = TypeVar("ThreeCheckBoardT", bound="ThreeCheckBoard")
CrazyhouseBoardT = TypeVar("CrazyhouseBoardT", bound="CrazyhouseBoard")


class _VariantBoard(chess.Board):
    """A board of a variant with its own ways to end a game."""

    __slots__ = ()

    # The endgame tables of chess are not for variants.
    tbw_suffix: ClassVar[Optional[str]] = None
    tbz_suffix: ClassVar[Optional[str]] = None
    tbw_magic: ClassVar[Optional[bytes]] = None
    tbz_magic: ClassVar[Optional[bytes]] = None

    def is_variant_end(self) -> bool:
        return self._variant_end()[0]

    def is_variant_loss(self) -> bool:
        return self._variant_end()[1] == -1

    def is_variant_win(self) -> bool:
        return self._variant_end()[1] == 1

    def is_variant_draw(self) -> bool:
        return self._variant_end()[1] == 0

    def _reset_to_fen(self) -> None:
        # The pieces do not start where `reset_board` puts them.
        if self._affected:
            self.set_fen(self.starting_fen)
        else:
            self._reset()


class _CountingBoard(_VariantBoard):
    """A board of a variant that counts pieces in hand or checks: `epd` also takes its options by place."""

    __slots__ = ()

    def epd(
        self,
        shredder: bool = False,
        en_passant: chess.EnPassantSpec = "legal",
        promoted: Optional[bool] = None,
        **operations: _Operands,
    ) -> str:
        return super().epd(
            shredder=shredder, en_passant=en_passant, promoted=promoted, **operations
        )


class SuicideBoard(_VariantBoard):
    """Suicide chess: captures must be made, and losing all pieces wins."""

    __slots__ = ()

    _rules = "suicide"
    aliases = ["Suicide", "Suicide chess"]
    uci_variant = "suicide"
    xboard_variant = "suicide"
    tbw_suffix = ".stbw"
    tbz_suffix = ".stbz"
    tbw_magic = b"\x7b\xf6\x93\x15"
    tbz_magic = b"\xe4\xcf\xe7\x23"
    pawnless_tbw_suffix = ".gtbw"
    pawnless_tbz_suffix = ".gtbz"
    pawnless_tbw_magic = b"\xbc\x55\xbc\x21"
    pawnless_tbz_magic = b"\xd6\xf5\x1b\x50"
    connected_kings = True
    one_king = False
    captures_compulsory = True

    def pin_mask(self, color: chess.Color, square: chess.Square) -> chess.Bitboard:
        return chess.BB_ALL

    def _attacked_for_king(self, path: chess.Bitboard, occupied: chess.Bitboard) -> bool:
        return False

    def _material_balance(self) -> int:
        own, theirs = self.occupied_co[self.turn], self.occupied_co[not self.turn]
        return chess.popcount(own) - chess.popcount(theirs)

    def is_variant_end(self) -> bool:
        return not self.occupied_co[chess.WHITE] or not self.occupied_co[chess.BLACK]

    def _variant_end(self) -> Tuple[bool, Optional[int]]:
        if "is_variant_win" not in self._affected:
            return super()._variant_end()
        if not self.occupied_co[self.turn]:
            return True, 1
        return False, self._result_of_stalemate() if self.is_stalemate() else None

    def _result_of_stalemate(self) -> int:
        """1 if the side to move wins, -1 if it loses."""
        balance = self._material_balance()
        return (balance < 0) - (balance > 0)

    def _transposition_key(self) -> Hashable:
        key = super()._transposition_key()
        return (key, self.kings & self.promoted) if self.has_chess960_castling_rights() else key

    def board_fen(self, *, promoted: Optional[bool] = None) -> str:
        if promoted is None:
            promoted = self.has_chess960_castling_rights()
        return super().board_fen(promoted=promoted)


class GiveawayBoard(SuicideBoard):
    """Giveaway chess: as suicide chess, but a side without moves wins."""

    __slots__ = ()

    _rules = "giveaway"
    aliases = ["Giveaway", "Giveaway chess", "Give away", "Give away chess"]
    uci_variant = "giveaway"
    xboard_variant = "giveaway"
    tbw_suffix = ".gtbw"
    tbz_suffix = ".gtbz"
    tbw_magic = b"\xbc\x55\xbc\x21"
    tbz_magic = b"\xd6\xf5\x1b\x50"
    pawnless_tbw_suffix = ".stbw"
    pawnless_tbz_suffix = ".stbz"
    pawnless_tbw_magic = b"\x7b\xf6\x93\x15"
    pawnless_tbz_magic = b"\xe4\xcf\xe7\x23"

    def _result_of_stalemate(self) -> int:
        return 1


class AntichessBoard(GiveawayBoard):
    """Antichess: as giveaway chess, but without castling."""

    __slots__ = ()

    _rules = "antichess"
    aliases = ["Antichess", "Anti chess", "Anti"]
    uci_variant = "antichess"
    starting_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

    def __init__(self, fen: Optional[str] = starting_fen, chess960: bool = False) -> None:
        super().__init__(fen, chess960=chess960)


class AtomicBoard(_VariantBoard):
    """Atomic chess: captures explode, and exploding the king wins."""

    __slots__ = ()

    _rules = "atomic"
    aliases = ["Atomic", "Atom", "Atomic chess"]
    uci_variant = "atomic"
    xboard_variant = "atomic"
    tbw_suffix = ".atbw"
    tbz_suffix = ".atbz"
    tbw_magic = b"\x55\x8d\xa4\x49"
    tbz_magic = b"\x91\xa9\x5e\xeb"
    connected_kings = True

    def _kings_connected(self) -> bool:
        """Whether kings of both colors stand beside each other."""
        white, black = (self.kings & self.occupied_co[color] for color in chess.COLORS)
        return any(chess.BB_KING_ATTACKS[king] & black for king in chess.scan_forward(white))

    def _attacked_for_king(self, path: chess.Bitboard, occupied: chess.Bitboard) -> bool:
        # Beside the enemy king no check counts.
        for king in chess.scan_forward(self.kings & self.occupied_co[not self.turn]):
            path &= ~chess.BB_KING_ATTACKS[king]
        return super()._attacked_for_king(path, occupied)

    def _push_capture(
        self,
        move: chess.Move,
        capture_square: chess.Square,
        piece_type: chess.PieceType,
        was_promoted: bool,
    ) -> None:
        self._explode(move.to_square)


class KingOfTheHillBoard(_VariantBoard):
    """King of the Hill: a king in the center wins."""

    __slots__ = ()

    _rules = "kingofthehill"
    aliases = ["King of the Hill", "KOTH", "kingOfTheHill"]
    uci_variant = "kingofthehill"
    xboard_variant = "kingofthehill"


class RacingKingsBoard(_VariantBoard):
    """Racing Kings: the king that reaches the last rank first wins, and nobody may give check."""

    __slots__ = ()

    _rules = "racingkings"
    aliases = ["Racing Kings", "Racing", "Race", "racingkings"]
    uci_variant = "racingkings"
    xboard_variant = "racingkings"
    starting_fen = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"

    def __init__(self, fen: Optional[str] = starting_fen, chess960: bool = False) -> None:
        super().__init__(fen, chess960=chess960)

    def reset(self) -> None:
        """Sets up the start position, where nobody may castle, and clears the move stack."""
        self._reset_to_fen()

    def is_variant_win(self) -> bool:
        return (
            self.is_variant_end()
            and self._has_arrived(self.turn)
            and not self._has_arrived(not self.turn)
        )

    def is_variant_loss(self) -> bool:
        return self.is_variant_end() and not self._has_arrived(self.turn)

    def _has_arrived(self, color: chess.Color) -> bool:
        return bool(self.kings & self.occupied_co[color] & chess.BB_RANK_8)


class HordeBoard(_VariantBoard):
    """Horde: White has a horde of pawns and no king."""

    __slots__ = ()

    _rules = "horde"
    aliases = ["Horde", "Horde chess"]
    uci_variant = "horde"
    xboard_variant = "horde"
    starting_fen = (
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"
    )

    def __init__(self, fen: Optional[str] = starting_fen, chess960: bool = False) -> None:
        super().__init__(fen, chess960=chess960)

    def reset(self) -> None:
        """Sets up the start position, where only Black may castle, and clears the move stack."""
        self._reset_to_fen()


class ThreeCheckBoard(_CountingBoard):
    """Three-check: the third check wins.

    `remaining_checks` is a list with the number of checks that each color must still give.
    """

    __slots__ = ()

    _rules = "3check"
    aliases = [
        "Three-check",
        "Three check",
        "Threecheck",
        "Three check chess",
        "3-check",
        "3 check",
        "3check",
    ]
    uci_variant = "3check"
    xboard_variant = "3check"
    starting_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1"

    def __init__(self, fen: Optional[str] = starting_fen, chess960: bool = False) -> None:
        super().__init__(fen, chess960=chess960)

    @property
    def remaining_checks(self) -> List[int]:
        """The checks that Black and White must still give."""
        return self._remaining_checks

    @remaining_checks.setter
    def remaining_checks(self, checks: List[int]) -> None:
        self._remaining_checks = checks

    def reset_board(self) -> None:
        super().reset_board()
        self.remaining_checks[:] = [3, 3]

    def clear_board(self) -> None:
        super().clear_board()
        self.remaining_checks[:] = [3, 3]

    def is_irreversible(self, move: chess.Move) -> bool:
        return super().is_irreversible(move) or self.gives_check(move)

    def _transposition_key(self) -> Hashable:
        black, white = self.remaining_checks
        return super()._transposition_key(), white, black


class CrazyhouseBoard(_CountingBoard):
    """Crazyhouse: captured pieces change sides and may be dropped.

    `pockets` is a list with the pieces in hand of each color.
    """

    __slots__ = ()

    _rules = "crazyhouse"
    aliases = ["Crazyhouse", "Crazy House", "House", "ZH"]
    uci_variant = "crazyhouse"
    xboard_variant = "crazyhouse"
    starting_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"

    def __init__(self, fen: Optional[str] = starting_fen, chess960: bool = False) -> None:
        super().__init__(fen, chess960=chess960)

    @property
    def pockets(self) -> List[CrazyhousePocket]:
        """The pieces in hand of Black and White."""
        return self._pockets

    @pockets.setter
    def pockets(self, pockets: List[CrazyhousePocket]) -> None:
        self._pockets = pockets

    def _dump_position(self) -> Tuple[Any, ...]:
        is_own = any(type(pocket) is not CrazyhousePocket for pocket in self.pockets)
        return *super()._dump_position(), list(self.pockets) if is_own else None

    def _load_position(self, *parts: Any) -> None:
        *others, pockets = parts
        super()._load_position(*others)
        if pockets:
            self.pockets = pockets

    def reset_board(self) -> None:
        super().reset_board()
        for pocket in self.pockets:
            pocket.reset()

    def clear_board(self) -> None:
        super().clear_board()
        for pocket in self.pockets:
            pocket.reset()

    def _is_halfmoves(self, n: int) -> bool:
        # Crazyhouse has no fifty-move rule.
        return False

    def is_irreversible(self, move: chess.Move) -> bool:
        return self._reduces_castling_rights(move)

    def _push_capture(
        self,
        move: chess.Move,
        capture_square: chess.Square,
        piece_type: chess.PieceType,
        was_promoted: bool,
    ) -> None:
        self.pockets[self.turn].add(chess.PAWN if was_promoted else piece_type)

    def _transposition_key(self) -> Hashable:
        black, white = map(str, self.pockets)
        return super()._transposition_key(), self.promoted, white, black

    def legal_drop_squares_mask(self) -> chess.Bitboard:
        """The squares where a piece may be dropped, if one is in hand, as an integer."""
        if "legal_drop_squares_mask" not in self._affected:
            return self._legal_drop_squares()
        king, empty = self.king(self.turn), ~self.occupied & chess.BB_ALL
        checkers = 0 if king is None else self.attackers_mask(not self.turn, king)
        if king is None or not checkers:
            return empty
        is_single = chess.popcount(checkers) == 1
        return chess.between(king, chess.msb(checkers)) & empty if is_single else 0

    def legal_drop_squares(self) -> chess.SquareSet:
        """The squares where a piece, other than a pawn, may be dropped if one is in hand."""
        return chess.SquareSet(self.legal_drop_squares_mask())

    def generate_pseudo_legal_drops(
        self, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """Generates the drops on empty squares."""
        pocket = self.pockets[self.turn]
        for piece_type in chess.PIECE_TYPES:
            if pocket.count(piece_type):
                squares = to_mask & ~self.occupied & chess.BB_ALL
                if piece_type == chess.PAWN:
                    squares &= ~chess.BB_BACKRANKS
                for square in chess.scan_forward(squares):
                    yield chess.Move(square, square, drop=piece_type)

    def generate_legal_drops(
        self, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """Generates the legal drops."""
        return self.generate_pseudo_legal_drops(to_mask=self.legal_drop_squares_mask() & to_mask)

    def board_fen(self, *, promoted: Optional[bool] = None) -> str:
        return super().board_fen(promoted=promoted is None or promoted)


VARIANTS: List[Type[chess.Board]] = [
    chess.Board,
    SuicideBoard,
    GiveawayBoard,
    AntichessBoard,
    AtomicBoard,
    KingOfTheHillBoard,
    RacingKingsBoard,
    HordeBoard,
    ThreeCheckBoard,
    CrazyhouseBoard,
]

_PLAIN.update(board.__init__ for board in VARIANTS)


def find_variant(name: str) -> Type[chess.Board]:
    """The class for a variant by one of its names, in any case.

    Raises `ValueError` if there is none.
    """
    for variant in VARIANTS:
        if any(alias.lower() == name.lower() for alias in variant.aliases):
            return variant
    raise ValueError(f"unsupported variant: {name}")
