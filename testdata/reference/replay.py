"""A second implementation of the seed scheme, the noise, the hybrid counter and
private UCB, written from the package comments of replay, replay/counter and
replay/policy and from the C2SP specification of chacha8rand, with the Python
standard library only.

Run in this directory with Python 3.11 or later:  python3 replay.py
Writes replay_seed.csv, replay_noise.csv and replay_privucb.csv.
"""

import csv
import hashlib
import math
from fractions import Fraction

MASK32 = 0xFFFFFFFF


class ChaCha8Rand:
    """https://c2sp.org/chacha8rand, as a source of little-endian 64-bit words."""

    def __init__(self, seed):
        self.seed, self.words, self.at = seed, [], 0

    def refill(self):
        blocks = [self.block(n) for n in range(16)]
        out = bytearray()
        for four in range(0, 16, 4):
            for word in range(16):
                for b in range(four, four + 4):
                    out += blocks[b][word].to_bytes(4, "little")
        self.seed = bytes(out[-32:])
        self.words = [int.from_bytes(out[i:i + 8], "little") for i in range(0, 992, 8)]
        self.at = 0

    def block(self, counter):
        key = [int.from_bytes(self.seed[i:i + 4], "little") for i in range(0, 32, 4)]
        x = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574] + key + [counter, 0, 0, 0]

        def quarter(a, b, c, d):
            for p, q, r, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[p] = (x[p] + x[q]) & MASK32
                x[r] ^= x[p]
                x[r] = ((x[r] << n) | (x[r] >> (32 - n))) & MASK32

        for _ in range(4):
            quarter(0, 4, 8, 12)
            quarter(1, 5, 9, 13)
            quarter(2, 6, 10, 14)
            quarter(3, 7, 11, 15)
            quarter(0, 5, 10, 15)
            quarter(1, 6, 11, 12)
            quarter(2, 7, 8, 13)
            quarter(3, 4, 9, 14)
        for i in range(8):  # the key is added; constants, counter and nonce are not
            x[4 + i] = (x[4 + i] + key[i]) & MASK32
        return x

    def word(self):
        if self.at == len(self.words):
            self.refill()
        self.at += 1
        return self.words[self.at - 1]


def master_seed(n):
    return hashlib.sha256(b"banditaudit seed" + n.to_bytes(8, "big", signed=True)).digest()


def stream_key(master, purpose, experiment, arm):
    message = master
    for text in (purpose, experiment):
        data = text.encode()
        message += len(data).to_bytes(4, "big") + data
    return hashlib.sha256(message + arm.to_bytes(8, "big", signed=True)).digest()


def stream(master, purpose, experiment, arm):
    return ChaCha8Rand(stream_key(master, purpose, experiment, arm))


def uniform(src, n):
    if n == 1:
        return 0
    mask = (1 << (n - 1).bit_length()) - 1
    while True:
        w = src.word() & mask
        if w < n:
            return w


def exp_bernoulli(src, u, t):
    k = 1
    while uniform(src, t * k) < u:
        k += 1
    return k % 2 == 1


def laplace(src, scale):
    t, s = scale.numerator, scale.denominator
    while True:
        u = uniform(src, t)
        if not exp_bernoulli(src, u, t):
            continue
        v = 0
        while exp_bernoulli(src, 1, 1):
            v += 1
        y = (u + t * v) // s
        b = uniform(src, 2)
        if b == 1 and y == 0:
            continue
        return -y if b else y


class Hybrid:
    """Chan, Shi and Song's hybrid mechanism, with their arrays α and α̂."""

    def __init__(self, src, epsilon, m):
        self.src, self.epsilon, self.m = src, epsilon, m
        self.t = self.beta = self.run = 0
        self.alpha, self.hat = {}, {}

    def noise(self, k):
        return laplace(self.src, Fraction(2 * max(k, 1)) / self.epsilon * 2**self.m)

    def add(self, y):
        self.t += 1
        k = self.t.bit_length() - 1
        r = self.t - (1 << k)
        units = round(y * 2**self.m)
        if r == 0:
            self.beta += self.run + units + self.noise(0)
            self.run = 0
            self.alpha, self.hat = {}, {}
            return self.beta / 2**self.m
        self.run += units
        i = (r & -r).bit_length() - 1
        self.alpha[i] = units + sum(self.alpha.pop(j) for j in range(i))
        for j in range(i):
            del self.hat[j]
        self.hat[i] = self.alpha[i] + self.noise(k)
        return (self.beta + sum(self.hat.values())) / 2**self.m


