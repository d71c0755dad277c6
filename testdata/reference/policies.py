"""A second implementation of the policies uniform, fixed, epsilon-greedy, ucb with
seeded ties, softmax, exp3, inverse-gap, successive-elimination and the ways in which platforms run Thompson
sampling, of the dialects of their clocks, starts
and ties, of the exploration floor and its kinds, and of batches, delays and eligible arms, written from the package comments of replay
and replay/policy, with replay.py beside it and the Python standard library only.

Run in this directory with Python 3.11 or later:  python3 policies.py
Writes replay_policies.csv.
"""

import math
from fractions import Fraction

from replay import Hybrid, master_seed, stream, uniform, write
from replay_thompson import ln_gamma, normal

K, ROUNDS, MEANS = 4, 250, (0.2, 0.5, 0.45, 0.7)
MASTER, EXPERIMENT = master_seed(23), "policies"
NEVER = 2**63 - 1


def unit(src):
    return (src.word() >> 11) * 2.0**-53


def categorical(src, weights, eligible):
    target = unit(src) * sum(weights[i] for i in eligible)
    total, last = 0.0, None
    for i in eligible:
        if weights[i] > 0:
            total, last = total + weights[i], i
            if total > target:
                break
    return last


def shares(weights, eligible):
    total = sum(weights[i] for i in eligible)
    return {i: weights[i] / total for i in eligible}


class Start:
    """How arms without rows are treated: they wait for nobody, or begin in an order, or
    at random; or each arm has rows that nobody played, or a mean that nobody saw."""

    def __init__(self, waits=True, at_random=False, order=range(K), mean=0.0, rows=0, sum=0):
        self.waits, self.at_random, self.order = waits, at_random, list(order)
        self.unseen, self.rows, self.sum = mean, rows, sum

    def mean(self, seen, i):
        n = seen.pulls[i] + self.rows
        return (seen.sums[i] + self.sum) / n if n else self.unseen

    def root(self, seen, i):
        n = seen.pulls[i] + self.rows
        return 1 / math.sqrt(n) if n else 0.0


class Seen:
    """What a policy sees: the round, counts, rows, sums, and eligible arms."""

    def __init__(self, counts):
        self.played, self.pulls, self.sums = ([0] * K for _ in range(3))
        self.t, self.eligible, self.counts = 0, [], counts
        self.weighed, self.rule = [0.0] * K, [1.0] * K  # of exp3: rewards over what its rule said, and what it says


def argmax(seen, score, ties, order=range(K)):
    """The arms with the largest score and the one that is played."""
    best = max(score(i) for i in seen.eligible)
    arms = [i for i in seen.eligible if score(i) == best]
    if ties is None:
        arm = min(arms, key=list(order).index)
        return [arm], arm
    return arms, arms[ties.word() * len(arms) >> 64]


def greedy(seen, score, ties, start, order=range(K)):
    """argmax, after arms without rows: the one played least, then the first."""
    new = [i for i in seen.eligible if seen.pulls[i] == 0]
    if not new or not start.waits:
        return argmax(seen, score, ties, order)
    arm = min(new, key=lambda i: (seen.played[i], start.order.index(i)))
    if start.at_random:
        arm = new[seen.starts.word() * len(new) >> 64]
    if ties is not None:
        ties.word()
    return new if start.at_random else [arm], arm


def evenly(seen, src, ties):
    m = len(seen.eligible)
    return seen.eligible[uniform(src, m)], dict.fromkeys(seen.eligible, 1 / m)


def fixed(probabilities):
    def play(seen, src, ties):
        w = probabilities if any(probabilities[i] > 0 for i in seen.eligible) else [1.0] * K
        return categorical(src, w, seen.eligible), shares(w, seen.eligible)

    return play


def epsilon_greedy(epsilon, start=Start(), order=range(K)):
    def play(seen, src, ties):
        e, m = epsilon(seen.t), len(seen.eligible)
        explores = unit(src) < e
        other = seen.eligible[src.word() * m >> 64]
        arms, arm = greedy(seen, lambda i: start.mean(seen, i), ties, start, order)
        law = {i: e / m + (1 - e) * (i in arms) / len(arms) for i in seen.eligible}
        return other if explores else arm, law

    return play


