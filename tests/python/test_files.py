"""No command loses a file: outputs that are inputs, existing files, kills, full disks."""

import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn
import pytest

from engine import INTERRUPTED

SEED = int(os.environ.get("SEED", "1"))
# How often each command is killed.
KILLS = int(os.environ.get("KILLS", "50"))

OLD = b"somebody's work\n"


@dataclass(frozen=True)
class Row:
    """A command that writes a file. In its arguments, IN, OTHER and OUT stand for paths."""

    words: str
    # IN and OTHER: files of the fixture `inputs`.
    inputs: tuple[str, ...] = ("games.pgn",)
    # If the command writes several files to the folder OUT: one of them.
    name: str | None = None
    # Whether the same command resumes an unfinished run ...
    goes_on: bool = False
    # ... in its output file itself, recognised by its first bytes; so it has no --force.
    grows: bool = False

    @property
    def id(self) -> str:
        return "-".join(word for word in self.words.split() if word.islower() or word == "--animate")


ROWS = [
    Row("pgn convert IN -o OUT"),
    Row("pgn convert IN --to jsonl --threads 2 -o OUT"),
    Row("pgn filter IN --white 7 -o OUT"),
    Row("pgn find IN --main-line --board --fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR -o OUT"),
    Row("pgn find IN --list --main-line --material KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP -o OUT"),
    Row("pgn merge IN OTHER -o OUT", ("games.pgn", "few.pgn")),
    Row("pgn dedupe OTHER IN -o OUT", ("games.pgn", "few.pgn")),
    Row("pgn dedupe IN --known OTHER -o OUT", ("games.pgn", "few.pgn")),
    Row("pgn eco IN -o OUT"),
    Row("pgn sort IN --by White,-Black -o OUT"),
    Row("pgn tree IN --depth 4 --to polyglot -o OUT"),
    Row("pgn players IN --to csv -o OUT"),
    Row("pgn players IN --player 7 --plot OUT"),
    Row("pgn openings IN -o OUT"),
    Row("pgn split IN --by White -o OUT", name="7.pgn"),
    Row("pgn split IN --games 100 -o OUT", name="000002.pgn"),
    Row("pgn annotate IN --depth 3 --hash 1 -o OUT", ("few.pgn",), goes_on=True),
    Row("analyse IN --depth 2 --annotate OUT", ("few.pgn",)),
    Row("match --from IN --json OUT"),
    Row("match --from IN --plot OUT"),
    Row("recon replay IN --svg --out OUT", ("game.json",)),
    Row("book make IN --min-game 1 --out OUT"),
    Row("book merge IN OTHER --out OUT", ("book.bin", "other.bin")),
    Row("svg --animate IN --out OUT", ("few.pgn",)),
    Row("svg startpos e2e4 --out OUT", ()),
    Row("tables generate KRvK KQvK --out OUT", (), name="KRvK.rtbw"),
    Row("datagen --games 150 --nodes 20 --out OUT", (), goes_on=True, grows=True),
    Row("traindata export IN --format plain --out OUT", ("games.data",)),
    Row("tune IN --epochs 2 --out OUT", ("games.data",)),
    Row("tune --material --out OUT", ()),
    Row("man --dir OUT", (), name="mola-pgn.1"),
]
every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
rows_that_read = pytest.mark.parametrize("row", [row for row in ROWS if row.inputs], ids=lambda row: row.id)


def games(count: int, start: int = 0) -> str:
    """Games of random moves."""
    rng = random.Random(SEED)
    texts = []
    for number in range(start, start + count):
        board = chess.Board()
        for _ in range(30):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        game = chess.pgn.Game.from_board(board)
        game.headers["White"], game.headers["Result"] = str(number % 10), "1/2-1/2"
        texts.append(f"{game}\n\n")
    return "".join(texts)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory, mola) -> Path:
    """The inputs of the commands."""
    folder = tmp_path_factory.mktemp("inputs")
    some = games(100)
    (folder / "games.pgn").write_text(some * 20)
    (folder / "few.pgn").write_text(games(10, 100))
    (folder / "more.pgn").write_text(some)
    make = ["--min-game", "1", "--out"]
    for words in (
        ["book", "make", "games.pgn", *make, "book.bin"],
        ["book", "make", "few.pgn", *make, "other.bin"],
        ["datagen", "--games", "100", "--nodes", "20", "--out", "games.data"],
        ["recon", "match", "random", "random", "--games", "1", "--histories", "histories"],
    ):
        subprocess.run([mola, *words], cwd=folder, check=True, capture_output=True)
    (folder / "histories/0001-random-random.json").rename(folder / "game.json")
    return folder


