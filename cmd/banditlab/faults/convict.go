package faults

import (
	"errors"
	"slices"
	"strings"

	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

// Runs is the number of runs of a case; run i has the master seed
// replay.Seed(i), i = 1…Runs. Those up to LongRuns go on beyond Short rounds.
const (
	Runs     = 3
	LongRuns = 1
	Short    = 5000
)

// RunsOf is the number of runs that are taken to a length.
func RunsOf(rounds int64) int {
	if rounds > Short {
		return LongRuns
	}
	return Runs
}

// Ladder are the lengths of logs that are audited, each the beginning of the
// next.
func Ladder() []int64 {
	return []int64{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, Horizon}
}

// Lengths are the numbers of rounds in the table's columns.
func Lengths() []int64 { return []int64{500, 5000, Horizon} }

// Conviction is what an audit says against a log: the claims that it holds to be
// violated.
type Conviction struct {
	Claims  []string // kinds, in the order of the results
	Words   []string // one for each
	Explain []string // hypotheses that fit, in their own words
}

// Guilty reports whether any claim is violated.
func (c *Conviction) Guilty() bool { return len(c.Claims) > 0 }

// Cell is a case under one kind of evidence.
type Cell struct {
	Case
	Evidence Evidence
	Lengths  []int64      // of logs that were audited
	Found    []int        // of the runs that are taken so far, at each of Lengths
	First    []int64      // by run, the shortest log on the ladder that convicts; 0: none
	Claims   []string     // that convict at the longest length, in any run
	Example  []Conviction // of run 1 at each of Lengths
}

// Try audits the runs of a case at lengths up to most, under all evidence that
// its log can hold.
func (c Case) Try(most int64) ([]Cell, error) {
	var lengths []int64
	for _, n := range Lengths() {
		if n <= most {
			lengths = append(lengths, n)
		}
	}
	var cells []Cell
	for _, e := range Evidences() {
		if c.Mechanism.Has(e) {
			cells = append(cells, Cell{Case: c, Evidence: e, Lengths: lengths, Found: make([]int, len(lengths)), Example: make([]Conviction, len(lengths))})
		}
	}
	for run := int64(1); run <= Runs; run++ {
		if err := c.tryRun(cells, run, most); err != nil {
			return nil, err
		}
	}
	return cells, nil
}

// tryRun adds a run to the cells.
func (c Case) tryRun(cells []Cell, run, most int64) error {
	for i := range cells {
		cells[i].First = append(cells[i].First, 0)
	}
	for _, rounds := range Ladder() {
		if rounds > most || run > int64(RunsOf(rounds)) {
			break
		}
		if err := c.tryLength(cells, run, rounds); err != nil {
			return err
		}
	}
	return nil
}

// tryLength audits one log under all evidence. What was convicted by a shorter
// one is looked at again only where the table has a column.
func (c Case) tryLength(cells []Cell, run, rounds int64) (err error) {
	column := -1
	var open []*Cell
	for i := range cells {
		column = slices.Index(cells[i].Lengths, rounds)
		if column >= 0 || cells[i].First[run-1] == 0 {
			open = append(open, &cells[i])
		}
	}
	if len(open) == 0 {
		return nil
	}
	l, _, err := play(c.Mechanism, c.faults(), run, rounds)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.remove()) }()
	for _, cell := range open {
		found, err := l.judge(cell.Evidence)
		if err != nil {
			return err
		}
		cell.take(found, run, rounds, column)
	}
	return nil
}

// refused stands for a claim where an audit does not come to any, because the
// log is none that a bandit can have written.
const refused = "the log is refused"

// judge is what an audit says against the log.
func (l *log) judge(e Evidence) (Conviction, error) {
	out, err := l.audit(e)
	if bad, ok := errors.AsType[*fault.InputError](err); ok {
		return Conviction{Claims: []string{refused}, Words: []string{strings.ReplaceAll(bad.Error(), l.dir, "…")}}, nil
	}
	if err != nil {
		return Conviction{}, err
	}
	return convicted(out.Claims, &out.Experiment), nil
}

func (c *Cell) take(found Conviction, run, rounds int64, column int) {
	if column >= 0 && run == 1 {
		c.Example[column] = found
	}
	if !found.Guilty() {
		return
	}
	if c.First[run-1] == 0 {
		c.First[run-1] = rounds
	}
	if column < 0 {
		return
	}
	c.Found[column]++
	if column != len(c.Lengths)-1 {
		return
	}
	for _, claim := range found.Claims {
		if !slices.Contains(c.Claims, claim) {
			c.Claims = append(c.Claims, claim)
		}
	}
}

// convicted reads results.
func convicted(claims []schemas.Finding, e *schemas.Experiment) Conviction {
	var out Conviction
	for i := range claims {
		f := &claims[i]
		if f.Verdict == schemas.Violated {
			out.Claims, out.Words = append(out.Claims, f.Kind), append(out.Words, f.Reason)
		}
	}
	for _, h := range hypotheses(e) {
		if h.Fits {
			out.Explain = append(out.Explain, h.Words)
		}
	}
	return out
}

// hypotheses lists all that an experiment's results hold.
func hypotheses(e *schemas.Experiment) []schemas.Hypothesis {
	out := slices.Clone(e.Allocation)
	if p := e.Replay.Propensities; p != nil {
		out = append(out, p.Hypotheses...)
	}
	if r := e.Replay.Released; r != nil && r.Noise != nil {
		out = append(out, r.Noise.Hypotheses...)
	}
	return out
}

// Keyed audits run 1 of a case by its propensities, with more keys of log.
func (c Case) Keyed(rounds int64, keys string) (found Conviction, err error) {
	m := c.Mechanism
	m.Log = keys
	l, _, err := play(m, c.faults(), 1, rounds)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, l.remove()) }()
	return l.judge(Propensity)
}
