"""Wagers on the arm of a unit's round before, in exact fractions.

Made with the standard library of Python 3:

    python3 repeats.py > repeats.csv

row,unit,arm,p+ of the arm,p- of arms 0..2,could 0..2
e,deficits (0 or 1),rows,ln of the average account after so many rows
plays,rows,ln of the wager on all earlier rounds of the unit,favoured rounds,expected ones,rounds with one that could be played
"""
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
ARMS, ROWS, SIZES, UNITS = 3, 120, 16, 9
state = 4711


def draw(n):
    global state
    state = (1103515245 * state + 12345) % 2**31
    return (state >> 8) % n


def ln(x):
    return (Decimal(x.numerator) / Decimal(x.denominator)).ln()


rows, last = [], {}
for t in range(ROWS):
    weights = [1 + draw(20) for _ in range(ARMS)]
    could = [True] * ARMS
    if t % 5 == 3:
        could[draw(ARMS)] = False
    weights = [w if c else 0 for w, c in zip(weights, could)]
    p = [Fraction(round(1024 * w / sum(weights)), 1024) for w in weights]
    unit = draw(UNITS)
    u, arm = draw(sum(weights)), 0
    while u >= weights[arm]:
        u -= weights[arm]
        arm += 1
    if t < ROWS // 2 and unit in last and could[last[unit]] and draw(6) == 0:
        arm = last[unit]  # kept in the first half, now and then
    last[unit] = arm
    high = min(Fraction(1), p[arm] + Fraction(1, 2048))
    low = [max(Fraction(0), q - Fraction(1, 2048)) if c else Fraction(0) for q, c in zip(p, could)]
    rows.append((unit, arm, high, low, could))
    print("row", unit, arm, float(high), *map(float, low), *map(int, could), sep=",")

sizes = [Fraction(1, 2 ** (j + 1)) for j in range(SIZES)]
for deficits in (0, 1):
    surplus, again, sums, last = {l: Fraction(1) for l in sizes}, 0, [Fraction(0), Fraction(0)], {}
    for n, (unit, arm, high, low, could) in enumerate(rows, 1):
        b = last.get(unit)
        last[unit] = arm
        if b is not None and could[b]:
            again += b == arm
            sums[0] += low[b]
            sums[1] += low[b] ** 2
            for l in sizes:
                surplus[l] *= 1 + l * ((1 / high if b == arm else 0) - 1)
        if n not in (7, 60, 120):
            continue
        total = [sum(surplus.values()) / SIZES]
        total = [Decimal(x.numerator) / Decimal(x.denominator) for x in total]
        if deficits:
            m = Decimal(0)
            for l in sizes:
                x = l * sums[0] + l * l * sums[1] / 2
                kept = (1 - l) ** again
                m += (Decimal(x.numerator) / Decimal(x.denominator)).exp() * Decimal(kept.numerator) / Decimal(kept.denominator)
            total.append(m / SIZES)
        e = sum(total) / len(total)
        print("e", deficits, n, f"{e.ln():.17f}", sep=",")

strengths, half = [Fraction(k) for k in (2, 8, 32, 128)], Fraction(1, 2048)
accounts, past, favoured, expected, could_be = [Fraction(1)] * len(strengths), {}, 0, Fraction(0), 0
for t, (unit, arm, _, low, could) in enumerate(rows, 1):
    high = [min(Fraction(1), (l + half if l else 0) + half) if c else Fraction(0) for l, c in zip(low, could)]
    mean = [(l + h) / 2 for l, h in zip(low, high)]
    n, e = past.setdefault(unit, ([Fraction(0)] * ARMS, [Fraction(0)] * ARMS))
    for j, k in enumerate(strengths):
        w = [(k + n[a]) / (k + e[a]) for a in range(ARMS)]
        c = sum(p * x for p, x in zip(mean, w)) / sum(mean)
        accounts[j] *= w[arm] / (c + sum((h if x > c else l) * (x - c) for l, h, x in zip(low, high, w)))
    ahead = [a for a in range(ARMS) if n[a] > e[a]]
    favoured += arm in ahead
    could_be += any(high[a] for a in ahead)
    expected += sum(mean[a] for a in ahead)
    n[arm] += 1
    for a in range(ARMS):
        e[a] += mean[a]
    if t in (7, 60, 120):
        print("plays", t, f"{ln(sum(accounts) / len(accounts)):.17f}", favoured, float(expected), could_be, sep=",")
