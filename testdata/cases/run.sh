#!/usr/bin/env bash
# Audits every case of cases.json and writes CASES.md: what was wrong, what is right, and
# what the tool says now. A case of a part that is built and is not right fails the run.
#
#   testdata/cases/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
found=$(mktemp)
trap 'rm -f "$found"' EXIT
status=0
CASES=$found go test -count 1 -run '^TestCases$' ./cmd/banditaudit || status=$?
[ -s "$found" ] || exit 1
{
  cat <<'HEAD'
# Cases

Inputs on which version 0.2.5 was wrong. Each has a folder here; all were made for this
purpose, and hold no person's data. Written by

    testdata/cases/run.sh

which audits each as cases.json says, and fails where a case of the part "right again" is
not right. A case of another part tells its state.

HEAD
  printf 'Run on %s, version %s.\n\n' "$(date -u +%F)" "$(go run ./cmd/banditaudit version | awk '{ print $2; exit }')"
  cat "$found"
} > testdata/cases/CASES.md
exit "$status"
