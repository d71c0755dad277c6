package client

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const beside = ".."

// tamperedEach: the tampered logs of every fourth case are audited here, those of all by run.sh.
const tamperedEach = 4

// The page says what audits of the kept logs say.
func TestKeptLogs(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(beside, "CLIENTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := Cases(filepath.Join(beside, "cases"), filepath.Join(beside, "logs"))
	if err != nil {
		t.Fatal(err)
	}
	const atLeast = 25
	if len(cases) < atLeast {
		t.Fatalf("%d logs, want at least %d", len(cases), atLeast)
	}
	auditor, err := Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		c := &cases[i]
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			holds(t, auditor, c, i%tamperedEach == 0, string(page))
		})
	}
}

// holds audits a log, and looks for what is said of it on the page.
func holds(t *testing.T, a *Auditor, c *Case, tampered bool, page string) {
	t.Helper()
	line := &Line{Case: c}
	var err error
	if tampered && !testing.Short() {
		line, err = a.line(t.Context(), c)
	} else {
		line.Honest, err = a.Audit(t.Context(), c, "honest")
	}
	if err != nil {
		t.Fatal(err)
	}
	row := line.begins()
	if line.Tampered != nil {
		row = line.row() + "\n"
	}
	if !strings.Contains(page, row) {
		t.Errorf("CLIENTS.md does not have the row\n%s", row)
	}
	if named := strings.Contains(c.Says, "which "); line.Honest.Violated() != named {
		t.Errorf("an honest log: %s (%s)", line.Honest.Words(), line.Honest.Why)
	}
}
