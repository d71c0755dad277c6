"""The floor f of p = f + (1 - K f) posterior that makes the allocations of
Offer-Westort, Coppock & Green 2021, study 1, most likely, given the posteriors.

    python3 owcg_floor.py .../owcg2021/minimum-wage-posteriors.csv

Needs scipy 1.17 and pandas 3; the data is not part of the project."""
import sys

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar

d = pd.read_csv(sys.argv[1])
p = d.pivot(index="batch", columns="arm", values="posterior_prob").values
n = d.pivot(index="batch", columns="arm", values="trials").values
k = p.shape[1]


def loss(f):
    return -sum((n[b] * np.log(f + (1 - k * f) * p[b - 1])).sum() for b in range(1, len(p)))


fit = minimize_scalar(loss, bounds=(1e-6, 1 / k), method="bounded", options={"xatol": 1e-10})
print(f"floor {fit.x:.6f}, gain {loss(0) - fit.fun:.4f}")
