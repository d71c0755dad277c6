#!/usr/bin/env python3
"""soak.py [--share X] [--only STAGE,...] [--seed N] [--jobs N] [--write FILE]

Runs the built program where things go wrong, counts how it ended, and names every run
that ended as it must not. All draws come from --seed; run I of a stage depends on I and
the seed alone. --share 1 [1] is the full size:

  audits  5,000 logs of random mechanisms, audited with random questions and flags
  kills     200 runs of every command that writes, killed at random moments, and run again
  flips   1,000 inputs, tableaux and outputs with one bit changed
  full       20 sizes of a disk that is too small, and of the largest file
  torn       50 tableaux and logs that are cut, written to or replaced while they are read
  level   1,000 audits in one process: goroutines, descriptors, mappings

Exit 0: nothing was found. Needs Linux, Go, Python 3.11; for full, that a user may mount
in a name space of its own (else the largest file alone is bounded).
"""

import argparse, collections, concurrent.futures, datetime, hashlib, os, pathlib, platform
import random, re, shutil, signal, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOLATILE = {"run.json", "checksums.txt", "openlineage.json"}
BAD = re.compile(r"panic|goroutine \d|internal error|fatal error|runtime error|SIG[A-Z]{3,}:")
SWEPT = "removed what a run that was killed had left"
ENV = {k: v for k, v in os.environ.items() if not k.startswith("BANDITAUDIT_")} | {"CI": "true", "GOTRACEBACK": "single"}


class Place:
    """A directory for one run, with a TMPDIR of its own."""

    def __enter__(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="soak-"))
        self.tmp = self.dir / "tmp"
        self.tmp.mkdir()
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.dir, ignore_errors=True)

    def start(self, args):
        return subprocess.Popen([LAB if args[0] == "simulate" else BIN, *map(str, args)], cwd=self.dir, env=ENV | {"TMPDIR": str(self.tmp)}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")

    def run(self, *args, timeout=300):
        p = self.start(args)
        try:
            out, err = p.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            p.kill()
            out, err = p.communicate()
            return "hangs", out, err
        return p.returncode, out, err

    def left(self):
        """What stands where nothing unfinished may stand."""
        return sorted(str(f.relative_to(self.dir)) for d in (self.dir, self.tmp) for f in d.iterdir()
                      if d == self.tmp or ".partial-" in f.name or f.name.startswith(".experiments"))


class Stage:
    """Counts of how runs ended, and what was found."""

    def __init__(self, name):
        self.name, self.counts, self.found, self.runs = name, collections.Counter(), [], 0

    def count(self, what):
        self.counts[what] += 1

    def find(self, i, what, text=""):
        self.found.append(f"{self.name} {i}: {what}" + (": " + " | ".join(text.strip().splitlines()[:3])[:400] if text else ""))
        print("FOUND", self.found[-1], flush=True)

    def judge(self, i, code, err, allowed):
        self.count(f"exit {code}")
        if code not in allowed or BAD.search(err):
            self.find(i, f"exit {code}", err)

    def each(self, n, work, jobs):
        def one(i):
            try:
                work(self, i, random.Random(f"{SEED}/{self.name}/{i}"))
            except Exception as e:  # of this script
                self.find(i, f"the script: {type(e).__name__}: {e}")
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, range(n)))
        self.runs = n


def tree(path):
    """The bytes of a file, or of the files of a directory that no clock is in; None where nothing stands."""
    path = pathlib.Path(path)
    if not path.exists():
        return None
    files = [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.is_file() and f.name not in VOLATILE)
    return hashlib.sha256(b"".join(str(f.relative_to(path)).encode() + hashlib.sha256(f.read_bytes()).digest() for f in files)).hexdigest()


def whole(bundle):
    """What is wrong with a bundle, by its own checksums."""
    if not (bundle / "_SUCCESS").exists():
        return "no _SUCCESS"
    r = subprocess.run(["sha256sum", "--quiet", "-c", "checksums.txt"], cwd=bundle, capture_output=True, text=True)
    return r.stdout if r.returncode else ""


# ---- audits