def by_round(seen):
    return seen.t


def plays(seen):
    return seen.t - 1


def learned(seen):
    return sum(seen.pulls)


def ucb(c, clock=by_round, start=Start(), order=range(K)):
    def play(seen, src, ties):
        root = math.sqrt(c * math.log(max(1, clock(seen))))
        arms, arm = greedy(seen, lambda i: start.mean(seen, i) + root * start.root(seen, i), ties, start, order)
        return arm, {i: (i in arms) / len(arms) for i in seen.eligible}

    return play


def softmax_of_means(tau, shrink=0, start=Start(waits=False)):
    def play(seen, src, ties):
        means = [seen.sums[i] / (n + shrink) if (n := seen.pulls[i]) else start.unseen for i in range(K)]
        top = max(means[i] for i in seen.eligible)
        w = [math.exp(min(0.0, (m - top) / tau)) for m in means]
        arm, law = categorical(src, w, seen.eligible), shares(w, seen.eligible)
        new = [i for i in seen.eligible if seen.pulls[i] == 0]
        if new and start.waits:
            arm = new[seen.starts.word() * len(new) >> 64]
            law = {i: (i in new) / len(new) for i in seen.eligible}
        return arm, law

    return play


def softmax(eta):
    def play(seen, src, ties):
        top = max(seen.sums[i] for i in seen.eligible)
        w = [math.exp(min(0.0, eta * (s - top))) for s in seen.sums]
        return categorical(src, w, seen.eligible), shares(w, seen.eligible)

    return play


def exp3(gamma, start=Start(waits=False)):
    def rule(seen):
        top = max(seen.weighed[i] for i in seen.eligible)
        w = [math.exp(min(0.0, gamma * (s - top) / K)) for s in seen.weighed]
        law = shares(w, seen.eligible)
        return {i: (1 - gamma) * law[i] + gamma / len(seen.eligible) for i in seen.eligible}

    def play(seen, src, ties):
        law = seen.rule = rule(seen)
        arm = categorical(src, law, seen.eligible)
        new = [i for i in seen.eligible if seen.pulls[i] == 0]
        if new and start.waits:
            arm = new[seen.starts.word() * len(new) >> 64]
            law = {i: (i in new) / len(new) for i in seen.eligible}
        return arm, law

    return play


def score(t, i):
    """Hundredths of which some are equal, of whoever made them."""
    return t * (7 + 5 * i) % (11 + i) / 100


def inverse_gap(gamma, sign=1, order=range(K)):
    """SquareCB: 1/(m + gamma * gap) of all but the best, which has the rest."""

    def law(seen, best):
        m, top = len(seen.eligible), sign * score(seen.t, best)
        p = {i: 1 / (m + gamma(seen) * (top - sign * score(seen.t, i))) for i in seen.eligible if i != best}
        return {i: p.get(i, 1 - sum(p.values())) for i in seen.eligible}

    def play(seen, src, ties):
        equal, best = argmax(seen, lambda i: sign * score(seen.t, i), ties, order)
        laws = [law(seen, b) for b in equal]
        return categorical(src, law(seen, best), seen.eligible), {i: sum(one[i] for one in laws) / len(laws) for i in seen.eligible}

    return play


def elimination(c, clock=by_round):
    gone = set()

    def play(seen, src, ties):
        bounds = {}
        for i in set(range(K)) - gone:
            if n := seen.pulls[i]:
                r = math.sqrt(c * math.log(clock(seen)) / n)
                bounds[i] = seen.sums[i] / n - r, seen.sums[i] / n + r
        best = max((b[0] for b in bounds.values()), default=-math.inf)
        gone.update(i for i, b in bounds.items() if b[1] < best)
        among = [i for i in seen.eligible if i not in gone] or seen.eligible
        arms, arm = argmax(seen, lambda i: -seen.played[i] if i in among else -math.inf, ties)
        return arm, {i: (i in arms) / len(arms) for i in seen.eligible}

    return play


def clip(law, f):
    """All that is below f raised to it, and divided by the sum."""
    raised = {i: max(p, f) for i, p in law.items()}
    return {i: p / sum(raised.values()) for i, p in raised.items()}


