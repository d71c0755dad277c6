package world

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"banditaudit/ingest/logfile"
	"banditaudit/replay"
	"banditaudit/replay/counter"
)

// Names of faults.
const (
	NoNoise           = "no-noise"
	Redraw            = "redraw"
	HalfScale         = "half-scale"
	Log2Levels        = "log2-levels"
	NoiseOnMean       = "noise-on-mean"
	NoiseOverNTwice   = "noise-over-n-twice"
	WrongArmStream    = "wrong-arm-stream"
	FreshPrefixes     = "fresh-prefixes"
	ExtraUpdate       = "extra-update"
	PropensityUniform = "propensity-uniform"
	PropensityStale   = "propensity-stale"
	PropensitySwapped = "propensity-swapped"
	PropensityLogLik  = "propensity-loglik"
)

// faultySpec is a simulation in which everything can be faulty, of two or more
// arms.
func faultySpec(t *testing.T, policy, sums string, rounds int64, set map[string]string) *Spec {
	t.Helper()
	s := private()
	s.Policy, s.Counter, s.Epsilon, s.Rounds, s.ContextDim, s.Set = policy, sums, "2", rounds, 0, set
	s.Released, s.Propensities, s.Batch = true, true, false
	if sums == "exact" {
		s.Epsilon = ""
	}
	if policy == "linucb" || policy == "lints" {
		s.ContextDim = 2
	}
	spec := declared(t, s, .3, .5, .6)
	return spec
}

