package analyze

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Method describes a way to decide a declared test. Which kinds of test it answers, and in
// which order methods are taken for a kind, is said by the question.
type Method struct {
	param.Method

	named  []string // kinds of test that it answers where the protocol names it, and never by auto
	answer func(ctx context.Context, a *answers, t *answer) (methodAnswer, error)
}

// Methods are all methods that can decide a test, in the order in which they are shown.
func Methods() []Method {
	return []Method{
		{Method: param.Method{Name: schemas.MethodCorrected, About: "a raw p, corrected by the ledger of privacy"}, answer: corrected},
		{Method: param.Method{Name: schemas.MethodRerun, About: "the declared policy, run again on records that change places"}, answer: byRerun},
		{Method: param.Method{Name: schemas.MethodAssignment, About: "wagers on which arm was played, given the reward"}, answer: byAssignment},
		{Method: param.Method{Name: schemas.MethodAnyTime, About: "wagers on the rewards; the interval holds at any time"}, answer: anyTime},
		{
			Method: param.Method{Name: schemas.MethodAdaptive, About: "a weighted estimate and its normal error, by name and with approximate: accept only"},
			named:  []string{schemas.TestMean, schemas.TestDifference}, answer: byAdaptive,
		},
		{
			Method: param.Method{Name: schemas.MethodBatchExact, About: "what each batch shows of two arms given its margins; by name only"},
			named:  []string{schemas.TestEqual, schemas.TestDifference}, answer: batchExact,
		},
	}
}

// method is the one of a name, nil where there is none.
func (c *Catalogue) method(name string) *Method {
	for i := range c.Methods {
		if c.Methods[i].Name == name {
			return &c.Methods[i]
		}
	}
	return nil
}

// asked are the methods that answer a test, in the order in which auto takes them. One
// that the protocol must name comes last, where it does.
func (c *Catalogue) asked(t *answer) []*Method {
	var out []*Method
	for _, name := range t.methods() {
		if m := c.method(name); m != nil {
			out = append(out, m)
		}
	}
	if m := c.method(t.spec.Decide); m != nil && slices.Contains(m.named, t.kind) {
		out = append(out, m)
	}
	return out
}

// shown are the results of answers in the order in which methods are shown, whatever the order
// in which they were asked. That of the corrected p stands before them.
func (c *Catalogue) shown(given []methodAnswer) []schemas.TestResult {
	var out []schemas.TestResult
	for i := range c.Methods {
		name := c.Methods[i].Name
		for j := range given {
			if g := &given[j]; g.name == name && name != schemas.MethodCorrected {
				out = append(append(out, g.result), g.beside...)
			}
		}
	}
	return out
}

// methodAnswer is what a method says of a test.
type methodAnswer struct {
	name    string // of the method; the result's own where it is not another
	result  schemas.TestResult
	logP    float64              // ln p for the decision; NaN where the method does not apply
	logE    float64              // ln e at the end of the log; NaN where the method has none
	passed  string               // why auto goes on to the next method, although this one applies
	validIf string               // what it rests on that is neither declared nor recomputed
	over    string               // the rounds that the hypothesis is about, where these are not those that played an arm
	given   bool                 // the hypothesis is of expectations given everything before each round
	rounds  int64                // that enter; 0: the rounds of the raw test
	units   *int64               // independent units among them; nil where a row is one, or rounds is 0
	about   float64              // its own estimate of that; NaN where it has none
	beside  []schemas.TestResult // of the same question by the same rows, which decide nothing
	floored bool                 // p is the smallest that the runs of the policy could give
	cannot  string               // that the method was carried out and cannot tell, which ends the choice; "" where it can
}

// notBy is the answer of a method that does not apply.
func notBy(method, why string) methodAnswer {
	return methodAnswer{result: schemas.TestResult{Method: method, ValidFor: anyTimeValid, Reason: why}, logP: math.NaN(), logE: math.NaN()}
}

// anyTimeValid is for what such a result is valid.
const anyTimeValid = "any-time"

// applies reports whether the method has an answer.
func (m *methodAnswer) applies() bool { return m.result.Applicable }

