"""Reads collections of games with Apache Spark; each worker reads some of the files.

    pip install pyspark pyarrow pandas numpy
    python spark_games.py games/*.pgn.zst [--workers 2]

Split a large file first: `mola pgn split --games 100000 -o games big.pgn`. On a cluster, replace
`local[...]` by the master's URL, put the files where all workers can read them, and install the
package on each worker.
"""

import argparse
import os
import sys
import time
from typing import Any, Iterator, List

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

SCHEMA = "file string, number int, white string, black string, result string, plies int, first string"


def read_games(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows of games from rows of paths; runs in the workers."""
    import mola
    import numpy as np

    for batch in batches:
        for path in batch.column("path").to_pylist():
            games = mola.read_pgn(path, annotations=False)
            assert games.first is not None and games.moves is not None
            plies = np.diff(games.first).astype(np.int32)
            starts = games.first[:-1][plies > 0]
            first = np.full(len(games), None, object)
            first[plies > 0] = [str(mola.unpack_move(move)) for move in games.moves[starts]]

            def tag(name: str, games: mola.Games = games) -> List[Any]:
                return games.headers[name].tolist() if name in games.headers else [None] * len(games)

            yield pa.RecordBatch.from_arrays(
                [
                    pa.array([path] * len(games), pa.string()),
                    pa.array(range(1, len(games) + 1), pa.int32()),
                    pa.array(tag("White"), pa.string()),
                    pa.array(tag("Black"), pa.string()),
                    pa.array(tag("Result"), pa.string()),
                    pa.array(plies),
                    pa.array(first, pa.string()),
                ],
                names=["file", "number", "white", "black", "result", "plies", "first"],
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    # Otherwise workers run any python3 on their path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master(f"local[{options.workers}]")
        .config("spark.ui.enabled", "false")
        .config("spark.python.worker.reuse", "true")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    paths = [(os.path.abspath(path),) for path in options.files]
    # One task per file, so that a worker that has finished takes the next.
    files = spark.createDataFrame(spark.sparkContext.parallelize(paths, len(paths)), "path string")
    started = time.perf_counter()
    games = files.mapInArrow(read_games, SCHEMA).cache()
    count, plies = games.agg(sql.count("*"), sql.sum("plies")).first()
    seconds = time.perf_counter() - started
    print(f"{count} games, {plies} plies of {len(paths)} files in {seconds:.1f} s")
    results = games.groupBy("result").count().orderBy("result").collect()
    print("results:", ", ".join(f"{row['result']} {row['count']}" for row in results))
    firsts = games.groupBy("first").count().orderBy(sql.desc("count"), "first").limit(5).collect()
    print("first moves:", ", ".join(f"{row['first']} {row['count']}" for row in firsts))
    spark.stop()


if __name__ == "__main__":
    main()
