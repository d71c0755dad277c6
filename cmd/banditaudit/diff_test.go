package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditaudit/cmd/banditaudit/attest/compare"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// Two bundles of one log: the same, under another level, and with verdicts that fell or
// are gone.
func TestDiff(t *testing.T) {
	dir, protocol, log := seededBundle(t)
	text, err := os.ReadFile(protocol)
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(filepath.Dir(protocol), "changed.yaml")
	write(t, changed, []byte(strings.Replace(string(text), "alpha: 0.05", "alpha: 0.3", 1)))
	other := bundled(t, changed, log)
	spoilt := filepath.Join(t.TempDir(), kit.ResultsFile)
	results, err := os.ReadFile(filepath.Join(dir, kit.ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	put := func(old, text string) {
		if !strings.Contains(string(results), old) {
			t.Fatalf("results.json has no %s", old)
		}
		write(t, spoilt, []byte(strings.Replace(string(results), old, text, 1)))
	}
	compared := func(code int, args ...string) (d bundle.Changes) {
		t.Helper()
		got, stdout, stderr := run(t, append([]string{"diff", "--json"}, args...)...)
		if got != code || json.Unmarshal([]byte(stdout), &d) != nil {
			t.Errorf("%v: exit %d, want %d\n%s%s", args, got, code, stdout, stderr)
		}
		return d
	}
	if d := compared(0, dir, dir); len(d.Claims)+len(d.Decisions)+len(d.Numbers)+len(d.GoesWith) > 0 {
		t.Errorf("a bundle differs from itself: %+v", d)
	}
	if d := compared(0, dir, other); len(d.Numbers) == 0 || len(d.GoesWith) != 1 || d.GoesWith[0].At != "/protocol/analysis/alpha" || d.GoesWith[0].B != "0.3" {
		t.Errorf("another level: %+v", d)
	}
	put(`"pulls": 133`, `"pulls": 132`)
	if d := compared(0, dir, spoilt); len(d.Numbers) != 1 || d.Numbers[0].At != "/experiments/simulated/arms/arm-1/pulls" || d.Numbers[0].B != "132" {
		t.Errorf("a number: %+v", d.Numbers)
	}
	if d := compared(0, "--tolerance", "0.01", dir, spoilt); len(d.Numbers) != 0 {
		t.Errorf("within the tolerance: %+v", d.Numbers)
	}
	put(`"verdict": "VERIFIED"`, `"verdict": "CONSISTENT"`)
	if d := compared(kit.ExitExceptions, dir, spoilt); len(d.Claims) != 1 || !d.Claims[0].Fell {
		t.Errorf("a verdict fell: %+v", d.Claims)
	}
	if d := compared(0, spoilt, dir); len(d.Claims) != 1 || d.Claims[0].Fell {
		t.Errorf("a verdict rose: %+v", d.Claims)
	}
	put(`"id": "data.quality"`, `"id": "quality"`)
	if d := compared(kit.ExitExceptions, dir, spoilt); len(d.Claims) != 2 || d.Claims[0].B != "gone" {
		t.Errorf("a claim is gone: %+v", d.Claims)
	}
	for _, tc := range []struct{ old, text, decision, number string }{
		{"\"id\": \"H1\",\n          \"kind\": \"mean\"", "\"id\": \"H9\",\n          \"kind\": \"mean\"", "/experiments/simulated/tests/H1/decision", ""},
		{`"label": "arm-2"`, `"label": "arm-9"`, "", "/experiments/simulated/arms/arm-2"},
	} {
		put(tc.old, tc.text)
		d := compared(0, dir, spoilt)
		at := func(list []compare.Difference, want string) bool {
			return want == "" || slices.ContainsFunc(list, func(x compare.Difference) bool { return x.At == want && x.B == "nothing" })
		}
		if !at(d.Decisions, tc.decision) || !at(d.Numbers, tc.number) {
			t.Errorf("%s: %+v", tc.text, d)
		}
	}
	twice := readResults(t, filepath.Join(dir, kit.ResultsFile))
	twice.Claims = append(twice.Claims, twice.Claims[0])
	if text, err = schemas.Encode(twice); err != nil {
		t.Fatal(err)
	}
	write(t, spoilt, text)
	if code, _, stderr := run(t, "diff", dir, spoilt); code != kit.ExitInput || !strings.Contains(stderr, "twice") {
		t.Errorf("a claim twice: exit %d\n%s", code, stderr)
	}
	put(`"id": "data.quality"`, `"id": "quality"`)
	if code, stdout, _ := run(t, "diff", dir, spoilt); code != kit.ExitExceptions || !strings.Contains(stdout, "claim, fell: data.quality of simulated: VERIFIED → gone\n") {
		t.Errorf("exit %d\n%s", code, stdout)
	}
	for _, args := range [][]string{{dir}, {dir, dir, dir}, {"--tolerance", "-1", dir, dir}, {"--tolerance", "NaN", dir, dir}} {
		if code, _, _ := run(t, append([]string{"diff"}, args...)...); code != kit.ExitUsage {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}

// Results of another version are read where they have the form, and refused with their
// version where they have not.
func TestOtherVersions(t *testing.T) {
	dir, _, _ := seededBundle(t)
	results, err := os.ReadFile(filepath.Join(dir, kit.ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	older := strings.Replace(string(results), `"version": "`+kit.Version+`"`, `"version": "0.2.9"`, 1)
	for _, tc := range []struct {
		text string
		code int
		says string
	}{
		{older, 0, ""},
		{strings.Replace(older, `"cautions"`, `"warnings"`, 1), kit.ExitInput, "of version 0.2.9, which this version, " + kit.Version + ", does not read"},
		{strings.Replace(string(results), `"cautions"`, `"warnings"`, 1), kit.ExitInput, ""},
	} {
		write(t, filepath.Join(dir, kit.ResultsFile), []byte(tc.text))
		for _, args := range [][]string{{"report", "-q", "-o", filepath.Join(t.TempDir(), "r"), filepath.Join(dir, kit.ResultsFile)}, {"diff", dir, dir}} {
			if code, _, stderr := run(t, args...); code != tc.code || !strings.Contains(stderr, tc.says) {
				t.Errorf("%v: exit %d, want %d and %q\n%s", args, code, tc.code, tc.says, stderr)
			}
		}
	}
}
