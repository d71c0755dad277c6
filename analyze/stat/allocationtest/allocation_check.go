package allocationtest

import (
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/tail"
)

const (
	// Level is the level of a test that every experiment of a log undergoes, over all of them
	// together.
	Level = 0.001
	// AllocationLevel is the level of the allocation test as a whole, over all
	// experiments of a log: the other half of Level is for tests against contexts and
	// the past. Half of it goes to the arms one by one (Holm), half
	// to the joint test; with batches a third each, and a third to the batches;
	// where batches are also tested together a quarter each (Bonferroni).
	AllocationLevel = Level / 2
	// allocationPower is the power at which the detectable deviation is stated.
	allocationPower = 0.8
	// formExpected is the expected pulls of every arm from which the χ² law of
	// the joint form is used.
	formExpected = 30
	// evenRoom is how far, relatively, an even propensity may be from 1/K: room
	// for a logged 0.333.
	evenRoom = 0.01
)

// SplitsLevel is the level of the test of splits as a whole, over all experiments
// of a log: what AllocationLevel leaves of Level.
const SplitsLevel = Level - AllocationLevel

// AllocationArm is what the allocation test says about one arm.
type AllocationArm struct {
	Rows       int64   // rounds that played the arm
	Expected   float64 // Σ p over the rounds, where Known
	Known      bool    // Expected is known: false where the propensities of rounds that did not play it are not
	Deviation  float64 // 100·(S/T − 1), in per cent; of the pulls from Σ p where all propensities are known
	Z          float64 // (S − T)/√V
	LogP       float64 // at most 0; see Test
	LogPHolm   float64 // adjusted over the testable arms
	Detectable float64 // deviation in per cent that this test finds with 80 % power
	Testable   bool    // false: never played, or every propensity is 1
}

// Basis is what the p-values of an allocation test rest on.
type Basis int

const (
	// OneSided is a bound that holds for any propensities, of arms that were
	// played too often; the logged action's propensity tells no more.
	OneSided Basis = iota
	// Bounded is a bound that holds for any propensities, of either sign.
	Bounded
	// Binomial is the law of pulls with one probability in all rounds.
	Binomial
)

// AllocationResult is the outcome of the allocation test.
type AllocationResult struct {
	Basis     Basis
	ByForm    bool // LogPJoint is ln p of the joint form
	Rounds    int64
	Arms      []AllocationArm
	Joint     float64 // z'Σ⁻z, whether or not a p rests on it
	DF        int     // rank of Σ that was used
	LogPJoint float64
	Batches   *BatchResult // nil where there are no batches
	LogP      float64      // min(1, m·min(smallest Holm p, joint p, p of the batches)), m the number of these parts; to compare with Level
	Level     float64      // of the check as a whole in this log
	Enough    int64        // rounds from which on the pulls of one arm can contradict its probability, see enough; 0 where pulls follow no binomial law
	Rejected  bool
	Warnings  []string
}

// Finds reports whether there is a deviation of an arm that would have been found.
func (r *AllocationResult) Finds() bool {
	return slices.ContainsFunc(r.Arms, func(a AllocationArm) bool { return a.Testable && !math.IsInf(a.Detectable, 1) })
}

// maxJoint bounds the arms of the joint form, whose eigenvalues take K³ steps.
const maxJoint = 500

// Test compares the allocation with the logged propensities, per arm
//
//	z_a = (S_a − T)/√V_a
//
// with Holm's adjustment, and jointly z'Σ⁻z with Σ_aa = V_a and Σ_ab = −T. The
// check as a whole has the given level. Where o counts in which rounds an arm
// could be played, T is that number for each arm, and Σ_ab = −(rounds in which
// both could be); batches is the test of single batches, nil without them.
//
// No p rests on z as such: V_a is summed over the rounds that played the arm,
// and knows nothing of an arm that a policy had all but given up. What decides
// is, by what is known:
//
//	Binomial  every logged propensity is 1/m, m at least the arms seen. The probability of the whole
//	          log then is m^−T at most, as with even draws, so that pulls are held against the
//	          binomial law, either way, and with 30 of each expected z'Σ⁻z against χ² with as
//	          many degrees of freedom as Σ has directions that the data resolve (generalizedForm)
//	OneSided  otherwise: X_t = 1{A_t=a}/p_t has mean at most 1 given the past, whatever the
//	          propensities of arms not played; see wager
//	Bounded   the same for two arms and no other, whose propensities are p_t and 1 − p_t; half of
//	          the evidence comes from knownE, which finds deficits too
//
// and jointly, without χ², see overall. With OneSided an arm that was played too
// seldom is not found as such: its propensity may have been as good as 0 where
// it was not played. What it lacks is found in the arms that were played in its
// stead. Special cases are:
//
//	an arm never played, or whose propensities are all 1, is not testable: Z and LogP are NaN, a warning
//	no testable arm: LogP = 0, DF = 0, nothing is rejected
//	a deviation that could not be found at all: Detectable is +Inf
//	more than 500 testable arms: no joint form (Joint is NaN, DF = 0), a warning
func (a *Allocation) Test(level float64, o *Opportunity, batches *BatchResult) AllocationResult {
	f := family{rounds: a.rounds, level: level, batches: batches, basis: a.basis(o)}
	f.form = func(testable []int) (float64, int) { return a.joint(testable, o, f.basis) }
	pulls := make([]int64, len(a.arms))
	for i, s := range a.arms {
		pulls[i] = s.rows
		t := a.tally(f.basis, s, a.expected(i, o))
		if f.basis == Bounded {
			t.plays, t.known = a.expectedOfTwo(i), true
		}
		f.arms = append(f.arms, t)
	}
	f.bound = -a.overall.logE(pulls)
	return f.test()
}

