"""Confidence sequences in arbitrary precision and small checks by SciPy.

Made with Python 3.11.7, mpmath 1.3.0:

    python3 adaptive.py > adaptive.csv

sequence,n,mean,lo,hi,K,ln alpha,value -> lower,upper,ln p of value
"""
import mpmath as mp

mp.mp.dps = 40


def f(v):
    return mp.mpf(float(v))


for n, mean, lo, hi, k, la, value in [
    (1, 0.3, 0, 1, 2, -2.995732273553991, 0.5), (100, 0.3, 0, 1, 5, -2.995732273553991, 0.5),
    (4000, 0.61, 0, 1, 5, -2.995732273553991, 0.5), (20000, 0.602, -1, 3, 34, -700, 0.1),
    (1000000000, 0.5001, 0, 1, 3, -5000, 0.5), (7, -2, -5, 5, 1, -0.1, -2),
]:
    N, D, rho = mp.mpf(n), f(hi) - f(lo), mp.mpf(100)
    r = D / (2 * N) * mp.sqrt((N + rho) * (mp.log((N + rho) / rho) + 2 * (mp.log(k) - f(la))))
    # Invert by the definition: the alpha at which the radius is |mean - value|.
    d = abs(f(mean) - f(value))
    lp = mp.log(k) - ((2 * N * d / D) ** 2 / (N + rho) - mp.log((N + rho) / rho)) / 2
    out = [f(mean) - r, f(mean) + r, min(mp.mpf(0), lp)]
    print(",".join(["sequence", *map(str, (n, mean, lo, hi, k, la, value)), *(mp.nstr(v, 20) for v in out)]))
