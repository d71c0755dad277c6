package claims

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// decideHashed is the verdict where arms are recomputed from a hash of the unit's key:
// what differs is no chance. Checks H05 and H17 stand beside it: a log from which rows
// were dropped by their arm, or whose seed was chosen, has every arm of its hash.
func (v *Findings) decideHashed(f *schemas.Finding, h05, h17 *schemas.Check) {
	h := v.Allocation.Hashed
	if !v.Facts.Slice.HasPropensity() {
		f.Statement = "Every arm is the one that the hash of the unit's key gives."
	}
	f.Procedure = fmt.Sprintf("every arm recomputed from the hash of the unit's key (%s) and the weights of its row; %s", h.Hash, f.Procedure)
	f.Evidence = append(f.Evidence, pointer(v.Facts.Log, "/data/hashed"))
	beside := v.besideHash(h05, h17)
	switch {
	case h.Contradicted() > 0:
		f.Verdict, f.Failing = schemas.Violated, hashedFailing(h)
		f.Observed = schemas.FailingIn(f.Failing)
		f.Reason = hashedContradicted(h) + " " + beside
	case h05.Status == schemas.CheckFail || h17.Status == schemas.CheckFail:
		v.allocationViolated(f, h05, h17)
		if h.Weights != "" {
			f.Reason += " Every row plays the arm of its hash: which units there are, or the seed, then follows the arms, or rows are missing."
		}
	case h.Weights == "":
		f.Verdict = schemas.NotEstablished
		f.Reason = "the weights of all arms are not known, and with them the ranges that positions lie in: name their column in log.propensity_by_arm. " + beside
	case h.Unlike > 0:
		f.Verdict, f.Observed = schemas.NotEstablished, hashedObserved(h)
		f.Reason = fmt.Sprintf("arms are those of the hash at the weights of the declared policy, and in %s the logged propensity is another: name the weights in log.propensity_by_arm. %s", schemas.Counted(h.Unlike, "row"), beside)
	case openShare(h, v.Facts.K()) > mostOpen:
		f.Verdict, f.Observed = schemas.Consistent, hashedObserved(h)
		f.Reason = fmt.Sprintf("weights that may be off by %.3g leave open which arm has a position in up to %.2g of all: %s. Write the weights with more decimals. %s", h.Window, openShare(h, v.Facts.K()), hashedObserved(h), beside)
	default:
		f.Verdict, f.Observed = schemas.Verified, hashedObserved(h)
		f.Reason = fmt.Sprintf("recomputed from the unit's key%s: %s; nothing is drawn but by the hash. That units were hashed independently of rewards, and that the seed was not chosen afterwards, is not checked. %s", hashedWeights(h), hashedObserved(h), beside)
	}
	f.Reason = strings.TrimSpace(f.Reason)
}

// mostOpen is the most of all positions that a verdict of VERIFIED leaves open.
const mostOpen = 0.05

// openShare bounds the share of positions in which weights that are off by Window may
// decide which of the arms has the position, where some row is right by that alone. The
// bound is Window times K(K+1), as the range of the i-th of K arms may reach i times that
// farther. 0 where there is no such row.
func openShare(h *schemas.Hashed, arms int) float64 {
	return min(1, h.Window*float64(arms*(arms+1)))
}

// hashedWeights name the weights of a policy, and a coverage that is not all.
func hashedWeights(h *schemas.Hashed) string {
	out := ""
	if h.Weights == schemas.WeightsPolicy {
		out = " and the weights of the declared policy"
	}
	if h.Coverage < 1 {
		out += fmt.Sprintf(" (coverage %g)", h.Coverage)
	}
	return out
}

// hashedObserved counts the rows that play the arm of their hash.
func hashedObserved(h *schemas.Hashed) string {
	out := fmt.Sprintf("%s of %s", schemas.Grouped(h.Matched+h.Within), schemas.Counted(h.Rows, "row"))
	if h.Within > 0 {
		out += fmt.Sprintf(", %s of them only as a weight may be off by %.3g", schemas.Grouped(h.Within), h.Window)
	}
	return out
}

// hashedFailing counts the rows that play another arm than the arm of their hash.
func hashedFailing(h *schemas.Hashed) []schemas.Failing {
	return []schemas.Failing{{
		Kind: schemas.FailingHash, Count: h.Contradicted(), Of: h.Rows,
		First: &schemas.FirstFailing{Round: h.First.Round, Logged: h.First.Arm, Expected: h.First.Expected},
	}}
}

// hashedContradicted says which rows play another arm than the arm of their hash.
func hashedContradicted(h *schemas.Hashed) string {
	out := schemas.FailingIn(hashedFailing(h)) + fmt.Sprintf("; the unit of that round has position %g", h.First.Position)
	if h.First.Expected == "" {
		out += ", which no range holds"
	}
	if h.Outside > 0 {
		out += fmt.Sprintf("; of %s no range holds the position", schemas.Grouped(h.Outside))
	}
	out += ". Another seed, hash, column of units or order of arms than those of the platform looks like this too."
	if h.Weights == schemas.WeightsLogged {
		out += " So do weights that were rounded more coarsely than they are written: log.propensity_resolution says how far."
	}
	return out
}

// besideHash is what checks H05 and H17 add, by the first rounds of units.
func (v *Findings) besideHash(h05, h17 *schemas.Check) string {
	var failed, held []*schemas.Check
	for _, c := range []*schemas.Check{h05, h17} {
		switch c.Status {
		case schemas.CheckFail:
			failed = append(failed, c)
		case schemas.CheckNotRun:
		case schemas.CheckPass, schemas.CheckNote:
			held = append(held, c)
		}
	}
	switch {
	case len(failed) > 0:
		return "Beside that: " + v.details(failed...)
	case len(held) > 0:
		return "Beside that: " + v.details(held...)
	}
	return ""
}
