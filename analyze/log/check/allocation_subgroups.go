package check

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// Splits are the facts about the allocation on the two sides of splits of the
// rounds: functions of what was known before an arm was drawn.
type Splits struct {
	Why      string   // it was not looked at; "": it was
	Looked   []Split  // the splits, in the order of Result.Power
	Cells    []Cells  // the partitions, in the order of SplitAccount.Partition
	LeftOut  []string // splits that there are beyond the most that are looked at
	Declared bool     // the wagers are at the probabilities that the policy declares
	Replayed bool     // they are at propensities that are recomputed from the declared policy and the logged history
	Shares   bool     // either is because logged propensities are shares of draws from those, and actions were drawn by one more
	Deficits bool     // the propensities of all arms are logged, so that arms played too seldom are told too
	Result   subgroups.SplitsResult
	Again    *RepeatedArms // the wager on the arm of the unit's round before; nil where there is none
	Odds     *Odds         // the wager on the likelier arm; nil where there is nothing to say of it
	Dealt    *RoundRobin   // counts of arms that are fixed; nil where they are not
}

// Split is a split of the rounds by something known before an arm was drawn.
type Split struct {
	Name     string
	Sides    [2]string // the rounds of allocationtest.SideNo and SideYes, behind "in rounds "
	Previous bool      // it is by the arm of the round before
	Tail     bool      // it has both ends of a number on one side
	Tide     bool      // it is by the arm's own earlier pulls, and for each arm another one
	Crossed  string    // of tides within the cells of a partition its name; else ""
}

// Kind returns the kind of the split, as data.splits.looked in results.json has it.
func (s *Split) Kind() string {
	switch {
	case s.Tail:
		return schemas.SplitTails
	case s.Crossed != "":
		return schemas.SplitCrossed
	case s.Tide:
		return schemas.SplitTides
	}
	return schemas.SplitSide
}

// Cells are a partition of the rounds. Where it has more than two cells, they are
// wagered on one by one.
type Cells struct {
	Name    string
	Count   int
	Rounds  func() []string // of each cell, behind "in rounds "
	Earlier bool            // they are wagered on one by one also where they are two
}

// Place names the split and side, or the partition and cell, of an account.
func (s *Splits) Place(w *subgroups.SplitAccount) (split, rounds string) {
	if w.Split < 0 {
		return s.Cells[w.Partition].Name, s.Cells[w.Partition].Rounds()[w.Cell]
	}
	return s.Looked[w.Split].Name, s.Looked[w.Split].Sides[w.Side]
}

// allocationSubgroups looks for rounds in which the logged propensities are not the probabilities
// with which arms were played: by what was known before the arm was drawn, wagers
// on every arm at its propensity, see allocationtest.Splits. H05 holds pulls against
// propensities over all rounds, and passes an arm that is played too often in one
// half of them and too seldom in the other. The statistic is the largest average
// wager e; p is 1/e.
//
// Special cases are:
//
//	every round of a unit is declared to be drawn anew: half of the level is for the
//	    arm of the unit's round before, see allocationtest.Repeats
//	it is known which arm is the likelier one: a fifth of the level is for how often
//	    that is played, see allocationtest.Odds
//	several share the level: p is the smallest of 1/e over the share of e
//	no propensity is logged, or the action was drawn by one more draw: by the
//	    probabilities of a declared policy that reads no rewards; of another, not run
//	no round is known to be drawn by itself: not run
//	no deviation at all would have been found: not run
func allocationSubgroups() Check {
	return Check{ID: "H17", Title: "allocation against contexts, earlier actions and rewards", Doc: "was every arm played as often as its propensities say also among rounds that are alike in context, past or time", Expected: "no wager on an arm grows where rounds are split by what was known before", Needs: needsProbabilities, Run: runAllocationSubgroups}
}

// needsProbabilities is needsPropensity where no declared policy has probabilities that
// are known without one.
func needsProbabilities(f *Inputs) string {
	if f.Splits != nil {
		return ""
	}
	return needsPropensity(f)
}

