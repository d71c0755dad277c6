#!/usr/bin/env bash
# Builds the binaries as build.sh does, and a Python wheel around each:
#
#   bash testdata/package/wheel.sh dist                # for this machine
#   bash testdata/package/wheel.sh dist linux/arm64 darwin/arm64
#
# The wheel for this machine is installed in an environment of its own and run, as
# `banditaudit` and as `python -m banditaudit`. Needs python3, and nothing from a network.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: wheel.sh FOLDER [OS/ARCH...]"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
this=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
[ $# -gt 0 ] || set -- "$this"
"$here/build.sh" "$out" "$@"
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' "$here/../../cmd/kit/version.go")
[ -n "$version" ] || { echo "version.go names no Version"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for target in "$@"; do
  binary=$out/banditaudit-${target%/*}-${target#*/}
  [ "${target%/*}" != windows ] || binary=$binary.exe
  wheel=$(python3 "$here/wheel.py" "$binary" "$target" "$version" "$out")
  echo "$wheel"
  [ "$target" = "$this" ] || continue
  python3 -m venv "$dir/venv"
  "$dir/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
  want=$("$binary" version)
  cd "$dir"
  [ "$("$dir/venv/bin/banditaudit" version)" = "$want" ] || { echo "banditaudit of the wheel does not run"; exit 1; }
  [ "$("$dir/venv/bin/python" -m banditaudit version)" = "$want" ] || { echo "python -m banditaudit does not run"; exit 1; }
  code=0
  "$dir/venv/bin/python" -m banditaudit audit 2>"$dir/stderr" || code=$?
  [ "$code" -eq 2 ] || { echo "python -m banditaudit does not pass on exit code 2, but $code"; exit 1; }
  cd "$here"
done