POLICIES = ["uniform", "fixed", "epsilon-greedy", "ucb", "thompson", "softmax", "inverse-gap", "exp3", "successive-elimination", "linucb", "lints"]
COUNTERS = ["exact", "laplace", "binary", "hybrid", "tree", "interval", "epochs"]
FAULTS = ["no-noise", "redraw", "half-scale", "noise-on-mean", "extra-update", "propensity-uniform", "propensity-stale", "propensity-swapped", "propensity-loglik"]
METHODS = ["auto", "corrected", "rerun", "assignment", "any-time", "adaptive", "batch-exact"]


def simulation(r):
    """A random mechanism in a random world."""
    policy, k = r.choice(POLICIES), r.randint(2, 5)
    linear = policy in ("linucb", "lints") or r.random() < .1
    args = ["--policy", policy, "--rounds", r.choice([1, 2, 7, 50, 300, 1000, 3000]), "--seed", r.randrange(1 << 30)]
    if policy not in ("uniform", "fixed", "inverse-gap"):
        counter = "exact" if policy == "exp3" else r.choice(COUNTERS)
        args += ["--counter", counter] + ([] if counter == "exact" else ["--epsilon", r.choice(["0.1", "1/3", "1", "4"])])
    if linear:
        args += ["--world", "linear", "--arms", k, "--context-dim", r.randint(1, 4)] + (["--context", "by-arm"] if r.random() < .2 else [])
    else:
        world = r.choice(["bernoulli"] * 3 + ["beta", "gaussian", "drift"])
        means = lambda: ",".join(f"{r.random():.2f}" for _ in range(k))
        args += ["--world", world, "--means", means()] + (["--means-end", means()] if world == "drift" else [])
    for p, option in [
        (.2, ["--delay", r.choice(["3", "20", "fixed:5"])]), (.2, ["--batch", r.choice([2, 10, 50])]), (.1, ["--never", "0.1"]), (.15, ["--eligible", "0.8"]),
        (0 if linear else .2, ["--context-dim", r.randint(1, 3)]), (.15, ["--repeat", r.randint(2, 6)]), (.5, ["--log", r.choice(["released", "propensities", "released,propensities"])]),
        (.1, ["--labels", ",".join(r.sample(["a", "B b", "ü", "-1", "true", "null", "10", "9", "'", "x\u200by", "=1+1"], k))]), (.1, ["--fault", r.choice(FAULTS)]),
        (.2, ["--set", "ties=seeded"]), (.2, ["--set", "floor=0.05"]), (.1, ["--rows-per-file", 100]), (.1, ["--rows-per-group", 64]),
    ]:
        if r.random() < p:
            args += option
    return args


def questions(r, text):
    """The protocol with random questions in the place of its own."""
    labels = re.search(r"^arms: \[(.*)\]$", text, re.M)
    arms = [a.strip() for a in labels[1].split(", ")] if labels else ["a", "b"]
    arm = lambda: r.choice(arms + ["most-pulled", "least-pulled", "each"])
    tests = []
    for n in range(r.randint(0, 4)):
        tests.append(r.choice([
            lambda: f"{{id: T{n}, arm: {arm()}, mean: {r.random():.2f}, test: {r.choice(['exact', 't', 'z', 'hoeffding', 'bets', 'bernstein'])}}}",
            lambda: f"{{id: T{n}, difference: [{r.choice(arms)}, {r.choice(arms)}], value: {r.choice(['0', '0.1'])}}}",
            lambda: f"{{id: T{n}, equal: all}}", lambda: f"{{id: T{n}, equal: [{arms[0]}, {arms[-1]}]}}",
        ])())
    out = re.sub(r"(?ms)^(analysis|claims):.*?(?=^\S|\Z)", "", text)
    out += f"analysis:\n  chosen: {r.choice(['before', 'from-actions', 'after-rewards'])}\n  decide: {r.choice(METHODS)}\n  approximate: {r.choice(['refuse', 'accept'])}\n"
    out += f"  multiplicity: {r.choice(['none', 'bonferroni', 'holm', 'by', 'e-bh', 'bh'])}\n  means: {r.choice(['varying', 'constant'])}\n"
    if r.random() < .3:
        out += f"  regressions: [{{name: main, arms: {r.choice(['each', 'pooled'])}, covariance: {r.choice(['HC3', 'HC0', 'classical'])}}}]\n"
    if r.random() < .3:
        out += f"  evaluate: [{{id: V1, target: uniform}}, {{id: V2, target: {{arm: {r.choice(arms)}}}}}]\n"
    return out + ("  tests:\n" + "".join(f"    - {t}\n" for t in tests) if tests else "")


