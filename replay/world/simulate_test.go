package world

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// declared is a simulation of a starter's protocol.
func declared(t *testing.T, s Starter, means ...float64) *Spec {
	t.Helper()
	s.Labels = DefaultLabels(len(means))
	s.Epsilon = strings.Replace(s.Epsilon, "1/3", "20", 1) // so that choices depend on rewards
	d, err := s.Declare("p.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return &Spec{Protocol: &d.Protocol, Master: replay.Seed(5), Means: means, Rounds: s.Rounds, Repeat: s.Repeat, ContextDim: s.ContextDim, CreatedBy: "test"}
}

// run simulates into a fresh directory and reads what was written.
func run(t *testing.T, s *Spec) (*Truth, map[string][]byte, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "deep", "log")
	truth, err := Simulate(context.Background(), s, dir)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return truth, files, dir
}

// TestSameBytes: the same specification gives the same files and truth,
// another seed gives others.
func TestSameBytes(t *testing.T) {
	s := declared(t, private(), .3, .5, .6)
	s.RowsPerFile, s.RowsPerGroup = 200, 70
	truth, files, _ := run(t, s)
	again, same, _ := run(t, s)
	if diff := cmp.Diff(truth, again); diff != "" {
		t.Errorf("truth (-first +second):\n%s", diff)
	}
	if len(files) != 3 || len(same) != 3 {
		t.Errorf("%d and %d files, want 3 of 500 rows by 200", len(files), len(same))
	}
	for name, b := range files {
		if !bytes.Equal(b, same[name]) {
			t.Errorf("%s differs between two runs", name)
		}
	}
	s.Master = replay.Seed(6)
	other, files, _ := run(t, s)
	if cmp.Equal(truth, other) || bytes.Equal(files["part-00000.parquet"], same["part-00000.parquet"]) {
		t.Error("another seed gives the same log")
	}
}

