#!/usr/bin/env python3
"""Whole audits of 1, 10 and 100 million rounds, and of many experiments.

    python3 testdata/bench/scale.py [--millions 1 10 100] [--cases REGEXP] [--disk 30] [--work DIR]

Ten arms, ten covariates. Each case is a log, which `simulate` writes and which is removed
after the last case on it, and one `audit` of it, whose seconds by stage and peak of anonymous
memory are those of its run.json. What was measured is kept in SCALE.json as soon as it is, a
row for a case and a size, and SCALE.md is written from it: a run that was ended goes on with
--missing, which measures only what is not kept. A case that would need more than --disk GB
runs without covariates, and of many experiments as many as fit are audited, with their peak
drawn out on a line from the smaller size to 100 million rounds; the page says so.

Peak: anonymous memory below 512 MiB, and below 1 GiB for a million experiments. Growth: the
exponent is ln(seconds / seconds of the smaller size) / ln(rounds / rounds of it); at most 1.1.
Beside stands that of the seconds without ingest: where log and tableau together are larger
than the memory, ingest waits for the disk.
Busy: processor seconds over seconds of all processors; at least 0.85 for experiments of 10,000
rounds. Floors: to digest (SHA-256) the log and as many bytes again for the tableau with all
processors, and the policy played once (`simulate`), on one.
"""
import argparse, hashlib, json, math, os, re, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CORES = os.cpu_count()
MEANS = ",".join(f"{0.3 + 0.03 * i:.2f}" for i in range(10))
KEPT = os.path.join(HERE, "SCALE.json")
MANY = ["--policy", "epsilon-greedy", "--counter", "exact", "--means", ".3,.4,.5"]
PRIVATE = ["--counter", "hybrid", "--epsilon", "1"]

# log: what simulate is given, and bytes of a row in log, tableau, bundle and temporary files
# beside the covariates'; of many experiments nearly all are of results.json
LOGS = {
    "ucb": (["--policy", "ucb", *PRIVATE, "--means", MEANS], 24),
    "ucb-released": (["--policy", "ucb", *PRIVATE, "--means", MEANS, "--log", "released"], 184),
    "linear": (["--policy", "linucb", *PRIVATE, "--world", "linear", "--arms", "10"], 24),
    "thompson": (["--policy", "thompson", "--counter", "exact", "--means", MEANS, "--log", "propensities"], 184),
    "propensities": (["--policy", "epsilon-greedy", "--counter", "exact", "--means", MEANS, "--log", "propensities"], 184),
    "many-long": (MANY, 65),
    "many-short": (MANY, 950),
    "many-unasked": (MANY, 670),
}
EXPERIMENT = {"many-long": 10_000, "many-short": 100, "many-unasked": 100}  # rounds of one of many experiments
ASKED = "analysis:\n  chosen: before\n  alpha: 0.05\n  multiplicity: holm\n  %s\n"
# case: its log, the top-level keys of the protocol that go, the lines that go, the questions
CASES = {
    "private UCB, by its seed": ("ucb", [], None, None),
    "private UCB, by released values": ("ucb-released", [], "  seed:", None),
    "LinPriv (linucb, hybrid)": ("linear", [], None, None),
    "Thompson with propensities": ("thompson", [], None, None),
    "propensities only": ("propensities", ["policy", "counter"], None, None),
    "equal: all, decide: assignment": ("propensities", [], "  seed:", "tests: [{id: E, equal: all, decide: assignment}]"),
    "difference, decide: adaptive": ("propensities", [], "  seed:", "tests: [{id: D, difference: [arm-10, arm-1], value: 0, test: welch, decide: adaptive}]"),
    "evaluate: uniform play": ("propensities", [], "  seed:", "evaluate: [{id: V, target: uniform}]"),
    "many experiments of 10,000 rounds": ("many-long", [], None, None),
    "many experiments of 100 rounds": ("many-short", [], None, None),
    "many experiments of 100 rounds, no test asked": ("many-unasked", ["analysis"], None, None),
}


def say(text):
    print(text, file=sys.stderr, flush=True)


