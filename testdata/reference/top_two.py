"""Reference values of Thompson sampling that plays one of the best two.

    python3 top_two.py > top_two.csv    # some minutes; Python 3.11, mpmath 1.3.0, numpy, scipy as in thompson.py

gaussian,K,means,sds,P   and   beta,K,alphas,betas,P: the probability that arm i is the largest
or the second of independent laws, halved: the sum over j of the integral of f_i (1 - F_j) times
the product of the other F, on the panels of thompson.py beside it. Those of each case add up to
1 within 1e-12, or the script stops.
"""
import csv
import math
import sys

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
    out = csv.writer(sys.stdout, lineterminator="\n")
    for r in rows:
        out.writerow([v if isinstance(v, str) else repr(float(v)) for v in r])


if __name__ == "__main__":
    main()
