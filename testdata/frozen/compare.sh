#!/usr/bin/env bash
# compare.sh OLD NEW builds two commits ("." is the working tree), runs the same
# commands with both and prints the first lines in which an output differs. Exit
# code: 0 where all are equal, 1 where one differs, 2 where it could not be run.
#
#   testdata/frozen/compare.sh HEAD~1 .
#
# An output is what a command printed, its exit code, or a file that it wrote.
# Not compared are run.json, checksums.txt and DIR.failed.json, which hold times
# and places, and what the command schema prints. A command that fails ends
# nothing: what it says is an output. Both sides are asked the same: a line of a
# protocol below that ends in "#if TEXT" is left out where what OLD's "schema
# protocol" prints does not hold TEXT.
#
# FROZEN_CACHE=DIR keeps the outputs of a commit there and takes them from there
# the next time. KEEP=DIR keeps both sides for a look. SERIAL=1 runs one side
# after the other.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: $0 OLD NEW" >&2; exit 2; }
root=$(git rev-parse --show-toplevel) || exit 2
frozen=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"; git -C "$root" worktree prune' EXIT
export LC_ALL=C TZ=UTC CI=true NO_COLOR=1 GOFLAGS=-buildvcs=false
unset ${!BANDITAUDIT_@} 2>/dev/null || true

# cached COMMIT prints where the outputs of a commit are kept, if anywhere. They
# depend on the commands, and on what OLD knows.
cached() {
  [ -n "${FROZEN_CACHE:-}" ] && [ "$1" != . ] || return 0
  local commands
  commands=$(cat "$frozen/compare.sh" "$frozen"/protocols/* "$work/left" | sha256sum | cut -c1-12)
  echo "$FROZEN_CACHE/$(git -C "$root" rev-parse "$1^{tree}")-$commands"
}

# known copies the lines of a protocol that OLD knows.
known() {
  local line
  while IFS= read -r line; do
    case $line in *'#if '*) grep -qF -- "${line##*#if }" "$work/schema" || continue ;; esac
    printf '%s\n' "$line"
  done
}

# learn OLD finds out what OLD knows: its schema, and the lines that are left out.
learn() {
  local at=
  [ -z "${FROZEN_CACHE:-}" ] || [ "$1" = . ] || at=$FROZEN_CACHE/$(git -C "$root" rev-parse "$1^{tree}").schema
  if [ -n "$at" ] && [ -e "$at" ]; then
    cp "$at" "$work/schema"
  else
    build "$1" old
    "$work/old/banditaudit" schema protocol >"$work/schema"
    [ -z "$at" ] || { mkdir -p "$FROZEN_CACHE"; cp "$work/schema" "$at"; }
  fi
  grep -E '#if "[a-z_]+":?$' "$frozen/compare.sh" >"$work/asked" || true
  known <"$work/asked" | diff - "$work/asked" | sed -n 's/^> *//p' >"$work/left" || true
  sed 's/ *#if.*//; s/^/left out on both sides, OLD does not know it: /' "$work/left"
}

build() { # COMMIT SIDE
  mkdir -p "$work/$2"
  local src=$root
  if [ "$1" != . ]; then
    src=$work/src-$2
    git -C "$root" worktree add -q --detach --force "$src" "$1"
  fi
  (cd "$src" && go build -trimpath -ldflags=-s -o "$work/$2/banditaudit" ./cmd/banditaudit) || exit 2
  # Before 0.3 the laboratory was part of banditaudit.
  if [ -d "$src/cmd/banditlab" ]; then
    (cd "$src" && go build -trimpath -ldflags=-s -o "$work/$2/banditlab" ./cmd/banditlab) || exit 2
  else
    ln -s banditaudit "$work/$2/banditlab"
  fi
  [ "$1" = . ] || git -C "$root" worktree remove --force "$src"
}

# one runs a command in the side's directory and keeps stdout, stderr and exit
# code under a name.
one() { # NAME ARGS...
  local name=$1 code=0 program=banditaudit; shift
  case ${1-} in simulate | plan | reproduce) program=banditlab ;; esac
  ./$program "$@" >"out/$name.stdout" 2>"out/$name.stderr" </dev/null || code=$?
  echo "$code" >"out/$name.code"
}