// tally takes the part of an arm that could be played in a number of rounds.
func (a *Allocation) tally(basis Basis, s armSums, rounds int64) tally {
	expected := float64(rounds)
	t := tally{rows: s.rows, expected: expected, deviation: s.inverse - expected, variance: s.variance}
	guarded := s.guarded(expected)
	slack := over(a.Ends, a.rounds, float64(a.rounds))
	if basis == Binomial {
		t.count, t.p = expected*a.most, a.most
		t.plays, t.known = t.count, true
		t.logP = binomialLogP(s.rows, rounds, a.most, room(a.Ends, a.most))
		t.detect = func(logLevel float64) float64 { return slack/a.most + normalDetectable(guarded, logLevel) }
		t.most, t.mostLogP = binomialMost(rounds, a.most, room(a.Ends, a.most))
		t.most /= a.most
		return t
	}
	rounds = max(rounds, s.rows) // an arm that was played could be
	evidence, share := s.wager.logE(rounds, 1), 0.0
	if basis == Bounded {
		evidence, share = tail.LogMeanExp([]float64{evidence, knownE(a.two.deviation, a.two.variance, slack)}), math.Ln2
	}
	t.logP = min(0, -evidence)
	t.detect = func(logLevel float64) float64 {
		return expected * s.wager.detectable(rounds, s.inverse, math.Sqrt(guarded), logLevel-share)
	}
	return t
}

// expectedOfTwo is Σ p of one of two arms, whose propensities are p and 1 − p.
func (a *Allocation) expectedOfTwo(arm int) float64 {
	first := float64(a.arms[0].rows) - a.two.deviation
	if arm == 0 {
		return first
	}
	return float64(a.rounds) - first
}

// basis is what p-values can rest on.
func (a *Allocation) basis(o *Opportunity) Basis {
	seen, always := 0, true
	for i, s := range a.arms {
		if s.rows > 0 {
			seen++
			always = always && a.expected(i, o) == a.rounds
		}
	}
	even := 1 / math.Round(1/a.most)
	switch {
	case always && a.least == a.most && a.most < 1 && float64(seen)*even <= 1 && math.Abs(a.most/even-1) <= evenRoom:
		return Binomial
	case a.Complete && len(a.arms) == 2:
		return Bounded
	}
	return OneSided
}

// expected is what Σ 1/p of an arm is expected to be.
func (a *Allocation) expected(arm int, o *Opportunity) int64 {
	if o == nil {
		return a.rounds
	}
	return o.Rounds(arm)
}

// guarded is the variance of S − T that the joint form and detectable
// deviations use: V_a is too small exactly where chance played an arm too
// rarely, and V_a·T/S_a is, for a constant propensity, the variance by the binomial law.
func (s armSums) guarded(t float64) float64 {
	if s.rows == 0 {
		return 0
	}
	return s.variance * max(1, t/s.inverse)
}

// normalDetectable is the deviation that a z-test of variance v at the two-sided
// level finds with 80 % power.
func normalDetectable(v, logLevel float64) float64 {
	return float64(tail.NormalQuantile(logLevel-math.Ln2)+tail.NormalQuantile(math.Log(1-allocationPower))) * math.Sqrt(v)
}

// tally is one arm's part of an allocation test.
type tally struct {
	rows                int64
	expected, deviation float64 // what was expected, and observed less that
	plays               float64 // expected pulls, where known
	known               bool
	variance            float64 // of the deviation
	count               float64 // expected pulls, where they follow a binomial law
	p                   float64 // the probability of that law; 0: there is none
	logP                float64
	detect              func(logLevel float64) float64 // the deviation that is found with 80 % power
	most                float64                        // the largest deviation that there can be, where detect does not know it; 0: it does
	mostLogP            float64                        // its ln p
}

// detectable is detect, cut to what can be: an arm that is played in every round
// deviates by the most there is. +Inf where not even that would be found.
func (t *tally) detectable(logLevel float64) float64 {
	d := t.detect(logLevel)
	switch {
	case t.most == 0 || d <= t.most:
		return d
	case t.mostLogP <= logLevel:
		return t.most
	}
	return math.Inf(1)
}

