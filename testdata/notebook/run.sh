#!/usr/bin/env bash
# Reads a bundle as README.md and topics/reading.md say, runs arms.ipynb on it, and audits
# parts that DuckDB shuffled:
#
#   bash testdata/notebook/run.sh
#
# Needs python3 and PyPI, for an environment in a temporary folder. Ends with 3, and says
# so, where they are not there.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if ! { python3 -m venv "$dir/venv" && "$dir/venv/bin/pip" install --quiet --disable-pip-version-check \
  pandas==2.3.3 pyarrow==22.0.0 duckdb==1.4.2 matplotlib==3.10.7 nbformat==5.10.4; } >"$dir/pip.log" 2>&1; then
  tail -n 1 "$dir/pip.log"
  echo "python3 or its packages are not there: nothing was read"
  exit 3
fi
export GOFLAGS=-buildvcs=false
go build -o "$dir/" ./cmd/banditaudit ./cmd/banditlab
"$dir/banditaudit" audit -q -p testdata/homepage/protocol.yaml -o "$dir/out" testdata/homepage/log
MPLBACKEND=Agg MPLCONFIGDIR="$dir" BUNDLE="$dir/out" "$dir/venv/bin/python" testdata/notebook/run.py
"$dir/venv/bin/python" testdata/notebook/shuffled.py "$dir/banditaudit" "$dir/shuffled"
