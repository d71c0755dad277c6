package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// made ingests a small log and returns the directory.
func made(tb testing.TB) string {
	tb.Helper()
	path := ingesttest.Log(tb, ingesttest.Events(20))
	dir := tb.TempDir()
	if _, err := Ingest(tb.Context(), protocol(), []files.Source{{Path: path, URI: "log.parquet"}}, dir, Options{}); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// rewritten writes a file of a tableau as change makes it, which is to be something else,
// and returns the fault for which the tableau is then refused.
func rewritten(t *testing.T, dir, name string, change func(data []byte) []byte) *fault.InputError {
	t.Helper()
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := change(bytes.Clone(data))
	if bytes.Equal(changed, data) {
		t.Fatalf("nothing is changed in:\n%s", data)
	}
	if err = os.WriteFile(path, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err = tableaudir.Open(dir)
	e := ingesttest.WantFault(t, err, fault.RuleTableau)
	if err = os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return e
}

// Every byte of the files is looked at.
func TestOpenNoticesEveryChange(t *testing.T) {
	for name, c := range map[string]struct {
		dir  string
		step int
	}{tableaudir.RoundsFile: {made(t), 13}, tableaudir.UnitsFile: {madeOfUnits(t), 97}} {
		info, err := os.Stat(filepath.Join(c.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < int(info.Size()); i += c.step {
			if e := rewritten(t, c.dir, name, func(data []byte) []byte { data[i] ^= 1; return data }); e.File != name {
				t.Errorf("byte %d: %v", i, e)
			}
		}
	}
}

// edit is a text of a manifest, and what is written in its place.
type edit [2]string

// manifests rewrites the manifest by each of the edits; seal gives it the digest of what
// it says now.
func manifests(t *testing.T, dir string, seal bool, edits map[string]edit) {
	t.Helper()
	for name, e := range edits {
		t.Run(name, func(t *testing.T) {
			fault := rewritten(t, dir, tableaudir.ManifestFile, func(data []byte) []byte {
				changed := strings.ReplaceAll(string(data), e[0], e[1])
				if changed != string(data) && seal {
					return resealed(changed)
				}
				return []byte(changed)
			})
			if !seal && fault.File != tableaudir.ManifestFile {
				t.Errorf("got %v", fault)
			}
		})
	}
}

// What the manifest says, of roles too, is what the files are opened by.
func TestOpenChecksManifest(t *testing.T) {
	manifests(t, made(t), true, map[string]edit{
		"another schema":      {"manifest.v1", "manifest.v9"},
		"not JSON":            {"{\n", "[\n"},
		"text after it":       {"\"\n}\n", "\"\n}\n{}"},
		"rows":                {`"rows": 20,` + "\n  \"arms\"", `"rows": 21,` + "\n  \"arms\""},
		"an arm twice":        {`"b",`, `"a",`},
		"an arm fewer":        {`"a",`, ``},
		"a context fewer":     {`"age",` + "\n    \"land=FR\"", `"land=FR"`},
		"a range of nothing":  {"0,\n      1\n", "1,\n      1\n"},
		"a digest":            {`"sha256": "`, `"sha256": "0`},
		"no propensity":       {`"role": "propensity"`, `"role": "other"`},
		"rows of experiments": {`"offset": 0`, `"offset": 1`},
	})
	manifests(t, madeOfUnits(t), true, map[string]edit{
		"no propensities by arm": {`"role": "propensity_by_arm"`, `"role": "other"`},
		"no rewards by arm":      {`"role": "reward_by_arm"`, `"role": "other"`},
		"no eligible arms":       {`"role": "eligible"`, `"role": "other"`},
		"no batches":             {`"role": "batch"`, `"role": "other"`},
		"no units":               {`"role": "unit"`, `"role": "other"`},
		"no reward order":        {`"role": "reward_order"`, `"role": "other"`},
		"another context":        {`"context": 2`, `"context": 3`},
		"no context":             {`"context": 2`, `"context": 0`},
		"context below zero":     {`"context": 2`, `"context": -2`},
		"released":               {`"released": 1`, `"released": 2`},
		"digest of units":        {`"units_sha256": "`, `"units_sha256": "0`},
		"units":                  {`"units": 2`, `"units": 1`},
		"batches":                {`"batches": 5`, `"batches": 6`},
		"counted arm":            {`"arm": 2`, `"arm": 3`},
		"counted arm below zero": {`"arm": 2`, `"arm": -1`},
		"counted rows":           {`"arm": 2,` + "\n          \"rows\": ", `"arm": 2,` + "\n          \"rows\": 100"},
		"missing reward":         {`"missing_reward": "exclude"`, `"missing_reward": "maybe"`},
	})
}

func TestOpenMissing(t *testing.T) {
	for _, name := range []string{tableaudir.ManifestFile, tableaudir.RoundsFile, tableaudir.UnitsFile} {
		dir := madeOfUnits(t)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		_, _, err := tableaudir.Open(dir)
		if e := ingesttest.WantFault(t, err, fault.RuleTableau); e.File != name || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// madeOfUnits ingests a log with units, batches and missing rewards.
func madeOfUnits(tb testing.TB) string {
	tb.Helper()
	p := roleProtocol()
	listRoles(p)
	dir := tb.TempDir()
	if _, err := Ingest(tb.Context(), p, []files.Source{{Path: filepath.Join(roleFiles, "duckdb.parquet"), URI: "log.parquet"}}, dir, Options{}); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// A manifest that says that no reward is missing is found out at the gate, where
// rewards are read.
func TestOpenMissingRewardsDenied(t *testing.T) {
	dir := madeOfUnits(t)
	path := filepath.Join(dir, tableaudir.ManifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(data), `"missing_reward": "exclude"`, `"missing_reward": "error"`)
	if err = os.WriteFile(path, resealed(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	tab, _, err := tableaudir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closeTableau(t, tab)
	if _, err := tab.Slice(0).Disclose(&ledger.Disclosures{}, "test"); !errors.Is(err, tableau.ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// resealed gives a changed manifest the digest of what it says now, so that it
// is not the digest that finds the change. What is no manifest stays as it is.
func resealed(text string) []byte {
	var m schemas.Manifest
	var b bytes.Buffer
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(&m) != nil || d.More() || schemas.SealManifest(&b, &m) != nil {
		return []byte(text)
	}
	return b.Bytes()
}

// A manifest that was changed in any value is not read, though nothing else
// shows the change.
func TestOpenChecksTheManifestsDigest(t *testing.T) {
	manifests(t, made(t), false, map[string]edit{
		"arms swapped":    {"\"a\",\n    \"b\"", "\"b\",\n    \"a\""},
		"an id":           {`"id": "exp"`, `"id": "exq"`},
		"a context":       {`"age"`, `"agf"`},
		"a context twice": {`"land=FR"`, `"age"`},
		"declared":        {`"declared": false`, `"declared": true`},
		"a byte count":    {`"bytes": `, `"bytes": 1`},
		"gaps":            {`"gaps": 0`, `"gaps": 1`},
		"a column":        {`"column": "age"`, `"column": "agf"`},
		"a key":           {`"gaps": 0`, `"gapz": 0`},
		"one more key":    {`"gaps": 0`, `"gaps": 0, "more": 1`},
		"a key twice":     {`"declared": false`, `"declared": false, "declared": false`},
	})
}

// A manifest that would take more memory than there is is not decoded.
func TestOpenWithin(t *testing.T) {
	dir := made(t)
	info, err := os.Stat(filepath.Join(dir, tableaudir.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = tableaudir.OpenWithin(dir, 4*info.Size()-1); !errors.Is(err, fault.ErrResource) {
		t.Errorf("got %v", err)
	}
	tab, _, err := tableaudir.OpenWithin(dir, 4*info.Size())
	if err != nil {
		t.Fatal(err)
	}
	closeTableau(t, tab)
}
