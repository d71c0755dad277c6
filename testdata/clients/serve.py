"""The policy side of policy/1. Copy this file beside your policy and call serve(make).

make(start) returns an object with decide(round, x, eligible) -> arm index (gives: arm),
a list of propensities (gives: propensities) or both as a pair (gives: both), and with
learn(round, arm, reward, p). A method played(round, arm), where there is one, is told of
rounds whose reward is late. start holds arms, reward, parameters, seed, update, context.
"""
import json
import os
import sys


def serve(make, program="policy", version="1", forced=True):
    out = os.fdopen(os.dup(1), "w")  # the protocol's alone: what a library prints goes to stderr
    os.dup2(2, 1)
    policy, want = None, ["arm"]
    for line in sys.stdin:
        m = json.loads(line)
        if m["k"] == "start":
            policy, want = make(m), m["want"]
            answer = {"k": "ready", "program": program, "version": version, "gives": want, "forced": forced}
        elif m["k"] == "step":
            for row in m["l"]:
                policy.learn(row[0], row[1], row[2], row[3] if len(row) > 3 else None)
            for row in m.get("h", []):
                getattr(policy, "played", lambda *_: None)(*row)
            said = [policy.decide(*(d if len(d) > 1 else d + [None]), None) if isinstance(d, list)
                    else policy.decide(d["round"], d.get("x"), d.get("e")) for d in m["d"]]
            answer = {"k": "step", "n": m["n"]}
            if len(want) == 2:
                answer["a"], answer["p"] = [s[0] for s in said], [s[1] for s in said]
            else:
                answer["a" if want == ["arm"] else "p"] = said
        else:
            answer = {"k": "bye"}
        out.write(json.dumps(answer) + "\n")
        out.flush()
        if m["k"] == "end":
            return
