#!/bin/sh
# Keeps a small bundle of the present version, which later versions must read:
# sh testdata/bundles/make.sh. A bundle of an earlier version is never made again.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/" ./cmd/banditaudit ./cmd/banditlab
version=$("$work/banditaudit" --version | sed 's/^banditaudit \([0-9.]*\).*/\1/')
"$work/banditlab" simulate -q --policy ucb --counter hybrid --epsilon 0.5 --means 0.5,0.3 --rounds 200 --repeat 2 --seed 1 --log released -o "$work/sim"
cd / # which run.json names
"$work/banditaudit" audit -q --fail-on never -p "$work/sim/protocol.yaml" -o "$work/out" "$work/sim/log"
cd "$OLDPWD"
rm -rf "testdata/bundles/$version"
cp -R "$work/out" "testdata/bundles/$version"
