"""Tests of bounded rewards by the inequalities of Hoeffding and of Maurer & Pontil.

Made with Python 3.11.7 and mpmath 1.3.0:

    python3 bounded.py > bounded.csv

An arm is: rows, mean, lo, hi, units, sum of squared unit sizes, largest unit,
sum of squared deviations of unit sums. Lines are
hoeffding|bernstein, arm, value, alternative (0 two-sided, 1 greater, 2 less), ln alpha -> ln p, lo, hi
hoeffding2|bernstein2, arm, arm, units of both, sum of products of unit sizes, value, alternative, ln alpha -> ln p, lo, hi

p solves a quadratic here, or is found by halving at 40 digits; the program halves bits.
"""
from fractions import Fraction

import mpmath as mp

mp.mp.dps = 40


def arm(units, lo, hi):
    """units: the rewards of each unit; numbers come out exact where they are multiples of 1/64."""
    units = [[Fraction(y) for y in u] for u in units]
    n = sum(map(len, units))
    mean = Fraction(float(Fraction(sum(map(sum, units)), n)))
    m2 = sum((sum(u) - len(u) * mean) ** 2 for u in units)
    return [n, float(mean), lo, hi, len(units), sum(len(u) ** 2 for u in units), max(map(len, units)), float(m2)]


def sides(alt, d):
    return [abs(d), mp.log(2)] if alt == 0 else [d if alt == 1 else -d, mp.mpf(0)]


def report(kind, args, est, lo, hi, value, alt, la, tail, radius):
    """tail(d): ln p of one side; radius(ln alpha): one side's."""
    d, two = sides(alt, est - mp.mpf(value))
    lp = mp.mpf(0) if d <= 0 else min(mp.mpf(0), two + tail(d))
    r = radius(mp.mpf(la) - two)
    ends = (lo if alt == 2 else max(lo, est - r), hi if alt == 1 else min(hi, est + r))
    print(",".join([kind, *map(repr, args), repr(value), str(alt), repr(la), *(mp.nstr(mp.mpf(v), 18) for v in (lp, *ends))]))


def hoeffding(w):
    return lambda d: -2 * d * d / w, lambda la: mp.sqrt(-la * w / 2)


def parts(a):
    """a, c, q of radius(L) = (a sqrt(L) sqrt(M2) + c L)/(1 - a sqrt(L) sqrt(q))."""
    n, mean, lo, hi, g, squares, largest, m2 = map(mp.mpf, a)
    return mp.sqrt(2 * g / (g - 1)) / n, 7 * (hi - lo) * largest * g / (3 * n * (g - 1)), squares - n * n / g, m2


def bernstein(a):
    k, c, q, m2 = parts(a)

    def tail(d):
        b = k * (mp.sqrt(m2) + d * mp.sqrt(q))
        s = (-b + mp.sqrt(b * b + 4 * c * d)) / (2 * c)
        return mp.log(2) - s * s

    return tail, lambda la: radius(a, mp.log(2) - la)


def radius(a, l):
    k, c, q, m2 = parts(a)
    left = 1 - k * mp.sqrt(l * q)
    return mp.inf if left <= 0 else (k * mp.sqrt(l * m2) + c * l) / left


def solve(r, d):
    lo, hi = mp.mpf(0), mp.mpf(1)
    while r(hi) < d:
        hi *= 2
    for _ in range(140):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if r(mid) <= d else (lo, mid)
    return lo


def joint(a, b):
    """Three events: Bernstein with the true variances, and a bound on each."""
    def r(l):
        v, c = mp.mpf(0), mp.mpf(0)
        for n, mean, lo, hi, g, squares, largest, m2 in (map(mp.mpf, a), map(mp.mpf, b)):
            deviation = mp.sqrt(m2 / (n - 1)) + (hi - lo) * mp.sqrt(2 * l / (n - 1))
            v += deviation ** 2 / n
            c = max(c, (hi - lo) / n)
        return mp.sqrt(2 * v * l) + c * l / 3
    return r, 3


def bernstein2(a, b, units):
    if units == a[0] + b[0]:
        r, events = joint(a, b)
    else:
        r, events = lambda l: radius(a, l) + radius(b, l), 4
    return lambda d: mp.log(events) - solve(r, d), lambda la: r(mp.log(events) - la)


ROWS = arm([[(i * i * 7 % 64) / 64] for i in range(90)], 0.0, 1.0)
CALM = arm([[0.25 + (i % 5) / 64] for i in range(400)], 0.0, 1.0)
WIDE = arm([[-3 + (i * 5 % 23) / 4] for i in range(250)], -3.0, 5.0)
SAME = arm([[0.5]] * 60, 0.0, 1.0)
EVEN = arm([[(i * 11 % 64) / 64, (i * 11 % 64) / 64, 0.5] for i in range(80)], 0.0, 1.0)
UNEVEN = arm([[((i * 29 + j) % 64) / 64 for j in range(1 + i * i % 9)] for i in range(300)], 0.0, 1.0)
HUGE = arm([[0.5] * 900] + [[0.25], [0.75]], 0.0, 1.0)
for a in (ROWS, CALM, WIDE, SAME, EVEN, UNEVEN, HUGE):
    n, mean, lo, hi, g, squares, largest, m2 = a
    w = mp.mpf(squares) / n ** 2 * (mp.mpf(hi) - mp.mpf(lo)) ** 2
    for value in (lo, float(mean) - 0.0625, mean + 0.001, hi):
        for alt in (0, 1, 2):
            for la in (-2.995732273553991, -700.0):
                args = (a, mp.mpf(mean), mp.mpf(lo), mp.mpf(hi), value, alt, la)
                report("hoeffding", *args, *hoeffding(w))
                report("bernstein", *args, *bernstein(a))
for a, b, units, cross in ((ROWS, CALM, 490, 0), (WIDE, CALM, 650, 0), (SAME, SAME, 120, 0), (EVEN, UNEVEN, 380, 0),
                           (EVEN, UNEVEN, 300, 1137), (ROWS, CALM, 400, 90)):
    est, lo, hi = mp.mpf(a[1]) - mp.mpf(b[1]), mp.mpf(a[2]) - mp.mpf(b[3]), mp.mpf(a[3]) - mp.mpf(b[2])
    da, db = mp.mpf(a[3]) - mp.mpf(a[2]), mp.mpf(b[3]) - mp.mpf(b[2])
    w = da ** 2 * a[5] / a[0] ** 2 + db ** 2 * b[5] / b[0] ** 2 + 2 * da * db * cross / (a[0] * b[0])
    for value in (float(lo), 0.0, 0.25, float(hi)):
        for alt in (0, 1, 2):
            args = (a + b + [units, cross], est, lo, hi, value, alt, -2.995732273553991)
            report("hoeffding2", *args, *hoeffding(w))
            report("bernstein2", *args, *bernstein2(a, b, units))
