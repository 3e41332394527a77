"""`eval` explains the evaluation, and `EvalFile` and `Evaluation` choose its weights."""

import json
import os
import random
import re
import struct
import subprocess

import chess
import chess.variant
import pytest

from engine import ROOT, Uci, XBoard

SEED = int(os.environ.get("SEED", 25))
WEIGHTS = ROOT / "engine-core/src/eval"
KING_AND_PAWN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def random_board(rng: random.Random, variant=chess.Board) -> chess.Board:
    """A position of a random game, not over and not in check."""
    while True:
        board = variant()
        for _ in range(rng.randrange(4, 90)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_check() and not board.is_game_over():
            return board


class Explanation:
    """The value of a position by `eval`, in centipawns."""

    def __init__(self, lines: list[str]):
        assert all(len(line) <= 80 and line.isascii() for line in lines)
        self.value = centipawns(lines[-1].split()[2])
        rows = {line.split()[0]: line.split() for line in lines if re.match("[A-Z][a-z]+ ", line)}
        self.sum = centipawns(rows["Sum"][1])
        self.parts = {
            name: centipawns(rows[name][1 if name == "Vectors" else 3])
            for name in ("Tables", "Threats", "Tempo", "Variant", "Vectors")
            if name in rows
        }
        self.phase = int(rows["Sum"][3])
        self.pieces, self.contributions = {}, {}
        board = [line.split("|")[1:9] for line in lines if line.startswith("|")]
        for row, (letters, values) in enumerate(zip(board[::2], board[1::2])):
            for file, (letter, value) in enumerate(zip(letters, values)):
                square = chess.square(file, 7 - row)
                if letter.strip():
                    self.pieces[square] = letter.strip()
                if value.strip():
                    self.contributions[square] = centipawns(value)


def centipawns(pawns: str) -> int:
    assert re.fullmatch(r"\s*[+-]\d+\.\d\d\s*", pawns), pawns
    return round(float(pawns) * 100)


def explain(uci: Uci, fen: str) -> Explanation:
    uci.send(f"position fen {fen}", "eval")
    lines = uci.until("^Final evaluation")
    assert uci.ready() == [""], "the last line, then an empty one"
    return Explanation(lines)


# The bytes before the integers: name, version, variant, three counts.
HEAD = 16


def with_tempo(name: str, tempo: int) -> bytes:
    """The known weights file, with another bonus for the side to move."""
    whole = (WEIGHTS / name).read_bytes()[:-8]
    # The bonus are the two first integers behind the head, in as many bytes as they need.
    rest = after_integer(whole, after_integer(whole, HEAD))
    body = whole[:HEAD] + 2 * integer(tempo) + whole[rest:]
    value = 0xCBF29CE484222325
    for byte in body:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return body + struct.pack("<Q", value)


def after_integer(text: bytes, at: int) -> int:
    """Where a variable-length integer ends."""
    while text[at] >= 0x80:
        at += 1
    return at + 1


def integer(value: int) -> bytes:
    """A variable-length integer: zigzag, seven bits a byte."""
    rest, groups = value << 1 ^ value >> 63, b""
    while rest >= 0x80:
        groups += bytes([rest & 0x7F | 0x80])
        rest >>= 7
    return groups + bytes([rest])


def test_options_are_listed(uci, xboard):
    vectors = "option name Evaluation type combo default Vectors var Vectors var Tables"
    assert vectors in uci.greeting
    assert "option name EvalFile type string default <empty>" in uci.greeting
    assert any('option="Evaluation -combo *Vectors /// Tables"' in line for line in xboard.greeting)
    assert any('option="EvalFile -file "' in line for line in xboard.greeting)


def test_the_parts_add_up(uci):
    rng = random.Random(SEED)
    for kind in ["Vectors", "Tables"]:
        uci.send(f"setoption name Evaluation value {kind}")
        for variant in chess.variant.VARIANTS:
            uci.send(f"setoption name UCI_Variant value {variant.uci_variant}")
            for _ in range(5):
                board = random_board(rng, variant)
                found = explain(uci, board.fen())
                assert found.value == found.sum == sum(found.parts.values()), board.fen()
                letters = {at: piece.symbol() for at, piece in board.piece_map().items()}
                assert found.pieces == letters
                assert 0 <= found.phase <= 24


def test_contributions_are_what_a_piece_costs(uci):
    rng = random.Random(SEED + 1)
    compared = 0
    for _ in range(25):
        board = random_board(rng)
        found = explain(uci, board.fen())
        kings = {board.king(color) for color in chess.COLORS}
        assert set(found.contributions) == set(found.pieces) - kings
        for square, contribution in found.contributions.items():
            without = board.copy(stack=False)
            without.remove_piece_at(square)
            without.castling_rights = without.clean_castling_rights()
            without.ep_square = None
            if without.is_valid() and not without.is_check():
                rest = explain(uci, without.fen())
                assert contribution == found.value - rest.value, (board.fen(), square)
                compared += 1
    assert compared > 100


def test_a_threat_is_worth_more_to_the_side_to_move(uci):
    attacked = "4k3/8/2p5/3n4/4P3/8/8/4K3 {} - - 0 1"
    to_move, waiting = (explain(uci, attacked.format(turn)).parts["Threats"] for turn in "wb")
    assert to_move > waiting
    assert to_move > 20
    assert explain(uci, chess.STARTING_FEN).parts["Threats"] == 0


def test_in_check_there_is_one_line(uci):
    uci.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "eval")
    assert uci.ready() == ["Final evaluation: none (in check)"]


