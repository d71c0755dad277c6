// Package transcript writes what a replay says of every round as an Arrow file.
package transcript

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"banditaudit/ingest/tableau"
)

// Row is what a replay says about one round.
type Row struct {
	Round        int64     // of the log
	Arm          int       // what the policy plays on the logged history; −1 when that cannot be known
	Propensity   float64   // P(logged action), recomputed; NaN when the policy has none
	Propensities []float64 // of all arms, recomputed; nil when the policy has none. Used again for the next row.
}

// batchRows is the number of rows of a record batch, but of the last.
const batchRows = 65536

// Writer writes transcript.arrow, an uncompressed Arrow IPC file
// with one row per replayed round:
//
//	experiment  int32    index, from 0; only when the log has several
//	round       int64
//	arm         int32    the policy's choice; null when it cannot be known
//	propensity  float64  P(logged action), recomputed; null when there is none
//	propensity_by_arm    K float64, recomputed, in the order of arms; null when
//	                     there are none. Only where it was asked for.
//
// Equal rows give equal bytes. It is not safe for concurrent use.
type Writer struct {
	file        *ipc.FileWriter
	rows        *array.RecordBuilder
	experiments bool
	arms        int
	pending     int
}

// NewWriter starts a transcript on w. experiments asks for the column
// experiment, and arms above 0 for propensity_by_arm, of that many arms.
func NewWriter(w io.WriteSeeker, experiments bool, arms int) (*Writer, error) {
	fields := []arrow.Field{
		{Name: "round", Type: arrow.PrimitiveTypes.Int64},
		{Name: tableau.Arm, Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: tableau.Propensity, Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	}
	if arms > 0 {
		list := arrow.FixedSizeListOfNonNullable(int32(arms), arrow.PrimitiveTypes.Float64) //nolint:gosec // arms of a tableau are int32
		fields = append(fields, arrow.Field{Name: tableau.PropensityByArm, Type: list, Nullable: true})
	}
	if experiments {
		fields = append([]arrow.Field{{Name: tableau.Experiment, Type: arrow.PrimitiveTypes.Int32}}, fields...)
	}
	schema := arrow.NewSchema(fields, nil)
	file, err := ipc.NewFileWriter(w, ipc.WithSchema(schema))
	if err != nil {
		return nil, fmt.Errorf("conformance: transcript: %w", err)
	}
	return &Writer{file: file, rows: array.NewRecordBuilder(memory.NewGoAllocator(), schema), experiments: experiments, arms: arms}, nil
}

// Append adds one row of the experiment with the given index. The index is
// not written when the transcript has no column for it.
func (w *Writer) Append(experiment int32, r Row) error {
	at := 0
	if w.experiments {
		w.rows.Field(0).(*array.Int32Builder).Append(experiment)
		at = 1
	}
	w.rows.Field(at).(*array.Int64Builder).Append(r.Round)
	if arm := w.rows.Field(at + 1).(*array.Int32Builder); r.Arm < 0 {
		arm.AppendNull()
	} else {
		arm.Append(int32(r.Arm)) //nolint:gosec // arms of a tableau are int32
	}
	if p := w.rows.Field(at + 2).(*array.Float64Builder); math.IsNaN(r.Propensity) {
		p.AppendNull()
	} else {
		p.Append(r.Propensity)
	}
	if w.arms > 0 {
		if err := w.byArm(w.rows.Field(at+3).(*array.FixedSizeListBuilder), r.Propensities); err != nil {
			return err
		}
	}
	if w.pending++; w.pending == batchRows {
		return w.flush()
	}
	return nil
}

// byArm adds the propensities of all arms.
func (w *Writer) byArm(list *array.FixedSizeListBuilder, values []float64) error {
	to := list.ValueBuilder().(*array.Float64Builder)
	switch {
	case values == nil:
		list.Append(false)
		for range w.arms {
			to.Append(0) // below the null
		}
	case len(values) != w.arms:
		return fmt.Errorf("conformance: transcript: %d propensities of a round, and the transcript has %d arms", len(values), w.arms)
	default:
		list.Append(true)
		to.AppendValues(values, nil)
	}
	return nil
}

// Close writes what is pending and the footer. It does not close the file.
func (w *Writer) Close() error {
	var err error
	if w.pending > 0 {
		err = w.flush()
	}
	w.rows.Release()
	if closing := w.file.Close(); closing != nil {
		err = errors.Join(err, fmt.Errorf("conformance: transcript: %w", closing))
	}
	return err
}

func (w *Writer) flush() error {
	w.pending = 0
	record := w.rows.NewRecord()
	defer record.Release()
	if err := w.file.Write(record); err != nil {
		return fmt.Errorf("conformance: transcript: %w", err)
	}
	return nil
}
