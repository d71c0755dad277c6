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
	"banditaudit/ingest/stored"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// made ingests a small log and returns the directory.
func made(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "log.parquet")
	ingesttest.WriteParquet(tb, path, ingesttest.Events(20))
	dir := tb.TempDir()
	if _, err := Ingest(tb.Context(), protocol(), []files.Source{{Path: path, URI: "log.parquet"}}, dir, Options{}); err != nil {
		tb.Fatal(err)
	}
	return dir
}

func TestOpenNoticesEveryChange(t *testing.T) {
	dir := made(t)
	path := filepath.Join(dir, stored.RoundsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(data); i += 13 {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := stored.Open(dir)
		if e := ingesttest.WantFault(t, err, fault.RuleTableau); e.File != stored.RoundsFile {
			t.Errorf("byte %d: %v", i, e)
		}
	}
}

func TestOpenChecksManifest(t *testing.T) {
	dir := made(t)
	path := filepath.Join(dir, stored.ManifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
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
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.ReplaceAll(string(data), change[0], change[1])
			if changed == string(data) {
				t.Fatalf("%q is not in the manifest:\n%s", change[0], data)
			}
			if err := os.WriteFile(path, resealed(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			_, _, err := stored.Open(dir)
			_ = ingesttest.WantFault(t, err, fault.RuleTableau)
		})
	}
}

func TestOpenMissing(t *testing.T) {
	for _, name := range []string{stored.ManifestFile, stored.RoundsFile} {
		dir := made(t)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		_, _, err := stored.Open(dir)
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

// units.arrow is what the manifest says, or is not read.
func TestOpenChecksUnits(t *testing.T) {
	dir := madeOfUnits(t)
	path := filepath.Join(dir, stored.UnitsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(data); i += 97 {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		if err = os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err = stored.Open(dir)
		if e := ingesttest.WantFault(t, err, fault.RuleTableau); e.File != stored.UnitsFile {
			t.Errorf("byte %d: %v", i, e)
		}
	}
	if err = os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, _, err = stored.Open(dir)
	if e := ingesttest.WantFault(t, err, fault.RuleTableau); e.File != stored.UnitsFile || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// What the manifest says of roles is what the files are opened by.
func TestOpenChecksRoles(t *testing.T) {
	dir := madeOfUnits(t)
	path := filepath.Join(dir, stored.ManifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
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
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.ReplaceAll(string(data), change[0], change[1])
			if changed == string(data) {
				t.Fatalf("%q is not in the manifest:\n%s", change[0], data)
			}
			if err := os.WriteFile(path, resealed(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			_, _, err := stored.Open(dir)
			_ = ingesttest.WantFault(t, err, fault.RuleTableau)
		})
	}
}

// A manifest that says that no reward is missing is found out at the gate, where
// rewards are read.
func TestOpenMissingRewardsDenied(t *testing.T) {
	dir := madeOfUnits(t)
	path := filepath.Join(dir, stored.ManifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(data), `"missing_reward": "exclude"`, `"missing_reward": "error"`)
	if err = os.WriteFile(path, resealed(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	tab, _, err := stored.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closeTableau(t, tab)
	if _, err := tab.Slice(0).Disclose(openBook{}, "test"); !errors.Is(err, tableau.ErrDamaged) {
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
	dir := made(t)
	path := filepath.Join(dir, stored.ManifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
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
	} {
		changed := strings.Replace(string(data), change[0], change[1], 1)
		if changed == string(data) {
			t.Fatalf("%s: %q is not in the manifest:\n%s", name, change[0], data)
		}
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := stored.Open(dir)
		if e := ingesttest.WantFault(t, err, fault.RuleTableau); e.File != stored.ManifestFile {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A manifest that would take more memory than there is is not decoded.
func TestOpenWithin(t *testing.T) {
	dir := made(t)
	info, err := os.Stat(filepath.Join(dir, stored.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = stored.OpenWithin(dir, 4*info.Size()-1); !errors.Is(err, fault.ErrResource) {
		t.Errorf("got %v", err)
	}
	tab, _, err := stored.OpenWithin(dir, 4*info.Size())
	if err != nil {
		t.Fatal(err)
	}
	closeTableau(t, tab)
}
