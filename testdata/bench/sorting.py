#!/usr/bin/env python3
"""Sets `ingest` of a log in random order beside DuckDB's COPY (... ORDER BY ...).

    pip install duckdb                        # any version; its number is printed
    python3 testdata/bench/sorting.py [--rows 10000000] [--memory 1024 512] [--work DIR] [--write]

A log of 13 columns whose rows are in random order is sorted by round in turn by both, from
warm files, with the same processors and the same bound on memory, onto disk: by DuckDB into
Parquet with zstd and without compression, by ingest into its tableau, which is not
compressed, with the checks and digests of an audit. Each run is a process of its own; DuckDB's
seconds are of the statement alone. Sorting has to take at most 3 times as long as the faster
of DuckDB's two; not longer is the goal. --write puts the page into SORTING.md. Exit code 1
where it takes longer than 3 times as long.
"""
import argparse, math, os, shutil, statistics, subprocess, sys, tempfile, time

import duckdb

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
from against_duckdb import D, K, PROTOCOL, machine, say

SORT = """
import duckdb, sys, time
db = duckdb.connect(config={"memory_limit": sys.argv[3] + "MiB", "threads": sys.argv[4], "temp_directory": sys.argv[2] + ".tmp"})
start = time.perf_counter()
db.execute(f"copy (select * from '{sys.argv[1]}' order by round) to '{sys.argv[2]}' (format parquet, compression {sys.argv[5]})")
print(time.perf_counter() - start)
"""


def ran(args):
    """Seconds and processor seconds of a program, and what it printed; None where it failed."""
    os.sync()
    start = time.perf_counter()
    p = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = p.stdout.read(), p.stderr.read()
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode:
        say(err[-500:])
        return None
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, out


def make(work, rows):
    log = os.path.join(work, "log.parquet")
    db = duckdb.connect(config={"temp_directory": work + "/made.tmp", "memory_limit": "4GiB"})
    normal = "sqrt(-2*ln(1-random()))*cos(2*pi()*random())"
    db.execute("select setseed(0.42)")
    # A number without common factor with the rows walks through all of them.
    step = next(s for s in range(rows // 3 * 2 + 1, rows * 2) if math.gcd(s, rows) == 1)
    db.execute(f"copy (select (i * {step}) % {rows} + 1 as round, (random()*{K})::int % {K} as action, random() as reward, "
               + ", ".join(f"{normal} as x{j}" for j in range(D)) + f" from range({rows}) t(i) order by hash(i)) to '{log}' (format parquet, compression zstd)")
    return log


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rows", type=int, default=10_000_000)
    p.add_argument("--memory", type=int, nargs="+", default=[2048, 1024, 512], help="MiB that either may take")
    p.add_argument("--turns", type=int, default=3)
    p.add_argument("--work", help="directory of log and outputs; temporary by default")
    p.add_argument("--write", action="store_true")
    a = p.parse_args()
    work = tempfile.mkdtemp(prefix="banditaudit-sorting-", dir=a.work)
    os.environ["TMPDIR"] = work
    try:
        program, protocol, threads = os.path.join(work, "banditaudit"), os.path.join(work, "protocol.yaml"), os.cpu_count()
        subprocess.run(["go", "build", "-o", program, "./cmd/banditaudit"], cwd=ROOT, check=True)
        with open(protocol, "w") as f:
            f.write(PROTOCOL)
        log, fine, lines = make(work, a.rows), True, []
        load = os.getloadavg()[0]
        for memory in a.memory:
            times = {"zstd": [], "uncompressed": [], "ours": []}
            for turn in range(a.turns):
                for what in times:
                    out = os.path.join(work, "out")
                    if what == "ours":
                        done = ran([program, "ingest", "-q", "--no-progress", "-j", str(threads), "--max-memory", f"{memory}MiB", "-p", protocol, "-o", out, log])
                    else:
                        done = ran([sys.executable, "-c", SORT, log, out, str(memory), str(threads), what])
                        done = done and (float(done[2].split()[-1]), done[1], "")
                    times[what].append(done)
                    shutil.rmtree(out, ignore_errors=True) if os.path.isdir(out) else os.path.exists(out) and os.remove(out)
            middle = {w: None if None in t else (statistics.median(x[0] for x in t), statistics.median(x[1] for x in t)) for w, t in times.items()}
            theirs = [middle[w] for w in ("zstd", "uncompressed") if middle[w]]
            verdict = "DuckDB cannot"
            if middle["ours"] is None:
                verdict, fine = "**missed**: ingest failed", False
            elif theirs:
                wall, cpu = (middle["ours"][i] / min(t[i] for t in theirs) for i in (0, 1))
                fine &= wall <= 3
                verdict = f"{wall:.2f} ({cpu:.2f}): " + ("goal met" if wall <= 1 else "must met" if wall <= 3 else "**must missed**")
            shown = [f"{m[0]:.2f} ({m[1]:.2f})" if m else "failed" for m in middle.values()]
            lines.append(f"| {memory} MiB | {' | '.join(shown)} | {verdict} |")
            say(lines[-1])
    finally:
        shutil.rmtree(work)
    page = "\n".join([
        "# Sorting on disk beside DuckDB", "", "Written by `python3 testdata/bench/sorting.py --write`, whose text says what is timed.", "",
        f"{time.strftime('%Y-%m-%d', time.gmtime())}; {machine()}; DuckDB {duckdb.__version__}; {a.rows:,} rows × {3 + D} columns in random order; {threads} threads; "
        f"medians of {a.turns} turns, seconds (processor seconds); load average {load:.1f} before.", "",
        "| memory allowed | DuckDB, to zstd | DuckDB, uncompressed | ingest | ingest ÷ the faster of DuckDB's (must ≤ 3, goal ≤ 1) |", "|---|---|---|---|---|", *lines]) + "\n"
    print(page)
    if a.write:
        with open(os.path.join(HERE, "SORTING.md"), "w") as f:
            f.write(page)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
