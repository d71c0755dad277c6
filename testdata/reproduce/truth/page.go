package truth

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas"
	"banditaudit/testdata/reproduce/convict"
)

// Page audits every log of every row and writes the page.
func Page(w io.Writer) error {
	var b strings.Builder
	b.WriteString(title)
	for _, row := range Worlds() {
		counted, logs, err := row.Rate(0)
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		b.WriteString(row.line(counted, logs))
	}
	fmt.Fprintf(&b, honestTitle, HonestLogs, HonestMost, Again, AgainMost)
	for _, h := range Kinds() {
		verdicts, err := h.Verdicts(1, HonestLogs)
		if err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
		b.WriteString(h.lines(verdicts, HonestLogs))
		if most(verdicts) <= HonestMost || h.Open {
			continue
		}
		if verdicts, err = h.Verdicts(HonestLogs+1, Again); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
		b.WriteString(h.lines(verdicts, Again))
	}
	if err := Tests(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// most is the largest number of logs in which one claim is VIOLATED.
func most(verdicts map[string]map[schemas.Verdict]int) int {
	n := 0
	for _, of := range verdicts {
		n = max(n, of[schemas.Violated])
	}
	return n
}

const title = `# Never clear the false, never accuse the honest

What an audit says in worlds where it could say something false. Written by

    go run ./testdata/reproduce/truths -o testdata/reproduce/TRUTH.md

It follows from the code and its seeds; a test computes some of it again. Rates
have their 95 % interval (Clopper and Pearson). *Before* is what the program did before
it looked at what the row is about, from the issue that asked for it.

## What must be said, and what must not

| world | what is deployed, logged and declared | counted | before | now | what remains unseen |
|---|---|---|---|---|---|
`

const honestTitle = `
## Honest logs

Deployments that did what their protocol declares, logged as other programs do it:
%d logs of each, with the verdicts of every claim. At most %d may be VIOLATED: a test of
level .001 has more in one of a thousand such cells. A kind that has more is audited
again, with %d logs of other seeds, of which at most %d may be.

| logs | written so | before | claim | logs | VIOLATED | other verdicts |
|---|---|---|---|---|---|---|
`

// line is the row of a world.
func (w *World) line(counted, logs int) string {
	now, must := convict.Rate(counted, logs), "must not be"
	if w.Right {
		must = "must be"
	}
	if w.Open {
		now += ": **not built yet**"
	}
	return fmt.Sprintf("| %s (%d) | %s | %s (%s) | %s | %s | %s |\n", w.Name, w.Item, w.Text, w.Said, must, w.Before, now, w.Unseen)
}

// lines are the rows of an honest kind, one for each claim that can be VIOLATED.
func (h *Honest) lines(verdicts map[string]map[schemas.Verdict]int, logs int) string {
	var b strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(verdicts)) {
		of := verdicts[kind]
		if of[schemas.NotApplicable] == logs {
			continue
		}
		var others []string
		for _, v := range []schemas.Verdict{schemas.Verified, schemas.Consistent, schemas.NotEstablished, schemas.NotApplicable, schemas.NotRun} {
			if of[v] > 0 {
				others = append(others, fmt.Sprintf("%d %s", of[v], v))
			}
		}
		violated := strconv.Itoa(of[schemas.Violated])
		if h.Open && of[schemas.Violated] > HonestMost {
			violated += ": **not built yet**"
		}
		fmt.Fprintf(&b, "| %s (%d) | %s | %s | %s | %d | %s | %s |\n", h.Name, h.Item, h.Text, h.Before, kind, logs, violated, strings.Join(others, ", "))
	}
	return b.String()
}
