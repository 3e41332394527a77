"""Every command reports invalid arguments in plain words."""

import os
import re
import shutil
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
        ("fen --start -1", "a whole number from 0 to 959 is expected"),
        ("match a b --margin -1", "a whole number of 0 or more is expected"),
        ("pgn annotate --movetime 0", "a whole number of 1 or more is expected"),
        ("pgn annotate --depth 201", "a whole number from 1 to 200 is expected"),
        ("pgn annotate --hash 0", "a whole number from 1 to 65536 is expected"),
        ("review --depth 201", "a whole number from 1 to 200 is expected"),
        ("review --hash 0", "a whole number from 1 to 65536 is expected"),
        ("perft 99999999999999999999999", "the number is too large"),
        ("play --elo 99999999999999999999999", "a whole number from 760 to 2200 is expected"),
    ],
)
def test_numbers(mola, command, wanted):
    done = run(mola, *command.split())
    assert done.returncode == 2 and wanted in done.stderr
    assert "try '--help'" in done.stderr


# What is about playing games, and about drawing a board.
PLAYING = (
    "gauntlet games=2 shard=1/2 pgn=out.pgn event=E verbose strict tc=1+1 st=1 nodes=1 depth=1 margin=1 concurrency=2 "
    "book=b.epd order=random seed=2 plies=1 variant=chess resign draw max-moves=9 tb=. ponder restart option=A=1"
)
DRAWING = (
    "orientation=black last-move=e2e4 check=e1 no-check arrow=e2e4 fill=e4=red squares=e4 nag=e4=! eval=1 caption=c size=99 "
    "no-coordinates borders theme=slate color=margin=red style=s variant=atomic chess960 out=o.svg format=svg force "
    "compat=python-chess piece=N animate=games.pgn"
)


@pytest.mark.parametrize(
    "command, useless",
    [
        ("match --from games.pgn", PLAYING),
        ("review games.pgn --no-search --json -", "engine=e depth=3 nodes=3 hash=3 concurrency=2"),
        ("svg --batch", DRAWING),
        ("svg --compat python-chess", "theme=slate caption=c eval=1 nag=e4=! piece=N"),
        ("svg --piece N", "orientation=black borders no-coordinates style=s"),
        ("san --batch", "lang=de strict line json variant=atomic chess960"),
        ("position --batch", "eval json flip borders attacks ascii invert variant=atomic chess960"),
        ("position --json", "flip borders attacks ascii invert"),
        ("recon replay game.json --svg", "ascii"),
        ("perft 1", "max-nodes=3"),
        ("analyse suite.epd --depth 1", "annotate=out.pgn"),
    ],
)
def test_options_that_would_do_nothing(mola, tmp_path, command, useless):
    (tmp_path / "games.pgn").write_text("1. e4 *\n")
    (tmp_path / "suite.epd").write_text("4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8;\n")
    for option in useless.split():
        done = run(mola, *command.split(), f"--{option}", cwd=tmp_path)
        assert done.returncode == 2 and done.stdout == "", (option, done.stderr)
        assert f"--{option.partition('=')[0]}" in done.stderr
        assert len(list(tmp_path.iterdir())) == 2, option


@pytest.mark.parametrize("command", ["pgn find games.pgn --fen", "pgn tree --fen", "position", "san", "perft 1"])
def test_a_fen_without_quotes(mola, tmp_path, command):
    (tmp_path / "games.pgn").write_text("1. e4 *\n")
    done = run(mola, *command.split(), *"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 games.pgn".split(), cwd=tmp_path)
    assert done.returncode == 2 and "a FEN is one argument: put it in double quotes" in done.stderr, done.stderr


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


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_propose_names(mola, shell):
    script = subprocess.run([mola, "completions", shell], capture_output=True, text=True, check=True).stdout
    for name in ("crazyhouse", "kingofthehill", "chess960", "figurine", "rotate-90", "slate"):
        assert re.search(rf"(?:^|[ '\"(\t]){name}\b", script, re.M), name


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish_proposes_words_after_help(mola, tmp_path):
    script = subprocess.run([mola, "completions", "fish"], capture_output=True, text=True, check=True).stdout
    (tmp_path / "mola.fish").write_text(script)

    def proposed(line):
        ask = ["fish", "-c", f"source mola.fish; complete -C '{line}'"]
        return subprocess.run(ask, capture_output=True, text=True, cwd=tmp_path).stdout.split()

    for line, word in [
        ("mola help re", "recon"),
        ("mola recon help ma", "match"),
        ("mola play --log ", "trace"),
        ("mola --log d", "debug"),
        ("mola --log info pl", "play"),
        ("mola ben", "bench"),
        ("mola help pgn va", "validate"),
    ]:
        assert word in proposed(line), (line, proposed(line))
    assert proposed("mola help play ") == [] and "debug" not in proposed("mola --nothing d")


