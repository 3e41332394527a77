"""The queue of experiments of bench/experiments, and its ledger."""

import subprocess
import sys

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
