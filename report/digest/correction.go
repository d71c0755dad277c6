package digest

import (
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// Declared methods of correction that are not the first.
const (
	CorrectRecursion = "recursion"
	CorrectBest      = "best"
	CorrectPublished = "theorem20"
)

// byAverage reports whether the headline was declared to be the published route,
// which holds on average over the actions.
func (p *Protocol) byAverage() bool { return p.Analysis.Correction.Method == CorrectPublished }

// Averaged heads what is made by the declared correction where that holds on
// average over the actions; empty where it holds given them.
func (p *Protocol) Averaged() string {
	if p.byAverage() {
		return "averaged over the actions"
	}
	return ""
}

// given says what the corrected p holds on, and how the declared method makes
// it.
func (p *Protocol) given() string {
	switch p.Analysis.Correction.Method {
	case CorrectPublished:
		return "The corrected p is that of the published route, which the protocol chose. It holds on average over the actions, " +
			"not given them."
	case CorrectRecursion:
		return "The corrected p is by recursion where the test reads at most 1,000 rows or units, otherwise by moments. " + givenActions
	case CorrectBest:
		return "The corrected p is the smallest of several corrections of one raw p. " + givenActions
	}
	return "The corrected p is made with σ. " + givenActions
}

// givenActions says what a corrected p holds on.
const givenActions = "It holds given the logged actions, so the hypothesis may have been chosen by looking at them."

// IntervalGiven says what a corrected interval holds on.
func (p *Protocol) IntervalGiven() string {
	if p.byAverage() {
		return "The corrected interval is by the published route: it holds on average over the actions, not given them."
	}
	return "The corrected interval holds given the logged actions, also for an arm chosen by looking at them."
}

// FitsGiven says what the corrected p and interval of a coefficient hold on.
func (p *Protocol) FitsGiven() string {
	if p.byAverage() {
		return "which hold on average over the actions, not given them"
	}
	return "likewise given them"
}

// Words for the declared adjustment for testing several hypotheses. Each says
// what that adjustment holds: a level over all, a share of false rejections, or
// nothing beyond the level of each test.

// Multiplicity names an adjustment and what it limits.
func Multiplicity(name string) string {
	const share = "it limits the expected share of false rejections among the rejections, not the chance of one"
	switch name {
	case schemas.AdjustNone:
		return "nothing: no adjustment was declared, and each test holds its own level"
	case schemas.AdjustBonferroni:
		return "Bonferroni"
	case schemas.AdjustHolm:
		return "Holm"
	case schemas.AdjustBH:
		return "Benjamini–Hochberg on the raw p-values, whose result is then corrected over all rows that the family reads; " + share + ", and only where the raw p-values are independent or positively dependent"
	case schemas.AdjustBY:
		return "Benjamini–Yekutieli; " + share
	case schemas.AdjustEBH:
		return "e-BH, the procedure of Benjamini and Hochberg on evidence at the end of the log; " + share + ", however the tests depend on each other"
	}
	return page.Label(name)
}

// TestWords say what decisions mean.
const TestWords = "rejected means that the data speak against the hypothesis; not rejected, that they do not decide"

// LevelShort says how often decisions may be wrong.
func (p *Protocol) LevelShort() string {
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return "Level " + p.Alpha() + " for each test alone. No adjustment was declared, so nothing holds for all of them together."
	}
	return "Level " + p.Alpha() + " over the family of all declared tests, adjusted by " + Multiplicity(p.Analysis.Multiplicity) +
		". One method decides each test; the appendix has all methods and their assumptions."
}

// LevelSentence says what the level is of, and which p decides.
func (p *Protocol) LevelSentence() string {
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return "Level α = " + p.Alpha() + " for each test alone: no adjustment was declared, nothing holds for all of them " +
			"together. " + p.given()
	}
	return "Level α = " + p.Alpha() + " over all declared tests, adjusted by " + Multiplicity(p.Analysis.Multiplicity) + ". " + p.given()
}

// FamilySentence says what it means to take the tests of all experiments
// together.
func FamilySentence(name string) string {
	const alone = "Every experiment decides on its own tests, at its own level; over many experiments some of those decisions are bound to be wrong. "
	switch name {
	case schemas.AdjustNone:
		return alone + "Here the tests of all of them are counted together. No adjustment was declared: each test holds its own level, and nothing holds for the log as a whole."
	case schemas.AdjustBH, schemas.AdjustBY, schemas.AdjustEBH:
		return alone + "Here the tests of all of them are adjusted together, so that the expected share of false rejections holds for the log as a whole. The decisions of the experiments stay as they are."
	}
	return alone + "Here the tests of all of them are adjusted together, so that the level holds for the log as a whole. The decisions of the experiments stay as they are."
}

// AfterWhat says by what tests are decided.
func (p *Protocol) AfterWhat() string {
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return "by the methods that the protocol names, each at its own level, without an adjustment for their number"
	}
	return "by the methods that the protocol names, with an adjustment for their number"
}

// Together introduces the count of rejections over all experiments.
func (p *Protocol) Together() string {
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return "Over all experiments, likewise unadjusted,"
	}
	return "Taken as one family over all experiments,"
}

// UnadjustedNote is the note of the column of adjusted p-values where none is.
func (p *Protocol) UnadjustedNote() string {
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return "none was asked for: the p that decides"
	}
	return ""
}

// SequenceAbout says what a confidence sequence of an arm is about.
func (p *Protocol) SequenceAbout() string {
	if p.Analysis.Sequence == schemas.SequenceBetaBinomial {
		return "It is about the mean of the arm, and holds only if that is one number in all rounds in which the arm was played, as is declared (analysis.means: constant)."
	}
	return "It is about the mean of the expected rewards of the rounds in which the arm was played."
}