# simulated makes a log and audits it.
simulated() { # NAME ARGS...
  local name=$1; shift
  one "sim-$name" simulate "$@" -o "out/sim-$name"
  one "audit-$name" audit -q -p "out/sim-$name/protocol.yaml" -o "out/audit-$name" "out/sim-$name/log"
}

mechanisms() {
  local p c
  for p in uniform fixed; do
    simulated "$p-exact" --policy $p --rounds 500 --seed 7 --log propensities --labels a,b,c --means 0.3,0.5,0.6
  done
  simulated exp3-exact --policy exp3 --counter exact --rounds 500 --seed 7 --log released,propensities --labels a,b,c --means 0.3,0.5,0.6 --delay 3
  simulated inverse-gap --policy inverse-gap --rounds 500 --seed 7 --log propensities --labels a,b,c --means 0.3,0.5,0.6
  for p in epsilon-greedy ucb thompson softmax successive-elimination linucb lints; do
    for c in exact laplace binary hybrid tree interval epochs; do
      set -- --policy $p --counter $c --rounds 500 --seed 7 --log released,propensities --labels a,b,c
      [ $c = exact ] || set -- "$@" --epsilon 1
      case $p in
        linucb|lints) set -- "$@" --world linear --context-dim 2 --theta 0.2,0.9/0.7,0.1/0.4,0.4 ;;
        *) set -- "$@" --means 0.3,0.5,0.6 ;;
      esac
      simulated "$p-$c" "$@"
    done
  done
  simulated decay --policy epsilon-greedy --counter exact --means 0.3,0.6 --rounds 400 --seed 3 --set explore='{decay: 5}' --set ties=seeded
  simulated floor --policy ucb --counter exact --means 0.3,0.6 --rounds 400 --seed 3 --set floor=0.05 --set width='{delta: 0.1}'
  simulated normal --policy thompson --counter hybrid --epsilon 1/3 --means 0.3,0.6 --rounds 400 --seed 3 --set prior='{mean: 0.5, variance: 1, noise: 0.25}'
  simulated paper --policy ucb --counter hybrid --epsilon 1 --means 0.3,0.6 --rounds 400 --seed 3 --set bonus=paper --set horizon=400
  simulated worlds-beta --policy thompson --counter exact --world beta --means 0.3,0.6 --rounds 400 --seed 3
  simulated worlds-late --policy thompson --counter exact --means 0.3,0.6 --rounds 400 --seed 3 --delay 5 --eligible 0.8 --batch 20
  simulated many --policy ucb --counter hybrid --epsilon 1 --means 0.3,0.6 --rounds 200 --repeat 40 --seed 9
  one sim-below-binary simulate --policy ucb --counter binary --epsilon 0.5 --means 0.4,0.6 --rounds 1000 --set horizon=10 -o out/sim-below-binary
  one sim-below-interval simulate --policy ucb --counter interval --epsilon 0.5 --means 0.4,0.6 --rounds 1000 --set horizon=10 -o out/sim-below-interval
  one sim-no-policy simulate --policy ubc --counter hybrid --epsilon 1 --means 0.4,0.6 --rounds 100 -o out/sim-no-policy
  one sim-no-counter simulate --policy ucb --counter hybrdi --epsilon 1 --means 0.4,0.6 --rounds 100 -o out/sim-no-counter
  one sim-no-key simulate --policy ucb --counter hybrid --epsilon 1 --means 0.4,0.6 --rounds 100 --set etta=3 -o out/sim-no-key
}

