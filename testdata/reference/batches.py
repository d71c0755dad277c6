"""Two arms in batches, by scipy 1.17.1 and mpmath 1.3.0:

    python3 batches.py > batches.csv

tables: B, then rows and ones of both arms of each batch, then ln e of both sides, up and
down after the last batch, then the largest of each after any batch, at least 0.
fisher: B, the same tables, then the statistic and ln p of Fisher's combination of the
one-sided exact p of each batch (scipy.stats.fisher_exact), greater, then less.
labels: n, the rewards, 1 where the first arm paid, then the shares of all sets of labels
with a sum as large, and as small, by exact fractions.
bols: n, then batch, arm and reward of each row, then the estimate, its standard error, Z
of 0 and of 0.1, and the two-sided p of 0."""
import itertools
import random
from fractions import Fraction

import mpmath
from scipy import stats

mpmath.mp.dps = 40
SHEET = [(10, 6, 10, 4), (14, 9, 6, 2), (16, 10, 4, 1)]
LEANS = [mpmath.mpf(x) for x in ("0.25", "0.5", "1", "1.5")]


def tilted(table, psi):
    """ln of e^(psi S)/E e^(psi S), by the whole support, in 40 digits."""
    na, sa, nb, sb = table
    s = sa + sb
    lo, hi = max(0, s - nb), min(na, s)
    term, total, mean = mpmath.mpf(1), mpmath.mpf(0), mpmath.mpf(0)
    for x in range(lo, hi + 1):
        total += term
        mean += term * mpmath.e ** (psi * (x - sa))
        term *= mpmath.mpf((na - x) * (s - x)) / ((x + 1) * (nb - s + x + 1))
    return -mpmath.log(mean / total)


def bets(tables):
    up, down = [mpmath.mpf(0)] * 4, [mpmath.mpf(0)] * 4
    largest = [mpmath.mpf(0)] * 3
    for t in tables:
        up = [w + tilted(t, psi) for w, psi in zip(up, LEANS)]
        down = [w + tilted(t, -psi) for w, psi in zip(down, LEANS)]
        e_up, e_down = (sum(mpmath.e**w for w in side) / 4 for side in (up, down))
        now = [mpmath.log(e) for e in ((e_up + e_down) / 2, e_up, e_down)]
        largest = [max(a, b) for a, b in zip(largest, now)]
    return now + largest


def fisher(tables):
    out = []
    for side in ("greater", "less"):
        logs = 0.0
        for na, sa, nb, sb in tables:
            logs += float(mpmath.log(stats.fisher_exact([[sa, na - sa], [sb, nb - sb]], side)[1]))
        out += [0.0 - 2 * logs, float(stats.chi2.logsf(-2 * logs, 2 * len(tables)))]
    return out


def labels(y, first):
    y = [Fraction(v) for v in y]
    k = sum(first)
    seen = sum(v for v, f in zip(y, first) if f)
    sums = [sum(s) for s in itertools.combinations(y, k)]
    return [float(Fraction(sum(s >= seen for s in sums), len(sums))), float(Fraction(sum(s <= seen for s in sums), len(sums)))]


def bols(rows):
    cs, ds = [], []
    for b in sorted({r[0] for r in rows}):
        a, c = ([mpmath.mpf(y) for batch, arm, y in rows if batch == b and arm == i] for i in (0, 1))
        ma, mc = sum(a) / len(a), sum(c) / len(c)
        ss = sum((y - ma) ** 2 for y in a) + sum((y - mc) ** 2 for y in c)
        sigma = mpmath.sqrt(ss / (len(a) + len(c) - 2))
        cs.append(mpmath.sqrt(mpmath.mpf(len(a) * len(c)) / (len(a) + len(c))) / sigma)
        ds.append(ma - mc)
    root = mpmath.sqrt(len(cs))
    z = [sum(c * (d - mpmath.mpf(v)) for c, d in zip(cs, ds)) / root for v in ("0", "0.1")]
    return [sum(c * d for c, d in zip(cs, ds)) / sum(cs), root / sum(cs), *z, mpmath.erfc(abs(z[0]) / mpmath.sqrt(2))]


def write(kind, *parts):
    cells = [mpmath.nstr(x, 17) if isinstance(x, mpmath.mpf) else repr(x) for part in parts for x in part]
    print(",".join([kind, *cells]))


draw = random.Random(7)
several = [SHEET, [(5, 0, 5, 0)], [(3, 3, 0, 0), (1, 1, 1, 0)], [(1, 0, 1, 1)] * 40, [(40, 0, 60, 25)] * 12]
several += [[(int(1e6) - 3, 499_000, 3, 1)], [(3000, 1400, 7000, 3600), (12, 9, 8, 1)], [(20000, 11000, 20000, 9500)]]
for _ in range(12):
    tables = []
    for _ in range(draw.randint(1, 8)):
        na, nb = draw.randint(1, 60), draw.randint(1, 60)
        tables.append((na, draw.randint(0, na), nb, draw.randint(0, nb)))
    several.append(tables)
for tables in several:
    flat = [x for t in tables for x in t]
    write("tables", [len(tables)], flat, bets(tables))
    if all(t[0] and t[2] for t in tables) and max(flat) < 1000:
        write("fisher", [len(tables)], flat, fisher(tables))

for n in (2, 3, 5, 8, 11, 13):
    for law in (lambda: draw.randint(0, 8) / 8, lambda: round(draw.random(), 3), lambda: draw.randint(0, 2) * 1e6 + 1e9):
        y = [law() for _ in range(n)]
        k = draw.randint(1, n - 1)
        first = [1] * k + [0] * (n - k)
        draw.shuffle(first)
        write("labels", [n], y, first, labels(y, first))

rows = [(b, arm, 1 if i < s else 0) for b, (na, sa, nb, sb) in enumerate(SHEET) for arm, n, s in ((0, na, sa), (1, nb, sb)) for i in range(n)]
write("bols", [len(rows)], [x for r in rows for x in r], bols(rows))
for size in (6, 30):
    rows = [(b, 0 if i < 2 else 1 if i < 4 else draw.randint(0, 1), round(draw.random(), 3)) for b in range(4) for i in range(size)]
    write("bols", [len(rows)], [x for r in rows for x in r], bols(rows))