def test_tables_alone_differ(uci):
    rng = random.Random(SEED + 2)
    fens = [random_board(rng).fen() for _ in range(10)]
    vectors = [explain(uci, fen) for fen in fens]
    uci.send("setoption name Evaluation value Tables")
    tables = [explain(uci, fen) for fen in fens]
    assert all("Vectors" in found.parts for found in vectors)
    assert not any("Vectors" in found.parts for found in tables)
    assert [found.value for found in vectors] != [found.value for found in tables]
    uci.send("setoption name Evaluation value Vectors")
    assert [explain(uci, fen).value for fen in fens] == [found.value for found in vectors]


def test_weights_are_switched_within_a_game(uci):
    uci.send("setoption name Hash value 4")
    moves: list[str] = []
    for kind in ["Vectors", "Tables", "Vectors", "Tables"]:
        uci.send(f"setoption name Evaluation value {kind}")
        uci.send(f"position startpos moves {' '.join(moves)}")
        switched = uci.best("go nodes 3000")
        with Uci() as fresh:
            fresh.send("setoption name Hash value 4", f"setoption name Evaluation value {kind}")
            fresh.send(f"position startpos moves {' '.join(moves)}")
            assert fresh.best("go nodes 3000") == switched, "nothing is left of the other weights"
        moves.append(switched)


def test_files_of_weights(uci, tmp_path):
    """Each replaces the previous one, and an empty name restores the built-in weights."""
    built_in = explain(uci, KING_AND_PAWN)
    for tempo in (77, -77):
        path = tmp_path / f"tempo {tempo}.bin"
        path.write_bytes(with_tempo("weights.bin", tempo))
        uci.send(f"setoption name EvalFile value {path}")
        assert uci.ready() == []
        found = explain(uci, KING_AND_PAWN)
        assert found.parts["Tempo"] == pytest.approx(tempo, abs=1)
        assert found.parts["Tables"] == built_in.parts["Tables"]
    # The tables for use alone differ from those trained together with vectors.
    uci.send("setoption name Evaluation value Tables")
    assert abs(explain(uci, KING_AND_PAWN).parts["Tempo"] + 77) > 1
    path.write_bytes(with_tempo("tables.bin", 55))
    uci.send(f"setoption name EvalFile value {path}")
    assert explain(uci, KING_AND_PAWN).parts["Tempo"] == pytest.approx(55, abs=1)
    uci.send("setoption name Evaluation value Vectors")
    for nothing in ("", " value", " value <empty>"):
        uci.send(f"setoption name EvalFile{nothing}")
        assert uci.ready() == []
        assert explain(uci, KING_AND_PAWN).value == built_in.value


def test_weights_of_another_variant_are_for_that_one(uci, tmp_path):
    before = explain(uci, KING_AND_PAWN).value
    path = tmp_path / "atomic.bin"
    path.write_bytes(with_tempo("variants/atomic.bin", 88))
    uci.send(f"setoption name EvalFile value {path}")
    [line] = uci.ready()
    assert line == f"info string {path}: weights of Atomic, for that variant only"
    assert explain(uci, KING_AND_PAWN).value == before
    uci.send("setoption name UCI_Variant value atomic")
    assert explain(uci, KING_AND_PAWN).parts["Tempo"] == 88
    uci.send("setoption name UCI_Variant value chess")
    assert explain(uci, KING_AND_PAWN).value == before


def broken_files(folder):
    """Files that cannot be used, and their error messages."""
    whole = with_tempo("weights.bin", 33)
    files = {
        "empty": b"",
        "garbage": random.Random(SEED).randbytes(5000),
        "cut": whole[:-100],
        "head": whole[:12],
        "long": whole + b"more",
        "changed": whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:],
        "version": whole[:8] + b"\x09" + whole[9:],
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    return [*files, "folder", "pipe", "missing"]


