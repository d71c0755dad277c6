"""The beta-binomial mixture against a constant mean, and its intervals.

Made with Python 3.11.7 and mpmath 1.3.0, at 60 digits:

    python3 betabinomial.py > betabinomial.csv

Lines "ratio,m,kappa,s,n,ln M" hold ln M from logarithms of the gamma function at 60
digits; for whole s the script also holds them against the product over the rewards, one
factor each, and stops where the two differ. Lines "interval,sizes,s,n,alpha,lo,hi" hold
the means at which the average of M over sizes (joined by +) is below 1/alpha, found by
halving on either side of s/n.
"""
import sys

import mpmath as mp

mp.mp.dps = 60


def log_m(m, kappa, s, n):
    a, b = kappa * m, kappa * (1 - m)
    beta = lambda x, y: mp.loggamma(x) + mp.loggamma(y) - mp.loggamma(x + y)
    return beta(a + s, b + n - s) - beta(a, b) - s * mp.log(m) - (n - s) * mp.log(1 - m)


def log_product(m, kappa, s, n):
    """The same, reward by reward: successes first, predicted by (a + wins)/(kappa + rows)."""
    out = mp.mpf(0)
    for i in range(int(n)):
        if i < s:
            out += mp.log((kappa * m + i) / (kappa + i) / m)
        else:
            out += mp.log((kappa * (1 - m) + i - s) / (kappa + i) / (1 - m))
    return out


def mixture(m, sizes, s, n):
    return mp.log(sum(mp.exp(log_m(m, k, s, n)) for k in sizes) / len(sizes))


def end(out, inside, sizes, s, n, level):
    for _ in range(150):
        mid = (out + inside) / 2
        if mixture(mid, sizes, s, n) < level:
            inside = mid
        else:
            out = mid
    return out


def kappa(t_opt, alpha="0.05"):
    lnl = 2 * mp.log(1 / mp.mpf(alpha))
    return mp.mpf(t_opt) / (lnl + mp.log(1 + lnl)) - 1


def show(x):
    return mp.nstr(x, 20)


FOUR = [mp.mpf(k) for k in (1, 10, 100, 1000)]

print("kappa,100," + show(kappa(100)))
for m, k, s, n in [
    ("0.5", 1, 0, 1), ("0.5", 10, 15, 50), ("0.3", "11.6", 15, 50), ("0.01", 100, 25, 5000), ("1e-9", 1, 3, 50),
    ("0.7", 1000, 700, 1000), ("0.71", 1000, 700000, 1000000), ("0.3001", 10, 30000000, 100000000),
    ("0.25", 10, "0.4", 3), ("0.9", 100, "17.25", 20), ("1e-6", 1000, 0, 100), ("0.999", 1, 100, 100),
]:
    args = [mp.mpf(x) for x in (m, k, s, n)]
    value = log_m(*args)
    if args[2] == int(args[2]) and args[3] <= 5000 and abs(log_product(*args) - value) > mp.mpf(10) ** -40:
        sys.exit("the product over the rewards differs")
    print(f"ratio,{m},{k},{s},{n},{show(value)}")
for sizes, s, n, alpha in [
    ([kappa(100)], 700, 1000, "0.05"), ([kappa(50)], 15, 50, "0.05"), ([kappa(50)], 5, 50, "0.05"), ([kappa(50)], 1, 50, "0.05"),
    (FOUR, 0, 50, "0.05"), (FOUR, 15, 50, "0.05"), (FOUR, 700, 1000, "0.05"), (FOUR, 25, 5000, "0.05"), (FOUR, 50, 50, "0.05"),
    (FOUR, "3.9", 10, "0.05"), (FOUR, "0.4", 20, "0.05"), (FOUR, 30000, 100000, "0.001"),
]:
    s, n, level = mp.mpf(s), mp.mpf(n), -mp.log(mp.mpf(alpha))
    lo = end(mp.mpf(0), s / n, sizes, s, n, level) if s >= 1 else mp.mpf(0)
    hi = end(mp.mpf(1), s / n, sizes, s, n, level) if n - s >= 1 else mp.mpf(1)
    print("interval," + "+".join(show(k) for k in sizes) + f",{show(s)},{show(n)},{alpha},{show(lo)},{show(hi)}")

# The general boundary of confseq's test: steps in [-.2, .8], intrinsic time 100, which is
# 100/(.2*.8) rewards at a mean of .2, at alpha = .05.
m, n = mp.mpf("0.2"), mp.mpf(625)
lnl = 2 * mp.log(20)
size = mp.mpf(100) / (lnl + mp.log(1 + lnl)) / mp.mpf("0.16") - 1
at, out = mp.mpf(0), mp.mpf(500)
for _ in range(150):
    mid = (at + out) / 2
    if log_m(m, size, n * m + mid, n) < mp.log(20):
        at = mid
    else:
        out = mid
print(f"boundary,{show(size)},0.2,625,{show(at)}")
