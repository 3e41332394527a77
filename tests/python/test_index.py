"""`mola pgn index`: the same answers as without it; stale, damaged and foreign files are noticed."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

import chess
import chess.pgn
import chess.variant
import pytest
from games import first, run


@pytest.fixture
def paths(mola, data, tmp_path):
    """The same games with an index and without."""
    name = "twic1599_1000k.pgn"
    (tmp_path / "plain").mkdir()
    plain = first(data / "pgn" / name, 200, tmp_path / "plain/games.pgn")
    extra = b'\n[Event "v"]\n[Result "*"]\n\n1. e4 e5 (1... Na6 2. a4) 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 -- 5. Nf3 *\n'
    extra += b'\n[Event "x"]\n[Variant "Atomic"]\n\n1. e4 e5 *\n\n[Event "y"]\n[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]\n\n1. O-O-O *\n'
    plain.write_bytes(plain.read_bytes() + extra)
    indexed = tmp_path / "games.pgn"
    indexed.write_bytes(plain.read_bytes())
    assert b"203 games" in run(mola, "index", indexed, "--threads", 2).stderr
    return indexed, plain


def positions(path, count):
    rng = random.Random(5)
    games = []
    with open(path, encoding="latin-1") as stream:
        while (game := chess.pgn.read_game(stream)) is not None:
            if game.board().uci_variant == "chess":
                games.append(game)
    for _ in range(count):
        board = (game := rng.choice(games)).board()
        moves = list(game.mainline_moves())
        for move in moves[: rng.choice([0, 1, 2, 3, 4, 6, 8, 12, 30, 50, 90])]:
            board.push(move)
        yield board.fen()
    yield "rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    yield "r1bqkbnr/pppppppp/n7/8/P3P3/8/1PPP1PPP/RNBQKBNR b KQkq - 0 2"
    yield "2k5/8/8/8/8/8/8/R3K3 w Q - 0 1"
    yield "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"


def test_answers_are_the_same(mola, paths):
    indexed, plain = paths
    assert indexed.with_suffix(".pgn.idx").stat().st_size <= 0.6 * indexed.stat().st_size
    for fen in positions(plain, 20):
        for question in (
            ("tree", "--fen", fen, "--to", "json"),
            ("tree", "--fen", fen, "--to", "json", "--depth", 3),
            ("find", "--fen", fen),
            ("find", "--fen", fen, "--main-line", "--list"),
            ("players", "--where", f'fen "{fen}" and plies > 20', "--to", "json"),
        ):
            with_index, without = (run(mola, question[0], path, *question[1:], "-q").stdout for path in paths)
            assert with_index == without.replace(str(plain).encode(), str(indexed).encode()), question


def test_games_of_variants_are_found(mola, tmp_path):
    """With an index and without; the same board is another position in each variant."""
    games = [("Standard", "e4 e5"), ("Atomic", "e4 e5 Nf3"), ("Atomic", "e4 d5"), ("Crazyhouse", "e4 d5 exd5 Qxd5"), ("Horde", "a5 e5")]
    plain, indexed = tmp_path / "plain.pgn", tmp_path / "indexed.pgn"
    text = "".join(f'[Event "{number}"]\n[Variant "{variant}"]\n\n{moves} *\n\n' for number, (variant, moves) in enumerate(games))
    for path in (plain, indexed):
        path.write_text(text)
    run(mola, "index", indexed)
    e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
    horde = chess.variant.HordeBoard.starting_fen
    pocket = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq -"
    for path in (plain, indexed):
        for question, found in (
            (("--fen", "startpos"), "01234"),
            (("--fen", e4), "0123"),
            (("--where", f'variant = atomic and fen "{e4}"'), "12"),
            (("--fen", pocket), "3"),
            (("--fen", pocket.replace("[Pp]", "")), ""),
            (("--fen", pocket, "--board"), "3"),
            (("--fen", horde), "4"),
            (("--fen", horde, "--board"), "4"),
            (("--where", f'fen "{horde}"'), "4"),
        ):
            text = run(mola, "find", path, "-q", *question).stdout.decode()
            assert "".join(re.findall(r'Event "(.)"', text)) == found, (path, question)
        for variant, moves in (("chess", {"e4": 1}), ("atomic", {"e4": 2}), ("crazyhouse", {"e4": 1}), ("horde", {"a5": 1}), ("3check", {})):
            done = run(mola, "tree", path, "--variant", variant, "--to", "json")
            tree = json.loads(done.stdout)
            assert {m["san"]: m["games"] for m in tree["moves"]} == moves, (path, variant)
            assert (b"--variant" in done.stderr) == (variant == "3check")
        line = ("tree", path, "--variant", "atomic", "--line", "e4", "--to", "json", "--depth")
        for depth in (1, 2):
            assert {m["san"] for m in json.loads(run(mola, *line, depth).stdout)["moves"]} == {"e5", "d5"}


def test_what_is_wrong_is_named(mola, paths):
    indexed, plain = paths
    index = indexed.with_suffix(".pgn.idx")
    assert run(mola, "index", indexed, "--check").returncode == 0
    whole = index.read_bytes()
    tree = ("tree", indexed, "--to", "json")
    expected = run(mola, *tree).stdout
    for at in (9, len(whole) // 2, len(whole) - 20, len(whole) - 100):
        broken = bytearray(whole)
        broken[at] ^= 0x55
        index.write_bytes(broken)
        failed = run(mola, "index", indexed, "--check", check=False)
        assert failed.returncode == 1 and b"games.pgn.idx is damaged" in failed.stderr.replace(b":", b"")
    for text in (b"", b"x", whole[:100], whole[:-1], b"molaidx9" + whole[8:]):
        index.write_bytes(text)
        read = run(mola, *tree)
        assert read.stdout == expected and b"games.pgn.idx" in read.stderr
        assert (b"rebuilds it" in read.stderr) == (text != b"x" and text != b"")
    # Damage among the entries is found in the part that a query reads, without reading all of them.
    at = len(whole) // 4
    index.write_bytes(whole[:8] + bytes(2 * at) + whole[8 + 2 * at :])
    fen = chess.STARTING_FEN
    for words in (tree, ("tree", indexed, "--depth", 2), ("find", indexed, "--fen", fen), ("filter", indexed, "--where", f'fen "{fen}"')):
        read, without = run(mola, *words), run(mola, *(plain if word is indexed else word for word in words))
        assert read.stdout == without.stdout and read.stderr.count(b"is damaged") == 1, words
    index.write_bytes(whole)
    with open(indexed, "ab") as more:
        more.write(b"\n1. Nh3 *\n")
    stale = run(mola, *tree)
    assert b"is out of date" in stale.stderr
    assert json.loads(stale.stdout)["games"] == json.loads(expected)["games"] + 1
    run(mola, "index", indexed, "-q")
    assert run(mola, *tree).stderr == b""
    # An edit in the middle that keeps the length is known by its time.
    with open(indexed, "r+b") as edited:
        edited.seek(indexed.stat().st_size // 2)
        edited.write(b" ")
    stale = lambda: (b"is out of date" in run(mola, *tree).stderr, run(mola, "index", indexed, "--check", check=False).returncode)
    assert stale() == (True, 1)
    run(mola, "index", indexed, "-q")
    assert stale() == (False, 0)
    # So is one of an older time. A copy with the time of the games keeps their index.
    written = indexed.stat().st_mtime_ns
    for time_of_copy, is_stale in ((written - 10**10, True), (written, False)):
        os.utime(indexed, ns=(written, time_of_copy))
        assert stale() == (is_stale, int(is_stale)), time_of_copy
    copy = indexed.with_name("copy.pgn")
    shutil.copy2(indexed, copy)
    os.utime(copy, ns=(written, written))
    os.replace(copy, indexed)
    assert stale() == (False, 0)
    index.write_bytes(b"something of somebody else")
    assert run(mola, "index", indexed, check=False).returncode == 1
    assert run(mola, "index", indexed, "--force").returncode == 0
    assert run(mola, "index", plain.parent, check=False).returncode == 1


def test_a_damaged_index_loses_no_games(mola, paths):
    indexed, plain = paths
    index = indexed.with_suffix(".pgn.idx")
    rng = random.Random(7)
    damaged = bytearray(index.read_bytes())
    for _ in range(300):
        damaged[rng.randrange(8, len(damaged) // 2)] ^= 1 << rng.randrange(8)
    index.write_bytes(damaged)
    noticed = 0
    for fen in positions(plain, 40):
        found, expected = (run(mola, "find", path, "--fen", fen) for path in paths)
        assert found.stdout == expected.stdout, fen
        noticed += b"is damaged" in found.stderr
    assert noticed > 5


def test_an_index_does_not_replace_an_input(mola, tmp_path):
    games, other = tmp_path / "a.pgn", tmp_path / "a.pgn.idx"
    for path in (games, other):
        path.write_text("1. e4 *\n")
    failed = run(mola, "index", games, other, "--force", check=False)
    assert failed.returncode == 1 and b"is the input" in failed.stderr
    assert other.read_text() == "1. e4 *\n"


@pytest.mark.parametrize("start", [b"\x1f\x8b\x08\x00", b"BZh9", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"])
def test_compressed_games_get_no_index(mola, tmp_path, start):
    games = tmp_path / "games.pgn"
    games.write_bytes(start + bytes(100))
    refused = run(mola, "index", games, check=False)
    assert refused.returncode == 1 and b"compressed games cannot have an index" in refused.stderr
    assert list(tmp_path.iterdir()) == [games]


def has_unnamed_files(folder):
    """Whether the file that a killed program was writing is freed."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
        return True
    except (AttributeError, OSError):
        return False


