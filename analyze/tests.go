package analyze

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/decide/claims"
	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/ope"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/schemas"
)

// declaredTest is one hypothesis after "each" has become one test per arm. It
// comes from the action history alone.
type declaredTest struct {
	id      string
	spec    *schemas.TestSpec
	kind    string // of question
	arm     int    // −1 for a regression over all arms, and for all arms
	against int    // the other of two arms
	alt     hypothesis.Alternative
	rows    corrections.Rows // the independent blocks that the raw test reads
}

// expand turns the declared tests into one per question.
func (q *questions) expand() []declaredTest {
	var out []declaredTest
	for i := range q.protocol.Analysis.Tests {
		spec := &q.protocol.Analysis.Tests[i]
		for _, arm := range q.testArms(spec) {
			d := declaredTest{id: spec.ID, spec: spec, arm: arm}
			if spec.Arm == schemas.SelectEach && arm >= 0 {
				d.id += "/" + q.facts.Manifest.Arms[arm]
			}
			var err error
			if d.alt, err = hypothesis.ParseAlternative(spec.Alternative); err != nil { // the protocol's checks refuse any other word
				d.alt = hypothesis.TwoSided
			}
			q.kind(&d)
			out = append(out, d)
		}
	}
	return out
}

// kind fills in what kind of question a test asks, and of which rows.
func (q *questions) kind(d *declaredTest) {
	switch {
	case len(d.spec.Difference) > 0:
		d.kind, d.against = schemas.TestDifference, q.history().labelled(d.spec.Difference[1])
		d.rows = rowsOfArms(q.facts.Slice, d.arm, d.against)
	case len(d.spec.Equal) == 2:
		d.kind, d.against = schemas.TestEqual, q.history().labelled(d.spec.Equal[1])
		d.rows = rowsOfArms(q.facts.Slice, d.arm, d.against)
	case len(d.spec.Equal) > 0:
		d.kind, d.rows = schemas.TestEqual, rowsOfArms(q.facts.Slice)
	case d.spec.P != nil:
		d.kind, d.rows = schemas.TestGiven, q.givenRows(d.spec)
	case d.spec.Coefficient != "":
		d.kind, d.rows = schemas.TestCoefficient, fittedRows(q.facts.Log, d.spec.Regression, d.arm)
	case len(d.spec.Joint) > 0:
		d.kind, d.rows = schemas.TestJoint, fittedRows(q.facts.Log, d.spec.Regression, d.arm)
	default:
		d.kind, d.rows = schemas.TestMean, rowsOfArms(q.facts.Slice, d.arm)
	}
}

// testArms are the arms that a test is asked of, one question for each; -1
// stands for a regression over all arms, and for all arms.
func (q *questions) testArms(spec *schemas.TestSpec) []int {
	switch {
	case len(spec.Difference) > 0:
		return q.history().selected(spec.Difference[0])
	case len(spec.Equal) == 2:
		return q.history().selected(spec.Equal[0])
	case len(spec.Equal) > 0, spec.P != nil:
		return []int{-1}
	case spec.Regression != "" && pooled(q.protocol, spec.Regression):
		return []int{-1}
	}
	return q.history().selected(spec.Arm)
}

// question is what differs between a mean, a difference, a coefficient, several
// coefficients, equal arms and a p that is given; corrections and families are the same for all.
type question interface {
	// describe fills in what the test says of itself whatever comes out.
	describe(t *schemas.Test)
	// raw is the raw test, valid with the actions held fixed, with its interval at
	// level 1 − e^logAlpha.
	raw(logAlpha float64) rawTest
	// clip cuts an interval to the values that the parameter can have.
	clip(lo, hi float64) *schemas.Interval
	// sequence is the answer of the normal mixture, where it is asked for.
	sequence() schemas.TestResult
	// methods lists the methods that can decide it, in the order in which auto takes them.
	methods() []string
}

