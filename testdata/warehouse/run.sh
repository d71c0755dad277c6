#!/usr/bin/env bash
# Builds this folder's dbt project on two bundles, of which one must fail in one test:
#
#   bash testdata/warehouse/run.sh
#
# Needs python3 and PyPI (200 MB, in a temporary folder; PYTHON=venv/bin/python takes one
# that is there). Ends with 3, and says so, where they are not there.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if [ -z "${PYTHON:-}" ]; then
  PYTHON=$dir/venv/bin/python
  if ! { python3 -m venv "$dir/venv" && "$PYTHON" -m pip install --quiet --disable-pip-version-check \
    dbt-core==1.10.23 dbt-duckdb==1.10.1 duckdb==1.4.2; } >"$dir/pip.log" 2>&1; then
    tail -n 1 "$dir/pip.log"
    echo "python3 or dbt is not there: nothing was built"
    exit 3
  fi
fi
export GOFLAGS=-buildvcs=false DBT_TARGET_PATH=$dir/target DBT_LOG_PATH=$dir DBT_SEND_ANONYMOUS_USAGE_STATS=false
go build -o "$dir/" ./cmd/banditaudit ./cmd/banditlab
"$dir/banditaudit" audit -q -p testdata/homepage/protocol.yaml -o "$dir/good" testdata/homepage/log
"$dir/banditlab" simulate -q --policy ucb --counter hybrid --epsilon 0.25 --means 0.4,0.6 --rounds 2000 --repeat 3 --fault no-noise -o "$dir/log"
"$dir/banditaudit" audit -q --fail-on never -p "$dir/log/protocol.yaml" -o "$dir/bad" "$dir/log/log"

# dbt COMMAND BUNDLE prints what dbt says, without its times.
dbt() {
  (cd testdata/warehouse && BUNDLE=$dir/$2 "${PYTHON%/*}/dbt" --quiet --no-use-colors "$1" --profiles-dir .) 2>&1 | sed 's/^[0-9:]* *//'
}
dbt parse good
dbt build good
echo "of a log as it was declared: every test passes"
if dbt build bad >"$dir/says"; then
  echo "a violated claim passes"
  exit 1
fi
grep -E '^Failure in test' "$dir/says"
[ "$(grep -E '^Failure in test' "$dir/says")" = "Failure in test required_claims_hold (tests/required_claims_hold.sql)" ]
echo "of a log without the declared noise: that test alone fails"
