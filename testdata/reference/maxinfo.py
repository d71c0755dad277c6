"""References of analyze/stat/maxinfo and analyze/stat/bias in arbitrary precision.

Made with Python 3.11.7 and mpmath 1.3.0:

    python3 maxinfo.py > maxinfo.csv

rho,c,value | corrected,lnp,sigma,ln | gamma,lnalpha,sigma,ln |
theorem20,lnp,eps,n,ln p_corr,ln beta | theorem20gamma,lnalpha,eps,n,ln gamma,ln beta |
tanh4,c,value | shift,c,mu,lower,upper
"""
import mpmath as mp

mp.mp.dps = 50


def show(kind, args, *values):
    print(",".join([kind, *args, *(mp.nstr(v, 20) for v in values)]))


def f(text):
    return mp.mpf(float(text))


def k(eps, n, b):
    return eps ** 2 * n / 2 + eps * mp.sqrt(n * (mp.log(2) - b) / 2)


def golden(g, lo, hi):
    """Minimum of a unimodal g on [lo, hi]."""
    r = (mp.sqrt(5) - 1) / 2
    for _ in range(260):
        a, b = hi - r * (hi - lo), lo + r * (hi - lo)
        if g(a) < g(b):
            hi = b
        else:
            lo = a
    return (lo + hi) / 2


for c in "1e-150 1e-8 1e-3 0.05 0.1 0.25 0.5 0.999999 1 1.000001 2 5 20 100 800".split():
    x = f(c)
    dps = mp.mp.dps
    mp.mp.dps = 400
    show("rho", [c], mp.log(mp.expm1(x) / x) - 1 + x / mp.expm1(x))
    mp.mp.dps = dps
for lp in "-0.1 -2.995732273553991 -50 -5000 -1e8".split():
    for s in "0.01 0.25 1 3".split():
        L, g = -f(lp), f(s)
        show("corrected", [lp, s], mp.mpf(0) if mp.sqrt(2 * L) <= g else -(mp.sqrt(2 * L) - g) ** 2 / 2)
        show("gamma", [lp, s], -(mp.sqrt(2 * L) + g) ** 2 / 2)
for lp, e, n in [("-2.995732273553991", "0.05", "500"), ("-6.907755278982137", "0.05", "500"),
                 ("-2.995732273553991", "0.1", "25"), ("-40", "0.25", "20000"), ("-900", "0.01", "100000"),
                 ("-5000", "1e-6", "1000"), ("-12", "0.001", "34")]:
    L, E, N = f(lp), f(e), mp.mpf(int(n))
    b = golden(lambda b: mp.log(mp.exp(b) + mp.exp(k(E, N, b) + L)), L - 200, mp.mpf(0))
    show("theorem20", [lp, e, n], min(mp.mpf(0), mp.log(mp.exp(b) + mp.exp(k(E, N, b) + L))), b)
    b = golden(lambda b: -(mp.log(mp.exp(L) - mp.exp(b)) - k(E, N, b)), L - 200, L - mp.mpf(10) ** -45)
    show("theorem20gamma", [lp, e, n], mp.log(mp.exp(L) - mp.exp(b)) - k(E, N, b), b)
for c in "1e-9 0.05 1 2 50".split():
    show("tanh4", [c], mp.tanh(f(c) / 4))
for c in "1e-9 0.05 0.5 1 50 800".split():
    for m in "0.001 0.1 0.5 0.9".split():
        E, M = mp.expm1(f(c)), f(m)
        u = lambda mu: mu * (1 - mu) * E / (1 + E * mu)
        show("shift", [c, m], -u(1 - M), u(M))