func runAllocationSubgroups(f *Inputs, c *schemas.Check) {
	s := f.Splits
	switch {
	case s == nil:
		c.Status, c.Detail = schemas.CheckNotRun, "Nothing but the margin was looked at."
		return
	case s.Why != "":
		c.Status, c.Detail = schemas.CheckNotRun, s.Why
		return
	}
	r := &s.Result
	logE, logP := s.logE()
	c.Statistic, c.P = schemas.Finite(bitexact.Exp(logE)), schemas.Finite(probability(logP))
	c.Observed = fmt.Sprintf("largest average wager %s, below %s", wagerWords(r.LogE), wagerWords(-math.Log(r.Level))) + s.Again.observed() + s.Odds.observed()
	c.Status = schemas.CheckPass
	switch {
	case s.Rejected():
		c.Status, c.Observed, c.Played = schemas.CheckFail, s.Contradictions(f.Labels), s.allPlays(f.Labels)
		c.Detail = fmt.Sprintf("The %s are not the probabilities given what was known before, at level %s. %s", s.wageredAt(), f.splitsLevelWords(), f.convicting()+s.Again.convicting()+s.Odds.convicting()+spaced(f.anewWords()))
	case !s.Finds():
		c.Status, c.Observed = schemas.CheckNotRun, ""
		c.Detail = "The log is too short, or its propensities are too near 1, for any deviation to be found. "
	}
	if c.Status != schemas.CheckNotRun {
		c.Measure("largest_average_log_wager", "nats", r.LogE, -math.Log(r.Level))
	}
	c.Detail += s.lookedWords() + " " + s.powerWords() + f.surplusWords() + s.declaredWords() + s.Again.words() + s.Odds.words() + f.goesBy()
}

// spaced puts a space behind words that are there.
func spaced(words string) string {
	if words == "" {
		return ""
	}
	return words + " "
}

// wageredAt names the probabilities that wagers are at.
func (s *Splits) wageredAt() string {
	switch {
	case s.Declared:
		return "declared probabilities of the policy"
	case s.Replayed:
		return "recomputed propensities of the policy"
	}
	return "logged propensities"
}

// declaredWords say where probabilities come from if no column holds them.
func (s *Splits) declaredWords() string {
	by := "the probabilities that the policy declares"
	switch {
	case s.Replayed:
		by = "the propensities recomputed from the declared policy and the logged history"
	case !s.Declared:
		return ""
	}
	if s.Shares {
		return " The logged propensities are shares of draws, and the action was drawn by one more draw (log.drawn: one-more): the check goes by " + by + "."
	}
	return " No propensity is logged: the check goes by " + by + "."
}

// Finds reports whether check H17 was run: there is a deviation that it would have
// found.
func (s *Splits) Finds() bool {
	return s != nil && s.Why == "" && (s.finds() || s.Again.finds() || s.Odds.finds())
}

// finds reports whether there is a deviation that would have been found.
func (s *Splits) finds() bool {
	for _, p := range s.Result.Power {
		if p.Found > 0 {
			return true
		}
	}
	return false
}

// splitsLevelWords says what the level is over.
func (f *Inputs) splitsLevelWords() string {
	if f.Experiments > 1 {
		return fmt.Sprintf("%g over all %s experiments", allocationtest.SplitsLevel, schemas.Grouped(int64(f.Experiments)))
	}
	return fmt.Sprint(allocationtest.SplitsLevel)
}

// wagerWords writes what a wager has become from its natural log.
func wagerWords(logE float64) string {
	const largest = 688 // ln of about 1e299
	if logE > largest {
		return "above 1e298"
	}
	return figure(bitexact.Exp(logE))
}

// Contradiction names the account that won most, the arm by one of the labels,
// where the logged propensities are rejected; "" where they are not.
func (s *Splits) Contradiction(labels []string) string {
	if s == nil || !s.Result.Rejected {
		return ""
	}
	of := s.Plays(labels)
	return of.Words()
}

