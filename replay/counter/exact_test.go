package counter

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/replay/ledger"
)

func TestExactReleasesRunningSums(t *testing.T) {
	c, err := New(Spec{Name: "exact"})
	if err != nil {
		t.Fatal(err)
	}
	bank := c.Bank(make([]rand.Source, 2))
	for i, want := range []float64{0.1, 0.30000000000000004, 0.6000000000000001} { // 0.1, ⊕ 0.2, ⊕ 0.3 in binary64
		if got, _, err := bank.Add(1, float64(i+1)/10); err != nil || got != want {
			t.Errorf("sum %v (%v), want %v", got, err, want)
		}
	}
	if got, _, err := bank.Add(0, 1); err != nil || got != 1 {
		t.Errorf("arms share a sum: %v (%v)", got, err)
	}
}

func TestExactCostsEverything(t *testing.T) {
	c := exact{}
	if !c.Epsilon().IsInf() || !c.Cost(1, 1).IsInf() || !c.Cost(2, 1).IsZero() || !c.Cost(0, 1).IsZero() {
		t.Error("a row of the stream must cost ∞ and no other anything")
	}
	if diff := cmp.Diff([]ledger.Level{{Cost: ledger.Infinite(), Rows: 7}}, c.Levels(7)); diff != "" {
		t.Error(diff)
	}
	if c.Levels(0) != nil || c.Releases(0) != nil || c.Noise(3) != nil || c.Shape(9) >= c.Shapes() {
		t.Error("special cases")
	}
	if r := c.Releases(7); len(r) != 1 || r[0].Count != 7 || r[0].Scale.Sign() != 0 || !r[0].Epsilon.IsInf() {
		t.Errorf("releases %+v", r)
	}
}
