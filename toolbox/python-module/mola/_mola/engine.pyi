"""The searcher in this process."""

from typing import Dict, List, Optional, Tuple, Union

Line = Tuple[
    int,
    int,
    int,
    Tuple[str, int],
    int,
    Optional[List[int]],
    Tuple[int, float, int, int, int],
    List[str],
]
End = Tuple[Optional[str], Optional[str]]

class Search: ...

class Searcher:
    def __init__(self) -> None: ...
    @staticmethod
    def options() -> List[str]: ...
    def set_option(self, name: str, value: str) -> List[str]: ...
    def new_game(self) -> None: ...
    def go(
        self,
        variant: str,
        fen: str,
        chess960: bool,
        moves: List[str],
        limits: Dict[str, object],
        lines: int,
        analyses: bool,
    ) -> Tuple[Search, List[str]]: ...
    def next(self, search: Search) -> Union[Line, End]: ...
    def would_block(self, search: Search) -> bool: ...
    def stop(self, search: Search) -> None: ...
