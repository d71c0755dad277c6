package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/precision"
	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// allocationRatio compares the allocation with the logged propensities: for every arm
// S_a = Σ 1{A=a}/p_t against T with variance Σ 1{A=a}(1−p_t)/p_t², and jointly
// with Cov(S_a, S_b) = −T. The check as a whole has level 0.0005, whatever the
// propensities do: the normal and χ² laws decide nothing where propensities
// change, as they do not hold where a policy gives an arm up. The detail says
// what decided. The statistic is the joint form.
//
// Special cases are:
//
//	propensities are recomputed from the declared policy: against these, of all arms, at
//	    half of the level, of which the wager of the replay has the other half
//	none is logged or recomputed, or the action was drawn by one more draw: not run
func allocationRatio() Check {
	return Check{ID: "H05", Title: "allocation against logged propensities", Doc: "was every arm played as often as its logged propensities say", Expected: "Σ 1{A=a}/p = T for every arm", Needs: needsPulled, Run: runAllocationRatio}
}

// OneMoreWords say why actions that were drawn by one more draw are not held
// against the logged propensities.
const OneMoreWords = "The logged propensities are shares of draws, and the action was drawn by one more draw (log.drawn: one-more): it was played with the probability that the shares estimate, and 1/share is larger than the inverse of that on average."

// UndrawnWords say that arms are not held against propensities of rows that were kept in
// the log, and why.
func UndrawnWords(why string) string {
	return "What was drawn is not known of rows that were kept: " + why + "."
}

// needsPulled is needsPropensity where none is recomputed.
func needsPulled(f *Inputs) string {
	if f.Margin != nil {
		return ""
	}
	return needsPropensity(f)
}

// pulled is what H05 holds pulls against: recomputed propensities, else logged ones; nil
// where there are none.
func (f *Inputs) pulled() *Propensities {
	if f.Margin != nil {
		return f.Margin
	}
	return f.Propensities
}

// all reports whether the propensities of all arms are known.
func (p *Propensities) all() bool { return p.ByArm != nil || p.Recomputed }

// whose says where they are from.
func (p *Propensities) whose() string {
	if p.Recomputed {
		return "recomputed"
	}
	return "logged"
}

func runAllocationRatio(f *Inputs, c *schemas.Check) {
	p := f.pulled()
	c.Title = strings.Replace(c.Title, "logged", p.whose(), 1)
	if p.all() {
		c.Expected = "pulls = Σ p over the rounds, for every arm"
	}
	if p.Given != "" {
		c.Expected = "pulls = Σ p·o/Σ p·o over the rounds, for every arm"
	}
	if why := p.WhyNotRandomized; why != "" {
		c.Status, c.Detail = schemas.CheckNotRun, UndrawnWords(why)
		return
	}
	if p.OneMore {
		c.Status, c.Detail = schemas.CheckNotRun, OneMoreWords
		return
	}
	r := &p.Allocation
	if open := p.Open; open != "" && r.Rounds == 0 {
		c.Status, c.Detail = schemas.CheckNotRun, "What was drawn is not known: "+open+"."
		return
	}
	c.Statistic, c.P = schemas.Finite(r.Joint), schemas.Finite(probability(r.LogP))
	worst := farthest(r.Arms)
	if worst < 0 {
		c.Status, c.Detail = schemas.CheckNotRun, f.certain(r.Rounds)
		return
	}
	c.Observed = p.farthest(worst, f.Labels)
	f.measurePlays(c, p, worst)
	c.Status = schemas.CheckPass
	if r.Rejected {
		c.Status = schemas.CheckFail
		c.Observed, c.Played = p.Deciding(f.Labels)
		c.Detail = fmt.Sprintf("The allocation contradicts the %s propensities at level %s. ", p.whose(), f.levelWords())
	}
	parts := "the smaller of the arms' smallest Holm p and the joint p, doubled"
	if r.Batches != nil {
		parts = "the smallest of the arms' smallest Holm p, the joint p and that of the batches, times three"
		if r.Batches.Together > 0 {
			parts = "the smallest of the arms' smallest Holm p, the joint p, that of single batches and that of batches together, times four"
		}
	}
	c.Detail += fmt.Sprintf("The p of this check, %s, is %s (at most 1). %s %s %s",
		pWords(r.LogP), parts, jointWords(r), detectable(r), f.basisWords()+f.endsWords()+f.drawnWords())
	if b := r.Batches; b != nil && b.Arm >= 0 {
		far := p.playsInBatch(b, f.Labels)
		c.Detail += fmt.Sprintf(" Batches one by one: %s; the farthest: %s (p %s after correction for all of them).", f.pairsWords(b.Cells), far.Words(), pWords(b.LogP))
	}
	if b := r.Batches; b != nil && b.Together > 0 {
		c.Detail += fmt.Sprintf(" Batches together: p %s, of the %s batches with one propensity for each arm (Pearson's statistic, whose law given the size of a batch is drawn and not approximated; Fisher's method).",
			pWords(b.LogPAll), schemas.Grouped(int64(b.Together)))
	}
}

