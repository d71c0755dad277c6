"""Tails of sums of Laplace variables and the laws of the tests of noise.

Made with Python 3.11.7, mpmath 1.3.0, numpy 2.4.6 and scipy 1.17.1:

    python3 noise.py > noise.csv

lattice,step,count,x,ln P(|Y|>=x): sum over the negative binomials of both signs
smooth,count,x,ln P(|Y|>=x): integral over one of two gamma variables
mixed,b1,c1,b2,c2,x,ln P(|Y|>=x): integral of the characteristic function
kolmogorov,n,d,P | gamma,m,p,lower,upper | coins,x,n,p | beta,m1,m2,x,p (two-sided)
"""
import mpmath as mp
import numpy as np
from scipy import integrate, stats

mp.mp.dps = 40


def show(kind, *values):
    print(",".join([kind, *(mp.nstr(mp.mpf(v), 17) for v in values)]))


def lattice(step, c, x):
    q = mp.exp(-mp.mpf(step))
    if x == 0:
        return mp.mpf(0)
    n = int(120 / step + 40 * c) + x
    nb = [(1 - q) ** c]
    for j in range(1, n + x + 1):
        nb.append(nb[-1] * q * (c + j - 1) / j)
    above = [mp.mpf(0)] * (n + x + 2)
    for j in range(n + x, -1, -1):
        above[j] = above[j + 1] + nb[j]
    return mp.log(2 * mp.fsum(nb[b] * above[b + x] for b in range(n)))


def smooth(c, x):
    def f(g):
        return np.exp(stats.gamma.logpdf(g, c) + stats.gamma.logsf(g + x, c) - top)

    grid = np.linspace(1e-9, c + 60 * c ** 0.5 + x + 60, 4001)
    logs = stats.gamma.logpdf(grid, c) + stats.gamma.logsf(grid + x, c)
    top, at = logs.max(), grid[logs.argmax()]
    w = 3 * c ** 0.5
    cuts = sorted({0, *(max(0, at + k * w) for k in (-8, -4, -2, -1, 0, 1, 2, 4, 8, 20))})
    return np.log(2) + top + np.log(sum(integrate.quad(f, a, b, epsabs=0, epsrel=1e-12)[0] for a, b in zip(cuts, cuts[1:])))


def mixed(b1, c1, b2, c2, x):
    phi = lambda t: (1 + (b1 * t) ** 2) ** -c1 * (1 + (b2 * t) ** 2) ** -c2
    # both sides of the cut t = 60/b2 are below 1e-17 for the laws shown
    ends = [mp.pi * k / mp.mpf(x) for k in range(int(60 * x / mp.pi) + 2)]
    return mp.log(1 - 2 / mp.pi * mp.quad(lambda t: mp.sin(t * x) / t * phi(t) if t else mp.mpf(x), ends))


for step in ("0.01", "0.5", "3"):
    for c in (1, 2, 3, 17):
        for x in (0, 1, 2, 7, 60):
            show("lattice", step, c, x, lattice(float(step), c, x))
mp.mp.dps = 25
for c in (2, 3, 10, 64, 256):
    for x in (0.01, 1, 5, 30, 90):
        show("smooth", c, x, smooth(c, x))
for c in (257, 1000):
    for x in (1, 40, 150):
        show("many", c, x, smooth(c, x))
for b1, c1, b2, c2 in ((2, 3, 6, 1), (2, 6, 10, 3)):
    for x in (0.1, 4, 15, 40):
        show("mixed", b1, c1, b2, c2, x, mixed(b1, c1, b2, c2, x))
for n in (1, 2, 5, 40, 1000, 50000):
    for z in (0.3, 1, 2, 3):
        d = z / n ** 0.5
        if d < 1:
            show("kolmogorov", n, d, min(1, 2 * stats.ksone.sf(d, n)))
for m in (1, 2, 10, 500, 250000):
    for p in (1e-3 / 12, 0.2):
        show("gamma", m, p, stats.gamma.ppf(p, m), stats.gamma.isf(p, m))
for x, n in ((0, 1), (3, 10), (50, 100), (30, 100), (99000, 200000)):
    show("coins", x, n, min(1, 2 * stats.binom.cdf(min(x, n - x), n, 0.5)))
for m1, m2, x in ((1, 1, 0.2), (5, 6, 0.2), (500, 500, 0.55), (100000, 100001, 0.49)):
    show("beta", m1, m2, x, min(1, 2 * min(stats.beta.cdf(x, m1, m2), stats.beta.sf(x, m1, m2))))
