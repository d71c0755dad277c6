#!/usr/bin/env bash
# Builds banditaudit and banditlab into a folder, static and stripped, with SHA256SUMS and the licences
# of what is linked:
#
#   bash testdata/package/build.sh dist                       # the six targets
#   bash testdata/package/build.sh dist linux/amd64 darwin/arm64
#
# The same commit and Go version give the same bytes. The commit is in `version`.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: build.sh FOLDER [OS/ARCH...]"; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
cd "$(dirname "$0")/../.."
for target in "$@"; do
  os=${target%/*} arch=${target#*/} exe=
  [ "$os" != windows ] || exe=.exe
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -buildvcs=auto -trimpath -ldflags '-s -w' -o "$out/banditaudit-$os-$arch$exe" ./cmd/banditaudit
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -buildvcs=auto -trimpath -ldflags '-s -w' -o "$out/banditlab-$os-$arch$exe" ./cmd/banditlab
done
cp THIRD_PARTY_NOTICES "$out"
cd "$out"
if command -v sha256sum >/dev/null; then sha256sum bandit*-*-*; else shasum -a 256 bandit*-*-*; fi >SHA256SUMS
