"""Scripts that run with python-chess and with `mola.chess`, and must see the same.

Each module has a function `observe(chess, look)`, which calls `look(label, function)` for whatever it
wants to compare: what the function returns or raises.
"""

import re


class Observer:
    """Writes down what it sees, without addresses and without the name of the library."""

    def __init__(self):
        self.seen = []

    def __call__(self, label, function):
        try:
            seen = repr(function())
        except Exception as error:
            seen = f"{type(error).__name__}{error.args}, because of {error.__cause__!r}"
        seen = re.sub(r"0x[0-9a-f]{9,}", "0x", seen)
        self.seen.append((label, re.sub(r"\bmola\.(?=chess\b)", "", seen)))


def observations(module, chess):
    """What a module of this package sees of a library."""
    look = Observer()
    module.observe(chess, look)
    return look.seen
