#!/bin/sh
# Makes PAPER.md, PAPER.json and figures/ beside this script: the experiments of
# the paper at full size, dated, with the command. From the root of the module:
#
#     sh testdata/reproduce/paper.sh
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/banditlab" ./cmd/banditlab
/usr/bin/env bash -c "TIMEFORMAT='%R s, %U s of them in the program on all processors'; time '$work/banditlab' reproduce -o '$work/out' all" >"$work/table" 2>"$work/time"
cat "$work/table"
here=testdata/reproduce
{
	printf '<!-- Made by testdata/reproduce/paper.sh on %s with\n\n    banditlab reproduce -o DIR all\n\nin %s -->\n\n' "$(date -u +%Y-%m-%d)" "$(tail -1 "$work/time")"
	cat "$work/out/reproduce.md"
} >"$here/PAPER.md"
cp "$work/out/reproduce.json" "$here/PAPER.json"
rm -rf "$here/figures"
cp -r "$work/out/figures" "$here/figures"
