package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/ingest/logfile"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// coins is a world of two arms that pay 1 with probability 0.4 and 0.6.
type coins struct{ r *rand.Rand }

func (coins) Dim() int                 { return 0 }
func (coins) Context(int64, []float64) {}

func (c coins) Reward(_ int64, arm int) float64 {
	if c.r.Float64() < 0.4+0.2*float64(arm) {
		return 1
	}
	return 0
}

// severalExperiments writes a log of experiments with what the policy saw, and its
// protocol. Experiment e runs with the noise of the seed and id in of(e); rewards
// are drawn anew in every one.
func severalExperiments(t *testing.T, mechanism string, experiments int, rounds int64, of func(e int) string) (protocol, log string) {
	t.Helper()
	dir := t.TempDir()
	protocol, log = filepath.Join(dir, "protocol.yaml"), filepath.Join(dir, "log")
	source := "version: 1\nexperiment: {column: experiment, stopping: fixed}\nlog: {order: [round], action: action, reward: reward, released_by_arm: released_by_arm}\narms: [a, b]\nreward: {range: [0, 1]}\n" + mechanism + "\nprivacy: {epsilon: 1}\n"
	doc, err := analyze.Standard().Format().ParseProtocol("p", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	m, err := analyze.Standard().New(&doc.Protocol, doc.Protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	if err = os.MkdirAll(log, 0o700); err != nil {
		t.Fatal(err)
	}
	if err = os.WriteFile(protocol, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := logfile.NewWriter(log, logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Experiments: true, ReleasedByArm: 1, CreatedBy: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for e := range experiments {
		env := coins{rand.New(rand.NewPCG(7, uint64(e)))}
		err := m.Bandit(replay.Seed(5), of(e), env, rounds, func(s *replay.Step) error {
			return w.Append(&logfile.Row{Experiment: int64(e), Round: s.Round, Arm: s.Arm, Reward: s.Reward, ReleasedByArm: s.Released})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return protocol, log
}

// resultsOf audits a log with so many jobs.
func resultsOf(t *testing.T, protocol, log string, jobs int) (*schemas.Results, []byte, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := run(t, "audit", "--fail-on", "never", "-j", strconv.Itoa(jobs), "-p", protocol, "-o", out, log)
	if code != 0 {
		t.Fatal(stdout, stderr)
	}
	path := filepath.Join(out, "results.json")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return readResults(t, path), b, stdout
}

// TestNoiseAcrossExperiments: two experiments that drew their noise from the same
// seed and id are found and named, whatever their rewards were and whatever -j is;
// privacy.total is then NOT ESTABLISHED in both, and nothing is said of others.
// Without the comparison both were CONSISTENT.
func TestNoiseAcrossExperiments(t *testing.T) {
	t.Setenv("COLUMNS", "100000")
	for name, mechanism := range map[string]string{
		"laplace":         "policy: {name: ucb, width: {c: 2}}\ncounter: {name: laplace, epsilon: 1}",
		"hybrid, drawn":   "policy: {name: epsilon-greedy, explore: 0.2}\ncounter: {name: hybrid, epsilon: 1}",
		"a coarse grid":   "policy: {name: ucb, width: {c: 2}}\ncounter: {name: laplace, epsilon: 1/4, grid: 1}",
		"tree, a horizon": "policy: {name: ucb, width: {c: 2}}\ncounter: {name: tree, epsilon: 1, horizon: 400}",
	} {
		protocol, log := severalExperiments(t, mechanism, 4, 300, func(e int) string { return []string{"0", "same", "2", "same"}[e] })
		r, bytes1, stdout := resultsOf(t, protocol, log, 1)
		if _, bytes2, _ := resultsOf(t, protocol, log, 2); !bytes.Equal(bytes1, bytes2) {
			t.Errorf("%s: results depend on -j", name)
		}
		if !strings.Contains(stdout, " in experiment 3 too, one after another") {
			t.Errorf("%s: %s", name, stdout)
		}
		for _, c := range r.Claims {
			shares := c.Experiment == "1" || c.Experiment == "3"
			switch c.Kind {
			case schemas.KindPrivacyNoise:
				if shares != (c.Verdict == schemas.Violated) || shares && !strings.Contains(c.Reason, "in an honest log any two experiments agree so with probability 1e-06 at most") {
					t.Errorf("%s: %s: %s is %s: %s", name, c.Experiment, c.Kind, c.Verdict, c.Reason)
				}
			case schemas.KindPrivacyTotal:
				if shares && c.Verdict != schemas.NotEstablished {
					t.Errorf("%s: %s: %s is %s: %s", name, c.Experiment, c.Kind, c.Verdict, c.Reason)
				}
			}
		}
	}
}

// TestNoiseAcrossHonest: honest experiments of one seed are not accused, nor are
// those of the exact counter, whose values are alike where rewards are, nor those of
// a lattice on which most noise is 0. The comparison accuses any of a log with
// probability below 1e-6.
func TestNoiseAcrossHonest(t *testing.T) {
	for name, mechanism := range map[string]string{
		"laplace":     "policy: {name: ucb, width: {c: 2}}\ncounter: {name: laplace, epsilon: 1}",
		"most are 0":  "policy: {name: ucb, width: {c: 2}}\ncounter: {name: laplace, epsilon: 4, grid: 1}",
		"exact":       "policy: {name: epsilon-greedy, explore: 0.2}\ncounter: {name: exact}",
		"few, coarse": "policy: {name: ucb, width: {c: 2}}\ncounter: {name: hybrid, epsilon: 2, grid: 1}",
	} {
		protocol, log := severalExperiments(t, mechanism, 60, 40, strconv.Itoa)
		r, _, _ := resultsOf(t, protocol, log, 2)
		for i := range r.Experiments {
			if x := r.Experiments[i].Replay.Released; x == nil || x.Shared != nil {
				t.Errorf("%s: %+v", name, x)
			}
		}
	}
}