// convicting says by how much, from when on, and what it looks like.
func (f *Inputs) convicting() string {
	s := f.Splits
	r := &s.Result
	if !r.Rejected {
		return ""
	}
	words := fmt.Sprintf("The average of %s reached %s by round %s, and %s at most; that of the arm and rounds named is %s.",
		schemas.Counted(int64(r.Accounts), "wager"), wagerWords(-math.Log(r.Level)), schemas.Grouped(r.Row), wagerWords(r.LogE), wagerWords(r.Worst.LogE))
	if only := r.Only(); only >= 0 && s.Looked[only].Previous {
		words += " Only the split by the previous action tells: p is not the probability given the previous round; " + looksLike(&r.Worst) + " look like this."
	}
	if dealt := s.Dealt.Words(f.Labels); dealt != "" {
		words += " " + dealt
	}
	return words + " "
}

// looksLike is what a dependence on the previous action comes from: the first arm
// is played again too seldom, or too often.
func looksLike(w *subgroups.SplitAccount) string {
	again := (w.Arm == 0) == (w.Side == subgroups.SideYes)
	if again != w.Underserved {
		return "draws that are kept for several rounds"
	}
	return "fixed counts per batch, and choices that go by the last reward,"
}

// lookedWords name what was looked at, what was left out, and that all else passes.
func (s *Splits) lookedWords() string {
	var names []string
	splits := 0
	for _, p := range s.Powers() {
		names = append(names, p.Name)
		if p.Kind == schemas.SplitSide {
			splits++
		}
	}
	words := "Looked at: " + strings.Join(names, ", ") + "."
	if each := s.Each(); len(each) > 0 {
		words += " One by one, cells of: " + strings.Join(each, "; ") + "."
	}
	if n := len(s.LeftOut); n > 0 {
		const most = 8
		listed := strings.Join(s.LeftOut[:min(n, most)], ", ")
		if n > most {
			listed += fmt.Sprintf(" and %s more", schemas.Grouped(int64(n-most)))
		}
		words += fmt.Sprintf(" Left out, beyond %d: %s.", splits, listed)
	}
	return words + " " + ElseWords + "."
}

// Each names the partitions whose cells are wagered on one by one.
func (s *Splits) Each() []string {
	var out []string
	for i := range s.Cells {
		if s.Cells[i].Count > 2 || s.Cells[i].Earlier {
			out = append(out, s.Cells[i].Name)
		}
	}
	return out
}

// Power is the smallest deviations of what was looked at, under its name.
type Power struct {
	subgroups.SplitPower

	Name, Kind string
}

// Powers lists the smallest detectable deviations of all splits, in their order; the splits by
// tides within the cells of a partition have one entry together, of all memories.
func (s *Splits) Powers() []Power {
	var out []Power
	for i, p := range s.Result.Power {
		of := &s.Looked[i]
		if of.Crossed == "" {
			out = append(out, Power{p, of.Name, of.Kind()})
			continue
		}
		name := "the arm's own pulls in the rounds before that were alike by " + of.Crossed
		if last := len(out) - 1; last >= 0 && out[last].Name == name {
			out[last].Join(p)
			continue
		}
		out = append(out, Power{p, name, of.Kind()})
	}
	return out
}

// powerWords say which deviation would have been found.
func (s *Splits) powerWords() string {
	var parts []string
	for _, p := range s.Powers() {
		parts = append(parts, powerOf(p.SplitPower)+" by "+p.Name)
	}
	words := "Smallest deviation on one side, relative to the propensity, that is found in about three of four logs: " + strings.Join(parts, "; ") + "."
	if len(s.Each()) > 0 {
		words += " Of cells one by one none is known."
	}
	return words
}

// powerOf is a range of deviations, and of how many pairs there is none.
func powerOf(p subgroups.SplitPower) string {
	if p.Found == 0 {
		return "none"
	}
	words := share(p.Least)
	if most := share(p.Most); most != words {
		words += " to " + most
	}
	if p.Found < p.All {
		words += fmt.Sprintf(" (none in %d of %d pairs of side and arm)", p.All-p.Found, p.All)
	}
	return words
}

// surplusWords say where an arm that was played too seldom is not seen.
func (f *Inputs) surplusWords() string {
	if f.Splits.Deficits || len(f.Labels) <= 2 && f.Declared {
		return ""
	}
	return " Surpluses only: an arm that was played too seldom shows in those played in its stead; log.propensity_by_arm shows it in the arm itself."
}