faults() {
  local f c
  for f in no-noise redraw half-scale noise-on-mean noise-over-n-twice log2-levels wrong-arm-stream fresh-prefixes extra-update; do
    c=hybrid; [ $f = log2-levels ] && c=binary
    simulated "fault-$f" --policy ucb --counter $c --epsilon 1 --means 0.3,0.5,0.6 --rounds 2000 --seed 5 --log released --fault $f --set update='{every: 10}'
  done
  # Without the seed: what explains a log is looked for.
  for f in propensity-uniform propensity-stale propensity-swapped propensity-loglik; do
    one "sim-fault-$f" simulate --policy softmax --counter exact --means 0.3,0.5,0.6 --rounds 5000 --seed 5 --log propensities --set update='{every: 50}' --fault $f -o "out/sim-fault-$f"
    sed -i '/^  seed:/d' "out/sim-fault-$f/protocol.yaml" || true
    one "audit-fault-$f" audit -p "out/sim-fault-$f/protocol.yaml" -o "out/audit-fault-$f" "out/sim-fault-$f/log"
  done
  for f in fresh-prefixes redraw; do
    one "fault-refused-$f" simulate --policy ucb --counter epochs --epsilon 1 --means 0.3,0.6 --rounds 200 --fault $f -o "out/fault-refused-$f"
  done
}

# Every base test by every correction, and every kind of claim, on one log.
questions() {
  local tests=out/questions.yaml method chosen
  one sim-questions simulate --policy thompson --counter hybrid --epsilon 0.2 --labels a,b,c --means 0.3,0.5,0.6 --rounds 1500 --seed 4 --log released -o out/sim-questions
  for method in conditional recursion theorem20 best; do for chosen in before after-rewards; do
    sed '/^analysis:/,$d' out/sim-questions/protocol.yaml >"$tests" || true
    known >>"$tests" <<YAML
analysis:
  chosen: $chosen
  approximate: accept #if "approximate":
  means: constant #if "means":
  alpha: 0.05
  multiplicity: holm
  control: a
  correction: {method: $method, also: [approximate, zcdp]}
  tests:
    - {id: e, arm: most-pulled, mean: 0.5, test: exact}
    - {id: t, arm: b, mean: 0.5, test: t, alternative: greater}
    - {id: z, arm: b, mean: 0.5, test: z, sigma: 0.5}
    - {id: h, arm: least-pulled, mean: 0.5, test: hoeffding, alternative: less}
    - {id: bets, arm: each, mean: 0.4, test: bets} #if "bets"
    - {id: db, difference: [c, a], value: 0, test: bets} #if "bets"
    - {id: bern, arm: each, mean: 0.4, test: bernstein}
    - {id: d, difference: [c, a], value: 0, test: welch}
    - {id: de, difference: [c, a], value: 0, test: exact}
claims:
  - {id: quality, kind: data.quality}
  - {id: allocation, kind: allocation.matches_propensity, severity: advisory}
  - {id: conformance, kind: policy.conformance}
  - {id: total, kind: privacy.total}
  - {id: noise, kind: privacy.noise, severity: advisory}
  - {id: bias, kind: bias.bound, comparator: <=, threshold: 0.2, arms: all}
  - {id: hypothesis, kind: hypothesis, test: e, finding: rejected}
YAML
    one "questions-validate-$method-$chosen" validate -p "$tests"
    cp out/sim-questions/seed.hex out/seed.hex 2>/dev/null || true
    one "questions-$method-$chosen" audit -p "$tests" -o "out/audit-questions-$method-$chosen" out/sim-questions/log
  done; done
  one sim-regressions simulate --policy lints --counter hybrid --epsilon 1 --world linear --context-dim 2 --theta 0.2,0.9/0.7,0.1 --rounds 800 --seed 4 -o out/sim-regressions
  sed '/^analysis:/,$d' out/sim-regressions/protocol.yaml >out/sim-regressions/asked.yaml || true
  cat >>out/sim-regressions/asked.yaml <<YAML
analysis:
  chosen: before
  regressions:
    - {name: main, arms: each, covariance: HC3}
    - {name: plain, arms: each, covariance: classical, columns: [x0]}
    - {name: together, arms: pooled, covariance: HC1, interactions: true}
  tests:
    - {id: c, regression: main, coefficient: x0, arm: each, value: 0}
    - {id: j, regression: together, joint: {x0: 0, x1: 0}}
YAML
  one regressions audit -p out/sim-regressions/asked.yaml -o out/audit-regressions out/sim-regressions/log
}

