"""NIST's polynomial data sets in exact and in 80-digit arithmetic.

Made with Python 3.11.7 and mpmath 1.3.0:

    python3 regress_nist.py > regress_nist.csv

First the certified values of ../nist/certified.csv are computed again with
exact fractions of the decimals (a mistake in the data shows there: the command
fails if fewer than 13 digits agree). Then the fit is made to the columns as a
program holds them: decimals and powers rounded to float64, x^k = x^(k-1)*x.
Model and quantity names are those of the other reference files.
"""
import sys
from fractions import Fraction

import mpmath as mp

mp.mp.dps = 80
DEGREE = {"norris": 1, "noint1": 1, "noint2": 1, "filip": 10, **{f"wampler{i}": 5 for i in range(1, 6)}}


def read(name):
    lines = [l.strip() for l in open(f"../nist/{name}.csv") if l.strip() and not l.startswith("#")]
    return [l.split(",") for l in lines[1:]]


def solve(a, b):
    """Gauss elimination with exact fractions: a^-1 and a^-1*b."""
    k = len(a)
    m = [row[:] + [b[i]] + [Fraction(int(i == j)) for j in range(k)] for i, row in enumerate(a)]
    for i in range(k):
        p = next(r for r in range(i, k) if m[r][i] != 0)
        m[i], m[p] = m[p], m[i]
        m[i] = [v / m[i][i] for v in m[i]]
        for r in range(k):
            if r != i and m[r][i] != 0:
                f = m[r][i]
                m[r] = [u - f * v for u, v in zip(m[r], m[i])]
    return [row[k] for row in m], [row[k + 1:] for row in m]


def fit(x, y, names, raw):
    """x: rows of exact fractions."""
    n, k = len(x), len(x[0])
    a = [[sum(r[i] * r[j] for r in x) for j in range(k)] for i in range(k)]
    b, inv = solve(a, [sum(r[i] * v for r, v in zip(x, y)) for i in range(k)])
    e = [v - sum(p * q for p, q in zip(r, b)) for r, v in zip(x, y)]
    rss = sum(v * v for v in e)
    mean = 0 if raw else sum(y) / n
    tss = sum((v - mean) ** 2 for v in y)
    s2 = rss / (n - k)
    sq = lambda f: mp.sqrt(mp.mpf(f.numerator) / f.denominator)
    out = {("estimate", nm): mp.mpf(v.numerator) / v.denominator for nm, v in zip(names, b)}
    out |= {("std_error", nm): sq(s2 * inv[i][i]) for i, nm in enumerate(names)}
    out["residual_sd", ""], out["rss", ""] = sq(s2), mp.mpf(rss.numerator) / rss.denominator
    r2 = 1 - rss / tss
    out["r_squared", ""] = mp.mpf(r2.numerator) / r2.denominator
    if rss:
        f = (tss - rss) / (k if raw else k - 1) / s2
        out["f_statistic", ""] = mp.mpf(f.numerator) / f.denominator
    h = [sum(r[i] * sum(inv[i][j] * r[j] for j in range(k)) for i in range(k)) for r in x]
    out["max_leverage", ""] = mp.mpf(max(h).numerator) / max(h).denominator
    for kind, f in [("HC0", lambda v: 1), ("HC3", lambda v: (1 - v) ** -2)]:
        for i, nm in enumerate(names):
            w = [sum(inv[i][j] * r[j] for j in range(k)) for r in x]
            out[kind, nm] = sq(sum(a * a * c * c * f(v) for a, c, v in zip(w, e, h)))
    return out


certified = [l.strip().split(",") for l in open("../nist/certified.csv") if not l.startswith("#")][1:]
for name, degree in DEGREE.items():
    raw = name.startswith("noint")
    data = read(name)
    powers = range(1 if raw else 0, degree + 1)
    names = ["(intercept)" if k == 0 else "x" if k == 1 else f"x^{k}" for k in powers]
    model = name + ("/raw" if raw else "")
    exact = fit([[Fraction(r[1]) ** k for k in powers] for r in data], [Fraction(r[0]) for r in data], names, raw)
    for m, quantity, column, value in certified:
        if m == model:
            got, want = exact[quantity, column], mp.mpf(value)
            if abs(got - want) > abs(want) * mp.mpf("1e-13"):
                sys.exit(f"{m} {quantity} {column}: certified {value}, exact {mp.nstr(got, 17)}")
    if name in ("filip", "wampler3", "wampler4", "wampler5"):
        rows = []
        for r in data:
            x, row = float(r[1]), [1.0]
            for _ in range(degree):
                row.append(row[-1] * x)
            rows.append([Fraction(v) for v in row])
        for (quantity, column), v in fit(rows, [Fraction(float(r[0])) for r in data], names, raw).items():
            print(f"{model},{quantity},{column},{mp.nstr(v, 20)}")
