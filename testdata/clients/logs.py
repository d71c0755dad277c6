"""Runs a policy of a library, as the library's own documentation does, and writes its log.

    python logs.py CASE FILE.parquet [ROUNDS]

Arms a, b, c pay 0 or 1 with means .30, .50, .55. Columns: t, action, reward; where the
library says its propensities also p (of the played arm) and p_by_arm; x where it is
handed contexts. What is drawn for rewards and contexts comes from SplitMix64, so that a
library's own generator is its own.
"""
import sys

ARMS, MEANS, ROUNDS = ["a", "b", "c"], [0.30, 0.50, 0.55], 1000


class World:
    """Uniform numbers that no library shares."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) / (1 << 53)


class Mabwiser:
    """Every arm is tried once, for predict needs rows; then predict and partial_fit."""

    def __init__(self, policy, seed=1, contextual=False, **keys):
        from mabwiser.mab import MAB, LearningPolicy
        self.mab, self.rows, self.contextual = MAB(list(ARMS), getattr(LearningPolicy, policy)(**keys), seed=seed), 0, contextual

    def choose(self, t, x):
        if self.rows < len(ARMS):
            return self.rows, None
        return ARMS.index(self.mab.predict([x]) if self.contextual else self.mab.predict()), None

    def learn(self, arm, reward, x):
        learn = self.mab.fit if self.rows == 0 else self.mab.partial_fit
        learn([ARMS[arm]], [reward], *([[x]] if self.contextual else []))
        self.rows += 1


class River:
    def __init__(self, policy, **keys):
        from river import bandit, proba
        if policy == "ThompsonSampling":
            keys["reward_obj"] = proba.Beta()
        self.policy = getattr(bandit, policy)(**keys)

    def choose(self, t, x):
        return self.policy.pull(list(range(len(ARMS)))), None

    def learn(self, arm, reward, x):
        self.policy.update(arm, reward)


class RiverExp3(River):
    """Its propensities are those by which pull drew."""

    def choose(self, t, x):
        arm = self.policy.pull(list(range(len(ARMS))))
        return arm, [float(self.policy._probabilities[a]) for a in range(len(ARMS))]


class Pymab:
    """shares: the policy says its propensities."""

    def __init__(self, policy, shares=False, **keys):
        import numpy
        from pymab import policies
        self.policy, self.rng, self.shares = getattr(policies, policy)(n_arms=len(ARMS), **keys), numpy.random.default_rng(1), shares

    def choose(self, t, x):
        p = [float(v) for v in self.policy.action_probabilities()] if self.shares else None
        return int(self.policy.select_action(rng=self.rng)), p

    def learn(self, arm, reward, x):
        self.policy.update(action=arm, reward=reward)


class Smpy:
    """A policy of SMPyBandits, which draws by numpy's and Python's global generators.
    shares: its trusts are its propensities, once every arm was played; before, those that
    were not are played in a random order."""

    def __init__(self, policy, shares=False, **keys):
        import random

        import numpy
        from SMPyBandits import Policies
        numpy.random.seed(1)
        random.seed(1)
        self.policy, self.shares = getattr(Policies, policy)(len(ARMS), **keys), shares
        self.policy.startGame()

    def choose(self, t, x):
        p = None
        if self.shares:
            new = self.policy.pulls == 0
            p = [float(v) for v in (new / new.sum() if new.any() else self.policy.trusts)]
        return int(self.policy.choice()), p

    def learn(self, arm, reward, x):
        self.policy.getReward(arm, reward)


class Striatum:
    def __init__(self, **keys):
        from striatum.bandit import UCB1
        from striatum.storage import Action, MemoryActionStorage, MemoryHistoryStorage, MemoryModelStorage
        actions = MemoryActionStorage()
        actions.add([Action(i) for i in range(len(ARMS))])
        self.policy = UCB1(MemoryHistoryStorage(), MemoryModelStorage(), actions)

    def choose(self, t, x):
        self.history, said = self.policy.get_action()
        return said.action.id, None

    def learn(self, arm, reward, x):
        self.policy.reward(self.history, {arm: reward})


class Obp:
    """Its policies without contexts, without the deep ones beside them, which need torch (2 GB)."""

    def __init__(self, policy, **keys):
        import importlib
        import pathlib
        import types
        for name in ("obp", "obp.policy"):  # in place of their __init__, which imports all
            package = types.ModuleType(name)
            package.__path__ = [str(pathlib.Path(p, *name.split("."))) for p in sys.path]
            sys.modules[name] = package
        self.policy = getattr(importlib.import_module("obp.policy.contextfree"), policy)(n_actions=len(ARMS), **keys)

    def choose(self, t, x):
        return int(self.policy.select_action()[0]), None

    def learn(self, arm, reward, x):
        self.policy.update_params(action=arm, reward=reward)


class Coba:
    """A learner says the propensities of its actions, and draws by a generator of its own."""

    def __init__(self, learner, **keys):
        import coba
        self.learner, self.rng = getattr(coba, learner)(**keys), coba.random.CobaRandom(1)

    def choose(self, t, x):
        context = None if x is None else tuple(x)
        actions = list(range(len(ARMS)))
        p = [float(self.learner.score(context, actions, a)) for a in actions]
        return self.rng.choice(actions, p), p

    def learn(self, arm, reward, x):
        self.learner.learn(None if x is None else tuple(x), arm, reward, 1.0)


class Vw:
    """Contextual bandits of Vowpal Wabbit over two contexts; the row is drawn from its
    distribution by the world's numbers."""

    def __init__(self, args):
        import vowpalwabbit
        self.vw, self.draw = vowpalwabbit.Workspace("--cb_explore_adf --quiet --random_seed 5 " + args), World(99)

    def lines(self, x, label=None):
        out = [f"shared |U x={int(x[0])}"]
        for i, arm in enumerate(ARMS):
            out.append((f"0:{label[1]}:{label[2]} " if label and label[0] == i else "") + f"|A arm={arm}")
        return out

    def choose(self, t, x):
        p = self.vw.predict(self.lines(x))
        u, arm = self.draw.uniform() * sum(p), 0
        while arm < len(p) - 1 and u >= p[arm]:
            u, arm = u - p[arm], arm + 1
        self.p = p
        return arm, [float(v) for v in p]

    def learn(self, arm, reward, x):
        self.vw.learn(self.lines(x, (arm, -reward, self.p[arm])))


