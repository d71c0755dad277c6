package conformance

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

// transcriptRows is the number of rows of a record batch, but of the last.
const transcriptRows = 65536

// TranscriptWriter writes transcript.arrow, an uncompressed Arrow IPC file
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
type TranscriptWriter struct {
	file        *ipc.FileWriter
	rows        *array.RecordBuilder
	experiments bool
	arms        int
	pending     pending
}

// pending are rows that are not yet in a record batch, but for their lists. Null is
// where known is false.
type pending struct {
	experiment, arm []int32
	round           []int64
	armKnown        []bool
	propensity      []float64
	known           []bool
}

// NewTranscriptWriter starts a transcript on w. experiments asks for the column
// experiment, and arms above 0 for propensity_by_arm, of that many arms.
func NewTranscriptWriter(w io.WriteSeeker, experiments bool, arms int) (*TranscriptWriter, error) {
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
	return &TranscriptWriter{file: file, rows: array.NewRecordBuilder(memory.NewGoAllocator(), schema), experiments: experiments, arms: arms}, nil
}

// Append adds one row of the experiment with the given index. The index is
// not written when the transcript has no column for it.
func (w *TranscriptWriter) Append(experiment int32, r TranscriptRow) error {
	p := &w.pending
	p.experiment, p.round = append(p.experiment, experiment), append(p.round, r.Round)
	p.arm, p.armKnown = append(p.arm, int32(max(0, r.Arm))), append(p.armKnown, r.Arm >= 0) //nolint:gosec // arms of a tableau are int32
	known := !math.IsNaN(r.Propensity)
	if !known {
		r.Propensity = 0
	}
	p.propensity, p.known = append(p.propensity, r.Propensity), append(p.known, known)
	if w.arms > 0 {
		if err := w.byArm(w.rows.Field(len(w.rows.Fields())-1).(*array.FixedSizeListBuilder), r.Propensities); err != nil {
			return err
		}
	}
	if len(p.round) == transcriptRows {
		return w.flush()
	}
	return nil
}

// byArm adds the propensities of all arms.
func (w *TranscriptWriter) byArm(list *array.FixedSizeListBuilder, values []float64) error {
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
func (w *TranscriptWriter) Close() error {
	var err error
	if len(w.pending.round) > 0 {
		err = w.flush()
	}
	w.rows.Release()
	if closing := w.file.Close(); closing != nil {
		err = errors.Join(err, fmt.Errorf("conformance: transcript: %w", closing))
	}
	return err
}

func (w *TranscriptWriter) flush() error {
	p, at := &w.pending, 0
	if w.experiments {
		w.rows.Field(0).(*array.Int32Builder).AppendValues(p.experiment, nil)
		at = 1
	}
	w.rows.Field(at).(*array.Int64Builder).AppendValues(p.round, nil)
	w.rows.Field(at+1).(*array.Int32Builder).AppendValues(p.arm, p.armKnown)
	w.rows.Field(at+2).(*array.Float64Builder).AppendValues(p.propensity, p.known)
	*p = pending{p.experiment[:0], p.arm[:0], p.round[:0], p.armKnown[:0], p.propensity[:0], p.known[:0]}
	record := w.rows.NewRecord()
	defer record.Release()
	if err := w.file.Write(record); err != nil {
		return fmt.Errorf("conformance: transcript: %w", err)
	}
	return nil
}
