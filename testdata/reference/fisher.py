"""Tails of the hypergeometric law, and p-values of two arms' difference against
values other than 0, to 60 digits: fisher.csv.

    python3 testdata/reference/fisher.py > testdata/reference/fisher.csv

Lines: atleast,k,white,black,size,ln P(X >= k)
       box,xa,na,xb,nb,value,ln p against p_a - p_b <= value
mpmath 1.3.0.
"""

import mpmath as mp

mp.mp.dps = 60


def log_choose(n, k):
    return mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)


def at_least(k, white, black, size):
    """The tail summed from its end that falls, the other by complement."""
    lo, hi = max(0, size - black), min(white, size)

    def outward(start, stop, step):
        total = term = mp.mpf(1)
        x = start
        while x != stop:
            if step > 0:
                term *= mp.mpf((white - x) * (size - x)) / ((x + 1) * (black - size + x + 1))
            else:
                term *= mp.mpf(x * (black - size + x)) / ((white - x + 1) * (size - x + 1))
            x += step
            total += term
            if term < total * mp.mpf(10) ** -55:
                break
        return log_choose(white, start) + log_choose(black, size - start) - log_choose(white + black, size) + mp.log(total)

    if k <= lo:
        return mp.mpf(0)
    if k > white * size / (white + black):
        return outward(k, hi, 1)
    return mp.log1p(-mp.exp(outward(k - 1, lo, -1)))


def binomial_at_least(x, n, p):
    if x == 0:
        return mp.mpf(1)
    return mp.betainc(x, n - x + 1, 0, p, regularized=True)


def box(xa, na, xb, nb, value):
    """Twice the largest min of both tails along p_a - p_b = value."""
    value = mp.mpf(value)
    lo, hi = max(mp.mpf(0), value), min(mp.mpf(1), 1 + value)

    def high(p):
        return binomial_at_least(xa, na, p)

    def low(p):
        return binomial_at_least(nb - xb, nb, 1 - (p - value))

    for _ in range(190):
        mid = (lo + hi) / 2
        if high(mid) >= low(mid):
            hi = mid
        else:
            lo = mid
    return min(mp.mpf(0), mp.log(2 * min(high(hi), low(hi))))


for white, black, size in [(1, 1, 1), (5, 7, 6), (20, 1010, 30), (600, 400, 30), (3, 100000, 50000), (5000, 5000, 5000),
                           (40000, 960000, 500000), (999999, 1, 500000), (10**8, 10**9, 10**6), (50, 50, 99)]:
    lo, hi = max(0, size - black), min(white, size)
    mean = white * size // (white + black)
    total = white + black
    sd = max(1, int(mp.sqrt(mp.mpf(size * white * black * (total - size)) / (total**2 * (total - 1)))))
    ks = {lo, lo + 1, mean - 30 * sd, mean - 5 * sd, mean - sd, mean, mean + 1, mean + sd, mean + 5 * sd, mean + 30 * sd, hi - 1, hi}
    for k in sorted(ks):
        if lo <= k <= hi:
            print("atleast", k, white, black, size, mp.nstr(at_least(k, white, black, size), 20), sep=",")

for case in [(3, 10, 4, 12, "0.25"), (9, 10, 4, 12, "0.125"), (0, 30, 20, 1000, "-0.5"), (30, 30, 20, 1000, "0.5"), (25, 30, 20, 1000, "0.03125"),
             (500, 1000, 100, 1000, "0.125"), (2, 30, 0, 40, "-0.0625"), (0, 5, 5, 5, "-0.75"), (5, 5, 0, 5, "0.75"), (900, 1000, 10, 1000, "-0.25")]:
    print("box", *case, mp.nstr(box(*case), 20), sep=",")
