#!/usr/bin/env python3
"""Times the simulation loops of UCB beside a straightforward numpy implementation.

    pip install numpy
    python3 testdata/bench/loops.py [--rounds N] [--write]

The settings are the UCB of the first two experiments of Neel and Roth (2018) that
comes closest to the printed bias: 20 arms, 500 rounds, 10,000 runs, width
sqrt(.40 ln t/N); and 5 arms, 100,000 rounds, 1,000 runs, width sqrt(.30 ln t/N).
Ours is BenchmarkLoops of cmd/banditlab/paper, on one processor: the engine that
replays audited logs, with its per-run seeds, bias, pulls and regret. numpy is

    at once     all runs as arrays of runs x arms, a Python loop over rounds
    one by one  a run after the other, arrays of arms, a Python loop over runs and
                rounds; timed on a few runs, for it takes hours on all

It counts pulls and sums only, which is less than ours does. Both are run N times in
turn (3 by default), and the ratio is that of each pair, in processor time, so that
other load counts little; starting our process is in it. Average bias and regret
must agree within 4.5 standard errors. Prints tables in Markdown; --write also puts
them into LOOPS.md beside this script. Ends with exit code 1 if they disagree.
"""
import argparse, math, os, platform, re, statistics, subprocess, sys, tempfile, time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SETTINGS = {  # arms, rounds, runs, c, ties at random, runs one by one
    "E1": (20, 500, 10_000, 0.40, True, 40),
    "E2": (5, 100_000, 1_000, 0.30, False, 1),
}


def at_once(k, rounds, runs, c, ties, rng):
    """Pulls and sums of every run, runs x arms."""
    means = 1 - np.arange(k) / 20
    n, s = np.zeros((runs, k)), np.zeros((runs, k))
    rows = np.arange(runs)
    for t in range(1, rounds + 1):
        if t <= k:
            arm = np.full(runs, t - 1)
        else:
            index = s / n + np.sqrt(c * math.log(t) / n)
            if ties:
                best = index == index.max(axis=1, keepdims=True)
                arm = (best * rng.random((runs, k))).argmax(axis=1)
            else:
                arm = index.argmax(axis=1)
        n[rows, arm] += 1
        s[rows, arm] += rng.random(runs) < means[arm]
    return n, s


def one_by_one(k, rounds, runs, c, ties, rng):
    means = 1 - np.arange(k) / 20
    for _ in range(runs):
        n, s = np.zeros(k), np.zeros(k)
        for t in range(1, rounds + 1):
            if t <= k:
                arm = t - 1
            else:
                index = s / n + np.sqrt(c * math.log(t) / n)
                arm = rng.choice(np.flatnonzero(index == index.max())) if ties else index.argmax()
            n[arm] += 1
            s[arm] += rng.random() < means[arm]


def ours(binary, setting):
    before = os.times()
    out = subprocess.run([binary, "-test.run", "^$", "-test.bench", f"^BenchmarkLoops$/^{setting}$", "-test.benchtime", "1x", "-test.cpu", "1"],
                         check=True, stdout=subprocess.PIPE, text=True, cwd=os.path.join(ROOT, "analyze", "reproduce")).stdout
    after = os.times()
    got = {unit: float(value) for value, unit in re.findall(r"([\d.e+-]+) (\S+)", next(l for l in out.splitlines() if l.startswith("BenchmarkLoops/")))}
    got["seconds"] = after.children_user + after.children_system - before.children_user - before.children_system
    return got


def machine():
    with open("/proc/cpuinfo") as f:
        model = next((l.split(":", 1)[1].strip() for l in f if l.startswith("model name")), "unknown")
    go = subprocess.run(["go", "version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[2]
    return f"{model}, {os.cpu_count()} processors; {go}, Python {platform.python_version()}, numpy {np.__version__}"


def measure(binary, setting, pairs):
    k, rounds, runs, c, ties, few = SETTINGS[setting]
    means, total = 1 - np.arange(k) / 20, rounds * runs
    a, b, failed = [], [], False
    for i in range(pairs):
        mine = ours(binary, setting)
        start = time.process_time()
        n, s = at_once(k, rounds, runs, c, ties, np.random.default_rng(i))
        b.append((time.process_time() - start) / total * 1e9)
        a.append(mine["seconds"] / total * 1e9)
    start = time.process_time()
    one_by_one(k, rounds, few, c, ties, np.random.default_rng(9))
    single = (time.process_time() - start) / (rounds * few) * 1e9
    regret = n @ (1 - means)
    mean, se = regret.mean(), regret.std(ddof=1) / math.sqrt(runs)
    z = (mine["regret"] - mean) / math.hypot(se, mine["regret-se"])
    each = s / n - means
    bias, bias_se = np.abs(each.mean(axis=0)).mean(), math.sqrt((each.var(axis=0, ddof=1) / runs).sum()) / k
    zb = (mine["bias"] - bias) / (math.sqrt(2) * bias_se)
    failed = abs(z) > 4.5 or abs(zb) > 4.5
    ratios = sorted(y / x for x, y in zip(a, b))
    line = (f"| {setting}: {k} arms, {rounds:,} rounds, {runs:,} runs | {statistics.median(a):.0f} | {statistics.median(b):.0f} | {single:,.0f} | "
            f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f}) | {single / statistics.median(a):,.0f} |")
    check = (f"| {setting} | {mine['bias']:.4f} | {bias:.4f} | {zb:+.1f} | {mine['regret']:.2f} | {mean:.2f} | {z:+.1f} |")
    return line, check, failed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=3, help="pairs of each setting")
    p.add_argument("--write", action="store_true")
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as work:
        binary = os.path.join(work, "loops.test")
        subprocess.run(["go", "test", "-c", "-o", binary, "./cmd/banditlab/paper"], check=True, cwd=ROOT)
        done = [measure(binary, s, args.rounds) for s in SETTINGS]
    text = f"""# Simulation loops of UCB beside numpy

Made by

    python3 testdata/bench/loops.py --rounds {args.rounds} --write

on {machine()}; {time.strftime("%Y-%m-%d")}; {args.rounds} pairs in turn, one processor each, load average
{os.getloadavg()[1]:.1f} while it ran. Times are processor time, so that waiting for other load does not count; a shared cache still does.

ns of processor time per round of one run, medians; ratios of the pairs, median (least to largest):

| setting | ours | numpy, all runs at once | numpy, one by one | at once ÷ ours | one by one ÷ ours |
|---|---:|---:|---:|---:|---:|
{chr(10).join(d[0] for d in done)}

numpy counts pulls and sums. Ours is the engine that replays audited logs: it also derives the streams of every
run from the seed and adds up bias, pulls and regret at up to 256 rounds. Both play the same policy on the same
world, with random numbers of their own; differences in standard errors:

| setting | average bias, ours | numpy | z | regret, ours | numpy | z |
|---|---:|---:|---:|---:|---:|---:|
{chr(10).join(d[1] for d in done)}
"""
    print(text)
    if args.write:
        with open(os.path.join(HERE, "LOOPS.md"), "w") as f:
            f.write(text)
    return 1 if any(d[2] for d in done) else 0


if __name__ == "__main__":
    sys.exit(main())