// averaged is a question about what is paid on average over rounds, which methods choose
// differently: those that played an arm, or all.
type averaged interface {
	words(over string) string
	// overPlayed are the rounds that the question is about where the method does not say.
	overPlayed() string
}

// ask is the one switch over kinds of question.
func (f *fits) ask(d *declaredTest) question {
	s := f.sample
	switch d.kind {
	case schemas.TestDifference:
		return &differenceQuestion{d, s, s.facts}
	case schemas.TestCoefficient:
		return &coefficientQuestion{d, f}
	case schemas.TestJoint:
		return &jointQuestion{d, f}
	case schemas.TestEqual:
		return &equalQuestion{d, s, s.facts}
	case schemas.TestGiven:
		return &givenQuestion{d, s.rewards}
	}
	return &meanQuestion{d, s, s.facts}
}

// answer is a declared test with what came of it.
type answer struct {
	*declaredTest
	question
	record       schemas.Test
	logRaw       float64 // ln of the raw p; NaN where there is no corrected one
	logCorrected float64 // ln of the headline's p; NaN where there is none
	logP         float64 // ln of the p that decides; NaN where none does
	settled      bool    // whatever a method says, it does not decide
	logE         float64 // ln of the e that decides, at the end of the log; NaN where there is none
	floored      bool    // the p that decides is the smallest that the runs of the policy could give
}

// headline is the corrected answer, which every test has.
func (t *answer) headline() *schemas.TestResult { return t.record.Result(schemas.MethodCorrected) }

// answers holds the answers of all declared tests, with what they are made of.
type answers struct {
	sample    *sample
	facts     *publiclog.Facts
	protocol  *schemas.Protocol
	catalogue *Catalogue
	evidence  *validity.Evidence
	accounts  *corrections.Accounts
	weighed   *ope.Estimates
	warnings
	fits          *fits
	unlikeMissing bool   // rewards may be missing in one arm more than in another
	rejecting     string // the checks that reject the logged propensities; "" where none does
	tests         []*answer
	family        *aggregate.Family // nil without tests
}

// answerTests carries out all declared tests as one family.
func answerTests(ctx context.Context, kinds *Catalogue, f *fits, c *checked) (*answers, error) {
	s := f.sample
	a := &answers{sample: s, facts: s.facts, protocol: s.protocol, catalogue: kinds, evidence: s.evidence, accounts: s.accounts, weighed: s.weighed, fits: f, unlikeMissing: c.ended("H11", schemas.CheckNote), rejecting: c.contradicting()}
	var err error
	if err = f.sample.weighed.WalkPolicies(ctx); err != nil {
		return nil, err
	}
	for i := range f.sample.questions.declared {
		nan := math.NaN()
		t := &answer{declaredTest: &f.sample.questions.declared[i], question: f.ask(&f.sample.questions.declared[i]), logRaw: nan, logCorrected: nan, logP: nan, logE: nan}
		if err = a.carryOut(ctx, t); err != nil {
			return nil, err
		}
		a.tests = append(a.tests, t)
	}
	a.warnTwins()
	a.warnBeta()
	a.family, err = decide(ctx, f.sample.accounts, a.tests)
	return a, err
}

// testRecords are the tests as they are reported.
func (a *answers) testRecords() []schemas.Test {
	out := make([]schemas.Test, len(a.tests))
	for i, t := range a.tests {
		out[i] = t.record
	}
	return out
}

