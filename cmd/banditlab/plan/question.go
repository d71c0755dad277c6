package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// Question is what is asked of a plan.
type Question struct {
	Catalogue *replay.Catalogue  // Defaults to analyze.Standard().
	Rounds    int64              // T. Required, ≥ 1.
	Epsilons  []schemas.Rational // of each arm's counter. Defaults to a grid.
	P         float64            // raw p-value to correct, in (0,1). Defaults to 0.05.
	Alpha     float64            // level of corrected tests, in (0,1). Defaults to 0.05.
	Range     []float64          // of the reward. Defaults to [0, 1].
	Wishes    Wishes

	// What is simulated; without Arms and Means nothing is.
	Arms   int               // K ≥ 2. Defaults to the number of means.
	Means  []float64         // one per arm, within the range. Defaults to Effect above the middle of the range for the first arm, the middle for others.
	Effect float64           // of the first arm, on the scale of rewards. Defaults to a tenth of the range.
	SD     float64           // of a reward whose mean is the middle of the range. Defaults to half the range: rewards are its ends.
	Policy string            // Defaults, with Counter, to successive-elimination on epochs, and ucb on hybrid.
	On     string            // the counter that Policy reads
	Set    map[string]string // parameters of policy and counter, in YAML
	Runs   int64             // of every mechanism at every ε. Defaults to as many as some seconds allow.
	Seed   int64             // of everything that is drawn

	Jobs     int                     // goroutines. Defaults to 1. Results do not depend on it.
	Progress func(done, total int64) // in rounds; nil: not told. Called from one goroutine at a time.
}

// Wishes are what ε has to meet; nil: not wished.
type Wishes struct {
	Bias      *float64 // largest bias bound of an arm's mean, on the scale of rewards
	Inflation *float64 // largest p_corrected/p
	Power     *float64 // least power of the corrected test
	Regret    *float64 // largest regret
}

// Bounds of what can be asked.
const (
	maxRounds = 1 << 40
	maxArms   = 1000
	maxRuns   = 100_000
	maxPoints = 100
	work      = 50_000_000     // rounds that are simulated where the number of runs is not given
	mostWork  = 20_000_000_000 // rounds that are simulated at most
	leastRuns = 20
	// Of p-values, levels and ε: within these nothing but the published bound leaves what a number holds.
	leastP       = 1e-300
	leastEpsilon = 1e-100
	mostEpsilon  = 1e100
)

// faultf makes the fault of a parameter, under the name of its flag.
func faultf(flag, format string, args ...any) error {
	return fmt.Errorf("plan: --"+flag+": "+format, args...)
}

// fill puts defaults where nothing was given.
func (q *Question) fill() {
	orElse := func(v *float64, otherwise float64) {
		if *v == 0 {
			*v = otherwise
		}
	}
	if q.Range == nil {
		q.Range = []float64{0, 1}
	}
	orElse(&q.P, .05)
	orElse(&q.Alpha, .05)
	if q.Arms == 0 {
		q.Arms = len(q.Means)
	}
	if len(q.Range) == 2 && q.SD == q.width()/2 {
		q.SD = 0 // no other law has it
	}
	q.Jobs = max(q.Jobs, 1)
}

// means returns the means that were given; else the middle of the range for every arm, and for
// the first arm Effect above it, a tenth of the range where Effect is 0.
func (q *Question) means() []float64 {
	if q.Means != nil {
		return q.Means
	}
	middle, effect := q.Range[0]+float64(q.width()/2), q.Effect
	if effect == 0 {
		effect = q.width() / 10
	}
	out := slices.Repeat([]float64{middle}, q.Arms)
	out[0] += effect
	return out
}

func (q *Question) width() float64 { return q.Range[1] - q.Range[0] }

// simulated reports whether there is anything to simulate.
func (q *Question) simulated() bool { return q.Arms > 0 }

// check reports everything that is wrong with a question, joined.
func (q *Question) check() error {
	var faults []error
	if q.Rounds < 1 || q.Rounds > maxRounds {
		faults = append(faults, faultf("rounds", "%d rounds, must be at least 1 and at most 2^40; write the planned number, such as 20000", q.Rounds))
	}
	for flag, v := range map[string]float64{"alpha": q.Alpha, "p": q.P} {
		switch {
		case !(v > 0 && v < 1):
			faults = append(faults, faultf(flag, "%v, must be above 0 and below 1; write 0.05", v))
		case flag == "alpha" && v > schemas.MostAlpha:
			faults = append(faults, faultf(flag, "%v, must be at most %g; write 0.05", v, schemas.MostAlpha))
		case v < leastP:
			faults = append(faults, faultf(flag, "%v, must be at least %g; write 0.05", v, leastP))
		}
	}
	if len(q.Range) != 2 || !(q.Range[0] < q.Range[1]) || math.IsInf(q.Range[1]-q.Range[0], 0) {
		return errors.Join(append(faults, faultf("range", "must be two finite numbers in ascending order; write 0,1"))...)
	}
	faults = append(append(faults, q.checkEpsilons()...), q.checkWishes()...)
	return errors.Join(append(faults, q.checkWorld()...)...)
}

