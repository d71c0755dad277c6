#!/usr/bin/env python3
"""One audit in one process, in parts, in parts that an engine shuffled, and in Spark: what each
costs, and whether each writes the same bytes.

    bash testdata/spark/run.sh [--rows N --experiments N] [--large ROWS EXPERIMENTS] [--write]

makes the environment that this needs.

The log is simulated and rewritten by day, with rows in the order of time, so that every experiment
lies in 20 files. Processes run one after the other, with `-j 1` where no other -j is named; Spark
runs two at a time. Processor time is user and system time of all that a command started, with
Spark that of the whole machine meanwhile, for its daemon counts no time of its workers; overhead is
what is above that of one process. Of the executors in the local-cluster one is killed by
SIGKILL while it audits, with all that it started, once a fragment is there.

Prints a page; --write makes it CLUSTER.md beside this script. Ends with 1 where bytes differ, or
where rewards or the seed are left behind.
"""
import argparse, contextlib, ctypes, datetime, filecmp, glob, hashlib, os, resource, shutil, signal, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SPARK = os.path.join(ROOT, "testdata", "spark", "audit.py")
DAYS, PARTS = 20, 4
ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what Spark leaves is waited for here, and counted


def timed(*command, **more):
    """Processor and wall seconds of a command and of all that it started."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    wall = time.monotonic() - began
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command[:4])} … ended with {done.returncode}\n{done.stdout[-6000:]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def busy():
    """Processor seconds of the whole machine since it started, those of idling and waiting not."""
    with open("/proc/stat") as f:
        user, nice, system, _, _, irq, soft = map(int, f.readline().split()[1:8])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


def total(times):
    return tuple(map(sum, zip(*times)))


class Setting:
    """A log of so many rows and experiments, and the bundles made of it."""

    def __init__(self, rows, experiments, folder):
        self.rows, self.experiments, self.dir = rows, experiments, folder
        self.binary, self.times, self.digests, self.notes = os.path.join(folder, "banditaudit"), [], [], []
        os.makedirs(folder)
        subprocess.run(["go", "build", "-trimpath", "-ldflags", "-s -w", "-o", folder + os.sep, "./cmd/banditaudit", "./cmd/banditlab"], check=True,
                       cwd=ROOT, env={**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false"})
        os.environ["TMPDIR"] = folder
        self.simulate()

    def path(self, *names):
        return os.path.join(self.dir, *names)

    def run(self, verb, *more):
        return timed(self.binary, verb, "-q", "-p", self.path("sim", "protocol.yaml"), *more)

    def audit(self, *more):
        return self.run("audit", *more)

    def simulate(self):
        import duckdb
        each = self.rows // self.experiments
        timed(self.path("banditlab"), "simulate", "-q", "--policy", "epsilon-greedy", "--counter", "hybrid", "--epsilon", "0.5", "--world", "linear",
              "--arms", "4", "--context-dim", "3", "--repeat", str(self.experiments), "--rounds", str(each), "--log", "released,propensities",
              "-o", self.path("sim"))
        for day in range(DAYS):
            os.makedirs(self.path("log", f"dt={day:02d}"))
            duckdb.sql(f"COPY (FROM '{self.path('sim', 'log', '*.parquet')}' WHERE (round - 1) * {DAYS} // {each} = {day} ORDER BY round, experiment) "
                       f"TO '{self.path('log', f'dt={day:02d}', 'rows.parquet')}'")
        shutil.rmtree(self.path("sim", "log"))
        self.log = self.path("log")
        self.files = sorted(glob.glob(self.path("log", "*", "*.parquet")))

    def took(self, way, times, note=""):
        self.times.append((way, *times, note))
        print(f"{self.rows:,} rows: {way}: {times[0]:.1f} s, {times[1]:.1f} s by the clock", file=sys.stderr)

    def wrote(self, way, bundle="bundle"):
        """Digests a bundle, all of it but what names the way and the time, and removes it."""
        rest = hashlib.sha256()
        for path in sorted(glob.glob(self.path(bundle, "**"), recursive=True)):
            name = os.path.relpath(path, self.path(bundle))
            if os.path.isfile(path) and name not in ("results.json", "manifest.json", "run.json", "checksums.txt"):
                rest.update(f"{name}\n{digest(path)}\n".encode())
        self.digests.append((way, digest(self.path(bundle, "results.json")), rest.hexdigest()))
        shutil.rmtree(self.path(bundle))

    def one(self, jobs):
        times = self.audit("-j", str(jobs), "-o", self.path("bundle"), self.log)
        self.took(f"one process, -j {jobs}", times)
        self.wrote(f"one process, -j {jobs}")

    def parts(self, twice):
        """--part I/4, each reading the whole log; with twice again with -j 2, merged backwards."""
        times = [self.audit("-j", "1", "--part", f"{i}/{PARTS}", "-o", self.path(f"{i}.frag"), self.log) for i in range(PARTS)]
        fragments = [self.path(f"{i}.frag") for i in range(PARTS)]
        self.merged("parts, each reading the whole log", times, fragments)
        if twice:
            for i in range(PARTS):
                self.audit("-j", "2", "--part", f"{i}/{PARTS}", "-o", self.path(f"again-{i}.frag"), self.log)
            again = [self.path(f"again-{i}.frag") for i in range(PARTS)]
            self.same(fragments, again)
            self.run("merge", "-o", self.path("bundle"), *reversed(again))
            self.wrote(f"{PARTS} parts again with -j 2, merged in the other order")

    def merged(self, way, times, fragments, *log):
        merge = self.run("merge", *log, "-o", self.path("bundle"), *fragments)
        size = sum(map(os.path.getsize, fragments)) / self.experiments / 1000
        self.took(f"{PARTS} {way}; merge", total([*times, merge]),
                  f"longest part {max(t[0] for t in times[-PARTS:]):.1f}, merge {merge[0]:.1f}; {size:.0f} kB of fragments for each experiment")
        self.wrote(f"{PARTS} {way}")

    def same(self, fragments, again):
        equal = sum(filecmp.cmp(a, b, shallow=False) for a, b in zip(fragments, again))
        self.notes.append(f"{equal} of {len(fragments)} fragments made with `-j 2` have the bytes of those made with `-j 1`.")
        if equal < len(fragments):
            sys.exit("fragments depend on -j")

    def shuffled(self):
        """Parts that DuckDB made, their rows in no order, with a census made file by file."""
        import duckdb
        censuses = [self.path(f"{i}.json") for i in range(len(self.files))]
        times = [self.run("census", "--root", self.log, "-o", c, f) for c, f in zip(censuses, self.files)]
        times.append(self.run("census", "-o", self.path("log.json"), *censuses))
        began, cpu = time.monotonic(), time.process_time()
        for i in range(PARTS):
            duckdb.sql(f"COPY (FROM '{self.path('log', '*', '*.parquet')}' WHERE hash(experiment) % {PARTS} = {i} ORDER BY hash(round * 7 + experiment)) "
                       f"TO '{self.path(f'part{i}.parquet')}'")
        times.append((time.process_time() - cpu, time.monotonic() - began))
        log, fragments = ("--log", self.path("log.json")), [self.path(f"shuffled-{i}.frag") for i in range(PARTS)]
        for i, fragment in enumerate(fragments):
            times.append(self.audit("-j", "1", *log, "-o", fragment, self.path(f"part{i}.parquet")))
        self.merged("parts shuffled by DuckDB, census and shuffle included", times, fragments, *log)

    def spark(self, master, kill):
        local, work = self.path("local"), self.path("work")
        os.makedirs(local)
        environment = {**os.environ, "SPARK_LOCAL_DIRS": local, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        killed = {}
        if kill:
            threading.Thread(target=self.kill, args=(local, work, killed), daemon=True).start()
        way = f"Spark {master}" + (", an executor killed" if kill else "")
        began = busy()
        _, wall = timed(os.path.join(os.path.dirname(sys.executable), "spark-submit"), "--master", master, "--conf", "spark.ui.enabled=false",
                      "--conf", "spark.network.timeout=20m", "--conf", "spark.executor.heartbeatInterval=1m",  # a busy machine kills nobody
                      SPARK, "--protocol", self.path("sim", "protocol.yaml"), "--log", self.log, "--experiment", "experiment", "--order", "round",
                      "--work", work, "--out", self.path("bundle"), "--ship", self.path("sim", "seed.hex"), "--binary", self.binary,
                      "--parts", str(2 * PARTS), env=environment)
        self.took(way, (busy() - began, wall), "start of Spark, census, shuffle and merge included")
        self.wrote(way)
        self.left(way, local, killed if kill else None)

    def left(self, way, local, killed):
        import pyspark
        workers = os.path.join(os.path.dirname(pyspark.__file__), "work")
        below = sorted({os.path.basename(f) for f in glob.glob(workers + "/**", recursive=True) if os.path.isfile(f)})
        rest = [f for f in glob.glob(local + "/**", recursive=True) if os.path.isfile(f)]
        if killed is not None:
            if not killed:
                sys.exit("no executor was killed: audits are too short to be met")
            self.notes.append(f"Killed: one of {killed['of']} executors, while it audited. Fragments that were there: {killed['fragments']}. A second later lay in the directory "
                              f"of the dead executor: `part.parquet` {killed['rows']}, shuffle files {killed['blocks']}. At the end of the application: files of any "
                              f"kind {len(rest)}. In the worker's own directory are left {', '.join(below) or 'none'}, which hold no rows and no seed.")
            shutil.rmtree(workers, ignore_errors=True)
        if rest or "part.parquet" in below or "seed.hex" in below:
            sys.exit(f"{way} leaves behind {rest or below}")
        shutil.rmtree(local)
        shutil.rmtree(self.path("work"))

    def kill(self, local, work, killed):
        """Ends the executor whose audit is seen first when a fragment is there, and all that it started."""
        while True:
            time.sleep(0.02)
            fragments = glob.glob(work + "/*/*.frag")
            running = processes() if fragments else {}
            audits = [pid for pid, (_, command) in running.items() if local in command[-1] and command[-1].endswith("/part.parquet")]
            executors = [pid for pid, (_, command) in running.items() if any(word.endswith("CoarseGrainedExecutorBackend") for word in command)]
            if not audits:
                continue
            executor = next((pid for pid in above(running, audits[0]) if pid in executors), None)
            if not executor:
                continue
            for pid in [executor, *(p for p in running if executor in above(running, p))]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(1)
            folder = running[audits[0]][1][-1].split("/blockmgr-")[0]
            rows, blocks = (len(glob.glob(f"{folder}/**/{name}", recursive=True)) for name in ("part.parquet", "shuffle_*.data"))
            killed.update(of=len(executors), fragments=len(fragments), rows=rows, blocks=blocks)
            return


def digest(path):
    with open(path, "rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def processes():
    """Parent and command line of every process, by its number."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as f, open(f"/proc/{name}/cmdline") as g:
                found[int(name)] = int(f.read().rpartition(")")[2].split()[1]), g.read().rstrip("\0").split("\0")
        except OSError:
            pass  # it has ended
    return found


