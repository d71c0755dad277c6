"""Log tail probabilities in arbitrary precision, the reference of analyze/stat/tail.

Made with Python 3.11.7 and mpmath 1.3.0:

    python3 tails.py > tails.csv

Each line is: law, up to three parameters, ln P to 20 digits.
normal,z | student,t,df (one-sided) | fisher,f,d1,d2 | chisquare,x,df |
atleast,k,n,p and atmost,k,n,p (binomial; p is the float64 nearest the literal).
It takes about two minutes. The lines after the first 151 come from other formulas
than those before: the continued fractions of A&S 26.5.8 and DLMF 8.9.2.
"""
import random

import mpmath as mp

mp.mp.dps = 60


def show(law, *args, value):
    print(",".join([law, *args, mp.nstr(value, 20)]))


def tail_integral(f, lo, scale):
    """Integral of f from lo to infinity; f decays on the given scale."""
    points = [lo] + [lo + scale * 2 ** k for k in range(-4, 12)] + [mp.inf]
    return mp.quad(f, points)


def normal(z):
    z = mp.mpf(z)
    if z < 0:
        return mp.log1p(-mp.erfc(-z / mp.sqrt(2)) / 2)
    return mp.log(mp.erfc(z / mp.sqrt(2)) / 2)


def student(t, df):
    t, df = mp.mpf(t), mp.mpf(df)
    logc = mp.loggamma((df + 1) / 2) - mp.loggamma(df / 2) - mp.log(df * mp.pi) / 2
    # Factor out the density at t so that quad works on numbers of order 1.
    at = -(df + 1) / 2 * mp.log1p(t * t / df)
    g = lambda u: mp.exp(-(df + 1) / 2 * mp.log1p(u * u / df) - at)
    scale = (df + t * t) / ((df + 1) * t) if t > 1 else mp.mpf(1)
    return logc + at + mp.log(tail_integral(g, t, scale))


def fisher(f, d1, d2):
    f, d1, d2 = mp.mpf(f), mp.mpf(d1), mp.mpf(d2)
    x = d2 / (d2 + d1 * f)
    return logbeta(d2 / 2, d1 / 2, x)


def logbeta(a, b, x):
    """ln I_x(a, b) by the positive hypergeometric series, at any size."""
    pref = a * mp.log(x) + b * mp.log1p(-x) - mp.log(a)
    pref -= mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    term = total = mp.mpf(1)
    k = 0
    while term > total * mp.mpf(10) ** -35:
        term *= (a + b + k) / (a + 1 + k) * x
        total += term
        k += 1
    return pref + mp.log(total)


def chisquare(x, df):
    x, df = mp.mpf(x), mp.mpf(df)
    return mp.log(mp.gammainc(df / 2, x / 2, mp.inf, regularized=True))


def upper(k, n, p):
    """P(X >= k) by summing the mass function upwards (k above the mean)."""
    q = 1 - p
    logpmf = (mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
              + k * mp.log(p) + (n - k) * mp.log(q))
    mp.mp.dps = 40
    term = total = mp.mpf(1)
    r = p / q
    j = k
    while j < n and term > total * mp.mpf(10) ** -30:
        term *= r * (n - j) / (j + 1)
        total += term
        j += 1
    mp.mp.dps = 60
    return mp.exp(logpmf) * total if logpmf > -10000 else (logpmf, total)


def logsum(v):
    return mp.log(v) if not isinstance(v, tuple) else v[0] + mp.log(v[1])


def atleast(k, n, p):
    p = mp.mpf(float(p))
    if k > n * p:
        return logsum(upper(k, n, p))
    return mp.log1p(-mp.exp(logsum(upper(n - k + 1, n, 1 - p))))


def atmost(k, n, p):
    p = mp.mpf(float(p))
    if k == n:
        return mp.mpf(0)
    if k < n * p:
        return logsum(upper(n - k, n, 1 - p))
    return mp.log1p(-mp.exp(logsum(upper(k + 1, n, p))))


for z in "-40 -8.5 -1 0 0.5 1.959963984540054 5 8.3 10 20 24.9 25.1 37 40 100 1000 10000".split():
    show("normal", z, value=normal(mp.mpf(float(z))))