def mistake(r, text):
    """The protocol with a line left out, said twice, or with another number."""
    lines = text.splitlines()
    i = r.randrange(len(lines))
    change = r.choice(["out", "twice", "number", "cut"])
    if change == "out":
        del lines[i]
    elif change == "twice":
        lines.insert(i, lines[i])
    elif change == "number":
        lines[i] = re.sub(r"\d+", lambda _: r.choice(["0", "-1", "1e308", "99999999999999999999", "0.5", "nan"]), lines[i])
    else:
        lines[i] = lines[i][: r.randrange(len(lines[i]) + 1)]
    return "\n".join(lines) + "\n"


def audit(s, i, r):
    with Place() as at:
        mechanism = simulation(r)
        code, _, err = at.run("simulate", "-q", "-o", "s", *mechanism)
        s.judge(i, code, err, {0, 2})
        if code != 0:
            return
        protocol = at.dir / "s/protocol.yaml"
        text = own = protocol.read_text()
        if r.random() < .6:
            text = questions(r, text)
        if r.random() < .15:
            text = mistake(r, text)
        protocol.write_text(text)
        flags = ["-p", protocol, "-o", "out", "-j", r.randint(1, 3)]
        for p, more in [(.2, ["--keep-tableau", "kept"]), (.2, ["--max-memory", "64MiB"]), (.1, ["--fail-on", "caution"]), (.1, ["--json=summary"]), (.1, ["--openlineage"])]:
            flags += more if r.random() < p else []
        code, _, err = at.run("audit", *flags, "s/log")
        s.judge(i, code, err, {0, 1, 2, 3, 4, 6})
        if text == own and "--fault" not in mechanism:
            s.count(f"honest, and with its own questions: exit {code}")
        if at.left():
            s.find(i, f"left {at.left()}")
        out = at.dir / "out"
        if out.exists() != (code in (0, 1, 3)):
            s.find(i, f"exit {code}, and a bundle: {out.exists()}")
        if out.exists() and whole(out):
            s.find(i, "not whole", whole(out))
        if code in (2, 4, 6) and not err.strip():
            s.find(i, f"exit {code} without a word")


# ---- kills

PRIVATE = ["--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--means", "0.3,0.5,0.6", "--log", "released"]
WEIGHED = ["--policy", "thompson", "--counter", "exact", "--means", "0.3,0.5,0.6", "--log", "propensities", "--delay", 20, "--eligible", "0.8", "--batch", 50]
MANY = """analysis:
  chosen: before
  approximate: accept
  regressions: [{name: main, arms: each, covariance: HC3}, {name: together, arms: pooled, covariance: HC3}]
  evaluate: [{id: V1, target: uniform}, {id: V2, target: {arm: arm-2}}]
  tests:
    - {id: A, equal: all, decide: any-time}
    - {id: B, difference: [arm-1, arm-2], value: 0}
    - {id: C, arm: each, mean: 0.5}
    - {id: D, equal: [arm-1, arm-2], decide: assignment}
    - {id: E, arm: arm-1, mean: 0.5, decide: adaptive}
"""


def logged(at, rounds, mechanism, asked=None):
    """A log of some experiments, and what every command makes of it."""
    steps = {
        "simulate": (["simulate", "-q", *mechanism, "--rounds", rounds, "--repeat", 3, "--context-dim", 2, "--seed", 4, "-o", "{out}"], "s"),
        "ingest": (["ingest", "-q", "-p", "s/protocol.yaml", "-o", "{out}", "s/log"], "t"),
        "replay": (["replay", "-q", "-p", "s/protocol.yaml", "-t", "t", "-o", "{out}"], "re"),
        "analyze": (["analyze", "-q", "-p", "s/protocol.yaml", "-t", "t", "--fail-on", "never", "-o", "{out}"], "r.json"),
        "report": (["report", "-q", "-o", "{out}", "r.json"], "rep"),
        "audit": (["audit", "-q", "-p", "s/protocol.yaml", "--fail-on", "never", "-o", "{out}", "s/log"], "b"),
        "audit --keep-tableau": (["audit", "-q", "-p", "s/protocol.yaml", "--fail-on", "never", "--keep-tableau", "kept", "-o", "{out}", "s/log"], "b2"),
        "audit --part": (["audit", "-q", "-p", "s/protocol.yaml", "--part", "0/1", "-o", "{out}", "s/log"], "f.frag"),
        "merge": (["merge", "-q", "-p", "s/protocol.yaml", "--fail-on", "never", "-o", "{out}", "f.frag"], "m"),
        "verify": (["verify", "-q", "-p", "s/protocol.yaml", "{out}", "s/log"], "b"),
    }
    took = {}
    for name, (args, out) in steps.items():
        began = time.time()
        code, _, err = at.run(*[a.format(out=out) if isinstance(a, str) else a for a in args])
        took[name] = time.time() - began
        if code != 0:
            raise RuntimeError(f"{name}: exit {code}: {err}")
        if name == "simulate" and asked:
            protocol = at.dir / "s/protocol.yaml"
            protocol.write_text(re.sub(r"(?ms)^analysis:.*", "", protocol.read_text()) + asked)
    return steps, took


