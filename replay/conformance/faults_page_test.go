package conformance_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"banditaudit/testdata/reproduce/convict"
)

// TestTableOfFaults audits some of the cases of the page again, as logs of 500
// rounds, and asks whether it has all of them.
func TestTableOfFaults(t *testing.T) {
	page := faultsPage(t)
	again := map[string]string{convict.Described: "ucb × binary"}
	if !testing.Short() {
		again["half-scale"], again["redraw"] = "ucb × binary", "thompson × hybrid"
		again["extra-update"], again["propensity-stale"] = "ucb × binary, every 10", "thompson × exact, every 10"
	}
	for _, c := range convict.Cases() {
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
	bill, err := convict.Recreate(1, convict.Lengths()[0])
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

// Intervals of rates are those of scipy 1.17.1: scipy.stats.beta.ppf(0.025, k,
// n-k+1) and ppf(0.975, k+1, n-k).
func TestIntervalOfRates(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{
		{0, 10, 0, 0.3084971078187607},
		{5, 10, 0.18708602844739855, 0.8129139715526015},
		{3, 1000, 0.0006190999316495713, 0.008742023238478303},
		{10, 10, 0.6915028921812392, 1},
		{1, 200, 0.00012658102786701825, 0.02754189845720562},
	} {
		lo, hi := convict.Interval(c.k, c.n)
		if math.Abs(lo-c.lo) > 1e-12 || math.Abs(hi-c.hi) > 1e-12 {
			t.Errorf("%d of %d: from %v to %v, want from %v to %v", c.k, c.n, lo, hi, c.lo, c.hi)
		}
	}
}
