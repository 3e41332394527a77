"""Tables that `mola tables generate` makes, as python-chess reads them."""

import gzip
import json
import os
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


def test_tables_of_other_programs_are_kept(data, tmp_path):
    """A part of the published tables, which are coded otherwise, is completed."""
    published = {path.name: path.read_bytes() for path in (data / "syzygy/regular").glob("KQvK.rtb?")}
    for name, contents in published.items():
        (tmp_path / name).write_bytes(contents)
    args = [binary(), "tables", "generate", "--out", tmp_path, "--pieces", "3"]
    done = subprocess.run(args, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("8 files, ") and done.stdout.endswith("; 2 other tables kept\n"), done.stdout
    assert len(list(tmp_path.iterdir())) == 10 and len(published) == 2
    assert all((tmp_path / name).read_bytes() == contents for name, contents in published.items())
    # A table of other material, or a damaged one, is none.
    table = tmp_path / "KQvK.rtbw"
    contents = published[table.name]
    damaged = contents[:-30] + bytes([contents[-30] ^ 1]) + contents[-29:]
    for wrong in (damaged, (tmp_path / "KRvK.rtbw").read_bytes(), b""):
        table.write_bytes(wrong)
        done = subprocess.run(args, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and "KQvK.rtbw: " in done.stderr and "--force replaces the file" in done.stderr
        assert table.read_bytes() == wrong
    done = subprocess.run([*args, "--force"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("10 files, "), done.stderr
    assert chess.syzygy.open_tablebase(str(tmp_path)).probe_wdl(chess.Board("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1")) == 2


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "KQvK.rtbw")
    args = [binary(), "tables", "generate", "--out", tmp_path, "KQvK"]
    done = subprocess.run(args, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "KQvK.rtbw: a file is expected, not a pipe" in done.stderr, done.stderr


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
