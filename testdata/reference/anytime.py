"""Evidence by betting on a small log of twelve rounds and three arms.

Made with Python 3.11.7 and mpmath 1.3.0, at 50 digits:

    python3 anytime.py

prints the numbers of analyze/stat/eprocess/*_test.go, from the products themselves, round
by round, in another order and without the algebra of the Go program.
"""
from fractions import Fraction as F

import mpmath as mp

mp.mp.dps = 50
THETA = [mp.expm1(mp.mpf(2) ** (j - 12)) for j in range(16)]
ARM = [0, 1, 2, 0, 0, 2, 1, 2, 2, 1, 2, 0]
Y = [1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1]
P = [[F(1, 3)] * 3] * 3 + [[F(2, 5), F(1, 5), F(2, 5)]] * 3 \
    + [[F(3, 10), F(1, 5), F(1, 2)]] * 3 + [[F(1, 5), F(1, 10), F(7, 10)]] * 3


def m(x):
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, F) else mp.mpf(x)


def assignment(rounds):
    """rounds: (first arm?, share of the first arm, reward)."""
    psi = [s * mp.mpf(v) for s in (1, -1) for v in ("0.25", "0.5", "1", "1.5")]
    capital, n, s, most = [mp.mpf(1)] * 8, 0, mp.mpf(0), mp.mpf(1)
    for first, r, y in rounds:
        yhat = (mp.mpf(1) / 2 + s) / (1 + n)
        l = mp.log(yhat / (1 - yhat))
        for i, v in enumerate(psi):
            fa, fb = (1 / (1 + mp.exp(-(l + h))) for h in (v / 2, -v / 2))
            ga, gb = (f ** y * (1 - f) ** (1 - y) for f in (fa, fb))
            capital[i] *= (ga if first else gb) / (m(r) * ga + (1 - m(r)) * gb)
        n, s = n + 1, s + m(y)
        most = max(most, sum(capital) / 8)
    return [mp.nstr(x, 13) for x in (sum(capital) / 8, most, sum(capital[:4]) / 4, sum(capital[4:]) / 4)]


def pair(a, b):
    return [(x == a, P[t][a] / (P[t][a] + P[t][b]), Y[t]) for t, x in enumerate(ARM) if x in (a, b)]


def plain(up, down, base_up, base_down, d):
    """ln of both sides by the plain weights."""
    side = lambda xs, mean: sum(mp.fprod((1 + t * m(x)) / (1 + t * mean) for x in xs) for t in THETA) / 16
    return side(up, base_up + d), side(down, base_down - d)


def around(scores, bound, bound_down, d):
    """Both sides around a plug-in; a bet is dropped at the first round that could ruin it."""
    def side(sign, bounds):
        total = mp.mpf(0)
        for t in THETA:
            if all(t * m(b) < 1 for b in bounds):
                total += mp.fprod((1 + sign * t * m(x)) / (1 + sign * t * d) for x in scores)
        return total / 16
    return side(1, bound), side(-1, bound_down)


def scores(a, b):
    n, s, out, lows, highs = [0, 0, 0], [F(0)] * 3, [], [], []
    for t, x in enumerate(ARM):
        ma, mb = ((s[i] + F(1, 2)) / (n[i] + 1) for i in (a, b))
        value = lambda i, y: ma - mb + (F(i == a) / P[t][a]) * (y - ma) - (F(i == b) / P[t][b]) * (y - mb)
        all_values = [value(i, y) for i in range(3) for y in (0, 1)]
        out.append(value(x, F(Y[t])))
        lows.append(max(F(1), -min(all_values)))
        highs.append(max(F(1), max(all_values)))
        n[x] += 1
        s[x] += Y[t]
    return out, lows, highs


def ends(e, lo, hi, level=20):
    """Where e crosses 1/α, by bisection from its least value."""
    least = lo + (hi - lo) * min(range(1, 2000), key=lambda i: e(lo + (hi - lo) * mp.mpf(i) / 2000)) / mp.mpf(2000)
    out = []
    for outer in (lo, hi):
        x, y = mp.mpf(outer), least
        if e(x) < level:
            out.append(x)
            continue
        for _ in range(80):
            mid = (x + y) / 2
            x, y = (x, mid) if e(mid) < level else (mid, y)
        out.append(x)
    return [mp.nstr(v, 12) for v in out]


if __name__ == "__main__":
    print("assignment 3 against 1", assignment(pair(2, 0)))
    print("assignment 3 against 2", assignment(pair(2, 1)))
    half = F(1, 2)
    print("assignment alternating", assignment(
        [(t % 2 == 0, half, int((t // 2 % 4 != 0) == (t % 2 == 0))) for t in range(60)]))
    w = lambda t, i: F(ARM[t] == i) / P[t][i]
    up = [w(t, 2) * Y[t] + w(t, 0) * (1 - Y[t]) for t in range(12)]
    down = [w(t, 0) * Y[t] + w(t, 2) * (1 - Y[t]) for t in range(12)]
    e = lambda d: sum(plain(up, down, 1, 1, d)) / 2
    print("effect 3 less 1, plain: ln e(0)", mp.nstr(mp.log(e(0)), 12), "interval", ends(e, -1, 1))
    phi, low, high = scores(2, 0)
    g = lambda d: sum(around(phi, low, high, mp.mpf(d))) / 2
    print("scores", [mp.nstr(m(x), 9) for x in phi], "bounds", mp.nstr(m(max(low)), 9), mp.nstr(m(max(high)), 9))
    print("around the plug-in: ln e(0)", mp.nstr(mp.log(g(0)), 12), "ln e(-.9)", mp.nstr(mp.log(g("-0.9")), 12))
    print("both: interval", ends(lambda d: (e(d) + g(d)) / 2, -1, 1))
    for name, target in (("uniform", [F(1, 3)] * 3), ("fixed", [F(1, 10), F(1, 10), F(4, 5)])):
        rho = [target[ARM[t]] / P[t][ARM[t]] for t in range(12)]
        v = lambda x: plain([r * y for r, y in zip(rho, Y)], [r * (1 - y) for r, y in zip(rho, Y)], 0, 1, mp.mpf(x))
        print("value of", name, ends(lambda x: sum(v(x)) / 2, 0, 1),
              "ln E_low(.3)", mp.nstr(mp.log(v("0.3")[0]), 11), "ln e(.3)", mp.nstr(mp.log(sum(v("0.3")) / 2), 11))
        gain = lambda x: sum(plain([r * y + 1 - y for r, y in zip(rho, Y)], [r * (1 - y) + y for r, y in zip(rho, Y)], 1, 1, mp.mpf(x))) / 2
        print("gain of", name, ends(gain, -1, 1), "ln e(0)", mp.nstr(mp.log(gain(0)), 12))
