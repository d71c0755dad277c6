"""Reference values of replay/policy's Thompson sampling.

    python3 thompson.py > thompson.csv    # three minutes; Python 3.11, mpmath 1.3.0, numpy 2.4.6, scipy 1.17.1

gaussian,K,means,sds,P         P(arm i is the largest) for normal laws
beta,K,alphas,betas,P          the same for Beta laws
beta2,a,b,c,d,P                P(Beta(a,b) > Beta(c,d)) for whole numbers, exact rational sum, rounded
normal | gamma,shape | beta_logit,a,b: then 99 quantiles at 1 % ... 99 % (of ln G for gamma, of the logit for beta)

Integrals are sums over Gauss-Legendre panels of 40 points between all of the
laws' own break points (quantiles of a normal law of the same mean and spread,
and the exponential tails of a Beta law's logit). Densities have 30 digits;
distribution functions are scipy's. The probabilities of each case add up to 1
within 1e-12, or the script stops.
"""
import csv
import math
import sys
from fractions import Fraction

import mpmath as mp
import numpy as np
from scipy import special, stats

mp.mp.dps = 30
X, W = np.polynomial.legendre.leggauss(40)


def integrate(points, density, cdf, k):
    """P(i is the largest): the sum over panels between points."""
    p = [0.0] * k
    points = sorted(set(points))
    for lo, hi in zip(points, points[1:]):
        half, mid = (hi - lo) / 2, (hi + lo) / 2
        u = mid + half * X
        F = np.array([cdf(j, u) for j in range(k)])
        for i in range(k):
            f = np.array([float(density(i, mp.mpf(v))) for v in u])
            p[i] += float(np.sum(W * half * f * np.prod(np.delete(F, i, axis=0), axis=0)))
    total = math.fsum(p)
    assert abs(total - 1) < 1e-12, total
    return p


def gaussian(mean, sd):
    k = len(mean)
    points = [m + s * z for m, s in zip(mean, sd) for z in np.arange(-8.5, 8.51, 1.0)]
    lo = max(m - 8.5 * s for m, s in zip(mean, sd))
    hi = max(m + 8.5 * s for m, s in zip(mean, sd))
    points = [u for u in points if lo <= u <= hi] + [lo, hi]
    return integrate(
        points,
        lambda i, u: mp.exp(-((u - mean[i]) / sd[i]) ** 2 / 2) / (mp.sqrt(2 * mp.pi) * sd[i]),
        lambda j, u: special.ndtr((u - mean[j]) / sd[j]),
        k,
    )


def logits(a, b):
    """Break points of the logit of a Beta(a, b) variable."""
    mode, s = math.log(a / b), math.sqrt((a + b) / (a * b))
    left, right = 8 * s + 32 / a, 8 * s + 32 / b
    inner = [mode + s * z for z in np.arange(-10, 10.1, 1.0) if -left < s * z < right]
    outer = [mode - left * z for z in np.linspace(0, 1, 30)] + [mode + right * z for z in np.linspace(0, 1, 30)]
    near = [float(z) for z in range(-40, 41, 2) if mode - left < z < mode + right]
    return inner + outer + near, mode - left, mode + right


def betacdf(a, b, u):
    x, y = special.expit(u), special.expit(-u)
    F = np.where(u < 0, special.betainc(a, b, x), special.betaincc(b, a, y))
    far = float(mp.log(a * mp.beta(a, b)))
    F = np.where(u < -600, np.exp(np.minimum(0, a * u - far)), F)
    up = float(mp.log(b * mp.beta(a, b)))
    return np.where(u > 600, 1 - np.exp(np.minimum(0, -b * u - up)), F)


def beta(al, be):
    k = len(al)
    cut = [logits(a, b) for a, b in zip(al, be)]
    lo, hi = max(c[1] for c in cut), max(c[2] for c in cut)
    points = [u for c in cut for u in c[0] if lo <= u <= hi] + [lo, hi]
    norm = [mp.log(mp.beta(a, b)) for a, b in zip(al, be)]
    return integrate(
        points,
        lambda i, u: mp.exp(al[i] * u - (al[i] + be[i]) * mp.log1p(mp.exp(u)) - norm[i]),
        lambda j, u: betacdf(al[j], be[j], u),
        k,
    )


def beta2(a, b, c, d):
    """Sum over i < a of B(c+i, b+d) / ((b+i) B(1+i, b) B(c, d)) is P(X > Y)."""

    def B(p, q):
        return Fraction(math.factorial(p - 1) * math.factorial(q - 1), math.factorial(p + q - 1))

    return sum(B(c + i, b + d) / ((b + i) * B(1 + i, b) * B(c, d)) for i in range(a))


