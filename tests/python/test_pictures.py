"""`mola svg` as PNG and GIF."""

import io
import os
import re
import struct
import subprocess
import sys

import numpy
import pygame
import pytest
import resvg_py
from engine import binary

GAME = """[White "Müller, Łukasz"]
[Black "O'Neil"]

1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... e5 { [%eval #-2] [%clk 0:02:58] } 2. Bc4 { [%clk 0:02:57] } *
"""


def svg(*arguments, code=0):
    done = subprocess.run([binary(), "svg", *map(str, arguments)], capture_output=True, timeout=60)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr.decode()


def test_png_has_the_size_that_is_asked_for(tmp_path):
    path = tmp_path / "brett ä.png"
    svg("startpos", "--size", "200", "-o", path)
    header = path.read_bytes()[:24]
    assert header.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", header[16:]) == (200, 200)
    assert svg("--format", "png", "--piece", "N", "--size", "64")[16:24] == struct.pack(">II", 64, 64)


@pytest.mark.parametrize("size", [64, 200, 333, 480, 1000])
@pytest.mark.parametrize("words", ["startpos e2e4 --nag e4=! --arrow Gd2d4", "--piece n", "--eval #-3 --caption Mate"])
def test_png_is_that_of_resvg(tmp_path, size, words):
    path = tmp_path / "board.png"
    svg(*words.split(), "--size", size, "-o", path)
    same = svg(*words.split(), "--size", size).decode()
    height = re.search(r' height="([\d.]+)"', same)
    if height[1].isdigit():
        assert path.read_bytes() == bytes(resvg_py.svg_to_bytes(svg_string=same, skip_system_fonts=True))
        return
    # The image is stretched, so that it fills the last row.
    whole = f' height="{round(float(height[1]))}" preserveAspectRatio="none"'
    stretched = resvg_py.svg_to_bytes(svg_string=same.replace(height[0], whole, 1), skip_system_fonts=True)
    ours, theirs = (pygame.image.load(io.BytesIO(png), "a.png") for png in (path.read_bytes(), bytes(stretched)))
    assert ours.get_size() == theirs.get_size()
    ours, theirs = (numpy.frombuffer(pygame.image.tobytes(image, "RGBA"), numpy.uint8) for image in (ours, theirs))
    # Edges may differ a little by rounding.
    assert abs(ours.astype(int) - theirs).mean() < 0.05


def test_gif_shows_each_move(tmp_path):
    game, film = tmp_path / "game.pgn", tmp_path / "game.gif"
    game.write_text(GAME)
    svg("--animate", game, "-o", film, "--size", "240")
    data = film.read_bytes()
    assert data.startswith(b"GIF89a") and struct.unpack("<H", data[6:8]) == (240,)
    # A graphic control extension for the start position and for each move.
    assert data.count(b"\x21\xf9\x04") == 4
    moving = svg("--animate", game).decode()
    assert moving.count('class="clock"') == 3 and "Łukasz" in moving


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_gif_shows_its_progress_on_a_terminal(tmp_path):
    game = tmp_path / "game.pgn"
    game.write_text(GAME)
    ours, its = os.openpty()
    os.set_blocking(ours, False)
    command = [binary(), "svg", "--animate", game, "-o", tmp_path / "game.gif"]
    subprocess.run(command, stderr=its, check=True, timeout=60)
    assert b"1 of 4 images" in os.read(ours, 1000)
    os.close(its)
    os.close(ours)


def test_what_cannot_be_drawn(tmp_path):
    game = tmp_path / "game.pgn"
    game.write_text(GAME)
    assert "not PNG" in svg("--animate", game, "-o", tmp_path / "a.png", code=2)
    assert "SVG, PNG and GIF" in svg("-o", tmp_path / "a.webp", code=2)
    assert "SVG, PNG and GIF" in svg("-o", tmp_path / "a.svg.gz", code=2)
    assert "4096 pixels" in svg("-o", tmp_path / "a.png", "--size", "5000", code=2)
    assert list(tmp_path.iterdir()) == [game]


@pytest.mark.parametrize("option", ["--fill e4=COLOR", "--color square_light=COLOR", "--arrow Gb1c3=COLOR"])
def test_colours_that_only_svg_can_show_are_refused(tmp_path, option):
    """They were black."""
    name, value = option.replace("square_light", "square light").split(" ", 1)
    for color in ("rebeccapurple", "lab(50% 40 59)", "oklch(40% 0.2 30)", "color-mix(in srgb, red, blue)", "var(--x)"):
        words = (name, value.replace("COLOR", color))
        for file in ("a.png", "a.gif"):
            assert f'only SVG can show the colour "{color}"' in svg(*words, "-o", tmp_path / file, code=2)
        assert color.encode() in svg(*words)
    for color in ("#0f08", "green", "rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)", "hsl(120, 10%, 20%)"):
        assert svg(name, value.replace("COLOR", color), "--format", "png").startswith(b"\x89PNG")


def test_a_long_caption_keeps_its_begin():
    """It was cut off at both ends."""
    picture = svg("--caption", "Wide caption " * 40).decode()
    caption = picture[picture.index('class="caption"') :]
    xs = [float(x) for x in re.findall(r"M(-?[\d.]+)", caption)]
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', picture)[1])
    assert len(xs) > 100 and min(xs) >= 0 and max(xs) <= width
    assert "Wide caption " * 40 in picture  # as its text
