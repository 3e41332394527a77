"""Prints the table of results of .ci/platforms: the folder of its reports, and the targets to show."""

import json
import sys
from pathlib import Path

NATIVE = "x86_64-unknown-linux-gnu"

out, *targets = sys.argv[1:]
reports = {target: Path(out, f"{target}.json") for target in [NATIVE, *targets]}
found = {target: json.loads(path.read_text()) for target, path in reports.items() if path.exists()}
native = found.get(NATIVE, {}).get("nps")
print("| target | MB | nodes of bench | nodes a second, of native | checks |\n|---|---|---|---|---|")
for target in targets:
    report = found.get(target)
    if report is None:
        print(f"| {target} | | | | not built |")
        continue
    speed = f"{report['nps'] / native:.2f}" if native and "nps" in report else "?"
    size = f"{report['bytes'] / 1e6:.1f}"
    nodes = f"{report['nodes']:,}" if "nodes" in report else "?"
    print(f"| {target} | {size} | {nodes} | {speed} | {report['passed']} of {report['checks']} |")