def ran(args):
    """Runs a program; returns its exit code, seconds and processor seconds."""
    start = time.perf_counter()
    p = subprocess.Popen(args, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    return p.returncode, time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def edited(text, keys, line, asked):
    """A protocol without some keys and lines, and with other questions."""
    for key in keys + (["analysis"] if asked else []):
        text = re.sub(rf"(?ms)^{key}:.*?(?=^\S|\Z)", "", text)
    if line:
        text = "".join(l for l in text.splitlines(True) if not l.startswith(line))
    return text + (ASKED % asked if asked else "")


def files(d):
    return sorted(os.path.join(at, f) for at, _, names in os.walk(d) for f in names)


def floor(log):
    """Seconds to digest a log and as many bytes again, with all processors."""
    start = time.process_time()
    for f in files(log):
        with open(f, "rb") as h:
            hashlib.file_digest(h, "sha256")
    return 2 * (time.process_time() - start) / CORES


class Log:
    """A log of so many million rounds, which stands until it is closed."""

    def __init__(self, program, work, name, millions, disk):
        flags, width = LOGS[name]
        rounds = round(millions * 1_000_000)
        self.dir, self.covariates, self.why = os.path.join(work, name), 0 if name in EXPERIMENT else 10, None
        if rounds * (width + 16 * self.covariates) > disk * 1e9 and name != "linear":
            self.covariates = 0
        if name in EXPERIMENT:
            rounds = min(rounds, int(disk * 1e9 / width // 1e6 * 1e6))
        self.rounds, need = rounds, rounds * (width + 16 * self.covariates)
        if need > disk * 1e9 or not rounds:
            self.why = f"not run: it needs some {need / 1e9:.0f} GB"
            return
        one = min(EXPERIMENT.get(name, rounds), rounds)
        code, self.seconds, _ = ran([os.path.join(os.path.dirname(program), "banditlab"), "simulate", "-q", "--no-progress", "--seed", "1", "--rounds", str(one), "--repeat", str(rounds // one), "--max-memory", "4GiB",
                                     *flags, *(["--context-dim", str(self.covariates)] if self.covariates else []), "-o", self.dir])
        if code:
            self.why = f"not run: simulate ended with {code}"
            return
        self.floor, self.bytes = floor(os.path.join(self.dir, "log")), sum(map(os.path.getsize, files(self.dir)))

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


def measure(program, work, log, case, millions):
    """One audit, as a row of SCALE.json."""
    name, keys, line, asked = CASES[case]
    row = {"case": case, "millions": millions, "date": time.strftime("%Y-%m-%d", time.gmtime()), "commit": commit(), "machine": machine(), "load": os.getloadavg()[0]}
    if log.why:
        return row | {"why": log.why}
    with open(os.path.join(log.dir, "protocol.yaml")) as f:
        text = edited(f.read(), keys, line, asked)
    protocol, out = os.path.join(log.dir, "asked.yaml"), os.path.join(work, "out")
    with open(protocol, "w") as f:
        f.write(text)
    limit = 1024 if EXPERIMENT.get(name) == 100 else 512
    env = dict(os.environ, TMPDIR=work)
    os.environ.update(env)
    code, seconds, cpu = ran([program, "audit", "-q", "--no-progress", "--force", "--fail-on", "never", "--max-memory", f"{limit}MiB", "-p", protocol, "-o", out, os.path.join(log.dir, "log")])
    record = os.path.join(out, "run.json") if code == 0 else out + ".failed.json"
    run = json.load(open(record)) if os.path.exists(record) else {}
    row |= {"seconds": seconds, "cpu": cpu, "peak": (run.get("peak_anonymous_bytes") or 0) / 2**20, "limit": limit, "stages": run.get("stages") or [], "covariates": log.covariates, "rounds": log.rounds,
            "log_bytes": log.bytes, "out_bytes": sum(map(os.path.getsize, files(out))), "simulate": log.seconds, "floor": log.floor}
    if code:
        row["why"] = f"exit {code}: {run.get('reason', '')[:200]}"
    shutil.rmtree(out, ignore_errors=True)
    return row


def commit():
    """The commit, and whether anything but pages of measurements differs from it."""
    def git(*args):
        return subprocess.run(["git", *args], cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.strip()
    return git("describe", "--always", "--exclude=*") + ("-dirty" if git("status", "--porcelain", "--", ".", ":!testdata/bench/*.md", ":!testdata/bench/*.json") else "")


def machine():
    with open("/proc/cpuinfo") as f:
        model = re.search(r"model name\s*: (.*)", f.read())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model.group(1) if model else 'unknown processor'}, {CORES} processors, {memory:.0f} GiB"


def met(fine):
    return "met" if fine else "**missed**"


def beside_ingest(row):
    """Seconds of an audit but for those of ingest."""
    return row["seconds"] - sum(s["seconds"] for s in row["stages"] if s["stage"] == "ingest")


def line(row, smaller):
    shape = row["case"]
    head = f"| {shape} | {row['millions']:,} | "
    if "seconds" not in row:
        return head + f"{row['why']} | | | | | | | | {row['date']} {row['commit']}, load {row['load']:.1f} |"
    stages = ", ".join(f"{s['stage']} {s['seconds']:.1f}" for s in row["stages"])
    peak = f"{row['peak']:.0f}, {met(row['peak'] < row['limit'] and 'why' not in row)} (< {row['limit']})"
    growth, rounds = "–", row["rounds"] / 1e6
    if smaller and "seconds" in smaller and "why" not in smaller and "why" not in row and smaller["covariates"] == row["covariates"]:
        more = rounds / (smaller["rounds"] / 1e6)
        e, apart = (math.log(of(row) / of(smaller)) / math.log(more) for of in (lambda r: r["seconds"], beside_ingest))
        growth = f"{e:.2f}, {met(e <= 1.1)}; {apart:.2f}"
        if rounds < row["millions"]:
            drawn = row["peak"] + (row["peak"] - smaller["peak"]) * (row["millions"] - rounds) / (rounds - rounds / more)
            peak += f"; {rounds:g} million rounds fit the disk, at {row['millions']:,} the line gives {drawn:.0f}, {met(drawn < row['limit'])}"
    busy = row["cpu"] / row["seconds"] / CORES
    shown = f"{busy:.2f}" + (f", {met(busy >= 0.85)}" if shape.endswith("10,000 rounds") else "")
    return head + (f"{row['seconds'] / 60:.2f}{' (' + row['why'] + ')' if 'why' in row else ''} | {row['floor'] / 60:.3f}, {row['simulate'] / 60:.2f} | {stages} | {growth} | {peak} | {shown} | "
                   f"{row['covariates']} | {row['log_bytes'] / 1e9:.2f}, {row['out_bytes'] / 1e9:.2f} | {row['date']} {row['commit']}, load {row['load']:.1f} |")


def page(rows):
    """SCALE.md, of what is kept."""
    by = {(r["case"], r["millions"]): r for r in rows}
    sizes = sorted({r["millions"] for r in rows})
    lines = ["# Whole audits by size", "", "Written by `python3 testdata/bench/scale.py`, whose text says what a case is, and what the targets and floors are. "
             "A row is one audit. Minutes are by the clock; those measured under load are so much too long, and the memory is not.", "",
             *sorted({r["machine"] for r in rows}), "",
             "| case | million rounds | minutes | floors, minutes: digest, policy played once | seconds by stage | growth (≤ 1.1); without ingest | peak, MiB | busy (≥ 0.85) | covariates | GB: log, bundle | measured on |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for case in CASES:
        smaller = None
        for size in sizes:
            if row := by.get((case, size)):
                lines.append(line(row, smaller))
                smaller = row
    return "\n".join(lines) + "\n"


def keep(rows):
    with open(KEPT, "w") as f:
        json.dump(sorted(rows, key=lambda r: (list(CASES).index(r["case"]), r["millions"])), f, indent=1)
        f.write("\n")
    with open(os.path.join(HERE, "SCALE.md"), "w") as f:
        f.write(page(rows))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--millions", type=float, nargs="+", default=[1, 10, 100], help="sizes, in millions of rounds")
    p.add_argument("--cases", default="", help="cases by name, a regular expression")
    p.add_argument("--disk", type=float, default=30, help="GB that a case may take")
    p.add_argument("--work", help="directory for logs and tableaux; temporary by default")
    p.add_argument("--missing", action="store_true", help="leave out what is kept")
    a = p.parse_args()
    rows = json.load(open(KEPT)) if os.path.exists(KEPT) else []
    work = tempfile.mkdtemp(prefix="banditaudit-scale-", dir=a.work)
    program = os.path.join(work, "banditaudit")
    subprocess.run(["go", "build", "-o", work + os.sep, "./cmd/banditaudit", "./cmd/banditlab"], cwd=ROOT, check=True)
    try:
        for millions in sorted(int(m) if m == int(m) else m for m in a.millions):
            for name in LOGS:
                cases = [c for c in CASES if CASES[c][0] == name and re.search(a.cases, c)
                         and not (a.missing and any(r["case"] == c and r["millions"] == millions for r in rows))]
                if not cases:
                    continue
                log = Log(program, work, name, millions, a.disk)
                for case in cases:
                    row = measure(program, work, log, case, millions)
                    rows = [r for r in rows if (r["case"], r["millions"]) != (case, millions)] + [row]
                    keep(rows)
                    say(line(row, None))
                log.close()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
