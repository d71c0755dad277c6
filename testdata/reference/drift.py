"""Evidence that a mean moves: twelve forgetting predictors over the largest likelihood.

Made with Python 3 and mpmath 1.3.0:

    python3 drift.py > drift.csv

Lines are
drift, ln E at the end, ln E at the largest of the looks, rewards
step, rewards, mean, level -> step
where looks are after each of the first 1,000 rewards, after every 16th from
there on, and at the end; a step of 0 stands for none.
"""
import mpmath as mp

mp.mp.dps = 40
POWERS = [4, 5, 6, 7, 8, 9, 10, 11, 14, 17, 20, 23]


def entropy(m):
    return -sum(x * mp.log(x) for x in (m, 1 - m) if x > 0)


def drift(rewards):
    one, zero, logs = ([mp.mpf(0)] * len(POWERS) for _ in range(3))
    total, most = mp.mpf(0), mp.mpf("-inf")
    for n, text in enumerate(rewards, 1):
        y = mp.mpf(text)
        total += y
        for i, k in enumerate(POWERS):
            q = (one[i] + mp.mpf(1) / 2) / (one[i] + zero[i] + 1)
            logs[i] += y * mp.log(q) + (1 - y) * mp.log(1 - q)
            forget = 1 - mp.mpf(2) ** -k
            one[i], zero[i] = forget * one[i] + y, forget * zero[i] + 1 - y
        if n <= 1000 or n % 16 == 0 or n == len(rewards):
            top = max(logs)
            end = top + mp.log(sum(mp.exp(x - top) for x in logs) / len(POWERS)) + n * entropy(total / n)
            most = max(most, end)
    print("drift", mp.nstr(end, 15), mp.nstr(most, 15), *rewards, sep=",")


def step(n, mean, level):
    m, need = mp.mpf(mean), 23 + mp.mpf(3) / 2 * (mp.log(1 / mp.mpf(level)) - 3)
    loss = lambda d: n * (entropy(m) - entropy(m - d / 2) / 2 - entropy(m + d / 2) / 2) - need
    most = 2 * min(m, 1 - m)
    found = mp.findroot(loss, (most / 1000, most), solver="anderson", tol=1e-30) if loss(most) >= 0 else 0
    print("step", n, mean, level, mp.nstr(mp.mpf(found), 15), sep=",")


drift(["0"] * 10 + ["1"] * 10)
drift(["0"] * 50 + ["1"] * 50)
drift(["0", "1"] * 50)
drift(["0.2"] * 20 + ["0.6"] * 20)
drift(["1"] * 100)
drift(["0.5"] * 100)
drift([str(t * t // 37 % 2) for t in range(1503)])
drift(["0." + str(t * t % 11 % 10) for t in range(1103)])
drift([str((t * 7919 % 1000 < 100 + t // 10) * 1) for t in range(4007)])
for case in [(1000, "0.3", "0.025"), (100, "0.5", "0.05"), (100, "0.03", "0.05"), (1000000, "0.303", "0.05"), (200000, "0.98", "0.005"), (20000, "0.001", "0.01")]:
    step(*case)
