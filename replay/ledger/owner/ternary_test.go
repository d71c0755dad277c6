package owner_test

import (
	"cmp"
	"math/big"
	"slices"

	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
)

// ternary names a tree of three levels and three branches with signed digits, for
// streams of up to 13 rows, which the counter "tree" would not choose for so few.
var ternary = counter.Spec{Name: "tree of three branches"}

// ternaryTree costs ε/3 for each node that holds a row and is used.
type ternaryTree struct{ ledger.Law }

func (ternaryTree) Name() string         { return ternary.Name }
func (ternaryTree) Epsilon() ledger.Loss { return ledger.NewLoss(big.NewRat(1, 1)) }

func (c ternaryTree) Cost(n, size int64) ledger.Loss {
	nodes := int64(0)
	for width := int64(1); width <= 9; width *= 3 {
		child := (n - 1) / width
		parent := child / 3 * 3 * width
		if i := child % 3; i < 1 && size >= (child+1)*width-(width-1)/2 || i > 1 && size-parent > 3*width/2 {
			nodes++
		}
	}
	return c.Epsilon().Over(3).Times(nodes)
}

func (c ternaryTree) Nodes(size int64) (ledger.Nodes, bool) {
	out := ledger.Nodes{Unit: c.Epsilon().Over(3), Steps: 1, Ahead: true}
	for width := int64(1); width <= 9; width *= 3 {
		for child := range 13/width + 1 {
			used := (child+1)*width - (width-1)/2
			if child%3 == 2 {
				used = child/3*3*width + 3*width/2 + 1
			}
			if child%3 != 1 && used <= size {
				out.List = append(out.List, ledger.Node{Before: child * width, Last: (child + 1) * width, Used: used, Loss: 1})
			}
		}
	}
	slices.SortStableFunc(out.List, func(a, b ledger.Node) int { return cmp.Compare(a.Used, b.Used) })
	return out, true
}