// carryOut is one test by every method. It takes part in the family with its
// corrected p, where there is one.
func (a *answers) carryOut(ctx context.Context, t *answer) error {
	t.record = schemas.Test{
		ID: t.id, Assumptions: claims.AssumptionIDs(), Coefficients: []string{}, Alternative: t.spec.Alternative, Decision: schemas.DecisionNone, Verdict: schemas.NotApplicable,
	}
	t.describe(&t.record)
	raw := t.raw(publiclog.LogAlpha(a.protocol))
	t.record.Test, t.record.Estimate, t.record.N = raw.Assumes, schemas.Finite(raw.Estimate), raw.N
	for _, w := range raw.Warnings {
		a.warn("test " + t.id + ": " + w)
	}
	arms, err := a.sample.compare(ctx, t.declaredTest)
	if err != nil {
		return err
	}
	t.record.Comparison = arms.record
	app := a.evidence.Corrections.And(raw.against).And(refusedApproximate(a.protocol, raw)).And(arms.against).And(a.againstNeighbours(t)).And(a.againstCopies())
	app.Note = publiclog.Joined(app.Note, arms.note)
	fixed, err := a.correctedResults(ctx, t, raw, app)
	if err != nil {
		return err
	}
	t.record.Results = []schemas.TestResult{t.naive(raw), fixed.headline, a.paperResult(t, raw, app)}
	if a.protocol.Analysis.Sequence == schemas.SequenceNormal {
		t.record.Results = append(t.record.Results, arms.sequence(t.sequence()))
	}
	if fixed.headline.Applicable {
		t.logRaw, t.logCorrected = raw.LogP, fixed.logP
	}
	if err = a.byMethods(ctx, t); err != nil {
		return err
	}
	t.record.Results = slices.Concat(t.record.Results, fixed.others, a.requestedResults(t, raw, app))
	return nil
}

// byMethods has all methods answer that can decide a test, and one of them decide.
func (a *answers) byMethods(ctx context.Context, t *answer) error {
	t.record.Decide = t.spec.Decide
	var given []methodAnswer
	for _, m := range a.catalogue.asked(t) {
		g := notBy(m.Name, copied)
		if !a.sample.earlier.Copied {
			var err error
			t.settled = a.settled(t, m.Name, given)
			if g, err = m.answer(ctx, a, t); err != nil {
				return err
			}
		}
		g.name = m.Name
		given = append(given, g)
	}
	if t.record.Results = append(t.record.Results, a.catalogue.shown(given)...); a.sample.earlier.Copied {
		t.record.Choice = "no method decides: " + copied
		return nil
	}
	a.choose(t, given)
	t.record.Agreement = a.agree(given)
	return nil
}

// asks is the same of two tests that ask the same: their hypothesis in words, as
// declared and with the arms of a difference in one order.
func (t *answer) asks() string {
	switch q := t.question.(type) {
	case *differenceQuestion:
		if q.arm > q.against {
			return q.turned(q.sample.playedRounds())
		}
		return q.words(q.sample.playedRounds())
	case *meanQuestion:
		return q.words(q.sample.playedRounds())
	}
	return t.record.Hypothesis
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

// playedRounds are the rounds that the reward of an arm is known of.
func (s *sample) playedRounds() string {
	out := "the " + s.facts.Sampled.Rounds() + " played"
	if s.facts.Slice.Schema().MissingReward {
		out += " whose reward is known"
	}
	return out
}

// twins are the declared tests that ask what an earlier one asks, by the ids of
// both.
func (a *answers) twins() []string {
	var out []string
	first := map[string]string{}
	for _, t := range a.tests {
		asks := t.asks()
		if id, ok := first[asks]; ok {
			out = append(out, schemas.Named(id)+" and "+schemas.Named(t.id))
		} else {
			first[asks] = t.id
		}
	}
	return out
}

// manyTwins is how many pairs of tests that ask the same a warning names.
const manyTwins = 8

// warnTwins says which tests ask the same.
func (a *answers) warnTwins() {
	twins := a.twins()
	if len(twins) == 0 {
		return
	}
	words := strings.Join(twins[:min(len(twins), manyTwins)], "; ")
	if n := len(twins) - manyTwins; n > 0 {
		words += fmt.Sprintf("; and %s more", schemas.Grouped(int64(n)))
	}
	a.warn("tests that ask the same: " + words + "; they are adjusted as if they asked different things, and one of them chosen after the results were seen is not covered (A7)")
}