def water(law, f):
    """max(p - tau, f), with the tau at which the sum is 1, by bisection."""
    lo, hi = 0.0, 1.0
    for _ in range(200):
        tau = (lo + hi) / 2
        if sum(max(p - tau, f) for p in law.values()) > 1:
            lo = tau
        else:
            hi = tau
    return {i: max(p - lo, f) for i, p in law.items()}


def rest(law, f):
    """All but the first of the largest raised to f, and to that one what is left."""
    best = max(law, key=lambda i: (law[i], -i))
    out = {i: max(p, f) for i, p in law.items() if i != best}
    left = 1 - sum(out.values())
    if left < 0:
        return {best: 0.0} | {i: p / (1 - left) for i, p in out.items()}
    return {best: left} | out


class Beta:
    """Beta(a, b) of whole numbers on the line of the logit."""

    grid, kept = [(u - 800) / 20 for u in range(1601)], {}

    def __init__(self, a, b):
        self.a, self.b = a, b

    def draw(self, src):
        g = ln_gamma(src, self.a)
        return g - ln_gamma(src, self.b)

    def table(self, _):
        """Density and distribution function on the grid: a sum of binomial terms."""
        a, b = self.a, self.b
        if (a, b) not in Beta.kept:
            n, rows = a + b - 1, []
            for u in Beta.grid:
                x, y = 1 / (1 + math.exp(-u)), 1 / (1 + math.exp(u))
                terms = [math.exp(math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1) + j * math.log(x) + (n - j) * math.log(y)) for j in range(a, n + 1)]
                rows.append((terms[0] * a * y, math.fsum(terms)))  # dF/du = a*C(n,a)*x^a*y^b
            Beta.kept[a, b] = rows
        return Beta.kept[a, b]

    @staticmethod
    def points(_):
        return Beta.grid


class Normal:
    def __init__(self, mean, variance):
        self.mean, self.sd = mean, math.sqrt(variance)

    def draw(self, src):
        return self.mean + self.sd * normal(src)

    def table(self, points):
        z = [(u - self.mean) / self.sd for u in points]
        return [(math.exp(-v * v / 2) / math.sqrt(2 * math.pi) / self.sd, math.erfc(-v / math.sqrt(2)) / 2) for v in z]

    @staticmethod
    def points(laws):
        lo, hi = min(l.mean - 9 * l.sd for l in laws), max(l.mean + 9 * l.sd for l in laws)
        step = min(l.sd for l in laws) / 4
        return [lo + i * step for i in range(int((hi - lo) / step) + 2)]


def contest(laws, top):
    """The probability with which each of some independent variables is the largest, or
    with top the largest or the second, by half: integrals by the trapezoidal rule."""
    points = laws[0].points(laws)
    tables, step = [l.table(points) for l in laws], points[1] - points[0]
    out = [0.0] * len(laws)
    for at in zip(*tables):
        for i, (f, _) in enumerate(at):
            others = [F for j, (_, F) in enumerate(at) if j != i]
            p = math.prod(others)
            if top:
                p += sum((1 - F) * math.prod(others[:j] + others[j + 1:]) for j, F in enumerate(others))
            out[i] += f * p * step
    return [p / 2 for p in out] if top and len(laws) > 1 else out


def thompson(posterior, top=False, min_rows=0):
    def play(seen, src, ties):
        known = min(seen.pulls) >= min_rows
        laws = [posterior(seen.pulls[i] if known else 0, seen.sums[i] if known else 0) for i in range(K)]
        theta = {i: laws[i].draw(src) for i in seen.eligible}
        ranked = sorted(theta, key=theta.get, reverse=True)
        arm = ranked[0]
        if top and unit(src) < 0.5 and len(ranked) > 1:
            arm = ranked[1]
        return arm, dict(zip(seen.eligible, contest([laws[i] for i in seen.eligible], top)))

    return play


def coin(n, s):
    return Beta(1 + s, 1 + n - s)


def sample(mean, variance):
    """A normal posterior by the sample variance of n rewards of 0 and 1."""

    def posterior(n, s):
        squares = (n - s) * (s / n) ** 2 + s * (1 - s / n) ** 2 if n else 0
        if not squares or n < 2:
            return Normal(mean, variance)
        data = n / (squares / (n - 1))
        precision = 1 / variance + data
        return Normal((mean / variance + s / n * data) / precision, 1 / precision)

    return posterior


