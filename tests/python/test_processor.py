"""A processor older than the build: a one-line error, and no illegal instruction."""

import subprocess

import pytest

from engine import program


@pytest.mark.parametrize("command", [["bench", "3"], ["uci"], []])
def test_an_old_processor_is_told_in_a_line(mola, command):
    emulator = program("qemu-x86_64")
    new = subprocess.run([emulator, "-cpu", "max", mola, "--version"], capture_output=True, timeout=60)
    if new.returncode:
        pytest.skip("the emulator does not run this build at all")
    old = [emulator, "-cpu", "Nehalem", mola, *command]
    done = subprocess.run(old, input=b"quit\n", capture_output=True, timeout=60)
    if done.returncode == 0:
        return  # built for old processors
    lines = [line for line in done.stderr.decode().splitlines() if "warning" not in line]
    assert done.returncode == 1 and len(lines) == 1, done.stderr
    assert "AVX2" in lines[0] and "target-cpu=x86-64" in lines[0]
