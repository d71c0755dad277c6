"""Least squares with errors by cluster by statsmodels.

Made with Python 3.11.7, numpy 2.4.6, statsmodels 0.15.0:

    python3 clustered_statsmodels.py > clustered_statsmodels.csv

Rows, clusters and models as in clustered_exact.py. As in regress_statsmodels.py,
x1 and x2 are shifted by 10^6 (exact) and the intercept is not written. CR1 is
statsmodels' default correction, CR0 is none; p and intervals by use_t; f and fp
are of all slopes being 0.

model,cluster,quantity,coefficient,value
"""
import math
import numpy as np
import statsmodels.api as sm

d = np.loadtxt("offset.csv", delimiter=",", skiprows=1)
d[:, 1:3] -= 1e6
n = len(d)
clusters = {
    "uneven": [math.isqrt(4 * t) for t in range(n)], "own": list(range(n)),
    "mixed": [t if t < 20 else 20 + t // 10 for t in range(n)], "few": [3 * t // 120 for t in range(n)],
}
row4 = (np.arange(n) == 4).astype(float)
models = {"offset": (d[:, 1:], "x1 x2 x3"), "leverage": (np.column_stack([d[:, 1:], row4]), "x1 x2 x3 row4")}
for model, (x, names) in models.items():
    for name, groups in clusters.items():
        for kind, corrected in (("CR0", False), ("CR1", True)):
            options = {"groups": np.array(groups), "use_correction": corrected}
            fit = sm.OLS(d[:, 0], sm.add_constant(x)).fit(cov_type="cluster", cov_kwds=options, use_t=True)
            if name != "few":  # where the covariance of the slopes is singular
                print(f"{model},{name},f_{kind},,{float(fit.fvalue):.15g}")
                print(f"{model},{name},fp_{kind},,{float(fit.f_pvalue):.15g}")
            for j, c in enumerate(names.split(), 1):
                lo, hi = fit.conf_int()[j]
                for quantity, v in ((kind, fit.bse[j]), (f"p_{kind}", fit.pvalues[j]), (f"lo_{kind}", lo), (f"hi_{kind}", hi)):
                    print(f"{model},{name},{quantity},{c},{v:.15g}")
