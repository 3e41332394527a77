"""Plots: SVG that is valid whatever the names are, and the same figures in characters."""

import json
import os
import random
import subprocess
import time
import xml.etree.ElementTree as ElementTree

import pytest

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script>\x1b[2J & \"quotes\""


def run(mola, *args, code=0):
    done = subprocess.run([mola, *map(str, args)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done


def picture(path):
    """The root of an image, after checks that apply to all."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    assert root[0].tag == f"{SVG}title" and root[0].text and root[1].tag == f"{SVG}desc" and root[1].text
    assert "prefers-color-scheme:dark" in root[2].text
    assert not [node for node in root.iter() if node.tag in (f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject")]
    _, _, width, height = map(float, root.get("viewBox").split())
    for node in root.iter():
        for point in (node.get("points") or "").split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= width and 0 <= y <= height
    return root


def texts(root):
    return [(node.text or "").strip() for node in root.iter(f"{SVG}text")]


def games(count, seconds=True, names=("A", "B")):
    """Games of two players, of which the first wins more."""
    chance = random.Random(1)
    for number in range(count):
        white, black = names if number % 2 == 0 else names[::-1]
        better = "1-0" if number % 2 == 0 else "0-1"
        result = chance.choices([better, "1/2-1/2", "0-1" if better == "1-0" else "1-0"], [4, 4, 3])[0]
        yield f'[White "{white}"]\n[Black "{black}"]\n[Round "{number // 2 + 1}"]\n[Result "{result}"]\n\n'
        time = " {[%emt 0:00:02.5]}" if seconds else ""
        yield f"1. e4{time} e5{time} 2. Nf3{time} Nc6{time} {result}\n\n"


@pytest.mark.parametrize("count", [1, 2, 7, 4000])
def test_match(mola, tmp_path, count):
    pgn, svg = tmp_path / "games.pgn", tmp_path / "match.svg"
    pgn.write_text("".join(games(count)))
    run(mola, "match", "--from", pgn, "--sprt", "0,5", "--plot", svg)
    root = picture(svg)
    assert f"A against B, {count} game{'s' * (count > 1)}" in texts(root)
    assert {"score in %, by games", "log-likelihood ratio, by games", "even", "H1 2.94", "H0 -2.94"} <= set(texts(root))
    assert "mean seconds per move, by move number, A: from 2.5 to 2.5" in root[1].text
    assert svg.stat().st_size < 100_000
    drawn = run(mola, "match", "--from", pgn, "--sprt", "0,5", "--plot", "-").stdout
    assert "A against B" in drawn and "- H1 2.94" in drawn
    assert any("\u2801" <= letter <= "\u28ff" for letter in drawn)
    assert max(map(len, drawn.splitlines())) <= 80


def test_the_last_point_is_the_score_of_the_summary(mola, tmp_path):
    pgn, svg, summary = (tmp_path / name for name in ("games.pgn", "match.svg", "match.json"))
    pgn.write_text("".join(games(301, seconds=False)))
    run(mola, "match", "--from", pgn, "--sprt", "0,5", "--plot", svg, "--json", summary)
    found = json.loads(summary.read_text())
    said = picture(svg)[1].text
    score, error = 100 * found["estimate"]["score"], 100 * found["estimate"]["score_error"]
    assert f" to {score:.2f}".rstrip("0") in said and 2 < error < 10
    assert f" to {found['sprt']['llr']:.3f}".rstrip("0") in said
    assert "seconds" not in said


def test_a_match_that_is_played(mola, tmp_path):
    svg = tmp_path / "match.svg"
    done = run(mola, "match", f"{mola} uci", f"name=other,cmd={mola} uci", "--nodes", 100, "--games", 4, "--plot", svg)
    assert "Score" in done.stdout
    root = picture(svg)
    assert any("against other, 4 games" in text for text in texts(root))
    assert "other: from" in root[1].text and "lowest" in root[1].text


def test_more_than_two(mola, tmp_path):
    pgn, svg = tmp_path / "games.pgn", tmp_path / "match.svg"
    names = [f"Engine number {number} with a long name" for number in range(12)]
    pairs = [(one, two) for one in names for two in names if one < two]
    pgn.write_text("".join(text for pair in pairs for text in games(4, names=pair)))
    run(mola, "match", "--from", pgn, "--plot", svg)
    assert {"12 engines, 264 games", "score in %, by games (and 4 more)"} <= set(texts(picture(svg)))


def test_names_of_others_are_text(mola, tmp_path):
    pgn, svg = tmp_path / "games.pgn", tmp_path / "match.svg"
    pgn.write_text("".join(games(6, names=(HOSTILE.replace('"', '\\"'), "B"))))
    run(mola, "match", "--from", pgn, "--plot", svg)
    assert "</title><script>" in picture(svg)[0].text
    drawn = run(mola, "match", "--from", pgn, "--plot", "-").stdout.partition("score in %")[2]
    assert "</title>" in drawn and "\x1b" not in drawn


def test_ratings(mola, tmp_path):
    pgn, svg = tmp_path / "games.pgn", tmp_path / "rating.svg"
    pgn.write_text(
        "".join(
            f'[White "Anna"]\n[Black "B"]\n[WhiteElo "{2000 + 5 * month}"]\n'
            f'[Date "{2019 + month // 12}.{month % 12 + 1:02}.15"]\n[Result "*"]\n\n*\n\n'
            for month in range(40)
        )
    )
    run(mola, "pgn", "players", pgn, "--player", "Anna", "--plot", svg)
    root = picture(svg)
    assert "Rating of Anna" in texts(root) and {"2019", "2020", "2021", "2022", "2023"} <= set(texts(root))
    assert "from 2000 to 2195" in root[1].text
    assert "2019" in run(mola, "pgn", "players", pgn, "--player", "Anna", "--plot", "-").stdout
    run(mola, "pgn", "players", pgn, "--player", "B", "--plot", svg, "--force")
    assert "nothing to show" in texts(picture(svg))
    nobody = run(mola, "pgn", "players", pgn, "--player", "Nobody", "--plot", svg, "--force", code=1)
    assert "no game has this player" in nobody.stderr and "Rating of B" in texts(picture(svg))


def test_history_of_a_bench(mola, tmp_path):
    history, svg = tmp_path / "bench.jsonl", tmp_path / "bench.svg"
    first = run(mola, "bench", "2", "--history", history)
    assert "the first run of bench, depth 2" in first.stderr
    run(mola, "perft", "2", "--history", history)
    second = run(mola, "bench", "2", "--history", history, "--plot", svg)
    assert "against the last of 1 run," in second.stderr and "the same nodes" in second.stderr
    lines = [json.loads(line) for line in history.read_text().splitlines()]
    assert [line["run"] for line in lines][1] == "perft 2" and lines[1]["nodes"] == 400
    nodes = f"{lines[0]['nodes']} nodes"
    assert len(lines) == 3 and lines[0]["nodes"] == lines[2]["nodes"] and nodes in first.stdout
    assert {"nodes a second, by runs", "nodes, by runs"} <= set(texts(picture(svg)))
    history.write_text(history.read_text() + "no JSON\n")
    refused = run(mola, "bench", "2", "--history", history, code=1)
    assert f"{history}, line 4: not JSON" in refused.stderr
    # What is no history is left as it is.
    other = tmp_path / "weights.bin"
    other.write_bytes(b"\x00\x01\x02")
    run(mola, "bench", "2", "--history", other, code=1)
    assert other.read_bytes() == b"\x00\x01\x02"
    # What another program adds meanwhile is kept.
    shared = tmp_path / "shared.jsonl"
    running = subprocess.Popen([mola, "bench", "9", "--history", shared], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not shared.exists():
        time.sleep(0.01)
    with shared.open("a") as file:
        file.write(json.dumps(lines[0]) + "\n")
    assert running.wait(120) == 0
    runs = [json.loads(line)["run"] for line in shared.read_text().splitlines()]
    assert [run.split(", ")[1] for run in runs] == ["depth 2", "depth 9"]
    both = tmp_path / "both.svg"
    assert "two outputs" in run(mola, "bench", "2", "--history", both, "--plot", both, "--force", code=1).stderr
    assert not both.exists()
    absent = tmp_path / "new.jsonl"
    run(mola, "bench", "2", "--history", absent, "--plot", other, code=1)
    assert not absent.exists()


def test_tuning_draws(mola, tmp_path):
    state, svg = tmp_path / "spsa.json", tmp_path / "spsa.svg"
    command = ["spsa", "--engine", f"{mola} uci", "--param", "Hash,16,1,64,8", "--param", "Move Overhead,30,10,60"]
    run(mola, *command, "--pairs", 4, "--depth", 1, "--state", state, "--plot", svg)
    assert len(json.loads(state.read_text())["history"]) == 4
    assert "4 of 4 pairs" in texts(picture(svg)) and "start" in texts(picture(svg))
    data, loss = tmp_path / "games.data", tmp_path / "loss.svg"
    run(mola, "datagen", "--games", 100, "--nodes", 20, "--out", data)
    run(mola, "tune", data, "--width", 0, "--epochs", 2, "--out", tmp_path / "new.bin", "--plot", loss)
    assert {"training positions", "validation positions", "loss, by epochs"} <= set(texts(picture(loss)))


@pytest.mark.parametrize("locale, is_ascii", [("C", True), ("C.UTF-8", False)])
def test_a_locale_without_unicode_has_plots_of_ascii(mola, tmp_path, locale, is_ascii):
    pgn = tmp_path / "games.pgn"
    pgn.write_text("".join(games(40, names=("Müller", "Ł" * 70))))
    command = [mola, "match", "--from", pgn, "--sprt", "0,5", "--plot", "-"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "LC_ALL": locale}, check=True)
    drawn = done.stdout.decode().partition("score in %")[2]
    assert drawn.isascii() == is_ascii and ("*" in drawn and "|" in drawn and "+--" in drawn) == is_ascii
    assert max(map(len, drawn.splitlines())) <= 80


def test_an_unknown_parameter_draws_nothing(mola):
    done = run(mola, "spsa", "--engine", f"{mola} uci", "--param", "Aspiration,20,5,50,4", "--depth", 1, "--plot", "-", code=1)
    assert "Aspiration" in done.stderr and not done.stdout


def test_what_is_refused(mola, tmp_path):
    pgn, png = tmp_path / "games.pgn", tmp_path / "match.png"
    pgn.write_text("".join(games(2)))
    assert "a plot is written to FILE.svg" in run(mola, "match", "--from", pgn, "--plot", png, code=2).stderr
    both = run(mola, "match", "--from", pgn, "--plot", "-", "--json", "-", code=2)
    assert "cannot both write to standard output" in both.stderr
