#!/usr/bin/env python3
"""Times stages of banditaudit beside DuckDB, interleaved in one run.

    pip install duckdb            # any recent version; its number is printed
    python3 testdata/bench/stages.py [ROWS] [THREADS]

The log is one of banditaudit's own: 10 arms, 10 context columns, uniform
policy, snappy Parquet. DuckDB is asked for what `analyze` needs of the rows,
per arm: counts, sums and all cross-products of context and reward. It is
asked of the Parquet files and of a table in memory. banditaudit's stages are
timed as whole processes; `analyze` also fits ten regressions with HC3 errors,
which takes a second pass that DuckDB is not asked for.
"""
import os, statistics, subprocess, sys, tempfile, time

import duckdb

rows = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
threads = int(sys.argv[2]) if len(sys.argv) > 2 else os.cpu_count()
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
work = tempfile.mkdtemp(prefix="banditaudit-bench-")
program = os.path.join(work, "banditaudit")
d = 10


def run(*args):
    start = time.perf_counter()
    subprocess.run([program, *args, "-q", "--force", "-j", str(threads)], check=True)
    return time.perf_counter() - start


subprocess.run(["go", "build", "-o", program, "./cmd/banditaudit"], cwd=root, check=True)
means = ",".join(f"{0.3 + 0.04 * k:.2f}" for k in range(10))
sim = os.path.join(work, "sim")
run("simulate", "--policy", "uniform", "--counter", "exact", "--means", means, "--rounds", str(rows), "--context-dim", str(d), "-o", sim)
log, protocol = os.path.join(sim, "log"), os.path.join(sim, "protocol.yaml")
names = [f"x{j}" for j in range(d)] + ["y"]
terms = ["count(*)"] + [f"sum({a})" for a in names] + [f"sum({a}*{b})" for i, a in enumerate(names) for b in names[i:]]
select = f"select action, {', '.join(terms)} from (select *, reward::int::double y from %s) group by action"
db = duckdb.connect()
db.execute(f"set threads={threads}")
db.execute(f"create table log as from '{log}/*.parquet'")


def query(source):
    start = time.perf_counter()
    db.execute(select % source).fetchall()
    return time.perf_counter() - start


jobs = {
    "DuckDB, moments from Parquet": lambda: query(f"'{log}/*.parquet'"),
    "DuckDB, moments from memory": lambda: query("log"),
    "banditaudit ingest": lambda: run("ingest", "-p", protocol, "-o", os.path.join(work, "tableau"), log),
    "banditaudit analyze": lambda: run("analyze", "-p", protocol, "-t", os.path.join(work, "tableau"), "-o", os.path.join(work, "results.json"), "--fail-on", "never"),
    "banditaudit audit": lambda: run("audit", "-p", protocol, "-o", os.path.join(work, "out"), log, "--fail-on", "never"),
}
times = {name: [] for name in jobs}
for _ in range(5):
    for name, job in jobs.items():
        times[name].append(job())
print(f"{rows} rows, {threads} threads, DuckDB {duckdb.__version__}; median, minimum, maximum of 5, seconds")
for name, t in times.items():
    print(f"{name:32s} {statistics.median(t):7.3f} {min(t):7.3f} {max(t):7.3f}   {rows / statistics.median(t) / 1e6:6.2f} M rows/s")
subprocess.run(["rm", "-rf", work], check=True)