class Exact:
    def __init__(self, most=math.inf):
        self.t = self.sum = 0
        self.most = most

    def add(self, y):
        if self.t < self.most:
            self.t, self.sum = self.t + 1, self.sum + y
        return self.sum


def circumstances():
    """Of every round: eligible arms, batch, and the delay of its reward."""
    src, batch = stream(MASTER, "circumstances", EXPERIMENT, -1), 0
    for t in range(1, ROUNDS + 1):
        word = src.word()
        eligible = [i for i in range(K) if word >> i & 3] or list(range(K))
        batch += (word >> 8) % 16 == 0
        delay = (word >> 16) % 16
        yield eligible, batch, t + max(0, delay - 8) if delay < 15 else NEVER


def run(policy, ties=False, floor=0.0, update=1, late=False, partly=False, noisy=False, first=0, until=False, kind=None, most=math.inf):
    """update is a number of rounds, or "batch"; kind is that of a floor which is not mixed in."""
    starts = stream(MASTER, "policy.start", EXPERIMENT, -1)
    choice, floors = stream(MASTER, "policy", EXPERIMENT, -1), stream(MASTER, "policy.floor", EXPERIMENT, -1)
    tied = stream(MASTER, "policy.ties", EXPERIMENT, -1) if ties else None
    worlds = [stream(MASTER, "world.reward", EXPERIMENT, i) for i in range(K)]
    counters = [Hybrid(stream(MASTER, "counter", EXPERIMENT, i), Fraction(4), 20) if noisy else Exact(most) for i in range(K)]
    sums, played, seen, waiting, before = [0] * K, [0] * K, Seen(K), [], 0
    weighed = [0.0] * K
    for t, (eligible, batch, known) in enumerate(circumstances(), 1):
        if (batch != before if update == "batch" else (t - 1) % update == 0):
            seen.played, seen.pulls, seen.sums, seen.weighed = played[:], [c.t for c in counters], sums[:], weighed[:]
        before = batch
        seen.starts = starts
        seen.t, seen.eligible = t, eligible if partly else list(range(K))
        m = len(seen.eligible)
        arm, law = policy(seen, choice, tied)
        if kind:
            law = kind(law, floor)
            arm = categorical(floors, law, seen.eligible)
        elif floor and unit(floors) < m * floor:
            arm = seen.eligible[uniform(floors, m)]
        if t <= first or until and any(seen.played[i] == 0 for i in seen.eligible):
            arm = seen.eligible[uniform(starts, m)]
            law = dict.fromkeys(seen.eligible, 1 / m)
        p = law[arm] if kind else floor + (1 - m * floor) * law[arm]
        pay = [int(unit(w) < mean) for w, mean in zip(worlds, MEANS)]
        played[arm] += 1
        waiting.append((known if late else t, t, arm, pay[arm], seen.rule[arm]))
        yield t, "".join(str(int(i in seen.eligible)) for i in range(K)), batch, known if late else t, arm, pay[arm], repr(float(p))
        for entry in sorted(w for w in waiting if w[0] <= t):
            waiting.remove(entry)
            sums[entry[2]] = counters[entry[2]].add(entry[3])
            weighed[entry[2]] += 1 / entry[4] * entry[3]


