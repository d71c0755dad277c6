"""Audits a log that outgrows one machine: Spark brings every experiment together in one
partition, each partition is audited where it lies, and the fragments are merged.

    spark-submit audit.py --protocol P --log LOG --experiment COLUMN --order COLUMN... \
        --work SHARED --out BUNDLE [--ship seed.hex...] [--binary FILE] [--parts N]

LOG and SHARED are folders that driver and executors see under one path. FILE is a static
binary, which Spark hands out; without it executors need the wheel. Executors need Python,
pandas and pyarrow. The exit code is that of `banditaudit merge`, and 70 where it did not come to that.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import traceback
from urllib.parse import unquote, urlparse

from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("protocol", "log", "experiment", "work", "out"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--order", nargs="+", required=True, help="log.order of the protocol")
    p.add_argument("--ship", nargs="*", default=[], help="files that the protocol names")
    p.add_argument("--binary")
    p.add_argument("--parts", type=int, default=200)
    args = p.parse_args()
    for name in ("log", "work", "out", "binary"):
        if value := getattr(args, name):
            setattr(args, name, os.path.abspath(value))
    return args


def read(path):
    with open(path, "rb") as f:
        return f.read()


def runner(args):
    """run(function) calls function(scratch, banditaudit) on an executor.

    scratch is a folder among the blocks that Spark spills and shuffles, which it removes with
    the application, also where an executor was killed. Protocol and seed lie nowhere else.
    """
    protocol, binary = os.path.basename(args.protocol), args.binary and os.path.basename(args.binary)
    shipped = {os.path.basename(f): read(f) for f in [args.protocol, *args.ship]}

    def run(function):
        with tempfile.TemporaryDirectory(dir=os.environ["SPARK_LOCAL_DIRS"].split(",")[0]) as scratch:
            for name, content in shipped.items():
                with open(f"{scratch}/{name}", "wb") as f:
                    f.write(content)
            command = [sys.executable, "-m", "banditaudit"]
            if binary:
                command = [SparkFiles.get(binary)]
                os.chmod(command[0], 0o755)

            def banditaudit(verb, *more):
                done = subprocess.run(
                    [*command, verb, "-q", "-p", f"{scratch}/{protocol}", *more],
                    capture_output=True, text=True, env={**os.environ, "TMPDIR": scratch})
                if done.returncode:
                    raise RuntimeError(f"banditaudit {verb} ended with {done.returncode}: {done.stderr[-2000:]}")

            return function(scratch, banditaudit)

    return run


def main():
    args = arguments()
    spark = SparkSession.builder.appName("banditaudit").getOrCreate()
    context = spark.sparkContext
    work = f"{args.work}/{context.applicationId}"
    os.makedirs(work)
    if args.binary:
        context.addFile(args.binary)
    run, log, count = runner(args), args.log, args.parts

    def census(path):
        def one(scratch, banditaudit):
            banditaudit("census", "--root", log, "-o", f"{scratch}/census.json", path)
            return read(f"{scratch}/census.json")
        return run(one)

    def audit(batches):
        import pyarrow as pa
        import pyarrow.parquet as pq

        def one(scratch, banditaudit):
            part, writer = f"{scratch}/part.parquet", None
            for batch in batches:
                writer = writer or pq.ParquetWriter(part, batch.schema)
                writer.write_batch(batch)
            if not writer:
                return []
            writer.close()
            fragment = f"{work}/{TaskContext.get().partitionId():05d}.frag"
            banditaudit("audit", "-j", "1", "--log", f"{work}/log.json", "-o", fragment, part)
            return [fragment]
        yield pa.RecordBatch.from_pydict({"fragment": pa.array(run(one), pa.string())})

    rows = spark.read.parquet(log)
    files = sorted(unquote(urlparse(f).path) for f in rows.inputFiles())
    local = [args.binary or "banditaudit"]
    for i, one in enumerate(context.parallelize(files, len(files)).map(census).collect()):
        with open(f"{work}/{i}.json", "wb") as f:
            f.write(one)
    subprocess.run([*local, "census", "-q", "-p", args.protocol, "-o", f"{work}/log.json",
                    *(f"{work}/{i}.json" for i in range(len(files)))], check=True)
    parts = rows.repartition(count, args.experiment).sortWithinPartitions(args.experiment, *args.order)
    fragments = [row.fragment for row in parts.mapInArrow(audit, "fragment string").collect()]
    spark.stop()
    sys.exit(subprocess.run([*local, "merge", "-p", args.protocol, "--log", f"{work}/log.json",
                             "-o", args.out, *fragments]).returncode)


if __name__ == "__main__":
    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(70)  # Python's own 1 would say that a claim is VIOLATED
