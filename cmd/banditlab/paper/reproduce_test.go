package paper

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/replay"
)

// run is a short reproduction of some experiments.
func run(tb testing.TB, size string, jobs int, names ...string) *documents.Reproduction {
	tb.Helper()
	out, err := Run(tb.Context(), names, Options{Size: size, Seed: 1, Jobs: jobs})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// TestGates: the short form passes the gates, which are as much wider as its
// means are less certain. The seed is fixed.
func TestGates(t *testing.T) {
	for _, name := range Names() {
		if testing.Short() && name != "e3-intercept" {
			continue // -short leaves out what takes seconds; the full run has it
		}
		for _, e := range run(t, Short, 2, name).Experiments {
			if len(e.Gates) == 0 {
				t.Errorf("%s has no gate", e.ID)
			}
			for _, g := range e.Gates {
				if !g.Passed || !(g.Value >= g.Lo && g.Value <= g.Hi) {
					t.Errorf("%s: %v outside [%v, %v]", g.What, g.Value, g.Lo, g.Hi)
				}
			}
		}
	}
}

// TestGatesCanFail: a gate around another number is not passed.
func TestGatesCanFail(t *testing.T) {
	if gate("", 1.01, 0, 1).Passed || gate("", math.NaN(), 0, 1).Passed || !gate("", 1, 0, 1).Passed {
		t.Error("gates")
	}
}

// TestSameBytes: results do not depend on the number of jobs, nor on which other
// experiments are run.
func TestSameBytes(t *testing.T) {
	encode := func(e documents.PaperExperiment) string {
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	one := run(t, Short, 1, "e3-intercept")
	names := []string{"e3-intercept"}
	if !testing.Short() {
		names = append(names, "E1")
	}
	more := run(t, Short, 3, names...).Experiments
	if encode(one.Experiments[0]) != encode(more[len(more)-1]) {
		t.Error("the same experiment differs")
	}
	other, err := Run(t.Context(), []string{"e3-intercept"}, Options{Size: Short, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	if encode(one.Experiments[0]) == encode(other.Experiments[0]) {
		t.Error("another seed gives the same numbers")
	}
}

// TestFigures: every figure names a setting that was simulated, has one of the
// verdicts, and says why.
func TestFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out another reproduction; the full run has it")
	}
	seen := map[string]bool{}
	for _, e := range run(t, Short, 2, "E1").Experiments {
		for _, f := range e.Figures {
			if seen[f.ID] || f.Why == "" || f.Paper == "" || !slices.Contains([]string{documents.Reproduced, documents.MagnitudeOnly, documents.NotReproduced, documents.TooFewRuns}, f.Verdict) {
				t.Errorf("%+v", f)
			}
			seen[f.ID] = true
			for _, part := range f.Settings() {
				if !slices.ContainsFunc(e.Settings, func(s documents.PaperSetting) bool { return s.ID == part }) {
					t.Errorf("%s: there is no setting %q", f.ID, part)
				}
			}
		}
	}
	if len(seen) == 0 {
		t.Error("no figure")
	}
}

func TestCompare(t *testing.T) {
	p := printed{.011, .0005, ".011"}
	for _, c := range []struct {
		ours, se float64
		want     string
	}{
		{.0114, 0, documents.Reproduced},
		{.0116, 0, documents.MagnitudeOnly},
		{.0116, .0001, documents.Reproduced},
		{.0056, 0, documents.MagnitudeOnly},
		{.0054, 0, documents.NotReproduced},
		{.023, 0, documents.NotReproduced},
		{-.011, 0, documents.NotReproduced},
		{.011, .0018, documents.Reproduced},    // 1.96·.0018 < .011/3
		{.011, .0019, documents.MagnitudeOnly}, // the ends are further apart than by a factor of 2
		{.03, .02, documents.TooFewRuns},
	} {
		if got := p.compare(c.ours, c.se); got != c.want {
			t.Errorf("%v ± %v: %s, want %s", c.ours, c.se, got, c.want)
		}
	}
}

// TestWithhold: the short form takes back verdicts that hardly anything would
// contradict, and no others.
func TestWithhold(t *testing.T) {
	f := func(verdict string, ours, half float64) documents.PaperFigure {
		return documents.PaperFigure{Verdict: verdict, Ours: ours, Lo: new(ours - half), Hi: new(ours + half), Why: "w"}
	}
	figures := []documents.PaperFigure{
		f(documents.Reproduced, 1, .33), f(documents.Reproduced, 1, .4), f(documents.Reproduced, -1, .4),
		f(documents.NotReproduced, 1, 9), f(documents.MagnitudeOnly, 1, 9), f(documents.MagnitudeOnly, 1, .1),
		{Verdict: documents.Reproduced, Ours: 3},
	}
	withhold(figures)
	for i, want := range []string{documents.Reproduced, documents.TooFewRuns, documents.TooFewRuns, documents.NotReproduced, documents.TooFewRuns, documents.MagnitudeOnly, documents.TooFewRuns} {
		if figures[i].Verdict != want || (figures[i].Why == "w") != (want != documents.TooFewRuns) {
			t.Errorf("%d: %s: %s, want %s", i, figures[i].Verdict, figures[i].Why, want)
		}
	}
}

// TestLevels: a p-value counts from the first level at which it rejects.
func TestLevels(t *testing.T) {
	var l, o levels
	for _, p := range []float64{0, .005, .0051, .2} {
		l.add(math.Log(p))
	}
	o.add(math.Log(.3))
	l.merge(&o)
	line := l.line("")
	for at, want := range map[int]float64{0: .2, 1: .4, 2: .6, 39: .6, 40: .8} {
		if line.Y[at] != want {
			t.Errorf("level %v: %v, want %v", line.X[at], line.Y[at], want)
		}
	}
}

// TestIndistinguishable: as many intervals may exclude 0 as chance explains.
func TestIndistinguishable(t *testing.T) {
	arms := func(varying, off int) *played {
		o := &outcome{bias: make([]average, varying+1)}
		for i := range varying {
			o.bias[i] = average{n: 100, m2: 99 * 100, mean: 1} // se 1
			if i < off {
				o.bias[i].mean = 3
			}
		}
		return &played{&arena{runs: 100}, o}
	}
	for _, c := range []struct {
		varying, off int
		want         string
	}{{19, 0, documents.Reproduced}, {19, 4, documents.Reproduced}, {19, 5, documents.NotReproduced}, {4, 1, documents.Reproduced}, {4, 2, documents.NotReproduced}} {
		f := indistinguishable("", "", arms(c.varying, c.off))
		if f.Verdict != c.want || f.Ours != float64(c.off) {
			t.Errorf("%d of %d: %s (%v)", c.off, c.varying, f.Verdict, f.Ours)
		}
		// 19·P(|Z| > 3) = 19·.0026998, of 4 arms .0108.
		if says := map[int]string{4: "p = 0.051 among 19", 1: "p = 0.011 among 4"}[c.off]; !strings.Contains(f.Why, says) {
			t.Errorf("%d of %d: %q lacks %q", c.off, c.varying, f.Why, says)
		}
	}
}

// TestComparable: the verdict on regret is that of the quotient, by the rule of 2.
func TestComparable(t *testing.T) {
	at := func(regret float64) *played {
		o := &outcome{regret: make([]average, len(checkpoints(e2Rounds)))}
		for i := range o.regret {
			o.regret[i] = average{n: 100, m2: 99, mean: regret}
		}
		return &played{&arena{rounds: e2Rounds, runs: 100}, o}
	}
	for ours, want := range map[float64]string{190: documents.MagnitudeOnly, 210: documents.NotReproduced, 40: documents.NotReproduced} {
		f := e2Comparable(map[string]*played{privNarrow: at(ours), ucbThird: at(100), ucbHalf: at(150), ucbTwo: at(600)})
		if f.Verdict != want || math.Abs(f.Ours-ours/100) > 1e-12 || !strings.Contains(f.Why, "times the 150 of UCB with the same width") {
			t.Errorf("%g: %+v", ours, f)
		}
	}
}

// TestUniformP against scipy 1.11: kolmogorov((√n + .12 + .11/√n)·D).
func TestUniformP(t *testing.T) {
	grid := func(n int, shift float64) []float64 { // D = 1/(2n) + shift
		var out []float64
		for i := range n {
			out = append(out, min((float64(i)+.5)/float64(n)+shift, 1))
		}
		return out
	}
	for _, c := range []struct {
		values []float64
		want   float64
	}{{grid(10, .25), 0.27526886726742134}, {grid(4, .375), 0.18768427419801334}} {
		if got := uniformP(c.values); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("p = %.12g, want %.12g", got, c.want)
		}
	}
	if p := uniformP(grid(1000, 0)); p != 1 {
		t.Errorf("evenly spaced: p = %v", p)
	}
}

// TestMoments: samples merge to what one pass gives.
func TestMoments(t *testing.T) {
	var whole, left, right average
	for i := range 50 {
		x := math.Sin(float64(i) * 1.7)
		whole.add(x)
		if i < 17 {
			left.add(x)
		} else {
			right.add(x)
		}
	}
	left.merge(&right)
	left.merge(&average{})
	if math.Abs(left.mean-whole.mean) > 1e-15 || math.Abs(left.se()-whole.se()) > 1e-15 || left.n != 50 {
		t.Errorf("%+v, want %+v", left, whole)
	}
	if new(average).se() != 0 {
		t.Error("the error of nothing")
	}
}

func TestCheckpoints(t *testing.T) {
	for _, rounds := range []int64{1, 2, 256, 257, 500, 100_000} {
		points := checkpoints(rounds)
		if len(points) > 256 || points[0] != 1 || points[len(points)-1] != rounds || !slices.IsSorted(points) || len(slices.Compact(slices.Clone(points))) != len(points) {
			t.Errorf("%d rounds: %v", rounds, points)
		}
	}
}

func TestOptions(t *testing.T) {
	if _, err := Run(t.Context(), []string{"e1"}, Options{}); err == nil || !strings.Contains(err.Error(), `"e1"; write one of E1, E2, E3, e3-intercept, E4`) {
		t.Errorf("unknown experiment: %v", err)
	}
	if _, err := Run(t.Context(), nil, Options{Size: "huge"}); err == nil || !strings.Contains(err.Error(), "full and short") {
		t.Errorf("unknown size: %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(stopped, nil, Options{Size: Short}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	var last, total int64
	_, err := Run(t.Context(), []string{"E3"}, Options{Size: Short, Jobs: 2, Progress: func(done, all int64) { last, total = max(last, done), all }})
	if err != nil || last != total || total != 3*e3Short*linearRounds {
		t.Errorf("%d of %d rounds told (%v)", last, total, err)
	}
}

// BenchmarkReproduceFull is the full form: it fails where a gate is not passed.
func BenchmarkReproduceFull(b *testing.B) {
	if testing.Short() {
		b.Skip("-short leaves out the full size, which takes a minute and a half of processor time")
	}
	for b.Loop() {
		for _, e := range run(b, Full, 2).Experiments {
			for _, g := range e.Gates {
				if !g.Passed {
					b.Errorf("%s: %v outside [%v, %v]", g.What, g.Value, g.Lo, g.Hi)
				}
			}
		}
	}
}

// BenchmarkLoops plays the UCB settings of the first two experiments on one
// goroutine; testdata/bench/loops.py runs it beside numpy.
func BenchmarkLoops(b *testing.B) {
	for _, s := range []struct {
		name  string
		arena *arena
		size  int64
	}{
		{"E1", e1Arenas(Full)[2], e1Full},
		{"E2", e2Arenas(Full)[2], e2Full},
	} {
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				r := &runner{ctx: b.Context(), size: Full, master: replay.Seed(1), jobs: 1, experiment: s.name}
				o, err := s.arena.play(r)
				if err != nil {
					b.Fatal(err)
				}
				p := &played{s.arena, o}
				average, _, _ := p.averageBias()
				regret := p.regretAt(s.arena.rounds)
				b.ReportMetric(average, "bias")
				b.ReportMetric(regret.mean, "regret")
				b.ReportMetric(regret.se(), "regret-se")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(int64(b.N)*s.size*s.arena.rounds), "ns/round")
		})
	}
}
