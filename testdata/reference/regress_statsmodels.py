"""Least squares with HC0-HC3 errors by statsmodels.

Made with Python 3.11.7, numpy 2.4.6, statsmodels 0.15.0:

    python3 regress_statsmodels.py > regress_statsmodels.csv

Input: ../nist/longley.csv, offset.csv (regress_data.py). As in regress.R, the
covariates of "offset" are shifted by 10^6 (exact) and its slopes written only.
"""
import numpy as np
import statsmodels.api as sm

for model, path in [("longley", "../nist/longley.csv"), ("offset", "offset.csv")]:
    lines = [l for l in open(path) if not l.startswith("#")]
    names = ["(intercept)"] + lines[0].strip().split(",")[1:]
    d = np.loadtxt(lines[1:], delimiter=",")
    if model == "offset":
        d[:, 1:3] -= 1e6
    for kind in ["HC0", "HC1", "HC2", "HC3"]:
        fit = sm.OLS(d[:, 0], sm.add_constant(d[:, 1:])).fit(cov_type=kind, use_t=True)
        for name, b, se, p in zip(names, fit.params, fit.bse, fit.pvalues):
            if model == "offset" and name == "(intercept)":
                continue
            print(f"{model},{kind},{name},{se:.15g}")
            print(f"{model},p_{kind},{name},{p:.15g}")
