package faults

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/cmd/banditlab/world"
)

// CleanLogs is how many clean logs of each length are audited, of every
// mechanism: run numbers begin at cleanFirst, where no case has runs.
func CleanLogs() map[int64]int { return map[int64]int{500: 100, 5000: 10} }

const cleanFirst = 1_000_001

// Page runs everything and writes the page.
func Page(w io.Writer) error {
	cases := Cases()
	tried, err := mechanisms.Each(len(cases), func(i int) ([]Cell, error) { return cases[i].Try(Horizon) })
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, title, Runs, LongRuns)
	for _, f := range world.Faults() {
		fmt.Fprintf(&b, "| %s | %s |\n", f.Name, f.Doc)
	}
	cells := slices.Concat(tried...)
	table(&b, cells)
	unseen(&b, cells)
	words(&b, cells)
	if err = described(&b); err != nil {
		return err
	}
	if err = alarms(&b); err != nil {
		return err
	}
	_, err = io.WriteString(w, b.String())
	return err
}

const title = `# Is the log what the declared policy would have written?

What an audit says of logs whose bandit did something else than was declared, by
what it is told of the log. Written by

    go run ./cmd/banditlab faults -o testdata/reproduce/FAULTS.md

It follows from the code and its seeds; a test computes some of it again.

Three arms pay 1 with probability 0.3, 0.5 and 0.6. Every case is run with %[1]d seeds,
and audited as a log of 10, 20, 50, 100, … rounds, each the beginning of the next:
up to 5,000 rounds, and %[2]d of them up to 50,000. A log counts as convicted when a claim about it is VIOLATED.

Evidence:

- **seed**: the seed, and actions and rewards.
- **released**: what the policy saw, for every arm and round, and actions and rewards.
- **propensity**: the propensities of all arms, and actions and rewards. ucb draws
  nothing, and has none.
- **none**: actions and rewards.

Faults (` + "`simulate --fault`" + `):

| fault | what the deployed bandit does |
|---|---|
`

// table is fault × evidence.
func table(b *strings.Builder, cells []Cell) {
	b.WriteString("\n## Convicted\n\nRuns that are, at each length. *After* is the length on the ladder that first convicts: the median of the\nruns, and the longest; a run that is never convicted counts as the longest.\n\n| fault | declared | evidence |")
	for _, n := range Lengths() {
		fmt.Fprintf(b, " %s |", grouped(n))
	}
	b.WriteString(" after | by |\n|---|---|---|" + strings.Repeat("---|", len(Lengths())+2) + "\n")
	for i := range cells {
		b.WriteString(cells[i].Line() + "\n")
	}
}

// Line is a row of the table.
func (c *Cell) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s | %s |", c.Name(), c.Mechanism.Name, c.Evidence)
	for i, n := range c.Found {
		fmt.Fprintf(&b, " %d of %d |", n, RunsOf(c.Lengths[i]))
	}
	by := strings.Join(c.Claims, ", ")
	if by == "" {
		by = "–"
	}
	fmt.Fprintf(&b, " %s | %s |", c.After(), by)
	return b.String()
}

// Start is the beginning of the row up to and with the columns of the lengths
// that were tried.
func (c *Cell) Start() string {
	line := c.Line()
	at := 0
	for range 4 + len(c.Lengths) {
		at += strings.Index(line[at:], "|") + 1
	}
	return line[:at]
}

// After says by which length runs were convicted.
func (c *Cell) After() string {
	text := func(n int64) string {
		if n == 0 {
			return "never"
		}
		return grouped(n)
	}
	sorted := slices.Clone(c.First)
	slices.SortFunc(sorted, func(a, b int64) int { return int(last(a) - last(b)) })
	middle, most := text(sorted[(len(sorted)-1)/2]), text(sorted[len(sorted)-1])
	if middle == most {
		return middle
	}
	return middle + ", " + most
}

// last puts never behind every length.
func last(n int64) int64 {
	if n == 0 {
		return Horizon + 1
	}
	return n
}

// unseen lists what no run of a case was convicted of at any length.
func unseen(b *strings.Builder, cells []Cell) {
	b.WriteString("\n## What cannot be seen\n\nIn no run, at no length:\n\n")
	for _, e := range Evidences() {
		var names []string
		for i := range cells {
			c := &cells[i]
			if c.Evidence == e && !slices.ContainsFunc(c.First, func(n int64) bool { return n > 0 }) {
				names = append(names, c.Name()+" ("+c.Mechanism.Name+")")
			}
		}
		if len(names) == 0 {
			names = []string{"nothing"}
		}
		fmt.Fprintf(b, "- from **%s**: %s.\n", e, strings.Join(names, "; "))
	}
	b.WriteString(whyUnseen)
}