def test_titles_have_no_full_stop(mola):
    for command in [(), *commands(mola)]:
        title = run(mola, *command, "--help").stdout.splitlines()[0]
        assert not title.endswith("."), (command, title)


def test_the_usage_of_pictures_is_told_apart(mola):
    done = run(mola, "svg", "--animate", "p.pgn", "startpos", "e4")
    assert "mola svg [OPTIONS] --animate <PGN>\n" in done.stderr and "<PGN> [FEN]" not in done.stderr


@pytest.mark.parametrize(
    "command, usage",
    [
        ("san", "mola san [OPTIONS] <FEN> <MOVES>...\n       mola san --batch\n"),
        ("tables probe", "mola tables probe [OPTIONS] <FEN|--batch>\n"),
    ],
)
def test_the_usage_tells_what_is_required(mola, command, usage):
    assert f"Usage: {usage}" in run(mola, *command.split(), "--help").stdout
    done = run(mola, *command.split())
    assert done.returncode == 2 and "required arguments were not provided" in done.stderr


def test_a_dash_is_refused_where_a_run_is_resumed_from_a_file(mola, tmp_path):
    (tmp_path / "g.pgn").write_text("1. e4 *\n")
    for words in ("pgn annotate g.pgn -o -", "match mola mola --nodes 5 --pgn -"):
        done = run(mola, *words.split(), cwd=tmp_path)
        assert done.returncode == 2 and "-: a file is expected" in done.stderr, (words, done.stderr)


def examples(mola, command):
    """The commands among the examples in the help."""
    columns = {**os.environ, "COLUMNS": "1000"}
    text = subprocess.run([mola, *command, "--help"], capture_output=True, text=True, env=columns).stdout
    return re.findall(r"^  (?:mola|mkdir|printf|xboard) .*", text.partition("\nExamples:\n")[2], re.M)


@pytest.mark.skipif(not shutil.which("man"), reason="man is not installed")
def test_manual_pages_have_the_examples_as_they_are_typed(mola, tmp_path):
    """They were filled as running text, hyphenated, with typographic quotes and no version."""
    pages = tmp_path / "man"
    assert run(mola, "man", "--dir", pages).returncode == 0
    version = run(mola, "--version").stdout.strip()
    narrow = {**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""}
    compared = 0
    for command in [(), *commands(mola)]:
        page = pages / ("-".join(["mola", *command]) + ".1")
        shown = subprocess.run(["man", "-l", page], capture_output=True, text=True, env=narrow, check=True).stdout
        assert shown.splitlines()[-1].strip().startswith(version), command
        assert not re.search("[\u2010\u2018\u2019\u2212\u02c6\u02dc]", shown), command
        lines = {line.strip() for line in shown.splitlines()}
        for example in examples(mola, command):
            assert example.strip() in lines, (command, example)
            compared += 1
    assert compared > 100
    assert run(mola, "man").stdout.count("\n.nf\n") == 1


def test_chess960_is_proposed_where_it_is_taken(mola):
    script = subprocess.run([mola, "completions", "fish"], capture_output=True, text=True, check=True).stdout
    for command in ("datagen", "tune"):
        (names,) = re.findall(rf'_subcommand {command}" -l variant [^"]*"([^"]*)"', script)
        assert "atomic" in names and "chess960" not in names, (command, names)
        needed = ["--out", "x", "--games", "1"] if command == "datagen" else ["--out", "x", "--material"]
        done = run(mola, command, *needed, "--variant", "Chess960")
        assert done.returncode == 2 and "a quarter" in done.stderr, done.stderr


def test_lines_of_the_help_fit(mola):
    """Longer ones are broken, which lines that were broken by hand cannot bear."""
    for command in [(), *commands(mola)]:
        columns = {**os.environ, "COLUMNS": "100"}
        wide = subprocess.run([mola, *command, "--help"], capture_output=True, text=True, env=columns).stdout
        assert not re.search(r"^.{101}", wide, re.M)
        _, _, end = wide.partition("\n\nExamples:\n")
        broken = re.search(r"^\S+(?: \S+)?\n(?=\w)", end, re.M)
        assert not broken, (command, broken)
