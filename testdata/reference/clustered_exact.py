"""Least squares with errors by cluster in 60-digit arithmetic.

Made with Python 3.11.7 and mpmath 1.3.0:

    python3 clustered_exact.py > clustered_exact.csv

Input: offset.csv (regress_data.py); row t = 0, 1, … is in cluster isqrt(4t)
("uneven"), t ("own"), t for t < 20 and 20 + t//10 beyond ("mixed") or 3t//120
("few", not more than there are coefficients). The model "leverage" has a fourth
column that marks row 4, "offset/raw" has no intercept.

model,cluster,quantity,coefficient,value
"""
import math
import mpmath as mp

mp.mp.dps = 60
lines = [l.strip() for l in open("offset.csv")]
names = lines[0].split(",")[1:]
rows = [[mp.mpf(float(v)) for v in l.split(",")] for l in lines[1:]]
clusters = {
    "uneven": lambda t: math.isqrt(4 * t), "own": lambda t: t,
    "mixed": lambda t: t if t < 20 else 20 + t // 10, "few": lambda t: 3 * t // 120,
}


def fit(model, columns, names):
    y, x = mp.matrix([r[0] for r in rows]), mp.matrix(columns)
    n, k = x.rows, x.cols
    inv = (x.T * x) ** -1
    e = y - x * (inv * (x.T * y))
    for name, cluster in clusters.items():
        scores = {}
        for t in range(n):
            g = cluster(t)
            scores[g] = scores.get(g, mp.zeros(1, k)) + x[t, :] * e[t]
        meat = mp.zeros(k)
        for s in scores.values():
            meat += s.T * s
        cov, g = inv * meat * inv, len(scores)
        factor = {"CR0": mp.mpf(1), "CR1": mp.mpf(g) / (g - 1) * (n - 1) / (n - k)}
        for kind, f in factor.items():
            for j, c in enumerate(names):
                print(f"{model},{name},{kind},{c},{mp.nstr(mp.sqrt(f * cov[j, j]), 20)}")


one = mp.mpf(1)
fit("offset", [[one] + r[1:] for r in rows], ["(intercept)"] + names)
fit("offset/raw", [r[1:] for r in rows], names)
fit("leverage", [[one] + r[1:] + [mp.mpf(t == 4)] for t, r in enumerate(rows)], ["(intercept)"] + names + ["row4"])
