package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestNoEpsilonOfAnotherMechanism: where the log contradicts that the declared
// mechanism made it, privacy.total is NOT ESTABLISHED on the console, in the
// report and by the exit code's claim, and no ε of that mechanism stands beside
// it; of the same log without the fault it is VERIFIED with its ε.
func TestNoEpsilonOfAnotherMechanism(t *testing.T) {
	t.Setenv("COLUMNS", "1000")
	for fault, want := range map[string]string{"": "privacy.total                  VERIFIED        ε = 0.5\n", "half-scale": "privacy.total                  NOT ESTABLISHED  the accounting is of what the declared mechanism releases, and it did not write this log (policy.conformance is VIOLATED)\n"} {
		args := []string{"--policy", "ucb", "--counter", "laplace", "--epsilon", "0.5", "--means", "0.4,0.6", "--rounds", "300", "--seed", "3"}
		if fault != "" {
			args = append(args, "--fault", fault)
		}
		sim := simulated(t, args...)
		protocol, log := filepath.Join(sim, "protocol.yaml"), filepath.Join(sim, "log")
		_, stdout, stderr := run(t, "audit", "-p", protocol, "-o", filepath.Join(t.TempDir(), "out"), log)
		if !strings.Contains(stdout, want) || (fault != "") == strings.Contains(stdout, "ε =") {
			t.Errorf("%q: %s%s", fault, stdout, stderr)
		}
		tableau := filepath.Join(t.TempDir(), "tableau")
		if code, _, stderr := run(t, "ingest", "-q", "-p", protocol, "-o", tableau, log); code != 0 {
			t.Fatal(stderr)
		}
		_, stdout, _ = run(t, "replay", "-p", protocol, "-t", tableau, "-o", filepath.Join(t.TempDir(), "replay"))
		if (fault != "") == strings.Contains(stdout, "  0.5 ") {
			t.Errorf("%q: %s", fault, stdout)
		}
	}
}
