"""`mola` of a release: it runs the build for the processor."""

import os
import subprocess
from pathlib import Path

import pytest

from engine import ROOT, Uci, program

pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="only x86-64 has levels")
LEVELS = ["x86-64", "x86-64-v3"]


@pytest.fixture(scope="session")
def launcher() -> Path:
    """Built as for a release: for the oldest processors."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "launcher"
    build = ["cargo", "build", "--quiet", "--release", "--package=mola-launcher", f"--target-dir={target}"]
    flags = {**os.environ, "RUSTFLAGS": "-C target-cpu=x86-64"}
    subprocess.run(build, cwd=ROOT, env=flags, check=True)
    return target / "release/mola-launcher"


@pytest.fixture
def release(tmp_path, launcher) -> Path:
    """A release folder whose programs print their names and arguments."""
    (tmp_path / "mola").write_bytes(launcher.read_bytes())
    for level in LEVELS:
        script = f'#!/bin/sh\nread line\necho "{level}, $line" "$@"\nexit 7\n'
        (tmp_path / f"mola-{level}").write_text(script)
    for file in tmp_path.iterdir():
        file.chmod(0o755)
    return tmp_path


def launch(mola: Path, processor: str | None = None) -> subprocess.CompletedProcess:
    emulator = [program("qemu-x86_64"), "-cpu", processor] if processor else []
    command = [*emulator, mola, "bench", "two words", "ü"]
    return subprocess.run(command, input="a line", capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("processor, level", [("Nehalem", "x86-64"), ("Haswell", "x86-64-v3")])
def test_the_processor_decides(release, processor, level):
    done = launch(release / "mola", processor)
    assert done.stdout == f"{level}, a line bench two words ü\n", done.stderr
    assert done.returncode == 7


def test_a_link_and_a_folder_of_its_own_will_do(release, tmp_path):
    inner = release / "lib/mola"
    inner.mkdir(parents=True)
    (release / "bin").mkdir()
    for level in LEVELS:
        (release / f"mola-{level}").rename(inner / f"mola-{level}")
    (release / "mola").rename(release / "bin/mola")
    link = tmp_path / "link"
    link.symlink_to(release / "bin/mola")
    assert launch(link).stdout.endswith("a line bench two words ü\n")


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.chmod(0o644)])
def test_a_program_that_cannot_be_run_is_told_in_a_line(release, spoil):
    spoil(release / "mola-x86-64")
    done = launch(release / "mola", "Nehalem")
    lines = [line for line in done.stderr.splitlines() if "warning" not in line]
    assert done.returncode == 1 and len(lines) == 1, done.stderr
    assert lines[0].startswith("mola: ") and "mola-x86-64" in lines[0]


def test_the_engine_takes_the_place_of_the_launcher(release, mola):
    for level in LEVELS:
        (release / f"mola-{level}").unlink()
        (release / f"mola-{level}").symlink_to(mola)
    with Uci(command=str(release / "mola")) as engine:
        assert os.path.samefile(f"/proc/{engine.process.pid}/exe", mola)
        assert engine.best("go depth 5")
