package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// open creates the tableau's writers, whose memory is booked.
func (r *intake) open() error {
	schema := tableaudir.Schema(r.manifest(""))
	schema.Experiments = r.ranges()
	r.booked = schema.WriterBytes()
	if schema.Unit {
		r.booked += tableau.UnitsWriterBytes
	}
	if err := r.log.budget.Take(r.booked); err != nil {
		r.booked = 0
		return fmt.Errorf("ingest: a tableau with rows of %d bytes: %w: %w; raise --max-memory, or declare fewer columns", schema.RowBytes(), fault.ErrResource, err)
	}
	var err error
	if r.writer, err = tableau.NewWriter(filepath.Join(r.dir, tableaudir.RoundsFile), schema); err != nil {
		return fault.NotWritten(err)
	}
	return nil
}

// openBeside creates the tableau's writers beside rows that are still to be
// sorted, which go to disk where memory does not allow both.
func (r *intake) openBeside(all *sorter) error {
	if r.faults.Any() {
		return nil
	}
	err := r.open()
	if !errors.Is(err, fault.ErrResource) {
		return err
	}
	if err := all.rows.Spill(); err != nil {
		return spillError(r.log, "sorting the rows", err)
	}
	return r.open()
}

// writeUnits writes units.arrow, where a unit is declared.
func (r *intake) writeUnits() (err error) {
	if r.unitsBy == nil {
		return nil
	}
	if r.units, err = tableau.NewUnitsWriter(filepath.Join(r.dir, tableaudir.UnitsFile)); err != nil {
		return fault.NotWritten(err)
	}
	return r.unitsBy.each(func(unit, row []int64) error {
		r.progress(int64(len(row)))
		return fault.NotWritten(r.units.Append(unit, row))
	})
}

// free frees what sorts hold.
func (r *intake) free() {
	r.beside.close()
	if r.unitsBy != nil {
		r.unitsBy.sorter.Close()
	}
}

// discard removes what was written.
func (r *intake) discard() error {
	r.log.budget.Give(r.booked)
	r.booked = 0
	var errs []error
	if r.writer != nil {
		errs = append(errs, r.writer.Discard())
	}
	if r.units != nil {
		errs = append(errs, r.units.Discard())
	}
	return errors.Join(errs...)
}

// finish closes the files and writes the manifest.
func (r *intake) finish(ctx context.Context) (*schemas.Manifest, error) {
	m, err := r.close()
	if err == nil {
		err = fault.Stopped(ctx)
	}
	if err == nil {
		err = tableaudir.WriteManifest(filepath.Join(r.dir, tableaudir.ManifestFile), m)
	}
	if err == nil {
		return m, nil
	}
	errs := []error{err, r.discard()}
	for _, name := range []string{tableaudir.RoundsFile, tableaudir.UnitsFile} { // discard leaves files that were closed
		if rerr := os.Remove(filepath.Join(r.dir, name)); !errors.Is(rerr, os.ErrNotExist) {
			errs = append(errs, rerr)
		}
	}
	return nil, errors.Join(errs...)
}

// close closes the tableau and makes the manifest.
func (r *intake) close() (*schemas.Manifest, error) {
	sha, err := r.writer.Close()
	if err != nil {
		return nil, fault.NotWritten(err)
	}
	m := r.manifest(sha)
	m.Inputs = r.log.manifest()
	m.Experiments = r.experiments()
	if r.batches != nil {
		for index := range m.Experiments {
			m.Experiments[index].Batches = r.batches.count[index]
		}
	}
	if r.units == nil {
		return m, nil
	}
	if m.Units, err = r.units.Close(); err != nil {
		return nil, fault.NotWritten(err)
	}
	for code, index := range r.rank {
		m.Experiments[index].Units, m.Experiments[index].UnitsWritten = r.beside.unitCount[code], r.beside.written[int32(code)]
	}
	return m, nil
}
