"""`mola play --full`: the contents of the screen, and that the terminal is restored."""

import contextlib
import fcntl
import os
import re
import signal
import struct
import termios
import time

import pyte
import pytest
from test_terminal import STOPPED, Terminal

LEFT = b"\x1b[?1049l"


class Full:
    """The screen of a terminal."""

    def __init__(self, mola, *arguments, columns=80, rows=24, **env):
        self.terminal = Terminal(mola, "--full", *arguments, **env)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        if (columns, rows) != (80, 24):
            size = struct.pack("HHHH", rows, columns, 0, 0)
            fcntl.ioctl(self.terminal.slave, termios.TIOCSWINSZ, size)

    def __enter__(self):
        self.terminal.__enter__()
        return self

    def __exit__(self, *why):
        self.terminal.__exit__(*why)

    def wait(self, pattern: str) -> str:
        """Waits until the pattern is on the screen."""
        end = time.monotonic() + 20
        while not re.search(pattern, text := "\n".join(self.screen.display)):
            assert time.monotonic() < end, f"no {pattern!r} on\n{text}"
            self.stream.feed(self.terminal.read(0.2))
        return text

    def click(self, column: int, row: int) -> None:
        """The left button, down and up (SGR mouse reports count from 1)."""
        for end in "Mm":
            self.terminal.type(f"\x1b[<0;{column + 1};{row + 1}{end}")

    def square(self, name: str) -> tuple[int, int]:
        """The middle of a square, located by the coordinates around the board; White at the bottom."""
        lines = self.screen.display
        files = next(y for y, line in enumerate(lines) if re.match(r" +a +b +c +d +e +f +g +h", line))
        row = next(y for y, line in enumerate(lines) if re.match(rf"[ █▄]? ?{name[1]} ", line))
        return lines[files].index(name[0]), row


@contextlib.contextmanager
def playing(mola, *arguments, first=r"undo +redo", **options):
    """The screen from its first contents until `quit`, after which the program ends without an error."""
    with Full(mola, *arguments, **options) as full:
        full.wait(first)
        yield full
        full.terminal.type("quit\r")
        assert full.terminal.leave() == 0


def test_keyboard_and_mouse(mola):
    with playing(mola, "--color", "both") as full:
        full.terminal.type("e4\r")
        full.wait(r"(?s)King's Pawn.*1\. e4")
        # Clicks on squares play a move, and the button undoes it.
        full.click(*full.square("e7"))
        full.click(*full.square("e5"))
        full.wait(r"1\. e4 +e5")
        row = next(y for y, line in enumerate(full.screen.display) if " undo " in line)
        full.click(full.screen.display[row].index("undo"), row)
        full.wait(r"1\. e4 *\n")
        full.terminal.type("hello\r")
        full.wait(r"hello")


@pytest.mark.parametrize("typed, chosen", [("q\r", r"a8=Q\+"), ("Q\r", r"a8=Q\+"), ("n\r", "a8=N"), ("\x1b[200~r\r\x1b[201~", "a8=R"), ("3", r"a8=B")])
def test_a_new_piece_is_chosen_by_its_letter(mola, typed, chosen):
    """There `q` and Enter is no `quit`."""
    with playing(mola, "--color", "both", "--fen", "7k/P7/8/8/8/8/p6K/8 w - - 0 1") as full:
        full.click(*full.square("a7"))
        full.click(*full.square("a8"))
        full.wait(r"1 a8=Q\+ +2 a8=R\+")
        full.terminal.type(typed)
        full.wait(rf"1\. +{chosen}")
        full.wait(r"undo +redo")


def test_words_are_typed_while_a_new_piece_is_chosen(mola):
    with playing(mola, "--color", "both", "--fen", "7k/P7/8/8/8/8/p6K/8 w - - 0 1") as full:
        full.click(*full.square("a7"))
        full.click(*full.square("a8"))
        full.wait(r"1 a8=Q\+ +2 a8=R\+")
        full.terminal.type("resign\r")
        assert "a8=" not in full.wait(r"0-1  resignation(?s:.*)undo +redo")


