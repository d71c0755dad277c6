"""Logs of policies that keep a state for each stratum, that learn when a version of their weights changes,
or by the clock once rewards are old enough: written by a second program, for
cmd/banditaudit/strata_test.go. Run: python3 testdata/reference/strata.py > testdata/reference/strata.csv
(Python 3.11, NumPy 2.4.6, SciPy 1.17.1 for the probabilities of Thompson sampling).

Columns: log, t (round), ts (seconds since 1970), leaf, version, arm, reward, p0, p1, p2 (probabilities of
all arms; empty where the policy draws nothing or logs none).
"""
import sys
from math import log, sqrt

import numpy as np
from scipy import integrate, stats

ARMS = 3
MEANS = {0: (0.3, 0.5, 0.7), 1: (0.7, 0.5, 0.3), 2: (0.4, 0.45, 0.6)}


class State:
    """Counts and sums of one stratum."""

    def __init__(self):
        self.n, self.s = np.zeros(ARMS), np.zeros(ARMS)

    def add(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += reward

    def copy(self):
        other = State()
        other.n, other.s = self.n.copy(), self.s.copy()
        return other


def ucb1(state, plays, rng):
    """Each arm once in order, then m + sqrt(2 ln n/N) by the plays n of the stratum."""
    for arm in range(ARMS):
        if state.n[arm] == 0:
            return arm, None
    return int(np.argmax(state.s / state.n + np.sqrt(2 * log(plays) / state.n))), None


def thompson(state, plays, rng):
    """P(best) of Beta(1 + S, 1 + N - S), by quadrature, then a draw."""
    a, b = 1 + state.s, 1 + state.n - state.s
    key = (tuple(a), tuple(b))
    if key not in thompson.cache:
        def best(i):
            f = lambda x: stats.beta.pdf(x, a[i], b[i]) * np.prod([stats.beta.cdf(x, a[j], b[j]) for j in range(ARMS) if j != i])
            return integrate.quad(f, 0, 1, epsabs=1e-12, limit=500, points=[a[i] / (a[i] + b[i])])[0]
        thompson.cache[key] = np.array([best(i) for i in range(ARMS)])
    p = thompson.cache[key]
    return int(rng.choice(ARMS, p=p / p.sum())), p


thompson.cache = {}


def greedy(state, plays, rng):
    """Explores with 0.2; else the largest mean, of equals the first; 0 where there is none."""
    mean = np.where(state.n > 0, state.s / np.maximum(state.n, 1), 0)
    p = np.full(ARMS, 0.2 / ARMS)
    p[int(np.argmax(mean))] += 0.8
    return int(rng.choice(ARMS, p=p)), p


def rows(rng, rounds, step, policy, batch_of, attribution=None, leaves=3):
    """A state of each leaf learns when batch_of(t, ts) changes: what is known by then, or older than
    an attribution window in seconds. batch_of None: after every round."""
    live, seen, plays = {}, {}, {}
    ts, batch, out, waiting = 1_700_000_000, None, [], []
    for t in range(1, rounds + 1):
        ts += int(rng.integers(1, step))
        leaf = int(rng.integers(0, leaves))
        now = batch_of(t, ts) if batch_of else t
        if now != batch:
            batch = now
            if attribution is not None:  # the update at the hour has rows whose window closed before it
                due = [r for r in waiting if r[0] + attribution < now * 3600]
                waiting = [r for r in waiting if r[0] + attribution >= now * 3600]
                for _, of, arm, reward in due:
                    live.setdefault(of, State()).add(arm, reward)
            seen = {k: v.copy() for k, v in live.items()}
        state = seen.get(leaf, State())
        plays[leaf] = plays.get(leaf, 0)
        arm, p = policy(state, plays[leaf], rng)
        plays[leaf] += 1
        reward = int(rng.random() < MEANS[leaf][arm])
        if attribution is not None:
            waiting.append((ts, leaf, arm, reward))
        else:
            live.setdefault(leaf, State()).add(arm, reward)
        out.append([t, ts, leaf, now if batch_of else "", arm, reward, p])
    return out


def main():
    week = lambda t, ts: t // 40
    hour = lambda t, ts: ts // 3600
    logs = {
        "leaf-ucb1": rows(np.random.default_rng(1), 250, 600, ucb1, None),
        "leaf-greedy": rows(np.random.default_rng(2), 250, 600, greedy, None),
        "leaf-thompson-version": rows(np.random.default_rng(3), 250, 600, thompson, week),
        "thompson-hour-attribution": rows(np.random.default_rng(4), 250, 600, thompson, hour, 6 * 3600, leaves=1),
        "leaf-thompson-hour": rows(np.random.default_rng(5), 250, 600, thompson, hour, 0),
    }
    print("log,t,ts,leaf,version,arm,reward,p0,p1,p2")
    for name, log_rows in logs.items():
        for *row, p in log_rows:
            print(",".join([name, *map(str, row), *(["", "", ""] if p is None else ["%.8f" % x for x in p])]))


if __name__ == "__main__":
    sys.exit(main())