for df in "1 2 3 10 29 99.5 1000 20000000".split():
    for t in "0.1 0.5 1 2 3.7 5 10 20 37 100".split():
        show("student", t, df, value=student(float(t), float(df)))
for t, df in [("1e8", "3"), ("1e20", "1"), ("1000", "499")]:
    show("student", t, df, value=student(float(t), float(df)))
for f, d1, d2 in [("0.3", "2", "30"), ("1", "10", "989"), ("2.5", "3", "7"), ("330.285339234588", "6", "9"),
                  ("5585.57", "1", "34"), ("40", "10", "989"), ("700", "10", "19989"), ("1.2", "200", "5000"),
                  ("3", "10", "2000000")]:
    show("fisher", f, d1, d2, value=fisher(float(f), float(d1), float(d2)))
for x, df in [("0.5", "4"), ("3", "4"), ("11.07", "5"), ("40", "5"), ("1500", "5"), ("34", "34"), ("90", "34"),
              ("900", "1000"), ("1300", "1000"), ("20000", "5")]:
    show("chisquare", x, df, value=chisquare(float(x), float(df)))
for k, n, p in [(1, 1, "0.5"), (3, 10, "0.5"), (7, 10, "0.3"), (10, 10, "0.3"), (60, 100, "0.5"), (99, 100, "0.5"),
                (5200, 10000, "0.5"), (9000, 10000, "0.5"), (12, 1000000, "1e-6"), (500, 1000000, "1e-6"),
                (510000, 1000000, "0.5"), (500010000, 1000000000, "0.5"), (500200000, 1000000000, "0.5"),
                (600000000, 1000000000, "0.5"), (1300, 1000000000, "1e-6"), (999999000, 1000000000, "0.999998")]:
    show("atleast", str(k), str(n), p, value=atleast(k, n, p))
    show("atmost", str(k), str(n), p, value=atmost(k, n, p))


def fraction(b, terms):
    """b + a1/(b1 + a2/(b2 + ...)) by the modified Lentz method; terms(i) = (ai, bi)."""
    tiny = mp.mpf(10) ** -400
    f = c = b or tiny
    d = mp.mpf(0)
    i = 0
    while True:
        i += 1
        a, b = terms(i)
        d = 1 / (b + a * d or tiny)
        c = b + a / c or tiny
        f *= c * d
        if abs(c * d - 1) < mp.mpf(10) ** -35:
            return f


def log1mexp(v):
    return mp.log1p(-mp.exp(v)) if v < -1 else mp.log(-mp.expm1(v))


def beta2(a, b, x, y):
    """ln I_x(a, b) for y = 1 - x."""
    if a * y < b * x:
        return log1mexp(beta2(b, a, y, x))

    def terms(i):
        m, odd = divmod(i, 2)
        if odd:
            return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1
        return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1

    logb = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    return a * mp.log(x) + b * mp.log(y) - mp.log(a) - logb - mp.log(fraction(mp.mpf(1), terms))


def student2(t, df):
    v = beta2(df / 2, mp.mpf(1) / 2, df / (df + t * t), t * t / (df + t * t))
    return v - mp.log(2) if t >= 0 else mp.log1p(-mp.exp(v) / 2)


def fisher2(f, d1, d2):
    return beta2(d2 / 2, d1 / 2, d2 / (d2 + d1 * f), d1 * f / (d2 + d1 * f))


def chisquare2(x, df):
    a, h = df / 2, x / 2
    prefix = a * mp.log(h) - h - mp.loggamma(a)
    if h > a + 1:
        return prefix - mp.log(fraction(h + 1 - a, lambda i: (-i * (i - a), h + 1 - a + 2 * i)))
    term = total = 1 / a
    k = a
    while term > total * mp.mpf(10) ** -40:
        k += 1
        term *= h / k
        total += term
    return log1mexp(prefix + mp.log(total))


