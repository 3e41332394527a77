from typing import Any

NO_EVAL: int
MATE: int

def read_pgn(path: str, moves: bool, annotations: bool) -> dict[str, Any]: ...