const whyUnseen = `
Why:

- Without the seed and without released values nobody can say what a policy beside a counter with
  noise saw: its actions and its propensities can then be those of any noise.
- Noise of another arm's stream is noise of the declared law. Only the seed tells the two apart.
- Propensities that were logged wrongly leave actions and released values as they ought to be, and an audit
  that is told of these alone has not seen the propensities. Told of both it compares both.
- log2-levels is noise of 15/16 of the declared scale: the interval for the scale must be narrower than that,
  which takes a few thousand releases.
`

// words are what is said of the first run at the longest length.
func words(b *strings.Builder, cells []Cell) {
	b.WriteString("\n## In which words\n\nOf the first run, at 50,000 rounds.\n")
	for i := range cells {
		c := &cells[i]
		found := c.Example[len(c.Example)-1]
		if !found.Guilty() {
			continue
		}
		fmt.Fprintf(b, "\n**%s, %s, %s**\n\n", c.Name(), c.Mechanism.Name, c.Evidence)
		for j, claim := range found.Claims {
			fmt.Fprintf(b, "- %s: %s\n", claim, strings.ReplaceAll(found.Words[j], "\n", " "))
		}
		for _, h := range found.Explain {
			fmt.Fprintf(b, "- What fits: %s\n", h)
		}
	}
}

// described is the private UCB that is known by its description.
func described(b *strings.Builder) error {
	b.WriteString("\n## A published private UCB\n" + describedText)
	bills, err := mechanisms.Each(len(Lengths()), func(i int) (Bill, error) { return Recreate(1, Lengths()[i]) })
	if err != nil {
		return err
	}
	for i := range bills {
		b.WriteString(bills[i].Line() + "\n")
	}
	return nil
}

const describedText = `
Its published description says: a tree whose every prefix takes new noise, and
noise that is divided by the number of rows once more than the sum. Re-created from
that alone (` + "`--fault fresh-prefixes,noise-over-n-twice`" + `, ucb × binary, declared ε = 1, 16 levels), with its
released values logged. After n rows of an arm the release has noise of scale 16/n, and
the arm's first row is in every release: with N of them its ε is Σ n/16 = N(N+1)/32.

| rounds | releases of the arm played most | ε, exactly | ε that the audit finds | by |
|---|---|---|---|---|
`

// Line is a row of its table.
func (b *Bill) Line() string {
	by := strings.Join(b.Found.Claims, ", ")
	if by == "" {
		by = "–"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", grouped(b.Rounds), grouped(b.Releases), number(b.Exact), b.Spent(), by)
}

// alarms are what tests say of clean logs.
func alarms(b *strings.Builder) error {
	b.WriteString("\n## False alarms\n" + alarmsText)
	for _, rounds := range []int64{500, 5000} {
		logs := CleanLogs()[rounds]
		fmt.Fprintf(b, "\n### %s logs of %s rounds\n\n| declared | evidence | test | level | alarms | p ≤ 0.05 |\n|---|---|---|---|---|---|\n", grouped(int64(logs)), grouped(rounds))
		for _, m := range Mechanisms() {
			tallies, err := Clean(m, rounds, cleanFirst, logs)
			if err != nil {
				return err
			}
			for i := range tallies {
				b.WriteString(tallies[i].Line() + "\n")
			}
		}
	}
	return levels(b)
}

const alarmsText = `
Logs of bandits that did what is declared. An alarm is a test that rejects at its
level, a recomputed value that differs, a claim that is VIOLATED, or a hypothesis that
is said to fit. Where a test has a p, the last column counts p ≤ 0.05: at most 5% of
logs may have one. In brackets the Clopper–Pearson interval of 95%.
`

// Line is a row of the table.
func (t *Tally) Line() string {
	level, small := "–", "–"
	if t.Level > 0 {
		level = fmt.Sprintf("%.2g", t.Level)
	}
	if t.Small >= 0 {
		small = Rate(t.Small, t.Logs)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", t.Mechanism, t.Evidence, t.Test, level, Rate(t.Alarms, t.Logs), small)
}
