"""Least squares with classical and HC0-HC3 errors in 60-digit arithmetic.

Made with Python 3.11.7 and mpmath 1.3.0:

    python3 regress_exact.py > regress_exact.csv

Input: ../nist/longley.csv, ../nist/norris.csv, offset.csv (regress_data.py).
Models are "dataset" with an intercept and "dataset/raw" without.
"""
import mpmath as mp

mp.mp.dps = 60


def read(path):
    lines = [l.strip() for l in open(path) if l.strip() and not l.startswith("#")]
    # float() first: the reference is for the float64 that a program reads.
    return lines[0].split(","), [[mp.mpf(float(v)) for v in l.split(",")] for l in lines[1:]]


def show(model, quantity, name, value):
    print(f"{model},{quantity},{name},{mp.nstr(value, 20)}")


def fit(model, names, rows, intercept):
    y = mp.matrix([r[0] for r in rows])
    x = mp.matrix([([mp.mpf(1)] if intercept else []) + r[1:] for r in rows])
    names = (["(intercept)"] if intercept else []) + names
    n, k = x.rows, x.cols
    inv = (x.T * x) ** -1
    b = inv * (x.T * y)
    e = y - x * b
    rss = (e.T * e)[0]
    m = sum(y) / n if intercept else mp.mpf(0)
    tss = sum((v - m) ** 2 for v in y)
    df = n - k
    slopes = k - (1 if intercept else 0)
    s2 = rss / df
    show(model, "rss", "", rss)
    show(model, "sigma2", "", s2)
    show(model, "r_squared", "", 1 - rss / tss)
    show(model, "adj_r_squared", "", 1 - rss / df / (tss / (n - (1 if intercept else 0))))
    f = (tss - rss) / slopes / s2
    show(model, "f_statistic", "", f)
    h = [(x[t, :] * inv * x[t, :].T)[0] for t in range(n)]
    show(model, "max_leverage", "", max(h))
    weights = {"HC0": lambda t: 1, "HC1": lambda t: mp.mpf(n) / df,
               "HC2": lambda t: 1 / (1 - h[t]), "HC3": lambda t: 1 / (1 - h[t]) ** 2}
    cov = {"classical": inv * s2}
    for kind, w in weights.items():
        meat = mp.zeros(k)
        for t in range(n):
            meat += x[t, :].T * x[t, :] * (e[t] ** 2 * w(t))
        cov[kind] = inv * meat * inv
    for j, name in enumerate(names):
        show(model, "estimate", name, b[j])
        for kind, c in cov.items():
            show(model, kind, name, mp.sqrt(c[j, j]))
    d = mp.diag([1 / mp.sqrt((x[:, j].T * x[:, j])[0]) for j in range(k)])
    ev = mp.eigsy(d * x.T * x * d, eigvals_only=True)
    show(model, "condition", "", mp.sqrt(max(ev) / min(ev)))


for model, path in [("longley", "../nist/longley.csv"), ("norris", "../nist/norris.csv"), ("offset", "offset.csv")]:
    head, rows = read(path)
    fit(model, head[1:], rows, True)
    fit(model + "/raw", head[1:], rows, False)
