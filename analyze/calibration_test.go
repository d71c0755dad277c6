package analyze_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/analyze/stat/confseq"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/analyze/stat/tail"
	"banditaudit/cmd/banditlab/calibration"
	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
)

// The null: five arms that all pay 1 with probability ½. Every hypothesis
// "mean = ½" is true, so every rejection is a false one.
const (
	nullArms   = 5
	nullRounds = 500
	nullRuns   = 2000
	level      = 0.05
)

// rejections counts, over runs, how often each method rejects the true null for
// an arm selected from the actions.
type rejections struct{ naive, corrected, sequence int }

// play runs one bandit under the null and adds its rejections for the most and
// the least pulled arm.
func play(t *testing.T, m *replay.Mechanism, run int64, most, least *rejections) {
	t.Helper()
	master := replay.Seed(run)
	means := []float64{.5, .5, .5, .5, .5}
	var pulls, ones [nullArms]int64
	last := 0
	err := m.Bandit(master, "h0", world.NewBernoulli(means, 0, master, "h0"), nullRounds, func(s *replay.Step) error {
		pulls[s.Arm]++
		ones[s.Arm] += int64(s.Reward)
		last = s.Arm
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	read := pulls
	read[last]-- // the last round's reward is used by no decision
	account := ledger.Account(m.Law(), pulls[:], read[:])
	lo, hi := 0, 0
	for a, n := range pulls {
		if n > pulls[hi] {
			hi = a
		}
		if n < pulls[lo] {
			lo = a
		}
	}
	count(most, pulls[hi], ones[hi], account.Arms[hi].Levels)
	count(least, pulls[lo], ones[lo], account.Arms[lo].Levels)
}

func count(r *rejections, n, x int64, levels []ledger.Level) {
	logLevel := math.Log(level)
	logP := hypothesis.BinomialLogP(x, n, 0.5, hypothesis.TwoSided)
	var costs []maxinfo.Level
	for _, l := range levels {
		costs = append(costs, maxinfo.Level{Cost: l.Cost.Up(), Rows: l.Rows})
	}
	if logP <= logLevel {
		r.naive++
	}
	if maxinfo.Corrected(logP, maxinfo.Sigma(costs)) <= logLevel {
		r.corrected++
	}
	seq := confseq.Sequence{Lo: 0, Hi: 1, K: nullArms, LogAlpha: logLevel}
	if confseq.SequenceP(n, float64(x)/float64(n), 0.5, seq) <= logLevel {
		r.sequence++
	}
}

func mechanism(t *testing.T, policy, counter string) *replay.Mechanism {
	t.Helper()
	return mechanismOf(t, "[a, b, c, d, e]", policy, counter)
}

func mechanismOf(t *testing.T, arms, policy, counter string) *replay.Mechanism {
	t.Helper()
	src := fmt.Sprintf("version: 1\nexperiment: {id: h0}\nlog: {order: [round], action: a, reward: y, context: [x]}\narms: %s\nreward: {range: [0, 1]}\npolicy: %s\ncounter: %s\n", arms, policy, counter)
	doc, err := analyze.Standard().Format().ParseProtocol("null.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	m, err := analyze.Standard().New(&doc.Protocol, doc.Protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func share(count int) float64 { return float64(count) / nullRuns }

// TestNullLevel shows in simulation that the corrected test and the confidence
// sequence reject a true null at most at their level for an arm that was
// selected by its pulls, whatever the mechanism, and that the naive test on
// data of UCB1 does not hold it.
//
// The bounds are one-sided with 4 standard errors of a rate of 0.05 in 2,000
// runs (0.0195), so each comparison fails falsely with probability below 7e-5
// even where the true rate is 0.05 itself; the seeds are fixed. The naive
// rates on UCB data were measured by an independent program: 0.084 and 0.169
// for width c = 1/2, 0.086 and 0.125 for c = 2, each within 0.03.
func TestNullLevel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out 2,000 bandits of 500 rounds per mechanism; the full run has them")
	}
	const slack = 0.0195
	for _, c := range []struct {
		policy, counter string
		most, least     float64 // naive rates expected; 0 where nothing is expected
		private         bool
	}{
		{"{name: uniform}", "{name: exact}", 0, 0, true},
		{"{name: ucb, width: {c: 0.5}}", "{name: exact}", .084, .169, false},
		{"{name: ucb, width: {c: 2}}", "{name: exact}", .086, .125, false},
		{"{name: ucb, width: {delta: 0.05}, bonus: quantile}", "{name: hybrid, epsilon: 0.05, horizon: 500}", 0, 0, true},
		{"{name: ucb, width: {c: 0.5}, bonus: none}", "{name: hybrid, epsilon: 1, horizon: 500}", 0, 0, true},
		{"{name: ucb, width: {c: 0.5}, bonus: none}", "{name: hybrid, epsilon: 10, horizon: 500}", 0, 0, true},
	} {
		t.Run(c.policy+" × "+c.counter, func(t *testing.T) {
			t.Parallel()
			m := mechanism(t, c.policy, c.counter)
			var most, least rejections
			for run := range int64(nullRuns) {
				play(t, m, run, &most, &least)
			}
			for name, r := range map[string]*rejections{"most": &most, "least": &least} {
				t.Logf("%s pulled: naive %.4f, corrected %.4f, sequence %.4f", name, share(r.naive), share(r.corrected), share(r.sequence))
				if share(r.sequence) > level+slack {
					t.Errorf("%s: the confidence sequence rejects %.4f > %v", name, share(r.sequence), level)
				}
				if c.private && share(r.corrected) > level+slack {
					t.Errorf("%s: the corrected test rejects %.4f > %v", name, share(r.corrected), level)
				}
				if !c.private && r.corrected != 0 {
					t.Errorf("%s: %d rejections corrected over an infinite ledger", name, r.corrected)
				}
			}
			nearRate(t, "most "+strconv.Itoa(nullRuns), share(most.naive), c.most)
			nearRate(t, "least "+strconv.Itoa(nullRuns), share(least.naive), c.least)
		})
	}
}

func nearRate(t *testing.T, what string, got, want float64) {
	t.Helper()
	if want == 0 {
		return
	}
	if math.Abs(got-want) > 0.03 || got <= level {
		t.Errorf("naive test, %s: rejects %.4f, want %.3f ± 0.03 and above %v", what, got, want, level)
	}
}

// few is below the probability of a false alarm of one comparison, where the true
// rate is the level itself. Those of corrected tests are below it, so that the
// probability over all comparisons is of that size too; and the seeds are fixed.
const few = 1e-6

// tooMany reports whether a test of a true hypothesis at level α, which rejects
// each run with probability α at most, rejects as often in so many runs with
// probability below few.
func tooMany(rejected, runs int, alpha float64) bool {
	return rejected > 0 && tail.LogBinomialAtLeast(int64(rejected), int64(runs), alpha) < math.Log(few)
}

// shorter lists the settings of the page with fewer runs.
func shorter() []calibration.Setting {
	settings := calibration.Settings()
	for i := range settings {
		settings[i].Runs = 60
		if settings[i].Rounds < 100 {
			settings[i].Runs = 800
		}
	}
	if testing.Short() {
		settings = settings[1:2]
		settings[0].Runs = 50
	}
	return settings
}

// On the data of every policy on every counter, with all means ½, corrected
// tests, Theorem 20 and the confidence sequence reject no more often than their
// level allows, for the most pulled, the least pulled and a fixed arm, and the
// bias is inside its bound.
//
// A comparison of rejections fails falsely with probability below 1e-6 where the
// true rate is 0.05, one of a bias below 2e-11 by the normal law (6.7 standard
// errors). The seeds are fixed. With so many runs a rate is found that is above
// 9.1% in the setting of 60 rounds, where runs are cheap, and above 23% in the
// others: what those do in 2,000 runs is on the page, see TestPageHoldsItsLevel.
func TestEveryPairHoldsItsLevel(t *testing.T) {
	t.Parallel()
	methods := map[string]int{"(d)": calibration.Renyi, "(g)": calibration.Moments, "Theorem 20": calibration.Theorem20, "confidence sequence": calibration.Sequence}
	for _, s := range shorter() {
		for _, pair := range mechanisms.Pairs() {
			t.Run(s.Name+"/"+pair.Name(), func(t *testing.T) {
				t.Parallel()
				r, err := s.Null(pair)
				if err != nil {
					t.Fatal(err)
				}
				for arm := range r.By {
					c := &r.By[arm]
					for name, m := range methods {
						if tooMany(c.Rejected[m], c.Runs, calibration.Alpha) {
							t.Errorf("arm %d: %s rejects %d of %d", arm, name, c.Rejected[m], c.Runs)
						}
					}
					if c.Excess() > 6.7 {
						mean, se := c.Bias()
						t.Errorf("arm %d: bias %v ± %v is beyond %v", arm, mean, se, c.Bound())
					}
				}
			})
		}
	}
}

// The naive test does not hold its level where a policy follows exact sums: so
// that the comparison above would find one that does not. The rates were about
// 0.15 and 0.24.
func TestNaiveFails(t *testing.T) {
	t.Parallel()
	s := calibration.Settings()[0]
	s.Runs = 400
	for _, name := range []string{"ucb, c = 2 × exact", "thompson, Beta × exact"} {
		r, err := s.Null(pairNamed(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if c := &r.By[1]; !tooMany(c.Rejected[calibration.Naive], c.Runs, calibration.Alpha) {
			t.Errorf("%s: the naive test of the least pulled arm rejects %d of %d only", name, c.Rejected[calibration.Naive], c.Runs)
		}
	}
}

// Corrected tests of a coefficient hold the level too; a comparison fails falsely
// with probability below 1e-6 where its rate is 0.05, and finds one above 16%.
func TestCoefficientsHoldTheirLevel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short leaves out regressions on every linear pair")
	}
	s := calibration.Settings()[0]
	s.Runs = 150
	for _, pair := range mechanisms.Pairs() {
		if !pair.Linear && pair.Policy.Name != "softmax" {
			continue
		}
		t.Run(pair.Name(), func(t *testing.T) {
			t.Parallel()
			r, err := s.Coefficients(pair)
			if err != nil {
				t.Fatal(err)
			}
			for arm := range r.By {
				c := &r.By[arm]
				if tooMany(c.Rejected[calibration.Renyi], c.Runs, calibration.Alpha) || tooMany(c.Rejected[calibration.Moments], c.Runs, calibration.Alpha) {
					t.Errorf("arm %d: (d) rejects %d, (g) %d of %d", arm, c.Rejected[calibration.Renyi], c.Rejected[calibration.Moments], c.Runs)
				}
				if c.Excess() > 6.7 {
					mean, se := c.Bias()
					t.Errorf("arm %d: bias %v ± %v is beyond %v", arm, mean, se, c.Bound())
				}
			}
		})
	}
}

// The page has a row for every pair in every setting, and some rows of it come
// out again.
func TestPageOfCalibration(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../testdata/reproduce/CALIBRATION.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	const again = "; write the page again with the command that it names"
	for _, p := range mechanisms.Pairs() {
		if n := strings.Count(page, "\n| "+p.Name()+" | "); n < len(calibration.Settings()) {
			t.Errorf("%d rows of %s%s", n, p.Name(), again)
		}
	}
	lines := []string{calibration.Size{Epsilon: 0.05, Gap: 0.2}.Line()}
	names := []string{"uniform", "ucb, c = 2 × hybrid", "softmax × exact", "linucb × binary"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		r, err := calibration.Settings()[1].Null(pairNamed(t, name))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, r.Line())
	}
	for _, line := range lines {
		if !strings.Contains(page, "\n"+line+"\n") {
			t.Errorf("the page has no row %s%s", line, again)
		}
	}
}

// Every corrected rate under the null that the page states, with and without
// contexts, is at most 5% and four standard errors, and the naive test is beyond
// that somewhere, so that the page could show it.
func TestPageHoldsItsLevel(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../testdata/reproduce/CALIBRATION.md")
	if err != nil {
		t.Fatal(err)
	}
	page, _, _ := strings.Cut(string(b), "\n## Power\n")
	runs, compared, naive := 0, 0, 0
	var methods []string
	for line := range strings.Lines(page) {
		if got := regexp.MustCompile(`(\d+) runs(,|$)`).FindStringSubmatch(strings.TrimSpace(line)); got != nil {
			runs, _ = strconv.Atoi(got[1])
		}
		cells := strings.Split(line, " | ")
		if strings.HasPrefix(line, "| policy × counter |") {
			methods = cells
		}
		if len(cells) != len(methods) {
			continue
		}
		for i, cell := range cells {
			most, ok := largestOfThree(cell)
			if !ok {
				continue
			}
			bound := 100 * (calibration.Alpha + 4*math.Sqrt(calibration.Alpha*(1-calibration.Alpha)/float64(runs)))
			switch high := most > bound; {
			case methods[i] == "naive":
				if high {
					naive++
				}
			case high:
				t.Errorf("%s of %s rejects %v%% of %d runs", methods[i], cells[0], most, runs)
			default:
				compared++
			}
		}
	}
	if want := len(mechanisms.Pairs()) * 3 * len(calibration.Settings()); compared < want || naive < 10 || runs < 1000 {
		t.Errorf("%d cells of corrected rates, want %d; %d of naive ones are too high; %d runs", compared, want, naive, runs)
	}
}

// largestOfThree is the largest percentage of a cell of three arms.
func largestOfThree(cell string) (most float64, ok bool) {
	arms := strings.Split(cell, " / ")
	if len(arms) != 3 {
		return 0, false
	}
	for _, arm := range arms {
		rate, err := strconv.ParseFloat(arm, 64)
		if err != nil {
			return 0, false
		}
		most = max(most, rate)
	}
	return most, true
}

func pairNamed(t *testing.T, name string) mechanisms.Pair {
	t.Helper()
	for _, p := range mechanisms.Pairs() {
		if p.Name() == name {
			return p
		}
	}
	t.Fatalf("there is no pair %s", name)
	return mechanisms.Pair{}
}