commands() {
  local y n t
  one homepage audit -p homepage/protocol.yaml -o out/homepage homepage/log
  one homepage-json audit --json -q -p homepage/protocol.yaml -o out/homepage-json homepage/log
  one homepage-ingest ingest -p homepage/protocol.yaml -o out/homepage-ingest homepage/log
  one homepage-replay replay -p homepage/protocol.yaml -t out/homepage-ingest -o out/homepage-replay
  one homepage-analyze analyze -p homepage/protocol.yaml -t out/homepage-ingest -o out/homepage-analyzed.json
  one homepage-replayed analyze -p homepage/protocol.yaml -t out/homepage-ingest --replay out/homepage-replay -o out/homepage-replayed.json
  one homepage-report report -o out/homepage-report out/homepage-replayed.json
  one init init homepage/log
  for y in protocols/*.yaml; do
    n=$(basename "$y" .yaml)
    one "validate-$n" validate --json -p "$y"
    one "validate-text-$n" validate -p "$y"
  done
  for t in "" audit ingest replay analyze report simulate plan reproduce validate init schema version completion log protocol policies libraries counters tests answers reading guarantees verdicts exit-codes environment; do
    one "help-$t" help $t
  done
  one plan plan --json --rounds 1000 --epsilon 0.1
  one plan-sim plan --json --rounds 300 --arms 3 --effect 0.2 --epsilon 0.5 --seed 3
  one reproduce reproduce --short -o out/reproduce E1
}

side() { # NAME
  cd "$work/$1"
  mkdir -p out
  cp -r "$root/testdata/homepage" .
  cp -r "$frozen/protocols" protocols
  mechanisms
  faults
  questions
  commands
}

# made fills a side from the cache, or builds and runs it.
made() { # COMMIT SIDE
  local kept
  kept=$(cached "$1")
  if [ -n "$kept" ] && [ -d "$kept" ]; then
    mkdir -p "$work/$2"
    cp -r "$kept" "$work/$2/out"
    return
  fi
  (side "$2")
  [ -z "$kept" ] || { mkdir -p "$FROZEN_CACHE"; rm -rf "$kept.part.$$"; cp -r "$work/$2/out" "$kept.part.$$"; mv -T "$kept.part.$$" "$kept" 2>/dev/null || rm -rf "$kept.part.$$"; }
}

cd "$root"
SECONDS=0
learn "$1"
for s in "$1 old" "$2 new"; do
  # shellcheck disable=SC2086
  set -- "$1" "$2" $s
  kept=$(cached "$3")
  [ -n "$kept" ] && [ -d "$kept" ] || [ -x "$work/$4/banditaudit" ] || build "$3" "$4"
done
echo "built in $SECONDS s"
SECONDS=0
if [ -n "${SERIAL:-}" ]; then
  made "$1" old
  made "$2" new
else
  made "$1" old & a=$!
  made "$2" new & b=$!
  wait $a && wait $b || exit 2
fi
echo "ran in $SECONDS s"

cd "$work"
status=0
while IFS= read -r f; do
  case $f in */run.json|*/checksums.txt|*.failed.json) continue ;; esac
  if [ ! -e "old/out/$f" ]; then echo "only new: $f"; status=1; continue; fi
  if [ ! -e "new/out/$f" ]; then echo "only old: $f"; status=1; continue; fi
  cmp -s "old/out/$f" "new/out/$f" && continue
  status=1
  echo "differs: $f"
  diff -a "old/out/$f" "new/out/$f" | grep -a '^[<>]' | head -n 2 | cut -c1-300 || true
done < <( (cd old/out && find . -type f; cd ../../new/out && find . -type f) | sed 's,^\./,,' | sort -u)
echo "$(find new/out -type f | wc -l) outputs of $(find new/out -maxdepth 1 -name '*.code' | wc -l) commands compared"
if [ -n "${KEEP:-}" ]; then rm -rf "$KEEP"; cp -r "$work" "$KEEP"; fi
exit $status