func (q *Question) checkEpsilons() []error {
	var faults []error
	for _, e := range q.Epsilons {
		if v := e.Float(); !(v >= leastEpsilon && v <= mostEpsilon) {
			faults = append(faults, faultf("epsilon", "%s, must be from %g to %g; write one such as 0.1, or a list", e, leastEpsilon, mostEpsilon))
		}
	}
	if len(q.Epsilons) > maxPoints {
		faults = append(faults, faultf("epsilon", "%d values, and a plan has at most %d; write fewer", len(q.Epsilons), maxPoints))
	}
	return faults
}

func (q *Question) checkWishes() []error {
	var faults []error
	w := q.Wishes
	for _, c := range []struct {
		flag   string
		v      *float64
		wrong  func(float64) bool
		rule   string
		worlds bool // needs a simulation
	}{
		{"bias", w.Bias, func(v float64) bool { return !(v > 0) }, "must be above 0: no ε above 0 has a smaller bound", false},
		{"inflation", w.Inflation, func(v float64) bool { return !(v > 1) }, "must be above 1: corrected p over raw p, such as 3", false},
		{"power", w.Power, func(v float64) bool { return !(v > 0 && v < 1) }, "must be above 0 and below 1, such as 0.8", true},
		{"regret", w.Regret, func(v float64) bool { return !(v > 0) }, "must be above 0: what all rounds lose together", true},
	} {
		switch {
		case c.v == nil:
		case c.wrong(*c.v) || math.IsInf(*c.v, 0):
			faults = append(faults, faultf(c.flag, "%v, %s", *c.v, c.rule))
		case c.worlds && !q.simulated():
			faults = append(faults, faultf(c.flag, "is found by simulation, and no world is declared; give --arms, or --means"))
		}
	}
	return faults
}

// checkWorld judges what is simulated.
func (q *Question) checkWorld() []error {
	var faults []error
	switch {
	case q.Means != nil && q.Arms != len(q.Means):
		return []error{faultf("arms", "is %d, and there are %d means; leave it out", q.Arms, len(q.Means))}
	case q.Means != nil && q.Effect != 0:
		return []error{faultf("effect", "the means say it already; leave it out")}
	case !q.simulated():
		return q.notSimulated()
	case q.Arms < 2 || q.Arms > maxArms:
		return []error{faultf("arms", "%d, must be from 2 to %d", q.Arms, maxArms)}
	}
	means := q.means()
	for i, m := range means {
		if !(m >= q.Range[0] && m <= q.Range[1]) || (q.SD > 0 && (m == q.Range[0] || m == q.Range[1])) {
			faults = append(faults, faultf("means", "mean %d is %g, must lie within the range [%g, %g], and inside it where --sd is given; mend it, or --effect", i+1, m, q.Range[0], q.Range[1]))
		}
	}
	if q.Effect < 0 || math.IsNaN(q.Effect) {
		faults = append(faults, faultf("effect", "%v, must be above 0: how far the first arm's mean lies above the others", q.Effect))
	}
	if slices.Min(means) == slices.Max(means) {
		faults = append(faults, faultf("means", "all are equal, so that there is nothing to find; make one larger"))
	}
	if half := q.width() / 2; q.SD != 0 && !(q.SD > 0 && q.SD <= half) {
		faults = append(faults, faultf("sd", "%v, must be above 0 and at most %g, which rewards at the ends of the range have", q.SD, half))
	} else if q.SD > .99*half {
		faults = append(faults, faultf("sd", "%v is nearly the %g of rewards at the ends of the range; leave it out for these", q.SD, half))
	}
	if q.Runs != 0 && (q.Runs < 2 || q.Runs > maxRuns) {
		faults = append(faults, faultf("runs", "%d, must be from 2 to %d", q.Runs, maxRuns))
	}
	return faults
}

// notSimulated finds what only a simulation uses.
func (q *Question) notSimulated() []error {
	for flag, given := range map[string]bool{"effect": q.Effect != 0, "sd": q.SD != 0, "policy": q.Policy != "", "counter": q.On != "", "set": q.Set != nil, "runs": q.Runs != 0} {
		if given {
			return []error{faultf(flag, "says what is simulated, and no world is declared; give --arms, or --means")}
		}
	}
	return nil
}
