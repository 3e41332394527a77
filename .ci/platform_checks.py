#!/usr/bin/env python3
"""Checks a build of Mola for any system end to end; .ci/platforms runs this for each target.

    .ci/platform_checks.py MOLA                                       # for this system
    .ci/platform_checks.py --system windows --runner wine MOLA.exe
    .ci/platform_checks.py --runner 'qemu-aarch64 -L /usr/aarch64-linux-gnu' MOLA

Prints each check with its result. The exit code is 0 if all passed; --report writes counts as JSON.
"""

import argparse
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from queue import Empty, Queue

# Emulators are slow, and build machines are busy.
PATIENCE = 300
BENCH_PATIENCE = 3600

GAME = """[Event "Größe"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Nxd5 6. Nxf7 1-0

"""
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
# A difficult name: spaces, letters of three scripts, and a figurine.
BOOK = "ein Buch für Čeština 棋♞.bin"
TABLES = "tables à trois"


class Failed(Exception):
    """A failed check."""


def expect(condition, what):
    if not condition:
        raise Failed(what)


class Build:
    """A program, its runner, and a folder to run it in."""

    def __init__(self, program, runner, system, folder):
        self.program = str(Path(program).resolve())
        self.runner = runner
        self.command = [*runner, self.program]
        self.system = system
        self.folder = Path(folder)
        # Engines started by an emulated program run outside the emulator, except under wine.
        self.engine = shlex.join([*([] if system == "windows" else runner), self.program, "uci"])

    def popen(self, *arguments, **options):
        return subprocess.Popen([*self.command, *arguments], cwd=self.folder, **options)

    def run(self, *arguments, text="", patience=PATIENCE, ok=True):
        """Standard output and error of a command."""
        done = subprocess.run(
            [*self.command, *arguments], cwd=self.folder, input=text.encode(), capture_output=True, timeout=patience
        )
        out, err = (stream.decode(errors="replace").replace("\r\n", "\n") for stream in (done.stdout, done.stderr))
        expect((done.returncode == 0) is ok, f"{arguments}: exit code {done.returncode}\n{out[-2000:]}{err[-2000:]}")
        return out, err

    def write(self, name, text):
        (self.folder / name).write_bytes(text.encode())
        return name

    def talk(self, *script, arguments=()):
        """Sends lines, some with an answer to wait for, and returns the whole output.
        WebAssembly without threads reads its input to the end first."""
        lines = [step if isinstance(step, tuple) else (step, None) for step in script]
        if self.system == "wasi":
            out, _ = self.run(*arguments, text="".join(f"{line}\r\n" for line, _ in lines))
            heard = iter(out.splitlines())
            for line, awaited in lines:
                found = awaited is None or any(re.search(awaited, said) for said in heard)
                expect(found, f"no {awaited!r} after {line!r} in\n{out}")
            return out
        with self.popen(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            try:
                return "\n".join(exchange(process, lines))
            finally:
                process.kill()


def exchange(process, lines):
    """Runs the session, with the line ends of Windows."""
    said = Queue()

    def listen():
        for line in process.stdout:
            said.put(line.decode(errors="replace").rstrip())
        said.put(None)

    threading.Thread(target=listen, daemon=True).start()
    heard = []
    for line, awaited in lines:
        process.stdin.write(f"{line}\r\n".encode())
        process.stdin.flush()
        while awaited is not None:
            try:
                text = said.get(timeout=PATIENCE)
            except Empty:
                raise Failed(f"no {awaited!r} after {line!r}:\n" + "\n".join(heard[-20:])) from None
            expect(text is not None, f"the end instead of {awaited!r} after {line!r}:\n" + "\n".join(heard[-20:]))
            heard.append(text)
            if re.search(awaited, text):
                break
    process.stdin.close()
    process.wait(PATIENCE)
    return heard


def await_(condition, what, patience=PATIENCE):
    deadline = time.monotonic() + patience
    while not condition():
        expect(time.monotonic() < deadline, what)
        time.sleep(0.1)


# The checks. Those in SYSTEMS are for some systems only.


def selfcheck(build, options):
    """selfcheck, with the node count of this version"""
    nodes = ["--nodes", str(options.bench)] if options.bench else []
    out, _ = build.run("selfcheck", *nodes, patience=BENCH_PATIENCE)
    expect("All checks passed" in out and "FAILED" not in out, out)


def bench(build, options):
    """bench counts the same nodes"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out, _ = build.run("bench", patience=BENCH_PATIENCE)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    nodes = int(re.search(r"Nodes searched\s*:\s*(\d+)", out)[1])
    options.measured = {"nodes": nodes, "nps": round(nodes / seconds)}
    expect(options.bench in (0, nodes), f"{nodes} nodes, not {options.bench}")


def uci(build, _):
    """a UCI session, its lines ended by CR LF"""
    out = build.talk(
        ("uci", "uciok"),
        "setoption name Hash value 32",
        ("isready", "readyok"),
        f"position fen {MATE_IN_ONE}",
        ("go depth 3", "^bestmove a1a8"),
        "ucinewgame",
        "position startpos moves e2e4 e7e5",
        ("go nodes 20000", "^bestmove"),
        ("go movetime 100", "^bestmove"),
        "setoption name UCI_Variant value atomic",
        "position startpos",
        ("go depth 4", "^bestmove"),
        "quit",
    )
    expect("error" not in out, out)


def xboard(build, _):
    """an XBoard session"""
    out = build.talk(
        "xboard",
        ("protover 2", "done=1"),
        "new",
        "sd 5",
        ("usermove e2e4", "^move "),
        "?",  # a build that reads all its input at once would get `force` before it has moved
        ("ping 7", "^pong 7"),
        "force",
        ("usermove e4e5e6", "Illegal move"),
        "quit",
    )
    expect("Error" not in out, out)


def book(build, _):
    """a book is read whose name has spaces and foreign letters"""
    name = BOOK
    if re.search(r"^ +make ", build.run("book", "--help")[0], re.M):
        build.write("Partien für ein Buch.pgn", GAME.replace("\n", "\r\n") * 3)
        build.run("book", "make", "Partien für ein Buch.pgn", "--out", name)
    else:
        # e2e4 for the start position: key, move, weight, learning.
        (build.folder / name).write_bytes(bytes.fromhex("463b96181691fc9c031c000100000000"))
    out, _ = build.run("book", "probe", name)
    expect("e4" in out, out)
    build.talk(
        "uci",
        f"setoption name BookFile value {name}",
        "setoption name OwnBook value true",
        "position startpos",
        ("go depth 1", "from the book|bestmove e2e4"),
        "quit",
    )


def tables(build, _):
    """endgame tables are made and read"""
    if build.system != "wasi":
        build.run("tables", "generate", "--out", TABLES, "--pieces", "3")
    out, _ = build.run("tables", "probe", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "--path", TABLES)
    expect("win" in out.lower(), out)
    build.talk(
        "uci",
        (f"setoption name SyzygyPath value {TABLES}", "Syzygy tables: 5 WDL"),
        "position fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        ("go depth 6", "^bestmove"),
        "quit",
    )


def large_hash(build, _):
    """a hash table larger than the memory is reduced, with a message"""
    out = build.talk(
        "uci",
        "setoption name Hash value 33554432",
        ("isready", "readyok"),
        "position startpos",
        ("go depth 5", "^bestmove"),
        "quit",
    )
    expect(re.search(r"info string.*MB", out), out)


def pgn(build, _):
    """games in a file with CR LF: read, converted, written to a name with foreign letters"""
    name = build.write("Alle Partien ♞.pgn", "\ufeff" + GAME.replace("\n", "\r\n"))
    build.run("pgn", "validate", name)
    out, _ = build.run("pgn", "convert", name, "--to", "uci")
    expect("e2e4 e7e5" in out, out)
    build.run("pgn", "filter", name, "--player", "A", "-o", "gefilterte Größe.pgn")
    expect("6. Nxf7" in (build.folder / "gefilterte Größe.pgn").read_text("utf-8"), "a game is missing")


def positions(build, _):
    """EPD and FEN in files with CR LF"""
    name = build.write("Übung eins.epd", f'{MATE_IN_ONE[:-4]} bm Ra8#; id "größer";\r\n' * 2)
    out, _ = build.run("epd", "--file", name)
    expect("error" not in out.lower(), out)
    out, _ = build.run("analyse", name, "--nodes", "2000", "--engine", build.engine)
    expect("2 of 2" in out or "2/2" in out, out)


def terminal(build, _):
    """play in a pipe, with CR LF"""
    out, _ = build.run("play", "--depth", "3", text="e4\r\nhistory\r\nquit\r\n")
    expect("1. e4" in out, out)


def matches(build, options):
    """games between its own engines, without a fault"""
    engines = [build.engine, build.engine]
    games = str(options.games)
    out, err = build.run(
        "match", *engines, "--tc", "1+0.05", "--margin", "2000", "--games", games, "--pgn", "ein Kampf.pgn", patience=BENCH_PATIENCE
    )
    played = (build.folder / "ein Kampf.pgn").read_text("utf-8").count("[Result ")
    expect(played == options.games, f"{played} games\n{out}{err}")


def client(build, options):
    """games against itself under fastchess, another match program: none with a fault"""
    fens, _ = build.run("uci", text=f"genfens {options.games // 2} seed 1\nquit\n")
    build.write("openings.epd", "".join(f"{fen}\n" for fen in re.findall("^info string genfens (.*)", fens, re.M)))
    engines = [word for name in "AB" for word in ("-engine", f"cmd={build.program}", "args=uci", f"name={name}")]
    # Build machines are delayed by more than the engine's time reserve.
    each = ["-each", "tc=2+0.1", "option.Move Overhead=300"]
    games = ["-openings", "file=openings.epd", "format=epd", "-rounds", str(options.games // 2), "-repeat"]
    done = subprocess.run(
        [*build.runner, str(options.client.resolve()), *engines, *each, *games],
        cwd=build.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=BENCH_PATIENCE,
    )
    out = done.stdout.decode(errors="replace")
    faults = re.findall(r"^.*(?:illegal|on time|disconnect|stall|crash|Warning|Fatal).*$", out, re.M | re.I)
    # Its exit code does not matter: built by mingw, it sometimes crashes at exit under wine.
    expect(not faults, "\n".join(faults))
    ends = re.findall(r"^Finished game .*\{(.*)\}", out, re.M)
    expect(len(ends) == options.games, out[-2000:])
    print(f"{len(ends)} games:", ", ".join(f"{ends.count(end)} {end}" for end in sorted(set(ends))))


def control_c(build, _):
    """Ctrl-C ends a match with its report and keeps its games"""
    part = build.folder / "unterbrochen.pgn.part"
    line = ["match", build.engine, build.engine, "--nodes", "500", "--games", "20000", "--pgn", "unterbrochen.pgn"]
    with build.popen(*line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as match:
        try:
            await_(lambda: part.exists() and part.stat().st_size > 0, "no game was played")
            # Wine turns it into Ctrl-C.
            match.send_signal(signal.SIGINT)
            out = match.communicate(timeout=PATIENCE)[0].decode(errors="replace")
        finally:
            match.kill()
    expect("games are kept" in out or "records are kept" in out or "record is kept" in out, out)
    build.run("pgn", "validate", part.name)


def living(mark):
    """The bench processes whose command line ends like this, without shells and matches."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().decode(errors="replace").replace("\0", " ")
        except OSError:
            continue  # it has exited meanwhile
        if line.rstrip().endswith(f" bench {mark}") and not re.search(r" (/c|-c|match) ", line):
            found.append(int(entry.parent.name))
    return found


def orphans(build, _):
    """child processes of an engine end with a match, even if it is killed (Windows)"""
    mark = "64 1 77"  # unique arguments, to find this bench again
    inner = f"{build.engine.removesuffix(' uci')} bench {mark}"
    is_windows = build.system == "windows"
    shell = f"cmd /c {inner}" if is_windows else f"sh -c {shlex.quote(inner + '; true')}"
    line = ["match", shell, build.engine, "--nodes", "500", "--games", "2"]
    with build.popen(*line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as match:
        await_(lambda: living(mark), "the engine was not started")
        match.send_signal(signal.SIGKILL if is_windows else signal.SIGINT)
        match.wait(PATIENCE)
    try:
        await_(lambda: not living(mark), "it lives on", 30)
    finally:
        for process in living(mark):
            os.kill(process, signal.SIGKILL)


def windows_paths(build, _):
    r"""\\?\ paths, drives, network names and devices, with either slash"""
    folder = str(build.folder).replace("/", "\\")
    build.write("spiel.pgn", GAME)
    for prefix in ("Z:", "\\\\?\\Z:", "\\\\localhost\\nothing"):
        name = f"{prefix}{folder}\\spiel.pgn"
        out, _ = build.run("pgn", "validate", name, ok="nothing" not in prefix)
    out = f"\\\\?\\Z:{folder}\\neu.pgn"
    build.run("pgn", "filter", "spiel.pgn", "--player", "A", "-o", out)
    expect((build.folder / "neu.pgn").exists(), f"{out} was not written")
    build.run("pgn", "filter", "spiel.pgn", "--player", "A", "-o", "NUL")
    expect(not (build.folder / "NUL").exists(), "a device became a file")
    build.run("pgn", "filter", out, "--player", "A", "-o", f"Z:{folder.lower()}\\..\\{build.folder.name}/neu.pgn", "--force", ok=False)


def windows_names(build, _):
    """names that Windows takes for one file, for a device or for none; inputs that are devices"""
    white = ["Smith", "smith", "SMITH", "Tal, M.", "Tal, M", "a<b>|c "]
    names = build.write("names.pgn", "".join(GAME.replace('"A"', f'"{name}"') for name in white))
    for other in ("EINE.pgn", "eine.pgn.", "eine.pgn "):
        _, err = build.run("pgn", "dedupe", names, "-o", "eine.pgn", "--duplicates", other, ok=False)
        expect("two outputs cannot be the same file" in err, err)
    for name in ("nul.pgn", "con.pgn", "Tal:Botvinnik.pgn"):
        _, err = build.run("pgn", "sort", names, "--by", "white", "-o", name, ok=False)
        expect("Windows" in err and "kept" not in err, err)
        _, err = build.run("play", "--pgn", name, text="e4\nquit\n", ok=False)
        expect("Windows" in err, err)
    build.run("pgn", "convert", names, "--to", "parquet", "--by", "white", "-o", "hive")
    tables = list((build.folder / "hive").glob("white=*/*.parquet"))
    expect(len(tables) == len(white), str(tables))
    for command in (["pgn", "validate", "NUL"], ["pgn", "dedupe", names, "--known", "NUL", "-o", "NUL"]):
        build.run(*command)
    _, err = build.run("pgn", "validate", "*.pgn", ok=False)
    expect("not expanded" in err, err)
    deep = "/".join(["ein langer Name " * 3 + "x"] * 6)
    (build.folder / deep).mkdir(parents=True)
    long_name = f"Z:{build.folder}/{deep}/neu.pgn".replace("/", "\\")
    for _ in range(2):
        build.run("pgn", "filter", names, "--white", "Smith", "-o", long_name, "--force")
    expect((build.folder / deep / "neu.pgn").exists(), "a long path was not written")
    (build.folder / "locked.pgn").write_text("")
    (build.folder / "locked.pgn").chmod(0o444)
    _, err = build.run("pgn", "filter", names, "-o", "locked.pgn", "--force", ok=False)
    expect("read-only" in err, err)


ALWAYS = [selfcheck, bench, uci, xboard, book, tables]
SYSTEMS = {
    "unix": [large_hash, pgn, positions, terminal, matches, control_c, orphans],
    "windows": [large_hash, pgn, positions, terminal, matches, control_c, orphans, windows_paths, windows_names],
    # The engine alone, without features; in WebAssembly also without threads.
    "engine": [large_hash],
    "wasi": [],
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", help="the build")
    parser.add_argument("--runner", default="", help="what runs it, with its arguments")
    parser.add_argument("--system", choices=SYSTEMS, default="unix")
    parser.add_argument("--bench", type=int, default=0, help="the nodes that bench is to search")
    parser.add_argument("--games", type=int, default=2, help="games that it plays against itself")
    parser.add_argument("--only", nargs="*", help="these checks alone, by name")
    parser.add_argument("--client", type=Path, help="fastchess for that system, to play games of it, too")
    parser.add_argument("--tables", type=Path, help="tables of three pieces, for a build that cannot make them")
    parser.add_argument("--report", type=Path, help="where to write what was measured, as JSON")
    return parser.parse_args()


def main():
    options = arguments()
    options.measured = {}
    checks = ALWAYS + SYSTEMS[options.system] + ([client] if options.client else [])
    checks = [check for check in checks if not options.only or check.__name__ in options.only]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="Mola prüft ") as folder:
        build = Build(options.program, shlex.split(options.runner), options.system, folder)
        if options.tables:
            shutil.copytree(options.tables, Path(folder) / TABLES)
        for check in checks:
            start = time.monotonic()
            try:
                check(build, options)
                verdict = "ok"
            except (Failed, OSError, subprocess.TimeoutExpired, TypeError) as error:
                failed += 1
                verdict = f"FAILED: {error}"
            print(f"{check.__name__}: {check.__doc__}: {verdict} ({time.monotonic() - start:.1f} s)", flush=True)
    size = Path(options.program).stat().st_size
    report = {"bytes": size, "passed": len(checks) - failed, "checks": len(checks), **options.measured}
    if options.report:
        options.report.write_text(json.dumps(report))
    print(f"{report['passed']} of {report['checks']} checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
