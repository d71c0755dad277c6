package analyze_test

import (
	"testing"

	"banditaudit/schemas"
	"banditaudit/testdata/reproduce/truth"
)

// Some of the page is computed again: a few logs of every row. Seeds are fixed. A
// row whose item is not built yet must still fail, so that the word Open goes with
// the mend.
const truthLogs = 10

func TestTruthWorlds(t *testing.T) {
	t.Parallel()
	for _, w := range truth.Worlds() {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			counted, _, err := w.Rate(min(truthLogs, w.Logs))
			if err != nil {
				t.Fatal(err)
			}
			if good := (counted > truthLogs/2) == w.Right; good == w.Open {
				t.Errorf("%s: %d of %d, and Open is %t", w.Said, counted, truthLogs, w.Open)
			}
		})
	}
}

// A claim about an honest log is VIOLATED at most once in a thousand times.
func TestTruthHonest(t *testing.T) {
	t.Parallel()
	for _, h := range truth.Kinds() {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			verdicts, err := h.Verdicts(1, truthLogs)
			if err != nil {
				t.Fatal(err)
			}
			violated := 0
			for kind, of := range verdicts {
				violated += of[schemas.Violated]
				if n := of[schemas.Violated]; n > 0 && !h.Open {
					t.Errorf("%s is VIOLATED in %d of %d logs", kind, n, truthLogs)
				}
			}
			if h.Open && violated == 0 {
				t.Error("nothing is VIOLATED, and Open is true")
			}
		})
	}
}