class Online:
    """An online learner of contextualbandits, fitted again after every 50 rounds."""

    def __init__(self, policy, **keys):
        from contextualbandits import online
        from sklearn.linear_model import LogisticRegression
        self.policy = getattr(online, policy)(LogisticRegression(), nchoices=len(ARMS), random_state=1, **keys)
        self.x, self.a, self.r = [], [], []

    def choose(self, t, x):
        import numpy
        if len(self.a) < 50:
            return (t - 1) % len(ARMS), None
        return int(self.policy.predict(numpy.array([x]))[0]), None

    def learn(self, arm, reward, x):
        import numpy
        self.x.append(x), self.a.append(arm), self.r.append(reward)
        if len(self.a) % 50 == 0:
            self.policy.fit(numpy.array(self.x), numpy.array(self.a), numpy.array(self.r))


class GrowthBook:
    """Fixed weights by the hash of a user, some rounds of each. Its rules, and its hash."""

    def __init__(self, weights, version, each):
        from growthbook.core import chooseVariation, gbhash, getBucketRanges
        self.hash, self.ranges, self.choose_variation = gbhash, getBucketRanges(len(ARMS), 1, weights), chooseVariation
        self.weights, self.version, self.each = weights, version, each

    def unit(self, t):
        return f"user-{(t * 7919) % (ROUNDS // self.each)}"

    def choose(self, t, x):
        return self.choose_variation(self.hash("experiment-1", self.unit(t), self.version), self.ranges), self.weights

    def learn(self, arm, reward, x):
        pass


