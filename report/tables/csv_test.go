package tables

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// TestEncodeCSV fixes the form of every kind of field.
func TestEncodeCSV(t *testing.T) {
	t.Parallel()
	var got bytes.Buffer
	w, err := newCSVWriter(&got, []field{{name: "text"}, {name: "count"}, {name: "share"}, {name: "holds"}})
	if err != nil {
		t.Fatal(err)
	}
	var rows []parquet.Row
	for _, values := range [][]any{
		{"=1+1", int64(1), nil, true}, {"@x", int64(-2), 1.0 / 3, false}, {"a,\"b\"\nc", int64(3), math.Inf(1), true}, {"-5", int64(0), nil, false}, {"plain", int64(0), nil, false}, {"", int64(0), nil, false},
	} {
		var row parquet.Row
		for i, v := range values {
			row = append(row, parquet.ValueOf(v).Level(0, 0, i))
		}
		rows = append(rows, row)
	}
	if err = errors.Join(w.Write(rows), w.Close()); err != nil {
		t.Fatal(err)
	}
	want := "text,count,share,holds\n'=1+1,1,,true\n'@x,-2,0.3333333333333333,false\n\"a,\"\"b\"\"\nc\",3,+Inf,true\n'-5,0,,false\nplain,0,,false\n,0,,false\n"
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestFieldsOf: a word that names no member is a mistake of this package.
func TestFieldsOf(t *testing.T) {
	defer func() {
		if v := recover(); v != "report: schemas.Arm has no member pull" {
			t.Errorf("recovered %v", v)
		}
	}()
	fieldsOf[of[schemas.Arm]]("of.pull")
}
