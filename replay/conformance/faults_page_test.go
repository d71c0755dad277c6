package conformance_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/faults"
)

// TestTableOfFaults audits some of the cases of the page again, as logs of 500
// rounds, and asks whether it has all of them.
func TestTableOfFaults(t *testing.T) {
	page := faultsPage(t)
	again := map[string]string{faults.Described: "ucb × binary"}
	if !testing.Short() {
		again["half-scale"], again["redraw"] = "ucb × binary", "thompson × hybrid"
		again["extra-update"], again["propensity-stale"] = "ucb × binary, every 10", "thompson × exact, every 10"
	}
	for _, c := range faults.Cases() {
		name := fmt.Sprintf("\n| %s | %s | ", c.Name(), c.Mechanism.Name)
		if !strings.Contains(page, name) {
			t.Errorf("the page has no row of %s, %s; write it again with the command that it names", c.Name(), c.Mechanism.Name)
		}
		if again[c.Faults] != c.Mechanism.Name {
			continue
		}
		cells, err := c.Try(500)
		if err != nil {
			t.Errorf("%s: %v", c.Name(), err)
			continue
		}
		for i := range cells {
			if start := cells[i].Start(); !strings.Contains(page, "\n"+start) {
				t.Errorf("the page has no row that begins with %s; write it again with the command that it names", start)
			}
		}
	}
}

// TestRecreationOnPage computes the shortest bill again.
func TestRecreationOnPage(t *testing.T) {
	page := faultsPage(t)
	bill, err := faults.Recreate(1, faults.Lengths()[0])
	if err != nil {
		t.Fatal(err)
	}
	if line := bill.Line(); !strings.Contains(page, "\n"+line+"\n") {
		t.Errorf("the page does not say %s; write it again with the command that it names", line)
	}
}

func faultsPage(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../testdata/reproduce/FAULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
