"""Reference values of Thompson sampling that plays one of the best two.

    python3 top_two.py > top_two.csv    # some minutes; Python 3.11, mpmath 1.3.0, numpy, scipy as in thompson.py

gaussian,K,means,sds,P   and   beta,K,alphas,betas,P: the probability that arm i is the largest
or the second of independent laws, halved: the sum over j of the integral of f_i (1 - F_j) times
the product of the other F, on the panels of thompson.py beside it. Those of each case add up to
1 within 1e-12, or the script stops.

whole,K,alphas,betas,P: the same of Beta laws of whole numbers, exact rational integrals of
polynomials, rounded.
"""
import csv
import math
import sys
from fractions import Fraction

import numpy as np

import thompson


def of_two(points, density, cdf, k):
    p = [0.0] * k
    points = sorted(set(points))
    for lo, hi in zip(points, points[1:]):
        half, mid = (hi - lo) / 2, (hi + lo) / 2
        u = mid + half * thompson.X
        F = np.array([cdf(j, u) for j in range(k)])
        for i in range(k):
            f = np.array([float(density(i, thompson.mp.mpf(v))) for v in u])
            others = np.delete(F, i, axis=0)
            w = np.prod(others, axis=0) + sum((1 - others[j]) * np.prod(np.delete(others, j, axis=0), axis=0) for j in range(k - 1))
            p[i] += float(np.sum(thompson.W * half * f * w)) / 2
    total = math.fsum(p)
    assert abs(total - 1) < 1e-12, total
    return p



def times(p, q):
    """The product of two polynomials, lists of coefficients."""
    out = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, v in enumerate(p):
        for j, w in enumerate(q):
            out[i + j] += v * w
    return out


def whole(al, be):
    """Half the probability to be among the largest two, by polynomials in theta."""
    density, cdf, above = [], [], []
    for a, b in zip(al, be):
        norm = Fraction(math.factorial(a + b - 1), math.factorial(a - 1) * math.factorial(b - 1))
        f = [Fraction(0)] * (a - 1) + [norm * math.comb(b - 1, j) * (-1) ** j for j in range(b)]
        density.append(f)
        cdf.append([Fraction(0)] + [v / (i + 1) for i, v in enumerate(f)])
        above.append([1 - cdf[-1][0]] + [-v for v in cdf[-1][1:]])
    p = []
    for i, f in enumerate(density):
        none, one = [Fraction(1)], [Fraction(0)]
        for j in range(len(al)):
            if j != i:
                more = times(none, above[j])
                one = [v + w for v, w in zip(times(one, cdf[j]) + [Fraction(0)] * len(more), more)]
                none = times(none, cdf[j])
        two = [v + w for v, w in zip(one + [Fraction(0)] * len(none), none)]
        p.append(sum(v / (k + 1) for k, v in enumerate(times(f, two))) / 2)
    assert sum(p) == 1, sum(p)
    return [float(v) for v in p]


def gaussian(mean, sd):
    k = len(mean)
    points = [m + s * z for m, s in zip(mean, sd) for z in np.arange(-8.5, 8.51, 1.0)]
    return of_two(
        points,
        lambda i, u: thompson.mp.exp(-((u - mean[i]) / sd[i]) ** 2 / 2) / (thompson.mp.sqrt(2 * thompson.mp.pi) * sd[i]),
        lambda j, u: thompson.special.ndtr((u - mean[j]) / sd[j]),
        k,
    )


def beta(al, be):
    points = [u for a, b in zip(al, be) for u in thompson.logits(a, b)[0]]
    norm = [thompson.mp.log(thompson.mp.beta(a, b)) for a, b in zip(al, be)]
    return of_two(
        points,
        lambda i, u: thompson.mp.exp(al[i] * u - (al[i] + be[i]) * thompson.mp.log1p(thompson.mp.exp(u)) - norm[i]),
        lambda j, u: thompson.betacdf(al[j], be[j], u),
        len(al),
    )


def main():
    rng = np.random.default_rng(20251)
    rows = []
    cases = [([0, 0], [1, 1]), ([0, 5, 9], [1, 1, 1]), ([0.5, 0.5, 0.5], [0.1, 0.01, 0.001]), ([0, 1, 2, 3, -1], [1, 2, 0.05, 5, 0.01]), ([0.2, 0.3, 0.4], [1e-2, 1e-2, 1e-2]), ([0] * 8, [1] * 8)]
    for k in (3, 4, 6, 12):
        cases.append((list(np.round(rng.uniform(size=k), 6)), list(np.round(rng.uniform(0.02, 0.3, k), 6))))
    for m, s in cases:
        rows.append(["gaussian", len(m), *map(float, m), *map(float, s), *gaussian(m, s)])
    cases = [([1] * 5, [1] * 5), ([0.5] * 3, [2] * 3), ([40, 52, 61, 12, 3], [60, 58, 49, 8, 2]), ([301, 150, 40], [700, 850, 960]), ([0.3, 20.7, 4], [5.2, 0.9, 4])]
    for k in (3, 4, 6, 12):
        n = np.floor(10 ** rng.uniform(0, 4, k))
        s = np.round(n * rng.uniform(0.3, 0.6, k), 3)
        cases.append((list(1 + s), list(1 + n - s)))
    for a, b in cases:
        rows.append(["beta", len(a), *map(float, a), *map(float, b), *beta([float(v) for v in a], [float(v) for v in b])])
    for a, b in [
        ([1, 2, 1], [1, 1, 3]), ([4, 1, 2], [2, 5, 2]), ([9, 14, 3], [8, 6, 5]), ([30, 22, 41], [28, 25, 30]),
        ([1, 2, 1, 3, 2], [2, 1, 1, 2, 4]), ([5, 7, 4, 9, 1], [8, 6, 9, 5, 2]), ([12, 9, 15, 3, 20], [10, 14, 11, 9, 17]),
        ([1] * 10, [1] * 10), ([2, 1, 3, 1, 2, 4, 1, 2, 3, 1], [1, 3, 2, 2, 1, 3, 1, 4, 2, 5]), ([8, 5, 3, 6, 4, 9, 2, 7, 5, 3], [4, 6, 8, 5, 7, 3, 9, 4, 6, 8]),
    ]:
        rows.append(["whole", len(a), *map(float, a), *map(float, b), *whole(a, b)])
    out = csv.writer(sys.stdout, lineterminator="\n")
    for r in rows:
        out.writerow([v if isinstance(v, str) else repr(float(v)) for v in r])


if __name__ == "__main__":
    main()
