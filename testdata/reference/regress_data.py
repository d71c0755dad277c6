"""Makes offset.csv: heteroscedastic rows with two covariates near 10^6.

Made with Python 3.11.7 and numpy 2.4.6:

    python3 regress_data.py > offset.csv
"""
import numpy as np

r = np.random.Generator(np.random.PCG64(20180601))
n = 120
a, b = r.normal(size=n), r.normal(size=n)
x1, x2 = 1e6 + a, 1e6 + 0.5 * a + b
x3 = (r.random(n) < 0.3).astype(float)
y = 0.3 + 0.7 * a - 0.2 * b + 0.4 * x3 + r.normal(size=n) * np.exp(0.6 * a)
print("y,x1,x2,x3")
for row in zip(y, x1, x2, x3):
    print(",".join(repr(float(v)) for v in row))
