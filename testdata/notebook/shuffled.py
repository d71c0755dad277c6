"""DuckDB shuffles a simulated log into three parts, each with whole experiments in some
order, and what audit --log and merge make of them is what one audit of the log makes:

    python shuffled.py BANDITAUDIT DIR

Once with numbers as the ids of experiments, and once with texts, more than have figures. See run.sh."""

import filecmp
import subprocess
import sys
from pathlib import Path

import duckdb

tool, root = sys.argv[1], Path(sys.argv[2])


def run(command, *args, codes=(0,)):
    program = str(Path(tool).with_name("banditlab")) if command == "simulate" else tool
    done = subprocess.run([program, command, "-q", *map(str, args)], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr}")


def copy(rows, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    duckdb.sql(f"copy ({rows}) to '{to}' (format parquet)")


def same(name, ids, most):
    dir = root / name
    log, protocol = dir / "log", root / "sim" / "protocol.yaml"
    files = sorted((root / "sim" / "log").glob("*.parquet"))
    for file in files:
        copy(f"select * replace ({ids} as experiment) from '{file}' where experiment < {most}", log / file.name)
        run("census", "-p", protocol, "--root", log, "-o", dir / "c" / f"{file.stem}.json", log / file.name)
    run("census", "-p", protocol, "-o", dir / "log.json", *(dir / "c").glob("*.json"))
    for i in range(3):
        part = dir / f"{i}.parquet"
        copy(f"from '{log}/*.parquet' where hash(experiment) % 3 = {i} order by hash(experiment, round)", part)
        run("audit", "-p", protocol, "--log", dir / "log.json", "-o", dir / f"{i}.frag", part)
    run("audit", "-p", protocol, "-o", dir / "whole", log, codes=(0, 1, 3))
    run("merge", "-p", protocol, "--log", dir / "log.json", "-o", dir / "merged", *sorted(dir.glob("*.frag"), reverse=True), codes=(0, 1, 3))
    names = [p.relative_to(dir / "whole") for p in (dir / "whole").rglob("*") if p.is_file()]
    _, others, errors = filecmp.cmpfiles(dir / "whole", dir / "merged", names, shallow=False)
    if errors or {str(o) for o in others} - {"manifest.json", "run.json", "checksums.txt"}:
        sys.exit(f"{name}: not the same: {others} {errors}")
    run("verify", dir / "merged", *dir.glob("*.frag"))
    print(f"parts that DuckDB shuffled, {name}: {len(names) - 3} files, byte for byte those of one audit")


run("simulate", "--policy", "epsilon-greedy", "--set", "epsilon=0.2", "--counter", "hybrid", "--epsilon", "0.5", "--means", "0.4,0.6",
    "--repeat", "210", "--rounds", "30", "--rows-per-file", "3000", "--log", "released,propensities", "-o", root / "sim")
same("numbers", "experiment", 30)
same("texts", "case when experiment = 0 then 'a' else experiment::varchar end", 210)
