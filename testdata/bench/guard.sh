#!/usr/bin/env bash
# guard.sh sets the speed of the working tree beside that of the commit that BASE
# names: the same jobs, in pairs, each program first in every other pair.
#
#   testdata/bench/guard.sh --write      nine pairs of full size, into GUARD.md
#   testdata/bench/guard.sh --short      five pairs of small jobs, as .ci/run does
#   testdata/bench/guard.sh --short --slow
#                                        the working tree waits 0.4 s at its start, and
#                                        works as long: this has to fail
#
# A job is slower where its ratio, by the clock or in processor time (user and
# system), is above the limit in every pair: 1.5 in the short form, 1.15 in the full
# one. The exit codes 0, 1 and 3 of banditaudit are runs that went well. A job that
# only BASE cannot do is named and left out.
#
# Exit code: 0 no job is slower, 1 one is, 2 something could not be run, 3 the commit
# of BASE is not there and could not be fetched: nothing was measured.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
pairs=9 limit=1.15 size=5 slow= write= form=full
for a; do
  case $a in
    --short) pairs=5 limit=1.5 size=1 form=short ;;
    --slow) slow=1 ;;
    --write) write=1 ;;
    *) echo "usage: $0 [--short] [--slow] [--write]" >&2; exit 2 ;;
  esac
done
base=$(cat "$here/BASE")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C TZ=UTC NO_COLOR=1 GOFLAGS=-buildvcs=false CGO_ENABLED=0 GIT_TERMINAL_PROMPT=0
unset ${!BANDITAUDIT_@} 2>/dev/null || true
load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown)

if ! git -C "$root" cat-file -e "$base^{commit}" 2>/dev/null &&
  ! timeout 60 git -C "$root" fetch -q --depth 1 origin "$base"; then
  echo "NOT RUN: this clone does not have the commit $base, which testdata/bench/BASE names, and it could not be fetched."
  echo "NOT RUN: no regression of speed would have been seen. git fetch --unshallow, then $0"
  exit 3
fi

# Both are built as testdata/package/build.sh does: without paths, so that they
# share what the build cache has of each package that is the same.
build() { # SOURCES SIDE FLAGS...
  local src=$1 side=$2; shift 2
  mkdir -p "$work/$side"
  (cd "$src" && go build -trimpath -ldflags '-s -w' "$@" -o "$work/$side/banditaudit" ./cmd/banditaudit) || exit 2
  # Before 0.3 the laboratory was part of banditaudit.
  if [ -d "$src/cmd/banditlab" ]; then
    (cd "$src" && go build -trimpath -ldflags '-s -w' -o "$work/$side/banditlab" ./cmd/banditlab) || exit 2
  else
    ln -s banditaudit "$work/$side/banditlab"
  fi
}
mkdir "$work/src"
git -C "$root" archive "$base" -- go.mod go.sum ':(glob)**/*.go' ':(exclude)testdata' cmd analyze ingest replay report schemas | tar -x -C "$work/src"
build "$work/src" base
if [ -n "$slow" ]; then
  cat >"$work/slow.go" <<'GO'
package main

import "time"

func init() {
	time.Sleep(400 * time.Millisecond)
	for t := time.Now(); time.Since(t) < 400*time.Millisecond; {
	}
}
GO
  echo "{\"Replace\": {\"$root/cmd/banditaudit/slow.go\": \"$work/slow.go\"}}" >"$work/overlay.json"
  build "$root" now -overlay "$work/overlay.json"
else
  build "$root" now
fi

# The logs are made once, by the working tree; what is made of them, by each for itself.
cd "$work"
made() { # NAME ROUNDS FLAGS...
  local name=$1 rounds=$2; shift 2
  now/banditlab simulate -q --seed 1 --rounds $((rounds * size)) -o "logs/$name" "$@"
}
made long 150000 --policy uniform --counter exact --world linear --arms 10 --context-dim 10
made linear 25000 --policy uniform --counter exact --world linear --arms 10 --context-dim 10
made ucb 20000 --policy ucb --counter hybrid --epsilon 1 --means .3,.4,.5,.5,.6 --log released
made thompson 8000 --policy thompson --counter exact --means .3,.4,.5 --log propensities
made arms 2000 --policy uniform --counter exact --means "$(seq -s, .001 .01 .999)"
made many 30 --policy epsilon-greedy --counter exact --means .3,.6 --log propensities --repeat $((25 * size))
cd logs
sed '/^policy:/,/^counter:/d' linear/protocol.yaml >linear/no-policy.yaml
sed '/regressions:/d' linear/protocol.yaml >linear/no-regressions.yaml
for log in ucb thompson; do sed '/^  seed:/d' $log/protocol.yaml >$log/no-seed.yaml; done
cd ..

# well runs a program in its side's directory. What went well is not repeated.
well() { # SIDE ARGS...
  local side=$1 code=0 program=banditaudit; shift
  [ "$1" != simulate ] || program=banditlab
  (cd "$side" && rm -rf out && exec ./$program "$@" -q >/dev/null 2>said </dev/null) || code=$?
  case $code in 0|1|3) return 0 ;; esac
  return 1
}

