#!/usr/bin/env python3
"""Holds what this program accepts and refuses against independent validators.

    pip install jsonschema==4.26.0
    python3 testdata/schemas/agree.py [--mutants 1000] [--write]

A test (TestSchemaAgreesWithTheProgram) changes protocols and results that were right in
one or two places, until so many of each are accepted, and as many refused, by
github.com/google/jsonschema-go under the printed schema; it hands over all of them with what
the program says. Here jsonschema of PyPI judges each again, under what `banditaudit schema`
prints. --write puts the page into AGREEMENT.md. Exit code 1: a defect.
"""
import argparse, collections, json, math, os, subprocess, sys, tempfile, time

import jsonschema
from importlib.metadata import version

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def judged(mutants, work):
    """Every document with three judgements, of which the last is made here."""
    corpus = os.path.join(work, "corpus")
    subprocess.run(["go", "test", "./schemas", "-count", "1", "-timeout", "2h", "-run", "TestSchemaAgreesWithTheProgram", "-corpus", corpus,
                    "-mutants", str(mutants)], cwd=ROOT, stdout=sys.stderr, check=False)  # what fails there is counted here
    validators = {}
    for line in open(corpus):
        d = json.loads(line)
        name = d["document"]
        if name not in validators:
            text = subprocess.run(["go", "run", "./cmd/banditaudit", "schema", name], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
            validators[name] = jsonschema.Draft202012Validator(json.loads(text))
        d["python"] = validators[name].is_valid(d["text"])
        yield d


def far(v):
    """Whether a number lies beyond float64, which a reader of JSON may refuse (RFC 8259, section 6)."""
    if isinstance(v, dict):
        return any(map(far, v.values()))
    return any(map(far, v)) if isinstance(v, list) else isinstance(v, float) and math.isinf(v)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--mutants", type=int, default=1000)
    p.add_argument("--write", action="store_true")
    a = p.parse_args()
    counts, rules, defects, apart = collections.Counter(), collections.Counter(), [], 0
    with tempfile.TemporaryDirectory() as work:
        for d in judged(a.mutants, work):
            counts[d["document"], d["schema"], d["python"], d["program"]] += 1
            if d["schema"] != d["python"] and far(d["text"]):
                apart += 1
            elif d["program"] and not (d["schema"] and d["python"]) or d["schema"] != d["python"]:
                defects.append(d)
            elif d["schema"] and not d["program"]:
                rules[d["document"], d["rule"]] += 1
    word = {True: "accepts", False: "refuses"}
    lines = [
        "# What independent validators say of protocols and results", "",
        "Written by `python3 testdata/schemas/agree.py --write`, whose text says how.", "",
        f"{time.strftime('%Y-%m-%d', time.gmtime())}; {subprocess.run(['go', 'version'], stdout=subprocess.PIPE, text=True).stdout.split()[2]}, "
        f"google/jsonschema-go, jsonschema {version('jsonschema')} of PyPI; commit "
        + subprocess.run(["git", "describe", "--always", "--dirty", "--exclude=*"], cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.strip() + ".", "",
        "| document | jsonschema-go | jsonschema of PyPI | the program | documents |", "|---|---|---|---|---|"]
    lines += [f"| {k[0]} | {word[k[1]]} | {word[k[2]]} | {word[k[3]]} | {n:,} |" for k, n in sorted(counts.items(), reverse=True)]
    lines += ["", f"{len(defects)} defects: documents that the program accepts and a validator refuses, or on which the validators differ."
              f" Left out are {apart} documents with a number beyond float64, which one of the validators does not read.", ""]
    lines += [f"- {d['document']}: jsonschema-go {word[d['schema']]}, jsonschema {word[d['python']]}, the program {word[d['program']]} {d['rule']}: `{json.dumps(d['text'])[:200]}`" for d in defects[:20]]
    lines += ["", "## What no validator says", "",
              "Documents that both validators accept and the program refuses, by the first rule that it names: relations between keys, and "
              "what JSON Schema has no word for: that a whole number is written in digits alone (it takes 1.0 for one) and fits 64 bits, and that a number fits float64.", "",
              "| document | rule | documents |", "|---|---|---|"]
    lines += [f"| {name} | {rule.replace('|', chr(92) + '|')} | {n} |" for (name, rule), n in sorted(rules.items(), key=lambda x: (x[0][0], -x[1], x[0][1]))]
    page = "\n".join(lines) + "\n"
    print(page)
    if a.write:
        with open(os.path.join(HERE, "AGREEMENT.md"), "w") as f:
            f.write(page)
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
