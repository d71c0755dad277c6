package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"banditaudit/analyze"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/cmd/banditlab/command"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/role"
	"banditaudit/replay"
	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// withToys is the catalogue of this program and a toy of every kind that a
// protocol may name: a softmax under another name, the exact counter, and what is
// asked of their log.
func withToys() *catalogue {
	mechanisms, asked := replay.Standard(), analyze.Known()
	toy := policy.Descriptor{
		Policy: param.Policy{
			Name: "toy-policy", Doc: "arms by the whim of a toy", Reads: param.Sums,
			Keys: []param.Key{{
				Name: "whim", Needed: true, Form: param.Between(0, 10), Doc: "how strong the whim is",
				Why: "plays by its whim", Mend: "add whim: NUMBER",
			}},
		},
		Start: func(policy.Scene) map[string]string { return map[string]string{"whim": "0.5"} },
		New: func(v param.Values, b policy.Bandit) func(policy.Draws) policy.Policy {
			return func(d policy.Draws) policy.Policy { return policy.NewSoftmax(b.Arms, v.Float("whim"), d.Choice) }
		},
	}
	mechanisms.Policies = append(mechanisms.Policies, toy)
	mechanisms.Counters = append(mechanisms.Counters, counter.Descriptor{
		Counter: param.Counter{Name: "toy-counter", Doc: "the sums of a toy"},
		New:     func(counter.Spec) (counter.Counter, error) { return counter.New(counter.Spec{Name: "exact"}) },
	})
	asked.Tests = append(asked.Tests, onesample.Test{Name: "toy-test", ByUnit: true, Mean: func(x onesample.Rewards, h onesample.Null) hypothesis.Result {
		return hypothesis.Result{N: x.N, Estimate: h.Value, LogP: math.Log(0.25), Lo: x.Lo, Hi: x.Hi, Exact: true, Assumes: "a toy's test"}
	}})
	asked.Corrections = append(asked.Corrections, corrections.Correction{
		Name: "toy-correction", Asked: "method", Method: "by-toy",
		Given: func([]maxinfo.Level) (maxinfo.Conditional, error) { return maxinfo.AnyLaw(nil), nil },
	})
	claim := asked.Claims[0] // decided as data.quality is
	claim.Claim, claim.Implied = param.Claim{Kind: "toy.claim"}, nil
	asked.Claims = append(asked.Claims, claim)
	asked.Checks = append(asked.Checks, check.Check{ID: "H98", Title: "toys", Expected: "none", Run: func(_ *check.Inputs, c *schemas.Check) {
		c.Status, c.Observed = schemas.CheckPass, "a toy"
	}})
	columns := append(role.All(), role.Column{ // of simulated logs, which all have rounds
		Role: "toy-column", Asked: func(*schemas.Protocol) []role.Want { return []role.Want{{Name: "round"}} },
		Fit: role.Fit{Depths: []int{0}, Takes: role.IsProbability, Needs: "a toy is a number", Mend: "take another"},
	})
	return catalogueOf(mechanisms, asked, columns)
}

// runToys executes one command line of the program with the toys.
func runToys(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	var out, errs bytes.Buffer
	p := &kit.Process{Stdout: &out, Stderr: &errs, Now: time.Now, Argv: append([]string{"banditaudit"}, args...)}
	toys := withToys()
	g := banditaudit(toys)
	if args[0] == "simulate" {
		g = command.Of(toys.Catalogue, world.Standard())
	}
	if code := g.Execute(t.Context(), p, args); code != 0 {
		t.Fatalf("%v: exit %d\n%s", args, code, errs.String())
	}
	return out.String()
}

// TestAToyOfEveryKind: what the command hands down is found in the help, in the
// rules, in the JSON Schema, in a simulated log and in the bundle of its audit,
// although no file but this one knows its name.
func TestAToyOfEveryKind(t *testing.T) {
	dir := t.TempDir()
	help := runToys(t, "simulate", "--help")
	for _, want := range []string{"lints, toy-policy.", "epochs, toy-counter."} {
		if !strings.Contains(help, want) {
			t.Errorf("the help of simulate lacks %q", want)
		}
	}
	runToys(t, "simulate", "--policy", "toy-policy", "--counter", "toy-counter", "--means", "0.3,0.6", "--rounds", "200", "--seed", "3", "-o", filepath.Join(dir, "sim"))
	declared := filepath.Join(dir, "sim", "protocol.yaml")
	b, err := os.ReadFile(declared)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(b), "analysis:")
	text := head + "analysis:\n  chosen: before\n  correction: {method: toy-correction}\n  tests: [{id: T, arm: each, mean: 0.5, test: toy-test}]\nclaims: [{id: mine, kind: toy.claim}]\n"
	if err := os.WriteFile(declared, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if seen := runToys(t, "validate", "-p", declared, filepath.Join(dir, "sim", "log")); !strings.Contains(seen, "toy-column") {
		t.Errorf("validate does not see the toy's column:\n%s", seen)
	}
	out := filepath.Join(dir, "out")
	runToys(t, "audit", "-q", "-p", declared, "-o", out, filepath.Join(dir, "sim", "log"))
	for name, wants := range map[string][]string{
		"results.json":  {`"name": "toy-policy"`, `"whim": 0.5`, `"toy.claim"`, `"H98"`, "a toy's test"},
		"manifest.json": {`"toy-column"`},
		"report.md":     {"toy-policy × toy-counter", "whim: 0.5", "toy.claim", "H98"},
	} {
		b, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !bytes.Contains(b, []byte(want)) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
	if told := runToys(t, "explain", "policy.whim"); !strings.Contains(told, "how strong the whim is") {
		t.Errorf("explain does not say what the toy's key means:\n%s", told)
	}
	schema := runToys(t, "schema", "protocol")
	for _, want := range []string{"toy-policy", "toy-counter", "toy-test", "toy-correction", "toy.claim", `"whim"`, "how strong the whim is"} {
		if !strings.Contains(schema, want) {
			t.Errorf("the schema of a protocol lacks %q", want)
		}
	}
	refused := known().Format()
	if _, err := refused.ParseProtocol("p.yaml", []byte(text)); err == nil || strings.Count(err.Error(), "toy") < 4 {
		t.Errorf("without the toys: %v", err)
	}
}