def main():
    rng = np.random.default_rng(20181)
    rows = []
    cases = [
        ([0, 0], [1, 1]), ([0, 1], [1, 2]), ([0, 1], [1, 1e-3]), ([0, 5], [1, 1]), ([0, 9], [1, 1]),
        ([0.5, 0.5, 0.5], [0.1, 0.01, 0.0001]), ([0, 1, 2, 3, -1], [1, 2, 0.01, 5, 1e-6]),
        ([0.2, 0.3, 0.4], [1e-4, 1e-4, 1e-4]), ([0] * 20, [1] * 20), ([0] * 20, [10.0 ** -i for i in range(20)]),
        ([i / 10 for i in range(10)], [1.0] * 10), ([0, 1e-3, 0.5], [1e-3, 1e-6, 0.25]),
        ([1000.0, 1000.5], [0.25, 0.5]), ([-3, -2], [1e4, 1]),
    ]
    for k in (2, 3, 4, 5, 7, 10, 15, 20):
        cases.append((list(np.round(rng.normal(size=k), 6)), list(np.round(10 ** rng.uniform(-3, 1, k), 6))))
        cases.append((list(np.round(rng.uniform(size=k), 6)), list(np.round(rng.uniform(0.02, 0.3, k), 6))))
    cases += [
        ([0] * 50, [1] * 50), ([0] * 20 + [0.5] * 15 + [1] * 14 + [1.5], [1] * 20 + [0.5] * 15 + [0.25] * 14 + [0.02]),
        ([1.068, -6.429], [1.1333, 2.3415]),
    ]
    for m, s in cases:
        rows.append(["gaussian", len(m), *map(float, m), *map(float, s), *gaussian(m, s)])
    cases = [
        ([1, 1], [1, 1]), ([1] * 5, [1] * 5), ([1] * 20, [1] * 20), ([0.5] * 3, [0.5] * 3), ([0.01, 0.01], [0.01, 0.01]),
        ([0.1, 2], [0.2, 3]), ([0.001, 1], [0.001, 1]), ([1e-3, 1e-2, 0.1, 1], [1, 0.1, 1e-2, 1e-3]),
        ([1e6 + 1, 1], [1, 1]), ([1, 1e6 + 1], [1, 1]), ([1, 1], [1e6 + 1, 2]), ([500001, 2], [500001, 1]),
        ([500001, 500001.5], [500001, 500000.5]), ([500001, 500801, 50, 2, 1], [500001, 499201, 51, 1, 1]),
        ([1e9, 1e9 + 30000, 3], [1e9, 1e9 - 30000, 3]), ([1e9, 1], [1, 1]), ([1e6 + 1, 1e6 + 1], [1, 1.5]),
        ([3, 3, 3, 3, 3], [4, 4, 4, 4, 4]), ([40, 52, 61, 12, 3], [60, 58, 49, 8, 2]), ([0.3, 20.7], [5.2, 0.9]),
        ([10] * 19 + [12], [10] * 20), ([0.5] * 20, [2] * 20), ([100.25, 0.75], [3.5, 0.25]), ([1e-3, 1e6], [5, 10]),
    ]
    for k in (2, 3, 4, 5, 7, 10, 15, 20):
        n = np.floor(10 ** rng.uniform(0, 5, k))
        s = np.round(n * rng.uniform(size=k), 3)
        cases.append((list(1 + s), list(1 + n - s)))
        n = np.floor(10 ** rng.uniform(0, 3, k))
        s = np.round(n * rng.uniform(0.4, 0.6, k), 3)
        cases.append((list(0.5 + s), list(0.5 + n - s)))
    cases += [
        ([10] * 49 + [12], [10] * 50), ([0.9, 163000.5], [1.35, 1.5e9]),
        ([3] * 20 + [40.5] * 15 + [400] * 14 + [52000], [5] * 20 + [60.25] * 15 + [700] * 14 + [99000]),
    ]
    for a, b in cases:
        rows.append(["beta", len(a), *map(float, a), *map(float, b), *beta([float(v) for v in a], [float(v) for v in b])])
    for a, b, c, d in [(1, 1, 1, 1), (2, 1, 1, 2), (3, 5, 2, 7), (51, 50, 40, 61), (200, 1, 1, 3), (1, 300, 1, 2), (120, 80, 10, 9)]:
        rows.append(["beta2", a, b, c, d, float(beta2(a, b, c, d))])
    levels = np.arange(1, 100) / 100
    rows.append(["normal", *stats.norm.ppf(levels)])
    for a in (0.01, 0.3, 1, 1.5, 20, 3e5):
        rows.append(["gamma", a, *[float(mp.log(q)) if q > 1e-300 else (math.log(p) + math.lgamma(a + 1)) / a
                                   for p, q in zip(levels, special.gammaincinv(a, levels))]])
    for a, b in ((1, 1), (0.05, 0.2), (0.5, 3), (12.25, 4.5), (2001, 5001)):
        rows.append(["beta_logit", a, b, *[logit_quantile(a, b, p) for p in levels]])
    out = csv.writer(sys.stdout, lineterminator="\n")
    for r in rows:
        out.writerow([v if isinstance(v, str) else repr(float(v)) for v in r])


def logit_quantile(a, b, p):
    """The p-quantile of the logit of Beta(a, b), by bisection on its cdf."""
    lo, hi = -2000.0, 2000.0
    for _ in range(80):
        mid = (lo + hi) / 2
        if betacdf(a, b, np.array([mid]))[0] < p:
            lo = mid
        else:
            hi = mid
    return mid


if __name__ == "__main__":
    main()
