package analyze_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/ingest/logfile"
	"banditaudit/replay"
)

// rerunRows is a log that the policy of a protocol plays with the seed of labs: each round
// is filled in by fill, which knows the arm, and earns the reward that it is given there.
func rerunRows(t *testing.T, source string, rounds int, before func(i int, in *replay.Round), fill func(i int, row *logfile.Row)) []logfile.Row {
	t.Helper()
	doc, err := analyze.Standard().Format().ParseProtocol("p.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	m, err := analyze.Standard().New(&doc.Protocol, doc.Protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	run, rows := m.NewRunner(replay.Seed(1), "e"), make([]logfile.Row, rounds)
	for i := range rows {
		in := &replay.Round{}
		if before != nil {
			before(i, in)
		}
		rows[i].Arm, rows[i].X = run.Next(in), in.X
		rows[i].Batch = int64(in.Batch)
		fill(i, &rows[i])
		run.Add(rows[i].Arm, rows[i].Reward)
	}
	if run.Err() != nil {
		t.Fatal(run.Err())
	}
	return rows
}

const rerunSeeded = ", seed: {file: seed.hex}"

// coins are rewards of 0 and 1 that do not depend on the arm.
func coins(seed uint64) func(int, *logfile.Row) {
	draw := rand.New(rand.NewPCG(seed, 8))
	return func(_ int, row *logfile.Row) { row.Reward = float64(draw.IntN(2)) }
}

// rerunSays is whether the method applies to a log, and a part of what it says.
type rerunSays struct {
	declared string // below analysis
	applies  bool
	says     string
}

func (l *lab) rerunSays(t *testing.T, cases ...rerunSays) {
	t.Helper()
	const plain = "analysis: {chosen: before}"
	for _, c := range cases {
		changed := l
		if c.declared != "" {
			changed = l.but(t, changes{plain: "analysis: {chosen: before, " + c.declared + "}"})
		}
		if r := changed.again(t, 2, analyze.RerunAsked{}).Result; r.Applicable != c.applies || !strings.Contains(r.Reason, c.says) {
			t.Errorf("%q: applicable %v: %s\nwant %q", c.declared, r.Applicable, r.Reason, c.says)
		}
	}
}

// What changes places where nothing is declared depends on batches, units and whether the
// policy draws, and on nothing else.
func TestRerunOfBatches(t *testing.T) {
	t.Parallel()
	batches := func(of int) func(int, *replay.Round) {
		return func(i int, in *replay.Round) { in.Batch = int32(i / of) }
	}
	spec := &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, Batch: true}
	of := func(policy string, batch int) *lab {
		source := rerunSource(", batch: batch", policy+", update: batch", "name: exact")
		return written(t, t.TempDir(), source, spec, rerunRows(t, source, 2000, batches(batch), coins(1)))
	}
	of(rerunUCB, 5).rerunSays(t, rerunSays{"", true, "; records change places within blocks of 10 rounds; exact if rewards within blocks of 10 rounds are exchangeable"})
	of(rerunUCB, 20).rerunSays(
		t,
		rerunSays{"", false, "A1: the policy draws nothing and learns only every 20 rounds at most"},
		rerunSays{"rerun: {permute: {blocks: 100}}", false, "blocks of 100 rounds are 20; declare at least 40"},
		rerunSays{"rerun: {permute: {blocks: 40}}", true, "records change places within blocks of 40 rounds; exact if rewards within each run of 2 batches are exchangeable"},
	)
	of("name: epsilon-greedy, explore: 0.3"+rerunSeeded, 25).rerunSays(
		t,
		rerunSays{"", true, "blocks of 10 rounds that begin anew where the policy learns, and cross no update"},
		rerunSays{"rerun: {permute: {blocks: 50}}", true, "records change places within blocks of 50 rounds; exact if"},
		rerunSays{"rerun: {permute: none}", true, "the statistic (spread-in-blocks) is as large"},
		rerunSays{"rerun: {permute: none, statistic: spread}", true, "no record changes places, and the policy's own draws are made anew; exact whatever the law of the rewards"},
		rerunSays{"rerun: {permute: all, exceedances: 5, draws: 99}", true, "records change places over the whole log"},
	)
}

