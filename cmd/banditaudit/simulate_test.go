package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// policies are those that simulate has.
func policies() []string {
	var names []string
	for _, d := range replay.Standard().Policies {
		names = append(names, d.Name)
	}
	return names
}

// simulated runs simulate into a fresh directory.
func simulated(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sim")
	if code, _, stderr := run(t, append([]string{"simulate", "-q", "-o", dir}, args...)...); code != 0 {
		t.Fatalf("simulate %s: exit %d\n%s", strings.Join(args, " "), code, stderr)
	}
	return dir
}

// verified audits a simulated log under its own protocol, unedited, and holds
// what the audit found against what has to hold: every round of every
// experiment is what the policy plays, and the mechanism costs what the
// protocol claims. The allocation is a test at a level, and is left alone, as are
// arms that were never played.
func verified(t *testing.T, dir string, args ...string) *schemas.Results {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := run(t, "audit", "--fail-on", "never", "-p", filepath.Join(dir, "protocol.yaml"), "-o", out, filepath.Join(dir, "log"))
	if code != 0 {
		t.Fatalf("%s: audit: exit %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	r := readResults(t, filepath.Join(out, "results.json"))
	seen := 0
	for _, c := range r.Claims {
		switch c.Kind {
		case schemas.KindConformance:
			seen++
			if c.Verdict != schemas.Verified {
				t.Errorf("%s: %s is %s: %s", strings.Join(args, " "), c.Kind, c.Verdict, c.Reason)
			}
		case schemas.KindPrivacyTotal:
			if c.Verdict != schemas.Verified && c.Verdict != schemas.NotApplicable {
				t.Errorf("%s: %s is %s: %s", strings.Join(args, " "), c.Kind, c.Verdict, c.Reason)
			}
		}
	}
	if seen != len(r.Experiments) {
		t.Errorf("%s: %d claims about the policy for %d experiments", strings.Join(args, " "), seen, len(r.Experiments))
	}
	return r
}

// mechanism are the flags of a pair.
func mechanism(policy, sums string) []string {
	args := []string{"--policy", policy, "--counter", sums}
	if replay.Standard().Counter(sums).Noise {
		args = append(args, "--epsilon", "2")
	}
	if replay.Standard().Policy(policy).Linear() {
		args = append(args, "--context-dim", "2")
	}
	return args
}

// TestEveryPairAuditsUnedited: the log of every policy on a third of the counters,
// each of which has a third of the policies, is verified under the protocol beside
// it, as it stands, with everything that a round can have; and with nothing of it.
// All pairs are replayed in package replay.
func TestEveryPairAuditsUnedited(t *testing.T) {
	for p, policy := range policies() {
		for i, sums := range analyze.Standard().Format().CounterNames() {
			kind, noise := replay.Standard().Policy(policy), replay.Standard().Counter(sums).Noise
			if (p+i)%3 != 0 && kind.Fits(nil, true) || !kind.Fits(nil, noise) {
				continue
			}
			t.Run(policy+" × "+sums, func(t *testing.T) {
				if sums == "exact" || sums == "hybrid" {
					plain := append(mechanism(policy, sums), "--means", "0.2,0.5,0.7", "--rounds", "300")
					verified(t, simulated(t, plain...), plain...)
				}
				busy := append(mechanism(policy, sums), "--means", "0.2,0.5,0.7", "--rounds", "300", "--batch", "20", "--delay", "5", "--never", "0.05",
					"--eligible", "0.7", "--repeat", "2", "--set", "floor=0.05", "--seed", "8")
				if kind.Compares {
					busy = append(busy, "--set", "ties=seeded")
				}
				r := verified(t, simulated(t, busy...), busy...)
				if len(r.Experiments) != 2 || r.Experiments[1].Replay.Matched != 300 || r.Experiments[1].Replay.Replayable != 300 {
					t.Errorf("%d experiments, the second of which matches in %+v", len(r.Experiments), r.Experiments[1].Replay)
				}
			})
		}
	}
}

// TestEveryWorldAuditsUnedited does the same over worlds and what a round can
// have, one at a time.
func TestEveryWorldAuditsUnedited(t *testing.T) {
	private := []string{"--policy", "ucb", "--counter", "hybrid", "--epsilon", "2", "--rounds", "400"}
	means := []string{"--means", "0.2,0.5,0.7"}
	for _, c := range [][]string{
		means,
		append([]string{"--world", "beta", "--concentration", "3"}, means...),
		append([]string{"--world", "gaussian", "--sd", "0.6"}, means...),
		append([]string{"--world", "drift", "--means-end", "0.7,0.5,0.2"}, means...),
		append([]string{"--world", "drift", "--means-end", "0.7,0.5,0.2", "--period", "50"}, means...),
		{"--world", "linear", "--arms", "3", "--context-dim", "2"},
		{"--world", "linear", "--theta", "0.9,0.1/0.1,0.9", "--context", "by-arm", "--sd", "0.5", "--labels", "a,b"},
		append([]string{"--context-dim", "2"}, means...),
		append([]string{"--context-dim", "2", "--context-l1", "3"}, means...),
		append([]string{"--batch", "30"}, means...),
		append([]string{"--batch", "30", "--set", "update={every: 7}"}, means...),
		append([]string{"--delay", "12"}, means...),
		append([]string{"--delay", "fixed:9"}, means...),
		append([]string{"--never", "0.3"}, means...),
		append([]string{"--eligible", "0.4"}, means...),
		append([]string{"--eligible", "1"}, means...),
		append([]string{"--log", "released,propensities", "--set", "floor=0.1"}, means...),
		append([]string{"--set", "width={c: 2}", "--set", "bonus=none", "--set", "grid=2^-10"}, means...),
	} {
		args := append(slices.Clone(private), c...)
		verified(t, simulated(t, args...), args...)
	}
}

// TestSimulateBothWays: with -p, the protocol that the flags made gives the same
// log and truth.
func TestSimulateBothWays(t *testing.T) {
	for _, worldly := range [][]string{
		{"--means", "0.2,0.5,0.7", "--batch", "20", "--delay", "5", "--eligible", "0.7", "--context-dim", "2"},
		{"--world", "linear", "--theta", "0.9,0.1/0.1,0.9", "--context", "by-arm"},
		{"--world", "gaussian", "--means", "0.2,0.5,0.7", "--never", "0.1"},
	} {
		worldly = append(worldly, "--rounds", "500", "--repeat", "2", "--seed", "3")
		declared := []string{"--policy", "ucb", "--counter", "hybrid", "--epsilon", "2", "--log", "released"}
		if slices.Contains(worldly, "linear") {
			declared[1] = "lints"
		}
		first := simulated(t, append(declared, worldly...)...)
		second := simulated(t, append([]string{"-p", filepath.Join(first, "protocol.yaml")}, worldly...)...)
		for _, name := range []string{"truth.json", "protocol.yaml", "seed.hex", "log/part-00000.parquet"} {
			a, err := os.ReadFile(filepath.Join(first, name))
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(filepath.Join(second, name))
			if err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s differs, error %v", name, err)
			}
		}
	}
}

// TestSimulateDeclaredNames: with -p the log has what the protocol declares,
// under its names, and audits.
func TestSimulateDeclaredNames(t *testing.T) {
	dir := t.TempDir()
	protocol := filepath.Join(dir, "p.yaml")
	text := `version: 1
experiment: {column: exp id, stopping: fixed}
log: {order: ts, action: variant, reward: clicked, propensity: p, propensity_by_arm: probs, context: [age, height],
  released_by_arm: noisy sums, eligible: open, eligible_by: schedule, batch: dt, reward_order: known_at}
arms: [1, two, "three, and more"]
reward: {range: [0, 1]}
policy: {name: epsilon-greedy, explore: 0.2, update: batch, seed: {file: seeds/seed.hex}}
counter: {name: hybrid, epsilon: 0.5}
`
	if err := os.WriteFile(protocol, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"-p", protocol, "--seed", "4", "--means", "0.2,0.5,0.7", "--rounds", "400", "--repeat", "2",
		"--batch", "10", "--delay", "3", "--eligible", "0.8",
	}
	sim := simulated(t, args...)
	verified(t, sim, args...)
	tableau := filepath.Join(dir, "tab")
	if code, _, stderr := run(t, "ingest", "-p", filepath.Join(sim, "protocol.yaml"), "-o", tableau, filepath.Join(sim, "log")); code != 0 {
		t.Fatal(stderr)
	}
	b, err := os.ReadFile(filepath.Join(tableau, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m schemas.Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	roles := map[string]string{}
	for _, c := range m.Columns {
		roles[c.Column] = c.Role
	}
	for name, role := range map[string]string{"exp id": "experiment", "noisy sums": "released_by_arm", "probs": "propensity_by_arm", "height": "context", "open": "eligible", "known_at": "reward_order"} {
		if roles[name] != role {
			t.Errorf("column %q has role %q, want %q", name, roles[name], role)
		}
	}
}
