"""A second implementation of linear bandits over the vector hybrid counter,
written from the package comments of replay, replay/counter and replay/policy,
with the Python standard library only. V is solved by elimination with pivots,
so that nothing of the arithmetic under test is repeated here.

Run in this directory with Python 3.11 or later:  python3 replay_linear.py
Writes replay_linpriv.csv and replay_lints.csv.
"""

import math
from fractions import Fraction

from replay import Hybrid, chernoff, master_seed, stream, write


def solve(a, b):
    """x with Ax = b, and det A."""
    n = len(b)
    rows = [list(r) + [v] for r, v in zip(a, b)]
    det = 1.0
    for j in range(n):
        p = max(range(j, n), key=lambda i: abs(rows[i][j]))
        if p != j:
            rows[j], rows[p] = rows[p], rows[j]
            det = -det
        det *= rows[j][j]
        for i in range(n):
            if i != j:
                f = rows[i][j] / rows[j][j]
                rows[i] = [u - f * v for u, v in zip(rows[i], rows[j])]
    return [rows[i][n] / rows[i][i] for i in range(n)], det


def dot(a, b):
    total = 0.0
    for u, v in zip(a, b):
        total += u * v
    return total


class Arm:
    """V, the released vector and its number of rows."""

    def __init__(self, src, epsilon, bound, m, d, ridge):
        self.streams = [Hybrid(src, epsilon / bound, m) for _ in range(d)]
        self.m, self.rows, self.sums = m, 0, [0.0] * d
        self.v = [[ridge if i == j else 0.0 for j in range(d)] for i in range(d)]

    def add(self, x, y):
        self.rows += 1
        self.sums = [s.add(math.trunc(v * y * 2**self.m) / 2**self.m) for s, v in zip(self.streams, x)]
        for i, a in enumerate(x):
            for j, b in enumerate(x):
                self.v[i][j] += a * b

    def allowance(self, epsilon, bound, level, table={}):
        """√d·Γ, of one row where there is none."""
        rows = max(self.rows, 1)
        k = rows.bit_length() - 1
        key = (k, (rows - (1 << k)).bit_count())
        if key not in table:
            unit = 2 * bound / epsilon
            table[key] = chernoff([float(unit)] * (k + 1) + [float(unit * k)] * key[1], level)
        return math.sqrt(len(self.sums)) * table[key]


def world(master, experiment, theta):
    """Contexts and rewards: one word for each coordinate, one for each arm."""
    contexts = stream(master, "world.context", experiment, -1)
    pay = [stream(master, "world.reward", experiment, i) for i in range(len(theta))]
    while True:
        x = [(contexts.word() >> 11) * 2.0**-53 for _ in theta[0]]
        yield x, [1 if (w.word() >> 11) * 2.0**-53 < dot(t, x) else 0 for w, t in zip(pay, theta)]


THETA = [[0.6, 0.1, 0.1], [0.1, 0.6, 0.1], [0.2, 0.2, 0.4]]


def linpriv(master, experiment, epsilon, bound, m, rounds, horizon):
    ridge, sd, size, delta = 0.5, 0.5, 1.5, 0.1
    k, d = len(THETA), len(THETA[0])
    arms = [Arm(stream(master, "counter", experiment, i), epsilon, bound, m, d, ridge) for i in range(k)]
    for t, (x, rewards) in zip(range(1, rounds + 1), world(master, experiment, THETA)):
        index = []
        for a in arms:
            theta, det = solve(a.v, a.sums)
            u, _ = solve(a.v, x)
            beta = sd * math.sqrt(math.log(det / ridge**d) + 2 * math.log(2 * k / delta)) + math.sqrt(ridge) * size
            s = a.allowance(epsilon, bound, delta / (2 * k * horizon * d))
            index.append(dot(theta, x) + (beta + s / math.sqrt(ridge)) * math.sqrt(dot(x, u)))
        arm = max(range(k), key=lambda i: (index[i], -i))
        arms[arm].add(x, rewards[arm])
        yield [t, arm, rewards[arm], ""] + [repr(v) for v in arms[arm].sums]


def normal(src):
    """Marsaglia's polar method; the second variable of a pair is thrown away."""
    while True:
        u = 2 * ((src.word() >> 11) * 2.0**-53) - 1
        v = 2 * ((src.word() >> 11) * 2.0**-53) - 1
        s = u * u + v * v
        if 0 < s < 1:
            return u * math.sqrt(-2 * math.log(s) / s)


def cholesky(a):
    n = len(a)
    c = [[0.0] * n for _ in a]
    for i in range(n):
        for j in range(i + 1):
            s = a[i][j] - dot(c[i][:j], c[j][:j])
            c[i][j] = math.sqrt(s) if i == j else s / c[j][j]
    return c


def largest(mean, sd, i):
    """P(variable i is the largest), by the trapezoid rule."""
    phi = lambda z: math.erfc(-z / math.sqrt(2)) / 2
    steps, total = 4000, 0.0
    for n in range(steps + 1):
        z = -9 + 18 * n / steps
        x = mean[i] + sd[i] * z
        term = math.exp(-z * z / 2)
        for j in range(len(mean)):
            if j != i:
                term *= phi((x - mean[j]) / sd[j])
        total += term
    return total * 18 / steps / math.sqrt(2 * math.pi)


def lints(master, experiment, epsilon, bound, m, rounds):
    ridge, sd = 0.5, 0.3
    k, d = len(THETA), len(THETA[0])
    arms = [Arm(stream(master, "counter", experiment, i), epsilon, bound, m, d, ridge) for i in range(k)]
    src = stream(master, "policy", experiment, -1)
    for t, (x, rewards) in zip(range(1, rounds + 1), world(master, experiment, THETA)):
        drawn, mean, spread = [], [], []
        for a in arms:
            theta, _ = solve(a.v, a.sums)
            u, _ = solve(a.v, x)
            mean.append(dot(theta, x))
            spread.append(sd * math.sqrt(dot(x, u)))
            c, g = cholesky(a.v), [normal(src) for _ in range(d)]
            for j in reversed(range(d)):  # C'w = g
                g[j] = (g[j] - sum(c[i][j] * g[i] for i in range(j + 1, d))) / c[j][j]
            drawn.append(dot([v + sd * w for v, w in zip(theta, g)], x))
        arm = max(range(k), key=lambda i: (drawn[i], -i))
        arms[arm].add(x, rewards[arm])
        p = repr(largest(mean, spread, arm)) if t % 25 == 1 else ""
        yield [t, arm, rewards[arm], p] + [repr(v) for v in arms[arm].sums]


def main():
    write("replay_linpriv.csv", ["round", "arm", "reward", "propensity", "released0", "released1", "released2"],
          linpriv(master_seed(12), "reference", Fraction(500), Fraction(3), 20, 1500, 2000))
    write("replay_lints.csv", ["round", "arm", "reward", "propensity", "released0", "released1", "released2"],
          lints(master_seed(13), "reference", Fraction(20), Fraction(3), 20, 1000))


if __name__ == "__main__":
    main()