def above(running, pid):
    """A process and those that it descends from."""
    line = []
    while pid in running:
        line.append(pid)
        pid = running[pid][0]
    return line


def tables(setting):
    least = setting.times[0]  # one process, -j 1: overhead is processor time above it
    out = f"## {setting.rows:,} rows, {setting.experiments:,} experiments\n\n"
    out += "| way | processor s | overhead | wall s | of it, processor s |\n|---|---:|---:|---:|---|\n"
    for way, cpu, wall, note in setting.times:
        out += f"| {way} | {cpu:.1f} | {cpu / least[1] - 1:+.0%} | {wall:.1f} | {note} |\n"
    out += "\n| way | results.json | report, figures, tables and the rest |\n|---|---|---|\n"
    for way, results, rest in setting.digests:
        out += f"| {way} | `{results[:16]}` | `{rest[:16]}` |\n"
    return out + "".join(f"\n{note}\n" for note in setting.notes)


STILL = """## What a real cluster still has to show

- Executors on several machines: here they are processes of one, which share a file system and a clock. The
  fragments need a folder that all see; that it is written once by a rename holds on POSIX file systems, and
  was not tried on NFS or an object store.
- YARN and Kubernetes: that scratch is removed with the container is theirs to do. Here Spark's own worker did it.
- A machine that goes down whole. Then nobody removes anything, and rows stay on its disk, as Spark's own
  shuffle files do.
- A log that does not fit on one machine, skewed experiments, spilling shuffles, speculative execution.
- Processor time: on two processors Spark takes longer than one process. It is for logs that do not fit.
"""