def more(law, *args):
    """Writes a line; whole numbers are counts, the others float64."""
    v = [mp.mpf(a) for a in args]
    if law == "atleast":
        value = beta2(v[0], v[1] - v[0] + 1, v[2], 1 - v[2])
    elif law == "atmost":
        value = beta2(v[1] - v[0], v[0] + 1, 1 - v[2], v[2])
    else:
        value = {"normal": normal, "student": student2, "fisher": fisher2, "chisquare": chisquare2}[law](*v)
    show(law, *map(repr, args), value=value)


for z in (24.999999, 25.0, 25.000001, 37.5, 38.6, 1e8, 1e150, -1e-300, -5e-9, -37.0):
    more("normal", z)
for t, df in [(37.0, 1e9), (37.0, 1e12), (37.0, 1e15), (1e3, 1e9), (1e-8, 1e15), (40.0, 3e5), (1e50, 1e6),
              (1e150, 0.5), (1e300, 1.0), (1e300, 30.0), (1e308, 1e-3), (1e99, 0.001), (1e101, 0.001), (1e100, 1.0),
              (1e101, 1.0), (1e102, 1e8), (2.0, 1e-3), (1e-300, 3.0), (-1e3, 5.0), (-1e-5, 1e9)]:
    more("student", t, df)
for f, d1, d2 in [(1e308, 10.0, 1.0), (1e300, 10.0, 1.0), (1e300, 1.0, 1e6), (1e306, 1000.0, 0.01), (1e200, 5.0, 1e3),
                  (1e99, 7.0, 3.0), (1e101, 7.0, 3.0), (1e5, 1e3, 1e3), (1e6, 1.0, 1e9), (1500.0, 1.0, 1e12),
                  (1.0001, 1e6, 1e6), (3.0, 1e3, 1e6), (0.5, 1e5, 10.0), (1e-12, 10.0, 989.0), (1e-300, 2.0, 3.0),
                  (1e-200, 1e-3, 7.0)]:
    more("fisher", f, d1, d2)
for x, df in [(1e-300, 1.0), (1e-300, 1e-3), (1e300, 1.0), (1e15, 3.0), (1490.0, 3.0), (2000.0, 1.0), (1e5, 1.0),
              (1e-5, 200.0), (1e6, 1e6), (1e9, 1e9), (1.01e9, 1e9), (9.9e8, 1e9)]:
    more("chisquare", x, df)
for k, n, p in [(1, 10 ** 12, 1e-300), (5, 10 ** 12, 1e-300), (10 ** 12, 10 ** 12, 0.5), (10 ** 12, 10 ** 12, 1 - 1e-15),
                (10 ** 9, 10 ** 9, 1 - 1e-9), (1, 10 ** 9, 1e-9), (3 * 10 ** 8, 10 ** 9, 1e-12), (1000, 10 ** 15, 1e-15),
                (2 ** 53, 2 ** 53, 1e-10), (500037000000, 10 ** 12, 0.5), (999, 1000, 1e-200), (1, 1, 5e-324),
                (20, 20, 5e-324), (1, 2, 1e-320)]:
    more("atleast", k, n, p)
    more("atmost", k - 1, n, p)

R = random.Random(5)


def power(lo, hi):
    return 10 ** R.uniform(lo, hi)


for _ in range(60):
    more("student", R.choice([1, 1, -1]) * R.choice([power(-6, 3), power(-6, 12), R.uniform(0, 50)]),
         R.choice([power(-3, 2), power(0, 6), float(R.randint(1, 60))]))
    more("fisher", R.choice([power(-6, 1), power(0, 8), R.uniform(0.5, 2)]),
         R.choice([power(-2, 3), float(R.randint(1, 20)), power(0, 6)]), R.choice([power(-2, 3), power(1, 6)]))
    df = R.choice([power(-3, 3), power(0, 6)])
    more("chisquare", R.choice([power(-8, 5), df * R.uniform(0.5, 2)]), df)
    n = int(R.choice([power(0, 7), R.randint(1, 40)]))
    p = R.choice([R.random(), power(-300, 0), power(-12, 0), 1 - power(-15, 0)])
    k = R.choice([R.randint(1, n), int(n * p + R.uniform(-40, 40) * (n * p * (1 - p)) ** 0.5)])
    k = min(max(k, 1), n)
    more("atleast", k, n, p)
    more("atmost", k - 1, n, p)
