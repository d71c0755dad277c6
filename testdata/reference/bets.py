"""The evidence of sixteen fixed bets on the mean of bounded rewards, and of two arms.

Made with Python 3.11.7 and mpmath 1.3.0, at 50 digits:

    python3 bets.py

prints, in some minutes, the numbers of analyze/stat/hypothesis/bets_test.go from the products themselves:
the ends of intervals by bisection, the infimum over the mean of the second arm by a
ternary search.
"""
from collections import Counter

import mpmath as mp

mp.mp.dps = 50
THETA = [mp.expm1(mp.mpf(2) ** (j - 12)) for j in range(16)]
WEIGHT = [[mp.mpf(1) / (1 + abs(j - k)) for k in range(16)] for j in range(16)]
TOTAL = sum(map(sum, WEIGHT))


def gains(rewards):
    """ln of the gain of every bet; rewards: how often each occurs."""
    return [sum(n * mp.log(1 + t * y) for y, n in rewards.items()) for t in THETA]


def mirrored(rewards):
    return {1 - y: n for y, n in rewards.items()}


def evidence(rewards, m):
    n = sum(rewards.values())
    return mp.log(sum(mp.exp(g - n * mp.log(1 + t * m)) for g, t in zip(gains(rewards), THETA)) / 16)


def both(rewards, m):
    return mp.log((mp.exp(evidence(rewards, m)) + mp.exp(evidence(mirrored(rewards), 1 - m))) / 2)


def halved(out, kept, is_kept, rounds=60):
    if is_kept(out):
        return out
    for _ in range(rounds):
        mid = (out + kept) / 2
        if is_kept(mid):
            kept = mid
        else:
            out = mid
    return out


def interval(rewards, alpha):
    mean = sum(y * n for y, n in rewards.items()) / sum(rewards.values())
    keeps = lambda m: both(rewards, m) < -mp.log(alpha)
    return halved(mp.mpf(0), mean, keeps), halved(mp.mpf(1), mean, keeps)


def more(a, b, d):
    """The least over the mean of b of the evidence that the mean of a is more than d above it."""
    ga, gb = gains(a), gains(mirrored(b))
    na, nb = sum(a.values()), sum(b.values())

    def at(m):
        x = [mp.exp(g - na * mp.log(1 + t * (m + d))) for g, t in zip(ga, THETA)]
        y = [mp.exp(g - nb * mp.log(1 + t * (1 - m))) for g, t in zip(gb, THETA)]
        return sum(WEIGHT[j][k] * x[j] * y[k] for j in range(16) for k in range(16)) / TOTAL

    lo, hi = max(mp.mpf(0), -d), min(mp.mpf(1), 1 - d)
    for _ in range(60):
        p, q = lo + (hi - lo) / 3, hi - (hi - lo) / 3
        if at(p) < at(q):
            hi = q
        else:
            lo = p
    return mp.log(min(at(lo), at(hi), at((lo + hi) / 2)))


def difference(a, b):
    mean = lambda r: sum(y * n for y, n in r.items()) / sum(r.values())
    keeps = lambda d: mp.log((mp.exp(more(a, b, d)) + mp.exp(more(b, a, -d))) / 2) < -mp.log(mp.mpf(".05"))
    inside = mean(a) - mean(b)
    return halved(mp.mpf(-1), inside, keeps, 32), halved(mp.mpf(1), inside, keeps, 32)


def coins(s, n):
    return {y: k for y, k in ((mp.mpf(1), s), (mp.mpf(0), n - s)) if k}


def main():
    for s, n, alpha in ((0, 1, .05), (0, 50, .05), (1, 50, .05), (15, 50, .05), (700, 1000, .05), (25, 5000, .05), (250000, 500000, .05)):
        r = coins(s, n)
        print(s, n, *(mp.nstr(v, 12) for v in (*interval(r, mp.mpf(str(alpha))), evidence(r, mp.mpf(".5")), evidence(mirrored(r), mp.mpf(".5")))))
    for times in (1, 20):
        r = {mp.mpf(y): times * k for y, k in Counter(".2 .35 .5 .4 .3 .45 .25 .6 .4 .35".split()).items()}
        print("ten", times, *(mp.nstr(v, 12) for v in (*interval(r, mp.mpf(".05")), evidence(r, mp.mpf(".3")))))
    mp.mp.dps = 25
    for sa, na, sb, nb in ((60, 100, 40, 100), (300, 500, 30, 100), (500, 1000, 500, 1000), (30, 1000, 20, 1000), (1000, 20000, 1000, 30000), (0, 5, 5, 5)):
        a, b = coins(sa, na), coins(sb, nb)
        print("difference", sa, na, sb, nb, *(mp.nstr(v, 10) for v in (*difference(a, b), more(a, b, mp.mpf(0)), more(b, a, mp.mpf(0)))))


main()
