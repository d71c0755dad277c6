package analyze

import (
	"context"

	"banditaudit/analyze/hypothesis"
	"banditaudit/schemas"
)

// Decisions on a test.
const (
	decisionRejected = schemas.DecisionRejected
	decisionKept     = schemas.DecisionKept
	decisionNone     = schemas.DecisionNone
)

// question is one hypothesis. What differs between a mean, a difference, a
// coefficient and several coefficients is behind it; corrections and families
// are the same for all.
type question interface {
	// describe fills in what the test says of itself whatever comes out.
	describe(t *schemas.Test)
	// reads are the independent blocks that the raw test reads.
	reads() rowSet
	// raw is the raw test, valid with the actions held fixed, with its interval at
	// level 1 − e^logAlpha.
	raw(logAlpha float64) rawTest
	// clip cuts an interval to the values that the parameter can have.
	clip(lo, hi float64) *schemas.Interval
	// sequence is the answer that needs no privacy.
	sequence() schemas.TestResult
}

// declaredTest is one hypothesis after "each" has become one test per arm.
type declaredTest struct {
	id   string
	spec *schemas.TestSpec
	question
}

// expand turns the declared tests into one per question. Their arms come from
// the action history alone.
func (a *analysis) expand() []declaredTest {
	var out []declaredTest
	for i := range a.Protocol.Analysis.Tests {
		spec := &a.Protocol.Analysis.Tests[i]
		arms := a.testArms(spec)
		for _, arm := range arms {
			id := spec.ID
			if spec.Arm == schemas.SelectEach && arm >= 0 {
				id += "/" + a.Manifest.Arms[arm]
			}
			out = append(out, declaredTest{id, spec, a.ask(spec, arm)})
		}
	}
	return out
}

// testArms are the arms that a test is asked of, one question for each; -1
// stands for a regression over all arms.
func (a *analysis) testArms(spec *schemas.TestSpec) []int {
	switch {
	case len(spec.Difference) > 0:
		return a.history().selected(spec.Difference[0])
	case spec.Regression != "" && a.pooled(spec.Regression):
		return []int{-1}
	}
	return a.history().selected(spec.Arm)
}

// ask is the one switch over kinds of question.
func (a *analysis) ask(spec *schemas.TestSpec, arm int) question {
	alt, err := hypothesis.ParseAlternative(spec.Alternative)
	if err != nil { // the protocol's checks refuse any other word
		alt = hypothesis.TwoSided
	}
	switch {
	case len(spec.Difference) > 0:
		return &differenceQuestion{a, spec, arm, a.history().labelled(spec.Difference[1]), alt}
	case spec.Coefficient != "":
		return &coefficientQuestion{a, spec, arm, alt}
	case len(spec.Joint) > 0:
		return &jointQuestion{a, spec, arm}
	}
	return &meanQuestion{a, spec, arm, alt}
}

// testRecords carries out all declared tests as one family.
func (a *analysis) testRecords(ctx context.Context) (*Family, error) {
	declared := a.expand()
	app := a.testApplicable()
	a.tests = make([]schemas.Test, len(declared))
	family := newFamily(a, len(declared))
	for i, d := range declared {
		var err error
		if a.tests[i], err = a.testRecord(ctx, d, app, family); err != nil {
			return nil, err
		}
	}
	a.warnTwins()
	a.warnBeta(len(declared))
	return family.decide(ctx, a.tests)
}

// testRecord is one test by every method. It takes part in the family with its
// corrected p, where there is one.
func (a *analysis) testRecord(ctx context.Context, d declaredTest, app applicable, family *family) (schemas.Test, error) {
	t := schemas.Test{
		ID: d.id, Assumptions: assumptionIDs(), Coefficients: []string{}, Alternative: d.spec.Alternative, Decision: decisionNone, Verdict: schemas.NotApplicable,
	}
	d.describe(&t)
	raw := d.raw(a.logAlpha())
	t.Test, t.Estimate, t.N = raw.Assumes, schemas.Finite(raw.Estimate), raw.N
	for _, w := range raw.Warnings {
		a.warn("test " + d.id + ": " + w)
	}
	app = app.and(raw.against)
	t.Results = []schemas.TestResult{d.naive(raw)}
	fixed, err := a.correctedResults(ctx, d, raw, app)
	if err != nil {
		return t, err
	}
	t.Results = append(t.Results, fixed.headline, a.paperResult(d, raw, app), d.sequence())
	t.Results = append(append(t.Results, fixed.others...), a.requestedResults(d, raw, app)...)
	if fixed.headline.Applicable {
		family.join(d, raw.LogP, fixed.logP)
	} else {
		family.abstain(d)
	}
	return t, nil
}

// asks is the same of two tests that ask the same: their hypothesis in words,
// with the arms of a difference in one order.
func (d declaredTest) asks(t *schemas.Test) string {
	if q, ok := d.question.(*differenceQuestion); ok && q.arm > q.against {
		return q.turned()
	}
	return t.Hypothesis
}

func nullWords(alt hypothesis.Alternative) string {
	switch alt {
	case hypothesis.Greater:
		return "is at most"
	case hypothesis.Less:
		return "is at least"
	case hypothesis.TwoSided:
	}
	return "is"
}

// onNullSide reports whether an estimate lies where a one-sided hypothesis has
// it, so that a two-sided p says nothing against that.
func onNullSide(alt hypothesis.Alternative, estimate, value float64) bool {
	return alt == hypothesis.Greater && estimate <= value || alt == hypothesis.Less && estimate >= value
}

// rewardWord is what a hypothesis is about: where rewards were clipped, that.
func (a *analysis) rewardWord() string {
	if a.clipped() > 0 {
		return "clipped reward"
	}
	return "reward"
}

// known restricts a hypothesis to the rounds that it can be about.
func (a *analysis) known() string {
	if a.Slice.Schema().MissingReward {
		return " whose reward is known"
	}
	return ""
}
