package analyze_test

import (
	"path/filepath"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// Some of the page is computed again: the first logs of every row, which are among
// those that were counted. Seeds are fixed. A row whose item is not built yet must
// still fail, so that the word Open goes with the mend.
const (
	worldLogs = 3 // of a row of which the page says the same of all logs
	mixedLogs = 5 // of another: at its lowest rate, 91 %, most of five are not counted once in 160 times
	testLogs  = 10
	// Of an honest kind: an accusation of half of its logs is missed by three once in 8
	// times, one of a tenth of the logs of all 132 kinds never. The page counts 2,000.
	honestLogs = 3
)

// Where the page counts all logs of a world, or none, the first ones are counted as
// it says, each: a rate that falls to a half is seen in 7 of 8 rows. Elsewhere most
// of them are.
func TestTruthWorlds(t *testing.T) {
	t.Parallel()
	book, err := truth.ReadBook(filepath.Join("..", "testdata", "reproduce", "TRUTH.json"))
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]truth.Counted{}
	for i := range book.Rows {
		if k := &book.Rows[i]; k.Table == truth.TableWorlds {
			kept[k.Name] = k.Counted[0]
		}
	}
	for _, w := range truth.Worlds() {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			page := kept[w.Name]
			same := page.Logs > 0 && (page.Of == 0 || page.Of == page.Logs)
			logs := mixedLogs
			if same {
				logs = worldLogs
			}
			counted, _, err := w.Rate(logs)
			if err != nil {
				t.Fatal(err)
			}
			if good := (counted > logs/2) == w.Right; good == w.Open {
				t.Errorf("%s: %d of %d, and Open is %t", w.Said, counted, logs, w.Open)
			}
			if same && counted*page.Logs != page.Of*logs {
				t.Errorf("%s: %d of %d, and %d of %d on the page", w.Said, counted, logs, page.Of, page.Logs)
			}
		})
	}
}

// A claim about an honest log is VIOLATED at most once in a thousand times; and no
// mean of one moves.
func TestTruthHonest(t *testing.T) {
	t.Parallel()
	for _, h := range truth.Kinds() {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			violated := 0
			for run := range honestLogs {
				found := audited(t, h.Deploy(int64(run+1)), h.Protocol)
				for i := range found.Head.Claims {
					if c := &found.Head.Claims[i]; c.Verdict == schemas.Violated {
						if violated++; !h.Open {
							t.Errorf("log %d: %s is VIOLATED: %s", run+1, c.Kind, c.Reason)
						}
					}
				}
				if c := check.Find(found.First().Data.Checks, "H13"); c.Status != schemas.CheckPass {
					t.Errorf("log %d: H13: %s", run+1, c.Observed)
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
		if err := c.Try(testLogs); err != nil {
			t.Fatal(err)
		}
		for i, name := range truth.Candidates() {
			if last := len(c.Width) - 1; i < last && c.Width[i] <= c.Width[last] {
				t.Errorf("%s, %d rows, level %g: the interval of %s is %g wide, that of %s %g", c.Shape.Name, c.Rows, c.Level, name, c.Width[i], truth.Candidates()[last], c.Width[last])
			}
		}
	}
}
