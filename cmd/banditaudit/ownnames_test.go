package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditaudit/cmd/kit"
	"banditaudit/ingest/tableaudir"
)

// unitProtocol declares a unit of a log that stands in testdata, so that a
// tableau of it has all its files.
const unitProtocol = `version: 1
experiment: {id: units, stopping: fixed}
log: {order: [ts], action: variant, reward: reward, missing_reward: exclude, unit: user}
arms: [a, b, c]
reward: {range: [0, 100], out_of_range: clip}
`

// TestOwnNames runs every command that writes a directory twice, the second
// time with --force: all that stands in its directory has one of the names that
// this program knows for its own, so that it is replaced.
func TestOwnNames(t *testing.T) {
	work := t.TempDir()
	log := filepath.Join(absolute(t, root), "testdata", "roles", "duckdb.parquet")
	t.Chdir(work)
	if err := os.WriteFile("p.yaml", []byte(unitProtocol), 0o600); err != nil {
		t.Fatal(err)
	}
	done := func(args []string) {
		t.Helper()
		if code, _, stderr := run(t, args...); code != kit.ExitOK {
			t.Fatalf("%q: exit %d\n%s", args, code, stderr)
		}
	}
	done(strings.Fields("keygen -q -o k"))
	done(strings.Fields("commit -q -p p.yaml --key k -o c"))
	wrote := map[string]bool{}
	for _, c := range []struct {
		dirs []string
		args string
	}{
		{[]string{"sim"}, "simulate --policy ucb --counter hybrid --epsilon 1 --world bernoulli --means 0.4,0.6 --rounds 50 -o sim"},
		{[]string{"tab"}, "ingest -p p.yaml -o tab " + log},
		{[]string{"out", "kept"}, "audit --fail-on never -p p.yaml -o out --openlineage --commitment c --keep-tableau kept " + log},
		{[]string{"simtab"}, "ingest -p sim/protocol.yaml -o simtab sim/log"},
		{[]string{"rep"}, "replay -p sim/protocol.yaml -t simtab -o rep"},
		{[]string{"plan"}, "plan --rounds 100 --arms 2 --runs 2 --epsilon 0.1,1 --bias 0.1 -o plan"},
		{[]string{"paper"}, "reproduce --short -o paper E3"},
		{[]string{"page"}, "report --format html,md,parquet,csv -o page out/results.json"},
	} {
		args := append(strings.Fields(c.args), "-q")
		done(args)
		done(append(args, "--force"))
		for _, dir := range c.dirs {
			for name := range strings.FieldsSeq(names(t, dir)) {
				wrote[name] = true
				if !slices.Contains(kit.OwnNames(), name) {
					t.Errorf("%s writes %s, which is none of the names that --force replaces", c.args, name)
				}
			}
		}
	}
	for _, name := range kit.OwnNames() {
		if !wrote[name] {
			t.Errorf("no command wrote %s", name)
		}
	}
	if !wrote[tableaudir.UnitsFile] {
		t.Error("no command wrote the order by unit")
	}
}
