package ingest

import (
	"context"
	"errors"
	"io"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// rows is a block of consecutive rows of one file.
type rows struct {
	uri   string
	group int
	start int64 // within the file
	n     int
	first int64          // of the block, over all files
	cols  []*pages.Block // by want; nil where it was not asked for
	types []*pages.Column
}

// place names row i of the block.
func (r *rows) place(i int) fault.Place {
	return fault.Place{File: r.uri, RowGroup: r.group, Row: r.start + int64(i)}
}

// scanner reads chosen columns of all files, block by block, in order.
type scanner struct {
	log      *logFiles
	ask      func(w *role.Want) bool
	shapes   []shape // by want, of lists; nil where none is asked for
	progress func(rows int64)
	block    rows
}

// scan calls visit for every block. A file that turns out to be damaged is a
// fault, and the scan goes on with the next. scan returns errors of visit and of the
// context, and ErrResource.
func (s *scanner) scan(ctx context.Context, visit func(*rows) error) error {
	s.block.cols = make([]*pages.Block, len(s.log.wants))
	for i := range s.log.wants {
		if s.ask(&s.log.wants[i]) {
			s.block.cols[i] = new(pages.Block)
		}
	}
	first := int64(0)
	for i := range s.log.inputs {
		in := &s.log.inputs[i]
		s.block.first = first
		if err := s.file(ctx, in, visit); err != nil {
			return err
		}
		first += in.rows
	}
	return nil
}

func (s *scanner) file(ctx context.Context, in *input, visit func(*rows) error) error {
	f, err := s.log.open(in)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	if f.pages.Rows() != in.rows || slices.Contains(f.shown, nil) {
		s.log.changed(in, nil)
		return nil
	}
	s.block.uri, s.block.start, s.block.types = in.URI, 0, f.shown
	err = s.groups(ctx, f, visit)
	var format *pages.FormatError
	switch {
	case errors.Is(err, fault.ErrResource): // visit has said all
		return err
	case errors.As(err, &format), errors.Is(err, pages.ErrLimit):
		return s.log.faults.Page(in.URI, err)
	}
	return err
}

// groups reads all row groups, on this goroutine or ahead of it.
func (s *scanner) groups(ctx context.Context, f *logFile, visit func(*rows) error) error {
	if s.log.jobs > 1 {
		a := s.newAhead(f)
		a.start(s.log.jobs)
		defer a.close()
		return a.run(ctx, visit)
	}
	for g := range f.pages.Groups() {
		s.block.group = g
		if err := s.group(ctx, f, g, visit); err != nil {
			return err
		}
	}
	return nil
}

// group reads one row group.
func (s *scanner) group(ctx context.Context, f *logFile, g int, visit func(*rows) error) error {
	cursors := make([]cell.Cursor, len(s.log.wants))
	defer func() {
		for _, c := range cursors {
			if c != nil {
				c.Close()
			}
		}
	}()
	for i, b := range s.block.cols {
		if b == nil {
			continue
		}
		c, err := s.cursor(f, g, i)
		if err != nil {
			return err
		}
		cursors[i] = c
	}
	size := int64(rowsPerBlock(s.shapes))
	for left := f.pages.GroupRows(g); left > 0; {
		if err := fault.Stopped(ctx); err != nil {
			return err
		}
		n := int(min(left, size))
		for i, c := range cursors {
			if c == nil {
				continue
			}
			got, err := c.Next(s.block.cols[i], n)
			if err != nil {
				return err
			}
			if got != n {
				return &pages.FormatError{Group: g, Column: f.shown[i].Path, Err: io.ErrUnexpectedEOF}
			}
		}
		s.block.n = n
		if err := visit(&s.block); err != nil {
			return err
		}
		s.block.start += int64(n)
		s.block.first += int64(n)
		left -= int64(n)
		if s.progress != nil {
			s.progress(int64(n))
		}
	}
	return nil
}

func (s *scanner) cursor(f *logFile, g, i int) (cell.Cursor, error) {
	if k := f.constants[i]; k != nil {
		return k.Cursor(f.pages.GroupRows(g), s.width(i)), nil
	}
	if f.columns[i].List {
		c, err := listCursor(f, g, i, s.shapes[i])
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	c, err := f.pages.Cursor(g, f.columns[i])
	if err != nil {
		return nil, err
	}
	return f.unified(i, c), nil
}

// width is the number of values that are kept of a list.
func (s *scanner) width(i int) int {
	if s.shapes == nil {
		return 0
	}
	return s.shapes[i].size()
}
