#!/usr/bin/env python3
"""Sets banditaudit's speed beside DuckDB's: same files, same threads, in turn.

    pip install duckdb==2.0.0                 # the version that the targets were set against
    python3 testdata/bench/against_duckdb.py [--work DIR] [--write]

Makes logs of 20 million rows, 10 arms and 10 covariates in DIR (14 GB; used
again if they are there; a temporary directory by default), then lets DuckDB and
`go run ./testdata/bench/moments` compute per-arm counts, sums and all
cross-products of covariates and reward from the same warm files, in turn, and
compares every number. Then the stages of banditaudit as whole processes, with
their peak of anonymous memory. Prints a page in Markdown; --write also makes it
RESULTS.md beside this script. Ends with exit code 1 if a number differs or a
"must" is missed.

The musts and goals were set on 2026-11-22. A must is the commit of that day,
BASE, which is built and timed in the same turns: at most 1.1 times as slow. A
goal lies between its time and the floor then, as a ratio to DuckDB's time.
Beside stands what this machine takes to add up the words of the file, mapped,
with the same threads: nothing reads it faster.

Times of DuckDB are of the query within an open connection; times of the moments
program are from opening the files to the last number. Neither counts starting a
process. Of the mapped tableau and DuckDB's table in memory, both are open before
and were read once.
"""
import argparse, json, os, platform, re, shutil, statistics, subprocess, sys, tempfile, threading, time

import duckdb

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
D, K = 10, 10
X = [f"x{j}" for j in range(D)]
BASE, SLOWER = "47a7229", 1.1  # what "must" is: the commit of the targets, and how many times its time
TOLERANCE = 1e-9  # of the largest entry of an arm's cross-products

# file: (select list, compression)
PLAIN = ", ".join(X)
ROUNDED = ", ".join(f"round({x}, 1) as {x}" for x in X)
FILES = {
    "snappy": (f"round, action, reward, {PLAIN}", "snappy"),
    "uncompressed": (f"round, action, reward, {PLAIN}", "uncompressed"),
    "zstd": (f"round, action, reward, {PLAIN}", "zstd"),
    "dictionary": (f"round, action, reward, {ROUNDED}", "snappy"),
    "list-snappy": (f"round, action, reward, [{PLAIN}] as context", "snappy"),
    "list-zstd": (f"round, action, reward, [{PLAIN}] as context", "zstd"),
}
# job: (file, what, goal as a ratio to DuckDB's time)
JOBS = {
    "OLS moments, flat, snappy": ("snappy", "ols", 9),
    "OLS moments, flat, uncompressed": ("uncompressed", "ols", 9),
    "OLS moments, flat, zstd": ("zstd", "ols", 2.4),
    "OLS moments, list<double>, snappy": ("list-snappy", "ols", 16),
    "OLS moments, list<double>, zstd": ("list-zstd", "ols", 3.9),
    "OLS moments, flat, dictionary": ("dictionary", "ols", 6.5),
    "OLS moments, mapped tableau against table in memory": ("memory", "ols", 7.5),
    "count, mean, variance, flat, snappy": ("snappy", "means", 3),
}
INGEST = 8e6  # rows/s from zstd: goal

PROTOCOL = """version: 1
experiment: {id: bench, stopping: fixed}
log: {order: [round], action: action, reward: reward, context: [%s]}
arms: [%s]
reward: {range: [0, 1], out_of_range: error}
policy: {name: uniform}
counter: {name: exact}
analysis:
  chosen: before
  alpha: 0.05
  multiplicity: holm
  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]
  tests:
    - {id: H1, arm: each, mean: 0.5, test: exact}
""" % (", ".join(X), ", ".join(f'"{k}"' for k in range(K)))


