"""Scripts that must give the same results with python-chess and with `mola.chess`.

Each module has a function `observe(chess, look)`, which calls `look(label, function)` for whatever it
wants to compare: what the function returns or raises.
"""

import re


class Observer:
    """Records results, without memory addresses and the name of the library."""

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
    """The results of a module of this package with a library."""
    look = Observer()
    module.observe(chess, look)
    return look.seen
