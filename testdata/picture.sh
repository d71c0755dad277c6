#!/bin/sh
# Makes testdata/picture.png again, the first screen of the report of the README's
# first command: sh testdata/picture.sh, with Chromium in CHROMIUM (default: chromium).
set -eu
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go run ./cmd/banditaudit audit -q -p testdata/homepage/protocol.yaml -o "$out/out" testdata/homepage/log
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
  --window-size=1120,760 --screenshot="$PWD/testdata/picture.png" "file://$out/out/report.html"
