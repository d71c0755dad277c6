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

// logsOfARow is how many: under -short, which the race detector runs with, three.
func logsOfARow() int {
	if testing.Short() {
		return 3
	}
	return truthLogs
}

func TestTruthWorlds(t *testing.T) {
	t.Parallel()
	logs := logsOfARow()
	for _, w := range truth.Worlds() {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			counted, _, err := w.Rate(min(logs, w.Logs))
			if err != nil {
				t.Fatal(err)
			}
			if good := (counted > logs/2) == w.Right; good == w.Open {
				t.Errorf("%s: %d of %d, and Open is %t", w.Said, counted, logs, w.Open)
			}
		})
	}
}

// A claim about an honest log is VIOLATED at most once in a thousand times.
func TestTruthHonest(t *testing.T) {
	t.Parallel()
	logs := logsOfARow()
	for _, h := range truth.Kinds() {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			verdicts, err := h.Verdicts(1, logs)
			if err != nil {
				t.Fatal(err)
			}
			violated := 0
			for kind, of := range verdicts {
				violated += of[schemas.Violated]
				if n := of[schemas.Violated]; n > 0 && !h.Open {
					t.Errorf("%s is VIOLATED in %d of %d logs", kind, n, logs)
				}
			}
			if h.Open && violated == 0 {
				t.Error("nothing is VIOLATED, and Open is true")
			}
		})
	}
}

// The table from which the default test of a mean was chosen: bets has the narrowest
// interval with 100 and with 1,000 rows, whatever the shape and the level.
func TestTruthTests(t *testing.T) {
	t.Parallel()
	for _, c := range truth.Cells(false) {
		if c.Rows > 1000 {
			continue
		}
		if err := c.Try(truthLogs); err != nil {
			t.Fatal(err)
		}
		for i, name := range truth.Candidates() {
			if last := len(c.Width) - 1; i < last && c.Width[i] <= c.Width[last] {
				t.Errorf("%s, %d rows, level %g: the interval of %s is %g wide, that of %s %g", c.Shape.Name, c.Rows, c.Level, name, c.Width[i], truth.Candidates()[last], c.Width[last])
			}
		}
	}
}