func TestRerunOfUnits(t *testing.T) {
	t.Parallel()
	spec := &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, Unit: true}
	of := func(policy string, unit func(i int) int) *lab {
		source := rerunSource(", unit: unit", policy, "name: exact")
		pay := coins(2)
		return written(t, t.TempDir(), source, spec, rerunRows(t, source, 1200, nil, func(i int, row *logfile.Row) {
			pay(i, row)
			row.Unit = "u" + string(rune('0'+unit(i)%10)) + strings.Repeat("x", unit(i)/10)
		}))
	}
	fours, turns, uneven := func(i int) int { return i / 4 }, func(i int) int { return i % 300 }, func(i int) int { return (i + i/700) / 4 }
	const whole = "A2: units can change places only where the rounds of every unit follow one another and are equally many"
	of(rerunUCB, fours).rerunSays(
		t,
		rerunSays{"", true, "whole units change places within runs of 10 units; exact if units that follow one another so closely are exchangeable"},
		rerunSays{"rerun: {permute: units}", true, "whole units change places over the whole log; exact if units are exchangeable over the whole log, and invalid where the level of rewards moves"},
		rerunSays{"rerun: {permute: {units: 5}}", true, "within runs of 5 units"},
		rerunSays{"rerun: {permute: {blocks: 10}}", false, "A2: units own several rounds, and rewards of one may depend on each other (analysis.rerun.permute: {blocks: 10})"},
		rerunSays{"rerun: {permute: all}", false, "A2: units own several rounds"},
	)
	of(rerunUCB, turns).rerunSays(t, rerunSays{"", false, whole})
	of(rerunUCB, uneven).rerunSays(t, rerunSays{"", false, whole})
	of(rerunUCB, func(i int) int { return i }).rerunSays(t, rerunSays{"", true, "within blocks of 10 rounds"})
	greedy := "name: epsilon-greedy, explore: 0.3" + rerunSeeded
	of(greedy+", draw: {by: round}", turns).rerunSays(t, rerunSays{"", true, "no record changes places"}, rerunSays{"rerun: {permute: units}", false, whole})
	of(greedy, turns).rerunSays(t, rerunSays{"", false, "a unit (log.unit) owns several rounds, and whether each was drawn by itself or they share one draw is not declared"})
	r := of(greedy+", draw: {by: round}", turns).but(t, changes{"by: round": "by: unit"}).again(t, 1, analyze.RerunAsked{}).Result
	if r.Applicable || !strings.HasPrefix(r.Reason, "A1: ") {
		t.Errorf("by unit: %+v", r)
	}
}

// A difference of rewards of 0 and 1 is answered of two arms, at 0, and has no interval.
func TestRerunOfDifferences(t *testing.T) {
	t.Parallel()
	two := func(reward string) *lab {
		source := strings.Replace(rerunSource("", rerunUCB, "name: exact"), "[a, b, c]", "[a, b]", 1)
		draw := rand.New(rand.NewPCG(6, 7))
		return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: reward}, rerunRows(t, source, 1500, nil, func(_ int, row *logfile.Row) {
			if draw.Float64() < []float64{.6, .4}[row.Arm] {
				row.Reward = 1
			}
		}))
	}
	l := two(logfile.RewardBool)
	p := func(arms []int, alt hypothesis.Alternative) float64 {
		r := l.again(t, 2, analyze.RerunAsked{Arms: arms, Difference: true, Alt: alt}).Result
		if !r.Applicable {
			t.Fatal(r.Reason)
		}
		return *r.P
	}
	ab, ba := []int{0, 1}, []int{1, 0}
	if r := l.again(t, 2, analyze.RerunAsked{Arms: ab, Difference: true}).Result; r.CI != nil {
		t.Errorf("an interval of rewards of 0 and 1: %v", *r.CI)
	}
	if both, more, less := p(ab, hypothesis.TwoSided), p(ab, hypothesis.Greater), p(ab, hypothesis.Less); both > .01 || more > .01 || less < .5 {
		t.Errorf("a pays .6 and b .4: p two-sided %g, greater %g, less %g", both, more, less)
	}
	if more, less := p(ba, hypothesis.Greater), p(ba, hypothesis.Less); more != p(ab, hypothesis.Less) || less != p(ab, hypothesis.Greater) {
		t.Errorf("b against a: greater %g, less %g", more, less)
	}
	for _, c := range []struct {
		l     *lab
		asked analyze.RerunAsked
		want  string
	}{
		{l, analyze.RerunAsked{Arms: ab, Difference: true, Value: .1}, "the difference is held against 0.1: rewards are 0 or 1"},
		{two(logfile.RewardFloat), analyze.RerunAsked{Arms: ab}, ""},
	} {
		if r := c.l.again(t, 2, c.asked).Result; r.Applicable != (c.want == "") || !strings.HasPrefix(r.Reason, c.want) {
			t.Errorf("%+v: %+v", c.asked, r)
		}
	}
}

