package replay_test

import (
	"os"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/mechanisms"
)

// TestTableOfMechanisms computes some rows of the table again, and asks whether
// it has all of them.
func TestTableOfMechanisms(t *testing.T) {
	b, err := os.ReadFile("../testdata/reproduce/MECHANISMS.md")
	if err != nil {
		t.Fatal(err)
	}
	table := string(b)
	again := map[string]bool{
		"uniform": true, "epsilon-greedy × exact": true, "ucb, c = 2 × hybrid": true, "ucb, c = 2 × tree": true, "softmax × epochs": true,
		"linucb × hybrid": true, "uniform, linear world": true, "inverse-gap, means": true,
	}
	for _, p := range append(mechanisms.Pairs(), mechanisms.Scored()...) {
		if again[p.Name()] {
			delete(again, p.Name())
			row, err := p.Run()
			if err != nil {
				t.Errorf("%s: %v", p.Name(), err)
			} else if !strings.Contains(table, "\n"+row.Reproducible()+" ") {
				t.Errorf("the table has no row that begins with %s; write it again with the command that it names", row.Reproducible())
			}
		} else if !strings.Contains(table, "\n| "+p.Name()+" | ") {
			t.Errorf("the table has no row of %s; write it again with the command that it names", p.Name())
		}
	}
	for name := range again {
		t.Errorf("there is no pair %s", name)
	}
}
