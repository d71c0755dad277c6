"""What a normal interval misses where some rewards are rare (analyze/stat/ipw, Rule).

Of m rewards most are normal with a small spread, and each is one from the other end of
the range with probability rate/m. In units of 1/m the mean is off by (J - rate) + r Z,
and its standard error is sqrt(r^2 + J): J is how many of the rare ones were seen
(Poisson), Z standard normal, and r = m times the standard error that the others give.

    python3 testdata/reference/rare.py

prints, for each r, the largest probability over rates with which an interval of nominal
.95 misses: .203 at r = .5, .086 at 1, .0584 at 2. Needs scipy.
"""

import numpy as np
from scipy.stats import norm, poisson

RATES = np.concatenate([np.arange(0.1, 12, 0.1), np.arange(12, 62, 1)])


def missed(r, rate):
    seen = np.arange(0, 300)
    half = norm.isf(0.025) * np.sqrt(r * r + seen)
    off = seen - rate
    return float((poisson.pmf(seen, rate) * (norm.sf((half - off) / r) + norm.cdf((-half - off) / r))).sum())


for r in (0.5, 1, 1.5, 2, 3, 4):
    worst = max(RATES, key=lambda rate: missed(r, rate))
    print(f"r = {r}: {missed(r, worst):.4f} at a rate of {worst:.1f}")