// TestTruth holds truth.json against the log.
func TestTruth(t *testing.T) {
	s := private()
	s.Repeat = 2
	spec := declared(t, s, .3, .6, .5, .6)
	truth, _, dir := run(t, spec)
	want := Truth{
		Schema: "truth.v1", World: "bernoulli", Labels: []string{"arm-1", "arm-2", "arm-3", "arm-4"}, Means: []float64{.3, .6, .5, .6},
		Rounds: 500, ContextDim: 2, Best: "arm-2",
	}
	for e := range 2 {
		pulls := make([]int64, 4)
		rewards := 0.0
		id := []string{"0", "1"}[e]
		m, err := replay.New(spec.Protocol, want.Labels)
		if err != nil {
			t.Fatal(err)
		}
		err = m.Bandit(spec.Master, id, NewBernoulli(spec.Means, 2, spec.Master, id), 500, func(step *replay.Step) error {
			pulls[step.Arm]++
			rewards += step.Reward
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		regret := float64(pulls[0])*(.6-.3) + float64(pulls[2])*(.6-.5)
		if got := truth.Experiments[e].Regret; math.Abs(got-regret) > 1e-9 {
			t.Errorf("experiment %d: regret %v, want %v", e, got, regret)
		}
		want.Experiments = append(want.Experiments, ExperimentTruth{ID: id, Pulls: pulls, Regret: truth.Experiments[e].Regret})
	}
	if diff := cmp.Diff(&want, truth); diff != "" {
		t.Errorf("truth (-want +got):\n%s", diff)
	}
	if cmp.Equal(truth.Experiments[0].Pulls, truth.Experiments[1].Pulls) {
		t.Error("two experiments of one log are the same")
	}
	manifest, arms := read(t, spec, dir)
	for e, x := range manifest.Experiments {
		pulls := make([]int64, 4)
		for _, a := range arms[e] {
			pulls[a]++
		}
		if x.ID != truth.Experiments[e].ID || x.Rows != 500 || x.Gaps != 0 || !cmp.Equal(pulls, truth.Experiments[e].Pulls) {
			t.Errorf("experiment %+v has pulls %v, the truth says %+v", x, pulls, truth.Experiments[e])
		}
	}
	if !cmp.Equal(manifest.Arms, truth.Labels) || manifest.Reward.Type != "bool" || !cmp.Equal(manifest.Context, []string{"x0", "x1"}) {
		t.Errorf("the log has arms %q, rewards of type %s, context %q", manifest.Arms, manifest.Reward.Type, manifest.Context)
	}
}

// read ingests a log under its own protocol.
func read(t *testing.T, s *Spec, dir string) (*schemas.Manifest, [][]int32) {
	t.Helper()
	sources, err := ingest.Discover(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if _, err = ingest.Ingest(context.Background(), s.Protocol, sources, to, ingest.Options{Tool: schemas.Tool{Name: "banditaudit", Version: "test"}}); err != nil {
		t.Fatal(err)
	}
	tab, m, err := ingest.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	arms := make([][]int32, len(m.Experiments))
	for e := range arms {
		for i := range tab.Slice(e).Chunks() {
			arms[e] = append(arms[e], tab.Slice(e).Chunk(i).Arm...)
			for _, p := range tab.Slice(e).Chunk(i).Propensity {
				if p != 1/float64(len(m.Arms)) {
					t.Fatalf("propensity %v of a uniform policy with %d arms", p, len(m.Arms))
				}
			}
		}
	}
	if err := tab.Close(); err != nil {
		t.Fatal(err)
	}
	return m, arms
}

// TestPropensityWhereKnown: only a policy that draws has one.
func TestPropensityWhereKnown(t *testing.T) {
	for _, c := range []struct {
		policy string
		want   bool
	}{{"uniform", true}, {"ucb", false}} {
		s := private()
		s.Policy, s.ContextDim = c.policy, 0
		spec := declared(t, s, .4, .6)
		_, _, dir := run(t, spec)
		m, _ := read(t, spec, dir)
		has := false
		for _, column := range m.Columns {
			has = has || column.Role == "propensity"
		}
		if has != c.want {
			t.Errorf("%s: the log has a propensity: %v, want %v", c.policy, has, c.want)
		}
	}
}

// TestSimulateDefaults: without declared arms there are arm-1 …, and a log is
// one experiment.
func TestSimulateDefaults(t *testing.T) {
	spec := declared(t, private(), .4, .6)
	spec.Protocol.Arms, spec.Repeat = nil, 0
	truth, files, _ := run(t, spec)
	if !cmp.Equal(truth.Labels, []string{"arm-1", "arm-2"}) || len(truth.Experiments) != 1 || truth.Experiments[0].ID != "simulated" || len(files) != 1 {
		t.Errorf("%d files, truth %+v", len(files), truth)
	}
}

// TestSpecFaults: what is wrong is said, and nothing is written.
func TestSpecFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *Spec)
		want   string
	}{
		{"no means", func(s *Spec) { s.Means = nil }, "needs the mean of each arm"},
		{"a mean above 1", func(s *Spec) { s.Means = []float64{.5, 1.5} }, "mean 2 is 1.5"},
		{"too few means", func(s *Spec) { s.Means = []float64{.5} }, "1 means for 2 declared arms"},
		{"too many means", func(s *Spec) { s.Means = []float64{.5, .5, .5} }, "3 means for 2 declared arms"},
		{"no rounds", func(s *Spec) { s.Rounds = 0 }, "0 rounds"},
		{"negative rounds", func(s *Spec) { s.Rounds = -1 }, "-1 rounds"},
		{"negative repeat", func(s *Spec) { s.Repeat = -1 }, "repeat -1"},
		{"negative dimension", func(s *Spec) { s.ContextDim = -1 }, "context dimension -1"},
		{"a large dimension", func(s *Spec) { s.ContextDim = 1001 }, "context dimension 1001"},
		{"repeat without a column", func(s *Spec) { s.Repeat = 2 }, "2 experiments in one log need experiment: {column: experiment}"},
		{"no policy", func(s *Spec) { s.Protocol.Policy = nil }, "policy is not declared"},
		{"no counter", func(s *Spec) { s.Protocol.Counter = nil }, "counter is not declared"},
	} {
		s := declared(t, private(), .4, .6)
		c.change(s)
		dir := filepath.Join(t.TempDir(), "log")
		truth, err := Simulate(context.Background(), s, dir)
		if truth != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want %q", c.name, truth, err, c.want)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: the directory was made", c.name)
		}
	}
	s := declared(t, private(), .4, .6)
	s.Repeat, s.ContextDim, s.Protocol.Log.Context = 1, 1000, schemas.Context{}
	if err := s.Check(); err != nil {
		t.Errorf("the largest dimension: %v", err)
	}
}

// TestSimulateFails: an interrupted run and a log that is there already end with
// their error and no truth.
func TestSimulateFails(t *testing.T) {
	s := declared(t, private(), .4, .6)
	s.Rounds = 10_000
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if truth, err := Simulate(ctx, s, t.TempDir()); truth != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v, %v", truth, err)
	}
	s = declared(t, private(), .4, .6)
	_, _, dir := run(t, s)
	if truth, err := Simulate(context.Background(), s, dir); truth != nil || !errors.Is(err, os.ErrExist) {
		t.Errorf("into a log: %v, %v", truth, err)
	}
}
