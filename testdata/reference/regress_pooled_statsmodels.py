"""Pooled least squares by statsmodels, designs written out.

Made with Python 3.11.7, numpy 2.4.6, statsmodels 0.15.0:

    python3 regress_pooled_statsmodels.py > regress_pooled_statsmodels.csv

Input, models and columns as in regress_pooled.R, those without "rare" only.
"""
import csv

import numpy as np
import statsmodels.api as sm

rows = list(csv.DictReader(open("pooled.csv")))


def one(model, arms, interactions, intercept):
    use = [r for r in rows if r["arm"] in arms]
    names, cols = [], []

    def column(name, value):
        names.append(name)
        cols.append([value(r) for r in use])

    if intercept:
        column("(intercept)", lambda r: 1.0)
    for a in arms:
        if a != "green" or not intercept:
            column(f"arm[{a}]", lambda r: float(r["arm"] == a))
    for c in ["age", "score"]:
        column(c, lambda r: float(r[c]))
    for c in ["age", "score"] if interactions else []:
        for a in arms:
            if a != "green":
                column(f"arm[{a}]:{c}", lambda r: float(r[c]) * (r["arm"] == a))
    x, y = np.array(cols).T, np.array([float(r["y"]) for r in use])
    about = [i for i, n in enumerate(names) if n.startswith("arm")]
    for kind in ["nonrobust", "HC0", "HC1", "HC2", "HC3"]:
        fit = sm.OLS(y, x).fit(cov_type=kind, use_t=True)
        label = "classical" if kind == "nonrobust" else kind
        for n, se in zip(names, fit.bse):
            print(f"{model},{label},{n},{se:.15g}")
        test = fit.f_test(np.eye(len(names))[about])
        print(f"{model},joint,{label},{float(np.squeeze(test.fvalue)):.15g}")


most = ["red", "green", "blue"]
one("pooled", most + ["rare"], False, True)
one("pooled/interactions", most, True, True)
one("pooled/raw", most + ["rare"], False, False)
one("pooled/raw/interactions", most, True, False)