def test_a_move_is_typed_while_a_drop_is_chosen(mola):
    fen = "4k3/8/8/8/8/8/8/4K1N1[Nn] w - - 0 1"
    with playing(mola, "--color", "both", "--variant", "crazyhouse", "--fen", fen) as full:
        full.click(*full.square("e5"))
        full.wait(r"1 N@e5")
        full.terminal.type("Nf3\r")
        full.wait(r"1\. +Nf3")


@pytest.mark.parametrize("columns, rows", [(50, 20), (36, 12)])
def test_clocks_are_shown_without_a_panel(mola, columns, rows):
    with playing(mola, "--color", "both", "--time", "1+0", columns=columns, rows=rows, first="") as full:
        shown = full.wait(r"1\. .*W (1:00|0:5\d)  B 1:00 *\n")
        assert "Mola" not in shown.splitlines()[0]
        full.terminal.type("e4\r")
        full.wait(r"1\.\.\. .*W (1:00|0:[45]\d)  B (0:5\d) *\n")


def test_clocks_leave_room_to_type(mola):
    with playing(mola, "--color", "both", "--time", "1+0", columns=28, rows=12, first="") as full:
        shown = full.wait(r"1\. .*W (1:00|0:5\d) *\n")
        assert "B 1:00" not in shown
        full.terminal.type("e2e4\r")
        full.wait(r"1\.\.\. .*B (1:00|0:5\d) *\n")


def test_the_end_of_a_game_against_the_engine_is_shown(mola):
    """Not what the engine thought about its last move; and earlier positions have their own evaluation."""
    with playing(mola, "--depth", "1", "--fen", "6k1/8/8/8/8/1r6/r7/6K1 w - - 0 1") as full:
        full.terminal.type("Kf1\r")
        shown = full.wait(r"0-1  checkmate(?s:.*)0-1  checkmate")
        assert "  depth" not in shown
        full.terminal.type("\x1b[H")
        assert "  depth" not in full.wait(r"static evaluation")


def test_the_panel_is_about_the_position_shown(mola):
    with playing(mola, "--color", "both") as full:
        full.terminal.type("1. f3 e5 2. g4 Qh4#\r")
        shown = full.wait(r"0-1  checkmate(?s:.*)0-1  checkmate")
        assert "in check" not in shown
        full.terminal.type("\x1b[5~")
        full.wait(r"static evaluation")
        full.terminal.type("\x1b[6~undo\r")
        full.terminal.type("new 4k3/8/8/8/8/8/8/4QK2 b - - 0 1\r")
        full.wait(r"in check")


def test_statistics_are_not_broken(mola):
    with playing(mola, "--color", "both") as full:
        full.terminal.type("analyze 2\r")
        full.wait(r"depth \d\d  \S+k nodes")
        time.sleep(1)
        full.terminal.type("\x0c")
        shown = full.wait(r"depth \d\d  \S+ nodes(  \d+ kn/s)? *\n.*1\. ")
        assert not re.search(r"\d *\n.*kn/s", shown)


def test_a_long_help_says_that_arrows_scroll(mola):
    with playing(mola, columns=50, rows=20) as full:
        full.terminal.type("help\r")
        full.wait(r"arrows scroll, any other key returns")
        full.terminal.type("\x1b[6~")
        full.wait(r"(?s)\A(?!Mouse).*arrows scroll")
        full.terminal.type("x")
        full.wait(r"undo +redo")


def test_a_long_help_scrolls_to_its_end_in_a_narrow_window(mola):
    with playing(mola, columns=30, rows=12) as full:
        full.terminal.type("help\r")
        full.wait(r"arrows scroll")
        full.terminal.type("\x1b[6~" * 40)
        full.wait(r"(?s)what a\s+pawn\s+becomes\.")
        full.terminal.type("x")
        full.wait(r"undo +redo")


def test_ctrl_z_stops_and_draws_anew(mola):
    with Full(mola, "--color", "both", script=STOPPED) as full:
        full.wait(r"undo +redo")
        full.terminal.type("e4\r")
        full.wait(r"1\. e4")
        full.terminal.type("\x1a")
        full.wait(r"stopped")
        assert termios.tcgetattr(full.terminal.slave) == full.terminal.before
        full.screen.reset()
        full.terminal.type("\n")
        full.wait(r"(?s)1\. e4.*undo +redo")
        full.terminal.type("e5\r")
        full.wait(r"1\. e4 +e5")
        full.terminal.type("quit\r")
        full.wait(r"over")
        assert full.terminal.leave() == 0


