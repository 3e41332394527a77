"""Every command reports invalid arguments in plain words."""

import re
import subprocess

import pytest

# Raw messages of the standard library, serde and the system.
OF_PROGRAMMERS = re.compile(
    r"os error|invalid digit|invalid float|\bis not in\b|\.\.=?\d|expected ident|expected value at"
    r"|while parsing a value|trailing characters|too large to fit|from empty string|invalid type"
    r"|missing field|Utf8Error|stream did not contain|panicked|called `"
)
# Commands that serve or run long, whatever the arguments.
ENDLESS = {("recon", "serve"), ("recon", "connect"), ("recon", "invite"), ("selfcheck",), ("tables", "generate")}
WRONG = ["x?", "-1", "0", "99999999999999999999999", "/dev/null/x"]


def run(mola, *words, text="", cwd=None):
    return subprocess.run(
        [mola, *words], input=text, capture_output=True, text=True, timeout=20, cwd=cwd
    )


def commands(mola, *before):
    """All commands, as `help` lists them."""
    text = run(mola, *before, "--help").stdout
    _, _, listed = text.partition("\nCommands:\n")
    names = re.findall(r"^  (\w[\w-]*) ", listed.partition("\n\n")[0], re.M)
    if not names:
        yield before
    for name in names:
        if name != "help":
            yield from commands(mola, *before, name)


def test_wrong_values(mola, tmp_path):
    found = list(commands(mola))
    assert len(found) > 40 and ("pgn", "annotate") in found
    told = 0
    for command in found:
        if command in ENDLESS or command[0] in ("bench", "play", "xboard", "uci"):
            continue
        text = run(mola, *command, "--help").stdout
        options = re.findall(r"^ +(?:-\w, )?(--[\w-]+)[ =\[]+<", text, re.M)
        values = WRONG if "Arguments:" in text else WRONG[1:]
        tried = [f"{option}={value}" for option in options for value in WRONG]
        for argument in [*tried, *(value for value in values if not value.startswith("-"))]:
            if command == ("perft",) and argument.startswith("9"):
                continue
            done = run(mola, *command, argument, cwd=tmp_path)
            assert not OF_PROGRAMMERS.search(done.stderr), (command, argument, done.stderr)
            told += done.returncode != 0
    assert told > 500


@pytest.mark.parametrize(
    "command, wanted",
    [
        ("perft x", "a whole number is expected"),
        ("analyse --fen startpos --nodes 0", "a whole number of 1 or more is expected"),
        ("analyse --fen startpos --multipv 999", "a whole number from 1 to 256 is expected"),
        ("analyse --fen startpos --time x", "a number from 0.001 to 1000000 is expected"),
        ("fen --start 960", "a whole number from 0 to 959 is expected"),
        ("perft 99999999999999999999999", "the number is too large"),
        ("play --elo 99999999999999999999999", "a whole number from 760 to 2200 is expected"),
    ],
)
def test_numbers(mola, command, wanted):
    done = run(mola, *command.split())
    assert done.returncode == 2 and wanted in done.stderr
    assert "try '--help'" in done.stderr


@pytest.mark.parametrize("command", ["position", "fen", "san", "epd", "svg", "pgn parse", "tables probe"])
def test_records(mola, command):
    lines = ["x", "{", "[]", "{}", '{"fen":3,"epd":3,"pgn":3}', "3", "", '{"fen":"x","input":"x","kind":"?"}']
    done = run(mola, *command.split(), "--batch", text="\n".join(lines) + "\n")
    assert len(done.stdout.splitlines()) == len(lines)
    assert not OF_PROGRAMMERS.search(done.stdout + done.stderr), done.stdout


@pytest.mark.parametrize("command", ["env", "recon arbiter"])
def test_requests(mola, command):
    lines = ["x", "{", "[]", "{}", '{"method":3,"cmd":3}', '{"method":"?","cmd":"?"}', ""]
    done = run(mola, *command.split(), text="\n".join(lines) + "\n")
    assert len(done.stdout.splitlines()) == len(lines)
    assert not OF_PROGRAMMERS.search(done.stdout + done.stderr), done.stdout


def test_files_that_cannot_be_read(mola, tmp_path):
    """For a folder or a missing file, the message has its name and no error number."""
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)))
    for command in (
        "pgn stats", "pgn validate", "pgn parse", "pgn convert", "pgn tree", "pgn index", "book probe", "book info", "book dump",
        "recon replay", "epd --file", "perft --suite", "match --from", "analyse --depth 1", "svg --animate",
        "tables verify", "tables info --path", "match a b --nodes 1 --book",
    ):  # fmt: skip
        for path in (tmp_path, tmp_path / "none", binary):
            done = run(mola, *command.split(), str(path))
            assert not OF_PROGRAMMERS.search(done.stderr), (command, done.stderr)
            if path != binary and "--path" not in command and not command.startswith(("match a", "tables")):
                assert done.returncode == 1 and str(path) in done.stderr, (command, done.stderr)


def test_one_of_a_thing(mola, tmp_path):
    games = tmp_path / "one.pgn"
    games.write_text('[White "a"]\n\n1. e4 *\n')
    for command in (
        "pgn stats", "pgn validate", "pgn filter", "pgn dedupe", "pgn find --material KvK", "pgn headers",
        "pgn eco", "pgn sort --by Date", "pgn tree", "pgn players", "pgn openings", "pgn index",
        "analyse --depth 1", "pgn annotate --depth 1 --output out.pgn", "pgn split --games 1 --output parts",
        "book make --min-game 1 --out book.bin",
    ):  # fmt: skip
        done = run(mola, *command.split(), str(games), cwd=tmp_path)
        assert done.returncode == 0, (command, done.stderr)
        wrong = re.search(r"\b1 (games|plies|moves|entries|errors|files|positions|nodes)\b", done.stdout + done.stderr)
        assert not wrong, (command, wrong[0])
