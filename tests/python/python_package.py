"""Builds the Python package `mola` and puts it on the path, for tests that import it.

`$MOLA_PACKAGE` names a folder with one that has been built.
"""

import os
import subprocess
import sys
from pathlib import Path

from engine import ROOT

FOLDER = Path(os.environ.get("MOLA_PACKAGE", ROOT / "target/python-package"))
if "MOLA_PACKAGE" not in os.environ:
    subprocess.run([ROOT / "tests/tools/python_package", FOLDER], check=True)
sys.path.insert(0, str(FOLDER))
# Of other processes that import `mola` from where this one does.
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
