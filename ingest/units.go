package ingest

import (
	"bytes"
	"context"
	"strconv"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/extsort"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
)

// codeBytes is the size of an experiment's number in a key: maxExperiments−1
// fits.
const codeBytes = 3

// unitKeys sorts the rows of a log by experiment and unit, so that units can be
// numbered. However many units there are, the memory is bounded.
type unitKeys struct {
	log    *logFiles
	want   int
	sorter *extsort.Sorter
	width  int // bytes of a row's number
	buf    []byte

	written unitsWritten
}

func newUnitKeys(l *logFiles, want int, c extsort.Config) *unitKeys {
	return &unitKeys{log: l, want: want, sorter: extsort.New(c), width: l.rowWidth()}
}

// block takes the units of a block of experiments' codes.
func (u *unitKeys) block(r *rows, codes []int32) error {
	b, c := r.cols[u.want], r.types[u.want]
	for i, code := range codes {
		if b.Nulls > 0 && b.Null[i] {
			u.log.faults.Row(fault.RuleNull, u.log.wants[u.want].Name, r.place(i), "a null in the unit column",
				"leave the row out, or say whose it is; leave log.unit out of the protocol if the rows are independent")
			continue
		}
		if code < 0 {
			continue
		}
		if cell.Over(b, i) {
			u.log.faults.Row(fault.RuleNotText, u.log.wants[u.want].Name, r.place(i), "a unit that is neither a text nor a whole number of 64 bits", "cast the column to VARCHAR")
			continue
		}
		u.buf = appendUnit(extsort.AppendUint(u.buf[:0], uint64(code), codeBytes), b, c, i)
		key := len(u.buf)
		u.buf = extsort.AppendUint(u.buf, uint64(r.first)+uint64(i), u.width) //nolint:gosec // not negative
		if err := u.sorter.Add(u.buf[:key], u.buf[key:]); err != nil {
			return spillError(u.log, "sorting the rows by unit", err)
		}
	}
	return nil
}

// appendUnit appends row i of a block as a label.
func appendUnit(dst []byte, b *pages.Block, c *pages.Column, i int) []byte {
	switch c.Kind {
	case pages.Text:
		return append(dst, b.Text[i]...)
	case pages.Int:
		return strconv.AppendInt(dst, b.Int[i], 10)
	default:
		return append(dst, cell.LabelAt(b, c, i)...)
	}
}

// number gives every row its unit's number: units of an experiment are numbered
// from 0 in the order of their labels, bytewise. Count is called with an
// experiment's code, its number of units, and how many of these are the number of
// another one in another writing.
func (u *unitKeys) number(to *byRow, count func(code int32, units, written int64), progress func(int64)) error {
	it, err := u.sorter.Sort()
	if err != nil {
		return spillError(u.log, "sorting the rows by unit", err)
	}
	var (
		last []byte
		unit = int64(-1)
	)
	end := func() {
		if last != nil {
			code, _, _ := extsort.Uint(last, codeBytes) // block wrote it
			count(int32(code), unit+1, u.written.count) //nolint:gosec // a code
		}
	}
	for rows := int64(1); it.Next(); rows++ {
		if rows%cell.BlockRows == 0 {
			progress(cell.BlockRows)
		}
		key := it.Key()
		switch {
		case last == nil || !bytes.Equal(key[:codeBytes], last[:codeBytes]):
			end()
			unit = 0
			u.written.begin()
			u.written.add(key[codeBytes:])
		case !bytes.Equal(key, last):
			unit++
			u.written.add(key[codeBytes:])
		}
		last = append(last[:0], key...)
		row, _, err := extsort.Uint(it.Payload(), u.width)
		if err != nil {
			return err
		}
		if err := to.add(int64(row), unit); err != nil { //nolint:gosec // what block wrote
			return err
		}
	}
	if err := it.Err(); err != nil {
		return spillError(u.log, "sorting the rows by unit", err)
	}
	end()
	return nil
}

// unitRows sorts the rows of the tableau by experiment, unit and row.
type unitRows struct {
	log    *logFiles
	sorter *extsort.Sorter
	widths [3]int // of index, unit and row in a key
	row    int64
	buf    []byte
}

func (r *intake) newUnitRows(ctx context.Context) *unitRows {
	rows := extsort.Width(uint64(r.log.rows)) //nolint:gosec // a count
	return &unitRows{
		log: r.log, sorter: extsort.New(r.spillConfig(ctx, shareByUnits)),
		widths: [3]int{extsort.Width(uint64(len(r.rank))), rows, rows},
	}
}

// add takes the next rows of the tableau.
func (u *unitRows) add(experiment []int32, unit []int64) error {
	for i, index := range experiment {
		u.buf = extsort.AppendUint(u.buf[:0], uint64(index), u.widths[0]) //nolint:gosec // an index
		u.buf = extsort.AppendUint(u.buf, uint64(unit[i]), u.widths[1])   //nolint:gosec // a number from 0
		u.buf = extsort.AppendUint(u.buf, uint64(u.row), u.widths[2])     //nolint:gosec // a number from 0
		if err := u.sorter.Add(u.buf, nil); err != nil {
			return spillError(u.log, "sorting the rows by unit", err)
		}
		u.row++
	}
	return nil
}

// each hands on units and rows in order, in blocks that are used again.
func (u *unitRows) each(to func(unit, row []int64) error) error {
	it, err := u.sorter.Sort()
	if err != nil {
		return spillError(u.log, "sorting the rows by unit", err)
	}
	units, rows := make([]int64, 0, cell.BlockRows), make([]int64, 0, cell.BlockRows)
	for it.Next() {
		unit, rest, err := extsort.Uint(it.Key()[u.widths[0]:], u.widths[1])
		if err != nil {
			return err
		}
		row, _, err := extsort.Uint(rest, u.widths[2])
		if err != nil {
			return err
		}
		units, rows = append(units, int64(unit)), append(rows, int64(row)) //nolint:gosec // what add wrote
		if len(rows) == cell.BlockRows {
			if err := to(units, rows); err != nil {
				return err
			}
			units, rows = units[:0], rows[:0]
		}
	}
	if err := it.Err(); err != nil {
		return spillError(u.log, "sorting the rows by unit", err)
	}
	return to(units, rows)
}
