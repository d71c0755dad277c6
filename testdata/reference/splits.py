"""Wagers on arms on the two sides of splits, in exact fractions.

Made with the standard library of Python 3:

    python3 splits.py > splits.csv

row,arm,p+,side 0,side 1,p- of arms 0..2,could 0..2 (side 2: not known)
e,deficits (0 or 1),rows,ln of the average account after so many rows
"""
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
ARMS, ROWS, SIZES = 3, 120, 16
state = 12345


def draw(n):
    global state
    state = (1103515245 * state + 12345) % 2**31
    return (state >> 8) % n


def ln(x):
    return (Decimal(x.numerator) / Decimal(x.denominator)).ln()


rows = []
for t in range(ROWS):
    weights = [1 + draw(20) for _ in range(ARMS)]
    could = [True] * ARMS
    if t % 5 == 3:
        could[draw(ARMS)] = False
    weights = [w if c else 0 for w, c in zip(weights, could)]
    p = [Fraction(round(1024 * w / sum(weights)), 1024) for w in weights]
    u, arm = draw(sum(weights)), 0
    while u >= weights[arm]:
        u -= weights[arm]
        arm += 1
    side = [2 if t == 0 else draw(2), int(t < ROWS // 2)]
    if side[1] == 1 and could[2] and draw(9) == 0:
        arm = 2  # played more often than it says in the first half
    high = min(Fraction(1), p[arm] + Fraction(1, 2048))
    low = [max(Fraction(0), q - Fraction(1, 2048)) if c else Fraction(0) for q, c in zip(p, could)]
    rows.append((arm, high, side, low, could))
    print("row", arm, float(high), *side, *map(float, low), *map(int, could), sep=",")

sizes = [Fraction(1, 2 ** (j + 1)) for j in range(SIZES)]
for deficits in (0, 1):
    surplus = {(f, s, a, l): Fraction(1) for f in (0, 1) for s in (0, 1) for a in range(ARMS) for l in sizes}
    pulls = {key[:3]: 0 for key in surplus}
    sums = {key[:3]: [Fraction(0), Fraction(0)] for key in surplus}
    for n, (arm, high, side, low, could) in enumerate(rows, 1):
        for f in (0, 1):
            if side[f] == 2:
                continue
            for a in range(ARMS):
                if not could[a]:
                    continue
                x = 1 / high if a == arm else Fraction(0)
                for l in sizes:
                    surplus[f, side[f], a, l] *= 1 + l * (x - 1)
                key = (f, side[f], a)
                pulls[key] += a == arm
                sums[key][0] += low[a]
                sums[key][1] += low[a] ** 2
        if n in (40, 80, ROWS):
            accounts = [sum(surplus[(*key, l)] for l in sizes) / SIZES for key in pulls]
            total = sum(Decimal(m.numerator) / Decimal(m.denominator) for m in accounts)
            count = len(accounts)
            if deficits:
                count *= 2
                for key, (one, two) in sums.items():
                    m = Decimal(0)
                    for l in sizes:
                        up = l * one + l * l * two / 2
                        m += ((Decimal(up.numerator) / Decimal(up.denominator)) + pulls[key] * ln(1 - l)).exp()
                    total += m / SIZES
            print("e", deficits, n, format((total / count).ln(), ".17g"), sep=",")
