"""Answers about a log from which rows were dropped by chance: sums with 1/keep_prob, and
bets on the arm given that its row was kept, from the formula sheet's second part (23.3,
24.1, 25) and section 7 of the contract, in exact fractions and mpmath.

Run in this directory (Python 3.11, mpmath 1.3):  python3 sampled.py
Writes sampled.csv: log, quantity, arm, value, standard error.
"""

import csv
from fractions import Fraction as F

from mpmath import exp, log, mp, mpf, sqrt

mp.dps = 40

# The small log of the sheet. schedule: every fourth round is kept with 1/5, others with 3/5;
# action: rows of arms 0, 1, 2 with 1/2, 1, 4/5.
ARMS = [0, 1, 2, 0, 0, 2, 1, 2, 2, 1, 2, 0]
REWARDS = [1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1]
P = [[F(1, 3)] * 3, [F(2, 5), F(1, 5), F(2, 5)], [F(3, 10), F(1, 5), F(1, 2)], [F(1, 5), F(1, 10), F(7, 10)]]
BY_ARM = [F(1, 2), F(1), F(4, 5)]
KEEP = {
    "schedule": [F(1, 5) if t % 4 == 0 else F(3, 5) for t in range(12)],
    "action": [BY_ARM[a] for a in ARMS],
}


def mean(h, g):
    """Σhg/Σh and √Σh²(g − Q)²/Σh."""
    q = sum(x * y for x, y in zip(h, g)) / sum(h)
    v = sum((x * (y - q)) ** 2 for x, y in zip(h, g)) / sum(h) ** 2
    return mpf(q.numerator) / q.denominator, sqrt(mpf(v.numerator) / v.denominator)


def estimates(name, keep):
    weight = [1 / o for o in keep]
    for arm in range(3):
        w = [(1 / P[t // 3][arm] if a == arm else F(0)) for t, a in enumerate(ARMS)]
        yield name, "ipw", arm, *mean(weight, [x * y for x, y in zip(w, REWARDS)])
        yield name, "snipw", arm, *mean([x * y for x, y in zip(w, weight)], REWARDS)
    rho = [F(1, 3) / P[t // 3][a] for t, a in enumerate(ARMS)]
    yield name, "ips", "", *mean(weight, [x * y for x, y in zip(rho, REWARDS)])
    yield name, "snips", "", *mean([x * y for x, y in zip(rho, weight)], REWARDS)
    yield name, "gain", "", *mean(weight, [(x - 1) * y for x, y in zip(rho, REWARDS)])


def assignment(first, rewards, share):
    """p = 1/max e of 23.3, the first arm played in the rounds of first."""
    psi = [s * x for s in (1, -1) for x in (mpf(1) / 4, mpf(1) / 2, mpf(1), mpf(3) / 2)]
    won, total, n, most = [mpf(1)] * 8, mpf(0), 0, mpf(1)
    for a, y in zip(first, rewards):
        guess = (mpf(1) / 2 + total) / (1 + n)
        ell = log(guess / (1 - guess))
        for i, s in enumerate(psi):
            fa, fb = 1 / (1 + exp(-(ell + s / 2))), 1 / (1 + exp(-(ell - s / 2)))
            ga, gb = (fa if y else 1 - fa), (fb if y else 1 - fb)
            won[i] *= (ga if a else gb) / (share * ga + (1 - share) * gb)
        total, n = total + y, n + 1
        most = max(most, sum(won) / 8)
    return min(mpf(1), 1 / most)


# 90 kept rounds, p = ½, arm 0 kept with ½ and arm 1 with 1: words of the generator x → (x·1103515245 + 12345) mod 2³¹ from 1.
def words(n, x=1):
    for _ in range(n):
        x = (x * 1103515245 + 12345) % 2**31
        yield x / 2**31


of = list(words(180))
first = [u < 1 / 3 for u in of[::2]]
rewards = [int(u < (0.8 if a else 0.3)) for a, u in zip(first, of[1::2])]
r, oa, ob = mpf(1) / 2, mpf(1) / 2, mpf(1)

with open("sampled.csv", "w", newline="") as out:
    write = csv.writer(out, lineterminator="\n")
    write.writerow(["log", "quantity", "arm", "value", "error"])
    for name, keep in KEEP.items():
        for row in estimates(name, keep):
            write.writerow([*row[:3], *(mp.nstr(x, 15) for x in row[3:])])
    write.writerow(["ninety", "assignment", "", mp.nstr(assignment(first, rewards, r * oa / (r * oa + (1 - r) * ob)), 15), ""])
    write.writerow(["ninety", "undeclared", "", mp.nstr(assignment(first, rewards, r), 15), ""])