class Desk:
    """A folder with the inputs of a command and a place for its output."""

    def __init__(self, mola: str, row: Row, inputs: Path, folder: Path):
        self.mola, self.row, self.folder = mola, row, folder
        folder.mkdir(exist_ok=True)
        self.paths = {}
        for word, name in zip(("IN", "OTHER"), row.inputs):
            self.paths[word] = folder / f"the {name}"
            shutil.copyfile(inputs / name, self.paths[word])
        # A separate folder, so that files left beside the output are seen.
        self.place = folder / "place"
        self.place.mkdir()
        self.out = self.place if row.name else self.place / "out"

    @property
    def file(self) -> Path:
        """The output, or one of the outputs."""
        return self.out / self.row.name if self.row.name else self.out

    def command(self, *more: str, **paths: Path) -> list[str]:
        paths = {"OUT": self.out, **self.paths, **paths}
        return [self.mola, *(str(paths.get(word, word)) for word in self.row.words.split()), *more]

    def run(self, *more: str, preexec=None, **paths: Path) -> subprocess.CompletedProcess:
        return subprocess.run(
            self.command(*more, **paths), capture_output=True, preexec_fn=preexec, text=True, timeout=60
        )

    def succeed(self, *more: str) -> None:
        done = self.run(*more)
        assert done.returncode == 0, done.stderr

    def force(self) -> list[str]:
        return [] if self.row.grows else ["--force"]

    def fail(self, said: str, *more: str, preexec=None, **paths: Path) -> str:
        """The command ends with code 1 and a message with these words."""
        done = self.run(*more, preexec=preexec, **paths)
        assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
        last = done.stderr.strip().splitlines()[-1]
        assert last.startswith("mola: ") and said in last, done.stderr
        assert "os error" not in last, last
        return last

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.place.iterdir() if path.is_file()}

    def clear(self) -> None:
        for path in self.place.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def whole(self) -> dict[str, bytes]:
        """The command's output."""
        self.clear()
        self.succeed()
        files = self.files()
        assert files[self.file.name] and OLD not in files.values()
        self.clear()
        return files


@pytest.fixture
def desk(mola, row, inputs, tmp_path) -> Desk:
    return Desk(mola, row, inputs, tmp_path / "desk")


def spellings(desk: Desk) -> list[Path]:
    """Several names of the input."""
    there = desk.paths["IN"]
    names = [there, there.parent / "." / there.name, desk.place / ".." / there.name]
    if not desk.row.name:
        soft, hard, around = desk.folder / "soft", desk.folder / "hard", desk.folder / "around"
        soft.symlink_to(there.name)
        os.link(there, hard)
        around.symlink_to(desk.folder)
        names += [soft, hard, around / there.name]
    return names


@rows_that_read
def test_an_output_that_is_an_input_is_refused(desk, row):
    if row.name:
        # The output in the folder is the input, or a link to it.
        there = desk.paths["IN"]
        before = there.read_bytes()
        for link in (os.link, os.symlink):
            link(there, desk.file)
            for more in ([], ["--force"]):
                desk.fail("the input", *more)
                desk.fail("the input", *more, IN=desk.file)
                desk.fail("the input", *more, OUT=desk.place / ".." / "place")
            assert there.read_bytes() == before and os.listdir(desk.place) == [row.name]
            desk.file.unlink()
        return
    before = desk.paths["IN"].read_bytes()
    names = spellings(desk)
    for out in names:
        for more in ([], ["--force"]):
            desk.fail("the input", *more, OUT=out)
            desk.fail("the input", *more, IN=out, OUT=desk.paths["IN"])
        assert desk.paths["IN"].read_bytes() == before
    if "OTHER" in desk.paths:
        desk.fail("the input", "--force", OUT=desk.paths["OTHER"])
    left = {path.name for path in desk.folder.iterdir()}
    assert left == {path.name for path in [*names, *desk.paths.values(), desk.place]} | {"around"}


@every_row
def test_a_file_that_is_there_is_kept(desk, row):
    whole = desk.whole()
    desk.file.write_bytes(OLD)
    desk.fail(row.name or "out")
    assert desk.files() == {desk.file.name: OLD} and len(os.listdir(desk.place)) == 1
    if row.grows:
        return
    desk.succeed("--force")
    assert desk.files() == whole and len(os.listdir(desk.place)) == len(whole)
    # A link stays a link, and its target keeps its permissions.
    if not row.name:
        target = desk.folder / "target"
        target.write_bytes(OLD)
        target.chmod(0o640)
        desk.out.unlink()
        desk.out.symlink_to(target)
        desk.succeed("--force")
        assert desk.out.is_symlink() and target.read_bytes() == whole["out"]
        assert target.stat().st_mode & 0o777 == 0o640


@every_row
def test_a_new_file_has_the_rights_of_any(desk):
    before = os.umask(0o027)
    try:
        desk.succeed()
    finally:
        os.umask(before)
    assert desk.file.stat().st_mode & 0o777 == 0o640


@rows_that_read
def test_a_mistyped_input_changes_nothing(desk, row):
    desk.file.write_bytes(OLD)
    desk.fail("nofile", "--force", IN=desk.folder / "nofile")
    assert desk.files() == {desk.file.name: OLD} and len(os.listdir(desk.place)) == 1


@pytest.mark.parametrize("row", [row for row in ROWS if not row.name], ids=lambda row: row.id)
def test_an_output_that_cannot_be_is_named(desk):
    desk.fail("nowhere/out", OUT=desk.folder / "nowhere/out")
    desk.fail("place", OUT=desk.place)
    assert os.listdir(desk.place) == []


