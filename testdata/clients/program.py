"""A policy of logs.py as a program that an audit runs: python program.py CASE."""
import sys

import logs
from serve import serve


class Side:
    def __init__(self, start):
        make, keys, _ = logs.CASES[sys.argv[1]]
        self.policy, self.x, self.want = make(**keys), {}, start["want"]

    def decide(self, t, x, eligible):
        self.x[t] = x
        arm, p = self.policy.choose(t, x)
        return arm if self.want == ["arm"] else p

    def learn(self, t, arm, reward, p):
        self.policy.learn(arm, reward, self.x.pop(t))


serve(Side, program=sys.argv[1])
