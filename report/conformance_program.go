package report

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// programTable is what was run, and what it answered.
func programTable(c *schemas.Conformance, at string) table {
	x, in := c.Program, sub(at, "program")
	t := quantities("The program", at)
	t.Rows = []row{fact("Arguments", label(strings.Join(x.Argv, " ")), sub(in, "argv"))}
	for i, f := range x.Files {
		t.Rows = append(t.Rows, fact("SHA-256 of "+label(f.Name), f.SHA256, sub(in, fmt.Sprintf("files/%d/sha256", i))))
	}
	if x.Failure != nil {
		t.Rows = append(t.Rows, fact("Not run to the end", "it "+x.Failure.Words, sub(in, "failure")))
		return t
	}
	t.Rows = append(
		t.Rows,
		fact("As it calls itself", label(strings.TrimSpace(x.Program+" "+x.Version)), sub(in, "program")),
		fact("Rounds", group(c.Rounds), sub(at, "rounds")),
		fact("Rounds that match", group(c.Matched)+" of "+group(c.Replayable), sub(at, "matched")),
	)
	t.Rows = append(t.Rows, mismatchFacts(c, at)...)
	if c.Law != nil {
		t.Rows = append(t.Rows, lawFacts(c.Law, sub(at, "law"))...)
	}
	t.Rows = append(t.Rows, againFacts(x.Again, sub(in, "again"))...)
	return t
}

// againFacts are the rows on runs with other rewards.
func againFacts(x *schemas.ProgramAgain, at string) []row {
	if x == nil {
		return nil
	}
	rows := []row{fact("Rounds that were run again, with rewards exchanged within arms from the middle on", group(x.Rounds), sub(at, "rounds"))}
	if x.Before != nil {
		rows = append(rows, fact("First answer that is another though nothing was changed yet", "round "+group(*x.Before), sub(at, "before")))
	}
	rows = append(rows, fact("Later answers that are others", group(x.Later), sub(at, "later")))
	if x.Mirrored != nil {
		rows = append(rows, fact("Answers that are others with every reward y as lo + hi − y", group(*x.Mirrored), sub(at, "mirrored")))
	}
	return rows
}
