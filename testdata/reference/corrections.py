"""References of the corrections in analyze/stat/maxinfo, from other methods.

Made with Python 3.11.7, mpmath 1.3.0, numpy 2.4.6 and scipy 1.17.1:

    python3 corrections.py > corrections.csv

moments,lnp,c1,n1,c2,n2,ln p_corr      the one-dimensional search, 60 digits
anylaw,lnp,E,ln p_corr                 the shift of the log-odds
information,lnp,I,ln p_corr            the inverse of kl by bisection
psi,z,value                            e^z(z-1)+1
approximate,lnp,eps,delta,n,ln p_corr  scipy's minimum over the three parameters
grid,parts,lnp,c1,n1,c2,n2,ln p_corr   the outer grid, its ends far away
program,lnp,c1,...,c4,ln q             a linear program: the largest posterior
    probability of an event of prior probability p over all g with coordinate
    ratios at most e^c_t; rows of cost 0 are not there. The law of the rows is
    a product of bits; events and laws are tried at random and q is the largest.
"""
import itertools
import math

import mpmath as mp
import numpy as np
from scipy.optimize import linprog, minimize

mp.mp.dps = 60


def f(text):
    return mp.mpf(float(text))


def show(kind, *values):
    print(",".join([kind, *(v if isinstance(v, str) else mp.nstr(mp.mpf(v), 20) for v in values)]), flush=True)


def golden(g, lo, hi, steps=220):
    r = (mp.sqrt(5) - 1) / 2
    for _ in range(steps):
        a, b = hi - r * (hi - lo), lo + r * (hi - lo)
        if g(a) < g(b):
            hi = b
        else:
            lo = a
    return (lo + hi) / 2


def moments(lp, levels):
    def K(x, c):
        return x * mp.log(mp.sinh(x * c / 2) / (x * c / 2))

    def g(a):
        alpha = 1 + mp.exp(a)
        s = sum(n * (K(alpha, c) - K(alpha - 1, c) - K(mp.mpf(1), c)) for c, n in levels if n)
        return (1 - 1 / alpha) * lp + s / alpha

    return min(mp.mpf(0), g(golden(g, mp.mpf(-20), mp.mpf(30))))


def recursion(parts, lp, levels):
    """W from x = -3000 h to 3000 h, cheap rows first; 1 left, the last right."""
    top = max(c for c, n in levels if n)
    h = top / parts
    lo, hi = -3000, 3000
    w = np.array([-math.expm1(min(0.0, i * h)) for i in range(lo, hi + 1)])
    rows = 0
    for c, n in sorted(levels):
        if not n:
            continue
        k = math.ceil(c / h - 1e-9) + 1
        u = np.arange(k + 1)
        q = -np.expm1((u - k) * h) / -np.expm1(-k * h)
        for _ in range(n):
            rows += 1
            pad = np.concatenate([np.ones(k), w, np.full(k, w[-1])])
            best = np.zeros_like(w)
            for j in range(k + 1):
                a = pad[k - j:k - j + len(w)]
                b = pad[2 * k - j:2 * k - j + len(w)]
                best = np.maximum(best, q[j] * a + (1 - q[j]) * b)
            w = best
    x = np.arange(lo, hi + 1) * h
    return math.log(min(1.0, np.min(np.exp(x + lp) + w + rows * 2.0 ** -50)))


def approximate(lp, eps, delta, n):
    def g(v):
        et, b, d = eps + math.exp(v[0]), -math.exp(v[1]), math.exp(v[2])
        dd = delta / -math.expm1(eps - et)
        drift = n * (math.exp(et) * (et - 1) + 1) if et > 1e-3 else n * (et**2 / 2 + et**3 / 3 + et**4 / 8)
        k = drift + d + et * math.sqrt(-2 * n * b)
        mass = math.log(n * (1 + math.exp(-et)) * (1 + 1 / d) * dd)
        return np.logaddexp(np.logaddexp(b, mass), k + lp)

    best = 0.0
    for s in (-12, -8, -5, -3, -1):
        for b in (0, 1.5, 3):
            for d in (-6, -3, 0, 2):
                x = np.array([s, b, d], float)
                for _ in range(4):
                    try:
                        r = minimize(g, x, method="Nelder-Mead", options=dict(xatol=1e-11, fatol=1e-15, maxiter=8000))
                    except OverflowError:
                        break
                    x = r.x
                    best = min(best, r.fun)
    return best


def program(costs, masses, event):
    """max E[g 1_O] over g >= 0 with E g = 1 and coordinate ratios <= e^c."""
    n = len(costs)
    points = list(itertools.product((0, 1), repeat=n))
    prior = np.array([np.prod([m if b else 1 - m for m, b in zip(masses, p)]) for p in points])
    rows = []
    for i, p in enumerate(points):
        for t in range(n):
            j = points.index(p[:t] + (1 - p[t],) + p[t + 1:])
            row = np.zeros(len(points))
            row[i], row[j] = 1, -math.exp(costs[t])
            rows.append(row)
    hit = np.array([1.0 if p in event else 0.0 for p in points])
    r = linprog(-(prior * hit), A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=[prior], b_eq=[1], method="highs")
    return float(prior @ hit), -r.fun


