package schemas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas/param"
)

// analysisRules judge what holds for all tests.
type analysisRules struct{ *checker }

func (c analysisRules) analysis() {
	a := c.p.Analysis
	c.closed("analysis.chosen", a.Chosen)
	if a.Chosen == "" && len(a.Tests) > 0 {
		c.missing("analysis.chosen", "a corrected p depends on what whoever chose the tests had seen", "add chosen: before, from-actions or after-rewards")
	}
	c.word("analysis.decide", a.Decide, c.catalogue.DecideWords())
	c.closed("analysis.multiplicity", a.Multiplicity)
	c.closed("analysis.approximate", a.Approximate)
	c.closed("analysis.means", a.Means)
	c.closed("analysis.carryover", a.Carryover)
	c.sequence()
	c.word("analysis.correction.method", a.Correction.Method, c.catalogue.HeadlineNames())
	c.beta(a.Correction.Beta)
	c.also(a.Correction.Also)
	rerunRules(c).rerun()
	if d := c.catalogue.Correction(a.Correction.Method); a.Multiplicity == AdjustBH && (d == nil || !d.Selective) {
		c.fail("analysis.multiplicity", "is \"bh\"", "Benjamini and Hochberg's procedure runs on raw p-values, and only the correction conditional holds for what it rejects", "write by, or correction: {method: conditional}")
	}
	if a.ClipWeights != nil && *a.ClipWeights < 1 {
		c.fail("analysis.clip_weights", fmt.Sprintf("is %g", *a.ClipWeights), "a weight 1/p is never below 1", "write a number of at least 1")
	}
	regressionRules(c).regressions()
	testRules(c).tests()
	c.names()
	evaluationRules(c).evaluations()
}

// sequence judges which confidence sequences are printed: one of them is of a mean that
// does not move.
func (c analysisRules) sequence() {
	a := &c.p.Analysis
	c.closed("analysis.sequence", a.Sequence)
	if a.Sequence == SequenceBetaBinomial && a.Means != MeansConstant && c.sound("analysis.means") {
		c.fail("analysis.sequence", "is \"beta-binomial\"", "that mixture is about an arm whose mean is the same in every round, which is not declared", "write analysis.means: constant, or sequence: bets, which holds for means that move")
	}
}

// MostAlpha is the largest level of tests: beyond it the two ends of an interval of
// 1 − α would change places.
const MostAlpha = 0.5

// alpha judges the level of the tests, where one is given.
func (c analysisRules) alpha() {
	if x := c.p.Analysis.Alpha; c.d.Given("analysis.alpha") && !(x > 0 && x <= MostAlpha) {
		c.fail("analysis.alpha", fmt.Sprintf("is %g", x), "a level is more than 0 and at most 0.5", "write a level such as 0.05")
	}
}

// also judges the forms that are printed on request.
func (c analysisRules) also(forms []string) {
	for i, form := range forms {
		path := index("analysis.correction.also", i)
		c.require(path, form, "it names a form", "write "+strings.Join(c.catalogue.AlsoNames(), " or "))
		c.word(path, form, c.catalogue.AlsoNames())
	}
	c.distinct("analysis.correction.also", forms)
}

func (c analysisRules) beta(text string) {
	if text == betaBest {
		return
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !numberText.MatchString(text) || !(x > 0 && x < 1) {
		c.fail("analysis.correction.beta", "is "+shown(text), "it must be the word best or a number between 0 and 1", "write best")
	}
}

// names judges names that the program makes of those declared.
func (c analysisRules) names() {
	if !c.sound("arms") {
		return
	}
	if c.sound("log") && c.sound("analysis.control") && c.sound("analysis.regressions") {
		sameCoefficients(c.p, c.p.Arms, c.p.Log.ContextNames(), c.fail)
	}
	if c.sound("analysis.tests") {
		sameIDs(c.p, c.p.Arms, c.fail)
	}
}

// testRules judge the declared tests.
type testRules struct{ *checker }

func (c testRules) tests() {
	list := c.p.Analysis.Tests
	ids, paths := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		path := index("analysis.tests", i)
		ids[i], paths[i] = list[i].ID, path+".id"
		c.require(path+".id", list[i].ID, "results and claims refer to it", "add id: H"+strconv.Itoa(i+1))
		c.word(path+".test", list[i].Test, c.catalogue.TestNames())
		c.closed(path+".alternative", list[i].Alternative)
		c.closed(path+".selector", list[i].Selector)
		if at := path + ".decide"; c.d.Given(at) { // else it is that of the analysis, and judged there
			c.word(at, list[i].Decide, c.catalogue.DecideWords())
		}
		c.test(path, &list[i])
	}
	c.unique(ids, paths, "ids of tests")
}

