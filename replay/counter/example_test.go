package counter_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"banditaudit/replay/counter"
)

// The binary counter sums the rows of a stream in a tree of L = ⌊log2 4⌋ + 1 = 3
// levels, each node with noise of scale L/ε = 10. Of four rows these nodes are
// released: row 1 alone, rows 1–2, row 3 alone, rows 1–4. Each costs the rows that
// it holds 1/10: row 1 is in three of them, rows 2 and 3 in two, row 4 in one. The
// sum of three rows is made of two nodes, that of four of one.
func ExampleNew() {
	c, err := counter.New(counter.Spec{Name: "binary", Epsilon: big.NewRat(3, 10), Horizon: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	for n := int64(1); n <= 4; n++ {
		fmt.Println("row", n, "costs", c.Cost(n, 4), "and a sum of", n, "has noise", c.Noise(n))
	}
	fmt.Println("at most", c.Epsilon())
	// Output:
	// row 1 costs 3/10 and a sum of 1 has noise [{10 1}]
	// row 2 costs 1/5 and a sum of 2 has noise [{10 1}]
	// row 3 costs 1/5 and a sum of 3 has noise [{10 2}]
	// row 4 costs 1/10 and a sum of 4 has noise [{10 1}]
	// at most 3/10
}

// A stream without a source of noise releases the exact sums. The epochs counter
// sums rows 1, 2–3, 4–7, … apart and releases a sum when its epoch is full.
func ExampleCounter_Bank() {
	epochs, fault := counter.New(counter.Spec{Name: "epochs", Epsilon: big.NewRat(1, 2)})
	if fault != nil {
		fmt.Println(fault)
		return
	}
	bank := epochs.Bank([]rand.Source{nil})
	for n := range 7 {
		sum, rows, err := bank.Add(0, 1) // a reward of 1
		fmt.Println("after row", n+1, "a sum of", sum, "over", rows, "rows", err)
	}
	// Output:
	// after row 1 a sum of 1 over 1 rows <nil>
	// after row 2 a sum of 1 over 1 rows <nil>
	// after row 3 a sum of 2 over 2 rows <nil>
	// after row 4 a sum of 2 over 2 rows <nil>
	// after row 5 a sum of 2 over 2 rows <nil>
	// after row 6 a sum of 2 over 2 rows <nil>
	// after row 7 a sum of 4 over 4 rows <nil>
}