def test_broken_files_get_one_line_and_change_nothing(uci, tmp_path):
    good = tmp_path / "good.bin"
    good.write_bytes(with_tempo("weights.bin", 66))
    names = broken_files(tmp_path)
    for loaded in (None, good):
        if loaded:
            uci.send(f"setoption name EvalFile value {loaded}")
        before = explain(uci, KING_AND_PAWN).value
        for name in names:
            uci.send(f"setoption name EvalFile value {tmp_path / name}")
            lines = uci.ready()
            assert len(lines) == 1 and lines[0].startswith("info string "), (name, lines)
            assert str(tmp_path / name) in lines[0]
            assert explain(uci, KING_AND_PAWN).value == before, name


def test_files_are_set_while_a_search_runs(uci, tmp_path):
    good = tmp_path / "good.bin"
    good.write_bytes(with_tempo("weights.bin", 66))
    uci.send("position startpos", "go infinite")
    names = ["good.bin", *broken_files(tmp_path)]
    for name in names:
        uci.send(f"setoption name EvalFile value {tmp_path / name}", "setoption name Evaluation value Tables")
        uci.send("setoption name Evaluation value Vectors")
    uci.ready()
    uci.ask("stop", "^bestmove")
    assert explain(uci, KING_AND_PAWN).parts["Tempo"] == pytest.approx(66, abs=1)
    uci.best("go depth 5")


def cannot_use(option: str) -> str:
    """XBoard's error, which cuts a long option."""
    return "Error (cannot use): option " + (option if len(option) <= 80 else f"{option[:80]}...")


def test_xboard_tells_as_it_tells_of_books(tmp_path):
    names = broken_files(tmp_path)
    with XBoard() as xboard:
        xboard.send("new", "force")
        for name in names:
            xboard.send(f"option EvalFile={tmp_path / name}")
            assert xboard.sync() == [cannot_use(f"EvalFile={tmp_path / name}")]
        xboard.send("accepted debug")
        for name in names:
            xboard.send(f"option EvalFile={tmp_path / name}")
            error, reason = xboard.sync()
            assert error == cannot_use(f"EvalFile={tmp_path / name}")
            assert reason.startswith("# "), name
        xboard.send("option Evaluation=Tables", "sd 4")
        assert xboard.move("go")


def position(mola: str, *args: str) -> str:
    done = subprocess.run([mola, "position", *args], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_position_explains_alike(mola, uci):
    rng = random.Random(SEED + 3)
    for _ in range(5):
        board = random_board(rng)
        found = explain(uci, board.fen())
        facts = json.loads(position(mola, "--json", "--eval", board.fen()))["evaluation"]
        assert facts["value"] == found.value and facts["phase"] == found.phase
        assert facts["tables"]["tapered"] == found.parts["Tables"]
        assert facts["threats"]["tapered"] == found.parts["Threats"]
        assert facts["vectors"]["value"] == found.parts["Vectors"]
        pieces = {chess.parse_square(name): value for name, value in facts["pieces"].items()}
        assert set(pieces) == set(found.pieces)
        pieces = {square: value for square, value in pieces.items() if value is not None}
        assert pieces == found.contributions
        page = position(mola, "--eval", board.fen())
        assert f"Evaluation    {found.value / 100:+.2f} for White\n" in page
        assert "Vectors" in page
        assert "Evaluation" not in position(mola, board.fen())


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 0 1",
        "/".join(["QQQQQQQQ"] * 8) + " b - - 0 1",
        "PPPPPPPP/8/8/8/8/8/8/pppppppp w - - 0 1",
    ],
)
def test_what_is_no_position_is_explained_all_the_same(mola, fen):
    for variant in chess.variant.VARIANTS:
        name = variant.uci_variant
        facts = json.loads(position(mola, "--json", "--eval", "--variant", name, fen))
        parts = facts["evaluation"]
        assert parts is None or parts["value"] == sum(
            part.get("tapered", part.get("value"))
            for part in (parts[name] for name in ("tables", "threats", "tempo", "extra", "vectors"))
            if part is not None
        )


def test_batches_explain_on_request(mola):
    check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
    lines = "\n".join(json.dumps({"fen": fen, "eval": True}) for fen in (KING_AND_PAWN, check))
    lines += "\n" + json.dumps({"fen": KING_AND_PAWN})
    done = subprocess.run(
        [mola, "position", "--batch"], input=lines, capture_output=True, text=True, timeout=60
    )
    first, second, third = [json.loads(line) for line in done.stdout.splitlines()]
    assert first["evaluation"]["pieces"]["e2"] > 0
    assert second["evaluation"] is None
    assert "evaluation" not in third


def test_the_terminal_answers_first_and_explains_then(mola):
    done = subprocess.run([mola, "play"], input="eval\nquit\n", capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    at = next(at for at, line in enumerate(lines) if "Static evaluation:" in line)
    assert "for White" in lines[at]
    assert any(line.startswith("Tables") for line in lines[at:])
