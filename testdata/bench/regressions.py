#!/usr/bin/env python3
"""Times regressions with HC3 errors: against one pass, statsmodels and R.

    pip install duckdb numpy statsmodels      # and R with its package sandwich
    python3 testdata/bench/regressions.py [--work DIR] [--write]

Makes a log of 20 million rows, 10 arms and 10 covariates in DIR (used again if it
is there; a temporary directory by default) and one of a million, which together
with their tableaux and arrays take 4.3 GB there, and 2 GB of memory while the log
is made; ingests both, and lets `go run ./testdata/bench/moments` make, in turn,

    one pass    the cross-products of every arm, from the open tableau
    full HC3    the same, a regression per arm, and a second pass for HC3 errors

The full HC3 must take at most three times one pass. Then, on the million rows,
statsmodels and R do the same regressions per arm, in turn with ours and from
arrays that are in memory; neither reading, nor splitting by arm, nor starting a
process counts. statsmodels' BLAS has as many threads as ours; R is as it is
installed. Every estimate and error is compared. Prints tables in Markdown; --write
also puts them into REGRESSIONS.md beside this script. Ends with exit code 1 if a
number differs or the must is missed.
"""
import argparse, json, os, shutil, statistics, subprocess, sys, tempfile, time

import duckdb
import numpy as np

from against_duckdb import D, HERE, K, ROOT, X, Bench, machine, say

MUST = 3  # times one pass
TOLERANCE = 1e-8  # relative, of estimates (to their errors) and errors


def make(work, rows):
    """Writes the log if it is missing. Noise grows with the first covariate."""
    path = os.path.join(work, f"hc3-{rows}.parquet")
    if os.path.exists(path):
        return path
    say(f"making a log of {rows} rows")
    normal = "sqrt(-2*ln(1-random()))*cos(2*pi()*random())"
    db = duckdb.connect()
    db.execute("select setseed(0.42)")
    db.execute(f"create table made as select i+1 as round, (random()*{K})::int % {K} as action, random() as e, "
               + ", ".join(f"{normal} as {x}" for x in X) + f" from range({rows}) t(i)")
    reward = "greatest(0, least(1, 0.3 + 0.02*action + 0.05*x0 - 0.03*x1 + 0.2*e*(1 + 0.3*sin(x0))))"
    db.execute(f"copy (select round, action, {reward} as reward, {', '.join(X)} from made) to '{path}.part' (format parquet, compression uncompressed)")
    os.rename(path + ".part", path)
    return path


def columns(path):
    """arm, reward and covariates, a row of the array each."""
    got = duckdb.connect().execute(f"select action::double as action, reward, {', '.join(X)} from '{path}' order by round").fetchnumpy()
    return np.array([np.asarray(got[c], dtype=float) for c in ["action", "reward"] + X])


def by_statsmodels(path):
    """Run as a child process, so that it has its own number of threads."""
    import statsmodels
    import statsmodels.api as sm

    m = np.load(path)
    parts = [(m[1, m[0] == k].copy(), sm.add_constant(m[2:, m[0] == k].T)) for k in range(K)]
    start = time.perf_counter()
    fits = [sm.OLS(y, x).fit(cov_type="HC3") for y, x in parts]
    out = {"estimates": [f.params.tolist() for f in fits], "errors": [f.bse.tolist() for f in fits]}
    out["seconds"] = time.perf_counter() - start
    out["version"] = f"statsmodels {statsmodels.__version__}"
    print(json.dumps(out))


def statsmodels_of(path, threads):
    env = dict(os.environ)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        env[name] = str(threads)
    out = subprocess.run([sys.executable, os.path.abspath(__file__), "--statsmodels", path], env=env, check=True, stdout=subprocess.PIPE)
    return json.loads(out.stdout)


def r_of(path, rows):
    out = subprocess.run(["Rscript", os.path.join(HERE, "regressions.R"), path, str(rows), str(K), str(D)], check=True, stdout=subprocess.PIPE, text=True)
    lines = out.stdout.strip().split("\n")
    numbers = [[float(v) for v in l.split()] for l in lines[1:-1]]
    return {"seconds": float(lines[0]), "version": lines[-1].strip(),
            "estimates": [v[: D + 1] for v in numbers], "errors": [v[D + 1 :] for v in numbers]}


def difference(ours, theirs):
    """Largest relative difference of an error, or of an estimate in errors."""
    a, b = np.array(ours["errors"]), np.array(theirs["errors"])
    assert a.shape == b.shape == (K, D + 1), f"{a.shape} and {b.shape} coefficients"
    off = np.abs(np.array(ours["estimates"]) - np.array(theirs["estimates"])) / b
    return max(np.abs(a / b - 1).max(), off.max())


