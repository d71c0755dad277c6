#!/usr/bin/env bash
# Makes a log with contexts by two builds of the program, audits that of the first and the
# homepage log with both, and compares what they write, file by file.
#
#     testdata/same.sh PROGRAM OTHER...     # OTHER may be a command of several words
#
# Beside each program lies the laboratory that was built with it, as PROGRAM-lab.
#
# Exit code 1 where something differs; run.json says when and by what it was run.
set -euo pipefail
program=$1
shift
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# writes DIR COMMAND...: the log and the bundles of one program.
writes() {
  local out=$1 protocol=$dir/protocol.yaml
  shift
  "${@:1:$#-1}" "${!#}-lab" simulate -q --policy lints --counter exact --world linear --arms 3 --context-dim 3 --log propensities \
    --rounds 5000 --seed 7 -o "$out/simulated"
  "$@" audit -q -p testdata/homepage/protocol.yaml -o "$out/homepage" testdata/homepage/log
  cp "$dir/one/simulated/seed.hex" "$dir"
  sed 's/regressions: \[/&{name: pooled, arms: pooled, interactions: true, covariance: HC3}, /' "$dir/one/simulated/protocol.yaml" >"$protocol"
  "$@" audit -q -p "$protocol" -o "$out/contexts" "$dir/one/simulated/log"
}
writes "$dir/one" "$program"
writes "$dir/other" "$@"
grep -q '"condition_number"' "$dir/one/contexts/results.json" # regressions were made
cd "$dir"
diff -r -q -x run.json -x checksums.txt one other
