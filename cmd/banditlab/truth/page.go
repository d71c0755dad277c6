package truth

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"banditaudit/cmd/banditlab/faults"
	"banditaudit/schemas"
)

// Page writes rows as they were kept. Of those that were not, and of those whose
// definition has changed since, it says so.
func (b *Book) Page(rows []Row) string {
	kept := make([]*Kept, len(rows))
	for i := range rows {
		kept[i] = b.Of(&rows[i])
	}
	var out strings.Builder
	out.WriteString(title + madeBy(rows, kept))
	before, tests := "", 0
	for i := range rows {
		if table := rows[i].Table; table != before {
			out.WriteString(headOf(table, rows, kept))
			before = table
		}
		if rows[i].Table == TableTests {
			fmt.Fprintf(&out, "\n%s\n\n", testsHeads()[tests])
			tests++
		}
		out.WriteString(rows[i].write(kept[i]))
	}
	return out.String()
}

// headOf is what stands above the rows of a table.
func headOf(table string, rows []Row, kept []*Kept) string {
	switch table {
	case TableWorlds:
		return worldsTitle
	case TableHonest:
		return fmt.Sprintf(honestTitle, HonestLogs, HonestMost, Again, AgainMost, summary(rows, kept))
	default:
		return fmt.Sprintf(testsTitle, TestRuns, DifferenceRuns, away)
	}
}

// madeBy says which program counted which rows.
func madeBy(rows []Row, kept []*Kept) string {
	of, missing := map[Made][]string{}, []string(nil)
	for i := range rows {
		if kept[i] == nil {
			missing = append(missing, rows[i].ID())
			continue
		}
		of[kept[i].Made] = append(of[kept[i].Made], rows[i].ID())
	}
	by := slices.SortedFunc(maps.Keys(of), func(a, b Made) int {
		return cmp.Or(cmp.Compare(len(of[b]), len(of[a])), cmp.Compare(a.Date, b.Date), cmp.Compare(a.Commit, b.Commit), cmp.Compare(a.Program, b.Program))
	})
	var out strings.Builder
	for i, m := range by {
		which := "The other rows"
		switch {
		case i > 0:
			which = strings.Join(of[m], ", ")
		case len(by) == 1 && missing == nil:
			which = "All rows"
		case len(by) == 1:
			which = "The rows that are counted"
		}
		fmt.Fprintf(&out, "\n%s: counted by %s (sources %s) on %s.\n", which, m.Commit, m.Program, m.Date)
	}
	if missing != nil {
		fmt.Fprintf(&out, "\nNot counted: %s.\n", strings.Join(missing, ", "))
	}
	return out.String()
}

const title = `# Never clear the false, never accuse the honest

What an audit says in worlds where it could say something false. Written by

    go run ./cmd/banditlab truth -o testdata/reproduce/TRUTH.md

from what was counted, which is kept in TRUTH.json beside it. The counts follow from the
code and its seeds; a test computes some again, and holds this page against them. Rates
have their 95 % interval (Clopper and Pearson).
`

const worldsTitle = `
## What must be said, and what must not

*Before* is what the program did before it looked at what the row is about, from the
issue that asked for it.

| world | what is deployed, logged and declared | counted | before | now | what remains unseen |
|---|---|---|---|---|---|
`

const honestTitle = `
## Honest logs

Deployments that did what their protocol declares, logged as other programs do it:
%d logs of each, with the verdicts of every claim. At most %d may be VIOLATED: a test of
level .001 has more in one of a thousand such cells. A kind that has more is audited
again, with %d logs of other seeds, of which at most %d may be.
%s
| logs | written so | before | claim | logs | VIOLATED | other verdicts |
|---|---|---|---|---|---|---|
`

// uncounted is what the page says of a row that was not kept.
const uncounted = "**not counted**"

// line is the row of a world.
func (w *World) line(k *Kept) string {
	must, now := "must not be", uncounted
	if w.Right {
		must = "must be"
	}
	if k != nil {
		now = w.rates(k.Counted)
	}
	return fmt.Sprintf("| %s (%d) | %s | %s (%s) | %s | %s | %s |\n", w.Name, w.Item, w.Text, w.Said, must, w.Before, now, w.Unseen)
}

// rates are what was counted, and what was counted beside it.
func (w *World) rates(of []Counted) string {
	out := make([]string, len(of))
	for i, c := range of {
		rate := faults.Rate(c.Of, c.Logs)
		switch {
		case i > 0:
			out[i] = c.Said + ": " + rate
		case w.Open:
			out[i] = rate + ": **not built yet**"
		default:
			out[i] = rate
		}
	}
	return strings.Join(out, "; ")
}

// lines are the rows of an honest kind, one for each claim that can be VIOLATED.
func (h *Honest) lines(k *Kept) string {
	if k == nil {
		return h.lineOf("", HonestLogs, uncounted, "")
	}
	var b strings.Builder
	for i := range k.Verdicts {
		v := &k.Verdicts[i]
		for _, kind := range slices.Sorted(maps.Keys(v.Claims)) {
			if of := v.Claims[kind]; of[schemas.NotApplicable] < v.Logs {
				b.WriteString(h.lineOf(kind, v.Logs, h.violated(of[schemas.Violated], v), beside(of)))
			}
		}
	}
	return b.String()
}

func (h *Honest) lineOf(kind string, logs int, violated, rest string) string {
	return fmt.Sprintf("| %s (%d) | %s | %s | %s | %d | %s | %s |\n", h.Name, h.Item, h.Text, cmp.Or(h.Before, "–"), kind, logs, violated, rest)
}

// violated is how many are, and what is to be said of it.
func (h *Honest) violated(n int, of *Verdicts) string {
	out := strconv.Itoa(n)
	switch {
	case n <= allowed(of):
	case h.Open:
		out += ": **not built yet**"
	default:
		out += fmt.Sprintf(": **above %d**", allowed(of))
	}
	return out
}

// allowed is how many of the logs may be VIOLATED.
func allowed(of *Verdicts) int {
	if of.Logs == Again {
		return AgainMost
	}
	return HonestMost
}

// beside are the verdicts but VIOLATED.
func beside(of map[schemas.Verdict]int) string {
	var out []string
	for _, v := range []schemas.Verdict{schemas.Verified, schemas.Consistent, schemas.NotEstablished, schemas.NotApplicable, schemas.NotRun} {
		if of[v] > 0 {
			out = append(out, fmt.Sprintf("%d %s", of[v], v))
		}
	}
	return strings.Join(out, ", ")
}

// summary is what all honest kinds together came to.
func summary(rows []Row, kept []*Kept) string {
	kinds, cells, violated, worst, above := 0, 0, 0, 0, []string(nil)
	for i := range rows {
		if rows[i].Table != TableHonest || kept[i] == nil {
			continue
		}
		kinds++
		first := &kept[i].Verdicts[0]
		for _, kind := range slices.Sorted(maps.Keys(first.Claims)) {
			if first.Claims[kind][schemas.NotApplicable] == first.Logs {
				continue
			}
			n := first.Claims[kind][schemas.Violated]
			cells, violated, worst = cells+1, violated+n, max(worst, n)
			if n > allowed(first) {
				above = append(above, rows[i].Name+" ("+kind+")")
			}
		}
	}
	out := fmt.Sprintf("\nIn short: %d kinds with %d claims. VIOLATED are %d logs and claims in all, and at most %d of one claim of one kind. ", kinds, cells, violated, worst)
	if above == nil {
		return out + "None has more than is allowed.\n"
	}
	return out + "More than is allowed at first have " + strings.Join(above, ", ") + ".\n"
}
