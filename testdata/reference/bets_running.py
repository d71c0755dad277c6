"""Sixteen fixed bets on the mean of an arm, at their best over n = ceil(1.1^k) and the last.

Made with Python 3.11.7 and mpmath 1.3.0, at 40 digits:

    python3 bets_running.py > bets_running.csv

A line holds the name of the rewards, their number, the mean asked about, ln of the largest
evidence against it (both sides, low, high), ln of the evidence at the end, and the ends of
the two-sided interval at alpha = .05. ceil(1.1^k) is taken of whole numbers.
"""
import mpmath as mp

mp.mp.dps = 40
THETA = [mp.expm1(mp.mpf(2) ** (j - 12)) for j in range(16)]
REWARDS = {
    "coins": lambda t: mp.mpf(1 if t * t % 10 < 4 else 0),
    "early": lambda t: mp.mpf(1 if t <= 3 or t % 5 == 0 else 0),
    "parts": lambda t: mp.mpf(t * 7 % 16 + 1) / 32,
}


def times(n):
    out, k = {n}, 0
    while True:
        at = -(-11**k // 10**k)
        if at > n:
            return sorted(out)
        out.add(at)
        k += 1


def looks(reward, n):
    low, high, out, at = [mp.mpf(0)] * 16, [mp.mpf(0)] * 16, [], set(times(n))
    for t in range(1, n + 1):
        y = reward(t)
        low = [g + mp.log(1 + h * y) for g, h in zip(low, THETA)]
        high = [g + mp.log(1 + h * (1 - y)) for g, h in zip(high, THETA)]
        if t in at:
            out.append((t, low, high))
    return out


def evidence(look, m):
    n, low, high = look
    a = sum(mp.exp(g - n * mp.log(1 + h * m)) for g, h in zip(low, THETA)) / 16
    b = sum(mp.exp(g - n * mp.log(1 + h * (1 - m))) for g, h in zip(high, THETA)) / 16
    return (a + b) / 2, a, b


def largest(all_looks, m):
    return [max(column) for column in zip(*(evidence(x, m) for x in all_looks))]


def end(all_looks, out, inside):
    kept = lambda m: largest(all_looks, m)[0] < 20
    if kept(out):
        return out
    for _ in range(50):
        mid = (out + inside) / 2
        if kept(mid):
            inside = mid
        else:
            out = mid
    return out


for name, n, m, inside in [("coins", 700, ".5", ".3"), ("early", 400, ".25", ".21"), ("parts", 300, ".3", ".265"), ("coins", 1, ".2", ".5")]:
    seen, m, inside = looks(REWARDS[name], n), mp.mpf(m), mp.mpf(inside)
    if largest(seen, inside)[0] >= 20:
        raise SystemExit(f"{name}: {inside} is not kept")
    values = [mp.log(x) for x in largest(seen, m)] + [mp.log(evidence(seen[-1], m)[0])]
    ends = [end(seen, mp.mpf(0), inside), end(seen, mp.mpf(1), inside)]
    print(",".join([name, str(n), str(m)] + [mp.nstr(x, 16) for x in values + ends]))
print("times," + str(len(times(10**5)) - 1) + "," + str(len(times(10**8)) - 1))