def test_pasted_lines_are_entered_one_by_one(mola):
    """What follows the last line end is not."""
    with playing(mola, "--color", "both") as full:
        full.terminal.type("\x1b[200~e4\r\ne5\r\r1. Nf3 d6\rNd\x1b[201~")
        full.wait(r"(?s)1\. e4 +e5.*2\. Nf3 +d6")
        full.terminal.type("4\r")
        full.wait(r"3\. Nd4")


def test_pasted_lines_wait_for_the_engine(mola):
    with playing(mola, "--depth", "2") as full:
        full.terminal.type("\x1b[200~a3\rh3\r\x1b[201~")
        full.wait(r"(?s)1\. a3 +\w+.*2\. h3 +\w")


def test_ctrl_c_discards_a_line(mola):
    with Full(mola, "--color", "both") as full:
        full.wait(r"undo +redo")
        for text in ("foo", "bar"):
            full.terminal.type(text)
            full.wait(text)
            full.terminal.type("\x03")
        full.terminal.type("\x03")
        full.wait(r"Press Ctrl-C again")
        full.terminal.type("e4\r")
        full.wait(r"1\. e4")
        full.terminal.type("\x03\x03")
        assert full.terminal.leave() == 0


@pytest.mark.parametrize("typed", ["\x0c", "clear\r"])
def test_drawing_anew_needs_no_answer_of_the_terminal(mola, typed):
    with playing(mola, "--color", "both") as full:
        full.screen.reset()
        full.terminal.type(typed)
        full.wait(r"undo +redo")
        full.wait(r"a +b +c +d +e +f +g +h")


def test_pieces_are_drawn_where_there_is_room(mola):
    with playing(mola, "--color", "both", columns=120, rows=42, first=r"▀███▀"):
        pass


@pytest.mark.parametrize("theme", ["mono", "ascii"])
def test_themes_without_colours(mola, theme):
    """And one without characters that are not ASCII, on the board and around it."""
    with Full(mola, "--color", "both", "--theme", theme) as full:
        full.wait(r"undo +redo")
        full.terminal.type("e4\r")
        shown = full.wait(r"(?s)King's Pawn.*1\. e4")
        cells = [cell for row in full.screen.buffer.values() for cell in row.values()]
        assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
        full.terminal.type("undo\r1. d4 Nf6 2. c4 g6 3. Nc3 d5\r")
        shown += full.wait(r"Gr.nfeld Defense")
        full.terminal.type("help\r")
        shown += full.wait(r"any (other )?key returns")
        assert shown.isascii() == (theme == "ascii")
        full.terminal.type("x")
        full.terminal.type("\x04")
        assert full.terminal.leave() == 0


def test_the_engine_answers(mola):
    with playing(mola, "--level", "1") as full:
        full.terminal.type("d4\r")
        full.wait(r"1\. d4 +\w")


@pytest.mark.parametrize("way", ["quit", "end of input", "SIGTERM"])
def test_the_terminal_is_left_as_it_was(mola, way):
    with Full(mola, "--color", "both") as full:
        full.wait(r"undo +redo")
        match way:
            case "quit":
                full.terminal.type("quit\r")
            case "end of input":
                full.terminal.type("\x04")
            case _:
                os.kill(full.terminal.process.pid, signal.SIGTERM)
        full.terminal.until(re.escape(LEFT))
        assert full.terminal.leave() == 0


def test_a_mouse_outside_of_the_window(mola):
    """Where overflows are checked, crossterm panics at its report."""
    with Full(mola, "--color", "both") as full:
        full.wait(r"undo +redo")
        full.terminal.type("\x1b[<0;0;0M")
        time.sleep(0.2)
        full.terminal.type("quit\r")
        code = full.terminal.leave()
        output = full.terminal.read(0.5) + full.terminal.read(0.5)
        assert code == int(b"panicked" in output)


def test_a_small_window_is_told(mola):
    with playing(mola, "--color", "both", columns=20, rows=6, first=r"too\s+small:\s+28 columns"):
        pass


def test_a_dumb_terminal_is_refused(mola):
    with Terminal(mola, "--full", TERM="dumb") as terminal:
        terminal.until(rb"--full needs a terminal")
        assert terminal.leave() == 1
