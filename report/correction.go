package report

import (
	"strings"

	"banditaudit/schemas"
)

// The declared methods of correction.
const (
	correctConditional = "conditional"
	correctRecursion   = "recursion"
	correctBest        = "best"
	correctPublished   = "theorem20"
)

// correction is the declared method.
func (p *protocol) correction() string {
	if p.Analysis.Correction.Method == "" {
		return correctConditional
	}
	return p.Analysis.Correction.Method
}

// byAverage reports whether the headline was declared to be the published route,
// which holds on average over the actions.
func (p *protocol) byAverage() bool { return p.correction() == correctPublished }

// averaged heads what is made by the declared correction where that holds on
// average over the actions; empty where it holds given them.
func (p *protocol) averaged() string {
	if p.byAverage() {
		return "averaged over the actions"
	}
	return ""
}

// given says what the corrected p holds on, and how the declared method makes
// it.
func (p *protocol) given() string {
	switch p.correction() {
	case correctPublished:
		return "The corrected p is that of the published route, which the protocol chose: it holds on average over the actions, not given them, under the assumptions named beside it."
	case correctRecursion:
		return "The corrected p is by recursion where the test reads at most 1,000 rows or units, otherwise by moments. It holds given the logged actions, so the hypothesis may have been chosen by looking at them, under the assumptions named beside it."
	case correctBest:
		return "The corrected p is the smallest of several corrections of one raw p, which all hold given the logged actions, so that the hypothesis may have been chosen by looking at them, under the assumptions named beside it."
	}
	return "The corrected p is made with σ. It holds given the logged actions, so the hypothesis may have been chosen by looking at them, under the assumptions named beside it."
}

// intervalGiven says what a corrected interval holds on.
func (p *protocol) intervalGiven() string {
	if p.byAverage() {
		return "The corrected interval is by the published route: it holds on average over the actions, not given them."
	}
	return "The corrected interval holds given the logged actions, also for an arm chosen by looking at them."
}

// fitsGiven says what the corrected p and interval of a coefficient hold on.
func (p *protocol) fitsGiven() string {
	if p.byAverage() {
		return "which hold on average over the actions, not given them"
	}
	return "likewise given them"
}

// bySigma is the correction by σ, which another method has beside it.
const bySigma = "exp(−½·(√(2·ln(1/p)) − σ)²) if p < exp(−σ²/2), otherwise 1. Conditional on the action sequence."

// bySigmaWhere is what calls for the correction by σ beside the headline.
func (p *protocol) bySigmaWhere() []string {
	if p.correction() == correctBest {
		return nil // always: the headline is made from it
	}
	return []string{schemas.MethodConditional}
}

// headlineSources are how the declared method makes the corrected p.
func (p *protocol) headlineSources() []source {
	switch p.correction() {
	case correctPublished:
		return []source{{"Corrected p", "The paper's route, as below, which the protocol chose. Averaged over the action sequences.", "as the paper's route", nil}}
	case correctRecursion:
		return []source{{"Corrected p", "By recursion where the test reads at most 1,000 rows or units, otherwise by moments; both as below. Conditional on the action sequence.", ownReviewed, nil}}
	case correctBest:
		return []source{{"Corrected p", "The smallest of the corrections by σ, by moments, for any law and, where the test reads at most 1,000 rows or units, by recursion, all of one raw p and as below. Conditional on the action sequence.", ownReviewed, nil}}
	}
	return []source{{"Corrected p", bySigma, ownReviewed, nil}}
}

// whyUncorrected is the reason for which an experiment has no bias bound and no
// corrected interval: what the analysis says, else what the protocol shows.
func whyUncorrected(x *schemas.Experiment, p *protocol) string {
	for _, w := range x.Warnings {
		if why, ok := strings.CutPrefix(w, schemas.ArmsNotApplicable); ok {
			return sentence(words(why))
		}
	}
	for i := range x.Tests {
		if _, r := method(&x.Tests[i], schemas.MethodCorrected); r != nil && !r.Applicable && r.Reason != "" {
			return sentence(words(r.Reason))
		}
	}
	switch {
	case p.Policy == nil:
		return "No policy is declared, and they rest on the finite ledger of a declared one."
	case p.Counter == nil:
		return "The declared policy has no counter, and they rest on the finite ledger of one."
	}
	return "They need a finite ledger, independent rounds or units, and rewards that are not missing because of their value."
}