for lp, c1, n1, c2, n2 in [
    ("-2.995732273553991", "1", "4", "0", "0"),
    ("-2.995732273553991", "0.05", "500", "0", "0"),
    ("-4.605170185988091", "0.1", "100", "1", "3"),
    ("-6.907755278982137", "2", "5", "0.3", "7"),
    ("-40", "5", "3", "0.01", "2000"),
    ("-5000", "0.5", "200", "1", "100"),
    ("-5000", "1e-6", "1", "0", "0"),
    ("-30", "1e-5", "1000000000", "0", "0"),
    ("-700", "0.001", "1000000000", "0.5", "20"),
]:
    show("moments", lp, c1, n1, c2, n2, moments(f(lp), [(f(c1), int(n1)), (f(c2), int(n2))]))

for lp in "-1e-9 -0.1 -0.6931471805599453 -2.995732273553991 -50 -5000".split():
    for e in "1e-12 0.1 1 30 4000".split():
        p, E = mp.exp(f(lp)), f(e)
        mp.mp.dps = 4600
        p = mp.exp(f(lp))
        q = mp.log(mp.exp(E) * p / (1 + mp.expm1(E) * p))
        mp.mp.dps = 60
        show("anylaw", lp, e, q)

for lp in "-0.01 -2.995732273553991 -4.605170185988091 -50 -700 -5000".split():
    for i in "1e-6 0.01 0.125 3".split():
        mp.mp.dps = 2400
        L, I = f(lp), f(i)
        p = mp.exp(L)
        lo, hi = L, mp.mpf(0)
        if -L <= I:
            lo = hi
        for _ in range(160):
            mid = (lo + hi) / 2
            q = mp.exp(mid)
            if q == 1 or q * (mid - L) + (1 - q) * (mp.log1p(-q) - mp.log1p(-p)) <= I:
                lo = mid
            else:
                hi = mid
        mp.mp.dps = 60
        show("information", lp, i, lo)

for z in "1e-9 0.001 0.06 0.5 0.999 1 3".split():
    show("psi", z, mp.exp(f(z)) * (f(z) - 1) + 1)

for lp, e, d, n in [
    ("-12", "0.05", "1e-8", "500"),
    ("-20", "0.05", "1e-12", "500"),
    ("-9", "0.01", "1e-9", "1000"),
    ("-60", "0.1", "1e-15", "2000"),
    ("-6.907755278982137", "0.005", "1e-9", "100"),
]:
    show("approximate", lp, e, d, n, approximate(float(lp), float(e), float(d), int(n)))

for m, lp, c1, n1, c2, n2 in [
    ("7", "-2.995732273553991", "1", "5", "0", "0"),
    ("16", "-4.605170185988091", "0.5", "12", "0.13", "5"),
    ("9", "-1", "2", "3", "0.01", "10"),
    ("20", "-9", "0.3", "40", "0.31", "2"),
    ("5", "-0.2", "0.7", "2", "0.2", "1"),
]:
    show("grid", m, lp, c1, n1, c2, n2, recursion(int(m), float(lp), [(float(c1), int(n1)), (float(c2), int(n2))]))

rng = np.random.default_rng(20260101)
for costs in [(0.5,), (2.0,), (1.0, 1.0), (0.3, 1.5), (1.0, 1.0, 1.0), (0.2, 0.7, 2.0), (0.5,) * 4, (1.0,) * 4]:
    n = len(costs)
    points = list(itertools.product((0, 1), repeat=n))
    worst = {}
    for trial in range(120):
        # Near 1/(1 + e^(c/2)) a row's shift is largest.
        masses = [min(0.95, max(0.02, 1 / (1 + math.exp(c / 2)) + (0 if trial % 2 else rng.uniform(-0.35, 0.35)))) for c in costs]
        if trial % 3:
            score = {p: sum(c * b for c, b in zip(costs, p)) + 1e-9 * rng.random() for p in points}
            order = sorted(points, key=lambda p: -score[p])
            event = set(order[: rng.integers(1, len(points))])
        else:
            event = {p for p in points if rng.random() < 0.5} or {points[0]}
        p, q = program(costs, masses, event)
        key = round(math.log(p), 0)
        gain = math.log(q / (1 - q) * (1 - p) / p) if q < 1 and p < 1 else 0
        if key not in worst or gain > worst[key][2]:
            worst[key] = (p, q, gain)
    for key in sorted(worst):
        p, q, _ = worst[key]
        if p < 1:
            show("program", math.log(p), *map(str, costs + (0.0,) * (4 - n)), math.log(q))
