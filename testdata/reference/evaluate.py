"""What policies of the catalogue would have earned on the small log of anytime.py, in
the states that the log's earlier rounds bring them to (follows-log) or as they are before
any reward (frozen); and weights cut at M. Made with Python 3.11.7 and mpmath 1.3.0, at 50
digits, from the definitions of the policies and of the estimators:

    python3 evaluate.py > evaluate.csv

policy,mode,clip,ips,error,snips,error,dr,error,gain,error,B,low,high,gain low,gain high.
The last four are the ends of the intervals at any time, at .05: of the value by the
average of the plain bets and those around the plug-in, of the gain by the plain ones."""
from fractions import Fraction as F

import mpmath as mp

from anytime import ARM, P, THETA, Y, around, ends, m, plain

K, T = 3, 12


def unseen(n):
    """The arm without rows that was played least, then the first; here none waits."""
    return next((i for i in range(K) if n[i] == 0), None)


def greedy(n, index):
    i = unseen(n)
    i = max(range(K), key=lambda a: (index(a), -a)) if i is None else i
    return [mp.mpf(a == i) for a in range(K)]


def ucb(t, n, s):
    return greedy(n, lambda a: mp.mpf(s[a]) / n[a] + mp.sqrt(2 * mp.log(t) / n[a]))


def epsilon(t, n, s):
    e = mp.mpf("0.3")
    return [e / K + (1 - e) * g for g in greedy(n, lambda a: mp.mpf(s[a]) / n[a])]


def softmax(t, n, s):
    w = [mp.exp(mp.mpf("0.5") * x) for x in s]
    return [x / sum(w) for x in w]


def thompson(t, n, s):
    a, b = [1 + x for x in s], [1 + n[i] - s[i] for i in range(K)]
    density = lambda i, x: x ** (a[i] - 1) * (1 - x) ** (b[i] - 1) / mp.beta(a[i], b[i])
    below = lambda i, x: mp.betainc(a[i], b[i], 0, x, regularized=True)
    out = []
    for i in range(K):
        j, k = (x for x in range(K) if x != i)
        out.append(mp.quad(lambda x: density(i, x) * below(j, x) * below(k, x), [0, .25, .5, .75, 1]))
    return out



def states(policy, every=1, frozen=False, lag=0):
    """The probabilities of every round. The policy sees what it saw when it last learned:
    before rounds 1, 1 + every, 1 + 2·every, …; the reward of a round is known after lag
    more."""
    out, n, s = [], [0] * K, [0] * K
    for t in range(T):
        if not frozen and t % every == 0:
            n, s = [0] * K, [0] * K
            for u in range(max(0, t - lag)):
                n[ARM[u]] += 1
                s[ARM[u]] += Y[u]
        out.append(policy(1 if frozen else t + 1, n, s))
    return out


def mean(scores, weights=None):
    weights = weights or [mp.mpf(1)] * len(scores)
    q = sum(w * g for w, g in zip(weights, scores)) / sum(weights)
    return q, mp.sqrt(sum((w * (g - q)) ** 2 for w, g in zip(weights, scores))) / sum(weights)


def value(pi, clip=None):
    cut = lambda x: min(x, clip) if clip else x
    full = [pi[t][ARM[t]] / m(P[t][ARM[t]]) for t in range(T)]
    rho = [cut(r) for r in full]
    n, s, dr, phi, low, high = [0] * K, [0] * K, [], [], [], []
    for t, x in enumerate(ARM):
        g = [(s[i] + mp.mpf(1) / 2) / (n[i] + 1) for i in range(K)]
        base = sum(p * q for p, q in zip(pi[t], g))
        dr.append(base + rho[t] * (Y[t] - g[x]))
        could = [base] + [base + pi[t][i] / m(P[t][i]) * (y - g[i]) for i in range(K) for y in (0, 1) if pi[t][i] > 0]
        phi.append(base + full[t] * (Y[t] - g[x]))
        low.append(max(mp.mpf(1), -min(could)))
        high.append(max(mp.mpf(1), max(could)))
        n[x] += 1
        s[x] += Y[t]
    played = [t for t in range(T) if rho[t] > 0]
    out = [*mean([r * y for r, y in zip(rho, Y)]), *mean([mp.mpf(Y[t]) for t in played], [rho[t] for t in played]),
           *mean(dr), *mean([(r - 1) * y for r, y in zip(rho, Y)])]
    out.append(sum(max(mp.mpf(0), pi[t][i] - clip * m(P[t][i])) for t in range(T) for i in range(K)) / T if clip else mp.mpf(0))
    e = lambda v: (sum(plain([r * y for r, y in zip(full, Y)], [r * (1 - y) for r, y in zip(full, Y)], 0, 1, mp.mpf(v)))
                   + sum(around(phi, low, high, mp.mpf(v)))) / 4
    gain = lambda v: sum(plain([r * y + 1 - y for r, y in zip(full, Y)], [r * (1 - y) + y for r, y in zip(full, Y)], 1, 1, mp.mpf(v))) / 2
    return out, ends(e, 0, 1) + ends(gain, -1, 1)


def show(name, mode, pi, clip=None):
    numbers, limits = value(pi, clip)
    print(",".join([name, mode, str(clip or 0)] + [mp.nstr(x, 17) for x in numbers] + limits))


if __name__ == "__main__":
    for name, policy in (("ucb", ucb), ("epsilon-greedy", epsilon), ("softmax", softmax), ("thompson", thompson)):
        show(name, "follows-log", states(policy))
        show(name, "frozen", states(policy, frozen=True))
    show("softmax", "every 4", states(softmax, every=4))
    show("softmax", "lag 2", states(softmax, lag=2))
    arm = [[mp.mpf(i == 1) for i in range(K)] for _ in range(T)]
    show("arm b", "fixed", arm, 4)
    show("uniform", "fixed", [[mp.mpf(1) / 3] * K for _ in range(T)], mp.mpf("1.5"))
    show("softmax", "follows-log", states(softmax), mp.mpf("1.25"))
