package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// keptBundle is a copy of the bundle of this version that is kept.
func keptBundle(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata", "bundles", kit.Version))); err != nil {
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
	own := `"version": "` + kit.Version + `"`
	for _, tc := range []struct {
		name, file, old, text string
		code                  int
		says                  string
	}{
		{"negative pulls", kit.ResultsFile, `"pulls": `, `"pulls": -`, kit.ExitExceptions, "at '/arms/0/pulls': minimum: got -"},
		{"pulls that are a text", kit.ResultsFile, `"pulls": 1`, `"pulls": "", "x": 1`, kit.ExitExceptions, "additional properties 'x' not allowed"},
		{"a key twice", kit.ResultsFile, `"pulls": 1`, `"pulls": 7, "pulls": 1`, kit.ExitExceptions, "the key \"pulls\" stands twice"},
		{"a large text", kit.ResultsFile, `"notes": [`, big, kit.ExitResource, "not read: results.json: resource limit reached"},
		{"another overall", kit.ResultsFile, `"overall": "NO EXCEPTIONS NOTED`, `"overall": "INCOMPLETE (3)`, kit.ExitExceptions, "its claims come to \"NO EXCEPTIONS NOTED\""},
		{"other cautions", kit.ResultsFile, `"cautions": `, `"cautions": 9`, kit.ExitExceptions, "and /cautions is 9"},
		{"a verdict", kit.ResultsFile, `"verdict": "VERIFIED"`, `"verdict": "VIOLATED"`, kit.ExitExceptions, "its claims come to \"EXCEPTIONS NOTED (1)\""},
		{"a verdict that is none", kit.ResultsFile, `"verdict": "VERIFIED"`, `"verdict": "FINE"`, kit.ExitExceptions, "at '/verdict': value must be one of"},
		{"a manifest of another form", "manifest.json", `"declared": true`, `"declared": 7`, kit.ExitExceptions, "manifest.json: changed, it cannot be read: "},
		{"a large manifest", "manifest.json", `"inputs": [`, `"x": "` + big[12:] + `, "inputs": [`, kit.ExitResource, "not read: manifest.json: resource limit reached"},
		{"a run of another form", kit.RunFile, `"os": `, `"so": `, kit.ExitExceptions, `run.json: changed, it cannot be read: json: unknown field "so"`},
		{"a large run", kit.RunFile, `"host": "`, `"host": "` + big[12:len(big)-1], kit.ExitResource, "not read: run.json: resource limit reached"},
		{"fewer than no rows", kit.RunFile, `"rows": `, `"rows": -`, kit.ExitExceptions, "run.json: changed, it cannot be read: /rows is -"},
		{"a key of a run twice", kit.RunFile, `"rows": `, `"rows": 5, "rows": `, kit.ExitExceptions, "it has not the keys and values that a run writes, each once"},
		{"a run that ended otherwise", kit.RunFile, `"reason": "`, `"reason": "NOT `, kit.ExitExceptions, "run.json: changed, it cannot be read: /reason is not /overall of results.json"},
		{"another schema of a run", kit.RunFile, bundle.RunSchema, "run.v9", kit.ExitExceptions, `run.json: changed, it cannot be read: /schema is "run.v9"`},
		{"a key of no protocol", kit.EffectiveFile, "version: 1", "version: 1\nzz: 1", kit.ExitExceptions, kit.EffectiveFile + ": changed, it cannot be read"},
		{"another version", kit.ResultsFile, own, foreign, 0, "the verification: NO EXCEPTIONS NOTED"},
		{"another form of another version", kit.ResultsFile, own, foreign + `, "x": 1`, kit.ExitIncomplete, "not read: results.json: another version wrote the bundle"},
	} {
		rewritten(t, dir, tc.file, tc.old, tc.text)
		code, stdout, stderr := run(t, "verify", dir)
		if code != tc.code || !strings.Contains(stdout, tc.says) || tc.code != 0 && strings.Contains(stdout, "verification: "+schemas.OverallClean) {
			t.Errorf("%s: exit %d, want %d and %q\n%.2000s%.2000s", tc.name, code, tc.code, tc.says, stdout, stderr)
		}
		rewritten(t, dir, tc.file, tc.text, tc.old)
	}
	var all map[string]json.RawMessage
	if b, err := os.ReadFile(filepath.Join(dir, kit.ResultsFile)); err != nil || json.Unmarshal(b, &all) != nil {
		t.Fatal(err)
	}
	claims := `"claims": ` + string(all["claims"])
	rewritten(t, dir, kit.ResultsFile, claims, `"claims": []`)
	if code, stdout, _ := run(t, "verify", dir); code != kit.ExitExceptions || !strings.Contains(stdout, "it has no claim data.quality") {
		t.Errorf("no claims: exit %d\n%s", code, stdout)
	}
	rewritten(t, dir, kit.ResultsFile, `"claims": []`, claims)
	rewritten(t, dir, kit.ResultsFile, own, foreign)
	rewritten(t, dir, kit.ResultsFile, `"alpha": 0.05`, `"alpha": 0.06`)
	if code, stdout, _ := run(t, "verify", dir); code != kit.ExitExceptions || !strings.Contains(stdout, "has 0.06 at /analysis/alpha, where it has 0.05") {
		t.Errorf("another protocol of another version: exit %d\n%s", code, stdout)
	}
}

// Nothing is signed whose results break the rules of their form, or cannot be read within
// the memory that is allowed; a verification with keys is then a limit, not a fault.
func TestSignReadsEveryExperiment(t *testing.T) {
	keys := signers(t, "a")
	key := filepath.Join(keys, "a")
	dir := keptBundle(t)
	rewritten(t, dir, kit.ResultsFile, `"pulls": `, `"pulls": -`)
	if code, _, stderr := run(t, "sign", "--key", key, dir); code != kit.ExitExceptions || !strings.Contains(stderr, "minimum: got -") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	rewritten(t, dir, kit.ResultsFile, `"pulls": -`, `"pulls": `)
	if code, _, stderr := run(t, "sign", "--key", key, dir); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	big := `"notes": ["` + strings.Repeat("x", 40_000_000) + `"`
	rewritten(t, dir, kit.ResultsFile, `"notes": [`, big)
	for _, args := range [][]string{{"sign", "--key", key, dir}, {"verify", "--key", key + ".pub", dir}} {
		if code, stdout, stderr := run(t, args...); code != kit.ExitResource {
			t.Errorf("%v: exit %d\n%s%s", args, code, stdout, stderr)
		}
	}
	write(t, filepath.Join(dir, "report.md"), nil) // 1 goes before 6
	if code, stdout, stderr := run(t, "verify", dir); code != kit.ExitExceptions {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}
