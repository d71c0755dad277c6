package analyze

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/evidence"
	"banditaudit/analyze/facts"
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

// assumptionIDs are those of a corrected test.
func assumptionIDs() []string { return []string{"A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"} }

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
			"declared: no check looks for rows that depend on each other, nor for repeats of whole rows, which would show it; one round is taken as one independent row where log.unit does not say otherwise",
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

// status of the assumptions in this experiment.
func (v *verdicts) status() map[string]string {
	out := map[string]string{}
	out["A1"] = v.setByStatus("A1", v.ledgerStatus())
	out["A2"] = statusUncheck
	out["A3"] = v.meansStatus(v.rawStatus())
	out["A4"] = unitStatus(v.Log)
	out["A5"] = choiceStatus(v.Protocol.Analysis)
	out["A6"], out["A7"] = statusChecked, v.onceStatus()
	out["A8"] = v.setByStatus("A8", extentStatus(v.Protocol))
	return out
}

// extentStatus is that of A8.
func extentStatus(p *schemas.Protocol) string {
	stopping := p.Experiment.Stopping
	switch {
	case p.Log.MissingReward == schemas.MissingExclude, evidence.OpenStop(p).Stands():
		return statusFailed
	case stopping == schemas.StoppingFixed, stopping == schemas.StoppingReleased:
		return statusDeclared
	}
	return statusUndeclared
}

// unitStatus is that of A4: where a unit owns several rows, all is by unit.
func unitStatus(in *facts.Log) string {
	switch {
	case !in.Slice.Schema().Unit:
		return statusNotNeeded
	case !facts.UnitsAtHand(in.Slice):
		return statusFailed
	}
	return statusChecked
}

// rawStatus is that of A3: the weakest over the tests that have a corrected p;
// where none has one, over those that have a raw p. The intervals of arms hold at
// every number of rows.
func (v *verdicts) rawStatus() string {
	switch {
	case len(v.tests) > 0:
	case len(v.fits.records) > 0: // p-values of coefficients rest on a normal approximation
		return statusDeclared
	default:
		return statusNotNeeded
	}
	for _, method := range []string{schemas.MethodCorrected, schemas.MethodNaive} {
		status := ""
		for _, t := range v.tests {
			switch {
			case !t.result(method).Applicable:
			case t.result(schemas.MethodNaive).Approximate:
				status = statusDeclared
			case status != statusDeclared && v.oneMean(t.declaredTest):
				status = statusPartly
			case status == "":
				status = statusChecked
			}
		}
		if status != "" {
			return status
		}
	}
	return statusFailed
}

// meansStatus is that of A3 with what comparisons of arms need.
func (v *verdicts) meansStatus(raw string) string {
	for _, t := range v.tests {
		switch c := t.record.Comparison; {
		case c == nil || raw == statusFailed:
		case c.Means == schemas.MeansContradicted:
			return statusMoving
		case c.Means == schemas.MeansNotContradicted, c.ValidIf != "" && v.Looked:
			raw = weaker(raw, statusStill)
		case c.ValidIf != "": // that arms were drawn so is declared, and no check was run
			raw = weaker(raw, statusDeclared)
		}
	}
	return raw
}

// weaker is the one with the weaker support.
func weaker(a, b string) string {
	if slices.Index(weakest(), b) < slices.Index(weakest(), a) {
		return b
	}
	return a
}

// onceStatus is that of A7.
func (a *answers) onceStatus() string {
	if len(a.twins()) > 0 {
		return statusDeclared
	}
	return statusChecked
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

func (v *verdicts) ledgerStatus() string {
	switch {
	case v.Ledger == nil:
		return statusUndeclared
	case v.Ledger.Epsilon().IsInf() || v.Another() != "" || v.Noise.Verdict == schemas.Violated:
		return statusFailed
	case v.Conformance.Verdict == schemas.Verified && (v.NoiseKnown || v.Noise.Verdict == schemas.Consistent):
		return statusPartly
	}
	return statusDeclared
}

func choiceStatus(an schemas.Analysis) string {
	switch {
	case len(an.Tests) == 0 && len(an.Regressions) == 0:
		return statusNotNeeded
	case an.Chosen == "":
		return statusUndeclared
	case an.Chosen == schemas.ChosenAfterRewards:
		return statusFailed
	}
	return statusDeclared
}

// weaken keeps, per assumption, the weakest status of all experiments.
func (a *Assembly) weaken(status map[string]string) {
	for _, id := range assumptionIDs() {
		have, ok := a.status[id]
		if !ok {
			have = status[id]
		}
		a.status[id] = weaker(have, status[id])
	}
}

// assumptions are those of all experiments together.
func (a *Assembly) assumptions() []schemas.Assumption {
	var out []schemas.Assumption
	text := assumptionText()
	if a.drawn {
		text["A1"] = drawnText()
	}
	for _, id := range assumptionIDs() {
		status, ok := a.status[id]
		if !ok {
			status = statusNotNeeded
		}
		out = append(out, schemas.Assumption{ID: id, Text: text[id][0], CheckedBy: facts.Joined(text[id][1], a.remarks[id]), Status: status})
	}
	return out
}

// setByStatus weakens the status of an assumption by what whoever set a column
// may have read.
func (v *verdicts) setByStatus(id, status string) string {
	for _, d := range facts.DecidedBy(v.Protocol) {
		switch {
		case d.Assumption != id || !v.AgainstDecided(d).Stands():
		case d.Word == schemas.SetByUnknown && status != statusFailed:
			status = statusUndeclared
		default:
			status = statusFailed
		}
	}
	return status
}

// setByRemarks are what is beside the text of assumptions: for A1 every column
// that somebody set, and for another assumption those that it needs.
func setByRemarks(protocol *schemas.Protocol) map[string]string {
	out := map[string]string{}
	for _, d := range facts.DecidedBy(protocol) {
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
			out[id] = facts.Joined(out[id], word)
		}
	}
	return out
}
