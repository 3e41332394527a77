"""The tag pairs of a game."""

from __future__ import annotations

import re
import typing
from typing import (
    TYPE_CHECKING, Any, Dict, Final, Generic, Iterable, Iterator, Mapping, Optional, Tuple, Type,
    TypeVar, Union,
)

import mola.chess as chess

from .fetched import FetchedAttribute, _Fetching, present, whole_dict
from .visitor import SKIP, BaseVisitor, SkipType

if TYPE_CHECKING:
    from typing_extensions import Self

TAG_REGEX = re.compile(r'^\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s+"([^\r]*)"\]\s*$')
TAG_NAME_REGEX = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_+#=:-]*\Z")

TAG_ROSTER: Final = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]

_ROSTER_VALUES: Final = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
_CHESS960: Final = frozenset([
    "chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random",
])
_WILD: Final = frozenset(["wild/8a", *(f"wild/{number}" for number in range(9))])

HeadersT = TypeVar("HeadersT", bound="Headers")


def _fetch_tags(headers: Headers) -> None:
    source = headers._source
    if source is not None:
        attributes = present(headers)
        tag_roster, others = source.tags()
        attributes.setdefault("_tag_roster", tag_roster)
        attributes.setdefault("_others", others)
        # Pickles have the tags alone.
        attributes.pop("_source", None)


class Headers(_Fetching, typing.MutableMapping[str, str]):
    """
    The tag pairs of a game: a mapping of names to values. The seven tags that every game should
    have come first, in their order; the others follow in the order in which they were set.

    Without *data* these seven tags are set to their placeholders.
    """

    # Named as in the pickles of python-chess.
    _tag_roster: Dict[str, str]
    _others: Dict[str, str]
    _source: Any = None

    def __init__(
        self,
        data: Optional[Union[Mapping[str, str], Iterable[Tuple[str, str]]]] = None,
        **kwargs: str,
    ) -> None:
        self._tag_roster = {}
        self._others = {}
        self.update(_ROSTER_VALUES if data is None else data, **kwargs)

    if not TYPE_CHECKING:
        _tag_roster = FetchedAttribute(_fetch_tags)
        _others = FetchedAttribute(_fetch_tags)
        __dict__ = whole_dict(_fetch_tags)

    def is_chess960(self) -> bool:
        """Whether the tag ``Variant`` says that this is Chess960."""
        return self.get("Variant", "").lower() in _CHESS960

    def is_wild(self) -> bool:
        """Whether the tag ``Variant`` names a start position with the rules of standard chess."""
        return self.get("Variant", "").lower() in _WILD

    def variant(self) -> Type[chess.Board]:
        """
        The board class of the tag ``Variant``.

        :raises: :exc:`ValueError` if the variant is not known.
        """
        if "Variant" not in self or self.is_chess960() or self.is_wild():
            return chess.Board
        from mola.chess.variant import find_variant

        return find_variant(self["Variant"])

    def board(self) -> chess.Board:
        """
        The start position, by the tags ``Variant`` and ``FEN``.

        :raises: :exc:`ValueError` if one of them cannot be read.
        """
        return start_board(self, self.variant())

    def __setitem__(self, key: str, value: str) -> None:
        if key in TAG_ROSTER:
            self._tag_roster[key] = value
        elif not TAG_NAME_REGEX.match(key):
            raise ValueError(f"invalid pgn header tag: {key!r}")
        elif "\n" in value or "\r" in value:
            raise ValueError(f"line break in pgn header {key}: {value!r}")
        else:
            self._others[key] = value

    def __getitem__(self, key: str) -> str:
        return (self._tag_roster if key in TAG_ROSTER else self._others)[key]

    def __delitem__(self, key: str) -> None:
        del (self._tag_roster if key in TAG_ROSTER else self._others)[key]

    def __iter__(self) -> Iterator[str]:
        for key in TAG_ROSTER:
            if key in self._tag_roster:
                yield key
        yield from self._others

    def __len__(self) -> int:
        return len(self._tag_roster) + len(self._others)

    def copy(self) -> Self:
        """A copy."""
        return type(self)(self)

    def __copy__(self) -> Self:
        return self.copy()

    def __reduce_ex__(self, protocol: typing.SupportsIndex) -> Any:
        # Copies and pickles have the tags, not the reader's source.
        len(self)
        return super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        pairs = ", ".join(f"{key}={value!r}" for key, value in self.items())
        return f"{type(self).__name__}({pairs})"

    @classmethod
    def builder(cls: Type[HeadersT]) -> HeadersBuilder[HeadersT]:
        """A visitor that makes headers of this class."""
        return HeadersBuilder(Headers=cls)


class HeadersBuilder(BaseVisitor[HeadersT], Generic[HeadersT]):
    """Collects headers into a dictionary."""

    def __init__(self, *, Headers: Any = Headers) -> None:
        self.Headers = Headers

    def begin_headers(self) -> HeadersT:
        self.headers: HeadersT = self.Headers({})
        return self.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.headers[tagname] = tagvalue

    def end_headers(self) -> SkipType:
        return SKIP

    def result(self) -> HeadersT:
        return self.headers


def start_board(headers: Headers, board_class: Type[chess.Board]) -> chess.Board:
    """The start position of these headers as a board of a class."""
    fen = headers.get("FEN", board_class.starting_fen)
    board = board_class(fen, chess960=headers.is_chess960())
    board.chess960 = board.chess960 or board.has_chess960_castling_rights()
    return board


def lazy_headers(tags: Any) -> Headers:
    """Headers that fetch their tags from a reader on first use."""
    headers = Headers.__new__(Headers)
    headers._source = tags
    return headers
