package counter

import (
	"fmt"
	"math/big"
	"testing"

	"banditaudit/replay/ledger"
)

// The nodes of a stream give the cost of every row, at every length; interval groups no
// rows in streams so short.
func TestNodesGiveTheCosts(t *testing.T) {
	v, half := big.NewRat(11, 10), big.NewRat(1, 2)
	for _, spec := range []Spec{
		{Name: "laplace", Epsilon: half},
		{Name: "epochs", Epsilon: half},
		{Name: "hybrid", Epsilon: half},
		{Name: "binary", Epsilon: half, Horizon: 100},
		{Name: "binary", Epsilon: half, Horizon: 20},
		{Name: "tree", Epsilon: half, Horizon: 4},
		{Name: "tree", Epsilon: half, Horizon: 13},
		{Name: "tree", Epsilon: half, Horizon: 40},
		{Name: "tree", Epsilon: half, Horizon: 1000},
		{Name: "interval", Epsilon: half, Horizon: 100, Exponent: v},
		{Name: "interval", Epsilon: big.NewRat(2, 7), Horizon: 50, Exponent: v},
	} {
		c, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%s(%d)", spec.Name, spec.Horizon)
		for size := range int64(71) {
			nodes, ok := ledger.NodesOf(c, size)
			if !ok {
				t.Fatalf("%s: no nodes", name)
			}
			for n := int64(1); n <= size; n++ {
				sum, used := int64(0), int64(0)
				for _, v := range nodes.List {
					if v.Used < used || v.Used > size {
						t.Fatalf("%s, %d rows: node %+v out of order or unused", name, size, v)
					}
					if used = v.Used; v.Before < n && n <= v.Last {
						sum += v.Loss
					}
				}
				if got, want := nodes.Unit.Times(sum), c.Cost(n, size); !got.Equal(want) {
					t.Fatalf("%s: row %d of %d costs %v by nodes, %v by the law", name, n, size, got, want)
				}
			}
		}
	}
}
