"""Arguments of the scripts of this folder."""

import argparse
import os
from pathlib import Path


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number of at least 1 is expected")
    return int(text)


def readable_file(text: str) -> Path:
    """A file that can be read, told before anything is measured."""
    path = Path(text)
    if not path.is_file() or not os.access(path, os.R_OK):
        raise argparse.ArgumentTypeError(f"{text}: no such file, or not one to read")
    return path
