"""Watches a session and checks with python-chess that every move the engine prints is legal."""

import collections
import re

import chess
import chess.variant

VARIANTS = {"chess": "standard", "normal": "standard", "fischerandom": "standard"}


def start(variant: str, fen: str | None, chess960: bool) -> chess.Board:
    board = chess.variant.find_variant(VARIANTS.get(variant, variant))
    fen = fen or board.starting_fen
    # X-FEN names castling rights that orthodox chess does not have.
    for mode in (chess960, True):
        position = board(fen, chess960=mode)
        if position.is_valid():
            break
    return position


def read(board: chess.Board, text: str) -> chess.Move:
    """A move in any notation; raises ValueError when it is illegal."""
    if re.fullmatch(r"O-O(-O)?", text):
        return board.parse_san(text)
    try:
        return board.parse_uci(text)
    except chess.InvalidMoveError:
        return board.parse_san(text)


def play(board: chess.Board, words: list[str]) -> None:
    for word in words:
        assert not board.is_variant_end(), f"{word} after the end in {board.fen()}"
        board.push(read(board, word))


class UciReferee:
    """Tracks the root of every `go` that has no `bestmove` yet."""

    def __init__(self):
        self.options = {"uci_chess960": "false", "uci_variant": "chess"}
        self.board = chess.Board()
        self.roots: collections.deque[chess.Board] = collections.deque()

    def sent(self, line: str) -> None:
        words = line.split()
        if words[:2] == ["setoption", "name"] and "value" in words:
            at = words.index("value")
            self.options[" ".join(words[2:at]).lower()] = " ".join(words[at + 1 :])
        elif words[:1] == ["position"]:
            self._position(words[1:])
        elif words[:1] == ["go"] and "perft" not in words:
            self.roots.append(self.board.copy())

    def _position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        fen = " ".join(words[1:at]) if words[:1] == ["fen"] else None
        if words[:1] not in (["fen"], ["startpos"]):
            return
        chess960 = self.options["uci_chess960"].lower() == "true"
        try:
            board = start(self.options["uci_variant"].lower(), fen, chess960)
        except ValueError:
            return
        if not board.is_valid():
            return
        self.board = board
        for word in words[at + 1 :]:
            try:
                board.push(read(board, word))
            except ValueError:
                return

    def heard(self, line: str) -> None:
        words = line.split()
        if words[:1] == ["bestmove"]:
            assert self.roots, f"{line!r} answers no go"
            root = self.roots.popleft()
            if words[1] == "(none)":
                assert not any(root.legal_moves) or root.is_variant_end(), f"{line}: {root.fen()}"
            else:
                play(root, words[1:2] + words[3:4])
        elif words[:1] == ["info"] and "string" not in words:
            assert self.roots, f"{line!r} belongs to no go"
            if "pv" in words:
                play(self.roots[0].copy(), words[words.index("pv") + 1 :])
            elif "currmove" in words:
                play(self.roots[0].copy(), [words[words.index("currmove") + 1]])


class XBoardReferee:
    """Follows the game; thinking output may belong to the previous position."""

    def __init__(self):
        self.board = chess.Board()
        self.recent: collections.deque[chess.Board] = collections.deque(maxlen=8)
        # Whether the board is known: not after `edit`, or after a change of the turn.
        self.sees = True

    def _set(self, board: chess.Board) -> None:
        self.recent.append(self.board.copy())
        self.board = board
        self.sees = True

    def sent(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if word == "new":
            self._set(chess.Board())
        elif word in ("edit", "white", "black"):
            self.sees = False
        elif word == "variant":
            name = rest.strip()
            try:
                self._set(start(name, None, name == "fischerandom"))
            except ValueError:
                return
        elif word == "setboard":
            try:
                board = start(self.board.uci_variant, rest, self.board.chess960)
            except ValueError:
                return
            if board.is_valid():
                self._set(board)
        elif word in ("undo", "remove"):
            board = self.board.copy()
            for _ in range(1 if word == "undo" else 2):
                if board.move_stack:
                    board.pop()
            self._set(board)
        else:
            self._move(rest if word == "usermove" else word)

    def _move(self, text: str) -> None:
        if not self.sees:
            return
        board = self.board.copy()
        try:
            board.push(read(board, text.strip()))
        except ValueError:
            return
        self._set(board)

    def heard(self, line: str) -> None:
        words = line.split()
        if not self.sees:
            return
        if line.startswith("Illegal move (not your turn)"):
            self.board = self.recent.pop()
        elif words[:1] == ["move"]:
            board = self.board.copy()
            play(board, words[1:])
            self._set(board)
        elif words[:1] == ["Hint:"]:
            self._check(words[1:])
        elif re.match(r"\s*\d+ -?\d+ \d+ \d+ .*\t", line):
            self._check(re.sub(r"[?!]$", "", line.partition("\t")[2].strip()).split())

    def _check(self, moves: list[str]) -> None:
        faults = []
        for board in [self.board, *reversed(self.recent)]:
            # While pondering, the expected move has been made already.
            for before in [[], *([m.uci()] for m in board.legal_moves)]:
                try:
                    play(board.copy(), before + moves)
                    return
                except (ValueError, AssertionError) as fault:
                    faults.append(fault)
        raise AssertionError(f"no board takes {moves}: {faults[0]}")
