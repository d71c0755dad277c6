package claims

import (
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// Statuses of an assumption, from the weakest support to the strongest.
const (
	statusFailed     = "failed"
	statusUndeclared = "not declared" // nothing is declared that it could be about
	statusUncheck    = "not checkable"
	statusMoving     = schemas.MeansContradicted    // means move, and a test needs that they do not
	statusStill      = schemas.MeansNotContradicted // no mean was found to move, nor arms to be played otherwise, by what was looked at
	statusDeclared   = "declared"
	statusPartly     = "partly checked"
	statusChecked    = "checked"
	statusNotNeeded  = "not needed"
)

// weakest orders statuses: with several experiments the weakest is shown.
func weakest() []string {
	return []string{statusFailed, statusMoving, statusUndeclared, statusUncheck, statusStill, statusDeclared, statusPartly, statusChecked, statusNotNeeded}
}

// AssumptionIDs lists the ids of the assumptions of a corrected test.
func AssumptionIDs() []string { return []string{"A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"} }

// drawnText are the words of A1 for a policy that reads sums as they are and is
// accounted for by its draws.
func drawnText() [2]string {
	return [2]string{
		"Every action was drawn with the probabilities of the declared policy, by randomness that is independent of rewards and used once; actions and contexts depend on past rewards through those probabilities only. Sums are read as they are: there is no noise.",
		"recomputed where policy.conformance is VERIFIED: actions and accounting; declared: that the randomness was secret and fresh",
	}
}

// assumptionText says what is assumed and what checked it.
func assumptionText() map[string][2]string {
	return map[string][2]string{
		"A1": {
			"The noise is that of the declared mechanism: independent discrete Laplace, drawn once per release; actions and contexts depend on past rewards through released values only.",
			"recomputed where policy.conformance is VERIFIED: actions and accounting; tested where released values are logged: the law of the noise (privacy.noise); declared: that the noise was secret and fresh",
		},
		"A2": {
			"Given contexts and with the actions held fixed, the rows that a test reads (the units, where one owns several rows, or the batches of a regression by batch) are independent of each other and of all others.",
			"", // by its status, see rowsChecked
		},
		"A3": {
			"The raw p-value, or interval, is valid with actions and contexts held fixed.",
			"the choice of test, over the tests that have a raw p: the exact tests of rewards of 0 and 1 hold at every number of rows, of one mean per arm, which contexts can take from them; Hoeffding's and the empirical Bernstein test and fixed bets at every number, whatever the means of the rows; t, z, Welch's, clustered tests and those of coefficients rest on a normal approximation, whose error in the tail a correction magnifies: they decide nothing unless analysis.approximate is accept, and then are marked approximate; of what compares arms (differences, their intervals, and coefficients of a pooled regression that stand for an arm) check H13, on whether each arm has one mean: a smaller or faster drift that the arms share, or one that goes back and forth, can reject; of the same also check H17, where it was run, on whether arms were played with their propensities in the rounds that it lists as looked at (data.splits): what it finds contradicts, and where it finds nothing, an allocation that follows anything else can reject; where it was not run, as where no propensity is logged or declared, nothing holds the allocation against contexts or time. A mean of one arm is that over its rounds, and other coefficients are those over the rows of their fit, whatever moves",
		},
		"A4": {
			"A unit that owns several rows is revealed as a whole.",
			"log.unit in the protocol: where a unit owns several rows, tests, errors and costs are by unit, a unit's cost that of all its rows; where no unit is declared, every row counts as one of its own",
		},
		"A5": {
			"Whoever chose the hypotheses, rows, tests, methods and level had seen contexts, actions and released values only, and held no rewards and no noise seed.",
			"analysis.chosen in the protocol; most-pulled, least-pulled and each see the actions alone",
		},
		"A6": {
			"The rows counted include every row that was read for cleaning, pooling or standardising.",
			"a test of means reads the rows of its arms, one of coefficients those of its regression, one by unit or batch counts all rows of each that has one of them, a family by bh all rows of its tests; ranges are declared",
		},
		"A7": {
			"There is one raw p-value per hypothesis.",
			"declared tests, adjusted together; where two ask the same, a warning names them; only corrections of one raw p-value that hold given the actions are compared for the least",
		},
		"A8": {
			"The extent of the log, and when the experiment stopped, do not depend on raw rewards.",
			"experiment.stopping and log.missing_reward in the protocol",
		},
	}
}

// weaker is the one with the weaker support.
func weaker(a, b string) string {
	if slices.Index(weakest(), b) < slices.Index(weakest(), a) {
		return b
	}
	return a
}

// Weaken keeps, per assumption, the weaker of two statuses: its kept status and its status
// in another experiment.
func Weaken(kept, status map[string]string) {
	for _, id := range AssumptionIDs() {
		have, ok := kept[id]
		if !ok {
			have = status[id]
		}
		kept[id] = weaker(have, status[id])
	}
}

// Assumptions lists the assumptions over all experiments together. statuses holds their
// statuses by id, where no entry is "not needed", and remarks what is added to how each was
// checked. drawn says that a ledger rests on the draws of a policy.
func Assumptions(statuses, remarks map[string]string, drawn bool) []schemas.Assumption {
	var out []schemas.Assumption
	text := assumptionText()
	if drawn {
		text["A1"] = drawnText()
	}
	for _, id := range AssumptionIDs() {
		status, ok := statuses[id]
		if !ok {
			status = statusNotNeeded
		}
		if id == "A2" {
			text[id] = [2]string{text[id][0], rowsChecked(status)}
		}
		out = append(out, schemas.Assumption{ID: id, Text: text[id][0], CheckedBy: publiclog.Joined(text[id][1], remarks[id]), Status: status})
	}
	return out
}

// setByRemarks are what is beside the text of assumptions: for A1 every column
// that somebody set, and for another assumption those that it needs.
func setByRemarks(protocol *schemas.Protocol) map[string]string {
	out := map[string]string{}
	for _, d := range publiclog.DecidedBy(protocol) {
		word := "declared, not checkable: "
		if d.Word == d.Default && !d.ByRewards() {
			word = "assumed (as declared, or where nothing is declared), not checkable: "
		}
		word += d.Said() + " (whatever decided " + d.What + " had "
		switch d.Word {
		case schemas.SetBySchedule:
			word += "read no rewards)"
		case schemas.SetByReleased:
			word += "read released values, and no rewards beside)"
		case schemas.SetByRewards:
			word += "read rewards)"
		default:
			word = "not known (as declared, or where nothing is declared): " + d.Said() + " (rewards may have decided " + d.What + ")"
		}
		ids := []string{"A1"}
		if d.Assumption != "A1" {
			ids = append(ids, d.Assumption)
		}
		for _, id := range ids {
			out[id] = publiclog.Joined(out[id], word)
		}
	}
	return out
}

// Remarks are what is beside the text of assumptions, by id; of what comparisons of
// arms rest on only where the log has one experiment.
func (v *Findings) Remarks() map[string]string {
	out := setByRemarks(v.Protocol)
	if v.Facts.Whole().Experiments > 1 {
		return out
	}
	var words []string
	for _, t := range v.Tests {
		if c := t.Comparison; c != nil && !slices.Contains(words, c.Words) {
			words = append(words, c.Words)
			out["A3"] = publiclog.Joined(out["A3"], c.Words)
		}
	}
	return out
}
