package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// keptBundle is a copy of the bundle of this version that is kept.
func keptBundle(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata", "bundles", toolVersion))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Documents that fit checksums.txt and break the rules of their form: each is named, with the
// rule, and none passes. What would take too much memory is a limit, and what another version
// wrote in a form of its own is open.
func TestVerifyReadsEveryDocument(t *testing.T) {
	dir := keptBundle(t)
	big := `"notes": ["` + strings.Repeat("x", 40_000_000) + `"`
	foreign := `"version": "9.9.9"`
	own := `"version": "` + toolVersion + `"`
	for _, tc := range []struct {
		name, file, old, text string
		code                  int
		says                  string
	}{
		{"negative pulls", resultsFile, `"pulls": `, `"pulls": -`, exitExceptions, "at '/arms/0/pulls': minimum: got -"},
		{"pulls that are a text", resultsFile, `"pulls": 1`, `"pulls": "", "x": 1`, exitExceptions, "additional properties 'x' not allowed"},
		{"a key twice", resultsFile, `"pulls": 1`, `"pulls": 7, "pulls": 1`, exitExceptions, "the key \"pulls\" stands twice"},
		{"a large text", resultsFile, `"notes": [`, big, exitResource, "not read: results.json: resource limit reached"},
		{"another overall", resultsFile, `"overall": "NO EXCEPTIONS NOTED`, `"overall": "INCOMPLETE (3)`, exitExceptions, "its claims come to \"NO EXCEPTIONS NOTED\""},
		{"other cautions", resultsFile, `"cautions": `, `"cautions": 9`, exitExceptions, "and /cautions is 9"},
		{"a verdict", resultsFile, `"verdict": "VERIFIED"`, `"verdict": "VIOLATED"`, exitExceptions, "its claims come to \"EXCEPTIONS NOTED (1)\""},
		{"a verdict that is none", resultsFile, `"verdict": "VERIFIED"`, `"verdict": "FINE"`, exitExceptions, "at '/verdict': value must be one of"},
		{"a manifest of another form", "manifest.json", `"declared": true`, `"declared": 7`, exitExceptions, "manifest.json: changed, it cannot be read: "},
		{"a large manifest", "manifest.json", `"inputs": [`, `"x": "` + big[12:] + `, "inputs": [`, exitResource, "not read: manifest.json: resource limit reached"},
		{"a run of another form", runFile, `"os": `, `"so": `, exitExceptions, `run.json: changed, it cannot be read: json: unknown field "so"`},
		{"a large run", runFile, `"host": "`, `"host": "` + big[12:len(big)-1], exitResource, "not read: run.json: resource limit reached"},
		{"fewer than no rows", runFile, `"rows": `, `"rows": -`, exitExceptions, "run.json: changed, it cannot be read: /rows is -"},
		{"a key of a run twice", runFile, `"rows": `, `"rows": 5, "rows": `, exitExceptions, "it has not the keys and values that a run writes, each once"},
		{"a run that ended otherwise", runFile, `"reason": "`, `"reason": "NOT `, exitExceptions, "run.json: changed, it cannot be read: /reason is not /overall of results.json"},
		{"another schema of a run", runFile, runSchema, "run.v9", exitExceptions, `run.json: changed, it cannot be read: /schema is "run.v9"`},
		{"a key of no protocol", effectiveFile, "version: 1", "version: 1\nzz: 1", exitExceptions, effectiveFile + ": changed, it cannot be read"},
		{"another version", resultsFile, own, foreign, 0, "the verification: NO EXCEPTIONS NOTED"},
		{"another form of another version", resultsFile, own, foreign + `, "x": 1`, exitIncomplete, "not read: results.json: another version wrote the bundle"},
	} {
		rewritten(t, dir, tc.file, tc.old, tc.text)
		code, stdout, stderr := run(t, "verify", dir)
		if code != tc.code || !strings.Contains(stdout, tc.says) || tc.code != 0 && strings.Contains(stdout, "verification: "+schemas.OverallClean) {
			t.Errorf("%s: exit %d, want %d and %q\n%.2000s%.2000s", tc.name, code, tc.code, tc.says, stdout, stderr)
		}
		rewritten(t, dir, tc.file, tc.text, tc.old)
	}
	var all map[string]json.RawMessage
	if b, err := os.ReadFile(filepath.Join(dir, resultsFile)); err != nil || json.Unmarshal(b, &all) != nil {
		t.Fatal(err)
	}
	claims := `"claims": ` + string(all["claims"])
	rewritten(t, dir, resultsFile, claims, `"claims": []`)
	if code, stdout, _ := run(t, "verify", dir); code != exitExceptions || !strings.Contains(stdout, "it has no claim data.quality") {
		t.Errorf("no claims: exit %d\n%s", code, stdout)
	}
	rewritten(t, dir, resultsFile, `"claims": []`, claims)
	rewritten(t, dir, resultsFile, own, foreign)
	rewritten(t, dir, resultsFile, `"alpha": 0.05`, `"alpha": 0.06`)
	if code, stdout, _ := run(t, "verify", dir); code != exitExceptions || !strings.Contains(stdout, "has 0.06 at /analysis/alpha, where it has 0.05") {
		t.Errorf("another protocol of another version: exit %d\n%s", code, stdout)
	}
}

// Nothing is signed whose results break the rules of their form, or cannot be read within
// the memory that is allowed; a verification with keys is then a limit, not a fault.
func TestSignReadsEveryExperiment(t *testing.T) {
	keys := signers(t, "a")
	key := filepath.Join(keys, "a")
	dir := keptBundle(t)
	rewritten(t, dir, resultsFile, `"pulls": `, `"pulls": -`)
	if code, _, stderr := run(t, "sign", "--key", key, dir); code != exitExceptions || !strings.Contains(stderr, "minimum: got -") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	rewritten(t, dir, resultsFile, `"pulls": -`, `"pulls": `)
	if code, _, stderr := run(t, "sign", "--key", key, dir); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	big := `"notes": ["` + strings.Repeat("x", 40_000_000) + `"`
	rewritten(t, dir, resultsFile, `"notes": [`, big)
	for _, args := range [][]string{{"sign", "--key", key, dir}, {"verify", "--key", key + ".pub", dir}} {
		if code, stdout, stderr := run(t, args...); code != exitResource {
			t.Errorf("%v: exit %d\n%s%s", args, code, stdout, stderr)
		}
	}
	write(t, filepath.Join(dir, "report.md"), nil) // 1 goes before 6
	if code, stdout, stderr := run(t, "verify", dir); code != exitExceptions {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}