def kill(s, i, r):
    name = sorted(STEPS)[i % len(STEPS)]
    args, made = STEPS[name]
    replaces = name != "verify" and r.random() < .5
    with Place() as at:
        for f in ("s", "t", "b", "r.json", "f.frag"):
            os.symlink(BASE.dir / f, at.dir / f)
        out = made if name == "verify" else "new"
        want = tree(BASE.dir / made)
        if replaces:
            copy = shutil.copytree if (BASE.dir / made).is_dir() else shutil.copy
            copy(BASE.dir / made, at.dir / "new")
            if (at.dir / "new" / "run.json").exists():
                (at.dir / "new" / "run.json").write_text("{}")
        args = [a.format(out=out) if isinstance(a, str) else a for a in args] + (["--force"] if replaces or name == "audit --keep-tableau" else [])
        p = at.start(args)
        time.sleep(max(0.0, r.uniform(0, 1.05) if r.random() < .6 else r.uniform(.85, 1.05)) * TOOK[name])
        p.kill()
        p.communicate()
        s.count("killed" if p.returncode == -signal.SIGKILL else "was done before")
        found = tree(at.dir / out)
        if found != want and (found is not None or replaces or name == "verify"):
            s.find(i, f"{name}: killed, and its output is {'half-written' if found else 'gone'}")
        left = at.left()
        code, _, err = at.run(*args, *([] if replaces or found is None or name in ("verify", "audit --keep-tableau", "audit --part") else ["--force"]))
        s.judge(i, code, err, {0})
        s.count("something was left" if left else "nothing was left")
        # A lock alone, whose directory was not made yet, is removed without a word.
        if any(not f.endswith(".lock") for f in left) and err.count(SWEPT) != 1:
            s.find(i, f"{name}: nothing is said of {left}", err)
        if at.left():
            s.find(i, f"{name}: run again it leaves {at.left()}")
        if tree(at.dir / out) != want:
            s.find(i, f"{name}: run again it makes something else")


# ---- flips

