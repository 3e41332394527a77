"""The queue of experiments of bench/experiments, and its ledger; wrong arguments of bench/nps; bench/latency."""

import os
import shlex
import signal
import subprocess
import sys
import time

import pytest

from engine import ROOT

QUEUE = """
[DEFAULT]
base = {mola}
candidate = {mola}
nodes = 20
games = 6
concurrency = 1

[smaller table]
options = Hash=1

[simplification]        ; the same engine twice
bounds = -3,0
"""


def run(tmp_path, mola, queue):
    (tmp_path / "queue.ini").write_text(queue.format(mola=mola))
    command = [sys.executable, ROOT / "bench/experiments", tmp_path / "queue.ini", "--mola", mola]
    command += ["--folder", tmp_path / "builds", "--ledger", tmp_path / "ledger.md"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_queue_becomes_a_ledger(tmp_path, mola):
    done = run(tmp_path, mola, QUEUE)
    assert done.returncode == 0, done.stderr
    ledger = (tmp_path / "ledger.md").read_text()
    rows = [row.split(" | ") for row in ledger.splitlines() if "undecided" in row]
    assert [row[1] for row in rows] == ["smaller table", "simplification"]
    assert [row[5] for row in rows] == ["[0, 3]", "[-3, 0]"]
    assert [row[6] for row in rows] == ["6", "6"]
    assert rows[0][2].endswith("` Hash=1") and rows[0][4] == "nodes 20"
    # Experiments in the ledger are not played again; rows of other tables below it are not experiments.
    screen = "\nA screen:\n\n| change | Elo |\n|---|---:|\n| a third | +1.0 |\n"
    (tmp_path / "ledger.md").write_text(ledger + screen)
    assert run(tmp_path, mola, QUEUE + "[a third]\n").returncode == 0
    text = (tmp_path / "ledger.md").read_text()
    assert text.startswith(ledger) and text.endswith(screen)
    [row] = text[len(ledger) : -len(screen)].splitlines()
    assert row.split(" | ")[1] == "a third"


def test_alike_names_and_other_settings_are_other_experiments(tmp_path, mola):
    names = "[same name]\noptions = Hash=1\n[same-name]\noptions = Hash=2\ngames = 8\n"
    assert run(tmp_path, mola, QUEUE + names).returncode == 0
    rows = [row.split(" | ") for row in (tmp_path / "ledger.md").read_text().splitlines() if "undecided" in row]
    assert [row[6] for row in rows[-2:]] == ["6", "8"]
    # A row that is taken out is played again with what the queue now asks for.
    (tmp_path / "ledger.md").unlink()
    assert run(tmp_path, mola, QUEUE + names.replace("Hash=2", "Hash=3").replace("8", "4")).returncode == 0
    rows = [row.split(" | ") for row in (tmp_path / "ledger.md").read_text().splitlines() if "undecided" in row]
    assert rows[-1][6] == "4" and "Hash=3" in rows[-1][2]


def test_an_experiment_that_fails_is_reported_and_the_ledger_kept(tmp_path, mola):
    good, bad = QUEUE.split("[simplification]")[0], "[bad]\noptions = NoSuchOption=1\n"
    done = run(tmp_path, mola, good + bad)
    assert done.returncode != 0 and "NoSuchOption" in done.stderr
    assert (tmp_path / "ledger.md").read_text().count("undecided") == 1
    done = run(tmp_path, mola, "no section")
    assert done.returncode != 0 and "queue.ini" in done.stderr


def script(path, *lines):
    """An executable script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


def rows_of(ledger):
    return [row.split(" | ") for row in ledger.read_text().splitlines() if "undecided" in row]


@pytest.mark.skipif(sys.platform == "win32", reason="engines of these tests are scripts of a Unix shell")
class TestWithScripts:
    def test_what_is_written_during_a_match_stays(self, tmp_path, mola):
        ledger, note = tmp_path / "ledger.md", tmp_path / "note"
        assert run(tmp_path, mola, QUEUE.split("[simplification]")[0]).returncode == 0
        before = ledger.read_text()
        ledger.chmod(0o640)
        write = f"[ -e {note} ] || {{ touch {note}; echo; echo A note; }} >> {ledger}"
        writer = script(tmp_path / "writer", write, f'exec {shlex.quote(mola)} "$@"')
        queue = f"[DEFAULT]\nbase = {{mola}}\nnodes = 20\ngames = 2\n[with a note]\ncandidate = {writer}\n"
        done = run(tmp_path, mola, queue)
        assert done.returncode == 0, done.stderr
        text = ledger.read_text()
        assert text.startswith(before) and text.endswith("\n\nA note\n")
        assert [row[1] for row in rows_of(ledger)] == ["smaller table", "with a note"]
        assert ledger.stat().st_mode & 0o777 == 0o640
        # Nothing is left beside it.
        assert not [path for path in tmp_path.iterdir() if path.name.endswith(".part")]

    def test_a_program_that_was_built_again_is_another_one(self, tmp_path, mola):
        """A row that is taken out is played again by it, though its path is the same."""
        start, count = f'exec {shlex.quote(mola)} "$@"', tmp_path / "count"
        queue = f"[one]\nbase = {{mola}}\ncandidate = {tmp_path / 'new'}\nnodes = 20\ngames = 2\n"
        for build, starts in (("first", 1), ("first", 1), ("second", 2)):
            script(tmp_path / "new", f"echo {build} >> {count}", start)
            (tmp_path / "ledger.md").unlink(missing_ok=True)
            assert run(tmp_path, mola, queue).returncode == 0
            assert len(set(count.read_text().split())) == starts
            assert len(rows_of(tmp_path / "ledger.md")) == 1

    @pytest.mark.parametrize("folder", ["sp ace, comma", "it's", "it's 100% \"new\""])
    def test_paths_with_blanks_commas_and_quotes(self, tmp_path, mola, folder):
        program = script(tmp_path / folder / "engine", f'exec {shlex.quote(mola)} "$@"')
        queue = f"[one]\nbase = {program}\ncandidate = {program}\noptions = Hash=2\nnodes = 20\ngames = 2\n"
        done = run(tmp_path, mola, queue)
        assert done.returncode == 0, done.stderr
        assert [row[3] for row in rows_of(tmp_path / "ledger.md")] == ["`engine`"]

    def test_a_match_that_has_failed_is_played_again(self, tmp_path, mola):
        replies = 'while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) exit 1;; esac; done'
        program = script(tmp_path / "new", replies)
        queue = f"[broken]\nbase = {{mola}}\ncandidate = {program}\nnodes = 20\ngames = 2\n"
        # The same program, so that it is the same experiment.
        for _ in range(2):
            done = run(tmp_path, mola, queue)
            assert done.returncode == 1, done.stderr
            assert "failed in all of its 2 games" in done.stderr
            assert done.stderr.endswith("broken: the match has failed: exit code 1\n"), done.stderr
            assert not (tmp_path / "ledger.md").exists()
        script(program, f'exec {shlex.quote(mola)} "$@"')
        done = run(tmp_path, mola, queue)
        assert done.returncode == 0 and len(rows_of(tmp_path / "ledger.md")) == 1, done.stderr

    def test_a_relative_folder_of_builds(self, tmp_path, mola):
        # In the places of git, called from the checkout, and of cargo, called in the worktree.
        script(
            tmp_path / "bin/git",
            'case "$*" in *rev-parse*) echo 0123456789;;',
            '*" worktree add "*) cd "$2" && mkdir "$7";;',
            '*" worktree remove "*) cd "$2" && rm -fr "$6";;',
            "esac",
        )
        program = f'exec {shlex.quote(mola)} \\"\\$@\\"'
        script(
            tmp_path / "bin/cargo",
            'while [ "$1" != --target-dir ]; do shift; done',
            'mkdir -p "$2/release" && cd "$2/release" || exit',
            f'printf "#!/bin/sh\\n%s\\n" "{program}" > mola && chmod +x mola',
        )
        (tmp_path / "queue.ini").write_text("[one]\nbase = main\ncandidate = main\nnodes = 20\ngames = 2\n")
        command = [sys.executable, ROOT / "bench/experiments", "queue.ini", "--mola", mola]
        command += ["--folder", "builds", "--ledger", "ledger.md"]
        env = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
        assert [row[3] for row in rows_of(tmp_path / "ledger.md")] == ["`0123456789`"]
        assert (tmp_path / "builds/mola-0123456789").exists() and not (tmp_path / "builds/tree").exists()

    def test_sigterm_ends_the_match_too(self, tmp_path, mola):
        queue = f"[long]\nbase = {mola}\ncandidate = {mola}\nnodes = 2000\ngames = 10000\n"
        (tmp_path / "queue.ini").write_text(queue)
        folder, ledger = tmp_path / "builds", tmp_path / "ledger.md"
        command = [sys.executable, ROOT / "bench/experiments", tmp_path / "queue.ini", "--mola", mola]
        command += ["--folder", folder, "--ledger", ledger]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        # The file is not given its own name before the end of the match.
        while not [path for path in folder.glob("*.pgn*") if path.stat().st_size] and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        # The match has this pipe, too: nobody writes into it any more.
        said = process.communicate(timeout=60)[1]
        assert process.returncode == 1, said
        assert said.endswith("long: stopped; the same command resumes it\n"), said
        assert not ledger.exists()


def test_names_that_break_the_table_are_refused(tmp_path, mola):
    done = run(tmp_path, mola, QUEUE + "[a | b]\n")
    assert done.returncode == 1 and "[a | b]: `|` separates the columns of the ledger" in done.stderr
    assert not (tmp_path / "ledger.md").exists()


def test_a_ledger_may_have_been_edited(tmp_path, mola):
    """Names with blanks around them, and a last line without its end."""
    queue = QUEUE.replace("[smaller table]", "[  smaller table ]")
    first = queue.split("[simplification]")[0]
    assert run(tmp_path, mola, first).returncode == 0
    ledger = tmp_path / "ledger.md"
    before = ledger.read_text()
    ledger.write_text(before.removesuffix("\n"))
    done = run(tmp_path, mola, queue)
    assert done.returncode == 0 and "smaller table: in the ledger already" in done.stderr, done.stderr
    assert ledger.read_text().startswith(before)
    assert [row[1] for row in rows_of(ledger)] == ["smaller table", "simplification"]


def test_a_failed_match_is_told_in_words(tmp_path, mola):
    done = run(tmp_path, mola, QUEUE.split("[simplification]")[0] + "[bad]\noptions = NoSuchOption=1\n")
    assert done.returncode == 1 and done.stderr.endswith("bad: the match has failed: exit code 1\n"), done.stderr


@pytest.mark.parametrize("rounds", ["0", "-1", "many"])
def test_nps_needs_a_round(mola, rounds):
    command = [sys.executable, ROOT / "bench/nps", "--mola", mola, "--peer", mola, "--rounds", rounds]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stderr.endswith("--rounds: a whole number of at least 1 is expected\n"), done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="the engine is a script of a Unix shell")
def test_latency_of_an_engine_without_xboard(tmp_path):
    """As Stockfish does, it waits for lines that it knows."""
    program = script(tmp_path / "engine", 'while read -r line; do [ "$line" = quit ] && exit; echo "Unknown command: $line"; done')
    call = "import runpy, sys; runpy.run_path(sys.argv[1])['xboard'](sys.argv[2])"
    command = [sys.executable, "-c", call, ROOT / "bench/latency", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stdout) == (0, "  no XBoard\n"), done.stderr
