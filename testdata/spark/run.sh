#!/usr/bin/env bash
# Audits one log in one process, in parts and with audit.py in Spark, in local[2] and in a
# local-cluster of which one executor is killed: the bytes must be equal, and no rewards left.
#
#   bash testdata/spark/run.sh             # 20,000 rows, 40 experiments
#   bash testdata/spark/run.sh --rows 2000000 --experiments 400 --large 20000000 10000 --write
#
# The second writes testdata/bench/CLUSTER.md. Needs Java 17, python3 (3.11), go and PyPI
# (900 MB, in a temporary folder; PYTHON=venv/bin/python takes one that is there). Ends with
# 3, and says so, where they are not there.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if ! java -version 2>/dev/null; then
  echo "Java is not there: nothing was run"
  exit 3
fi
if [ -z "${PYTHON:-}" ]; then
  PYTHON=$dir/venv/bin/python
  if ! { python3 -m venv "$dir/venv" && "$PYTHON" -m pip install --quiet --disable-pip-version-check \
    pyspark==4.3.0 pandas==2.3.3 pyarrow==22.0.0 duckdb==1.4.2; } >"$dir/pip.log" 2>&1; then
    tail -n 1 "$dir/pip.log"
    echo "python3 or pyspark is not there: nothing was run"
    exit 3
  fi
fi
"$PYTHON" testdata/bench/cluster.py "$@"
