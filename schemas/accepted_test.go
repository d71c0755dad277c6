package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	google "github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"
)

// independent is a validator of the printed schema of a document that shares no
// code with the one of this program.
func independent(t *testing.T, name string) *google.Resolved {
	t.Helper()
	b, err := standard().JSONSchema(name)
	if err != nil {
		t.Fatal(err)
	}
	var schema google.Schema
	if err = json.Unmarshal(b, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(&google.ResolveOptions{BaseURI: "urn:banditaudit:"})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// validates reports what the printed schema has against a protocol in YAML.
func validates(schema *google.Resolved, source []byte) error {
	b, err := yaml.YAMLToJSON(source)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	return schema.Validate(v)
}

// TestSchemaAcceptsWrittenProtocols: the printed schema accepts every protocol of
// the README and of the test data that the program accepts.
func TestSchemaAcceptsWrittenProtocols(t *testing.T) {
	schema := independent(t, protocolSchema)
	sources := map[string]string{"README": readmeProtocol(t)}
	for _, pattern := range []string{"../testdata/*/protocol.yaml", "../testdata/*/protocols/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sources[name] = string(b)
		}
	}
	accepted := 0
	for name, source := range sources {
		if _, err := standard().ParseProtocol(name, []byte(source)); err != nil {
			continue
		}
		accepted++
		if err := validates(schema, []byte(source)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if accepted < 3 {
		t.Errorf("%d protocols were accepted", accepted)
	}
}

// readmeProtocol is the protocol that the README shows, in an indented block.
func readmeProtocol(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	inside := false
	for line := range strings.Lines(string(b)) {
		text, indented := strings.CutPrefix(line, "    ")
		inside = inside && (indented || strings.TrimSpace(line) == "") || strings.HasPrefix(text, "version: 1")
		if inside {
			out.WriteString(text)
		}
	}
	if out.Len() == 0 {
		t.Fatal("the README shows no protocol")
	}
	return out.String()
}

// drawn is a protocol of random parts, right and wrong.
func drawn(t *rapid.T) string {
	one := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	policies := slices.Sorted(maps.Keys(drawnPolicies()))
	policy := one("policy", policies...)
	keys := []string{"name: " + policy}
	for _, k := range drawnPolicies()[policy] {
		keys = append(keys, one("key", k...))
	}
	keys = append(keys, one("floor", "", "floor: 0.01", "floor: 0", "floor: 1/30", `floor: "2^-10"`, "floor: {kind: clip, value: 1/30}", "floor: {kind: mix, value: 0.01}", "floor: {kind: sink, value: 0.01}", "floor: {value: 0.01}", "floor: {kind: rest, value: 0}"), one("update", "", "update: {every: 3}", "update: batch"),
		one("seed", "", "seed: {file: seed.hex}", "seed: "+strings.Repeat("0f", 32), "seed: {sha256: "+strings.Repeat("aB", 32)+"}"),
		one("draw", "", "draw: {by: round}", "draw: {by: unit}", "draw: {hash: growthbook-v1, seed: s, unit: u}", "draw: {hash: growthbook-v2, seed: '', unit: u, coverage: 1/2}", "draw: {hash: growthbook-v3, seed: s, unit: u}", "draw: {hash: growthbook-v1, unit: w, coverage: 0}"))
	counter := one("counter", "{name: exact}", "{name: hybrid, epsilon: 1/3, horizon: 1000}", `{name: hybrid, epsilon: "0.25", grid: 2^-20, horizon: 5}`,
		"{name: interval, epsilon: 1, horizon: 100, exponent: 3/2}", "{name: epochs, epsilon: 1.0e-1}", "{name: laplace, epsilon: 0.5, horizon: 10}", "{name: binary, epsilon: 2, horizon: 64, sensitivity: 2}")
	parts := []string{
		"version: 1",
		"experiment: " + one("experiment", "{id: x}", "{id: 7, stopping: fixed}", "{id: true, stopping: unknown}", "{column: e}", `{id: "a b", stopping: rule-on-released}`),
		"log: {" + strings.Join(compacted(
			one("order", "order: t", "order: [t]", "order: [day, t]"), "action: a", one("reward", "reward: r", "reward: 1"),
			one("context", "", "context: [x, 2]", "context: {list: features}", "context: [{column: c, levels: [a, 1, true]}, x]", `context: [{column: c, levels: ["", b], baseline: ""}]`),
			one("propensity", "", "propensity: p", "propensity: p, propensity_resolution: 0.000001", "propensity: p, propensity_resolution: 1/1000", "propensity: p, propensity_draws: 1000", "propensity: p, propensity_draws: unknown, drawn: one-more", "propensity: p, drawn: one-more", "propensity: p, propensity_draws: 1"), one("batch", "", "batch: b"), one("kept", "", "keep_prob: 0.5", "keep_prob: 1/3, keep_by: action", "keep_prob: {column: o}, keep_by: schedule", "keep_prob: 0", "keep_prob: 2", "keep_by: unknown", "keep_prob: 1, keep_by: never", "keep_prob: {column: o, by: arm}"), one("unit", "", "unit: u"),
			one("missing", "", "missing_reward: exclude", "missing_reward: error")), ", ") + "}",
		"arms: " + one("arms", "[a, b]", "[1, 2]", "[true, false]", `["a b", c]`, "[1.0, 1]"),
		"reward: " + one("range", "{range: [0, 1]}", "{range: [-1/3, 2/3]}", "{range: [-1.5, 2000.5], out_of_range: clip}", "{range: [0, 1], out_of_range: error}"),
		"policy: {" + strings.Join(compacted(keys...), ", ") + "}",
		"counter: " + counter,
		one("privacy", "", "privacy: {epsilon: 1}", "privacy: {epsilon: 1/3, unit: user}", "privacy: {definition: zcdp, rho: 0.1}", "privacy: {definition: approximate, epsilon: 1, delta: 0.000001}"),
		one("analysis", "", "analysis: {rerun: {permute: "+one("permute", "none", "all", "units", "{blocks: 20}", "{blocks: 1}", "{units: 5}", "{within: [x]}", "{within: []}", "{within: [2, x]}")+one("rerun", "", ", lag: record", ", statistic: spread-in-blocks", ", strata: x, draws: 99", ", exceedances: 1")+"}}", "analysis: {alpha: 0.1}", "analysis: {alpha: 1/20}", "analysis: {chosen: before, correction: {method: best, beta: 0.5, also: [zcdp]}, tests: [{id: H1, arm: most-pulled, mean: 0.5, test: exact}]}",
			"analysis: {chosen: from-actions, means: constant, multiplicity: none, correction: {beta: best}, tests: [{id: 1, difference: [a, b], value: 0, alternative: less}]}",
			"analysis: {regressions: [{name: m, arms: each, covariance: HC1, intercept: false}, {name: n, covariance: {cluster: unit}}]}",
			"analysis: {chosen: before, regressions: [{name: m, covariance: {}}], tests: [{id: H1, arm: a, mean: 0.5, joint: {}, difference: []}]}"),
		one("claims", "", "claims: [{id: q, kind: data.quality}]", "claims: [{id: b, kind: bias.bound, comparator: <=, threshold: 1/10, arms: all}]",
			"claims: [{id: b, kind: bias.bound, comparator: <=, threshold: 0.1, arms: [a], severity: advisory}]", "claims: [{id: b, kind: bias.bound, comparator: <=, threshold: 0.1, arms: []}]"),
	}
	return strings.Join(compacted(parts...), "\n") + "\n"
}

// compacted leaves out what is empty.
func compacted(parts ...string) []string {
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// drawnPolicies has the keys of each policy, and for each key what may be drawn.
func drawnPolicies() map[string][][]string {
	width := []string{"width: {delta: 0.05}", "width: {c: 2}", "width: {delta: 0.05}, bonus: quantile", "width: {c: 2}, bonus: paper, ties: seeded", "width: {c: 2}, bonus: none", "width: {alpha: 1/3}", "width: {c: 2, clock: plays, offset: 3}", "width: {delta: 0.05, horizon: 1000}"}
	ridge := []string{"lambda: 1, theta_bound: 1, noise_sd: 0.5", "lambda: 1, theta_bound: 2.5, noise_sd: 0.5, context_l1: 1", "lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 3/2"}
	return map[string][][]string{
		"uniform": nil, "fixed": {{"probabilities: [0.5, 0.5]", "probabilities: [1, 0]"}},
		"epsilon-greedy": {{"explore: 0.1", "explore: {decay: 5}", "explore: 0", "explore: 1", "epsilon: 0.1", "explore: {exponential: 0.001, from: 0.9, clock: plays}", "explore: {harmonic: 0.1, from: 1, to: 1/100}", "explore: {linear: [1, 0.05, 100]}"}, {"", "start: any", "start: none, unseen: {mean: 1/3}", "start: {until: each-played}", "ties: shared", "ties: any", "order: [b, a]"}},
		"ucb":            {width, {"", "start: random", "start: {rows: 1, sum: 1}", "start: {first: 10}", "start: {given: 10}"}}, "successive-elimination": {width},
		"inverse-gap": {{"gamma: 20", "gamma: {scale: 10, exponent: 1/2, clock: plays, offset: 1}"}, {"", "minimise: true", "minimise: false"}},
		"exp3":        {{"gamma: 0.1", "gamma: 1", "gamma: 1/3"}, {"", "start: none", "start: random", "start: {first: 10}"}},
		"thompson":    {{"prior: {alpha: 1, beta: 1}", "prior: {mean: 0.5, variance: 1, noise: 0.25}", "prior: {mean: 0, variance: 1, noise: sample}", "prior: {mean: 0, variance: 1, noise: some}"}, {"", "top: 2", "top: 3"}, {"", "min_rows: 5"}, {"", "cap: 200", "cap: none", "cap: all"}},
		"softmax":     {{"eta: 0.1", "eta: 1.0e+300", "temperature: 0.1", "tau: 1/3, shrink: 1, start: random", "eta: 2, of: means, unseen: {mean: 0.5}, start: none"}}, "linucb": {append(ridge, "lambda: 1, width: {alpha: 1}"), {"", "unfit: identity", "unfit: ridge"}}, "lints": {ridge},
	}
}

// TestSchemaAcceptsWhatTheProgramAccepts: 500 random protocols that the program
// accepts are valid by the printed schema, and so is the effective form of each, which
// is read as what it was.
func TestSchemaAcceptsWhatTheProgramAccepts(t *testing.T) {
	schema := independent(t, protocolSchema)
	accepted, drawnInAll := 0, 0
	for accepted < 250 {
		rapid.Check(t, func(rt *rapid.T) {
			drawnInAll++
			source := drawn(rt)
			d, err := standard().ParseProtocol("p.yaml", []byte(source))
			if err != nil {
				return
			}
			accepted++
			if err = validates(schema, []byte(source)); err != nil {
				rt.Fatalf("the program accepts what its schema refuses: %v\n%s", err, source)
			}
			effective, err := d.Effective()
			if err != nil {
				rt.Fatal(err)
			}
			if err = standard().ValidateProtocol(effective); err != nil {
				rt.Fatalf("%v\n%s", err, effective)
			}
			p, err := standard().ReadEffective(effective)
			if err != nil {
				rt.Fatalf("%v\n%s", err, effective)
			}
			if again, err := (&Document{Protocol: *p}).Effective(); err != nil || !bytes.Equal(again, effective) {
				rt.Fatalf("read as %s (%v), written as\n%s", again, err, effective)
			}
		})
		if t.Failed() || drawnInAll > 100_000 {
			break
		}
	}
	if accepted < 250 {
		t.Errorf("%d of %d protocols were accepted", accepted, drawnInAll)
	}
}

// TestSchemaRefuses: the printed schema refuses what has another form than a
// protocol.
func TestSchemaRefuses(t *testing.T) {
	schema := independent(t, protocolSchema)
	const whole = "version: 1\nexperiment: {id: x}\nlog: {order: t, action: a, reward: r}\nreward: {range: [0, 1]}\npolicy: {name: softmax, eta: 1}\ncounter: {name: hybrid, epsilon: 1}\n"
	if err := validates(schema, []byte(whole)); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		"version: 1": "version: 2", "experiment: {id: x}\n": "", "order: t": "order: []", "order: t, ": "", "[0, 1]": "[0]", "{range: [0, 1]}": "{}",
		"softmax": "softmx", "eta: 1": "eta: 0", "eta: 1}": "eta: yes}", "eta:": "etta:", "hybrid": "hybrdi", "epsilon: 1}": "epsilon: one}", "action: a": "action: ''",
		"reward: r": "reward: r, ties: last", "epsilon: 1": "epsilon: 1, horizon: 0", "{id: x}": "{id: [x]}",
		"version: 1\n": "version: 1\nextra: 1\n", "reward: {": "reward: {clip: 1, ", "name: hybrid": "grid: 1",
	} {
		source := strings.Replace(whole, from, to, 1)
		if source == whole {
			t.Errorf("%q is not in the protocol", from)
		}
		if source != whole && validates(schema, []byte(source)) == nil {
			t.Errorf("the schema accepts\n%s", source)
		}
	}
}

// TestResultsSchemaStandsAlone: the printed schema of every other document is
// read without another file.
func TestResultsSchemaStandsAlone(t *testing.T) {
	for _, name := range Names() {
		schema := independent(t, name)
		if name == protocolSchema || roots()[name] == nil { // a type of analyze/decide/shard
			continue
		}
		_, text := exampleJSON(t, name)
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if schema.Validate(map[string]any{"schema": fmt.Sprint(name, ".v1")}) == nil {
			t.Errorf("%s: a document with one key is accepted", name)
		}
	}
}

// TestKeptSchemasAreCurrent: the schema of a protocol that is kept to be read is
// that of the standard catalogue; go generate writes the others from the types.
func TestKeptSchemasAreCurrent(t *testing.T) {
	kept, err := schemaFile(protocolSchema)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := standard().JSONSchema(protocolSchema)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, printed) {
		t.Error("protocol.schema.json is not that of the catalogue; run go generate ./schemas")
	}
}