def flip(s, i, r):
    # What is changed, the command that reads it, how it may end, and whether a change must be seen.
    objects = [
        ("s/log/part-00000.parquet", ["audit", "-q", "-p", "s/protocol.yaml", "-o", "new", "s/log"], {0, 1, 3, 4, 6}, False),
        ("s/protocol.yaml", ["audit", "-q", "-p", "s/protocol.yaml", "-o", "new", "s/log"], {0, 1, 2, 3, 4, 6}, False),
        ("t/rounds.arrow", ["analyze", "-q", "-p", "s/protocol.yaml", "-t", "t", "-o", "new"], {4}, True),
        ("t/manifest.json", ["analyze", "-q", "-p", "s/protocol.yaml", "-t", "t", "-o", "new"], {4}, True),
        ("re/replay.json", ["analyze", "-q", "-p", "s/protocol.yaml", "-t", "t", "--replay", "re", "-o", "new"], {4}, True),
        ("r.json", ["report", "-q", "-o", "new", "r.json"], {0, 4}, False),
        ("f.frag", ["merge", "-q", "-p", "s/protocol.yaml", "-o", "new", "f.frag"], {4}, True),
        ("b/*", ["verify", "-q", "b"], {1}, True),
    ]
    path, args, allowed, seen = objects[i % len(objects)]
    with Place() as at:
        top = path.split("/")[0]
        for f in ("s", "t", "b", "re", "r.json", "f.frag"):
            if f != top:
                os.symlink(BASE.dir / f, at.dir / f)
        (shutil.copytree if (BASE.dir / top).is_dir() else shutil.copy)(BASE.dir / top, at.dir / top)
        target = r.choice(sorted(f for f in (at.dir / "b").rglob("*") if f.is_file() and f.stat().st_size)) if path == "b/*" else at.dir / path
        data = bytearray(target.read_bytes())
        bit = r.randrange(8 * len(data))
        data[bit // 8] ^= 1 << bit % 8
        target.write_bytes(data)
        code, _, err = at.run(*args)
        s.count(f"{path}: exit {code}")
        if code not in allowed or BAD.search(err):
            s.find(i, f"bit {bit} of {target.relative_to(at.dir)}: exit {code}", err)
        if at.left():
            s.find(i, f"left {at.left()}")
        new = at.dir / "new"
        if args[0] == "audit" and (new.exists() != (code in (0, 1, 3)) or new.exists() and whole(new)):
            s.find(i, f"bit {bit} of {path}: exit {code}, and the bundle is not what that says")


# ---- full

def full(s, i, r):
    sizes = max(1, s.sizes)
    share, way = (i % sizes + .5) / sizes, ["disk", "file"][i // sizes % 2]
    if way == "disk" and not MOUNTS:
        way = "file"
    with Place() as at:
        os.symlink(BASE.dir / "s", at.dir / "s")
        audit = f'"{BIN}" audit -q -p "{at.dir}/s/protocol.yaml" --fail-on never -o out "{at.dir}/s/log"'
        if way == "disk":
            script = f'mount -t tmpfs -o size={int(share * NEED["disk"])} tmpfs disk && cd disk && mkdir tmp && TMPDIR=$PWD/tmp {audit}; code=$?; ls -A . tmp; exit $code'
            (at.dir / "disk").mkdir()
            call = ["unshare", "-rm", "sh", "-c", script]
        else:
            call = ["bash", "-c", f'mkdir tmp && ulimit -f {max(1, int(share * NEED["file"] / 1024))} && TMPDIR=$PWD/tmp {audit}; code=$?; ls -A . tmp; exit $code']
            shutil.rmtree(at.tmp)
        p = subprocess.run(call, cwd=at.dir, env=ENV, capture_output=True, text=True, timeout=600)
        s.count(f"{way}: exit {p.returncode}")
        if p.returncode not in (0, 5) or BAD.search(p.stderr):
            s.find(i, f"{way} of {share:.3f}: exit {p.returncode}", p.stderr)
        stands = [w for w in p.stdout.split() if w not in (".:", "tmp", "tmp:", "disk", "s")]
        if stands not in (["out"] if p.returncode == 0 else [], ["out.failed.json"] if p.returncode else []):
            s.find(i, f"{way} of {share:.3f}: exit {p.returncode}, and {stands} stand there", p.stderr)


# ---- torn

def tear(r, path, how):
    """Cuts a file, writes into it, or puts another in its place."""
    size = path.stat().st_size
    if how == "cut":
        os.truncate(path, r.randrange(size))
    elif how == "written":
        with open(path, "r+b") as f:
            for _ in range(20):
                f.seek(r.randrange(size))
                f.write(r.randbytes(1 << 12)[: size - f.tell()])
    elif how == "replaced":
        other = path.with_name("other")
        other.write_bytes(r.randbytes(size))
        os.replace(other, path)


def torn(s, i, r):
    how, what = ["cut", "written", "replaced"][i % 3], ["analyze", "replay", "scratch", "log"][i // 3 % 4]
    with Place() as at:
        os.symlink(BASE.dir / "s", at.dir / "s")
        name = "audit" if what in ("scratch", "log") else what
        args, made = STEPS[name]
        if what in ("analyze", "replay"):
            shutil.copytree(BASE.dir / "t", at.dir / "t")
        if what == "log":
            (at.dir / "s").unlink()
            shutil.copytree(BASE.dir / "s", at.dir / "s")
        p = at.start([a.format(out="new") if isinstance(a, str) else a for a in args])
        time.sleep(r.uniform(.02, 1) * TOOK["ingest" if what == "log" else name])
        path = {"scratch": next(iter(at.tmp.glob("banditaudit-tableau-*/rounds.arrow")), None), "log": next((at.dir / "s/log").iterdir())}.get(what, at.dir / "t/rounds.arrow")
        try:
            tear(r, path, how)
        except (OSError, AttributeError, ValueError):  # it is not there yet, or no more
            s.count("nothing was there to tear")
        _, err = p.communicate(timeout=300)
        same = tree(at.dir / "new") == tree(BASE.dir / made)
        s.count(f"{what}, {how}: exit {p.returncode}")
        if p.returncode not in (0, 4) or BAD.search(err) or p.returncode == 0 and not same:
            s.find(i, f"{what}, {how}: exit {p.returncode}, the same output: {same}", err)
        if at.left():
            s.find(i, f"{what}, {how}: left {at.left()}")


# ---- level

def level(s, n):
    out = subprocess.run(["go", "test", "-count", "1", "-run", "^TestLevel$", "-v", "-timeout", "2h", "./cmd/banditaudit"], cwd=ROOT,
                         env=os.environ | {"SOAK_AUDITS": str(n)}, capture_output=True, text=True)
    s.runs = n
    for what, count in re.findall(r"level: (.*): (\d+)", out.stdout):
        s.counts[what] = int(count)
    if out.returncode:
        s.find(0, "not level", out.stdout[-2000:] + out.stderr[-500:])


def written(stages, began):
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    lines = ["# Soak", "", f"{datetime.date.today()}, commit {commit}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors, {(time.time() - began) / 60:.0f} minutes:", "",
             f"    python3 testdata/soak/soak.py {' '.join(sys.argv[1:])}".rstrip(), "",
             "What is run, and at which size, stands at the top of the script.", ""]
    for s in stages:
        lines += [f"## {s.name}: {s.runs:,} runs, {len(s.found)} found", ""]
        lines += [f"- {what}: {n:,}" for what, n in sorted(s.counts.items())] + [f"- FOUND {f}" for f in s.found] + [""]
    return "\n".join(lines)


def main():
    global BIN, LAB, SEED, BASE, STEPS, TOOK, MOUNTS, NEED
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--share", type=float, default=1)
    a.add_argument("--only", default="audits,kills,flips,full,torn,level")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--jobs", type=int, default=os.cpu_count())
    a.add_argument("--rounds", type=int, default=100_000, help="of each of the three experiments that are killed, and whose files are torn")
    a.add_argument("--write", help="the page, such as testdata/soak/SOAK.md")
    a = a.parse_args()
    SEED, began, stages = a.seed, time.time(), []
    size = lambda n: max(1, round(n * a.share))
    with Place() as top:
        BIN, LAB = str(top.dir / "banditaudit"), str(top.dir / "banditlab")
        subprocess.run(["go", "build", "-o", f"{top.dir}/", "./cmd/banditaudit", "./cmd/banditlab"], cwd=ROOT, check=True)
        for name in a.only.split(","):
            s = Stage(name)
            stages.append(s)
            with Place() as BASE:
                if name == "audits":
                    s.each(size(5000), audit, a.jobs)
                elif name == "level":
                    level(s, size(1000))
                else:
                    STEPS, TOOK = logged(BASE, a.rounds if name in ("kills", "torn") else 2000, *((WEIGHED, MANY) if name == "torn" else (PRIVATE,)))
                    if name == "full":
                        MOUNTS = subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0
                        files = [f.stat().st_size for d in ("t", "b") for f in (BASE.dir / d).rglob("*") if f.is_file()]
                        NEED, s.sizes = {"disk": sum(files), "file": max(files)}, size(20)
                    n = {"kills": 200, "flips": 1000, "full": 40, "torn": 50}[name]
                    s.each(size(n), {"kills": kill, "flips": flip, "full": full, "torn": torn}[name], 1 if name in ("kills", "torn") else a.jobs)
            print(f"{name}: {s.runs} runs, {len(s.found)} found, {time.time() - began:.0f} s: {dict(sorted(s.counts.items()))}", flush=True)
    page = written(stages, began)
    if a.write:
        pathlib.Path(a.write).write_text(page)
    sys.exit(1 if any(s.found for s in stages) else 0)


if __name__ == "__main__":
    main()
