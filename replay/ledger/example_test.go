package ledger_test

import (
	"errors"
	"fmt"
	"math/big"

	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
)

// Losses are rational: a hundred releases at 1/10 cost 10, and 1/10 + 2/10 is 3/10,
// where floats make 0.30000000000000004 of it.
func ExampleLoss() {
	tenth := ledger.NewLoss(big.NewRat(1, 10))
	fmt.Println(tenth.Times(100), tenth.Add(tenth.Times(2)))
	third := ledger.NewLoss(big.NewRat(1, 3))
	fmt.Println(third.Decimal(4), "is printed for", third, "and not less")
	fmt.Println(third.Add(ledger.Infinite()), third.Max(tenth))
	// Output:
	// 10 3/10
	// 0.3334 is printed for 1/3 and not less
	// inf 1/3
}

// Rows of different arms enter different counters, so that the run costs what its
// dearest row does. Under the binary counter over four rows with ε = 3/10 that is
// row 1 of an arm that was played four times, which is in three nodes of 1/10; rows
// of an arm that was played twice are in two and one. Σc² is
// (9 + 4 + 4 + 1 + 4 + 1)/100.
func ExampleAccount() {
	law, err := counter.New(counter.Spec{Name: "binary", Epsilon: big.NewRat(3, 10), Horizon: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	run := ledger.Account(law, []int64{4, 2}, nil)
	for i, arm := range run.Arms {
		for _, level := range arm.Levels {
			fmt.Println("arm", i, "has rows that cost", level.Cost, "in number", level.Rows)
		}
	}
	fmt.Println("realised", run.Realized(), "of", run.Epsilon())
	fmt.Printf("Σc² = %.2f\n", run.SumSquares())
	// Output:
	// arm 0 has rows that cost 1/10 in number 1
	// arm 0 has rows that cost 1/5 in number 2
	// arm 0 has rows that cost 3/10 in number 1
	// arm 1 has rows that cost 1/10 in number 1
	// arm 1 has rows that cost 1/5 in number 1
	// realised 3/10 of 3/10
	// Σc² = 0.23
}

// Whatever reads rewards is booked first, once for each purpose. A closed book
// refuses further reads.
func ExampleDisclosures() {
	var book ledger.Disclosures
	read := []string{"reward"}
	fmt.Println(book.Disclose("test:H1", 1000, read))
	fmt.Println(errors.Is(book.Disclose("test:H1", 1000, read), ledger.ErrRefused))
	book.Close()
	fmt.Println(errors.Is(book.Disclose("test:H2", 1000, read), ledger.ErrRefused))
	fmt.Println(len(book.List()), "booked")
	// Output:
	// <nil>
	// true
	// true
	// 1 booked
}

// Zero-concentrated privacy converts to (ε, δ) at a price. A minimum over a grid,
//
//	python3 -c "from math import *; r,d=.01,1e-6
//	print(min(a*r+log(1-1/a)-(log(d)+log(a))/(a-1) for a in (1+i/100 for i in range(1,20000))))"
//
// is 0.62169, and the simpler bound ρ + 2·√(ρ·ln(1/δ)) is 0.75338.
func ExampleApproximate() {
	fmt.Printf("%.4f\n", ledger.Approximate(0.01, 1e-6))
	// Output: 0.6217
}
