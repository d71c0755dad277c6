"""How often a naive test rejects what UCB gave up: five arms of mean 1/2, 500 rounds.

    python3 testdata/reference/naive.py        needs numpy; half a minute

UCB with the width sqrt(ln t / 2N) plays every arm once and then, in round t, the arm of the
largest mean plus width, ties at random. Of each run the arm with the fewest plays is tested by
an exact binomial test of 1/2, p twice the smaller tail. Printed is the share of p <= .05 with
its 95 % interval: 0.1684 +- 0.0013 of 300,000 runs. The gate of experiment E4 stands around it.
"""
from math import comb, log, sqrt
import numpy as np

RUNS, ARMS, ROUNDS = 300_000, 5, 500
rng = np.random.default_rng(7)
rows = np.arange(RUNS)
plays = np.ones((RUNS, ARMS))
sums = (rng.random((RUNS, ARMS)) < 0.5).astype(float)
for t in range(ARMS + 1, ROUNDS + 1):
    index = sums / plays + np.sqrt(log(t) / (2 * plays)) + rng.random((RUNS, ARMS)) * 1e-12
    arm = index.argmax(1)
    plays[rows, arm] += 1
    sums[rows, arm] += rng.random(RUNS) < 0.5


def rejects(n, x):
    tail = sum(comb(n, k) for k in range(min(x, n - x) + 1)) / 2**n
    return 2 * tail <= 0.05


least = plays.argmin(1)
tested, counts = np.unique(np.stack([plays[rows, least], sums[rows, least]]), axis=1, return_counts=True)
share = sum(c for (n, x), c in zip(tested.T, counts) if rejects(int(n), int(x))) / RUNS
print(f"{share:.4f} +- {1.96 * sqrt(share * (1 - share) / RUNS):.4f}")