def make(db, work, rows):
    """Writes the files that are missing. Rewards depend on arm and covariates."""
    paths = {name: os.path.join(work, f"{name}-{rows}.parquet") for name in FILES}
    if all(os.path.exists(p) for p in paths.values()):
        return paths
    say(f"making files of {rows} rows")
    normal = "sqrt(-2*ln(1-random()))*cos(2*pi()*random())"
    db.execute("select setseed(0.42)")
    db.execute(f"create table made as select i+1 as round, (random()*{K})::int % {K} as action, random() as e, "
               + ", ".join(f"{normal} as {x}" for x in X) + f" from range({rows}) t(i)")
    source = "(select *, greatest(0, least(1, 0.3 + 0.02*action + 0.05*x0 - 0.03*x1 + 0.2*e)) as reward from made)"
    for name, (columns, compression) in FILES.items():
        db.execute(f"copy (select {columns} from {source}) to '{paths[name]}.part' (format parquet, compression {compression})")
        os.rename(paths[name] + ".part", paths[name])
    db.execute("drop table made")
    encodings = {r[0] for r in db.execute(f"select encodings from parquet_metadata('{paths['dictionary']}') where path_in_schema='x0'").fetchall()}
    assert all("DICTIONARY" in e for e in encodings), f"x0 of the dictionary file is encoded as {encodings}"
    return paths


def query(file, what, source):
    if what == "means":
        return f"select action, count(*), sum(reward), sum(reward*reward) from {source} group by action order by action"
    names = ([f"context[{j+1}]" for j in range(D)] if file.startswith("list") else X) + ["reward"]
    terms = [f"sum({a})" for a in names] + [f"sum({a}*{b})" for i, a in enumerate(names) for b in names[: i + 1]]
    return f"select action, count(*), {', '.join(terms)} from {source} group by action order by action"


def difference(rows, arms, what):
    """Largest difference of any sum or product, of the largest product of its arm."""
    worst, d = 0.0, 1 if what == "means" else D + 1
    assert len(rows) == len(arms), f"{len(rows)} and {len(arms)} arms"
    for row, arm in zip(rows, arms):
        n, sums, products = row[1], row[2 : 2 + d], row[2 + d :]
        assert n == arm["n"], f"arm {row[0]}: {n} and {arm['n']} rows"
        mean = arm["mean"]
        ours = [arm["product"][i][j] + n * mean[i] * mean[j] for i in range(d) for j in range(i + 1)]
        largest = max(map(abs, products))
        for a, b in list(zip(sums, (n * m for m in mean))) + list(zip(products, ours)):
            worst = max(worst, abs(a - b) / largest)
    return worst


class Bench:
    def __init__(self, work, turns):
        self.work, self.turns = work, turns
        self.program, self.moments = self.built("now", ROOT)
        base = os.path.join(work, "base")
        subprocess.run(["git", "worktree", "add", "-q", "--detach", base, BASE], cwd=ROOT, check=True)
        try:
            self.earlier = self.built(BASE, base)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", base], cwd=ROOT, check=True)
        self.protocol = os.path.join(work, "protocol.yaml")
        with open(self.protocol, "w") as f:
            f.write(PROTOCOL)

    def built(self, of, root):
        """The program and moments, of a work tree."""
        out = []
        for package in ("./cmd/banditaudit", "./testdata/bench/moments"):
            out.append(os.path.join(self.work, os.path.basename(package) + "-" + of))
            subprocess.run(["go", "build", "-o", out[-1], package], cwd=root, check=True)
        return out

    def ours(self, *args, threads, by=None):
        out = subprocess.run([by or self.moments, "-threads", str(threads), "-arms", str(K), *args], check=True, stdout=subprocess.PIPE)
        return json.loads(out.stdout)

    def stage(self, *args, threads, by=None):
        """Runs banditaudit and returns seconds and the peak of RssAnon in MiB. An
        older output is removed, and what is still to be written to disk is, before
        the clock starts: neither is the run's own work."""
        out = args[args.index("-o") + 1]
        if os.path.isdir(out):
            shutil.rmtree(out)
        os.sync()
        start = time.perf_counter()
        p = subprocess.Popen([by or self.program, *args, "-q", "--force", "-j", str(threads)])
        peak = 0
        while p.poll() is None:
            try:
                with open(f"/proc/{p.pid}/status") as f:
                    kib = re.search(r"RssAnon:\s*(\d+)", f.read())
                peak = max(peak, int(kib.group(1)) if kib else 0)
            except OSError:
                pass  # it has just ended, or this is not Linux
            time.sleep(0.01)
        seconds = time.perf_counter() - start
        if p.returncode:
            sys.exit(f"banditaudit {args[0]} ended with {p.returncode}")
        return seconds, peak / 1024

    def tableau(self, rows, by=None):
        return os.path.join(self.work, f"tableau-{rows}" + (f"-{BASE}" if by else ""))

    def ingest(self, path, rows, threads, by=None):
        return self.stage("ingest", "-p", self.protocol, "-o", self.tableau(rows, by), path, threads=threads, by=by)

    def compare(self, db, paths, rows, threads):
        """Every job in turn; returns a line of the table for each, and whether all musts were met."""
        db.execute(f"set threads={threads}")
        times = {name: ([], [], []) for name in JOBS}
        worst, floors = {}, {}
        for turn in range(-1, self.turns):  # the first turn warms caches and compares the numbers
            for name, (file, what, _) in JOBS.items():
                source = "log" if file == "memory" else f"'{paths[file]}'"
                start = time.perf_counter()
                rows_of = db.execute(query(file, what, source)).fetchall()
                theirs = time.perf_counter() - start
                results = []
                for by in (None, self.earlier[1]):
                    if file == "memory":
                        args = ["-tableau", self.tableau(rows, by), "-repeat", "2"]
                    else:
                        args = ["-what", what] + (["-list", "context"] if file.startswith("list") else []) + [paths[file]]
                    results.append(self.ours(*args, threads=threads, by=by))
                result = results[0]
                worst[name] = difference(rows_of, result["arms"], what)
                if turn >= 0 and what == "ols":
                    file = os.path.join(self.tableau(rows), "rounds.arrow") if file == "memory" else paths[file]
                    floors.setdefault(name, []).extend(self.ours("-what", "touch", file, threads=threads)["seconds"])
                if turn >= 0:
                    times[name][0].append(theirs)
                    for i, r in enumerate(results):
                        times[name][1 + i].append(r["seconds"][-1])
            say(f"threads {threads}, turn {turn + 1} of {self.turns}")
        return times, worst, floors


