package check

import (
	"fmt"
	"strings"

	"banditaudit/ingest/precision"
	"banditaudit/schemas"
)

// propensityValid says that logged propensities are probabilities. Values outside (0,1]
// are refused by ingest. Where the propensities of all arms are logged they add up to 1 in
// every row within
//
//	10⁻⁶ + Σ r,  over the arms that could be played, r what the column's decimals,
//	its significant digits or log.propensity_resolution leave open (see precision.Ends),
//	and what adding up leaves of float64
//
// agree with the propensity of the logged action to 10⁻⁶ relative and what both
// columns leave open, and are 0 for arms that were not eligible.
//
// Special cases are:
//
//	no propensity is logged: not run
func propensityValid() Check {
	return Check{ID: "H04", Title: "propensities in (0,1], sum to 1", Doc: "are the logged propensities probabilities: above 0, at most 1, and 1 in all", Expected: "all in (0,1]", Needs: needsPropensity, Run: runPropensityValid, Quality: true}
}

func runPropensityValid(f *Inputs, c *schemas.Check) {
	c.Status, c.Observed = schemas.CheckPass, "all in (0,1]"
	in, zero := "(0,1]", ""
	if f.Propensities.OneMore { // of one more draw an action may have a share of 0
		in, zero = "[0,1]", fmt.Sprintf("; %s with propensity 0 of the action, which leave the weights (log.drawn: one-more)", rows(f.Propensities.Zero))
		c.Expected, c.Observed = "all in [0,1]", "all in [0,1]"+zero
	}
	b := f.Propensities.ByArm
	if b == nil {
		c.Detail = "Only the propensity of the logged action is declared; that they sum to 1 over arms could be checked with log.propensity_by_arm."
		return
	}
	c.Expected = fmt.Sprintf("all in %s; sums differ from 1 by at most 1e-6%s; both columns differ in the logged action by at most 1e-6 of its size%s; 0 for an arm that was not eligible",
		in, more(" for each arm that could be played", b.All), more("", b.All, b.Action))
	if b.All.Room+b.Action.Room > 0 {
		c.Expected += ". What is beyond 1e-6 is half a unit of their last decimal (the third at least), or log.propensity_resolution"
	}
	if b.All.Own+b.Action.Own > 0 {
		c.Expected += ". A column whose values were not written with one precision is known, value by value, to half a unit of the last decimal of each (of the fewest that rounded values have, three at least, where it has fewer), and in full where it has more than seven"
	}
	if b.All.Half || b.Action.Half {
		c.Expected += ". Where all values of a column are float16, each is known to half a unit in its last place"
	}
	if b.All.Digits+b.Action.Digits > 0 {
		c.Expected += ". Where no value of a column has more significant digits, each is known to half a unit of its last (the third at least)"
	}
	c.Measure("propensity_sum_deviation", "probability", b.Farthest, 0)
	c.Measure("propensity_sums_off", "rows", float64(b.OffSum), 0)
	c.Measure("propensities_in_disagreement", "rows", float64(b.Disagree), 0)
	c.Measure("propensities_of_ineligible_arms", "rows", float64(b.Impossible), 0)
	c.Observed = fmt.Sprintf("sums differ from 1 by at most %.3g", b.Farthest) + zero
	var faults []string
	say := func(n int64, what string) {
		if n > 0 {
			faults = append(faults, fmt.Sprintf("in %s %s", rows(n), what))
		}
	}
	say(b.OffSum, fmt.Sprintf("the propensities of all arms are farther from adding up to 1 than is allowed, by up to %.3g beyond %.3g", b.Beyond, b.Allowed))
	say(b.Disagree, "log.propensity is not what log.propensity_by_arm says of the logged action, to within 1e-6 of its size"+more("", b.All, b.Action))
	say(b.Impossible, "an arm that was not eligible has a propensity above 0")
	if b.Faulty() {
		c.Status, c.Failing = schemas.CheckFail, b.failing()
		c.Observed += "; " + strings.Join(faults, "; ")
		c.Detail = fmt.Sprintf("The first is round %s. ", schemas.Grouped(b.First)) + f.orderWords() + faultWords(b)
	}
}

// failing counts the rows by what is wrong with their propensities.
func (b *ByArm) failing() []schemas.Failing {
	var out []schemas.Failing
	kinds := [3]string{schemas.FailingSum, schemas.FailingDisagree, schemas.FailingIneligible}
	for i, n := range b.counts() {
		if n == 0 {
			continue
		}
		one := schemas.Failing{Kind: kinds[i], Count: n, Of: b.Rows}
		if b.Firsts[i] > 0 {
			one.First = &schemas.FirstFailing{Round: b.Firsts[i]}
		}
		out = append(out, one)
	}
	return out
}

// Faulty reports whether numbers of some row are no probabilities, as H04 has it.
func (b *ByArm) Faulty() bool { return b.OffSum+b.Disagree+b.Impossible > 0 }

// faultWords say what numbers that are no probabilities mean; "" where another order
// of arms mends all of them.
func faultWords(b *ByArm) string {
	if b.Order != nil && b.OffSum+b.Impossible == 0 {
		return ""
	}
	out := "Numbers that are no probabilities say nothing about how arms were chosen; correct the log."
	if b.OffSum+b.Disagree > 0 {
		out += " Where they are only rounded, and more coarsely than to three decimals or than the column shows, say by how much in log.propensity_resolution."
	}
	if b.Disagree > 0 && b.Order == nil {
		out += " Where the lists are in another order than arms, write arms in theirs."
	}
	return out
}

// orderWords name the order of arms that the lists are in; "" where none is known.
func (f *Inputs) orderWords() string {
	b := f.Propensities.ByArm
	if b.Order == nil {
		return ""
	}
	labels := make([]string, len(b.Order))
	for entry, arm := range b.Order {
		labels[entry] = schemas.Named(f.Labels[arm])
	}
	out := "In all rows log.propensity is the entry of the played arm under this order alone: arms: [" + strings.Join(labels, ", ") + "]. Write arms in the order of the lists."
	if b.OffSum+b.Impossible > 0 {
		out += " "
	}
	return out
}

// more adds what the writing of columns leaves open to a tolerance, in words.
func more(each string, columns ...precision.Ends) string {
	room, digits, own, half := 0.0, 0, false, false
	for _, e := range columns {
		room += e.Room
		own, half = own || e.Own > 0, half || e.Half
		if e.Digits > 0 && (digits == 0 || e.Digits < digits) {
			digits = e.Digits
		}
	}
	out := ""
	if room > 0 {
		out = fmt.Sprintf(" and %.3g%s", room, each)
	}
	if own {
		out += " and half a unit of its own last decimal" + each
	}
	if half {
		out += " and half a unit in the last place of float16" + each
	}
	if digits > 0 {
		out += " and half a unit of the " + precision.Ordinal(digits) + " significant digit" + each
	}
	return out
}