// On rewards that follow those before them other methods are asked; logs so short that runs
// hardly differ end the choice of a method.
func TestRerunCannotTell(t *testing.T) {
	t.Parallel()
	source := rerunSource("", rerunUCB, "name: exact")
	spec := &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool}
	draw, last := rand.New(rand.NewPCG(2, 2)), 0.0
	follows := written(t, t.TempDir(), source, spec, rerunRows(t, source, 1000, nil, func(_ int, row *logfile.Row) {
		if draw.Float64() > .6 {
			last = float64(draw.IntN(2))
		}
		row.Reward = last
	}))
	short := written(t, t.TempDir(), source, spec, rerunRows(t, source, 12, nil, coins(1)))
	for want, l := range map[string]*lab{"A2: rewards are serially dependent within blocks (z = ": follows, "NOT ESTABLISHED: the statistic took ": short} {
		found := l.again(t, 2, analyze.RerunAsked{})
		if r := found.Result; found.Final != (l == short) || r.Applicable || r.P != nil || !math.IsNaN(found.LogP) || !strings.HasPrefix(r.Reason, want) {
			t.Errorf("%+v, want %s", found, want)
		}
	}
}

// Records change places within equal values of a column, or the statistic is summed over
// them; a log of what every policy reads goes with its record.
func TestRerunOfContexts(t *testing.T) {
	t.Parallel()
	source := strings.Replace(rerunSource(", context: [x0, x1]", "name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5", "name: exact"), "arms: [a, b, c]", "arms: [a, b]", 1)
	draw := rand.New(rand.NewPCG(4, 4))
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, ContextDim: 2}, rerunRows(t, source, 800, func(_ int, in *replay.Round) {
		in.X = []float64{float64(draw.IntN(2)), .5}
	}, func(_ int, row *logfile.Row) {
		if draw.Float64() < .2+.4*row.X[0] {
			row.Reward = 1
		}
	}))
	l.rerunSays(
		t,
		rerunSays{"", true, "within blocks of 10 rounds"},
		rerunSays{"rerun: {strata: x0}", true, "within blocks of 10 rounds"},
		rerunSays{"rerun: {permute: {within: [x0]}}", true, "records change places among those with equal x0, over the whole log; exact if rewards are exchangeable among these"},
	)
	if plain, strata := l.again(t, 1, analyze.RerunAsked{}), l.but(t, changes{"{chosen: before}": "{chosen: before, rerun: {strata: x0}}"}).again(t, 1, analyze.RerunAsked{}); *plain.Result.Statistic == *strata.Result.Statistic {
		t.Errorf("summed over strata the statistic is what it was: %g", *strata.Result.Statistic)
	}
}

// Missing rewards stay where they are, and are in no sum.
func TestRerunOfMissingRewards(t *testing.T) {
	t.Parallel()
	source := rerunSource(", propensity: propensity, missing_reward: exclude", "name: uniform", "name: exact")
	draw := rand.New(rand.NewPCG(9, 2))
	rows := make([]logfile.Row, 900)
	for i := range rows {
		rows[i] = logfile.Row{Arm: draw.IntN(3), Reward: float64(draw.IntN(2)), Propensity: 1. / 3}
		if draw.IntN(4) == 0 {
			rows[i].Reward = math.NaN()
		}
	}
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, Propensity: true, MissingReward: true}, rows)
	if found := l.again(t, 1, analyze.RerunAsked{}); !found.Result.Applicable || math.IsNaN(*found.Result.Statistic) {
		t.Errorf("%+v", found)
	}
}

// The number of runs is what the budget of steps leaves, and what the memory does not hold
// is refused.
func TestRerunBudget(t *testing.T) {
	t.Parallel()
	l := rerunLab(t, 400, .5, .5, .5)
	if found := l.but(t, changes{"{chosen: before}": "{chosen: before, rerun: {draws: 100000000}}"}).again(t, 1, analyze.RerunAsked{}); found.Draws != 16_666_666 || !found.Result.Applicable {
		t.Errorf("%+v", found)
	}
	if found := l.but(t, changes{"{chosen: before}": "{chosen: before, alpha: 0.01}"}).again(t, 1, analyze.RerunAsked{Tests: 3}); found.Draws != 5999 {
		t.Errorf("three tests at .01: %d runs", found.Draws)
	}
	in := l.input(0, 2)
	in.Memory = 1000
	if _, err := analyze.Rerun(t.Context(), in, analyze.RerunAsked{Tests: 1}); !errors.Is(err, analyze.ErrMemory) || !strings.Contains(err.Error(), "raise --max-memory") {
		t.Errorf("a thousand bytes: %v", err)
	}
}