def chernoff(scales, delta):
    """min over h of (ln(2/δ) − Σ ln(1−h²b²))/h by golden section."""

    def value(u):
        h = u / max(scales)
        return (math.log(2 / delta) - sum(math.log1p(-((h * b) ** 2)) for b in scales)) / h

    lo, hi, g = 0.0, 1.0, (math.sqrt(5) - 1) / 2
    for _ in range(200):
        a, b = hi - g * (hi - lo), lo + g * (hi - lo)
        if value(a) < value(b):
            hi = b
        else:
            lo = a
    return value((lo + hi) / 2)


def gamma(n, epsilon, level, table={}):
    k = n.bit_length() - 1
    key = (k, (n - (1 << k)).bit_count(), epsilon, level)
    if key not in table:
        table[key] = chernoff([float(2 / epsilon)] * (k + 1) + [float(2 * k / epsilon)] * key[1], level)
    return table[key]


def privucb(master, experiment, epsilon, m, delta, horizon, means, rounds):
    k = len(means)
    counters = [Hybrid(stream(master, "counter", experiment, i), epsilon, m) for i in range(k)]
    worlds = [stream(master, "world.reward", experiment, i) for i in range(k)]
    sums = [0.0] * k
    for t in range(1, rounds + 1):
        index = []
        for i in range(k):
            n = counters[i].t
            if n == 0:
                index.append(math.inf)
                continue
            mean = sums[i] / n + gamma(n, epsilon, delta / (k * horizon)) / n
            index.append(mean + math.sqrt(2 * math.log(t / delta)) * (1 / math.sqrt(n)))
        arm = max(range(k), key=lambda i: (index[i], -i))
        pay = [(w.word() >> 11) * 2.0**-53 for w in worlds]
        reward = 1 if pay[arm] < means[arm] else 0
        sums[arm] = counters[arm].add(reward)
        yield t, arm, reward, sums[arm]


def write(name, header, rows):
    with open(name, "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def main():
    rows = []
    for n, purpose, experiment, arm in [
        (0, "policy", "", -1),
        (7, "policy", "homepage-cta", -1),
        (7, "counter", "homepage-cta", 0),
        (7, "counter", "homepage-cta", 4),
        (-1, "world.reward", "größe", 2),
        (2**63 - 1, "world.context", "exp\n1", -1),
    ]:
        master = master_seed(n)
        src = stream(master, purpose, experiment, arm)
        words = [src.word() for _ in range(300)]
        # words 124 and 248 are the first after a reseed
        rows.append([n, purpose, experiment.encode().hex(), arm, master.hex(), stream_key(master, purpose, experiment, arm).hex()]
                    + [f"{words[i]:016x}" for i in (0, 1, 123, 124, 248, 299)])
    write("replay_seed.csv", ["n", "purpose", "experiment_hex", "arm", "master", "key", "word0", "word1", "word123", "word124", "word248", "word299"], rows)

    rows = []
    for scale in (Fraction(1), Fraction(5), Fraction(7, 2), Fraction(1, 3), Fraction(2**21 * 39, 1) / Fraction("0.25"), Fraction(2**21) / Fraction("0.3")):
        src = stream(master_seed(1), "counter", str(scale), 0)
        rows.append([scale.numerator, scale.denominator] + [laplace(src, scale) for _ in range(40)])
    write("replay_noise.csv", ["num", "den"] + [f"draw{i}" for i in range(40)], rows)

    run = privucb(master_seed(11), "reference", Fraction("2.5"), 20, 0.05, 3000, [0.2, 0.5, 0.8], 3000)
    write("replay_privucb.csv", ["round", "arm", "reward", "released"], ([t, a, y, repr(s)] for t, a, y, s in run))


if __name__ == "__main__":
    main()
