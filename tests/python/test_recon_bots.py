"""`mola recon match` with bots in other languages, good and bad, and its histories:
`replay`, its animation, `playback`, and broken files.
"""

import json
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from engine import binary

SVG = "{http://www.w3.org/2000/svg}"

# A bot that checks its input, and fails in its third turn as its argument says.
BOT = r"""
import json, random, sys, time

how = sys.argv[1]
chance = random.Random(1)
if how == "flood":
    while True:
        print('{"square": 0, "requested_move": null}', flush=True)
if how == "mute":
    time.sleep(60)
expected, turns = "game_start", 0
after = {
    "game_start": "opponent_move_results",
    "opponent_move_results": "choose_sense",
    "choose_sense": "sense_result",
    "sense_result": "choose_move",
    "choose_move": "move_result",
    "move_result": "opponent_move_results",
}
for line in sys.stdin:
    request = json.loads(line)
    method = request["method"]
    assert method == expected or method == "game_end", (method, expected)
    expected = after.get(method, "game_start")
    if method == "game_start":
        turns = 0
        assert request["board"]["value"].startswith("rnbqkbnr/") and request["color"] in (True, False)
    if method == "choose_sense":
        turns += 1
        assert request["sense_actions"] == list(range(64))
        print(json.dumps({"square": chance.randrange(64)}), flush=True)
    if method == "choose_move":
        if turns == 3 and how != "good":
            if how == "hang":
                time.sleep(60)
            if how == "die":
                sys.exit("alas")
            print(how.replace("LONG", "x" * 5_000_000), flush=True)
            continue
        move = chance.choice(request["move_actions"] + [None])
        print(json.dumps({"requested_move": move}), flush=True)
    if method == "game_end":
        history = request["game_history"]
        assert history["type"] == "GameHistory" and history["winner_color"] == request["winner_color"]
"""