// measurePlays adds the plays of an arm beside those that are expected; where these are not
// known, how far Σ 1/p over its plays is off.
func (f *Inputs) measurePlays(c *schemas.Check, p *Propensities, arm int) {
	a := &p.Allocation.Arms[arm]
	expected := math.NaN()
	if a.Known {
		expected = a.Expected
		c.Measure("largest_pulls_deviation", "per cent", a.Excess(), 0)
	} else {
		c.Measure("inverse_propensity_deviation", "per cent", a.Deviation, 0)
	}
	c.OfArm(arm, f.Labels[arm])
	c.Measure("plays", "rounds", float64(a.Rows), expected)
	c.OfArm(arm, f.Labels[arm])
}

// farthest says how far an arm is off.
func (p *Propensities) farthest(arm int, labels []string) string {
	of := p.plays(arm, labels)
	return fmt.Sprintf("farthest off: %s (Holm p %s)", of.Words(), pWords(p.Allocation.Arms[arm].LogPHolm))
}

// Deciding is what the part of H05 with the smallest p found, of arms with these labels, and
// the plays that tell; "" where no arm is testable.
func (p *Propensities) Deciding(labels []string) (out string, plays []schemas.Played) {
	r := &p.Allocation
	worst := farthest(r.Arms)
	if worst < 0 {
		return "", nil
	}
	arms := p.farthest(worst, labels)
	least, out, plays := r.Arms[worst].LogPHolm, arms, []schemas.Played{p.plays(worst, labels)}
	if r.LogPJoint < least {
		least, out = r.LogPJoint, "pulls of all arms together (joint p "+pWords(r.LogPJoint)+"); "+arms
	}
	b := r.Batches
	if b == nil {
		return out, plays
	}
	if b.Arm >= 0 && b.LogP < least {
		far := p.playsInBatch(b, labels)
		least, out, plays = b.LogP, far.Words()+" (p "+pWords(b.LogP)+" of all batches)", []schemas.Played{far}
	}
	if b.Together > 0 && b.LogPAll < least {
		out, plays = fmt.Sprintf("pulls within batches, %s of them together (p %s)", schemas.Grouped(int64(b.Together)), pWords(b.LogPAll)), nil
	}
	return out, plays
}

// pairsWords counts the pairs of batch and arm that were tested, and says which
// those are.
func (f *Inputs) pairsWords(pairs int64) string {
	which := "the arm could be played"
	if f.pulled().all() {
		which = "the arm had a propensity above 0 in some round"
	}
	return schemas.Counted(pairs, "pair") + " of batch and arm, which are those in which " + which
}

// level returns the level of a test in one experiment: 0.001 over all experiments of the log.
func (f *Inputs) level() float64 {
	return allocationtest.Level / float64(max(1, f.Experiments))
}

// levelWords says what the level of H05 is over.
func (f *Inputs) levelWords() string {
	level := allocationtest.AllocationLevel
	if f.pulled().Recomputed {
		level /= 2
	}
	if f.Experiments > 1 {
		return fmt.Sprintf("%g over all %s experiments", level, schemas.Grouped(int64(f.Experiments)))
	}
	return fmt.Sprint(level)
}

// pWords writes a p-value from its natural log, also where no float64 holds it.
func pWords(logP float64) string {
	return schemas.PValue(bitexact.Exp(logP))
}

// share writes a size in per cent, which has no sign.
func share(x float64) string { return strings.TrimPrefix(percent(x), "+") }

// farthest is the testable arm with the smallest adjusted p, of equal ones that
// with the largest |z|; -1 where none is testable.
func farthest(arms []allocationtest.AllocationArm) int {
	worst := -1
	for i := range arms {
		a := &arms[i]
		if !a.Testable {
			continue
		}
		if worst < 0 || a.LogPHolm < arms[worst].LogPHolm ||
			a.LogPHolm == arms[worst].LogPHolm && math.Abs(a.Z) > math.Abs(arms[worst].Z) {
			worst = i
		}
	}
	return worst
}

// jointWords says what the joint p is and rests on.
func jointWords(r *allocationtest.AllocationResult) string {
	freedom := schemas.Counted(r.DF, "degree") + " of freedom"
	if r.ByForm {
		return fmt.Sprintf("Joint p %s (joint statistic %s on %s).", pWords(r.LogPJoint), figure(r.Joint), freedom)
	}
	if r.DF == 0 {
		return fmt.Sprintf("Joint p %s, by a bound.", pWords(r.LogPJoint))
	}
	return fmt.Sprintf("Joint p %s, by a bound; no p rests on the joint statistic, %s on %s.", pWords(r.LogPJoint), figure(r.Joint), freedom)
}

