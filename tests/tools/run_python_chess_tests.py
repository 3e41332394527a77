"""Runs python-chess's own tests, unchanged, on `mola.chess`.

    run_python_chess_tests.py FOLDER [CLASS]...

FOLDER holds the unpacked source package of python-chess, of which only `test.py` and `data` are
used. `mola` must be importable.
"""

import importlib.util
import os
import sys
import unittest
from pathlib import Path

import mola


def main() -> int:
    folder, classes = Path(sys.argv[1]).resolve(), sys.argv[2:]
    mola.install()
    # The tests open their data by relative paths.
    os.chdir(folder)
    spec = importlib.util.spec_from_file_location("test", folder / "test.py")
    tests = importlib.util.module_from_spec(spec)
    sys.modules["test"] = tests
    spec.loader.exec_module(tests)
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(classes, tests) if classes else loader.loadTestsFromModule(tests)
    print(suite.countTestCases(), "tests")
    return not unittest.TextTestRunner().run(suite).wasSuccessful()


if __name__ == "__main__":
    sys.exit(main())
