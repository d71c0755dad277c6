"""Positions and arms of units by the library growthbook 4.0.0 (PyPI), as ingest/hashassign computes them.

    pip install growthbook==4.0.0
    python growthbook_hash.py > growthbook_hash.csv
"""
import csv
import sys

from growthbook.core import chooseVariation, gbhash, getBucketRanges

SEEDS = ["", "experiment-1", "é"]
UNITS = ["a", "user-1", "user-2", "", "ü", "naïve user", "日本", "😀", "0", "7", "-7", "42", "9007199254740993", "user@example.com"]
UNITS += [str(n) for n in range(1000, 1020)]
WEIGHTS = [[0.5, 0.3, 0.2], [0.333333, 0.333333, 0.333334], [0.1, 0.2, 0.7], [0.0, 1.0, 0.0]]


def main():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["version", "seed", "unit", "position", "weights", "coverage", "arm"])
    for version, steps in ((1, 1000), (2, 10000)):
        for seed in SEEDS:
            for unit in UNITS:
                at = gbhash(seed, unit, version)
                for weights in WEIGHTS:
                    for coverage in (1, 0.5):
                        arm = chooseVariation(at, getBucketRanges(len(weights), coverage, weights))
                        out.writerow([version, seed, unit, round(at * steps), " ".join(map(repr, weights)), coverage, arm])


main()
