package corrections

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
)

// TestLargestCost holds what the row that paid most had paid by streams of some lengths
// against the ledger of a log that ends there; it does not fall as streams grow. Under a law
// of paths it is no less than the ledger, row by row.
func TestLargestCost(t *testing.T) {
	for _, name := range []string{"binary", "hybrid", "laplace", "tree", "interval", "epochs"} {
		s := counter.Spec{Name: name, Epsilon: big.NewRat(1, 2)}
		if name == "binary" || name == "tree" || name == "interval" {
			s.Horizon = 4096
		}
		c, err := counter.New(s)
		if err != nil {
			t.Fatal(err)
		}
		before := 0.0
		for n := int64(1); n <= 600; n += 7 {
			pulls := []int64{n / 2, n, 0}
			got, want := largestCost(c, 3*n, pulls), ledger.Account(c, pulls, nil).Realized().Up()
			if got != want || got < before {
				t.Fatalf("%s, %d rows: %g, want %g, before %g", name, n, got, want, before)
			}
			before = got
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		law := &ledger.PathLaw{Decisions: ledger.NewEven(ledger.NewLoss(big.NewRat(1, 8))), Opposed: rapid.Bool().Draw(t, "opposed"), First: 2}
		arms := rapid.SliceOfN(rapid.IntRange(0, 2), 1, 40).Draw(t, "arms")
		law.Rounds = int64(len(arms))
		path, pulls := ledger.NewPath(law, 3), make([]int64, 3)
		for i, arm := range arms {
			pulls[arm]++
			same := int64(0)
			for _, later := range arms[i+1:] {
				if later == arm {
					same++
				}
			}
			path.Row(arm, int64(len(arms)-i-1), same)
		}
		if got, want := largestCost(law, law.Rounds, pulls), path.Run().Realized().Up(); got < want {
			t.Fatalf("%g, and a row costs %g", got, want)
		}
	})
}
