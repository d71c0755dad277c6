package ingest

import (
	"path/filepath"
	"slices"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// What the protocol fixes must be in the manifest.
func TestDeclared(t *testing.T) {
	p := protocol()
	p.Arms = []string{"a", "b", "c"}
	for name, change := range map[string]func(*schemas.Manifest){
		"arms swapped":   func(m *schemas.Manifest) { slices.Reverse(m.Arms) },
		"declared":       func(m *schemas.Manifest) { m.Declared = !m.Declared },
		"the id":         func(m *schemas.Manifest) { m.Experiments[0].ID += "x" },
		"no experiment":  func(m *schemas.Manifest) { m.Experiments = nil },
		"the range":      func(m *schemas.Manifest) { m.Reward.Range[1]++ },
		"the order":      func(m *schemas.Manifest) { m.Order = []string{"x"} },
		"missing":        func(m *schemas.Manifest) { m.Missing = schemas.MissingIndependent },
		"by arm":         func(m *schemas.Manifest) { m.ByArm.Context = 1 },
		"released":       func(m *schemas.Manifest) { m.ByArm.Released = 1 },
		"a level":        func(m *schemas.Manifest) { m.Context[1] += "x" },
		"a context more": func(m *schemas.Manifest) { m.Context = append(m.Context, "x") },
		"a column":       func(m *schemas.Manifest) { m.Columns[0].Column += "x" },
		"a role":         func(m *schemas.Manifest) { m.Columns[0].Role = "unit" },
		"a column fewer": func(m *schemas.Manifest) { m.Columns = m.Columns[1:] },
	} {
		path := ingesttest.Log(t, ingesttest.Events(20))
		m, err := Ingest(t.Context(), p, []files.Source{{Path: path, URI: "log.parquet"}}, t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := tableaudir.Declared(p, m, role.All()); err != nil {
			t.Fatal(err)
		}
		change(m)
		t.Log(name)
		if e := ingesttest.WantFault(t, tableaudir.Declared(p, m, role.All()), fault.RuleTableau); e.File != tableaudir.ManifestFile {
			t.Errorf("%s: %v", name, e)
		}
	}
}

// The length of a list of contexts is the log's to say.
func TestDeclaredList(t *testing.T) {
	p := roleProtocol()
	listRoles(p)
	m, err := Ingest(t.Context(), p, []files.Source{{Path: filepath.Join(roleFiles, "duckdb.parquet"), URI: "log.parquet"}}, t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tableaudir.Declared(p, m, role.All()); err != nil {
		t.Error(err)
	}
}