// binomialMost returns the largest deviation, either way, of the pulls of an arm with
// probability p in the given number of rounds, and its ln p.
func binomialMost(rounds int64, p, room float64) (most, logP float64) {
	t := float64(rounds)
	if p > 0.5 {
		return t * p, binomialLogP(0, rounds, p, room)
	}
	return float64(t * (1 - p)), binomialLogP(rounds, rounds, p, room)
}

// family is an allocation test over all arms.
type family struct {
	rounds  int64
	level   float64
	basis   Basis
	arms    []tally
	form    func(testable []int) (form float64, df int)
	bound   float64 // ln p of all arms jointly, for any propensities
	batches *BatchResult
}

// parts is by how many tests the level is shared.
func (f *family) parts() float64 {
	switch {
	case f.batches == nil:
		return 2
	case f.batches.Together == 0:
		return 3
	}
	return 4
}

// test carries the family out.
func (f *family) test() AllocationResult {
	r := AllocationResult{Basis: f.basis, Rounds: f.rounds, Arms: make([]AllocationArm, len(f.arms)), Level: f.level, Batches: f.batches}
	var testable, not []int
	for i, t := range f.arms {
		r.Arms[i] = t.single()
		if r.Arms[i].Testable {
			testable = append(testable, i)
		} else {
			not = append(not, i)
		}
	}
	f.adjust(&r, testable)
	f.jointly(&r, testable)
	least := min(smallest(r.Arms, testable), r.LogPJoint)
	if f.batches != nil {
		least = min(least, f.batches.LogP, f.batches.LogPAll)
	}
	r.LogP = min(0, math.Log(f.parts())+least)
	r.Rejected = r.LogP <= math.Log(f.level)
	if len(not) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("allocation: arms %v were never played or always with probability 1, so their allocation cannot be tested", not))
	}
	return r
}

// jointly fills the joint form and the joint p.
func (f *family) jointly(r *AllocationResult, testable []int) {
	if len(testable) == 0 {
		return
	}
	if len(testable) <= maxJoint && len(f.arms) <= maxJoint {
		r.Joint, r.DF = f.form(testable)
	} else {
		r.Joint = math.NaN()
		r.Warnings = append(r.Warnings, fmt.Sprintf("allocation: %d arms are more than the %d of which the joint form is computed", len(f.arms), maxJoint))
	}
	r.ByForm = f.basis == Binomial && r.DF > 0
	for _, i := range testable {
		r.ByForm = r.ByForm && f.arms[i].count >= formExpected
	}
	r.LogPJoint = min(0, f.bound)
	if r.ByForm {
		r.LogPJoint = tail.LogChiSquare(r.Joint, float64(r.DF))
	}
}

func (t *tally) single() AllocationArm {
	nan := math.NaN()
	r := AllocationArm{Rows: t.rows, Expected: t.plays, Known: t.known, Deviation: nan, Z: nan, LogP: nan, LogPHolm: nan, Detectable: nan}
	if !(t.expected > 0) {
		return r
	}
	r.Deviation = 100 * (t.deviation / t.expected)
	if !(t.variance > 0) {
		return r
	}
	r.Testable = true
	r.Z, r.LogP = t.deviation/math.Sqrt(t.variance), t.logP
	return r
}

// adjust fills what depends on the number of testable arms.
func (f *family) adjust(r *AllocationResult, testable []int) {
	logP := make([]float64, len(testable))
	for k, i := range testable {
		logP[k] = r.Arms[i].LogP
	}
	first := math.Log(f.level / f.parts() / float64(max(1, len(testable))))
	for k, p := range hypothesis.Holm(logP) {
		i := testable[k]
		r.Arms[i].LogPHolm = p
		r.Arms[i].Detectable = 100 * f.arms[i].detectable(first) / f.arms[i].expected
		if n := enough(f.arms[i].p, first); n > 0 && (r.Enough == 0 || n < r.Enough) {
			r.Enough = n
		}
	}
}

// enough is the smallest number n of rounds in which the pulls of an arm with
// probability p can be as unlikely as the level of a two-sided exact test:
//
//	2·min(p, 1−p)ⁿ ≤ level
//
// Special cases are:
//
//	p is 0 or 1: 0
func enough(p, logLevel float64) int64 {
	rare := min(p, 1-p)
	if !(rare > 0) {
		return 0
	}
	return max(1, int64(math.Ceil((logLevel-math.Ln2)/math.Log(rare))))
}

// smallest returns the smallest adjusted ln p, 0 if there is none.
func smallest(arms []AllocationArm, testable []int) float64 {
	least := 0.0
	for _, i := range testable {
		least = min(least, arms[i].LogPHolm)
	}
	return least
}

// Excess is 100·(Rows/Expected − 1), in per cent; NaN where Expected is not known, or 0.
func (a *AllocationArm) Excess() float64 {
	if !a.Known || !(a.Expected > 0) {
		return math.NaN()
	}
	return 100*float64(a.Rows)/a.Expected - 100
}
