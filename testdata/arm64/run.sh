#!/usr/bin/env bash
# Sets results on arm64, under qemu-user, beside those of the machine that runs this: see
# testdata/same.sh. Installs qemu-user by apt-get where it is not there.
#
#     testdata/arm64/run.sh [--write]       # --write: into OUTPUT.md beside it
#
# Exit code 0 also where something differs, which is told; 3 where qemu cannot be had.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v qemu-aarch64 >/dev/null || apt-get install -y -q --no-install-recommends qemu-user >/dev/null || exit 3
builds=$(mktemp -d)
trap 'rm -rf "$builds"' EXIT
go build -o "$builds/here" ./cmd/banditaudit
go build -o "$builds/here-lab" ./cmd/banditlab
GOARCH=arm64 go build -o "$builds/arm64" ./cmd/banditaudit
GOARCH=arm64 go build -o "$builds/arm64-lab" ./cmd/banditlab
status=0
different=$(testdata/same.sh "$builds/here" qemu-aarch64 "$builds/arm64") || status=$?
[ "$status" -le 1 ] || exit "$status"
page=$(
  cat <<END
# Results on arm64

Written by \`testdata/arm64/run.sh --write\` on $(date -u +%F), commit $(git rev-parse --short HEAD), $(go version | cut -d' ' -f3),
$(go env GOARCH) beside arm64 under $(qemu-aarch64 --version | head -n 1). Tried, not promised: functions of Go's
standard library (math.Log, math.Log1p, math.Lgamma, math.Erfinv) are fused there.

\`one\` was written here, \`other\` on arm64: \`homepage\` is the bundle of the homepage log, \`simulated\` a
log with contexts as both simulate it, \`contexts\` the bundle of the first such log.

    ${different:-nothing differs}
END
)
page=${page//$'\n'Files /$'\n'    Files }
printf '%s\n' "$page"
if [ "${1-}" = --write ]; then printf '%s\n' "$page" >testdata/arm64/OUTPUT.md; fi
