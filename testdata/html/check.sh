#!/usr/bin/env bash
# Holds reports against the Nu validator and axe, and writes CHECKED.md:
#
#   bash testdata/html/check.sh
#
# Needs java (17), node, npm and its registry, and Chromium in CHROMIUM (default: chromium).
# What is installed and made lies in a temporary folder. Ends with 1 where anything is found.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GOFLAGS=-buildvcs=false
npm install --silent --no-audit --no-fund --prefix "$dir" vnu-jar@26.9.27 axe-core@4.14.1 playwright-core@1.65.1
go build -o "$dir/" ./cmd/banditaudit ./cmd/banditlab

# audit NAME PROTOCOL LOG makes the report of a page; what the audit says decides nothing.
audit() { "$dir/banditaudit" audit -q --no-progress --fail-on never -p "$2" -o "$dir/$1" "$3"; }
# made NAME FLAG... makes a log and its report.
made() {
  local name=$1
  shift
  "$dir/banditlab" simulate -q -o "$dir/log-$name" "$@"
  audit "$name" "$dir/log-$name/protocol.yaml" "$dir/log-$name/log"
}
means=$(seq -s, 0.2 0.002 0.798)
audit homepage testdata/homepage/protocol.yaml testdata/homepage/log
made violated --policy ucb --counter hybrid --epsilon 0.25 --means 0.4,0.6 --rounds 5000 --log released --fault half-scale
made arms-300 --policy ucb --counter exact --means "$means" --rounds 12000
made experiments-1000 --policy epsilon-greedy --counter exact --means 0.4,0.5,0.6 --rounds 60 --repeat 1000
pages=(homepage violated arms-300 experiments-1000)
bts=../shared/data/open-bandit/bts-men.parquet
if [ -e "$bts" ]; then
  audit bts-men testdata/open-bandit/protocol.yaml "$bts"
  pages+=(bts-men)
fi

{
  printf '# Reports held against the Nu validator and axe\n\n'
  printf 'Written by `bash testdata/html/check.sh` on %s, commit %s, with vnu-jar 26.9.27 (%s), axe-core 4.14.1, playwright-core 1.65.1 and %s.\n\n' \
    "$(date -u +%F)" "$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- '*.go' report || echo ' with changes')" \
    "$(java -version 2>&1 | head -n 1 | tr -d '"')" "$("${CHROMIUM:-chromium}" --version 2>/dev/null | cut -d' ' -f1,2)"
  [ -e "$bts" ] || printf 'The page bts-men was not made: %s is not there.\n\n' "$bts"
  printf '## Nu validator\n\n'
} >"$dir/CHECKED.md"
failed=0
for page in "${pages[@]}"; do
  if java -Xss8m -jar "$dir/node_modules/vnu-jar/build/dist/vnu.jar" --format gnu "$dir/$page/report.html" >"$dir/nu" 2>&1; then
    echo "- $page: nothing found" >>"$dir/CHECKED.md"
  else
    failed=1
    sed "s|.*/$page/report.html|- $page|" "$dir/nu" | head -n 20 >>"$dir/CHECKED.md"
  fi
done
cp testdata/html/axe.mjs "$dir/"
CHROMIUM=$(command -v "${CHROMIUM:-chromium}") node "$dir/axe.mjs" "$dir" "${pages[@]}" >>"$dir/CHECKED.md" || failed=1
cp "$dir/CHECKED.md" testdata/html/CHECKED.md
cat testdata/html/CHECKED.md
exit $failed