def test_an_index_is_not_read_as_games(mola, paths):
    index = f"{paths[0]}.idx"
    before = set(os.listdir(paths[0].parent))
    for command in ("index", "stats"):
        refused = run(mola, command, index, check=False)
        assert refused.returncode == 1 and b"it is an index of games; name the games" in refused.stderr, command
    assert set(os.listdir(paths[0].parent)) == before


def test_a_build_that_is_killed_goes_on(mola, data, tmp_path):
    path, other = tmp_path / "games.pgn", tmp_path / "other.pgn"
    path.write_bytes((data / "pgn/twic1599_1000k.pgn").read_bytes() * 30)
    shutil.copy(path, other)
    run(mola, "index", other, "-q", "--threads", 2)
    note = tmp_path / "games.pgn.idx.run"
    for stop in (signal.SIGKILL, signal.SIGINT):
        index = subprocess.Popen([mola, "pgn", "index", path, "-q"], stderr=subprocess.PIPE)
        before = len(note.read_bytes().splitlines()) if note.exists() else 1
        while index.poll() is None and (not note.exists() or len(note.read_bytes().splitlines()) <= before):
            time.sleep(0.01)
        index.send_signal(stop)
        _, said = index.communicate()
        assert stop != signal.SIGINT or b"the same command resumes" in said
        assert not path.with_suffix(".pgn.idx").exists()
    begun = int(note.read_bytes().splitlines()[-1])
    again = run(mola, "index", path, "--threads", 2)
    assert begun > 16 << 20 and b"33300 games" in again.stderr
    # But for what tells the two files apart, and the last checksum.
    assert path.with_suffix(".pgn.idx").read_bytes()[:-12] == other.with_suffix(".pgn.idx").read_bytes()[:-12]
    left = {file.name for file in tmp_path.iterdir()}
    if not has_unnamed_files(tmp_path):
        # A later run removes what a killed run has left.
        left = {name for name in left if not name.startswith(".mola-")}
    assert left == {name + end for name in ("games.pgn", "other.pgn") for end in ("", ".idx")}