def kill_at_random(desk: Desk, moments: random.Random, longest: float) -> None:
    process = subprocess.Popen(
        desk.command(*desk.force()), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(moments.uniform(0, longest))
    process.kill()
    process.wait()


@every_row
def test_a_kill_leaves_the_old_file_or_the_new_one(desk, row):
    whole = desk.whole()
    # By the third run everything is in the system's cache.
    lengths = []
    for _ in range(3):
        start = time.perf_counter()
        desk.succeed(*desk.force())
        lengths.append(time.perf_counter() - start)
        desk.clear()
    moments, replaced = random.Random(SEED), 0
    grown = b""
    if not row.grows:
        desk.file.write_bytes(OLD)
    for _ in range(KILLS):
        kill_at_random(desk, moments, 1.2 * min(lengths))
        files = desk.files()
        names = set(os.listdir(desk.place))
        if row.grows:
            # A written block of games is never lost; only one being written at the kill is.
            now = files.get("out", b"")
            assert whole["out"].startswith(now) and len(now) + 40_000 > len(grown)
            grown = b"" if now == whole["out"] else now
            if now == whole["out"]:
                replaced += 1
                desk.clear()
            continue
        extra = names - set(whole)
        temporary = {name for name in extra if name.startswith(".mola-")}
        assert len(temporary) <= 1, names
        if row.goes_on:
            assert extra - temporary <= {"out.part", "out.run"}, names
            assert whole["out"].startswith(files.get("out.part", b""))
        else:
            assert extra == temporary, names
        for name in names & set(whole):
            assert files[name] in (whole[name], OLD if name == desk.file.name else None), name
        if files[desk.file.name] != OLD:
            replaced += 1
            desk.clear()
            desk.file.write_bytes(OLD)
        for path in desk.place.glob(".mola-*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    # The resumed run ends as if it had never been killed.
    desk.succeed(*desk.force())
    assert desk.files() == whole


@every_row
def test_a_full_disk_leaves_nothing(desk, row):
    whole = desk.whole()

    def limit(size: int):
        def preexec():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        return preexec

    size = len(whole[desk.file.name])
    for room in (0, 1, size // 2, size - 1):
        if not row.grows:
            desk.file.write_bytes(OLD)
        said = desk.fail("File too large", *desk.force(), preexec=limit(room))
        assert any(f"{desk.place / name}" in said for name in whole), said
        files = desk.files()
        if row.grows:
            assert whole["out"].startswith(files["out"])
        elif row.goes_on:
            assert files["out"] == OLD and set(files) <= {"out", "out.part", "out.run"}
            assert whole["out"].startswith(files.get("out.part", b""))
        else:
            assert files == {desk.file.name: OLD} and len(os.listdir(desk.place)) == 1
    # When there is room again, it ends normally.
    desk.succeed(*desk.force())
    assert desk.files() == whole


@pytest.fixture(scope="module")
def full_disk(tmp_path_factory):
    """A full disk."""
    folder = tmp_path_factory.mktemp("disk")
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("no disk can be mounted here to fill it")
    try:
        (folder / "place").mkdir()
        (folder / "place/out").write_bytes(OLD)
        with (folder / "filler").open("wb", buffering=0) as filler, pytest.raises(OSError):
            while filler.write(bytes(4096)):
                pass
        yield folder / "place"
    finally:
        subprocess.run(["umount", folder], check=True)


@every_row
def test_a_really_full_disk_leaves_nothing(desk, row, full_disk):
    before = sorted(os.listdir(full_disk))
    if row.grows:
        desk.fail("new: No space left on device", OUT=full_disk / "new")
        (full_disk / "new").unlink()
    elif row.name:
        desk.fail("No space left on device", OUT=full_disk)
    else:
        said = desk.fail("No space left on device", "--force", OUT=full_disk / "out")
        assert str(full_disk / "out") in said
    assert (full_disk / "out").read_bytes() == OLD and sorted(os.listdir(full_disk)) == before


def has_begun(process: subprocess.Popen, place: Path) -> bool:
    """Whether a program is writing a file in a folder, visible or without a name yet."""
    if os.listdir(place):
        return True
    with contextlib.suppress(OSError):
        for entry in os.scandir(f"/proc/{process.pid}/fd"):
            with contextlib.suppress(OSError):
                if os.readlink(entry.path).startswith(f"{place}/"):
                    return True
    return False


@every_row
def test_an_interrupt_leaves_nothing(desk, row):
    """The records of an unfinished run remain, with a message on how to resume it."""
    process = subprocess.Popen(desk.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 10
    while process.poll() is None and not has_begun(process, desk.place):
        assert time.monotonic() < deadline
    time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=10)[1]
    left = set(os.listdir(desk.place))
    if not row.goes_on:
        # In one of a thousand kills, a new temporary file is not yet registered for removal.
        assert process.returncode in (0, INTERRUPTED, -signal.SIGINT) and not any(name.startswith(".") for name in left)
    elif process.returncode != 0:
        assert "the same command" in said or "no progress yet" in said, said


# --- pgn annotate --------------------------------------------------------------------------------


@pytest.fixture
def annotate(mola, inputs, tmp_path):
    row = next(row for row in ROWS if "annotate" in row.words)
    return Desk(mola, row, inputs, tmp_path / "desk")


def stopped(desk: Desk, records: int) -> None:
    """Interrupts a run after some games."""
    process = subprocess.Popen(desk.command(), stderr=subprocess.PIPE, text=True)
    note, deadline = desk.place / "out.run", time.monotonic() + 30
    while not note.exists() or len(note.read_bytes().splitlines()) <= records:
        assert process.poll() is None and time.monotonic() < deadline
    process.send_signal(signal.SIGINT)
    said = process.communicate()[1]
    assert "kept in" in said and "the same command resumes" in said, said


def test_annotate_goes_on(annotate):
    whole = annotate.whole()
    stopped(annotate, 2)
    part = annotate.place / "out.part"
    assert whole["out"].startswith(part.read_bytes())
    # A game that was cut off is annotated again.
    with part.open("ab") as file:
        file.write(b'[Event "ha')
    done = annotate.run()
    assert done.returncode == 0 and ", 0 were there" not in done.stderr, done.stderr
    assert annotate.files() == whole


def test_a_stopped_analysis_leaves_no_games_that_look_annotated(mola, inputs, tmp_path):
    """The run that resumes it writes all of them."""
    words = "analyse IN --depth 3 --json OUT --annotate GAMES"
    desk = Desk(mola, Row(words, ("few.pgn",)), inputs, tmp_path / "desk")
    desk.paths["GAMES"] = desk.place / "annotated.pgn"
    whole = desk.whole()["annotated.pgn"]
    stopped(desk, 5)
    assert set(desk.files()) == {"out.part", "out.run"}
    desk.succeed()
    assert set(desk.files()) == {"out", "annotated.pgn"}
    assert desk.files()["annotated.pgn"].count(b"[%eval") == whole.count(b"[%eval")


def test_annotate_keeps_to_its_settings(annotate):
    stopped(annotate, 2)
    before = annotate.files()
    for more in (["--evals-only"], ["--nodes", "100"]):
        annotate.fail("--depth 3", *more)
        annotate.fail(more[0], *more)
        assert annotate.files() == before
    with annotate.paths["IN"].open("a") as file:
        file.write("\n1. e4 *\n")
    annotate.fail("other settings")
    assert annotate.files() == before
    annotate.succeed("--force")
    assert set(annotate.files()) == {"out"}


def test_annotate_knows_its_games_by_their_content(annotate):
    """Not by name and size: the same games in another order are other games."""
    stopped(annotate, 2)
    before = annotate.files()
    path = annotate.paths["IN"]
    text = path.read_text().strip()
    games_again = ["[Event " + game for game in text.split("[Event ")[1:]]
    turned = "\n\n".join(game.strip() for game in games_again[::-1])
    size = path.stat().st_size
    assert len(turned) <= size and turned != text
    path.write_text(turned.ljust(size, "\n"))
    assert path.stat().st_size == size
    annotate.fail("other settings")
    assert annotate.files() == before


def test_annotate_leaves_the_parts_of_others(annotate):
    for name in ("out.part", "out.run"):
        (annotate.place / name).write_bytes(OLD)
        for more in ([], ["--force"]):
            annotate.fail(name, *more)
            assert annotate.files() == {name: OLD}
        annotate.clear()


# --- files of engines ----------------------------------------------------------------------------


@pytest.fixture
def weights(mola, tmp_path) -> Path:
    """Weights of an evaluation, and others in a second file."""
    for seed in (1, 2):
        words = ["datagen", "--games", "20", "--nodes", "20", "--seed", str(seed), "--out", f"{seed}.data"]
        subprocess.run([mola, *words], cwd=tmp_path, check=True, capture_output=True)
        words = ["tune", f"{seed}.data", "--epochs", "1", "--width", "0", "--out", f"{seed}.bin"]
        subprocess.run([mola, *words], cwd=tmp_path, check=True, capture_output=True)
    return (tmp_path / "1.bin").rename(tmp_path / "w.bin")


@pytest.mark.parametrize(
    "words",
    [
        "analyse few.pgn --nodes 1 --option EvalFile=FILE --json FILE",
        "analyse few.pgn --nodes 1 --option BookFile=FILE --annotate FILE",
        "analyse few.pgn --nodes 1 --engine FILE --json FILE",
        "analyse few.pgn --nodes 1 --engine cmd=nothing,arg=--weights=FILE --json FILE",
        "match cmd=a,option.EvalFile=FILE b --nodes 1 --pgn FILE",
        "match a b --option EvalFile=FILE --nodes 1 --json FILE",
        "match FILE b --nodes 1 --plot FILE",
        "spsa --engine FILE --param Hash,16,1,32 --pairs 1 --nodes 1 --plot FILE",
        "review one.pgn --engine cmd=nothing,option.EvalFile=FILE -o FILE",
        "review one.pgn --engine FILE --json FILE",
        "puzzles few.pgn --engine FILE -o FILE",
        "recon play cmd:FILE --history FILE",
        "play --engine cmd=nothing,option.BookFile=FILE --pgn FILE",
    ],
)
@pytest.mark.parametrize("linked", [False, True], ids=["named", "linked"])
def test_files_of_an_engine_are_no_outputs(mola, inputs, tmp_path, words, linked):
    file, link = tmp_path / "file.html", tmp_path / "link.html"
    file.write_bytes(OLD)
    link.symlink_to(file)
    if words.startswith("review"):
        (inputs / "one.pgn").write_text(games(1))
    before, _, last = words.rpartition("FILE")
    words = before.replace("FILE", str(file)) + str(link if linked else file) + last
    force = [] if words.startswith(("spsa", "play")) else ["--force"]
    done = subprocess.run([mola, *words.split(), *force], cwd=inputs, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "choose another name" in done.stderr, done.stderr
    assert file.read_bytes() == OLD and sorted(os.listdir(tmp_path)) == ["file.html", "link.html"]


@pytest.mark.parametrize(
    "words",
    [
        "analyse IN --depth 3 --option EvalFile=WEIGHTS --json OUT",
        "pgn annotate IN --depth 3 --engine cmd=MOLA,option.EvalFile=WEIGHTS -o OUT",
        "puzzles IN --depth 3 --engine cmd=MOLA,option.EvalFile=WEIGHTS --to csv -o OUT",
        "match cmd=MOLA,name=a cmd=MOLA,name=b --option EvalFile=WEIGHTS --nodes 50 --pgn OUT",
        "match cmd=MOLA,name=a cmd=ENGINE,name=b,arg=--weights=WEIGHTS --nodes 50 --pgn OUT",
        "pgn annotate IN --depth 3 --engine cmd=ENGINE,arg=--weights,arg=WEIGHTS -o OUT",
    ],
)
def test_a_resumed_run_knows_the_files_of_its_engine(mola, inputs, tmp_path, weights, words):
    # Mola reads no arguments such as lc0's.
    engine = tmp_path / "engine"
    engine.write_text(f"#!/bin/sh\nexec '{mola}' uci\n")
    engine.chmod(0o755)
    for name, path in (("MOLA", mola), ("ENGINE", engine), ("WEIGHTS", weights)):
        words = words.replace(name, str(path))
    desk = Desk(mola, Row(words, ("few.pgn",)), inputs, tmp_path / "desk")
    stopped(desk, 3)
    before, old = desk.files(), weights.read_bytes()
    shutil.copyfile(tmp_path / "2.bin", weights)
    assert f"{weights} (" in desk.fail("other settings")
    assert desk.files() == before
    weights.write_bytes(old)
    stopped(desk, len(before["out.run"].splitlines()))


@pytest.mark.parametrize(
    "words",
    [
        "analyse IN --depth 3 --engine ENGINE --json OUT",
        "pgn annotate IN --depth 3 --engine ENGINE -o OUT",
        "match cmd=MOLA,name=a cmd=ENGINE,name=b --nodes 50 --games 1000 --pgn OUT",
    ],
)
def test_a_resumed_run_knows_the_program_of_its_engine(mola, inputs, tmp_path, words):
    """Half of a match by the old build and half by the new one would look like a match of one."""
    engine = tmp_path / "engine"
    text = f"#!/bin/sh\nexec '{mola}' uci\n"
    engine.write_text(text)
    engine.chmod(0o755)
    words = words.replace("MOLA", str(mola)).replace("ENGINE", str(engine))
    desk = Desk(mola, Row(words, ("few.pgn",)), inputs, tmp_path / "desk")
    stopped(desk, 3)
    before = desk.files()
    engine.write_text(text + "# Built again.\n")
    assert f"{engine} (" in desk.fail("other settings")
    assert desk.files() == before
    engine.write_text(text)
    stopped(desk, len(before["out.run"].splitlines()))


@pytest.mark.parametrize(
    "words, wrong",
    [
        ("match cmd={mola},name=a cmd={engine},name=b --nodes 50 --games 1000 --pgn OUT", {"engine": "./none"}),
        ("match cmd={mola},name=a cmd={engine},name=b --nodes 50 --games 1000 --pgn OUT", {"engine": "false"}),
        ("pgn annotate IN --depth 3 --engine {engine} -o OUT", {"engine": "false"}),
        ("pgn annotate IN --depth 3 --engine {engine} -o OUT", {"IN": "none.pgn"}),
        ("analyse IN --depth 3 --engine {engine} --json OUT", {"engine": "false"}),
        ("analyse IN --depth 3 --engine {engine} --json OUT", {"IN": "none.pgn"}),
        ("puzzles IN --depth 3 --engine {engine} --to csv -o OUT", {"IN": "none.pgn"}),
    ],
)
def test_a_command_that_only_fails_keeps_the_records_of_a_stopped_run(mola, inputs, tmp_path, words, wrong):
    """`--force` is for those that replace them."""
    desk = Desk(mola, Row(words.format(mola=mola, engine=mola), ("few.pgn",)), inputs, tmp_path / "desk")
    stopped(desk, 3)
    before = desk.files()
    row = Row(words.format(mola=mola, engine=wrong.get("engine", mola)))
    command = Desk(mola, row, inputs, tmp_path / "failing").command("--force", IN=wrong.get("IN", desk.paths["IN"]), OUT=desk.out)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and desk.files() == before, done.stderr
    stopped(desk, len(before["out.run"].splitlines()))


def test_numbers_are_no_files_of_an_engine(mola, tmp_path):
    """Nor is the argument of Mola's own engine, though files have these names."""
    (tmp_path / "start.epd").write_text(chess.Board().epd() + "\n")
    for name in ("64", "uci"):
        words = ["analyse", "start.epd", "--depth", "1", "--option", "Hash=64", "--json", name]
        (tmp_path / name).write_bytes(OLD)
        done = subprocess.run([mola, *words, "--force"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / name).read_bytes() != OLD


def test_a_log_of_the_engine_may_grow(mola, inputs, tmp_path):
    """It is no input, though an option names it."""
    log = tmp_path / "log.txt"
    log.write_text("begun\n")
    words = "analyse IN --depth 3 --json OUT --option NAMED"
    desk = Desk(mola, Row(words, ("few.pgn",)), inputs, tmp_path / "desk")
    desk.paths["NAMED"] = f"Debug Log File={log}"
    stopped(desk, 3)
    assert log.read_text() != "begun\n"
    desk.succeed()


# --- folders -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["pgn split IN --by White -o OUT", "pgn convert IN --to parquet --by white -o OUT"]
)
def test_a_killed_run_leaves_no_folder_for_ever(mola, inputs, tmp_path, words):
    """The next run removes what a kill left of the last one, at once, but not what a run holds."""
    desk = Desk(mola, Row(words, name="any"), inputs, tmp_path / "desk")
    (desk.place / ".mola-killed.part/White=7").mkdir(parents=True)
    (desk.place / ".mola-killed.part/.lock").touch()
    desk.succeed()
    assert not list(desk.place.glob(".mola-*")) and list(desk.place.iterdir())


# --- others --------------------------------------------------------------------------------------


def test_the_standard_output_may_not_be_the_input(mola, inputs, tmp_path):
    """`>>` would never end."""
    path = tmp_path / "games.pgn"
    shutil.copyfile(inputs / "few.pgn", path)
    before = path.read_bytes()
    with path.open("ab") as out:
        done = subprocess.run([mola, "pgn", "merge", path], stdout=out, stderr=subprocess.PIPE, timeout=10)
    assert done.returncode == 1 and b"input" in done.stderr and path.read_bytes() == before


@pytest.mark.parametrize(
    "words, text",
    [
        ("pgn stats FILE", "1. e4 *\n"),
        ("pgn headers FILE", "1. e4 *\n"),
        ("pgn validate FILE", "1. e4 *\n"),
        ("pgn parse FILE", "1. e4 *\n"),
        ("match --from FILE", "1. e4 *\n"),
        ("analyse FILE --depth 1", "1. e4 *\n"),
        ("epd --file FILE", chess.STARTING_FEN + "\n"),
        ("book dump FILE", "0123456789abcdef"),
        ("book info FILE", "0123456789abcdef"),
        ("fen --batch", '{"fen": "8/8/8/8/8/8/8/8"}\n'),
        ("pgn parse --batch", '{"pgn": "1. e4 *"}\n'),
        ("fen -", chess.STARTING_FEN + "\n"),
        ("env", "{}\n"),
        ("uci", "isready\n"),
        ("recon arbiter", "{}\n"),
        ("play", "e4\n"),
    ],
)
def test_no_command_adds_to_its_input(mola, tmp_path, words, text):
    """The input is FILE, or the standard input."""
    path = tmp_path / "the input"
    path.write_text(text)
    words = [mola, *(str(path) if word == "FILE" else word for word in words.split())]
    # What would not end is stopped by the limit.
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    with path.open("ab") as out, path.open("rb") as read:
        done = subprocess.run(words, stdin=read, stdout=out, stderr=subprocess.PIPE, timeout=30, preexec_fn=limit)
    assert done.returncode == 1 and b"is the input and the output" in done.stderr, done.stderr
    assert path.read_text() == text


@pytest.mark.parametrize("words", ["tune games.data --epochs 1 --out OUT", "pgn annotate few.pgn --depth 1 -o OUT"])
def test_a_name_that_is_too_long_is_told_before_the_work(mola, inputs, tmp_path, words):
    words = [str(tmp_path / ("x" * 300)) if word == "OUT" else word for word in words.split()]
    done = subprocess.run([mola, *words], cwd=inputs, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "File name too long" in done.stderr
    assert len(done.stderr.splitlines()) == 1 and not done.stdout and not os.listdir(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root has files of others")
@pytest.mark.parametrize("words", ["pgn merge few.pgn -o OUT --force", "pgn annotate few.pgn --depth 1 -o OUT --force"])
def test_files_of_others(mola, inputs, words):
    """They stay theirs when root replaces them. In a shared folder they are not replaced by others."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "theirs"
        path.write_bytes(OLD)
        path.chmod(0o600)
        os.chown(path, 65534, 65533)
        words = [mola, *(str(path) if word == "OUT" else word for word in words.split())]
        subprocess.run(words, cwd=inputs, check=True, capture_output=True, timeout=60)
        found = path.stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (65534, 65533, 0o600)
        assert path.read_bytes() != OLD
        path.write_bytes(OLD)
        os.chmod(folder, 0o1777)
        # The user may be unable to reach the folders of the program and its inputs by their names.
        shutil.copyfile(inputs / "few.pgn", Path(folder) / "few.pgn")
        os.chmod(Path(folder) / "few.pgn", 0o644)
        program = os.open(mola, os.O_RDONLY)
        words[0] = f"/proc/self/fd/{program}"
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60, user=65532, group=65532,
                              pass_fds=[program])  # fmt: skip
        os.close(program)
        assert done.returncode == 1 and "cannot be replaced: it belongs to another user" in done.stderr
        assert path.read_bytes() == OLD and sorted(os.listdir(folder)) == ["few.pgn", "theirs"]


def test_work_whose_name_is_taken_meanwhile_is_kept(mola, inputs, tmp_path):
    """Here by a file that appears, and by a folder that goes."""
    for number in range(2):
        place = tmp_path / str(number)
        place.mkdir()
        pipe = tmp_path / f"pipe {number}"
        os.mkfifo(pipe)
        command = [mola, "pgn", "merge", pipe, "-o", place / "out"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        with pipe.open("wb") as games:
            games.write((inputs / "few.pgn").read_bytes())
            if number == 0:
                (place / "out").write_bytes(OLD)
            else:
                shutil.rmtree(place)
        said = process.communicate(timeout=30)[1].strip()
        assert process.returncode == 1 and "what was written is kept in " in said, said
        assert "/./" not in said
        kept = tmp_path / said.split("is kept in ")[1]
        assert kept.read_bytes().count(b"[Event ") == 10
    assert (tmp_path / "0/out").read_bytes() == OLD


def test_devices_and_pipes_are_written_as_they_are(mola, inputs, tmp_path):
    few = inputs / "few.pgn"
    words = [mola, "pgn", "merge", few, "-o"]
    plain = subprocess.run([*words, "-"], capture_output=True, check=True).stdout
    assert plain.count(b"[Event ") == 10
    assert subprocess.run([*words, "/dev/stdout"], capture_output=True, check=True).stdout == plain
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    subprocess.run([*words, pipe], check=True)
    assert reader.communicate(timeout=10)[0] == plain and pipe.is_fifo()
    full = subprocess.run([*words, "/dev/full"], capture_output=True)
    assert full.returncode == 1 and b"/dev/full: No space left" in full.stderr


@pytest.mark.parametrize(
    "words",
    [
        "pgn annotate few.pgn --depth 1 -o OUT",
        "match MOLA MOLA --pgn OUT --nodes 5 --games 2",
        "analyse few.pgn --depth 1 --json OUT",
    ],
)
def test_a_long_run_replaces_no_device(mola, inputs, tmp_path, words):
    """It would be a file afterwards, `/dev/null` included."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = [{"MOLA": mola, "OUT": pipe}.get(word, word) for word in words.split()]
    done = subprocess.run([mola, *words, "--force"], cwd=inputs, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "a file is expected, as a stopped run is resumed from it" in done.stderr
    assert pipe.is_fifo() and os.listdir(tmp_path) == ["pipe"]


def test_a_long_run_follows_a_link(mola, inputs, tmp_path):
    (tmp_path / "far").mkdir()
    link, target = tmp_path / "link.pgn", tmp_path / "far/target.pgn"
    link.symlink_to(target)
    words = [mola, "pgn", "annotate", inputs / "few.pgn", "--depth", "1", "-o", link]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "a dangling symbolic link" in done.stderr
    target.write_text("old")
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "--force replaces it" in done.stderr and target.read_text() == "old"
    subprocess.run([*words, "--force"], check=True, capture_output=True, timeout=60)
    assert link.is_symlink() and "[%eval" in target.read_text()
    assert sorted(os.listdir(tmp_path)) == ["far", "link.pgn"] and os.listdir(tmp_path / "far") == ["target.pgn"]


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="there is no /dev/shm")
def test_shared_memory_is_no_device(mola):
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = Path(folder) / "start.svg"
        subprocess.run([mola, "svg", "-o", path], check=True)
        before = path.read_bytes()
        done = subprocess.run([mola, "svg", "-o", path], capture_output=True, text=True)
        assert done.returncode == 1 and "--force replaces it" in done.stderr
        subprocess.run([mola, "svg", "-o", path, "--force"], check=True)
        assert path.read_bytes() == before and os.listdir(folder) == ["start.svg"]


@pytest.mark.parametrize(
    "words",
    [
        "tune games.data --epochs 1 --width 0 --out SAME --plot SAME",
        "pgn dedupe few.pgn more.pgn -o SAME --duplicates SAME",
        "pgn players games.pgn --player 7 -o SAME --plot SAME",
        "review few.pgn --no-search -o SAME --json SAME",
        "review few.pgn -o SAME.html --json SAME.html.part",
        "analyse few.pgn --nodes 1 --json SAME --annotate SAME.part",
        "match a b --nodes 1 --pgn SAME --json SAME.part",
        "match a b --nodes 1 --pgn SAME --plot SAME.run",
        "analyse few.pgn --nodes 1 --annotate SAME --json SAME",
        "match --from games.pgn --json SAME --plot SAME",
        "spsa --param Hash,16,1,32 --pairs 1 --nodes 1 --state SAME --plot SAME",
    ],
)
def test_two_outputs_are_two_files(mola, inputs, tmp_path, words):
    """The second would take the place of the first."""
    same = tmp_path / "same.svg"
    words = words.replace("SAME", str(same)).split()
    for force in ([], ["--force"]):
        done = subprocess.run([mola, *words, *force], cwd=inputs, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and str(same) in done.stderr and ": two outputs" in done.stderr, done.stderr
        assert not list(tmp_path.iterdir())
        if words[0] == "spsa":
            break


def test_names_of_files_need_not_be_utf8(mola, inputs, tmp_path):
    folder = os.fsencode(tmp_path)
    for name in (b"caf\xe9.pgn", b"a b\nc.pgn", b"-x.pgn"):
        games, out, book = (os.path.join(folder, part + name) for part in (b"", b"out", b"book"))
        shutil.copyfile(inputs / "few.pgn", games)
        subprocess.run([mola, "pgn", "merge", games, "-o", out], check=True, capture_output=True)
        subprocess.run([mola, "book", "make", games, "--min-game", "1", "--out", book], check=True, capture_output=True)
        with open(out, "rb") as file:
            assert file.read().count(b"[Event ") == 10
    done = subprocess.run([mola, "pgn", "stats", b"caf\xe9"], capture_output=True)
    assert done.returncode == 1 and b"No such file" in done.stderr, done.stderr


def test_datagen_keeps_a_file_that_is_damaged(mola, tmp_path):
    words = [mola, "datagen", "--games", "20", "--nodes", "20", "--out", tmp_path / "out"]
    subprocess.run(words, check=True, capture_output=True)
    damaged = bytearray((tmp_path / "out").read_bytes())
    damaged[40:60] = b"\xff" * 20
    (tmp_path / "out").write_bytes(damaged)
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 1 and "out: the block at byte 36 is damaged" in done.stderr, done.stderr
    assert (tmp_path / "out").read_bytes() == damaged


def limit_size(size: int):
    """What is longer than this many bytes cannot be written, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_datagen_keeps_the_games_that_it_has_on_a_full_disk(mola, tmp_path):
    """Those of a block that is not full, too."""
    words = [mola, "datagen", "--nodes", "20", "--seed", "5", "--out", tmp_path / "out", "--games"]
    subprocess.run([*words, "80"], check=True, capture_output=True)
    before = (tmp_path / "out").read_bytes()
    for room in (0, 1, 300):
        full = limit_size(len(before) + room)
        done = subprocess.run([*words, "100"], capture_output=True, text=True, preexec_fn=full)
        assert done.returncode == 1 and "out: File too large" in done.stderr, done.stderr
        assert (tmp_path / "out").read_bytes() == before
    subprocess.run([*words, "100"], check=True, capture_output=True)
    assert len((tmp_path / "out").read_bytes()) > len(before)


def test_tune_learns_nothing_that_the_disk_has_no_room_for(mola, tmp_path):
    data, out = tmp_path / "data", tmp_path / "out"
    subprocess.run([mola, "datagen", "--games", "20", "--nodes", "20", "--out", data], check=True, capture_output=True)
    words = [mola, "tune", data, "--epochs", "1", "--width", "16", "--out", out]
    done = subprocess.run(words, capture_output=True, text=True, preexec_fn=limit_size(1000))
    assert done.returncode == 1 and done.stderr == f"mola: {out}: File too large\n"
    assert os.listdir(tmp_path) == ["data"]


@pytest.mark.parametrize(
    "words, what",
    [
        ("spsa --engine MOLA --param MultiPV,1,1,3 --pairs 2 --nodes 20 --state OUT", "as a stopped run is resumed from it"),
        ("screen --engine MOLA --change a=MultiPV,1,2 --pairs 2 --nodes 20 --state OUT", "as a stopped run is resumed from it"),
        ("spsa --engine MOLA --param MultiPV,1,1,3 --pairs 2 --nodes 20 --plot OUT", "not a pipe"),
        ("bench 1 --history OUT", "not a pipe"),
        ("play --pgn OUT", "not a pipe"),
        ("datagen --games 1 --nodes 1 --out OUT", "not a pipe"),
    ],
)
def test_nothing_is_kept_in_a_pipe(mola, tmp_path, words, what):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = [{"MOLA": f"{mola} uci", "OUT": pipe}.get(word, word) for word in words.split()]
    done = subprocess.run([mola, *words], capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and f"{pipe}: a file is expected, {what}\n" in done.stderr, done.stderr
    assert os.listdir(tmp_path) == ["pipe"]


def test_datagen_writes_the_same_on_any_threads_and_in_parts(mola, tmp_path):
    words = [mola, "datagen", "--nodes", "20", "--seed", "5", "--out"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    subprocess.run([*words, whole, "--games", "150"], check=True, capture_output=True)
    for goal, more in (("30", []), ("100", ["--threads", "3"]), ("150", ["--threads", "2"])):
        subprocess.run([*words, parts, "--games", goal, *more], check=True, capture_output=True)
    assert parts.read_bytes() == whole.read_bytes()
    # An interrupt keeps the finished games, although their block is not full.
    parts.unlink()
    process = subprocess.Popen([*words, parts, "--games", "1000000"], stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=10)[1]
    assert process.returncode == INTERRUPTED and "the same command resumes the run" in said, said
    games = int(said.split("parts: ")[1].split()[0])
    subprocess.run([*words, whole, "--games", str(games)], check=True, capture_output=True)
    if games >= 150:
        assert parts.read_bytes() == whole.read_bytes()


def test_tables_that_are_there_are_kept(mola, tmp_path):
    words = [mola, "tables", "generate", "KRvK", "--out", tmp_path]
    subprocess.run(words, check=True, capture_output=True)
    table = tmp_path / "KRvK.rtbw"
    made = table.stat()
    subprocess.run(words, check=True, capture_output=True)
    assert table.stat().st_ino == made.st_ino


@pytest.mark.parametrize(
    "words",
    [
        "book info {}", "book merge {} {} -o out.bin", "perft --suite {}", "recon replay {}", "svg --animate {}",
        "analyse {} --depth 1", "match --from {}", "match a b --nodes 1 --book {}", "pgn parse {}",
        "pgn filter --queries {}", "datagen --games 1 --out out --weights {}",
    ],
)  # fmt: skip
def test_inputs_without_end_are_refused(mola, tmp_path, words):
    """With less memory than they would take; a pipe with an end is read."""
    memory = lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # noqa: E731
    command = [mola, *words.replace("{}", "/dev/zero").split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, preexec_fn=memory)
    assert done.returncode == 1 and "/dev/zero: more than 256 MB, as only a plain file may have" in done.stderr, done.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("words", ["spsa --param x,1,0,2,1", "screen --change x=1,2"])
def test_no_run_is_resumed_from_a_device(mola, tmp_path, words):
    command = [mola, *words.split(), "--state", "/dev/zero"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    why = "/dev/zero: a file is expected, as a stopped run is resumed from it"
    assert done.returncode == 1 and why in done.stderr and os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "words, text, said",
    [
        ("perft --suite", "epd 4k3/8/8/8/8/8/8/4K3 w - -\\nperft 1 5\\n", "1 line, 0 wrong"),
        ("svg --animate", "1. e4 *\\n", "<svg"),
        ("book dump", "\\0" * 7 + "\\1" + "\\0" * 8, "0000000000000001\ta1a1\t0\t0"),
    ],
)
def test_pipes_are_read(mola, words, text, said):
    command = ["bash", "-c", f"exec '{mola}' {words} <(printf '{text}')"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and said in done.stdout, (done.stdout, done.stderr)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["datagen --games 1 --nodes 1 --out", "bench 1 --history"])
def test_devices_are_written_and_not_read(mola, words):
    """This one is full, and can be read without end."""
    memory = lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # noqa: E731
    command = [mola, *words.split(), "/dev/full"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, preexec_fn=memory)
    assert done.returncode == 1 and done.stderr.endswith("mola: /dev/full: No space left on device\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "words", ["--help", "--version", "match --help", "completions bash", "position startpos", "svg startpos"]
)
def test_a_full_standard_output_is_an_error(mola, words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([mola, *words.split()], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and done.stderr == "mola: No space left on device\n"
    # A reader that has seen enough is no error; a wrong command line remains one.
    reader, writer = os.pipe()
    os.close(reader)
    for command, code in ((words.split(), 0), (["--wrong"], 2)):
        done = subprocess.run([mola, *command], stdout=writer, stderr=writer, timeout=60)
        assert done.returncode == code
    os.close(writer)
