"""Many positions at once, on all processors."""

from typing import List, Optional, Tuple

def evaluate_fens(fens: List[str], variant: str, nodes: Optional[int]) -> bytes: ...
def legal_moves(
    fens: List[str], variant: str, chess960: bool
) -> Tuple[bytes, Tuple[bytes, bytes, bytes, bytes]]: ...
