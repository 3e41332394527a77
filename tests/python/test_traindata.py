"""Files of datagen, read by their documentation alone, against `mola traindata`."""

import re
import struct
import subprocess
import sys
import time
import zlib

import chess
import pytest

from engine import INTERRUPTED

GAMES = 150
OF_VARIANT = 0xFFFF


@pytest.fixture(scope="module")
def made(mola, tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "games.data"
    words = [mola, "datagen", "--games", str(GAMES), "--nodes", "30", "--seed", "3", "--out", path]
    subprocess.run(words, check=True, capture_output=True)
    return path


def run(mola, *words):
    return subprocess.run([mola, "traindata", *words], capture_output=True, text=True, timeout=60)


def move_of(bits: int) -> chess.Move:
    origin, target, kind = bits & 63, bits >> 6 & 63, bits >> 12
    assert kind in (1, 2, 3) or 6 <= kind <= 9, kind
    return chess.Move(origin, target, promotion=kind - 4 if kind > 5 else None)


def bodies(path):
    """The bodies of all blocks with the numbers in their headers."""
    contents = path.read_bytes()
    magic, version, seed, nodes = struct.unpack_from("<8sQQQ", contents)
    assert (magic, version & 0xFFFFFFFF, seed, nodes) == (b"MolaData", 3, 3, 30)
    assert struct.unpack_from("<I", contents, 32) == (zlib.crc32(contents[:32]),)
    at, number = 36, 0
    while at < len(contents):
        fields = struct.unpack_from("<4sIQIIIII", contents, at)
        marker, crc, first, games, plies, positions, length, of_body = fields
        assert marker == b"Blok" and crc == zlib.crc32(contents[at + 8 : at + 36])
        body = contents[at + 36 : at + 36 + length]
        assert len(body) == length and zlib.crc32(body) == of_body
        assert first == number and games == min(64, GAMES - number)
        number += games
        at += 36 + length
        yield body, (games, plies, positions)
    assert number == GAMES


def games_of(body: bytes):
    at = 0
    while at < len(body):
        start, result, opening, plies = struct.unpack_from("<HBBH", body, at)
        at += 6
        random = [move_of(bits) for (bits,) in struct.iter_unpack("<H", body[at : at + 2 * opening])]
        at += 2 * opening
        pairs = struct.iter_unpack("<Hh", body[at : at + 4 * plies])
        scored = [(move_of(bits), score) for bits, score in pairs]
        at += 4 * plies
        yield start, result, random, scored


def quiet_positions(start, result, random, scored):
    board = chess.Board(chess960=True) if start == OF_VARIANT else chess.Board.from_chess960_pos(start)
    for move in random:
        assert move in board.legal_moves
        board.push(move)
    for move, score in scored:
        assert move in board.legal_moves
        is_noisy = board.is_check() or board.is_capture(move) or move.promotion
        if not is_noisy and abs(score) < 31_000:
            yield board.copy(stack=False), score, result
        board.push(move)


def test_export_and_info(mola, made, tmp_path):
    positions, chess960, count = [], [], 0
    for body, head in bodies(made):
        before = len(positions)
        games = list(games_of(body))
        for start, result, random, scored in games:
            assert 8 <= len(random) <= 10
            positions += quiet_positions(start, result, random, scored)
            chess960 += [count] if start != OF_VARIANT else []
            count += 1
        assert head == (len(games), sum(len(game[3]) for game in games), len(positions) - before)
    # Every fourth game.
    assert chess960 == list(range(3, GAMES, 4))

    for threads in ("1", "3"):
        plain = tmp_path / f"plain{threads}"
        done = run(mola, "export", made, "--format", "plain", "--out", plain, "--threads", threads)
        assert done.returncode == 0, done.stderr
        lines = plain.read_text().splitlines()
        assert len(lines) == len(positions)
        for line, (board, score, result) in zip(lines, positions):
            fen, *rest = line.split(" | ")
            assert rest == [str(score), f"{result / 2:.1f}"]
            assert fen == board.fen(en_passant="legal")

    bullet = tmp_path / "bullet"
    assert run(mola, "export", made, "--format", "bullet", "--out", bullet).returncode == 0
    contents = bullet.read_bytes()
    assert len(contents) == 32 * len(positions)
    for record, (board, score, result) in zip(struct.iter_unpack("<Q16shBBB3s", contents), positions):
        occupied, nibbles, *rest, extra = record
        if board.turn == chess.BLACK:
            board, score, result = board.mirror(), -score, 2 - result
        assert occupied == board.occupied and extra == bytes(3)
        there = (piece for _, piece in sorted(board.piece_map().items()))
        pieces = [piece.piece_type - 1 + 8 * (piece.color == chess.BLACK) for piece in there]
        found = [nibble for pair in nibbles for nibble in (pair & 15, pair >> 4)]
        assert found == pieces + [0] * (32 - len(pieces))
        assert rest == [score, result, board.king(chess.WHITE), board.king(chess.BLACK) ^ 56]

    told = run(mola, "info", made, "--threads", "2").stdout
    assert re.search(rf"^games: {GAMES}$", told, re.M)
    assert re.search(rf"^quiet positions: {len(positions)}$", told, re.M)
    assert re.search(rf"^from Chess960: {len(chess960)} ", told, re.M)


@pytest.mark.parametrize("words", ["datagen --games 2 --nodes 20", "tune --material"])
def test_output_is_a_file(mola, tmp_path, words):
    words = [mola, *words.split(), "--out", "-"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "mola: -: a file is expected, not standard output\n")
    assert not done.stdout and not list(tmp_path.iterdir())


def test_files_that_cannot_be_read(mola, made, tmp_path):
    damaged = bytearray(made.read_bytes())
    damaged[5000] ^= 1
    path = tmp_path / "damaged"
    path.write_bytes(damaged)
    done = run(mola, "info", path)
    assert done.returncode == 1 and "damaged: the block at byte 36 is damaged" in done.stderr, done.stderr
    damaged = bytearray(made.read_bytes())
    damaged[20] ^= 1
    path.write_bytes(damaged)
    done = run(mola, "info", path)
    assert done.returncode == 1 and done.stderr == f"mola: {path}: the header is damaged\n"
    # A block that is cut off is left out.
    path.write_bytes(made.read_bytes()[:-1])
    done = run(mola, "info", path)
    assert "games: 128\n" in done.stdout and "truncated" in done.stderr, done.stderr
    # Bullet has no variants.
    other, out = tmp_path / "atomic", tmp_path / "out"
    words = ["datagen", "--variant", "atomic", "--games", "3", "--nodes", "20", "--out", other]
    subprocess.run([mola, *words], check=True, capture_output=True)
    done = run(mola, "export", other, "--format", "bullet", "--out", out)
    assert done.returncode == 1 and "standard chess only" in done.stderr and not out.exists()
    assert run(mola, "export", other, "--format", "plain", "--out", out).returncode == 0


def test_parts_of_several_machines(mola, tmp_path):
    paths = []
    for part in ("1/2", "2/2", "3/2"):
        path = tmp_path / part.replace("/", "-")
        words = [mola, "datagen", "--games", "5", "--nodes", "20", "--shard", part, "--out", path]
        done = subprocess.run(words, capture_output=True, text=True)
        if part == "3/2":
            assert done.returncode == 2 and "PART/PARTS expected" in done.stderr
        else:
            assert done.returncode == 0 and f"{3 if part == '1/2' else 2} games" in done.stderr
            paths.append(path)
    one, two = (path.read_bytes() for path in paths)
    assert one[16:24] != two[16:24], "the seeds of the openings"
    # A part does not resume the file of another part.
    words = [mola, "datagen", "--games", "9", "--nodes", "20", "--shard", "1/2", "--out", paths[1]]
    assert subprocess.run(words, capture_output=True).returncode == 1


def stopped(*words, after: float) -> str:
    """What a command says that a signal ends soon."""
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    time.sleep(after)
    process.terminate()
    try:
        said = process.communicate(timeout=10)[1]
    finally:
        process.kill()
    assert process.returncode == INTERRUPTED and "the same command resumes the run" in said, said
    return said


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_a_signal_ends_a_long_search(mola, tmp_path):
    words = [mola, "datagen", "--games", "10", "--nodes", "1000000000", "--out", tmp_path / "long"]
    assert "long: 0 games, 0 positions" in stopped(*words, after=1.0)
    # Games that a signal has broken off are played from the beginning.
    words = [mola, "datagen", "--nodes", "3000", "--threads", "2", "--out"]
    said = stopped(*words, tmp_path / "parts", "--games", "1000000", after=1.5)
    games = int(said.split("parts: ")[1].split()[0]) + 2
    for path in (tmp_path / "parts", tmp_path / "whole"):
        subprocess.run([*words, path, "--games", str(games)], check=True, capture_output=True)
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("name", ["chess960", "Fischerandom"])
def test_no_file_is_of_chess960_alone(mola, tmp_path, name):
    words = [mola, "datagen", "--variant", name, "--games", "4", "--nodes", "20", "--out", tmp_path / "out"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2 and 'they are a quarter of those of "chess"' in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()
