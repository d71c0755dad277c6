package pages_test

import (
	"fmt"
	"os"

	"banditaudit/ingest/pages"
)

// A column is read in blocks of rows, within a budget of memory. This one numbers the
// rounds of a log from 1: the file is the first 8,192 rows of the log, in row groups of
// 2,048 (testdata/README.md has the command that wrote it).
func ExampleFile_Cursor() {
	f, err := os.Open("../../testdata/homepage/log/part-00000.parquet")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := pages.Open(f, info.Size(), pages.NewBudget(64<<20))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	column, err := file.Column("round")
	if err != nil {
		fmt.Println(err)
		return
	}
	last := int64(0)
	for g := range file.Groups() {
		cursor, fault := file.Cursor(g, column)
		if fault != nil {
			fmt.Println(fault)
			return
		}
		var b pages.Block
		for n := 0; fault == nil; n, fault = cursor.Next(&b, 1000) {
			for _, round := range b.Int[:n] {
				if round != last+1 {
					fmt.Println("after", last, "comes", round)
				}
				last = round
			}
		}
		cursor.Close()
		fmt.Println("group", g, "ends with round", last, "and", fault)
	}
	fmt.Println(column.Type, "of", file.Rows(), "rows")
	// Output:
	// group 0 ends with round 2048 and EOF
	// group 1 ends with round 4096 and EOF
	// group 2 ends with round 6144 and EOF
	// group 3 ends with round 8192 and EOF
	// INT64 (int64) of 8192 rows
}
