package ingest_test

import (
	"context"
	"fmt"

	"banditaudit/analyze"
	"banditaudit/ingest"
	"banditaudit/ingest/files"
)

// Files of a log are found, and held against the protocol by their footers alone.
// The log is one of 20,000 rounds (testdata/README.md has the command).
func ExampleInspect() {
	ctx := context.Background()
	log, err := files.Discover(ctx, []string{"../testdata/homepage/log"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range log {
		fmt.Println(f.URI)
	}
	d, err := analyze.Standard().Format().LoadProtocol("../testdata/homepage/protocol.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	in, err := ingest.Inspect(ctx, &d.Protocol, log, ingest.Options{})
	fmt.Println(in.Rows, "rows", err)
	for _, c := range in.Columns {
		fmt.Println(c.Column, "is", c.Types[0].Type, "and becomes", c.Becomes)
	}
	// Output:
	// part-00000.parquet
	// part-00001.parquet
	// part-00002.parquet
	// 20000 rows <nil>
	// round is INT64 (int64) and becomes order key
	// action is BYTE_ARRAY (string) and becomes arm (5: control, blue, green, large, video)
	// reward is BOOLEAN and becomes reward (in [0, 1])
	// x0 is DOUBLE and becomes x0
	// x1 is DOUBLE and becomes x1
	// x2 is DOUBLE and becomes x2
}
