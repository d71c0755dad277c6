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
	"banditaudit/ingest/files"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
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
	written := map[string][]byte{}
	for _, e := range entries {
		if written[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return truth, written, dir
}

// TestSameBytes: the same specification gives the same files and truth,
// another seed gives others.
func TestSameBytes(t *testing.T) {
	s := declared(t, private(), .3, .5, .6)
	s.RowsPerFile, s.RowsPerGroup = 200, 70
	truth, written, _ := run(t, s)
	again, same, _ := run(t, s)
	if diff := cmp.Diff(truth, again); diff != "" {
		t.Errorf("truth (-first +second):\n%s", diff)
	}
	if len(written) != 3 || len(same) != 3 {
		t.Errorf("%d and %d files, want 3 of 500 rows by 200", len(written), len(same))
	}
	for name, b := range written {
		if !bytes.Equal(b, same[name]) {
			t.Errorf("%s differs between two runs", name)
		}
	}
	s.Master = replay.Seed(6)
	other, written, _ := run(t, s)
	if cmp.Equal(truth, other) || bytes.Equal(written["part-00000.parquet"], same["part-00000.parquet"]) {
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
		m, err := full().New(spec.Protocol, want.Labels)
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
	sources, err := files.Discover(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if _, err = ingest.Ingest(context.Background(), s.Protocol, sources, to, ingest.Options{Tool: schemas.Tool{Name: "banditaudit", Version: "test"}}); err != nil {
		t.Fatal(err)
	}
	tab, m, err := tableaudir.Open(to)
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
	truth, written, _ := run(t, spec)
	if !cmp.Equal(truth.Labels, []string{"arm-1", "arm-2"}) || len(truth.Experiments) != 1 || truth.Experiments[0].ID != "simulated" || len(written) != 1 {
		t.Errorf("%d files, truth %+v", len(written), truth)
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
		{"no policy", func(s *Spec) { s.Protocol.Policy = nil }, "policy is missing"},
		{"no counter", func(s *Spec) { s.Protocol.Counter = nil }, "counter is missing"},
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

// TestRows holds every column of a log against the steps of the mechanism in
// the same world, and the regret against a sum over rounds. The seed is fixed,
// so that the world is the same in every run of the test; some of its rewards
// never become known.
func TestRows(t *testing.T) {
	s := private()
	s.Batch, s.Late, s.Eligible, s.Released, s.Propensities, s.ByArm = true, true, true, true, true, true
	s.Set = map[string]string{"floor": "0.1"}
	spec := declared(t, s, .3, .6, .5)
	spec.ContextDim, spec.ByArm, spec.Batch, spec.Delay, spec.Never, spec.Eligible = 2, true, 20, Delay{Mean: 4}, .1, .6
	spec.Protocol.Policy.Seed.Bytes = spec.Master[:]
	truth, _, dir := run(t, spec)
	m, err := full().New(spec.Protocol, spec.Protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	tab := opened(t, spec, dir)
	rows := tab.Slice(0)
	env := newStaged(spec.law(), spec.scene(), spec.Master, "simulated")
	regret, index, at, seen := 0.0, 0, -1, 0
	chunk := rows.Chunk(0)
	err = m.Bandit(spec.Master, "simulated", env, spec.Rounds, func(step *replay.Step) error {
		if at++; at == len(chunk.Arm) {
			index, at = index+1, 0
			chunk = rows.Chunk(index)
		}
		best := 0.0
		for a, mean := range spec.Means {
			if step.Public.Eligible[a] {
				best = max(best, mean)
			}
			if chunk.Eligible(at, a) != step.Public.Eligible[a] {
				t.Errorf("round %d: arm %d is not as eligible as it was", step.Round, a)
			}
		}
		regret += best - spec.Means[step.Arm]
		known := min(step.Known, spec.Rounds)
		if step.Known == replay.NeverKnown {
			known = step.Known
			seen++
		}
		if chunk.Round[at] != step.Round || int(chunk.Arm[at]) != step.Arm || chunk.RewardRound[at] != known || chunk.Propensity[at] != step.Propensity ||
			!cmp.Equal(chunk.ReleasedByArm[3*at:3*at+3], step.Released) || !cmp.Equal(chunk.PropensityByArm[3*at:3*at+3], step.Propensities) ||
			!cmp.Equal(chunk.ContextByArm[6*at:6*at+6], step.Public.XByArm) || int64(chunk.Batch[at]) != (step.Round-1)/20 {
			t.Fatalf("round %d of the log is not that of the run", step.Round)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := truth.Experiments[0].Regret; math.Abs(got-regret) > 1e-9 {
		t.Errorf("regret %v, want %v", got, regret)
	}
	if seen == 0 {
		t.Error("every reward of this seed became known: the test says nothing of those that do not; take another seed")
	}
	if err := tab.Close(); err != nil {
		t.Fatal(err)
	}
}

// opened is a log, ingested under its own protocol.
func opened(t *testing.T, s *Spec, dir string) *tableau.Tableau {
	t.Helper()
	sources, err := files.Discover(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if _, err = ingest.Ingest(t.Context(), s.Protocol, sources, to, ingest.Options{Tool: schemas.Tool{Name: "banditaudit", Version: "test"}}); err != nil {
		t.Fatal(err)
	}
	tab, _, err := tableaudir.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// TestMissingRewards: where the protocol says how the analysis takes missing
// rewards, those that never become known are missing in the log. The seed is
// fixed, so that their number is the same in every run of the test, and above 0.
func TestMissingRewards(t *testing.T) {
	s := private()
	s.Policy, s.Counter, s.Epsilon, s.Late = "uniform", "", "", true
	spec := declared(t, s, .4, .6)
	spec.Protocol.Log.MissingReward, spec.Never = "exclude-independent", .25
	spec.ContextDim = 2
	_, _, dir := run(t, spec)
	manifest, _ := read(t, spec, dir)
	missing := int64(0)
	for _, c := range manifest.Counts {
		if strings.Contains(c.Reason, "missing") {
			missing += c.Rows
		}
	}
	env := newStaged(spec.law(), spec.scene(), spec.Master, "simulated")
	want := int64(0)
	for r := int64(1); r <= spec.Rounds; r++ {
		if env.Known(r) == replay.NeverKnown {
			want++
		}
	}
	if missing != want || want == 0 {
		t.Errorf("%d rewards are missing, want %d (%+v)", missing, want, manifest.Counts)
	}
}

// TestRewardByArm: with all rewards declared the log is the full table.
func TestRewardByArm(t *testing.T) {
	s := private()
	s.Policy, s.Counter, s.Epsilon, s.World = "uniform", "", "", Beta
	spec := declared(t, s, .4, .6)
	spec.World, spec.Protocol.Log.Reward, spec.Protocol.Log.RewardByArm = Beta, "", "all rewards"
	_, _, dir := run(t, spec)
	m, _ := read(t, spec, dir)
	found := false
	for _, c := range m.Columns {
		found = found || (c.Column == "all rewards" && c.Role == "reward_by_arm")
	}
	if !found {
		t.Errorf("the columns are %+v", m.Columns)
	}
}

// TestDeclaredFaults: what a protocol declares and a simulated log cannot hold
// is said before anything is written, all at once.
func TestDeclaredFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *Spec)
		want   []string
	}{
		{"two order columns", func(s *Spec) { s.Protocol.Log.Order = []string{"ts", "n"} }, []string{"write order: [round]"}},
		{"a list of contexts", func(s *Spec) { s.Protocol.Log.Context = schemas.Context{List: "f"} }, []string{"write context: [x0, x1]"}},
		{"levels", func(s *Spec) {
			s.Protocol.Log.Context.Columns[0].Levels = []string{"a", "b"}
		}, []string{"delete the levels"}},
		{"units", func(s *Spec) { s.Protocol.Log.Unit = "u" }, []string{"log.unit"}},
		{"another dimension", func(s *Spec) { s.ContextDim = 5 }, []string{"--context-dim is 5, and log.context has 2 columns"}},
		{"batches that nobody asked for, delays, and arms", func(s *Spec) {
			s.Protocol.Log.Batch, s.Protocol.Log.RewardOrder, s.Protocol.Log.Eligible = "b", "r", "e"
		}, []string{"give --batch", "give --delay", "give --eligible"}},
		{"a propensity of a policy without", func(s *Spec) { s.Protocol.Log.Propensity = "p" }, []string{"the policy ucb draws nothing"}},
		{"one name twice", func(s *Spec) { s.Protocol.Log.Reward = "action" }, []string{`column "action" of a log is to hold the action and the reward`}},
		{"a name that cannot be written", func(s *Spec) { s.Protocol.Log.Action = `a"b` }, []string{"the action cannot be written"}},
		{"a full counter", func(s *Spec) {
			s.Protocol.Counter.Name, s.Protocol.Counter.Horizon = "binary", 499
		}, []string{"the counter binary is full after so many rows"}},
		{"a range that rewards leave", func(s *Spec) { s.Protocol.Reward.Range = []float64{0, .5} }, []string{"bernoulli pays rewards from 0 to 1, and reward.range is [0, 0.5]"}},
		{"another bound of the contexts", func(s *Spec) {
			s.Protocol.Policy.Set("context_l1", schemas.MustRational("2"))
			s.ContextL1 = 3
		}, []string{"--context-l1: is 3, and the protocol declares policy.context_l1: 2"}},
		{"too many batches", func(s *Spec) { s.Rounds, s.Batch, s.Protocol.Log.Batch = 1<<33, 1, "b" }, []string{"at most 2^31 batches"}},
		{"not a number", func(s *Spec) { s.SD, s.Concentration, s.Never = math.NaN(), math.NaN(), math.NaN() }, []string{"--sd", "--concentration", "--never"}},
	} {
		s := declared(t, private(), .4, .6)
		c.change(s)
		err := s.Plan()
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v; want %q", c.name, err, want)
			}
		}
	}
}

// TestSameBytesOfEveryWorld: the same specification gives the same log, in every
// world with everything that a round can have, and another seed another.
func TestSameBytesOfEveryWorld(t *testing.T) {
	for name, w := range worlds() {
		s := private()
		s.World, s.Batch, s.Late, s.Eligible, s.Rounds = name, true, true, true, 200
		log := func(seed int64) (*Truth, map[string][]byte) {
			spec := *w
			spec.Protocol, spec.Rounds, spec.CreatedBy = declared(t, s, .1, .2, .3).Protocol, 200, "test"
			spec.Batch, spec.Delay, spec.Eligible, spec.ContextL1, spec.Master = 9, Delay{Mean: 3}, .5, 1, replay.Seed(seed)
			truth, written, _ := run(t, &spec)
			return truth, written
		}
		truth, written := log(1)
		again, same := log(1)
		other, another := log(2)
		if diff := cmp.Diff(truth, again); diff != "" || !cmp.Equal(written, same) {
			t.Errorf("%s: two runs differ; truth (-first +second):\n%s", name, diff)
		}
		if cmp.Equal(truth, other) || cmp.Equal(written, another) {
			t.Errorf("%s: another seed gives the same log", name)
		}
		if truth.World != name || (truth.Best == "") != (name == Linear || name == Drift) {
			t.Errorf("%s: the truth is %+v", name, truth)
		}
	}
}
