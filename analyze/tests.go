package analyze

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/maxinfo"
	"banditaudit/schemas"
)

// Decisions on a test.
const (
	decisionRejected = "rejected"
	decisionKept     = "not rejected"
	decisionNone     = "not applicable"
)

// declaredTest is one hypothesis after "each" has become one test per arm.
type declaredTest struct {
	id   string
	spec *schemas.TestSpec
	arm  int
	alt  hypothesis.Alternative
}

// expand turns the declared tests into one per arm. Selectors look at the
// action history alone; ties go to the lowest index.
func (a *analysis) expand() []declaredTest {
	var out []declaredTest
	for i := range a.Protocol.Analysis.Tests {
		spec := &a.Protocol.Analysis.Tests[i]
		alt, err := hypothesis.ParseAlternative(spec.Alternative)
		if err != nil { // the protocol's checks refuse any other word
			alt = hypothesis.TwoSided
		}
		if spec.Arm != schemas.SelectEach {
			out = append(out, declaredTest{spec.ID, spec, a.selectArm(spec.Arm), alt})
			continue
		}
		for arm, label := range a.Manifest.Arms {
			out = append(out, declaredTest{spec.ID + "/" + label, spec, arm, alt})
		}
	}
	return out
}

// selectArm is the arm that a selector means. Labels are those of the log, and
// a log has rows, so there always is one.
func (a *analysis) selectArm(selector string) int {
	best := -1
	for arm, n := range a.pub.pulls {
		switch {
		case selector == a.Manifest.Arms[arm]:
			return arm
		case n == 0:
		case selector == schemas.SelectMostPulled && (best < 0 || n > a.pub.pulls[best]),
			selector == schemas.SelectLeastPulled && (best < 0 || n < a.pub.pulls[best]):
			best = arm
		}
	}
	return best
}

// testRecords carries out all declared tests as one family.
func (a *analysis) testRecords() []schemas.Test {
	declared := a.expand()
	app := a.testApplicable()
	out := make([]schemas.Test, len(declared))
	corrected := make([]float64, len(declared))
	for i, d := range declared {
		out[i], corrected[i] = a.testRecord(d, app)
	}
	a.adjust(out, corrected)
	return out
}

// testRecord is one test by every method, and the natural log of its corrected
// p, NaN where there is none.
func (a *analysis) testRecord(d declaredTest, app applicable) (schemas.Test, float64) {
	value := *d.spec.Mean
	t := schemas.Test{
		ID: d.id, Kind: schemas.TestMean, Selector: d.spec.Arm, Arm: d.arm, Value: value, Assumptions: assumptionIDs(),
		Decision: decisionNone, Verdict: schemas.NotApplicable,
	}
	t.Label, t.N = a.Manifest.Arms[d.arm], a.sums.scalar[d.arm].N
	t.Hypothesis = fmt.Sprintf("the mean reward of arm %s over the rounds played%s %s %g", a.name(d.arm), a.known(), nullWords(d.alt), value)
	base, exact, reason := a.base(d, a.logAlpha())
	t.Estimate = schemas.Finite(base.Estimate)
	for _, w := range base.Warnings {
		a.warn("test " + d.id + ": " + w)
	}
	if reason != "" && !a.repeated() { // which stands there already
		app.reasons = append(app.reasons, "A3: "+reason)
	}
	naive := a.naiveResult(base, reason)
	naive.Approximate = !exact
	fixed := a.correctedResult(d, base, app)
	paper := a.paperResult(base, app)
	fixed.Approximate, paper.Approximate = !exact, !exact
	t.Results = []schemas.TestResult{naive, fixed, paper, a.sequenceResult(d)}
	if !fixed.Applicable {
		return t, math.NaN()
	}
	return t, maxinfo.Corrected(base.LogP, a.sigma(t.Label))
}

