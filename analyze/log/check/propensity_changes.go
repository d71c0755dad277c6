package check

import (
	"fmt"
	"math"
	"strings"
	"time"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// ChangeSchedule is how logged propensities move where no batch says it.
type ChangeSchedule struct {
	Rows     int64 // the first of the experiment, that were looked at
	Cells    int64 // pairs of arm and context; of contexts alone where the propensities of all arms are logged
	Pairs    int64 // of neighbouring rounds of a cell
	Changed  int64 // of these, those whose propensities differ
	Distinct int64 // different propensities
	More     bool  // than Distinct, at which counting stopped
	Contexts bool  // cells are by context
	Learns   bool  // a policy that learns is declared
	By       []string
	Grid     allocationtest.Grid // by arm, and by the contexts of By
	Timed    bool                // Grid is of times in seconds since First, otherwise of rounds
	First    int64               // nanoseconds since 1970 in UTC
	Whole    Whole
	Shared   int // experiments that share the work of a search
}

// Whole is what was found among periods of whole rounds, which are looked for
// before any other.
type Whole struct {
	Rounds int64 // 0: none was found, and Grid is of any period
	Tried  int64 // the longest that was tried; 0: none was
	Cut    bool  // work left longer ones untried
	On     int64 // changes between two windows
	Told   int64 // all that are known more closely than to a period
	// Changes is how many there are, each counted once; Few says that they are too few
	// to tell a period from chance, and Every is the period at which all of them are and
	// none is missing, 0 where there is none. Both are read where Rounds is 0.
	Changes int
	Few     bool
	Every   int64
}

// inferred says how propensities move where nothing is declared to hold that
// against. It notes where they move and no declared policy learns.
func (f *Inputs) inferred(c *schemas.Check) {
	a := f.Propensities.Cadence
	c.Status, c.Expected = schemas.CheckPass, "no schedule is declared; what moves is inferred"
	a.measure(c)
	parts := []string{a.fixedWords()}
	switch {
	case a.Changed == 0:
		c.Observed = "no change"
	case a.Grid.Period > 0:
		c.Observed = "changes " + a.periodWords()
		parts = append(parts, a.gridWords()...)
	case a.Whole.Few:
		c.Observed = "changes, too few to tell a schedule"
		parts = append(parts, a.fewWords())
	default:
		c.Observed = "changes, on no grid that could be told"
		parts = append(parts, "No period was found at which propensities stand still and then change.")
	}
	parts = append(parts, a.cutWords()...)
	if a.Changed > 0 && !a.Learns {
		c.Status = schemas.CheckNote
	}
	if a.Rows < f.Rounds {
		parts = append(parts, fmt.Sprintf("This rests on the first %s of %s rounds.", schemas.Grouped(a.Rows), schemas.Grouped(f.Rounds)))
	}
	c.Detail = strings.Join(append(parts, "Declare log.batch to hold a schedule against the log."), " ")
}

// measure adds the numbers of a cadence: the period of changes, where one was found.
func (a *ChangeSchedule) measure(c *schemas.Check) {
	unit := "rounds"
	if a.Timed && a.Whole.Rounds == 0 {
		unit = "seconds"
	}
	if a.Changed > 0 && a.Grid.Period > 0 {
		c.Measure("change_period", unit, a.Grid.Period, math.NaN())
	}
	c.Measure("pairs_with_a_change", "pairs", float64(a.Changed), math.NaN())
	c.Measure("pairs", "pairs", float64(a.Pairs), math.NaN())
	if !a.More { // counting went on to the end
		c.Measure("different_propensities", "propensities", float64(a.Distinct), math.NaN())
	}
}

// fewWords say so, and which period there would be.
func (a *ChangeSchedule) fewWords() string {
	out := schemas.Counted(a.Whole.Changes, "change") + " in these rounds are too few to tell a period from chance"
	if a.Whole.Changes == 1 {
		out = "1 change in these rounds is too little to tell a period from chance"
	}
	if n := a.Whole.Every; n > 0 {
		out += fmt.Sprintf("; an update after every %s rounds would have them there: where a policy is declared, policy.update: {every: %d} holds it against the log", schemas.Grouped(n), n)
	}
	return out + "."
}

// fixedWords says what a policy that is always the same would have logged.
func (a *ChangeSchedule) fixedWords() string {
	cells := "arm"
	if a.Contexts {
		cells = "arm and context"
	}
	switch {
	case a.Pairs == 0:
		return "No " + cells + " was met twice, so that nothing shows whether the policy was fixed."
	case a.Changed == 0:
		return fmt.Sprintf("A fixed policy logs one propensity for each %s: so did this one, %s of them in all.", cells, a.distinctWords())
	}
	which := ""
	if !a.Contexts {
		which = ", unless it saw a context that is not declared or logged its probabilities by estimates made anew each time"
	}
	return fmt.Sprintf("A fixed policy would log one propensity for each %s%s: contradicted, %s different ones in %s; %s of %s pairs of neighbouring rounds of one %s differ.",
		cells, which, a.distinctWords(), rows(a.Rows), schemas.Grouped(a.Changed), schemas.Grouped(a.Pairs), cells)
}

// distinctWords counts different propensities.
func (a *ChangeSchedule) distinctWords() string {
	if a.More {
		return "more than " + schemas.Grouped(a.Distinct)
	}
	return schemas.Grouped(a.Distinct)
}

// periodWords writes the period. Where most boundaries have no change, they are
// only where changes may be.
func (a *ChangeSchedule) periodWords() string {
	switch n := a.Whole.Rounds; {
	case n > 0 && 2*a.Grid.AcrossSame > a.Grid.Across:
		return "only after multiples of " + schemas.Grouped(n) + " rounds"
	case n > 0:
		return "every " + schemas.Grouped(n) + " rounds"
	case a.Timed:
		return "about every " + figure(a.Grid.Period) + " s"
	}
	return "about every " + figure(a.Grid.Period) + " rounds"
}

// cutWords say what a search left out.
func (a *ChangeSchedule) cutWords() []string {
	var out []string
	if a.Whole.Cut {
		out = append(out, fmt.Sprintf("The search was cut short: whole periods of more than %s rounds were not tried%s.", schemas.Grouped(a.Whole.Tried), a.sharedWords()))
	}
	if g := &a.Grid; g.Cut {
		unit := "rounds"
		if a.Timed {
			unit = "s"
		}
		out = append(out, fmt.Sprintf("The search for other periods was cut short: it went over the first %s %s%s, and a period of more than an eighth of that was not looked for.", figure(g.Span), unit, a.sharedWords()))
	}
	return out
}

// sharedWords say why.
func (a *ChangeSchedule) sharedWords() string {
	if a.Shared < 2 {
		return ""
	}
	return fmt.Sprintf(", since %s experiments share its work", schemas.Grouped(int64(a.Shared)))
}

// gridWords say where boundaries lie, how well the log agrees with them, and by
// chance.
func (a *ChangeSchedule) gridWords() []string {
	g := &a.Grid
	if a.Whole.Rounds > 0 {
		return a.wholeWords()
	}
	at := fmt.Sprintf("Boundaries lie every %s rounds (standard error %.2g), the first before round %s.", digits(g.Period, g.Error), g.Error, schemas.Grouped(int64(math.Ceil(g.Start))))
	if a.Timed {
		first := time.Unix(0, a.First).UTC().Add(time.Duration(g.Start * float64(time.Second)))
		at = fmt.Sprintf("Boundaries lie every %s s (standard error %.2g s), the first at %s.", digits(g.Period, g.Error), g.Error, first.Format("2006-01-02T15:04:05Z"))
	}
	return []string{at, a.sameWords() + fmt.Sprintf(" (p %s after a search over %s).", pWords(g.LogP), schemas.Counted(g.Looked, "period"))}
}

// wholeWords say it of whole rounds.
func (a *ChangeSchedule) wholeWords() []string {
	g := &a.Grid
	return []string{
		fmt.Sprintf("Boundaries lie every %s rounds exactly, the first before round %s. Of %s that the log places more closely than that, %s lie there (p %s after a search over the whole periods up to %s).",
			schemas.Grouped(a.Whole.Rounds), schemas.Grouped(int64(math.Ceil(g.Start))), schemas.Counted(int(a.Whole.Told), "change"), schemas.Grouped(a.Whole.On), pWords(g.LogP), schemas.Grouped(a.Whole.Tried)),
		a.sameWords() + ".",
	}
}

// sameWords count pairs that are the same, of those within a window and those
// across a boundary.
func (a *ChangeSchedule) sameWords() string {
	cells, g := "one arm", &a.Grid
	if len(a.By) > 0 {
		cells = "one arm and " + strings.Join(a.By, ", ")
	}
	return fmt.Sprintf("Of pairs of neighbouring rounds of %s less than a period apart, %s of %s within a window and %s of %s across a boundary have the same propensity",
		cells, part(g.WithinSame, g.Within), schemas.Grouped(g.Within), part(g.AcrossSame, g.Across), schemas.Grouped(g.Across))
}

// digits writes x with the decimals that its error leaves, three at most.
func digits(x, err float64) string {
	n := 0
	for n < 3 && err < math.Pow10(-n) {
		n++
	}
	return fmt.Sprintf("%.*f", n, x)
}

// part writes a share in per cent.
func part(some, all int64) string {
	if all == 0 {
		return "none"
	}
	return fmt.Sprintf("%.3g %%", float64(100*some)/float64(all))
}
