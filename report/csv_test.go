package report

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"strings"
	"testing"
)

// TestEncodeCSV fixes the form of every kind of field.
func TestEncodeCSV(t *testing.T) {
	t.Parallel()
	var got bytes.Buffer
	w, err := newCSVWriter(&got, []field{{name: "text"}, {name: "count"}, {name: "share"}, {name: "holds"}})
	if err != nil {
		t.Fatal(err)
	}
	err = w.Write([][]any{
		{"=1+1", int64(1), nil, true}, {"@x", int64(-2), 1.0 / 3, false}, {"a,\"b\"\nc", int64(3), math.Inf(1), true}, {"-5", int64(0), nil, false}, {"plain", int64(0), nil, false}, {"", int64(0), nil, false},
	})
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	want := "text,count,share,holds\n'=1+1,1,,true\n'@x,-2,0.3333333333333333,false\n\"a,\"\"b\"\"\nc\",3,+Inf,true\n'-5,0,,false\nplain,0,,false\n,0,,false\n"
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestCSVTables asks for one file per Parquet table, with as many columns in
// every line as in the first.
func TestCSVTables(t *testing.T) {
	t.Parallel()
	r := homepage()
	files, err := tableFiles(r, NewCSV)
	if err != nil {
		t.Fatal(err)
	}
	parquets, err := parquetFiles(r)
	if err != nil || len(parquets) != len(files) {
		t.Fatalf("%d CSV files, %d Parquet files, %v", len(files), len(parquets), err)
	}
	for i, f := range files {
		if strings.TrimSuffix(f.Name, ".csv") != strings.TrimSuffix(parquets[i].Name, ".parquet") {
			t.Errorf("%s stands beside %s", f.Name, parquets[i].Name)
		}
		records, err := csv.NewReader(strings.NewReader(string(f.Data))).ReadAll() // refuses lines of unequal length
		if err != nil || len(records) == 0 {
			t.Errorf("%s: %d lines, %v", f.Name, len(records), err)
		}
	}
}
