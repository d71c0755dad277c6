"""A second implementation of the counters laplace, binary, tree, interval and epochs,
written from the package comments of replay/counter, on the sampler and the
streams of replay.py; the weights of interval by exact integer roots; and the ρ
of discrete Laplace noise with 60 digits.

Run in this directory with Python 3.11 and mpmath 1.3.0:  python3 counters.py
Writes counters.csv. Kinds of lines:

    run.NAME     t, y, released sum, rows in it
    vector.NAME  t, y, φ0, φ1, released 0, released 1, rows in it
    weight       m, sensitivity p, q, exponent p, q, N, w_N
    interval     f, v, T, Σ N^{-v/2}, Σ ρ(N^{-v/2}) of continuous noise
    rho          ε, h, ρ(ε, h)
"""

import csv
import functools
from fractions import Fraction

import mpmath

from replay import laplace, master_seed, stream

mpmath.mp.dps = 60
M = 20


def iroot(x, n):
    """⌊x^{1/n}⌋ by bisection."""
    lo, hi = 0, 1 << (x.bit_length() // n + 1)
    while hi - lo > 1:
        mid = (lo + hi) // 2
        lo, hi = (mid, hi) if mid**n <= x else (lo, mid)
    return lo


def weight(m, delta, v, rows):
    """(w_N, E): the noise has parameter 2^E/w_N in units of the grid."""
    drop = max(0, rows.bit_length() - 14)
    n = ((rows + (1 << drop) - 1) >> drop) << drop
    move = delta * 2**m
    e = min(56, 35 + (-(-move.numerator // move.denominator)).bit_length())
    half = v / 2
    a, b = half.numerator, half.denominator
    x = Fraction(2**e) / move
    return min(iroot((x.numerator**b) // (x.denominator**b * n**a), b), 2**e), e


class Laplace:
    def __init__(self, src, epsilon, delta):
        self.src, self.scale, self.released = src, delta / epsilon * 2**M, []

    def add(self, z):
        self.released.append(z + laplace(self.src, self.scale))
        return sum(self.released), len(self.released)


class Binary:
    """Algorithm 2 of Chan, Shi and Song, with their arrays α and α̂."""

    def __init__(self, src, epsilon, delta, horizon):
        self.src, self.scale = src, delta * horizon.bit_length() / epsilon * 2**M
        self.alpha, self.hat, self.t = {}, {}, 0

    def add(self, z):
        self.t += 1
        i = (self.t & -self.t).bit_length() - 1
        self.alpha[i] = z + sum(self.alpha[j] for j in range(i))
        for j in range(i):
            self.alpha[j] = self.hat[j] = 0
        self.hat[i] = self.alpha[i] + laplace(self.src, self.scale)
        return sum(self.hat[j] for j in range(self.t.bit_length()) if self.t >> j & 1), self.t


def signed_digits(t, k):
    """The digits of t in the odd base k, from −(k−1)/2 to (k−1)/2, the lowest first."""
    out = []
    while t:
        d = (t + k // 2) % k - k // 2
        out.append(d)
        t = (t - d) // k
    return out


@functools.cache
def best_tree(horizon):
    """The odd k and the levels h of least mean variance h²·Σ|d_j|, by trying all."""
    best = None
    for k in range(3, 2 * horizon + 2, 2):
        h = next(h for h in range(1, 64) if (k**h - 1) // 2 >= horizon)
        cost = h**2 * sum(abs(d) for t in range(1, horizon + 1) for d in signed_digits(t, k))
        if best is None or cost < best[0]:
            best = cost, k, h
    return best[1:]


class Tree:
    """Every node that a sum has used, with its noise, by level and first row."""

    def __init__(self, src, epsilon, delta, horizon):
        self.k, h = best_tree(horizon)
        self.src, self.scale = src, delta * h / epsilon * 2**M
        self.noise, self.rows = {}, []

    def nodes(self, t):
        """(level, rows before the node, sign), level 0 and early rows first."""
        digits = signed_digits(t, self.k)
        for j, d in enumerate(digits):
            width = self.k**j
            near = sum(e * self.k**i for i, e in enumerate(digits) if i >= j)
            far = near - d * width
            for start in range(min(near, far), max(near, far), width):
                yield j, start, 1 if d > 0 else -1

    def add(self, z):
        self.rows.append(z)
        total = sum(self.rows)
        for j, start, sign in self.nodes(len(self.rows)):
            if (j, start) not in self.noise:
                self.noise[j, start] = laplace(self.src, self.scale)
            total += sign * self.noise[j, start]
        return total, len(self.rows)


class Interval:
    def __init__(self, src, epsilon, delta, v):
        self.src, self.delta, self.v, self.f = src, delta, v, -(-epsilon.denominator // epsilon.numerator)
        self.rows, self.last = [], (0, 0)

    def add(self, z):
        self.rows.append(z)
        n = len(self.rows)
        if n % self.f == 0:
            w, e = weight(M, self.delta, self.v, n)
            self.last = sum(self.rows) + laplace(self.src, Fraction(2**e, w)), n
        return self.last


class Epochs:
    def __init__(self, src, epsilon, delta):
        self.src, self.scale = src, delta / epsilon * 2**M
        self.rows, self.length, self.last = [], 1, (0, 0)

    def add(self, z):
        self.rows.append(z)
        if len(self.rows) == self.length:
            self.last = sum(self.rows) + laplace(self.src, self.scale), self.length
            self.rows, self.length = [], 2 * self.length
        return self.last


def counter(name, src, delta):
    epsilon = Fraction(3, 10)
    if name == "laplace":
        return Laplace(src, epsilon, delta)
    if name == "binary":
        return Binary(src, epsilon, delta, 200)
    if name == "tree":
        return Tree(src, epsilon, delta, 1000)  # three levels of 13 children
    if name == "interval":
        return Interval(src, epsilon, delta, Fraction(11, 10))
    return Epochs(src, epsilon, delta)


def runs():
    for name in ("laplace", "binary", "tree", "interval", "epochs"):
        one = counter(name, stream(master_seed(1), "counter", name, 0), Fraction(1))
        for t in range(1, 201):
            y = (t * 37 % 101) / 100
            released, rows = one.add(round(y * 2**M))
            yield f"run.{name}", t, repr(y), repr(released / 2**M), rows
        src = stream(master_seed(1), "counter", name, 0)
        pair = [counter(name, src, Fraction(7, 5)) for _ in range(2)]
        for t in range(1, 81):
            y = (t * 37 % 101) / 100
            phi = [(t % 7 - 3) / 5, (t % 5) / 5]
            out = [c.add(int(x * y * 2**M)) for c, x in zip(pair, phi)]
            yield f"vector.{name}", t, repr(y), *map(repr, phi), *(repr(r / 2**M) for r, _ in out), out[0][1]


def weights():
    for m, delta, v in [
        (20, Fraction(1), Fraction(11, 10)),
        (20, Fraction(1), Fraction(3, 2)),
        (20, Fraction(1), Fraction(109, 100)),
        (0, Fraction(1), Fraction(11, 10)),
        (30, Fraction(1), Fraction(5, 4)),
        (20, Fraction(14143, 10000), Fraction(11, 10)),
        (4, Fraction(1, 1000), Fraction(3, 2)),
    ]:
        for n in (1, 2, 3, 16, 1000, 4096, 16383, 16385, 65536, 99999, 1000003):
            w, _ = weight(m, delta, v, n)
            yield "weight", m, delta.numerator, delta.denominator, v.numerator, v.denominator, n, w


def rho(e, h):
    e, h = mpmath.mpf(e), mpmath.mpf(h)
    return e - h / mpmath.sinh(h) * (1 - mpmath.exp(-e))


def intervals():
    for f, v, horizon in [(10, "1.1", 10000), (1, "1.1", 10000), (10, "1.5", 10000), (10, "1.1", 100000)]:
        steps = [mpmath.mpf(k * f) ** (-mpmath.mpf(v) / 2) for k in range(1, horizon // f + 1)]
        total = mpmath.fsum(e + mpmath.exp(-e) - 1 for e in steps)
        yield "interval", f, v, horizon, mpmath.nstr(mpmath.fsum(steps), 18), mpmath.nstr(total, 18)


def rhos():
    for e in (1e-12, 1e-6, 1e-3, 0.0625, 0.1, 0.1000001, 0.5, 1, 2, 20, 800):
        for part in (1, 0.5, 2.0**-20, 2.0**-46):
            yield "rho", repr(e), repr(e * part), mpmath.nstr(rho(e, e * part), 20)


with open("counters.csv", "w", newline="") as f:
    out = csv.writer(f, lineterminator="\n")
    for rows in (runs(), weights(), intervals(), rhos()):
        out.writerows(rows)