def machine():
    import duckdb, pyspark
    with open("/proc/cpuinfo") as f:
        model = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), "unknown")
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.strip()
    return (f"{datetime.date.today()}; commit {commit}; {model}, {os.cpu_count()} processors; pyspark {pyspark.__version__}, DuckDB {duckdb.__version__}; "
            f"load average {os.getloadavg()[0]:.1f} before the first")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rows", type=int, default=20_000)
    p.add_argument("--experiments", type=int, default=40)
    p.add_argument("--large", type=int, nargs=2, metavar=("ROWS", "EXPERIMENTS"))
    p.add_argument("--write", action="store_true")
    args = p.parse_args()
    page = "# One audit on several machines: what it costs, and the same bytes\n\nMade by\n\n    bash testdata/spark/run.sh "
    page += " ".join(sys.argv[1:]) + f"\n\n{machine()}.\n\n{__doc__.split(chr(10) * 2)[3]}\n\n"
    with tempfile.TemporaryDirectory() as folder:
        s = Setting(args.rows, args.experiments, os.path.join(folder, "usual"))
        for jobs in (1, 2):
            s.one(jobs)
        s.parts(twice=True)
        s.shuffled()
        s.spark("local[2]", kill=False)
        s.spark("local-cluster[2,1,1024]", kill=True)
        settings = [s]
        if args.large:
            shutil.rmtree(s.path("log"))
            s = Setting(*args.large, os.path.join(folder, "large"))
            s.one(1)
            s.parts(twice=False)
            settings.append(s)
    page += "\n".join(map(tables, settings)) + "\n" + STILL
    print(page)
    if args.write:
        with open(os.path.join(HERE, "CLUSTER.md"), "w") as f:
            f.write(page)
    if any(len({d[1:] for d in s.digests}) > 1 for s in settings):
        sys.exit("bytes differ")


if __name__ == "__main__":
    main()
