"""Makes pooled.csv: heteroscedastic rows of four arms, one of them with 2 rows.

Made with Python 3.11.7 and numpy 2.4.6:

    python3 regress_pooled_data.py > pooled.csv
"""
import numpy as np

r = np.random.Generator(np.random.PCG64(20180602))
n = 150
arm = r.integers(0, 3, size=n)
arm[[17, 101]] = 3
age = np.round(40 + 12 * r.normal(size=n), 1)
score = r.normal(size=n) + 0.3 * arm
y = 0.2 + 0.01 * age + 0.3 * score + 0.25 * arm - 0.004 * arm * age + r.normal(size=n) * np.exp(0.3 * score)
print("y,arm,age,score")
for row in zip(y, arm, age, score):
    print(",".join([repr(float(row[0])), ["red", "green", "blue", "rare"][row[1]], repr(float(row[2])), repr(float(row[3]))]))
