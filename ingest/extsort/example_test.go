package extsort_test

import (
	"fmt"

	"banditaudit/ingest/extsort"
)

// Keys are written so that their bytes compare as the values do, negative numbers
// too; records of one key stay in the order in which they were added.
func ExampleSorter() {
	s := extsort.New(extsort.Config{Memory: 1 << 20})
	defer s.Close()
	for i, round := range []int64{30, -1, 256, 30} {
		if err := s.Add(extsort.AppendInt64(nil, round), []byte{byte('a' + i)}); err != nil {
			fmt.Println(err)
			return
		}
	}
	sorted, err := s.Sort()
	if err != nil {
		fmt.Println(err)
		return
	}
	for sorted.Next() {
		fmt.Println(string(sorted.Payload()))
	}
	fmt.Println(sorted.Err())
	// Output:
	// b
	// a
	// d
	// c
	// <nil>
}