// test judges one hypothesis. Its kind is what it asks: the mean of an arm, a
// coefficient or several of a regression, or a difference of two arms.
func (c testRules) test(path string, t *TestSpec) {
	if !c.sound(path) {
		return
	}
	var kinds []string
	for _, kind := range []struct {
		key   string
		given bool
	}{{TestMean, t.Mean != nil}, {"coefficient", t.Coefficient != ""}, {"joint", len(t.Joint) > 0}, {"difference", len(t.Difference) > 0}, {"equal", len(t.Equal) > 0}, {"p", t.P != nil}} {
		if kind.given {
			kinds = append(kinds, kind.key)
		}
	}
	switch {
	case len(kinds) == 0:
		c.fail(path, "asks nothing", "a test asks one of: mean, coefficient, joint, difference, equal, p", "add mean: NUMBER for a test of an arm's mean")
	case len(kinds) > 1:
		c.fail(path+"."+kinds[1], "stands beside "+kinds[0], "a test asks one question", "make two tests of it")
	default:
		c.question(path, t, kinds[0])
	}
}

// testKeys lists the keys that go with a kind of test, besides id,
// alternative and the kind itself.
func testKeys(kind string) []string {
	switch kind {
	case TestMean:
		return []string{"arm", "test", "sigma"}
	case "coefficient":
		return []string{"arm", "regression", "value"}
	case "joint":
		return []string{"arm", "regression"}
	case "equal":
		return nil
	case "p":
		return []string{"rows", "selector"}
	default:
		return []string{"value", "test", "sigma"}
	}
}

func (c testRules) question(path string, t *TestSpec, kind string) {
	keys := testKeys(kind)
	for _, key := range []string{"arm", "test", "sigma", "regression", "value", "rows", "selector"} {
		if !slices.Contains(keys, key) {
			c.surplus(path+"."+key, "a test of "+kind+" has no "+key, "delete the key")
		}
	}
	var r *RegressionSpec
	of := slices.Contains(keys, "regression")
	if of {
		r = c.regression(path+".regression", t.Regression)
	}
	if slices.Contains(keys, "arm") && (r != nil || !of) { // whose rows are read depends on the regression
		c.armOf(path+".arm", t.Arm, r)
	}
	if slices.Contains(keys, "value") && t.Value == nil {
		c.missing(path+".value", "it is the value under the null hypothesis", "add value: 0")
	}
	c.method(path, t, kind)
	switch kind {
	case TestMean:
		c.meanInRange(path+".mean", *t.Mean)
	case "difference":
		c.difference(path+".difference", t.Difference)
		if t.Value != nil {
			c.differenceInRange(path+".value", *t.Value)
		}
	case "coefficient":
		c.coefficient(path+".coefficient", t.Coefficient, r)
		if t.Value != nil {
			c.size(path+".value", *t.Value)
		}
	case "joint":
		c.joint(path, t, r)
	case "equal":
		c.equal(path, t)
	case "p":
		c.given(path, t)
	}
}

// armOf judges whose rows a test reads. A pooled regression reads those of all
// arms, and one of a single arm has no coefficients of another.
func (c testRules) armOf(path, arm string, r *RegressionSpec) {
	switch {
	case r != nil && r.Arms == ArmsPooled:
		c.surplus(path, "regression "+shown(r.Name)+" reads the rows of all arms", "delete the key")
		return
	case r != nil && r.Arms != SelectEach && arm != "" && arm != r.Arms:
		c.fail(path, "is "+shown(arm), "regression "+shown(r.Name)+" is fitted for arm "+shown(r.Arms)+" only", "write arm: "+r.Arms+", or arms: each in the regression")
		return
	}
	c.require(path, arm, "it says whose rows are read", "add arm: most-pulled, least-pulled, each or a label")
	if !slices.Contains([]string{SelectMostPulled, SelectLeastPulled, SelectEach}, arm) {
		c.label(path, arm)
	}
}