// known restricts a hypothesis to the rounds that it can be about.
func (a *analysis) known() string {
	if a.Slice.Schema().MissingReward {
		return " whose reward is known"
	}
	return ""
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

func (a *analysis) sigma(label string) float64 { return maxinfo.Sigma(a.levels(label)) }

// base is the raw test with the actions held fixed. reason says why there is
// none.
func (a *analysis) base(d declaredTest, logAlpha float64) (r hypothesis.Result, exact bool, reason string) {
	s, value := a.sums.scalar[d.arm], *d.spec.Mean
	name := d.spec.Test
	if name == "" {
		name = map[bool]string{true: "exact", false: "t"}[a.binary()]
	}
	switch name {
	case "exact":
		r = hypothesis.Binomial(a.sums.ones[d.arm], s.N, value, d.alt, logAlpha)
		if !a.binary() {
			reason = "the exact test is for boolean rewards, or whole numbers with range [0, 1]; the reward column is of type " + a.Manifest.Reward.Type
			r = hypothesis.Result{N: s.N, Estimate: s.Mean, Statistic: math.NaN(), DF: math.NaN(), LogP: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
			return r, true, reason
		}
	case "z":
		r = hypothesis.Normal(s, value, *d.spec.Sigma, d.alt, logAlpha)
	case "t":
		r = hypothesis.Student(s, value, d.alt, logAlpha)
	default: // the protocol's checks refuse other names
		r.LogP = math.NaN()
	}
	switch {
	case math.IsNaN(r.LogP):
		reason = "the raw test gives no p-value"
	case a.repeated():
		reason = "it takes rows as independent, and " + strings.TrimPrefix(dependent, "A4: ")
	}
	return r, name == "exact", reason
}

// naiveResult is the raw test. Its interval, as every interval of a mean, is
// cut to the declared range of the reward, in which the mean lies.
func (a *analysis) naiveResult(r hypothesis.Result, reason string) schemas.TestResult {
	out := schemas.TestResult{
		Method: schemas.MethodNaive, Statistic: schemas.Finite(r.Statistic), DF: schemas.Finite(r.DF),
		CI: a.clip(r.Lo, r.Hi), Applicable: reason == "", Reason: reason, ValidFor: "fixed-arm",
	}
	if a.repeated() {
		return schemas.TestResult{Method: out.Method, Reason: reason, ValidFor: out.ValidFor}
	}
	setP(&out, r.LogP)
	return out
}

// setP writes p and log₂ p.
func setP(out *schemas.TestResult, logP float64) {
	out.P = probability(logP)
	out.Log2P = schemas.Ext(float64(logP / math.Ln2))
}

// probability is e^logP, nil where logP is NaN. A p below the smallest float64
// is rounded up to it: 0 would claim more than is known.
func probability(logP float64) *float64 {
	p := math.Exp(logP)
	if p == 0 && !math.IsInf(logP, -1) {
		p = math.SmallestNonzeroFloat64
	}
	return schemas.Finite(p)
}

// correctedResult is the headline: the raw p corrected conditionally on the
// action sequence, over the rows of the arm, with the interval at the raw
// level that corresponds to α.
func (a *analysis) correctedResult(d declaredTest, base hypothesis.Result, app applicable) schemas.TestResult {
	out := schemas.TestResult{Method: schemas.MethodCorrected, ValidFor: "selected-arm", Conditional: true, Applicable: app.ok(), Reason: app.reason()}
	if !app.ok() {
		return out
	}
	sigma := a.sigma(a.Manifest.Arms[d.arm])
	logP := maxinfo.Corrected(base.LogP, sigma)
	widened, _, _ := a.base(d, maxinfo.GammaLog(a.logAlpha(), sigma))
	out.Sigma = schemas.Ext(sigma)
	out.CI = a.clip(widened.Lo, widened.Hi)
	out.Statistic, out.DF = schemas.Finite(base.Statistic), schemas.Finite(base.DF)
	out.Bits = schemas.Finite((logP - base.LogP) / math.Ln2)
	out.Vacuous = logP >= 0
	setP(&out, logP)
	return out
}

// paperResult is the published route: Theorem 20 at the best β, with ε of the
// declared mechanism and n = T. It is averaged over the actions and is never
// combined with the conditional one.
func (a *analysis) paperResult(base hypothesis.Result, app applicable) schemas.TestResult {
	out := schemas.TestResult{Method: schemas.MethodPaper, ValidFor: "selected-arm", Applicable: app.ok(), Reason: app.reason()}
	if !app.ok() {
		return out
	}
	r := maxinfo.Theorem20(base.LogP, a.law.Epsilon().Up(), a.pub.rounds)
	out.Beta, out.Bits = schemas.Finite(r.Beta), schemas.Finite(r.Bits)
	out.Vacuous = r.LogP >= 0
	setP(&out, r.LogP)
	return out
}

// sequenceResult needs no privacy: the confidence sequence of a bounded reward
// holds at every time, for every arm at once, whatever the policy. Its p is
// two-sided; against a one-sided alternative a mean on the side of the null
// hypothesis gives p = 1.
func (a *analysis) sequenceResult(d declaredTest) schemas.TestResult {
	out := schemas.TestResult{Method: schemas.MethodSequence, ValidFor: "any-time", Applicable: true, Reason: "two-sided, simultaneous over arms"}
	if a.missing() > 0 {
		out.Reason += "; about the rounds whose reward is known"
	}
	if a.repeated() {
		out.Reason += "; about what was to be expected of each row given everything before it, its unit's earlier rows among that"
	}
	s := a.sums.scalar[d.arm]
	if s.N == 0 {
		out.Applicable, out.Reason = false, "the arm was never played"
		if a.pub.pulls[d.arm] > 0 {
			out.Reason = "no reward of the arm is known"
		}
		return out
	}
	lo, hi := adaptive.ConfidenceSequence(s.N, s.Mean, a.sequence())
	out.CI = a.clip(lo, hi)
	logP := adaptive.SequenceP(s.N, s.Mean, *d.spec.Mean, a.sequence())
	if d.alt == hypothesis.Greater && s.Mean <= *d.spec.Mean || d.alt == hypothesis.Less && s.Mean >= *d.spec.Mean {
		logP = 0
	}
	setP(&out, logP)
	out.PAdjusted = out.P
	return out
}

// adjust draws the decisions from the corrected p-values of the whole family.
// A test without one takes part as p = 1.
func (a *analysis) adjust(tests []schemas.Test, corrected []float64) {
	adjusted := corrected
	switch a.Protocol.Analysis.Multiplicity {
	case "none":
	case "bonferroni":
		adjusted = hypothesis.Bonferroni(corrected)
	case "by":
		adjusted = hypothesis.BenjaminiYekutieli(corrected)
	default:
		adjusted = hypothesis.Holm(corrected)
	}
	for i := range tests {
		if math.IsNaN(corrected[i]) {
			continue
		}
		t := &tests[i]
		t.Results[1].PAdjusted = probability(adjusted[i])
		t.Decision, t.Verdict = decisionKept, schemas.NotEstablished
		if adjusted[i] <= a.logAlpha() {
			t.Decision, t.Verdict = decisionRejected, schemas.Consistent
		}
	}
}
