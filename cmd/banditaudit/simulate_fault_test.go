package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditaudit/replay/world"
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
				if code != exitInput || !strings.Contains(stderr, "a propensity outside (0, 1]") || !strings.Contains(stderr, "where its logarithm was logged") {
					t.Errorf("exit %d, want %d and the logarithm\n%s", code, exitInput, stderr)
				}
				return
			}
			if code != exitExceptions {
				t.Fatalf("exit %d, want %d\n%s%s", code, exitExceptions, stdout, stderr)
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

// TestFaultInWords: help has every fault, the summary and truth.json say which
// there are, and what cannot be is a usage error that names the flag.
func TestFaultInWords(t *testing.T) {
	_, help, _ := run(t, "simulate", "--help")
	help = strings.Join(strings.Fields(help), " ")
	for _, f := range world.Faults() {
		if !strings.Contains(help, f.Name) || !strings.Contains(help, f.Doc) {
			t.Errorf("help does not explain %s", f.Name)
		}
	}
	if !strings.Contains(help, "the p that is logged of a played arm can be 0") {
		t.Error("help does not say that a log may be refused")
	}
	dir := filepath.Join(t.TempDir(), "sim")
	args := []string{"simulate", "--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--means", "0.4,0.6", "--rounds", "50", "-o", dir}
	if _, stdout, stderr := run(t, append(args, "--fault", "redraw,noise-over-n-twice")...); !strings.Contains(stdout, "(not what the protocol declares: redraw, noise-over-n-twice)") {
		t.Errorf("the summary does not say the faults\n%s%s", stdout, stderr)
	}
	refused(t, exitUsage, "--fault: propensity-stale: the policy ucb draws nothing", append(args[1:len(args)-2:len(args)-2], "--fault", "propensity-stale")...)
	refused(t, exitUsage, `--fault: there is no "x"`, append(args[1:len(args)-2:len(args)-2], "--fault", "x")...)
	refused(t, exitUsage, `--fault is ",", and a name is missing`, append(args[1:len(args)-2:len(args)-2], "--fault", ",")...)
	refused(t, exitUsage, `--fault is "redraw, ", and a name is missing`, append(args[1:len(args)-2:len(args)-2], "--fault", "redraw, ")...)
	refused(t, exitUsage, "redraw is given twice", append(args[1:len(args)-2:len(args)-2], "--fault", "redraw, redraw")...)
	refused(t, exitUsage, `--fault is empty`, append(args[1:len(args)-2:len(args)-2], "--fault", "")...)
}
