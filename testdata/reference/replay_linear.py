"""A second implementation of linear bandits over the vector hybrid counter,
written from the package comments of replay, replay/counter and replay/policy,
with the Python standard library only. V is solved by elimination with pivots,
so that nothing of the arithmetic under test is repeated here.

Run in this directory with Python 3.11 or later:  python3 replay_linear.py
Writes replay_linpriv.csv.
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
        """√d·Γ."""
        if self.rows == 0:
            return 0.0
        k = self.rows.bit_length() - 1
        key = (k, (self.rows - (1 << k)).bit_count())
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
        yield [t, arm, rewards[arm]] + [repr(v) for v in arms[arm].sums]


def main():
    write("replay_linpriv.csv", ["round", "arm", "reward", "released0", "released1", "released2"],
          linpriv(master_seed(12), "reference", Fraction(500), Fraction(3), 20, 1500, 2000))


if __name__ == "__main__":
    main()