def passes(bench, tableau, rows, threads, turns):
    seconds = {"ols": [], "hc3": []}
    for _ in range(turns):
        for what in seconds:  # in turn; the first repetition of each process warms its memory
            seconds[what].append(bench.ours("-what", what, "-tableau", tableau, "-repeat", "2", threads=threads)["seconds"][-1])
    one, full = seconds["ols"], seconds["hc3"]
    ratio = statistics.median(full) / statistics.median(one)
    line = (f"| {threads} | {statistics.median(one):.3f} ({min(one):.3f}) | {statistics.median(full):.3f} ({min(full):.3f}) | "
            f"{rows / statistics.median(full) / 1e6:.0f} | {ratio:.2f} ({min(full) / min(one):.2f}) | {'met' if ratio <= MUST else '**missed**'} |")
    say(line)
    return line, ratio <= MUST


def compare(bench, work, path, tableau, rows, threads, turns):
    """Ours, statsmodels and R in turn; a line for each, and whether numbers agree."""
    m = columns(path)
    arrays, raw = os.path.join(work, "hc3.npy"), os.path.join(work, "hc3.raw")
    np.save(arrays, m)
    m.tofile(raw)
    seconds, worst, version = {"banditaudit": []}, {}, {"banditaudit": "banditaudit"}
    for _ in range(turns):
        ours = bench.ours("-what", "hc3", "-tableau", tableau, "-repeat", "3", threads=threads)
        seconds["banditaudit"].append(ours["seconds"][-1])
        for name, got in (("statsmodels", statsmodels_of(arrays, threads)), ("R", r_of(raw, rows))):
            seconds.setdefault(name, []).append(got["seconds"])
            worst[name], version[name] = difference(ours, got), got["version"]
        say(f"threads {threads}: " + ", ".join(f"{k} {v[-1]:.3f} s" for k, v in seconds.items()))
    own = statistics.median(seconds["banditaudit"])
    lines = []
    for name, v in seconds.items():
        differs = f"{worst[name]:.1e}" + ("" if worst[name] <= TOLERANCE else " **differs**") if name in worst else ""
        lines.append(f"| {threads} | {version[name]} | {statistics.median(v):.4f} ({min(v):.4f}) | {statistics.median(v) / own:.0f} | {differs} |")
    return lines, all(w <= TOLERANCE for w in worst.values())


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--work", help="directory of the files; temporary by default")
    p.add_argument("--rows", type=int, default=20_000_000)
    p.add_argument("--compared", type=int, default=1_000_000, help="rows that statsmodels and R see")
    p.add_argument("--turns", type=int, default=5)
    p.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    p.add_argument("--write", action="store_true", help="put the results into REGRESSIONS.md")
    p.add_argument("--statsmodels", help=argparse.SUPPRESS)
    a = p.parse_args()
    if a.statsmodels:
        by_statsmodels(a.statsmodels)
        return 0
    work = a.work or tempfile.mkdtemp(prefix="banditaudit-bench-")
    os.makedirs(work, exist_ok=True)
    try:
        return run(a, os.path.abspath(work))
    finally:
        if not a.work:
            shutil.rmtree(work)


def run(a, work):
    b = Bench(work, a.turns)
    logs = {rows: make(work, rows) for rows in {a.rows, a.compared}}
    for rows, path in logs.items():
        b.ingest(path, rows, os.cpu_count())
    go = subprocess.run(["go", "version"], stdout=subprocess.PIPE, text=True).stdout.split()[2]
    lines = ["# Regressions with HC3 errors", "",
             "Written by `python3 testdata/bench/regressions.py --write`; the script's own text says what is timed and how.", "",
             f"{time.strftime('%Y-%m-%d', time.gmtime())}; {machine()}; {go}; {D} covariates, {K} arms with a regression each; "
             f"warm, {a.turns} turns; load average {os.getloadavg()[0]:.1f} before the first. Seconds are medians (least).", "",
             f"## Against one pass, {a.rows:,} rows", "",
             "| threads | one pass s | full HC3 s | M rows/s | full / one pass, of medians (of least) | at most three passes |", "|---|---|---|---|---|---|"]
    fine = True
    for threads in a.threads:
        line, good = passes(b, b.tableau(a.rows), a.rows, threads, a.turns)
        lines, fine = lines + [line], fine and good
    lines += ["", f"## Beside statsmodels and R, {a.compared:,} rows", "",
              "| threads | program | s | times ours | largest difference |", "|---|---|---|---|---|"]
    for threads in a.threads:
        part, good = compare(b, work, logs[a.compared], b.tableau(a.compared), a.compared, threads, a.turns)
        lines, fine = lines + part, fine and good
    text = "\n".join(lines) + "\n"
    print(text)
    if a.write:
        with open(os.path.join(HERE, "REGRESSIONS.md"), "w") as f:
            f.write(text)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
