"""A second implementation of Thompson sampling, written from the comments of
package policy, on the streams and counters of replay.py, with the Python
standard library only.

Run in this directory with Python 3.11 or later:  python3 replay_thompson.py
Writes replay_thompson.csv.
"""

import math
from fractions import Fraction

from replay import Hybrid, master_seed, stream, write


def unit(src):
    return (src.word() >> 11) * 2.0**-53


def normal(src):
    while True:
        u = 2 * unit(src) - 1
        v = 2 * unit(src) - 1
        s = u * u + v * v
        if 0 < s < 1:
            return u * math.sqrt(-2 * math.log(s) / s)


def ln_gamma(src, a):
    d = (a + 1 if a < 1 else a) - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = normal(src)
        w = 1 + c * x
        if w <= 0:
            continue
        v = w**3
        u = 1 - unit(src)
        if u < 1 - 0.0331 * x**4 or math.log(u) < x * x / 2 + d * (1 - v + math.log(v)):
            break
    g = math.log(d * v)
    return g + math.log(1 - unit(src)) / a if a < 1 else g


def beta_draw(src, prior, n, s):
    g = ln_gamma(src, prior[0] + s)
    return g - ln_gamma(src, prior[1] + n - s)


def normal_draw(src, prior, n, s):
    mean, variance, noise = prior
    precision = 1 / variance + n / noise
    return (mean / variance + s / noise) / precision + normal(src) / math.sqrt(precision)


def thompson(master, draw, prior, epsilon, means, rounds):
    k, experiment = len(means), "reference"
    src = stream(master, "policy", experiment, -1)
    counters = [Hybrid(stream(master, "counter", experiment, i), epsilon, 20) for i in range(k)]
    worlds = [stream(master, "world.reward", experiment, i) for i in range(k)]
    sums = [0.0] * k
    for t in range(1, rounds + 1):
        theta = []
        for i in range(k):
            n = counters[i].t
            theta.append(draw(src, prior, n, min(max(sums[i], 0), n)))
        arm = theta.index(max(theta))
        pay = [unit(w) for w in worlds]
        reward = 1 if pay[arm] < means[arm] else 0
        sums[arm] = counters[arm].add(reward)
        yield t, arm, reward, repr(sums[arm])


def main():
    rows = []
    for name, draw, prior in (("beta", beta_draw, (0.5, 0.75)), ("normal", normal_draw, (0.5, 1, 0.25))):
        run = thompson(master_seed(12), draw, prior, Fraction(4), [0.45, 0.5, 0.55], 1000)
        rows += [[name, *row] for row in run]
    write("replay_thompson.csv", ["prior", "round", "arm", "reward", "released"], rows)


if __name__ == "__main__":
    main()
