package report

import "banditaudit/schemas"

// Words for the declared adjustment for testing several hypotheses. Each says
// what that adjustment holds: a level over all, a share of false rejections, or
// nothing beyond the level of each test.

// multiplicity names an adjustment and what it limits.
func multiplicity(name string) string {
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
	return label(name)
}

// levelSentence says what the level is of, and which p decides.
func (p *protocol) levelSentence() string {
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return "Level α = " + p.alpha() + " for each test alone: no adjustment was declared, so each test holds its own level, and nothing holds for all of them together. " + p.given() + " Decisions are taken on the p of the method that decides."
	}
	return "Level α = " + p.alpha() + " over the family of all declared tests, adjusted by " + multiplicity(p.Analysis.Multiplicity) + ". " + p.given() + " Decisions are taken on the adjusted p of the method that decides."
}

// familySentence says what it means to take the tests of all experiments
// together.
func familySentence(name string) string {
	const alone = "Every experiment decides on its own tests, at its own level; over many experiments some of those decisions are bound to be wrong. "
	switch name {
	case schemas.AdjustNone:
		return alone + "Here the tests of all of them are counted together. No adjustment was declared: each test holds its own level, and nothing holds for the log as a whole."
	case schemas.AdjustBH, schemas.AdjustBY, schemas.AdjustEBH:
		return alone + "Here the tests of all of them are adjusted together, so that the expected share of false rejections holds for the log as a whole. The decisions of the experiments stay as they are."
	}
	return alone + "Here the tests of all of them are adjusted together, so that the level holds for the log as a whole. The decisions of the experiments stay as they are."
}

// afterWhat says by what tests are decided.
func (p *protocol) afterWhat() string {
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return "by the methods that the protocol names, each at its own level and not adjusted for testing several"
	}
	return "by the methods that the protocol names, adjusted for testing several at once"
}

// adjusting is how an adjusted p is made.
func (p *protocol) adjusting() string {
	switch p.Analysis.Multiplicity {
	case schemas.AdjustNone:
		return "The p that decides as it is: no adjustment was declared, and each test holds its own level."
	case schemas.AdjustBonferroni:
		return "Bonferroni's procedure on the p-values that decide the declared tests."
	case schemas.AdjustBY:
		return "Benjamini and Yekutieli's procedure on the p-values that decide the declared tests."
	case schemas.AdjustEBH:
		return "Benjamini and Hochberg's procedure on 1/e, e the evidence of a wager at the end of the log, or ½·p^(−½) of a corrected p."
	case schemas.AdjustBH:
		return "Benjamini and Hochberg's procedure on the raw p-values of all declared tests, corrected afterwards over all rows of the family; for raw p-values that are independent or positively dependent."
	}
	return "Holm's step-down procedure on the p-values that decide the declared tests."
}

// adjustedAfter is the author of an adjustment.
func (p *protocol) adjustedAfter() string {
	switch p.Analysis.Multiplicity {
	case schemas.AdjustNone:
		return dash
	case schemas.AdjustBonferroni:
		return "Dunn 1961, doi:10.1080/01621459.1961.10482090"
	case schemas.AdjustBY:
		return "Benjamini and Yekutieli 2001, doi:10.1214/aos/1013699998"
	case schemas.AdjustEBH:
		return "Wang and Ramdas 2022, doi:10.1111/rssb.12489"
	case schemas.AdjustBH:
		return "Benjamini and Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x; corrected form: " + ownReviewed
	}
	return "Holm 1979, Scandinavian Journal of Statistics 6, 65–70"
}

// together introduces the count of rejections over all experiments.
func (p *protocol) together() string {
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return "Over all experiments, likewise unadjusted,"
	}
	return "Taken as one family over all experiments,"
}

// unadjustedNote is the note of the column of adjusted p-values where none is.
func (p *protocol) unadjustedNote() string {
	if p.Analysis.Multiplicity == schemas.AdjustNone {
		return "none was asked for: the p that decides"
	}
	return ""
}
