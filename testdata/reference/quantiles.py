"""Quantiles and Clopper-Pearson limits at levels of any size.

Made with Python 3.11.7 and mpmath 1.3.0:

    python3 quantiles.py > quantiles.csv

normal,ln q,z | student,ln q,df,t | clopper,x,n,ln alpha,lo,hi (two-sided)
"""
import mpmath as mp

mp.mp.dps = 50


def solve(f, lo, hi):
    """Root of f, positive at lo and negative at hi, to 40 digits."""
    for _ in range(220):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if f(mid) > 0 else (lo, mid)
    return (lo + hi) / 2


def show(kind, args, *values):
    print(",".join([kind, *args, *(mp.nstr(v, 20) for v in values)]))


def lnormal(z):
    return mp.log(mp.erfc(z / mp.sqrt(2)) / 2)


def lstudent(t, df):
    """ln P(T > t) by the hypergeometric series in df/(df+t^2)."""
    a, b = df / 2, mp.mpf(1) / 2
    x = df / (df + t * t)
    pref = a * mp.log(x) + b * mp.log1p(-x) - mp.log(a) - mp.loggamma(a) - mp.loggamma(b) + mp.loggamma(a + b)
    return pref + mp.log(mp.hyp2f1(a + b, 1, a + 1, x)) - mp.log(2)


def latleast(k, n, p):
    """ln P(X >= k) summed over all outcomes."""
    terms = [mp.loggamma(n + 1) - mp.loggamma(j + 1) - mp.loggamma(n - j + 1)
             + j * mp.log(p) + (n - j) * mp.log1p(-p) for j in range(k, n + 1)]
    m = max(terms)
    return m + mp.log(sum(mp.exp(t - m) for t in terms))


for lq in "-0.1 -0.7 -1 -3.6888794541139363 -50 -1000 -50000000".split():
    v = mp.mpf(float(lq))
    if v > -mp.log(2):
        w = mp.log1p(-mp.exp(v))
        show("normal", [lq], -solve(lambda z: lnormal(z) - w, mp.mpf(0), mp.mpf(20)))
    else:
        show("normal", [lq], solve(lambda z: lnormal(z) - v, mp.mpf(0), mp.sqrt(-2 * v) + 1))
for df in "1 2 9.5 499 1e6".split():
    for lq in "-1 -3.6888794541139363 -50 -600".split():
        v, d = mp.mpf(float(lq)), mp.mpf(float(df))
        if mp.mpf(-600) / d < -650:
            continue
        t = mp.exp(solve(lambda u: lstudent(mp.exp(u), d) - v, mp.mpf(-30), mp.mpf(700)))
        show("student", [lq, df], t)
for x, n in [(0, 10), (10, 10), (3, 10), (60, 100), (1, 400), (399, 400)]:
    for la in "-2.995732273553991 -100 -5000".split():
        h = mp.mpf(float(la)) - mp.log(2)
        lo = mp.mpf(0) if x == 0 else mp.exp(solve(lambda u: h - latleast(x, n, mp.exp(u)), mp.mpf(-8000), -mp.mpf(10) ** -40))
        # P(X <= x; p) = P(n-X >= n-x; 1-p)
        hi = mp.mpf(1) if x == n else 1 - mp.exp(solve(lambda u: h - latleast(n - x, n, mp.exp(u)), mp.mpf(-8000), -mp.mpf(10) ** -40))
        show("clopper", [str(x), str(n), la], lo, hi)
