package client

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
)

// Row is a round of a log. What a log does not have is absent from all of its rows.
type Row struct {
	T      int64     `parquet:"t"`
	Action string    `parquet:"action"`
	Reward float64   `parquet:"reward"`
	P      *float64  `parquet:"p,optional"`
	ByArm  []float64 `parquet:"p_by_arm,list"`
	X      []float64 `parquet:"x,list"`
	Unit   string    `parquet:"unit,optional"`
}

// put sets what a column says of the row.
func (r *Row) put(column string, v parquet.Value) error {
	switch column {
	case "t":
		r.T = v.Int64()
	case "action":
		r.Action = v.String()
	case "reward":
		r.Reward = v.Double()
	case "p":
		p := v.Double()
		r.P = &p
	case "p_by_arm":
		r.ByArm = append(r.ByArm, v.Double())
	case "x":
		r.X = append(r.X, v.Double())
	case "unit":
		r.Unit = v.String()
	default:
		return fmt.Errorf("a column %s, which no log of a library has", column)
	}
	return nil
}

// readRows reads a log by the names of its columns, whichever of a Row's it has.
func readRows(path string) (out []Row, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	rows := parquet.NewReader(file)
	columns := rows.Schema().Columns()
	for block := make([]parquet.Row, 64); ; {
		n, err := rows.ReadRows(block)
		for _, values := range block[:n] {
			var r Row
			for _, v := range values {
				if err := r.put(columns[v.Column()][0], v); err != nil {
					return nil, fmt.Errorf("%s: %w", path, err)
				}
			}
			out = append(out, r)
		}
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
}
