package tableau_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
)

// Rewards are behind a gate. Public columns can be read as they are; rewards are
// booked by purpose before they are handed out, and not at all once the book is
// closed.
func ExampleSlice_Disclose() {
	dir, err := os.MkdirTemp("", "tableau")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "rounds.arrow")
	w, err := tableau.NewWriter(path, tableau.Schema{})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = w.Append(&tableau.Batch{
		Experiment: []int32{0, 0, 0}, Round: []int64{1, 2, 3}, Arm: []int32{0, 1, 1}, Reward: []float64{0, 1, 0.5},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err = w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	t, err := tableau.Open(path, tableau.Schema{
		Arms: 2, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "cta", Rows: 3}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = t.Close() }()
	s := t.Slice(0)
	fmt.Println("arms", s.Chunk(0).Arm)
	var book ledger.Disclosures
	rewards, err := s.Disclose(&book, "test:H1")
	fmt.Println("rewards", rewards.Chunk(0), err)
	book.Close()
	_, err = s.Disclose(&book, "test:H2")
	fmt.Println("refused:", errors.Is(err, ledger.ErrRefused))
	for _, b := range book.List() {
		fmt.Println("booked", b.Purpose, b.Rows, b.Columns)
	}
	// Output:
	// arms [0 1 1]
	// rewards [0 1 0.5] <nil>
	// refused: true
	// booked test:H1 3 [reward]
}
