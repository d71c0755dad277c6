#!/usr/bin/env bash
# onerow.sh audits a log of experiments of one row each, once with arm and reward alone and
# once with a propensity, and verifies the bundles.
#
#   testdata/bench/onerow.sh                 200,000 experiments
#   testdata/bench/onerow.sh 20000           so many
#   testdata/bench/onerow.sh --write         200,000, into ONEROW.md
#
# The requirement: an audit of 200,000 ends within a minute, of fewer within their share of
# it. The log is written by pyarrow (PYTHON names the interpreter; python3 by default); logs
# and bundles take some 10 GB below TMPDIR, and are removed.
#
# Exit code: 0 both audits met it, 1 one did not, 2 something could not be run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
n=200000 write=
for a; do
  case $a in
    --write) write=1 ;;
    [1-9]*) n=$a ;;
    *) echo "usage: $0 [EXPERIMENTS] [--write]" >&2; exit 2 ;;
  esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C TZ=UTC NO_COLOR=1 GOFLAGS=-buildvcs=false CGO_ENABLED=0
unset ${!BANDITAUDIT_@} 2>/dev/null || true
load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown)
(cd "$root" && go build -o "$work/banditaudit" ./cmd/banditaudit) || exit 2

"${PYTHON:-python3}" - "$work" "$n" <<'PYTHON' || exit 2
import os, random, sys
import pyarrow as pa, pyarrow.parquet as pq
work, n = sys.argv[1], int(sys.argv[2])
draw = random.Random(1)
columns = {"experiment": [f"e{i:06d}" for i in range(n)], "round": [1] * n, "arm": draw.choices("ab", k=n), "reward": [float(draw.random() < 0.5) for _ in range(n)]}
for name, line in ("plain", ""), ("propensity", "  propensity: propensity\n"):
    if line:
        columns["propensity"] = [0.5] * n
    os.makedirs(f"{work}/{name}")
    pq.write_table(pa.table(columns), f"{work}/{name}.parquet")
    with open(f"{work}/{name}.yaml", "w") as f:
        f.write("version: 1\nexperiment: {column: experiment, stopping: fixed}\nlog:\n  order: [round]\n  action: arm\n  reward: reward\n"
                + line + "arms: [a, b]\nreward: {range: [0, 1]}\n")
PYTHON

# run NAME COMMAND…: a row of the table; exit codes 0, 1 and 3 are runs that went well.
run() {
  local name=$1 start end code=0
  shift
  start=$(date +%s.%N)
  "${PYTHON:-python3}" - "$work/usage" "$@" <<'PYTHON' || code=$?
import os, subprocess, sys
p = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(p.pid, 0)
with open(sys.argv[1], "w") as f:
    f.write(f"{used.ru_utime:.1f} {used.ru_stime:.1f} {used.ru_maxrss // 1024}\n")
sys.exit(os.waitstatus_to_exitcode(status))
PYTHON
  end=$(date +%s.%N)
  case $code in 0 | 1 | 3) ;; *) echo "$name: exit $code" >&2; exit 2 ;; esac
  read -r user system peak <"$work/usage"
  seconds=$(awk "BEGIN { printf \"%.1f\", $end - $start }")
}

missed=0
{
  echo "| log | job | seconds by the clock | user, system | peak, MiB | requirement |"
  echo "|---|---|---|---|---|---|"
} >"$work/table"
for log in plain propensity; do
  run audit "$work/banditaudit" audit -q --no-progress --fail-on never -p "$work/$log.yaml" -o "$work/$log/out" "$work/$log.parquet"
  if awk "BEGIN { exit !($seconds <= 60 * $n / 200000) }"; then met=met; else met='**missed**' missed=1; fi
  size=$(du -sm "$work/$log/out" | cut -f1)
  echo "| $log, $n experiments | audit, a bundle of $size MiB | $seconds | $user, $system | $peak | $met |" >>"$work/table"
  run verify "$work/banditaudit" verify -q "$work/$log/out"
  echo "| | verify | $seconds | $user, $system | $peak | |" >>"$work/table"
  rm -rf "$work/$log"
done
{
  echo "# Experiments of one row"
  echo
  echo "Written by \`testdata/bench/onerow.sh --write\`, whose text says what the log is and what is required."
  echo
  echo "$(date -u +%Y-%m-%d); $(sed -n 's/^model name\s*: //p' /proc/cpuinfo 2>/dev/null | head -n 1), $(getconf _NPROCESSORS_ONLN) processors; $(go env GOVERSION); load average $load before, $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown) after; $(git -C "$root" describe --always --dirty --exclude='*'). By the clock other load counts; user and system are processor seconds."
  echo
  cat "$work/table"
} >"$work/page"
cat "$work/page"
[ -z "$write" ] || cp "$work/page" "$here/ONEROW.md"
exit $missed
