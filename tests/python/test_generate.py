"""Tables that `mola tables generate` makes, as python-chess reads them."""

import gzip
import json
import random
import subprocess

import chess
import chess.syzygy
import pytest

from engine import Uci, binary


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    # A side to move of each kind, two equal pieces, pawns, and both sides' pieces.
    args = ["tables", "generate", "--out", folder, "KPvK", "KBNvK", "KQvKR", "KBvKN"]
    subprocess.run([binary(), *args], check=True, capture_output=True, timeout=300)
    return folder


def positions(material: str, count: int):
    rng = random.Random(material)
    white, black = material.split("v")
    pieces = [chess.Piece.from_symbol(symbol) for symbol in white + black.lower()]
    while count:
        board = chess.Board(None)
        for square, piece in zip(rng.sample(chess.SQUARES, len(pieces)), pieces):
            board.set_piece_at(square, piece)
        board.turn = rng.random() < 0.5
        if board.is_valid():
            count -= 1
            yield board


@pytest.mark.parametrize("material", ["KQvK", "KRvK", "KBvK", "KPvK", "KBNvK", "KQvKR", "KBvKN"])
def test_values_are_those_of_published_tables(generated, data, material):
    with (
        chess.syzygy.open_tablebase(str(generated)) as ours,
        chess.syzygy.open_tablebase(str(data / "syzygy/regular")) as theirs,
    ):
        for board in positions(material, 400):
            values = [(tables.probe_wdl(board), tables.probe_dtz(board)) for tables in (ours, theirs)]
            assert values[0] == values[1], board.fen()


def test_what_is_no_material_is_refused(tmp_path):
    for name in ("KQQQvK", "QvK", "KvK", "chess"):
        args = [binary(), "tables", "generate", "--out", tmp_path, name]
        done = subprocess.run(args, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0 and name in done.stderr


@pytest.mark.parametrize("threads", ["0", "-1", "257", "999999", "x"])
def test_threads_are_a_sensible_number(tmp_path, threads):
    words = [binary(), "tables", "generate", "KQvK", "--out", tmp_path / "tables", f"--threads={threads}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=20)
    assert done.returncode == 2 and "from 1 to 256" in done.stderr, done.stderr


def test_three_pieces_need_no_files(data):
    """Distances to mate of the built-in tables, against libgtb's."""
    rows = gzip.open(data / "tables/gaviota3_sample.csv.gz", "rt").read().splitlines()[1:]
    rows = [row.split(",") for row in rows]
    lines = "".join(json.dumps({"fen": fen}) + "\n" for fen, _, _ in rows)
    args = [binary(), "tables", "probe", "--batch"]
    done = subprocess.run(args, input=lines, capture_output=True, text=True, check=True, timeout=60)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(a["wdl"], a["dtm"]) for a in answers] == [(2 * int(wdl), int(dtm)) for _, wdl, dtm in rows]
    # The engine has them, too.
    with Uci() as engine:
        engine.send("position fen 4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")
        lines = engine.ask("go depth 4", "^bestmove")
        assert any("score mate" in line for line in lines)
