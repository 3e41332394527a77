"""The output of XBoard engines: ``feature``, and thinking output."""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Tuple, Union

import mola.chess as chess

from .info import INFO_ALL, INFO_PV, Info, InfoDict
from .option import ConfigValue, Option
from .score import Cp, Mate, MateGiven, PovScore, Score
from .uci_info import integer

# Scores from here on are mates: the excess is the number of moves.
MATE_SCORE = 100000

XBOARD_ERROR_REGEX = re.compile(r"^\s*(Error|Illegal move)(\s*\([^()]+\))?\s*:")

# A value may be empty: what follows a blank is the next feature.
FEATURE_REGEX = re.compile(r"""(\w+)\s*=(?:"([^"]*)"|'([^']*)'|(\S*))""")
OPTION_REGEX = re.compile(r"\s*(?P<name>\S.*?)\s+-(?P<type>\w+)(?:\s+(?P<value>.*))?$")
MOVE_NUMBER_REGEX = re.compile(r"\d+\.*|\.\.\.")


def parse_features(text: str) -> List[Tuple[str, Union[str, int]]]:
    """Parses the arguments of ``feature``: names and values."""
    features: List[Tuple[str, Union[str, int]]] = []
    for match in FEATURE_REGEX.finditer(text):
        value = match[2] or match[3] or match[4] or ""
        number = integer(value)
        features.append((match[1], value if number is None else number))
    return features


def parse_option(feature: str) -> Optional[Option]:
    """Parses the value of a feature ``option``; ``None`` if it is invalid."""
    match = OPTION_REGEX.match(feature.rstrip())
    if not match:
        return None
    name, kind, value = match["name"], match["type"], (match["value"] or "").strip()
    if kind == "combo":
        return parse_combo(name, value)
    if kind in ("spin", "slider"):
        words = value.split() + ["", "", ""]
        default, least, most = (integer(word) for word in words[:3])
        return Option(name, "spin", default, least, most, None)
    default_value: ConfigValue = value
    if kind == "check":
        default_value = value not in ("", "0")
    elif kind in ("button", "save", "reset"):
        default_value = None
    return Option(name, kind, default_value, None, None, None)


def parse_combo(name: str, value: str) -> Option:
    """Parses a combo choice: a star marks the default."""
    choices = [choice.strip() for choice in value.split("///")] if value else []
    var = [choice.lstrip("*").strip() for choice in choices]
    starred = [choice.lstrip("*").strip() for choice in choices if choice.startswith("*")]
    default = starred[0] if starred else None
    return Option(name, "combo", default, None, None, var)


def parse_post(line: str, root_board: chess.Board, selector: Info = INFO_ALL) -> InfoDict:
    """Parses thinking output: depth, score, centiseconds, nodes, perhaps further numbers, and
    the PV. Empty for other lines.

    Without :data:`INFO_PV` only the first move is kept, which is the best move.
    """
    words = line.split()
    numbers: List[int] = []
    while len(numbers) < len(words):
        number = integer(words[len(numbers)])
        if number is None:
            break
        numbers.append(number)
    if len(numbers) < 4:
        return {}
    depth, score, time, nodes = numbers[:4]
    info: InfoDict = {
        "depth": depth,
        "time": time / 100,
        "nodes": nodes,
        "score": PovScore(parse_score(score), root_board.turn),
    }
    further = numbers[4:]
    if further:
        info["seldepth"] = further[0]
    if len(further) >= 2:
        info["nps"] = further[1]
    if len(further) >= 3:
        info["tbhits"] = further[-1]
    info["pv"] = parse_line(words[len(numbers) :], root_board, whole=bool(selector & INFO_PV))
    return info


def parse_score(score: int) -> Score:
    """A score in XBoard's format."""
    if score >= MATE_SCORE:
        return Mate(score - MATE_SCORE) if score > MATE_SCORE else MateGiven
    if score <= -MATE_SCORE:
        return Mate(score + MATE_SCORE)
    return Cp(score)


def parse_line(words: List[str], root_board: chess.Board, *, whole: bool) -> List[chess.Move]:
    """Moves in SAN or coordinates, up to the first token that is not a move."""
    board = root_board.copy(stack=False)
    moves: List[chess.Move] = []
    for word in words:
        if MOVE_NUMBER_REGEX.fullmatch(word):
            continue
        try:
            moves.append(board.push_xboard(word))
        except ValueError:
            break
        if not whole:
            break
    return moves


def format_option(name: str, option: Option, value: ConfigValue) -> str:
    """The line that sets an option."""
    if option._is_button():
        return f"option {name}"
    if option.type == "check":
        return f"option {name}={int(bool(value))}"
    return f"option {name}={value}"


FeatureMap = Dict[str, Union[str, int]]
