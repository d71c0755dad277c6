package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/cmd/kit"
)

// TestReadmePlan runs what the manual says of plan: the first command comes to
// the ε that stands there, and the second is one that can be given.
func TestReadmePlan(t *testing.T) {
	b, err := os.ReadFile("topics/plan.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(b)
	var commands []string
	for line := range strings.Lines(readme) {
		if command, ok := strings.CutPrefix(line, "    ./banditlab "); ok {
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	code, stdout, stderr := run(t, strings.Fields(commands[0])...)
	if code != kit.ExitOK {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	const says = "ε = 0.007069 is the largest of the table that meets every wish"
	if !strings.Contains(stdout, says) || !strings.Contains(readme, says) {
		t.Errorf("not %q, or not in plan.md:\n%s", says, stdout)
	}
	if testing.Short() {
		return // the second simulates for seconds; the full run has it
	}
	dir := filepath.Join(t.TempDir(), "plan")
	args := strings.Fields(strings.ReplaceAll(commands[1], "-o DIR", "-o "+dir))
	for i := range args { // in less time than with the manual's runs
		if args[i] == "--runs" {
			args[i+1] = "3"
		}
	}
	if code, _, stderr = run(t, args...); code != kit.ExitOK {
		t.Fatalf("%q: exit %d\n%s", args, code, stderr)
	}
	b, err = os.ReadFile(filepath.Join(dir, kit.PlanFile))
	if err != nil {
		t.Fatal(err)
	}
	p, err := documents.DecodePlan(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Frontier) != 5 || p.World.UniformRegret < 7999 || p.World.UniformRegret > 8001 {
		t.Errorf("%d ε, uniform regret %g", len(p.Frontier), p.World.UniformRegret)
	}
}