@pytest.fixture
def bot(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return lambda how: f"cmd:{sys.executable} {path} {shlex.quote(how)}"


def recon(*args, **kwargs) -> subprocess.CompletedProcess:
    return subprocess.run([binary(), "recon", *args], capture_output=True, text=True, timeout=120, **kwargs)


def faults(table: str) -> list[int]:
    return [int(line.split()[-2]) for line in table.splitlines()[1:3]]


def test_a_bot_in_python(bot, tmp_path):
    done = recon("match", bot("good"), "random", "--games", "4", "--alternate", "--histories", str(tmp_path / "games"))
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert faults(done.stdout) == [0, 0], done.stdout
    assert len(list((tmp_path / "games").iterdir())) == 4


BAD = {
    "hang": "no answer in",
    "mute": "no answer in",
    "die": "alas",
    "flood": None,  # its answers are right, but it does not read requests
    "{": "the JSON is incomplete",
    "nonsense": "not JSON",
    "LONG": "not JSON",
    '{"move": null}': "requested_move",
    '{"requested_move": "e2e4"}': "expected an object",
    '{"requested_move": {"type": "Piece", "value": "P"}}': "type Move expected",
    '{"requested_move": {"type": "Piece", "value": "e2e4"}}': "type Move expected",
    '{"requested_move": {"type": "Move", "value": "e2e9"}}': "not a move",
    '{"requested_move": {"type": "Move", "value": "e8e1"}}': "e8e1 is not a move action",
}


def test_bad_bots_lose(bot, tmp_path):
    """Whatever a bot does wrong, its game ends, it is blamed, and the reason is reported."""

    def play(how: str) -> subprocess.CompletedProcess:
        clock = ["--seconds-per-player", "2", "--seconds-increment", "0", "--full-turn-limit", "50"]
        return recon("match", bot(how), "random", "--seed", "1", *clock, cwd=tmp_path)

    with ThreadPoolExecutor(4) as pool:
        for (how, reason), done in zip(BAD.items(), pool.map(play, BAD)):
            assert done.returncode == bool(reason), (how, done.stderr)
            if reason:
                assert "failed in every game: " in done.stderr.splitlines()[-1], (how, done.stderr)
                assert faults(done.stdout) == [1, 0], (how, done.stdout)
                assert reason in done.stderr and "game 1" in done.stderr, (how, done.stderr)
                assert ("TIMEOUT 1" if how in ("hang", "mute") else "RESIGN 1") in done.stdout, (how, done.stdout)
            else:
                assert faults(done.stdout) == [0, 0], (how, done.stdout)
            assert len(done.stderr) < 2000


def test_last_lines_are_no_answers(tmp_path):
    """Where a bot ends, its error quotes what it wrote for people, not the protocol."""
    path = tmp_path / "quitter.py"
    path.write_text(LIST.replace('    if method == "choose_move":\n', '''    if method == "choose_move":
        print("a last word", file=sys.stderr)
        sys.exit(3)
'''))
    done = recon("match", f"cmd:{sys.executable} {path} a1a2", "random", "--no-history")
    complaint = done.stderr.splitlines()[-1]
    assert "ended while choosing a move" in complaint and complaint.endswith("; its last lines: a last word"), done.stderr


def test_a_complaint_names_its_bot_once(bot):
    done = recon("match", bot("nonsense"), "random", "--no-history")
    name = done.stdout.splitlines()[1].split()[0]
    assert f"game 1, {name}: not JSON" in done.stderr and f"mola: {name} failed in every game: not JSON" in done.stderr


# A bot that asks for the moves of its argument, one after the other.
LIST = r"""
import json, sys

moves = sys.argv[1].split(",")
for line in sys.stdin:
    method = json.loads(line)["method"]
    if method == "choose_sense":
        print('{"square": null}', flush=True)
    if method == "choose_move":
        move = {"type": "Move", "value": moves.pop(0)} if moves else None
        print(json.dumps({"requested_move": move}), flush=True)
"""


@pytest.fixture
def moves(tmp_path):
    path = tmp_path / "moves.py"
    path.write_text(LIST)
    return lambda line: f"cmd:{sys.executable} {path} {line}"


def test_black_begins(moves, tmp_path):
    """A game from a position in which it is Black's move."""
    fen = "k7/8/8/3p4/4P3/8/8/K7 b - - 0 1"
    bots = moves("a1a2,a2a3,a3a4"), moves("d5e4,a8a7,a7a6")
    done = recon("match", *bots, "--fen", fen, "--full-turn-limit", "3", "--histories", str(tmp_path / "games"))
    assert done.returncode == 0 and "6 turns" in done.stdout, done.stdout
    (history,) = (tmp_path / "games").iterdir()
    shown = recon("replay", str(history)).stdout
    asked = re.findall(r"^\d (?:white|black) plays .*$", shown, re.MULTILINE)
    assert asked == [
        "1 black plays d5e4 and captures on e4", "1 white plays a1a2", "2 black plays a8a7",
        "2 white plays a2a3", "3 black plays a7a6", "3 white plays a3a4",
    ]
    told = tmp_path / "told"
    spy = tmp_path / "spy.py"
    spy.write_text(f"import sys\nsys.stdin = map(lambda line: print(line, file=open({str(told)!r}, 'a')) or line, sys.stdin)\n{LIST}")
    done = recon("playback", str(history), f"cmd:{sys.executable} {spy} a1a2", "white")
    assert "3 turns" in done.stdout, done.stdout
    captures = re.findall(r'"opponent_move_results": (\w+)', told.read_text())
    assert captures == ["28", "null", "null"]
    # The clock of a new game: 900 seconds, and 5 for each turn.
    clock = [float(left) for left in re.findall(r'"seconds_left": ([\d.]+)', told.read_text())]
    assert [round(left, -1) for left in clock[:2]] == [900, 900] and clock[1] < clock[0] < 900, clock
    assert [left > 900 for left in clock] == [False, False, True, True, True, True], clock
    assert re.findall("^turn.*$", done.stdout, re.MULTILINE) == [
        "turn 2: passes, the player asks for a2a3", "turn 3: passes, the player asks for a3a4",
    ]
    # Only Black has moved.
    fen = "8/8/8/3k4/8/8/3K4/8 b - - 0 1"
    done = recon("match", "random", "random", "--fen", fen, "--reversible-moves-limit", "1", "--no-history")
    assert "1 turn in" in done.stdout, done.stdout


def test_the_limit_counts_from_the_start():
    """Not from move 1, if a FEN has another number."""
    for side in "wb":
        fen = f"k7/8/8/8/8/8/8/K7 {side} - - 0 40"
        done = recon("match", "random", "random", "--fen", fen, "--full-turn-limit", "2", "--no-history")
        assert "TURN_LIMIT 1" in done.stdout and "4 turns" in done.stdout, done.stdout


def test_a_seed_repeats_a_match(tmp_path):
    """However many games are played at a time."""
    played = []
    for concurrency in ("1", "3"):
        folder = tmp_path / concurrency
        done = recon(
            "match", "random", "attacker", "--seed", "7", "--games", "9",
            "--concurrency", concurrency, "--histories", str(folder),
        )
        assert done.returncode == 0, done.stderr
        played.append([path.read_text() for path in sorted(folder.iterdir())])
    assert played[0] == played[1] and len(set(played[0])) == 9


def test_a_winner_with_the_name_of_the_loser(tmp_path):
    recon("match", "random", "random", "--seed", "1", "--full-turn-limit", "0", "--reversible-moves-limit", "0", "--histories", str(tmp_path))
    (history,) = tmp_path.iterdir()
    game = json.loads(history.read_text())
    winner = "white" if game["winner_color"] else "black"
    assert f"\n{winner} has won: KING_CAPTURE" in recon("replay", str(history)).stdout
    # A name cannot drive a terminal.
    game["white_name"] = "\x1b[31mred"
    history.write_text(json.dumps(game))
    shown = recon("replay", str(history)).stdout
    assert " [31mred against random" in shown and "\x1b" not in shown
    assert f"{' [31mred' if game['winner_color'] else 'random'} has won" in shown


@pytest.mark.parametrize("bot", ["cmd:/no/such/bot", "trout:time=0.1,/no/such/bot"])
def test_a_bot_that_is_not_there(bot):
    done = recon("match", bot, "random")
    assert done.returncode == 1 and "bot: cannot be started" in done.stderr


@pytest.fixture
def history(tmp_path) -> Path:
    recon("match", "random", "attacker", "--seed", "5", "--histories", str(tmp_path))
    (path,) = tmp_path.glob("*.json")
    return path


def test_replay(history):
    game = json.loads(history.read_text())
    turns = sum(len(game["senses"][side]) for side in ("true", "false"))
    text = recon("replay", str(history)).stdout
    assert text.count("   a  b  c  d  e  f  g  h") == 2 * turns + 2
    assert text.startswith("random against attacker\n8  ♜")
    assert re.search(r"^1 white senses [a-h][1-8]$", text, re.MULTILINE)
    assert "has won: KING_CAPTURE" in text


def test_games_without_a_winner(history):
    game = json.loads(history.read_text()) | {"winner_color": None}
    for reason, last in (("TURN_LIMIT", "draw: TURN_LIMIT"), (None, "unfinished")):
        game["win_reason"] = reason and game["win_reason"] | {"value": reason}
        history.write_text(json.dumps(game))
        done = recon("replay", str(history))
        assert f"\n{last}\n" in done.stdout and "nobody" not in done.stdout, done.stderr


def test_moving_picture(history, tmp_path):
    """Times are in order, each sense frames its window, each taken move is animated."""
    game = json.loads(history.read_text())
    path = tmp_path / "game.svg"
    done = recon("replay", str(history), "--svg", "--out", str(path), "--bottom", "black", "--pace", "0.5")
    assert done.returncode == 0 and not done.stdout
    assert recon("replay", str(history), "--svg", "--bottom", "black", "--pace", "0.5").stdout == path.read_text()
    root = ElementTree.parse(path).getroot()
    for animate in root.iter(f"{SVG}animate"):
        times = [float(time) for time in animate.get("keyTimes").split(";")]
        assert times == sorted(times) and times[0] == 0 and times[-1] <= 1
        assert len(times) == len(animate.get("values").split(";"))
    (frame,) = (rect for rect in root.iter(f"{SVG}rect") if rect.get("class") == "frame")
    columns = {a.get("attributeName"): a.get("values").split(";")[1:] for a in frame}
    pairs = [
        (sense, turn)
        for turn in range(len(game["senses"]["true"]))
        for side in ("true", "false")
        for sense in game["senses"][side][turn : turn + 1]
    ]
    assert len(columns["x"]) == len(pairs)
    for (sense, _), *sides in zip(pairs, columns["x"], columns["y"], columns["width"], columns["height"]):
        file, rank = 7 - sense % 8, sense // 8  # Black is at the bottom
        left, top = max(file - 1, 0), max(rank - 1, 0)
        right, bottom = min(file + 2, 8), min(rank + 2, 8)
        assert [float(x) for x in sides] == [45 * x for x in (left, top, right - left, bottom - top)]
    captions = [group.get("aria-label") for group in root.iter(f"{SVG}g") if group.get("class") == "caption"]
    assert "random – attacker" in captions
    assert any(caption.endswith(" has won: KING_CAPTURE") for caption in captions)
    taken = [move["value"] for side in ("true", "false") for move in game["taken_moves"][side] if move]
    assert all(any(move in caption for caption in captions) for move in taken)


def test_playback(history):
    done = recon("playback", str(history), "random", "white", "--seed", "3")
    assert done.returncode == 0 and re.search(r"^\d+ turns?: \d+ senses? and \d+ moves? differ", done.stdout, re.MULTILINE)


def test_broken_histories(history, tmp_path):
    """Each is refused with its location; none crashes."""
    text = history.read_text()
    path = tmp_path / "broken" / "x.json"
    path.parent.mkdir()
    first = json.loads(text)["fens_before_move"]["true"][1]
    for broken, complaint in [
        ("", "is incomplete"),
        (text[:-10], "is incomplete"),
        ("[]", "expected an object"),
        ("{}", "is missing"),
        (text.replace('"KING_CAPTURE"', '"BOREDOM"'), "BOREDOM"),
        (text.replace('"fens_after_move"', '"fans"'), "is missing"),
        (text.replace(first, "8/8 w"), "Turn(black, 0)"),
        (text.replace('"senses": {"true": [', '"senses": {"true": [64, '), "0 to 63"),
        (text.replace('"sense_results": {"true": [', '"sense_results": {"true": [[' + ", ".join(["[0, null]"] * 10) + "], "), "9"),
        ("[" * 100_000, "at character"),
        ("\0\xff", "text in UTF-8"),
    ]:
        assert broken != text
        path.write_text(broken, encoding="latin-1" if "\xff" in broken else "utf-8")
        for command in [["replay", path], ["replay", path, "--svg"], ["playback", path, "random", "white"]]:
            done = recon(*map(str, command))
            assert done.returncode == 1, (broken[:50], command)
            if "\xff" not in broken:
                assert complaint in done.stderr, (broken[:50], done.stderr)
            assert "x.json" in done.stderr and "panicked" not in done.stderr, done.stderr
    # Lists of different lengths: the existing entries are shown.
    game = json.loads(text)
    for name, cut in [("senses", 2), ("taken_moves", 0), ("fens_after_move", 1), ("requested_moves", 3), ("capture_squares", 0)]:
        short = dict(game, **{name: {"true": game[name]["true"][:cut], "false": game[name]["false"]}})
        path.write_text(json.dumps(short))
        for command in [["replay", path], ["replay", path, "--svg"], ["playback", path, "random", "black"]]:
            done = recon(*map(str, command))
            assert done.returncode == 0, (name, command, done.stderr)