// method judges the named test against what it is used for.
func (c testRules) method(path string, t *TestSpec, kind string) {
	named := c.catalogue.Test(t.Test)
	if named == nil {
		named = &param.Test{OfMean: true, OfDifference: true}
	}
	switch {
	case named.Sigma && t.Sigma == nil:
		c.missing(path+".sigma", "the "+named.Name+" test has a known standard deviation", "add sigma: NUMBER, or write test: t")
	case !named.Sigma:
		c.surplus(path+".sigma", "only the z test has a known standard deviation", "delete the key, or write test: z")
	}
	c.sigma(path+".sigma", t.Sigma)
	switch {
	case kind == TestMean && !named.OfMean:
		c.fail(path+".test", "is "+shown(t.Test), "that test compares two arms", "write test: bernstein, or ask for a difference")
	case kind == "difference" && !named.OfDifference:
		c.fail(path+".test", "is "+shown(t.Test), "that test is of the mean of one arm", "write test: bernstein, or ask for a mean")
	case named.Binary && !c.unitRange():
		c.fail(path+".test", "is "+shown(t.Test), "the "+named.Name+" test is for rewards of 0 and 1, and reward.range does not hold both", "write test: bernstein")
	case kind == "difference" && named.Constant && c.p.Analysis.Means != MeansConstant && c.sound("analysis.means"):
		c.fail(path+".test", "is "+shown(t.Test), "the "+named.Name+" test of a difference is of two means, each over the rounds its arm was played, and is asked only where an arm's mean is declared to be the same in every round", "write analysis.means: constant, or test: bernstein")
	}
}

func (c testRules) unitRange() bool {
	r := c.p.Reward.Range
	return !c.sound("reward.range") || len(r) != 2 || (r[0] <= 0 && r[1] >= 1)
}

func (c testRules) meanInRange(path string, mean float64) {
	r := c.p.Reward.Range
	if !c.sound("reward") || len(r) != 2 || (mean >= r[0] && mean <= r[1]) {
		return
	}
	c.fail(path, fmt.Sprintf("is %g", mean), fmt.Sprintf("no mean of rewards in [%g, %g] has that value", r[0], r[1]), "write a mean within reward.range")
}

func (c testRules) difference(path string, arms []string) {
	if len(arms) != 2 {
		c.fail(path, param.Entries(len(arms)), "a difference is between two arms", "write [arm, arm]")
		return
	}
	for i, label := range arms {
		c.label(index(path, i), label)
	}
	c.distinct(path, arms)
}

// equal judges which arms are asked to pay alike.
func (c testRules) equal(path string, t *TestSpec) {
	if t.Alternative != "" && t.Alternative != TwoSided {
		c.fail(path+".alternative", "is "+shown(t.Alternative), "a test of whether arms pay alike has no side", "write two-sided, or delete the key; a difference has sides")
	}
	if at := path + ".equal"; !slices.Equal(t.Equal, []string{ArmsAll}) {
		if len(t.Equal) != 2 {
			is := param.Entries(len(t.Equal))
			if len(t.Equal) == 1 {
				is = "is " + shown(t.Equal[0])
			}
			c.fail(at, is, "it must be the word all, or a list of two arms", "write all, or [arm, arm]")
			return
		}
		for i, label := range t.Equal {
			c.label(index(at, i), label)
		}
		c.distinct(at, t.Equal)
	}
}

// leastGiven is the smallest number that is held with all its digits, 2^−1022.
const leastGiven = 0x1p-1022

// given judges a p of a test that was carried out elsewhere: of which rounds it is.
func (c testRules) given(path string, t *TestSpec) {
	if t.Alternative != "" && t.Alternative != TwoSided {
		c.fail(path+".alternative", "is "+shown(t.Alternative), "a p of a test that was carried out elsewhere has its side already", "delete the key")
	}
	if c.sound(path+".p") && (!(*t.P > 0) || *t.P > 1) {
		c.fail(path+".p", fmt.Sprintf("is %g", *t.P), "a p is above 0 and at most 1", "write how small the p is at most, as 1e-12")
	} else if c.sound(path+".p") && *t.P < leastGiven {
		c.fail(path+".p", fmt.Sprintf("is %g", *t.P), "below 2.23e-308 a number has not all its digits", "write 1e-300: it is at most that")
	}
	if c.p.Experiment.Column != "" {
		c.fail(path+".p", "is given", "it is of one experiment, and the log holds many (experiment.column)", "audit that experiment by itself, with experiment: {id: NAME}")
	}
	at := path + ".rows"
	if len(t.Rows) == 0 {
		c.missing(at, "it says which arms' rounds that test read, cleaning and standardising included", "add rows: all, or rows: [arm, …]")
		return
	}
	if slices.Equal(t.Rows, []string{ArmsAll}) {
		return
	}
	for i, label := range t.Rows {
		c.label(index(at, i), label)
	}
	c.distinct(at, t.Rows)
}
