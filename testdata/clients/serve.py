"""The policy side of policy/1. Copy this file beside your policy and call serve(make).

make(start) returns an object with decide(round, x, eligible) -> arm index (gives: arm),
a list of propensities (gives: propensities) or both as a pair (gives: both), and with
learn(round, arm, reward, p). A method played(round, arm), where there is one, is told of
rounds whose reward is late. start holds arms, reward, parameters, seed, update, context.
many=True says that objects of make share nothing, no generator and no global: one process
then serves several experiments, whose rounds share a line. snapshot=True says that a deep copy
of the object is all its state. With one of them the policy can be run again (decide: rerun).
"""
import copy
import json
import os
import sys


def serve(make, program="policy", version="1", forced=True, many=False, snapshot=False):
    out = os.fdopen(os.dup(1), "w")  # the protocol's alone: what a library prints goes to stderr
    os.dup2(2, 1)
    policies, kept, want = {}, {}, ["arm"]
    cut = (lambda row: (row[0], row[1:])) if many else (lambda row: (0, row))
    for line in sys.stdin:
        m = json.loads(line)
        s = m.get("s", 0)
        if m["k"] == "start":
            policies[s], want = make(m), m["want"]
            answer = {"k": "ready", "s": s, "program": program, "version": version, "gives": want, "forced": forced, "many": many, "snapshot": snapshot}
        elif m["k"] == "step":
            for s, row in map(cut, m["l"]):
                policies[s].learn(row[0], row[1], row[2], row[3] if len(row) > 3 else None)
            for s, row in map(cut, m.get("h", [])):
                getattr(policies[s], "played", lambda *_: None)(*row)
            asked = [cut(d) if isinstance(d, list) else (d.get("s", 0), [d["round"], d.get("x"), d.get("e")]) for d in m["d"]]
            said = [policies[s].decide(*(d + [None, None])[:3]) for s, d in asked]
            answer = {"k": "step", "n": m["n"], "s": [s for s, _ in asked]}
            if len(want) == 2:
                answer["a"], answer["p"] = [a for a, _ in said], [p for _, p in said]
            else:
                answer["a" if want == ["arm"] else "p"] = said
        elif m["k"] == "snapshot":
            kept, answer = copy.deepcopy(policies), {"k": "ok"}
        elif m["k"] == "restore":
            policies, answer = copy.deepcopy(kept), {"k": "ok"}
        else:
            policies.pop(s, None)
            answer = {"k": "bye", "s": s}
        out.write(json.dumps(answer) + "\n")
        out.flush()
        if m["k"] == "end" and "s" not in m:
            return