def say(text):
    print(text, file=sys.stderr, flush=True)


def machine():
    model = "unknown processor"
    try:
        with open("/proc/cpuinfo") as f:
            text = f.read()
        model = re.search(r"model name\s*: (.*)", text).group(1)
        family, number = re.search(r"cpu family\s*: (\d+)", text).group(1), re.search(r"model\s*: (\d+)", text).group(1)
        model += f" (family {family}, model {number})"
    except (OSError, AttributeError):
        pass
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {os.cpu_count()} processors, {memory:.0f} GiB, {platform.system()}"


def verdict(slower, value, goal):
    return "goal met" if value >= goal else "must met" if slower <= SLOWER else "**must missed**"


def table(times, worst, floors, threads):
    lines = [
        f"### {threads} thread{'s' if threads > 1 else ''}", "",
        "| job | DuckDB median (min) s | ours median (min) s | ratio of medians (of minima) | goal | BASE median s, times its time | | floor s: to touch the bytes | largest difference |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    fine = True
    for name, (_, _, goal) in JOBS.items():
        a, b, c = times[name]
        ratio, least = statistics.median(a) / statistics.median(b), min(a) / min(b)
        slower = statistics.median(b) / statistics.median(c)
        met = verdict(slower, ratio, goal)
        fine &= "missed" not in met and worst[name] <= TOLERANCE
        differs = f"{worst[name]:.1e}" + ("" if worst[name] <= TOLERANCE else " **differs**")
        lines.append(f"| {name} | {statistics.median(a):.3f} ({min(a):.3f}) | {statistics.median(b):.3f} ({min(b):.3f}) | "
                     f"{ratio:.1f} ({least:.1f}) | {goal} | {statistics.median(c):.3f}, {slower:.2f} | {met} | {f'{statistics.median(floors[name]):.3f}' if name in floors else '–'} | {differs} |")
    return lines + [""], fine


def stages(bench, made, threads, turns):
    lines = [
        f"### banditaudit as whole processes, {threads} thread{'s' if threads > 1 else ''}", "",
        "Input zstd. `analyze` fits ten regressions with HC3 errors, which takes a second pass.", "",
        "| stage | rows | median (min) s | BASE median s, times its time | M rows/s | peak anonymous memory MiB | must / goal | |", "|---|---|---|---|---|---|---|---|",
    ]
    fine = True
    for rows, paths in made.items():
        t = bench.tableau(rows)
        jobs = {
            "ingest": lambda: bench.ingest(paths["zstd"], rows, threads),
            "analyze": lambda: bench.stage("analyze", "-p", bench.protocol, "-t", t, "-o", os.path.join(bench.work, "results.json"), "--fail-on", "never", threads=threads),
            "audit": lambda: bench.stage("audit", "-p", bench.protocol, "-o", os.path.join(bench.work, "audit"), paths["zstd"], "--fail-on", "never", threads=threads),
        }
        for name, job in jobs.items():
            runs, earlier = [], []
            for _ in range(turns):
                runs.append(job())
                if name == "ingest":
                    earlier.append(bench.ingest(paths["zstd"], rows, threads, by=bench.earlier[0])[0])
            seconds, peak = [r[0] for r in runs], max(r[1] for r in runs)
            rate = rows / statistics.median(seconds)
            wanted, met = "peak < 512 MiB", "met" if peak < 512 else "**missed**"
            beside = "–"
            if earlier:
                slower = statistics.median(seconds) / statistics.median(earlier)
                beside = f"{statistics.median(earlier):.3f}, {slower:.2f}"
                wanted += f"; {SLOWER} times BASE / {INGEST / 1e6:g} M rows/s"
                met += ", " + verdict(slower, rate, INGEST)
            fine &= "missed" not in met
            lines.append(f"| {name} | {rows:,} | {statistics.median(seconds):.3f} ({min(seconds):.3f}) | {beside} | {rate / 1e6:.2f} | {peak:.0f} | {wanted} | {met} |")
            say(lines[-1])
    return lines + [""], fine


HEADER = """# Measured beside DuckDB

Written by `python3 testdata/bench/against_duckdb.py --write`, whose text says what is timed
and how, and where "must" and "goal" come from. A ratio above 1 means that this project is
faster. BASE is commit %s, timed in the same turns; must: at most %g times as slow.

""" % (BASE, SLOWER)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--work", help="directory of the files; temporary by default")
    p.add_argument("--rows", type=int, default=20_000_000)
    p.add_argument("--small", type=int, default=2_000_000, help="rows of the smaller log, for memory")
    p.add_argument("--turns", type=int, default=5)
    p.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    p.add_argument("--write", action="store_true", help="put the results into RESULTS.md")
    a = p.parse_args()
    work = a.work or tempfile.mkdtemp(prefix="banditaudit-bench-")
    os.makedirs(work, exist_ok=True)
    try:
        return bench(a, os.path.abspath(work))
    finally:
        if not a.work:
            shutil.rmtree(work)


def bench(a, work):
    b = Bench(work, a.turns)
    db = duckdb.connect()
    db.execute(f"set threads={os.cpu_count()}")
    made = {rows: make(db, work, rows) for rows in (a.small, a.rows)}
    for by in (None, b.earlier[0]):
        b.ingest(made[a.rows]["uncompressed"], a.rows, os.cpu_count(), by=by)
    db.execute(f"create table log as from '{made[a.rows]['uncompressed']}'")
    lines = [f"## DuckDB {duckdb.__version__}", "",
             f"{time.strftime('%Y-%m-%d', time.gmtime())}; {machine()}; {subprocess.run(['go', 'version'], stdout=subprocess.PIPE, text=True).stdout.split()[2]}; "
             f"{a.rows:,} rows, {D} covariates, {K} arms; warm files, {a.turns} turns; load average {os.getloadavg()[0]:.1f} before the first. "
             "Differences are relative to the largest cross-product of the arm.", ""]
    fine = True
    for threads in a.threads:
        times, worst, floors = b.compare(db, made[a.rows], a.rows, threads)
        part, good = table(times, worst, floors, threads)
        lines, fine = lines + part, fine and good
    db.close()
    for threads in a.threads:
        part, good = stages(b, made, threads, a.turns)
        lines, fine = lines + part, fine and good
    section = "\n".join(lines)
    print(section)
    if a.write:
        with open(os.path.join(HERE, "RESULTS.md"), "w") as f:
            f.write(HEADER + section)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