def test_standard_input_has_no_index(mola, tmp_path):
    """A file of its name may have one."""
    (tmp_path / "-").write_text("1. e4 *\n")
    words = lambda *words: subprocess.run([mola, "pgn", *words], cwd=tmp_path, input=b"1. d4 *\n", capture_output=True, check=True)  # noqa: E731
    words("index", "./-")
    for files in ([], ["-"]):
        assert [move["san"] for move in json.loads(words("tree", *files, "--to", "json").stdout)["moves"]] == ["d4"]
        assert b"1. d4 *" in words("find", *files, "--fen", "startpos").stdout


def test_the_first_move_of_a_position_with_several_keys(mola, tmp_path):
    """The pawn on e4 is pinned, so that the position after d4 is the same as later."""
    start = '[FEN "4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1"]\n\n'
    games = start + "1. d4 Kf8 2. Kb1 Ke8 3. Ka1 Kd7 *\n\n"
    games += start + "1. d4 (1. d3 Kf8 2. Kb1 Ke8 3. Kb2 Kf8 4. Ka1 Ke8 5. d4 Kd7) Kf8 *\n"
    path = tmp_path / "games.pgn"
    path.write_text(games)
    words = ("tree", path, "--to", "json", "--fen", "4k3/8/8/8/3Pp3/8/8/K3R3 b - - 0 1")
    without = run(mola, *words).stdout
    assert [(move["san"], move["games"]) for move in json.loads(without)["moves"]] == [("Kf8", 2)]
    run(mola, "index", path)
    assert run(mola, *words).stdout == without


def test_problems_of_games_that_an_index_names(mola, tmp_path):
    """They are reported as without it, also those of other files."""
    names = [tmp_path / name for name in ("a.pgn", "b.pgn", "c.pgn")]
    for name in names:
        name.write_text('[Event "1"]\n\n1. d4 *\n\n[Event "2"]\n\n1. e4 e5 (1... Ke7) 2. Ke3 *\n')
    words = ("find", *names, "--fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    without = run(mola, *words)
    for number in (2, 4, 6):
        assert b"game %d, ply 1: error: Ke7" % number in without.stderr
    for name in names[:2]:
        run(mola, "index", "-q", name)
    found = run(mola, *words)
    assert (found.stdout, found.stderr) == (without.stdout, without.stderr)


def test_a_pipe_is_no_index(mola, tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 *\n")
    os.mkfifo(tmp_path / "games.pgn.idx")
    refused = subprocess.run([mola, "pgn", "index", path], capture_output=True, timeout=20)
    assert refused.returncode == 1 and b"games.pgn.idx: a file is expected" in refused.stderr, refused.stderr
