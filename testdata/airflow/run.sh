#!/usr/bin/env bash
# Imports audit_dag.py as Airflow does, and calls the functions of its tasks:
#
#   bash testdata/airflow/run.sh
#
# Needs python3 (3.11) and PyPI (300 MB, in a temporary folder; PYTHON=venv/bin/python
# takes one that is there). Ends with 3, and says so, where they are not there. No
# scheduler and no database runs.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if [ -z "${PYTHON:-}" ]; then
  PYTHON=$dir/venv/bin/python
  if ! { python3 -m venv "$dir/venv" && "$PYTHON" -m pip install --quiet --disable-pip-version-check \
    apache-airflow==3.3.2; } >"$dir/pip.log" 2>&1; then
    tail -n 1 "$dir/pip.log"
    echo "python3 or Airflow is not there: nothing was imported"
    exit 3
  fi
fi
export GOFLAGS=-buildvcs=false AIRFLOW_HOME=$dir/airflow AIRFLOW__CORE__LOAD_EXAMPLES=false PYTHONDONTWRITEBYTECODE=1
export BANDITAUDIT=$dir/banditaudit PROTOCOL=testdata/homepage/protocol.yaml LOG=testdata/homepage/log
export FRAGMENTS=$dir/fragments BUNDLE=$dir/bundle WHOLE=$dir/whole
go build -o "$BANDITAUDIT" ./cmd/banditaudit
"$BANDITAUDIT" audit -q -p "$PROTOCOL" -o "$WHOLE" "$LOG"
"$PYTHON" testdata/airflow/check.py