// rowsOf plays one experiment and returns what its log has.
func rowsOf(t *testing.T, s *Spec) []logfile.Row {
	t.Helper()
	if err := s.Plan(); err != nil {
		t.Fatal(err)
	}
	labels := labelsOrDefault(s.Protocol, s.arms())
	m, err := full().New(s.deployed(), labels)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := s.layout(labels, m)
	if err != nil {
		t.Fatal(err)
	}
	p := &play{ctx: t.Context(), spec: s, mechanism: m, law: s.law(), layout: layout}
	env, stage := open(p.law, s.scene(), s.Master, "e")
	d, err := p.deploy(stage, "e")
	if err != nil {
		t.Fatal(err)
	}
	var rows []logfile.Row
	err = d.run.Bandit(d.Stage, s.Rounds, func(step *replay.Step) error {
		var row logfile.Row
		p.fill(&row, step, env)
		if failed := d.misreport(&row, step); failed != nil {
			return failed
		}
		row.PropensityByArm, row.ReleasedByArm, row.Eligible, row.X = slices.Clone(row.PropensityByArm), slices.Clone(row.ReleasedByArm), slices.Clone(row.Eligible), slices.Clone(row.X)
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// sources are the streams of the arms' counters, by arm.
func sources(s *Spec, arms ...int) []rand.Source {
	var out []rand.Source
	for _, arm := range arms {
		out = append(out, replay.Stream(s.Master, replay.PurposeCounter, "e", arm))
	}
	return out
}

// sumsOf feeds the rows of a log to a bank, and returns what it had released
// before each row, and of how many rows.
func sumsOf(t *testing.T, rows []logfile.Row, bank counter.Bank, k int) (sums [][]float64, counts [][]int64) {
	t.Helper()
	sum, count := make([]float64, k), make([]int64, k)
	for _, r := range rows {
		sums, counts = append(sums, slices.Clone(sum)), append(counts, slices.Clone(count))
		var err error
		if sum[r.Arm], count[r.Arm], err = bank.Add(r.Arm, r.Reward); err != nil {
			t.Fatal(err)
		}
	}
	return sums, counts
}

// counterOf is the declared counter with its ε times a fraction, built apart from
// replay.
func counterOf(t *testing.T, s *Spec, fraction *big.Rat) counter.Counter {
	t.Helper()
	c := s.Protocol.Counter
	built, err := counter.New(counter.Spec{Name: c.Name, Epsilon: fraction.Mul(fraction, c.Epsilon.Rat()), Grid: c.Grid.Rat(), Horizon: c.Horizon})
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// differs reports the first round in which a log shows other sums than those
// expected.
func differs(t *testing.T, name string, rows []logfile.Row, want [][]float64) {
	t.Helper()
	for i, r := range rows {
		if !slices.Equal(r.ReleasedByArm, want[i]) {
			t.Errorf("%s, round %d: shown %v, want %v", name, i+1, r.ReleasedByArm, want[i])
			return
		}
	}
}

// TestFaultyNoiseOfStreams: with noise of the counters' own streams, what is
// shown is what banks show that were built apart from replay: of twice the ε for
// half the scale, and of L/(L−1) times the ε, L = 10 for 900 rows, for a level
// too few; with the streams of the next arms; and exact sums.
func TestFaultyNoiseOfStreams(t *testing.T) {
	for _, sums := range []string{"laplace", "binary", "hybrid", "tree", "epochs"} {
		for _, c := range []struct {
			fault    string
			fraction *big.Rat
			arms     []int
		}{
			{"", big.NewRat(1, 1), []int{0, 1, 2}},
			{HalfScale, big.NewRat(2, 1), []int{0, 1, 2}},
			{Log2Levels, big.NewRat(10, 9), []int{0, 1, 2}},
			{HalfScale + "," + Log2Levels, big.NewRat(20, 9), []int{0, 1, 2}},
			{WrongArmStream, big.NewRat(1, 1), []int{1, 2, 0}},
			{HalfScale + "," + WrongArmStream, big.NewRat(2, 1), []int{1, 2, 0}},
		} {
			s := faultySpec(t, "ucb", sums, 900, nil)
			if c.fault != "" {
				s.Faults = strings.Split(c.fault, ",")
			}
			if strings.Contains(c.fault, Log2Levels) && sums != "binary" {
				continue
			}
			rows := rowsOf(t, s)
			want, _ := sumsOf(t, rows, counterOf(t, s, c.fraction).Bank(sources(s, c.arms...)), 3)
			differs(t, sums+" "+c.fault, rows, want)
		}
		if sums == "epochs" {
			continue // its sums are not those of all rows
		}
		s := faultySpec(t, "ucb", sums, 900, nil)
		s.Faults = []string{NoNoise}
		rows := rowsOf(t, s)
		differs(t, sums+" "+NoNoise, rows, exactSums(rows))
	}
}

// exactSums are the sums of an arm's rewards before each round.
func exactSums(rows []logfile.Row) [][]float64 {
	var out [][]float64
	sum := make([]float64, 3)
	for _, r := range rows {
		out = append(out, slices.Clone(sum))
		sum[r.Arm] += r.Reward
	}
	return out
}

// TestFaultyNoiseOfMeans: noise that is meant for a sum of n rows is n times as
// large, or n times as small.
func TestFaultyNoiseOfMeans(t *testing.T) {
	for _, c := range []struct {
		fault string
		of    func(noise, n float64) float64
	}{
		{NoiseOnMean, func(noise, n float64) float64 { return float64(noise * n) }},
		{NoiseOverNTwice, func(noise, n float64) float64 { return noise / n }},
	} {
		s := faultySpec(t, "ucb", "hybrid", 600, nil)
		s.Faults = []string{c.fault}
		rows := rowsOf(t, s)
		want, counts := sumsOf(t, rows, counterOf(t, s, big.NewRat(1, 1)).Bank(sources(s, 0, 1, 2)), 3)
		exact := exactSums(rows)
		for i := range want {
			for arm, n := range counts[i] {
				if n > 0 {
					want[i][arm] = exact[i][arm] + c.of(want[i][arm]-exact[i][arm], float64(n))
				}
			}
		}
		differs(t, c.fault, rows, want)
	}
}

// TestFaultyNoiseAnew: noise that is drawn anew changes when it should and only
// then, and has the variance of the declared noise. Squares over their variance
// have mean 1 and variance at most 5; at 6 standard deviations the false-alarm
// rate is below 1e-8, and the seed is fixed.
func TestFaultyNoiseAnew(t *testing.T) {
	for _, sums := range []string{"laplace", "binary", "hybrid", "tree"} {
		for _, fault := range []string{Redraw, FreshPrefixes} {
			s := faultySpec(t, "ucb", sums, 600, nil)
			s.Faults = []string{fault}
			rows := rowsOf(t, s)
			exact := exactSums(rows)
			law := counterOf(t, s, big.NewRat(1, 1))
			var before []float64
			played := make([]int64, 3)
			squares, n := 0.0, 0.0
			for i, r := range rows {
				for arm := range 3 {
					noise := r.ReleasedByArm[arm] - exact[i][arm]
					another := i > 0 && rows[i-1].Arm == arm || fault == Redraw
					switch {
					case played[arm] == 0:
						if noise != 0 {
							t.Fatalf("%s %s, round %d: noise of an arm without rows", sums, fault, i+1)
						}
					case another == (noise == before[arm]): // draws of that many bits do not coincide
						t.Fatalf("%s %s, round %d, arm %d: noise %v after %v; changed, want %v", sums, fault, i+1, arm, noise, before[arm], another)
					case another:
						n++
						squares += noise * noise / variance(law, played[arm])
					}
				}
				played[r.Arm]++
				before = before[:0]
				for arm, v := range r.ReleasedByArm {
					before = append(before, v-exact[i][arm])
				}
			}
			if z := (squares/n - 1) * math.Sqrt(n/5); !(math.Abs(z) < 6) {
				t.Errorf("%s %s: mean square %v of the declared variance over %v draws: %.1f standard deviations", sums, fault, squares/n, n, z)
			}
		}
	}
}

func variance(c counter.Counter, rows int64) float64 {
	v := 0.0
	for _, of := range c.Noise(rows) {
		v += 2 * of.Scale * of.Scale * float64(of.Count)
	}
	return v
}

// TestFreshPrefixesOverN: two faults at once: fresh noise, divided by n.
func TestFreshPrefixesOverN(t *testing.T) {
	s := faultySpec(t, "ucb", "tree", 400, nil)
	s.Faults = []string{FreshPrefixes}
	one := rowsOf(t, s)
	s.Faults = []string{FreshPrefixes, NoiseOverNTwice}
	both := rowsOf(t, s)
	exact, of := exactSums(one), exactSums(both)
	first := [2][3]float64{}
	for arm := range 3 { // the noise of an arm's first row is divided by 1
		for i, rows := range [][]logfile.Row{one, both} {
			at := 1 + slices.IndexFunc(rows, func(r logfile.Row) bool { return r.Arm == arm })
			first[i][arm] = rows[at].ReleasedByArm[arm] - [][][]float64{exact, of}[i][at][arm]
		}
	}
	if first[0] != first[1] || first[0][0] == 0 {
		t.Errorf("noise of the first row %v and, divided by 1, %v", first[0], first[1])
	}
	last, largest := both[len(both)-1], 0.0
	for arm := range 3 {
		largest = max(largest, math.Abs(last.ReleasedByArm[arm]-of[len(both)-1][arm]))
	}
	if !(largest < 3) { // the scale of the noise of 400 rows is 4 or more, that of a quotient below 0.1
		t.Errorf("noise of the last sums is as large as %v", largest)
	}
}

// TestExtraUpdate: a policy that learns in the middle of each period, too, plays
// as one that learns twice as often; the log says the declared batches.
func TestExtraUpdate(t *testing.T) {
	every := faultySpec(t, "ucb", "hybrid", 700, map[string]string{"update": "{every: 50}"})
	every.Faults = []string{ExtraUpdate}
	twice := faultySpec(t, "ucb", "hybrid", 700, map[string]string{"update": "{every: 25}"})
	if diff := cmp.Diff(rowsOf(t, twice), rowsOf(t, every), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("every 25 rounds, and every 50 with an extra update:\n%s", diff)
	}
	honest := faultySpec(t, "ucb", "hybrid", 700, map[string]string{"update": "{every: 50}"})
	if cmp.Equal(rowsOf(t, honest), rowsOf(t, every), cmpopts.EquateNaNs()) {
		t.Error("an extra update changes nothing")
	}

	batched := func(n int64) *Spec {
		st := private()
		st.ContextDim, st.Epsilon, st.Batch, st.Late, st.Rounds = 0, "2", true, true, 700
		s := declared(t, st, .3, .5, .6)
		s.Batch, s.Delay = n, Delay{Mean: 5}
		return s
	}
	extra := batched(50)
	extra.Faults = []string{ExtraUpdate}
	want, got := rowsOf(t, batched(25)), rowsOf(t, extra)
	for i := range want {
		if got[i].Batch != int64(i/50) {
			t.Fatalf("round %d is logged in batch %d, want %d", i+1, got[i].Batch, i/50)
		}
		want[i].Batch = got[i].Batch
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("batches of 25, and of 50 with an extra update:\n%s", diff)
	}
}

// TestFallback: in about 2 % of rounds a uniform action is logged as such, and in
// all others the policy's own probabilities given what it saw.
func TestFallback(t *testing.T) {
	s := faultySpec(t, "softmax", "hybrid", 4000, map[string]string{"eta": "0.02"})
	s.Eligible, s.Protocol.Log.Eligible, s.Protocol.Log.EligibleBy = .8, "eligible", "schedule"
	s.Faults = []string{PropensityUniform}
	rows := rowsOf(t, s)
	m, err := full().New(s.Protocol, s.Protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	honest := m.NewObserver("e")
	fallen, actions := 0, map[int]int{}
	for i, r := range rows {
		honest.Next(&replay.Round{Eligible: r.Eligible, Released: r.ReleasedByArm})
		can := 3
		if r.Eligible != nil {
			can = 0
			for _, ok := range r.Eligible {
				if ok {
					can++
				}
			}
		}
		if r.Propensity != r.PropensityByArm[r.Arm] {
			t.Fatalf("round %d: propensity %v, of all arms %v", i+1, r.Propensity, r.PropensityByArm)
		}
		if !slices.Equal(honest.Propensities(), r.PropensityByArm) {
			fallen++
			if can == 3 {
				actions[r.Arm]++
			}
			if r.Propensity != 1/float64(can) {
				t.Errorf("round %d: a fallback with propensity %v for %d arms", i+1, r.Propensity, can)
			}
		}
		honest.Add(r.Arm, r.Reward)
	}
	// Binomial(4000, 0.02) has mean 80 and standard deviation 8.9; rounds with one
	// eligible arm look honest, one in ten.
	if fallen < 30 || fallen > 130 || len(actions) != 3 {
		t.Errorf("%d fallbacks of 4,000 rounds, of actions %v", fallen, actions)
	}
}

// TestStale: without contexts, the logged propensities are those of the round
// before; with updates, those of the period before.
func TestStale(t *testing.T) {
	for _, every := range []int{1, 30} {
		for _, sums := range []string{"exact", "hybrid"} {
			set := map[string]string{"eta": "0.05", "update": fmt.Sprintf("{every: %d}", every)}
			honest := faultySpec(t, "softmax", sums, 300, set)
			want := rowsOf(t, honest)
			s := faultySpec(t, "softmax", sums, 300, set)
			s.Faults = []string{PropensityStale}
			got, distinct := rowsOf(t, s), 0
			for i, r := range got {
				before := max(0, i/every*every-1) // in the last round of the period before
				if i < every {
					before = 0
				}
				if r.Arm != want[i].Arm || !slices.Equal(r.PropensityByArm, want[before].PropensityByArm) || r.Propensity != r.PropensityByArm[r.Arm] {
					t.Fatalf("%s, every %d, round %d: action %d with %v, want %d with %v", sums, every, i+1, r.Arm, r.PropensityByArm, want[i].Arm, want[before].PropensityByArm)
				}
				if !slices.Equal(r.PropensityByArm, want[i].PropensityByArm) {
					distinct++
				}
			}
			if distinct < 60/every {
				t.Errorf("%s, every %d: %d rounds have other propensities than an honest log", sums, every, distinct)
			}
		}
	}
}

// TestStaleDelayed: with contexts, late rewards, batches and eligible arms, what
// is stale is what a run plays with that knows less.
func TestStaleDelayed(t *testing.T) {
	st := private()
	st.Policy, st.Epsilon, st.Batch, st.Late, st.Eligible, st.Propensities, st.Rounds = "lints", "2", true, true, true, true, 200
	s := declared(t, st, .3, .5, .6)
	s.Batch, s.Delay, s.Never, s.Eligible = 10, Delay{Mean: 6}, .1, .7
	s.Faults = []string{PropensityStale}
	rows := rowsOf(t, s)
	m, err := full().New(s.Protocol, s.Protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	// The second run learns with batches that end 10 rounds later.
	run := m.NewRunner(s.Master, "e")
	var out replay.Arrivals
	for i, r := range rows {
		run.Next(&replay.Round{X: r.X, Eligible: r.Eligible, Batch: int32(i / 10)})
		if got := run.Propensities(); !slices.Equal(got, r.PropensityByArm) {
			t.Fatalf("round %d: logged %v, want %v", i+1, r.PropensityByArm, got)
		}
		run.Hold(r.Arm)
		if r.RewardOrder < replay.NeverKnown {
			known := max(r.RewardOrder, int64(i+1))
			end := (known + 9) / 10 * 10 // known from the next batch on: seen one later
			out.Push(replay.Arrival{Known: end + 1, Round: known<<20 | int64(i+1), Arm: r.Arm, Reward: r.Reward})
		}
		for a, ok := out.Pop(int64(i + 1)); ok; a, ok = out.Pop(int64(i + 1)) {
			run.Due(a.Round & (1<<20 - 1))
			run.Add(a.Arm, a.Reward)
		}
	}
	if err := run.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestSwappedAndLogarithms: the logged propensities are those of an honest log
// but for what is done to them, and so are all actions.
func TestSwappedAndLogarithms(t *testing.T) {
	for _, c := range []struct {
		faults []string
		of     func(p []float64) []float64
	}{
		{[]string{PropensitySwapped}, func(p []float64) []float64 { return []float64{p[1], p[0], p[2]} }},
		{[]string{PropensityLogLik}, func(p []float64) []float64 { return []float64{math.Log(p[0]), math.Log(p[1]), math.Log(p[2])} }},
		{[]string{PropensityLogLik, PropensitySwapped}, func(p []float64) []float64 { return []float64{math.Log(p[1]), math.Log(p[0]), math.Log(p[2])} }},
	} {
		want := rowsOf(t, faultySpec(t, "thompson", "exact", 200, nil))
		for i := range want {
			want[i].PropensityByArm = c.of(want[i].PropensityByArm)
			want[i].Propensity = want[i].PropensityByArm[want[i].Arm]
		}
		s := faultySpec(t, "thompson", "exact", 200, nil)
		s.Faults = c.faults
		if diff := cmp.Diff(want, rowsOf(t, s)); diff != "" {
			t.Errorf("%v:\n%s", c.faults, diff)
		}
	}
}

// TestFaultyLogs: a log with any fault that its mechanism can have is written,
// the same bytes twice, and truth.json says so; linear policies are no exception.
func TestFaultyLogs(t *testing.T) {
	for _, f := range Faults() {
		for _, policy := range []string{"softmax", "lints"} {
			s := faultySpec(t, policy, "binary", 120, map[string]string{"update": "{every: 7}", "floor": "0.01"})
			s.Faults = []string{f.Name}
			truth, files, _ := run(t, s)
			again, same, _ := run(t, s)
			if !cmp.Equal(truth, again) || !cmp.Equal(files, same) {
				t.Errorf("%s, %s: two runs differ", policy, f.Name)
			}
			if !cmp.Equal(truth.Faults, s.Faults) || f.Doc == "" {
				t.Errorf("%s: the truth is %v", f.Name, truth.Faults)
			}
			s.Faults = nil
			if honest, clean, _ := run(t, s); cmp.Equal(files, clean) || honest.Faults != nil {
				t.Errorf("%s, %s: the log is that without a fault", policy, f.Name)
			}
		}
	}
}

// TestFaultFaults: faults that cannot be are refused, with a mend, and nothing is
// written.
func TestFaultFaults(t *testing.T) {
	for _, c := range []struct {
		policy, sums, faults string
		want                 []string
	}{
		{"ucb", "hybrid", "honest", []string{`--fault: there is no "honest"; write some of no-noise, redraw`}},
		{"ucb", "hybrid", "", []string{`--fault: there is no ""`}},
		{"ucb", "hybrid", "redraw,redraw", []string{"redraw is given twice"}},
		{"ucb", "hybrid", "no-noise,half-scale", []string{"no-noise and half-scale exclude each other", "leave one out"}},
		{"ucb", "hybrid", "noise-on-mean,noise-over-n-twice,redraw,fresh-prefixes", []string{"noise-on-mean and noise-over-n-twice exclude each other", "redraw and fresh-prefixes exclude each other"}},
		{"ucb", "exact", "redraw", []string{"redraw: the counter exact adds no noise", "--counter hybrid"}},
		{"uniform", "", "redraw", []string{"redraw: the policy uniform reads no sums", "such as ucb"}},
		{"ucb", "hybrid", "log2-levels", []string{"log2-levels: only the counter binary", "the counter is hybrid"}},
		{"ucb", "epochs", "fresh-prefixes", []string{"fresh-prefixes: the counter epochs draws fresh noise for every sum", "such as hybrid"}},
		{"ucb", "hybrid", "extra-update", []string{"extra-update: the policy learns after every round", "--batch 50"}},
		{"uniform", "", "extra-update", []string{"extra-update: the policy uniform never learns"}},
		{"ucb", "exact", "propensity-uniform", []string{"propensity-uniform: the policy ucb draws nothing", "--set floor=0.05"}},
		{"ucb", "hybrid", "propensity-loglik", []string{"propensity-loglik: the policy ucb draws nothing"}},
		{"fixed", "", "propensity-stale", []string{"propensity-stale: the policy fixed never learns"}},
		{"uniform", "", "propensity-swapped", []string{"the policy uniform plays all arms alike"}},
	} {
		st := private()
		st.Policy, st.Counter, st.Epsilon, st.ContextDim = c.policy, c.sums, "2", 0
		if c.sums == "exact" || c.sums == "" {
			st.Epsilon = ""
		}
		s := declared(t, st, .3, .5)
		s.Faults = strings.Split(c.faults, ",")
		dir := filepath.Join(t.TempDir(), "log")
		_, err := Simulate(context.Background(), s, dir)
		plan := s.Plan()
		for _, want := range c.want {
			if err == nil || plan == nil || !strings.Contains(err.Error(), want) || !strings.Contains(plan.Error(), want) {
				t.Errorf("%s × %s with %s: %v; and %v, want %q", c.policy, c.sums, c.faults, err, plan, want)
			}
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s × %s with %s: something was written", c.policy, c.sums, c.faults)
		}
	}
	one := declared(t, private(), .5)
	one.Faults = []string{WrongArmStream}
	if err := one.Plan(); err == nil || !strings.Contains(err.Error(), "there is one arm") {
		t.Errorf("one arm: %v", err)
	}
	long := faultySpec(t, "ucb", "laplace", maxAnew+1, nil)
	long.Faults = []string{Redraw}
	if err := long.Plan(); err == nil || !strings.Contains(err.Error(), "rounds²") {
		t.Errorf("many rounds: %v", err)
	}
	long = faultySpec(t, "ucb", "hybrid", maxRedraw+1, nil)
	long.Faults = []string{Redraw}
	if err := long.Plan(); err == nil || !strings.Contains(err.Error(), "simulate at most 1000000000") {
		t.Errorf("more rounds: %v", err)
	}
}
