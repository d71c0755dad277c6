"""Reference values of package plan, from the definitions, with mpmath.

    python3 testdata/reference/plan.py > testdata/reference/plan.csv

mpmath 1.3.0. Nothing here is the closed form that Go uses where there is another
way: the limits are found by bisection of the bounds, the published correction by
a search over beta, z by the inverse of erfc.
"""
from mpmath import mp, mpf, log, sqrt, tanh, exp, erfinv, inf

mp.dps = 40


def corrected(p, sigma):
    d = sqrt(2 * log(1 / p)) - sigma
    return exp(-d * d / 2) if d > 0 else mpf(1)


def published(p, eps, n):
    """min over beta of beta + e^k p, Theorem 20 of Dwork et al. 2015."""
    def value(t):
        beta = exp(-t)
        return beta + exp(eps**2 * n / 2 + eps * sqrt(n * log(2 / beta) / 2)) * p
    grid = [mpf(i) / 100 for i in range(1, 6000)]
    best = min(grid, key=value)
    lo, hi = best - mpf(1) / 100, best + mpf(1) / 100
    for _ in range(200):
        a, b = lo + (hi - lo) / 3, hi - (hi - lo) / 3
        if value(a) < value(b):
            hi = b
        else:
            lo = a
    return min(mpf(1), value((lo + hi) / 2))


def two_sided(level):
    return sqrt(2) * erfinv(1 - level)


def level(alpha, sigma):
    """The largest raw p that is corrected to alpha, by bisection of ln p."""
    lo, hi = mpf(-5000), log(alpha)
    for _ in range(140):
        mid = (lo + hi) / 2
        if corrected(exp(mid), sigma) <= alpha:
            lo = mid
        else:
            hi = mid
    return exp(lo)


def turn(wrong, hi=mpf(10)):
    """The largest eps at which wrong is still false."""
    lo = mpf(0)
    for _ in range(140):
        mid = (lo + hi) / 2
        if wrong(mid):
            hi = mid
        else:
            lo = mid
    return lo


def line(*fields):
    print(",".join(f if isinstance(f, str) else mp.nstr(mpf(f), 18, min_fixed=-inf, max_fixed=inf) for f in fields))


for eps, n, p, alpha in [("0.1", 100, "0.05", "0.05"), ("0.05", 500, "0.01", "0.05"), ("0.002", 100000, "0.05", "0.01"), ("0.0447", 500, "0.001", "0.1")]:
    eps, p, alpha = mpf(float(eps)), mpf(float(p)), mpf(float(alpha))
    sigma = eps * sqrt(mpf(n)) / 2
    line("point", eps, n, p, alpha, tanh(eps / 4), exp(eps) - 1, sigma, corrected(p, sigma), published(p, eps, n), two_sided(level(alpha, sigma)))
for b in ["0.001", "0.02", "0.5"]:
    b = mpf(float(b))
    line("bias", b, turn(lambda e: tanh(e / 4) > b))
for n, p, f in [(100, "0.05", "3"), (20000, "0.05", "1.5"), (500, "0.001", "20")]:
    p, f = mpf(float(p)), mpf(float(f))
    line("inflation", n, p, f, turn(lambda e: corrected(p, e * sqrt(mpf(n)) / 2) > f * p))