for side in base now; do
  for log in linear ucb thompson arms many; do # LOG is also the name of its tableau
    well $side ingest -p ../logs/$log/protocol.yaml -o $log ../logs/$log/log || { cat $side/said; exit 2; }
  done
  for log in arms many; do
    well $side analyze -p ../logs/$log/protocol.yaml -t $log -o $log.json || { cat $side/said; exit 2; }
  done
done

job() { # NAME ARGS...
  local name=$1 pair side order=('base now' 'now base'); shift
  well now "$@" || { echo "$name: the working tree cannot do it: $(tail -n 1 now/said)"; exit 2; }
  well base "$@" || { echo "$name: left out, $base cannot do it: $(tail -n 1 base/said)" | tee -a notes; return 0; }
  for ((pair = 0; pair < pairs; pair++)); do
    for side in ${order[pair % 2]}; do
      TIMEFORMAT="$name;$pair;$side;%R;%U;%S"
      { time well $side "$@"; } 2>>times
    done
  done
}

: >times
: >notes
l=../logs
job "ingest" ingest -p $l/long/protocol.yaml -o out $l/long/log
job "analyze: regressions, no policy" analyze -p $l/linear/no-policy.yaml -t linear -o out
job "analyze: regressions, a policy" analyze -p $l/linear/protocol.yaml -t linear -o out
job "analyze: no regressions, a policy" analyze -p $l/linear/no-regressions.yaml -t linear -o out
job "replay: seed" replay -p $l/ucb/protocol.yaml -t ucb -o out
job "replay: released values" replay -p $l/ucb/no-seed.yaml -t ucb -o out
job "replay: propensities" replay -p $l/thompson/no-seed.yaml -t thompson -o out
job "simulate" simulate --policy ucb --counter hybrid --epsilon 1 --means .3,.4,.5,.5,.6 --rounds $((100000 * size)) --seed 1 -o out
job "report: 100 arms" report -o out arms.json
job "report: $((25 * size)) experiments" report -o out many.json
job "audit: $((25 * size)) experiments" audit -p $l/many/protocol.yaml -o out $l/many/log

code=0
awk -F';' -v limit=$limit '
  function median(of, n,   i, j, t) {
    for (i = 2; i <= n; i++) for (j = i; j > 1 && of[j] < of[j-1]; j--) { t = of[j]; of[j] = of[j-1]; of[j-1] = t }
    return n % 2 ? of[(n+1)/2] : (of[n/2] + of[n/2+1]) / 2
  }
  { if (!($1 in seen)) { seen[$1] = 1; names[++jobs] = $1 }
    wall[$1,$2,$3] = $4; cpu[$1,$2,$3] = $5 + $6; if ($2 >= pairs) pairs = $2 + 1 }
  END {
    print "| job | by the clock, s: BASE, now | ratio (least to largest) | processor, s: BASE, now | ratio (least to largest) | |"
    print "|---|---|---|---|---|---|"
    for (j = 1; j <= jobs; j++) {
      name = names[j]
      for (p = 0; p < pairs; p++) {
        wb[p+1] = wall[name,p,"base"]; wn[p+1] = wall[name,p,"now"]; wr[p+1] = wn[p+1] / wb[p+1]
        cb[p+1] = cpu[name,p,"base"]; cn[p+1] = cpu[name,p,"now"]; cr[p+1] = cn[p+1] / (cb[p+1] > .001 ? cb[p+1] : .001)
      }
      w = median(wr, pairs); c = median(cr, pairs) # which sorts them
      bad = wr[1] > limit || cr[1] > limit
      failed = failed || bad
      printf "| %s | %.3f, %.3f | %.2f (%.2f to %.2f) | %.3f, %.3f | %.2f (%.2f to %.2f) | %s |\n", name,
        median(wb, pairs), median(wn, pairs), w, wr[1], wr[pairs], median(cb, pairs), median(cn, pairs), c, cr[1], cr[pairs],
        bad ? "**slower**: every pair above " limit (wr[1] > limit ? " by the clock" : "") (wr[1] > limit && cr[1] > limit ? " and" : "") (cr[1] > limit ? " in processor time" : "") : "fine"
    }
    exit failed
  }' times >table || code=1

{
  echo "# Speed beside the commit of BASE"
  echo
  echo "Written by \`testdata/bench/guard.sh --write\`, whose text says what is timed and when a job is slower."
  echo
  echo "$(date -u +%Y-%m-%d); $(sed -n 's/^model name\s*: //p' /proc/cpuinfo 2>/dev/null | head -n 1), $(getconf _NPROCESSORS_ONLN) processors; $(go env GOVERSION); load average $load before; $form form, $pairs pairs;"
  echo "BASE is ${base:0:8}, now $(git -C "$root" describe --always --dirty --exclude='*')${slow:+, made slow on purpose}. Medians; a ratio above 1 means slower than BASE. Limit $limit in every pair."
  echo
  cat table notes
} >page
cat page
[ -z "$write" ] || cp page "$here/GUARD.md"
[ $code -eq 0 ] || echo "slower than $base in every pair: see the table above"
exit $code
