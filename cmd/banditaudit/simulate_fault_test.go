package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// faulted simulates under a fault what can have it.
func faulted(t *testing.T, fault string, more ...string) string {
	t.Helper()
	args := []string{
		"--policy", "softmax", "--counter", "binary", "--epsilon", "2", "--set", "eta=0.01", "--means", "0.2,0.5,0.7", "--rounds", "600",
		"--batch", "20", "--log", "released,propensities", "--fault", fault,
	}
	return simulated(t, append(args, more...)...)
}

// TestFaultsAreConvicted: with the seed, no fault goes unseen, and the one that
// logs no probabilities is refused before there is anything to judge. A
// protocol without -p and one with it give the same log.
func TestFaultsAreConvicted(t *testing.T) {
	for i, f := range world.Faults() {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			dir := faulted(t, f.Name)
			out := filepath.Join(t.TempDir(), "out")
			code, stdout, stderr := run(t, "audit", "-p", filepath.Join(dir, "protocol.yaml"), "-o", out, filepath.Join(dir, "log"))
			if f.Name == "propensity-loglik" {
				if code != kit.ExitInput || !strings.Contains(stderr, "a propensity outside (0, 1]") || !strings.Contains(stderr, "where its logarithm was logged") {
					t.Errorf("exit %d, want %d and the logarithm\n%s", code, kit.ExitInput, stderr)
				}
				return
			}
			if code != kit.ExitExceptions {
				t.Fatalf("exit %d, want %d\n%s%s", code, kit.ExitExceptions, stdout, stderr)
			}
			r := readResults(t, filepath.Join(out, "results.json"))
			violated := func(c schemas.Finding) bool {
				return c.Kind == schemas.KindConformance && c.Verdict == schemas.Violated
			}
			if !slices.ContainsFunc(r.Claims, violated) {
				t.Errorf("%+v", r.Claims)
			}
			countsHold(t, firstAnswer(stdout), r)
		})
	}
}
