package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
)

// Tests that need every method, added to the protocols that simulate writes.
const everyMethod = `    - {id: P3, equal: all, decide: rerun}
    - {id: P4, difference: [arm-2, arm-1], value: 0}
    - {id: P5, difference: [arm-2, arm-1], value: 0, decide: adaptive}
    - {id: P6, equal: all, decide: assignment}
`

// Coefficients of one regression of all arms, and of one of each.
const everyCoefficient = `    - {id: P7, regression: main, arm: each, coefficient: x0, value: 0}
    - {id: P8, regression: pooled, joint: {"arm[arm-2]:x0": 0}}
`

// A bundle has the same bytes whatever the processor can do: every feature that this program
// or a library asks for is taken away alone, and all together.
func TestEveryProcessor(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("no code here asks what the processor can do")
	}
	for name, c := range map[string]struct {
		more string
		args []string
	}{
		"propensities": {everyMethod + everyCoefficient, []string{"--policy", "thompson", "--counter", "exact", "--log", "released,propensities", "--context-dim", "2"}},
		"noise":        {"    - {id: P9, equal: all}\n", []string{"--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--log", "released", "--world", "beta"}},
	} {
		sim := simulated(t, append(c.args, "--means", "0.4,0.6", "--rounds", "1200", "--seed", "5")...)
		protocol := filepath.Join(sim, "protocol.yaml")
		text := strings.NewReplacer("  chosen: before\n", "  chosen: before\n  approximate: accept\n  sequence: normal\n", "regressions: [", "regressions: [{name: pooled, arms: pooled, interactions: true, covariance: HC3}, ").Replace(readFile(t, protocol))
		write(t, protocol, []byte(text+c.more))
		want := onProcessor(t, sim, "")
		for _, without := range []string{"cpu.fma=off", "cpu.avx=off", "cpu.avx2=off", "cpu.sse41=off", "cpu.bmi2=off", "cpu.all=off"} {
			got := onProcessor(t, sim, without)
			for _, file := range slices.Sorted(maps.Keys(want)) {
				if file != kit.RunFile && file != kit.ChecksumsFile && got[file] != want[file] {
					t.Errorf("%s, GODEBUG=%s: %s differs", name, without, file)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s, GODEBUG=%s: %d files, want %d", name, without, len(got), len(want))
			}
		}
	}
}

// onProcessor audits a simulated log in a process of its own, on a processor without something,
// and returns the digests of the bundle.
func onProcessor(t *testing.T, sim, without string) map[string]string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	cmd := exec.Command(os.Args[0], "audit", "-q", "--fail-on", "never", "-p", filepath.Join(sim, "protocol.yaml"), "-o", out, filepath.Join(sim, "log"))
	cmd.Env = append(os.Environ(), asProgram+"=1", "CI=true", "GODEBUG="+without)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("GODEBUG=%s: %v\n%s", without, err, text)
	}
	files, _, err := bundle.FilesOf(os.DirFS(out))
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]string{}
	for _, f := range files {
		digests[f.Name] = f.SHA256
	}
	return digests
}