def main():
    everything = dict(floor=0.03, update="batch", late=True, partly=True)
    rows = []
    for name, mechanism in (
        ("uniform", run(evenly)),
        ("uniform partly", run(evenly, partly=True)),
        ("fixed", run(fixed([0.25, 0.5, 0, 0.25]))),
        ("fixed partly", run(fixed([0, 1, 0, 0]), partly=True)),
        ("greedy", run(epsilon_greedy(lambda t: 0.2))),
        ("greedy decaying every 5", run(epsilon_greedy(lambda t: min(1, 40 / t)), ties=True, update=5)),
        ("greedy everything", run(epsilon_greedy(lambda t: 0.2), ties=True, **everything)),
        ("greedy hybrid late", run(epsilon_greedy(lambda t: 0.2), late=True, partly=True, noisy=True)),
        ("ucb ties", run(ucb(0.5), ties=True)),
        ("ucb plays", run(ucb(2, plays), late=True)),
        ("ucb learned every 5", run(ucb(2, lambda seen: 3 + learned(seen)), update=5, late=True, partly=True)),
        ("ucb horizon", run(ucb(0.3, lambda seen: 250), ties=True)),
        ("ucb random", run(ucb(2, plays, Start(at_random=True)), ties=True, late=True)),
        ("ucb rows", run(ucb(2, lambda seen: K + plays(seen), Start(waits=False, rows=1, sum=1), [2, 0, 3, 1]), late=True)),
        ("ucb none last", run(ucb(0.5, plays, Start(waits=False, mean=0.25), [3, 2, 1, 0]))),
        ("greedy none shared", run(epsilon_greedy(lambda t: 0.2, Start(waits=False)), ties=True, update="batch")),
        ("greedy until", run(epsilon_greedy(lambda t: 0.2, order=[3, 2, 1, 0]), until=True, late=True, partly=True)),
        ("ucb first", run(ucb(2), first=30, floor=0.03)),
        ("ucb everything", run(ucb(0.5), ties=True, **everything)),
        ("softmax", run(softmax(0.1))),
        ("softmax of means", run(softmax_of_means(0.1), late=True, partly=True)),
        ("softmax shrunk", run(softmax_of_means(0.2, 1, Start(at_random=True)))),
        ("greedy exponential", run(epsilon_greedy(lambda t: 0.9 * math.exp(-0.02 * (t - 1)), Start(waits=False)))),
        ("greedy harmonic", run(epsilon_greedy(lambda t: 0.05 + (1 - 0.05) / (1 + 0.1 * t)))),
        ("greedy linear", run(epsilon_greedy(lambda t: 1 + (0.1 - 1) * min(1, (t - 1) / 100)), late=True)),
        ("inverse-gap", run(inverse_gap(lambda seen: 30), late=True, partly=True)),
        ("inverse-gap costs", run(inverse_gap(lambda seen: 10 * math.sqrt(plays(seen)), -1, [2, 0, 3, 1]), partly=True)),
        ("inverse-gap rest", run(inverse_gap(lambda seen: 400), floor=0.05, kind=rest)),
        ("inverse-gap ties", run(inverse_gap(lambda seen: 5 * math.exp(0.3 * math.log(seen.t)), order=[3, 2, 1, 0]), ties=True, partly=True)),
        ("exp3", run(exp3(0.2))),
        ("exp3 late", run(exp3(0.3), late=True, partly=True)),
        ("exp3 random every 5", run(exp3(0.1, Start(at_random=True)), update=5, late=True)),
        ("exp3 everything", run(exp3(0.2), **everything)),
        ("softmax everything", run(softmax(0.1), **everything)),
        ("softmax clip", run(softmax(0.1), floor=0.05, kind=clip)),
        ("softmax water", run(softmax(0.1), floor=0.05, kind=water)),
        ("softmax rest", run(softmax(0.1), floor=0.25, kind=rest, update=20)),
        ("softmax water everything", run(softmax(0.1), kind=water, **everything)),
        ("greedy clip everything", run(epsilon_greedy(lambda t: 0.2), ties=True, kind=clip, **everything)),
        ("ucb rest", run(ucb(0.5), floor=0.1, kind=rest, partly=True)),
        ("thompson sample", run(thompson(sample(0.5, 1)), late=True, partly=True)),
        ("thompson top", run(thompson(coin, top=True), partly=True)),
        ("thompson rows", run(thompson(coin, min_rows=9), late=True)),
        ("thompson cap", run(thompson(coin), most=10, late=True)),
        ("thompson platform", run(thompson(sample(0, 4), True, 12), floor=0.01, update="batch", late=True)),
        ("elimination floor", run(elimination(0.1), floor=0.1)),
        ("elimination learned", run(elimination(0.1, learned), late=True)),
        ("elimination everything", run(elimination(0.1), ties=True, **everything)),
    ):
        rows += [[name, *row] for row in mechanism]
    write("replay_policies.csv", ["mechanism", "round", "eligible", "batch", "known", "arm", "reward", "propensity"], rows)


if __name__ == "__main__":
    main()