// basisWords says what decided, and what it cannot see.
func (f *Inputs) basisWords() string {
	switch r := &f.pulled().Allocation; {
	case r.Basis == allocationtest.Binomial:
		return "What decided for arms: the binomial law, as the propensities are the same in all rounds."
	case r.Basis == allocationtest.Bounded && f.pulled().all():
		return "What decided for arms: a bound that holds for any propensities (Freedman's supermartingale for Σ(1{A=a} − p), Ville's inequality)."
	case r.Basis == allocationtest.Bounded:
		return "What decided for arms: bounds that hold for any propensities (wagers on 1{A=a}/p, and Freedman's supermartingale with 1 − p for the arm not played; Ville's inequality)."
	}
	mend := "log.propensity_by_arm shows it in the arm itself"
	if len(f.Labels) <= 2 && !f.Declared {
		mend = "declare arms, or log.propensity_by_arm, to see it in the arm itself"
	}
	return "What decided for arms: a bound that holds for any propensities (wagers on 1{A=a}/p, Ville's inequality). " +
		"It sees arms that were played too often. An arm that was played too seldom shows only in those played in its stead, since the logged action's propensity says nothing of the others; " + mend + "."
}

// goesBy says on which rounds a check of draws goes, where not on all.
func (f *Inputs) goesBy() string {
	if f.pulled() == nil || f.pulled().Drawn == "" {
		return ""
	}
	return " " + GoesBy("The check goes", f.pulled().Drawn)
}

// certain says why nothing can be tested where no arm can: every propensity is 1.
func (f *Inputs) certain(rounds int64) string {
	if rounds == 0 {
		return "There is no round to test."
	}
	if f.pulled().Recomputed {
		return "Nothing was left to chance, so that there is no draw to test: every recomputed propensity is 1, or is not known."
	}
	out := "Nothing was left to chance, so that there is no draw to test: every logged propensity is 1."
	if arm := slices.IndexFunc(f.Pulls, func(n int64) bool { return n > 0 }); arm >= 0 && f.Pulls[arm] == f.Rounds {
		out = fmt.Sprintf("Nothing was left to chance, so that there is no draw to test: arm %s was played in all %s, each time with a logged propensity of 1.", f.Labels[arm], schemas.Counted(f.Rounds, "round"))
	}
	return out + " If that is so, leave log.propensity out, and nothing is claimed of draws; if another arm could have been played, its probability is missing in the log, and that of the played arm is not 1."
}

// GoesBy says of something that goes by the rounds of these words why.
func GoesBy(what, drawn string) string {
	return what + " " + drawn + ": rounds that share a draw count once."
}

// drawnWords says on which rounds the check went, where not on all, and what else
// would explain what it found, where it went on all by default.
func (f *Inputs) drawnWords() string {
	p := f.pulled()
	out := f.goesBy()
	if p.Sticky != "" {
		out += " " + p.Sticky
	}
	if p.Given != "" {
		out += " " + p.Given
	}
	if p.Open != "" {
		out += " Not known: " + p.Open + "."
	}
	if words := f.anewWords(); words != "" && p.Allocation.Rejected {
		out += " " + words
	}
	return out
}

// endsWords says at which end of what decimals leave open sums were taken.
func (f *Inputs) endsWords() string {
	e := f.pulled().Ends
	const nearer = ": every sum is taken at the end that is nearer to what was played."
	switch {
	case f.pulled().Recomputed:
		return " Recomputed propensities are off by at most 1e-9 and 1e-7 of them" + nearer
	case f.pulled().Exactly != "" && f.pulled().Exactly != precision.ExactFull:
		return " Propensities are taken as exact: " + f.pulled().Exactly + "."
	case e.Digits > 0:
		return fmt.Sprintf(" Propensities are known to half a unit of their %s significant digit, ±%.3g at most%s", precision.Ordinal(e.Digits), e.Most(), nearer)
	case e.Own > 0:
		return " Propensities were written with several precisions, and each is known to half a unit of its own last decimal" + nearer
	case e.Half:
		return " Propensities are float16, and known to half a unit in its last place" + nearer
	case e.Room == 0:
		return ""
	}
	return fmt.Sprintf(" Propensities are known to ±%.3g, by their decimals or log.propensity_resolution%s", e.Room, nearer)
}

// detectable says, over arms, which deviation would have been found.
func detectable(r *allocationtest.AllocationResult) string {
	low, high, testable, beyond := math.Inf(1), 0.0, 0, 0
	for _, a := range r.Arms {
		switch {
		case !a.Testable:
			continue
		case math.IsInf(a.Detectable, 1):
			beyond++
		default:
			low, high = min(low, a.Detectable), max(high, a.Detectable)
		}
		testable++
	}
	noun := "deviation"
	if r.Basis == allocationtest.OneSided {
		noun = "excess"
	}
	switch beyond {
	case 0:
		return fmt.Sprintf("Smallest %s of an arm that would have been found with 80 %% power: %s to %s, by arm.", noun, share(low), share(high))
	case testable:
		return fmt.Sprintf("No %s of a single arm would have been found with 80 %% power: the log is too short, or too few of its rounds played the arm by chance.", noun)
	}
	return fmt.Sprintf("Smallest %s of an arm that would have been found with 80 %% power: %s to %s, by arm; none of %d of the %d arms.", noun, share(low), share(high), beyond, testable)
}
