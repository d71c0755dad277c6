package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// No name of a file, a column, an arm or a level reaches a message raw.
func TestMessagesArePrintable(t *testing.T) {
	const evil = "é\x1b[31m\u202eevil\n"
	dir := t.TempDir()
	path := filepath.Join(dir, evil+".parquet")
	rows := ingesttest.Events(6)
	for i := range rows {
		rows[i].Arm = evil + "b" // near to a declared one
		rows[i].Land = new(evil)
	}
	rows[1].Round, rows[3].P = rows[0].Round, 2
	ingesttest.WriteParquet(t, path, rows)
	p := protocol()
	p.Arms = []string{evil + "a"}
	missing := protocol()
	missing.Log.Reward = evil
	carried := protocol()
	carried.Log.Ties = evil
	big := protocol()
	big.Log.Order = []string{"round"}
	_, _, rules := ingestAll(t, p, Options{}, dir)
	_, _, column := ingestAll(t, missing, Options{}, dir)
	_, _, protocol := ingestAll(t, carried, Options{}, dir)
	_, _, memory := ingestAll(t, big, Options{MaxMemory: 1 << 10}, dir)
	_, absent := files.Discover(t.Context(), []string{filepath.Join(dir, evil)})
	_, twice := files.Discover(t.Context(), []string{path, dir})
	if err := os.WriteFile(path, []byte("no Parquet"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, damaged := ingestAll(t, missing, Options{}, dir)
	_, _, none := tableaudir.Open(filepath.Join(dir, evil))
	for name, err := range map[string]error{"rules": rules, "column": column, "protocol": protocol, "memory": memory, "absent": absent, "twice": twice, "damaged": damaged, "no tableau": none} {
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		lines := strings.Split(err.Error(), "\n") // one for each fault
		if n := max(1, len(ingesttest.InputErrors(err))); len(lines) != n {
			t.Errorf("%s: %d lines of %d faults", name, len(lines), n)
		}
		for _, line := range lines {
			if schemas.Printable(line) != line || !strings.Contains(line, "é") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
	if at := (fault.Place{File: evil}).String(); schemas.Printable(at) != at {
		t.Errorf("a place: %q", at)
	}
}
