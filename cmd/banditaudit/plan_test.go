package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// TestReadmePlan runs what the README says of plan: the first command comes to
// the ε that stands there, and the second is one that can be given.
func TestReadmePlan(t *testing.T) {
	commands := indented(t, manualDir, "./banditaudit plan ")
	readme := fileText(t, filepath.Join(manualDir, "plan.md"))
	code, stdout, stderr := run(t, strings.Fields(commands[0])[1:]...)
	if code != exitOK {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	const says = "ε = 0.007069 is the largest of the table that meets every wish"
	if !strings.Contains(stdout, says) || !strings.Contains(readme, says) {
		t.Errorf("not %q, or not in README.md:\n%s", says, stdout)
	}
	if testing.Short() {
		return // the second simulates for seconds; the full run has it
	}
	dir := filepath.Join(t.TempDir(), "plan")
	args := words(strings.TrimPrefix(commands[1], "./banditaudit "), dir)
	for i := range args { // in less time than with the README's runs
		if args[i] == "--runs" {
			args[i+1] = "3"
		}
	}
	if code, _, stderr = run(t, args...); code != exitOK {
		t.Fatalf("%q: exit %d\n%s", args, code, stderr)
	}
	b, err := os.ReadFile(filepath.Join(dir, planFile))
	if err != nil {
		t.Fatal(err)
	}
	p, err := schemas.DecodePlan(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Frontier) != 5 || p.World.UniformRegret < 7999 || p.World.UniformRegret > 8001 {
		t.Errorf("%d ε, uniform regret %g", len(p.Frontier), p.World.UniformRegret)
	}
}