CASES = {
    "mabwiser_ucb1": (Mabwiser, dict(policy="UCB1", alpha=1.0), False),
    "mabwiser_ucb1_125": (Mabwiser, dict(policy="UCB1", alpha=1.25), False),
    "mabwiser_epsilon_greedy": (Mabwiser, dict(policy="EpsilonGreedy", epsilon=0.1), False),
    "mabwiser_thompson": (Mabwiser, dict(policy="ThompsonSampling"), False),
    "mabwiser_softmax": (Mabwiser, dict(policy="Softmax", tau=1.0), False),
    "mabwiser_linucb": (Mabwiser, dict(policy="LinUCB", alpha=1.0, l2_lambda=1.0, contextual=True), True),
    "mabwiser_lints": (Mabwiser, dict(policy="LinTS", alpha=0.5, l2_lambda=1.0, contextual=True), True),
    "river_ucb": (River, dict(policy="UCB", delta=1, seed=1), False),
    "river_epsilon_greedy": (River, dict(policy="EpsilonGreedy", epsilon=0.9, decay=0.001, seed=1), False),
    "river_thompson": (River, dict(policy="ThompsonSampling", seed=1), False),
    "river_exp3": (RiverExp3, dict(policy="Exp3", gamma=0.1, seed=1), False),
    "pymab_ucb": (Pymab, dict(policy="UCBPolicy", c=2.0), False),
    "pymab_softmax": (Pymab, dict(policy="SoftmaxPolicy", temperature=0.1, shares=True), False),
    "pymab_thompson": (Pymab, dict(policy="BernoulliThompsonSamplingPolicy"), False),
    "pymab_epsilon_greedy": (Pymab, dict(policy="EpsilonGreedyPolicy", epsilon=0.1), False),
    "smpybandits_ucb": (Smpy, dict(policy="UCB"), False),
    "smpybandits_ucbalpha": (Smpy, dict(policy="UCBalpha", alpha=4), False),
    "smpybandits_thompson": (Smpy, dict(policy="Thompson"), False),
    "smpybandits_softmax": (Smpy, dict(policy="Softmax", temperature=0.1, shares=True), False),
    "smpybandits_epsilon_greedy": (Smpy, dict(policy="EpsilonGreedy", epsilon=0.1), False),
    "smpybandits_exp3": (Smpy, dict(policy="Exp3", gamma=0.1, shares=True), False),
    "striatum_ucb1": (Striatum, {}, False),
    "obp_epsilon_greedy": (Obp, dict(policy="EpsilonGreedy", epsilon=0.1, random_state=1), False),
    "obp_thompson": (Obp, dict(policy="BernoulliTS", random_state=1), False),
    "coba_epsilon_greedy": (Coba, dict(learner="BanditEpsilonLearner", epsilon=0.1), False),
    "coba_ucb1_tuned": (Coba, dict(learner="BanditUCBLearner"), False),
    "vw_epsilon_greedy": (Vw, dict(args="--epsilon 0.2"), True),
    "vw_squarecb": (Vw, dict(args="--squarecb"), True),
    "contextualbandits_epsilon_greedy": (Online, dict(policy="EpsilonGreedy", explore_prob=0.2), True),
    "growthbook_hash_v1": (GrowthBook, dict(weights=[0.5, 0.3, 0.2], version=1, each=10), False),
    "growthbook_hash_v2": (GrowthBook, dict(weights=[0.5, 0.3, 0.2], version=2, each=10), False),
}

# The logs of policies that are declared as programs are those of the same cases.
CASES.update({"exec_" + name: case for name, case in CASES.items()})


def run(name, rounds=ROUNDS, seed=7):
    make, keys, contextual = CASES[name]
    policy, world = make(**keys), World(seed)
    columns = {"t": [], "action": [], "reward": []}
    for t in range(1, rounds + 1):
        x = [1.0, float(world.uniform() < 0.5)] if contextual else None
        arm, p = policy.choose(t, x)
        mean = MEANS[arm] + (0.2 if x and x[1] and arm == 0 else 0)
        reward = float(world.uniform() < mean)
        policy.learn(arm, reward, x)
        columns["t"].append(t), columns["action"].append(ARMS[arm]), columns["reward"].append(reward)
        for key, value in (("p", p and p[arm]), ("p_by_arm", p), ("x", x), ("unit", hasattr(policy, "unit") and policy.unit(t) or None)):
            if value is not None:
                columns.setdefault(key, []).append(value)
    return columns


def main():
    import pyarrow
    from pyarrow import parquet
    name, out = sys.argv[1:3]
    columns = run(name, *map(int, sys.argv[3:]))
    number = pyarrow.float64()
    numbers = pyarrow.list_(pyarrow.field("element", number, nullable=False))
    types = {"t": pyarrow.int64(), "action": pyarrow.string(), "reward": number, "p": number, "p_by_arm": numbers, "x": numbers, "unit": pyarrow.string()}
    schema = pyarrow.schema([pyarrow.field(key, types[key], nullable=key in ("p", "unit")) for key in columns])
    parquet.write_table(pyarrow.table(columns, schema), out, compression="zstd")


if __name__ == "__main__":
    main()