// choose says which method decides a test: the declared one, or by auto the first
// that applies. Neither depends on what comes out.
func (a *answers) choose(t *answer, given []methodAnswer) {
	names := make([]string, len(given))
	for i := range given {
		names[i] = given[i].name
	}
	if t.spec.Decide != schemas.DecideAuto {
		switch i := slices.Index(names, t.spec.Decide); {
		case i < 0:
			t.record.Choice = t.spec.Decide + " does not answer a test of kind " + t.kind + " (analysis.decide)"
		case !given[i].applies():
			t.record.Choice = t.spec.Decide + " is declared to decide (analysis.decide) and does not apply: " + given[i].result.Reason
		default:
			t.record.Choice = t.spec.Decide + " is declared to decide (analysis.decide)"
			if by := given[i].result.Method; by != t.spec.Decide {
				t.record.Choice += ", by " + by
			}
			t.decide(&given[i])
		}
		return
	}
	order := "the first that applies of " + schemas.AndList(names) + " (analysis.decide: auto)"
	if len(names) == 1 {
		order = "the one method for such a test (analysis.decide: auto)"
	}
	var passed, not []string
	for i := range given {
		switch g := &given[i]; {
		case g.cannot != "":
			t.record.Choice = names[i] + " cannot tell, and no other method is asked then: " + g.cannot
			return
		case !g.applies():
			not = append(not, names[i]+": "+g.result.Reason)
		case g.passed != "":
			passed = append(passed, names[i]+" is passed over: "+g.passed)
		default:
			t.record.Choice = strings.Join(append([]string{names[i] + ", " + order}, passed...), "; ")
			t.decide(g)
			return
		}
	}
	t.record.Choice = "no method applies (analysis.decide: auto): " + strings.Join(append(not, passed...), "; ")
}

// settled reports whether a method does not decide a test whatever it says: another one
// is declared, or by auto one before it decides, or ends the choice.
func (a *answers) settled(t *answer, method string, before []methodAnswer) bool {
	if t.spec.Decide != schemas.DecideAuto {
		return t.spec.Decide != method
	}
	for i := range before {
		if g := &before[i]; g.cannot != "" || g.applies() && g.passed == "" {
			return true
		}
	}
	return false
}

// decide lets a method decide the test, of the hypothesis that this method tests.
func (t *answer) decide(by *methodAnswer) {
	t.record.DecidedBy = by.result.Method
	t.logP, t.logE, t.floored = by.logP, by.logE, by.floored
	if q, ok := t.question.(*differenceQuestion); ok && t.record.EveryRound() {
		t.record.Hypothesis = q.inEveryRound() + " (" + t.record.DecidedBy + " tests this, and not whether the means differ)"
	}
	if by.over != "" {
		t.record.Over, t.record.Estimate = by.over, schemas.Finite(by.about)
	}
	if q, ok := t.question.(averaged); ok && !t.record.EveryRound() && (by.given || by.over != "") {
		t.record.Hypothesis = q.words(by.overWords(q))
	}
	if by.rounds > 0 {
		t.record.N, t.record.Units = by.rounds, by.units
	}
	t.record.OnlyIf = by.validIf
	if c := t.record.Comparison; c != nil && !t.record.ByCorrection() {
		c.ValidIf = by.validIf
	}
}

// overWords are the rounds that the hypothesis of an answer is about, and given what each of
// them is taken.
func (m *methodAnswer) overWords(q averaged) string {
	over := cmp.Or(m.over, q.overPlayed())
	if m.given {
		over += ", each given everything before it,"
	}
	return over
}

// agree says whether the methods that apply come to one answer, each by itself at
// level α, unadjusted; "" where fewer than two apply.
func (a *answers) agree(given []methodAnswer) string {
	var rejects, keeps []string
	rounds := map[string]bool{} // that the methods which apply are about
	for i := range given {
		g := &given[i]
		if !g.applies() {
			continue
		}
		rounds[g.over] = true
		if g.logP <= publiclog.LogAlpha(a.protocol) {
			rejects = append(rejects, g.result.Method)
		} else {
			keeps = append(keeps, g.result.Method)
		}
	}
	of := fmt.Sprintf("each method by itself at alpha %g: ", a.protocol.Analysis.Alpha)
	switch {
	case len(rejects)+len(keeps) < 2:
		return ""
	case keeps == nil:
		return of + "all that apply reject (" + schemas.AndList(rejects) + ")"
	case rejects == nil:
		return of + "none that applies rejects (" + schemas.AndList(keeps) + ")"
	}
	out := of + "rejected by " + schemas.AndList(rejects) + ", not by " + schemas.AndList(keeps)
	if len(rounds) > 1 {
		out += "; they are not all about the same rounds"
	}
	return out
}

// deciding is the result by which the test is decided, nil where there is none.
func (t *answer) deciding() *schemas.TestResult { return t.record.Result(t.record.DecidedBy) }

// silentPart is the part of all values that an interval of a result without an answer
// holds at the least.
const silentPart = 0.95

// silent reports whether a deciding result says nothing: p is 1, and the interval holds
// nearly every value that there can be.
func (t *answer) silent() bool {
	r := t.deciding()
	if r.P == nil || *r.P < 1 || r.CI == nil {
		return false
	}
	all := t.clip(math.Inf(-1), math.Inf(1))
	return all != nil && r.CI[1]-r.CI[0] >= silentPart*(all[1]-all[0])
}
