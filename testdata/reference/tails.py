"""Log tail probabilities in arbitrary precision, the reference of analyze/tail.

Made with Python 3.11.7 and mpmath 1.3.0:

    python3 tails.py > tails.csv

Each line is: law, up to three parameters, ln P to 20 digits.
normal,z | student,t,df (one-sided) | fisher,f,d1,d2 | chisquare,x,df |
atleast,k,n,p and atmost,k,n,p (binomial; p is the float64 nearest the literal).
"""
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
