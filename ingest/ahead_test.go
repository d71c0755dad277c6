package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// scanned is what a scan of a log visits.
type scanned struct {
	Places []fault.Place
	First  []int64
	Ints   map[int][]int64
	Floats map[int][]float64
	Texts  map[int][]string
	Nulls  map[int][]bool
}

// scanWith scans all columns of the log of p with a number of goroutines.
func scanWith(t *testing.T, src []files.Source, jobs int, limit int64) (*scanned, error) {
	t.Helper()
	l := opened(t, protocol(), src, limit)
	l.jobs = jobs
	got := &scanned{Ints: map[int][]int64{}, Floats: map[int][]float64{}, Texts: map[int][]string{}, Nulls: map[int][]bool{}}
	s := scanner{log: l, ask: func(*role.Want) bool { return true }}
	err := s.scan(t.Context(), func(r *rows) error {
		got.Places, got.First = append(got.Places, r.place(r.n)), append(got.First, r.first)
		for i, b := range r.cols {
			got.Ints[i], got.Floats[i] = append(got.Ints[i], b.Int...), append(got.Floats[i], b.Float...)
			for _, text := range b.Text {
				got.Texts[i] = append(got.Texts[i], string(text))
			}
			if b.Nulls > 0 {
				got.Nulls[i] = append(got.Nulls[i], b.Null...)
			}
		}
		return nil
	})
	if used := l.budget.Used(); used != 0 {
		t.Errorf("%d bytes are still booked", used)
	}
	return got, errors.Join(err, l.faults.Err())
}

// eventLog writes logs of several files and row groups, with groups smaller and
// larger than a block.
func eventLog(t *testing.T) (dir string, src []files.Source) {
	t.Helper()
	dir = t.TempDir()
	rows := ingesttest.Events(4*cell.BlockRows + 100)
	for i := range rows {
		rows[i].Round = int64(i)
		if i%7 == 0 {
			rows[i].Land = nil
		}
	}
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), rows, parquet.MaxRowsPerRowGroup(3*cell.BlockRows-5))
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), rows[:500], parquet.MaxRowsPerRowGroup(100))
	ingesttest.WriteParquet(t, filepath.Join(dir, "c.parquet"), rows[:cell.BlockRows])
	src = sourcesOf(t, []string{dir})
	return dir, src
}

// The blocks that are visited, and their order, do not depend on the number of
// goroutines, nor on the memory that they may take.
func TestAheadEqualsSerial(t *testing.T) {
	_, src := eventLog(t)
	want, err := scanWith(t, src, 1, DefaultMaxMemory)
	if err != nil {
		t.Fatal(err)
	}
	for _, jobs := range []int{2, 3, 8} {
		for _, limit := range []int64{DefaultMaxMemory, 4 << 20} {
			got, err := scanWith(t, src, jobs, limit)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d jobs, %d bytes: (-serial +parallel)\n%s", jobs, limit, diff)
			}
		}
	}
}

// A damaged file is the same fault, after the same rows, however many
// goroutines read it.
func TestAheadFaultsEqualSerial(t *testing.T) {
	dir, src := eventLog(t)
	path := filepath.Join(dir, "a.parquet")
	data := contentOf(t, path)
	faulty := 0
	for at := 1000; at < len(data)*9/10; at += len(data) / 23 {
		broken := append([]byte(nil), data...)
		for i := range 40 {
			broken[at+i] = 0xff
		}
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		want, werr := scanWith(t, src, 1, DefaultMaxMemory)
		got, gerr := scanWith(t, src, 4, DefaultMaxMemory)
		if diff := cmp.Diff(want.Places, got.Places); diff != "" {
			t.Errorf("damage at %d: %s", at, diff)
		}
		if (werr == nil) != (gerr == nil) || werr != nil && werr.Error() != gerr.Error() {
			t.Errorf("damage at %d: %v with one job, %v with four", at, werr, gerr)
		}
		if werr != nil {
			faulty++
		}
	}
	if faulty == 0 {
		t.Error("no damage was found")
	}
}

// brokenCursor fails or panics at a block.
type brokenCursor struct {
	at    int
	panic bool
}

var errBroken = errors.New("broken")

func (c *brokenCursor) Next(b *pages.Block, n int) (int, error) {
	if c.at--; c.at < 0 && c.panic {
		panic("a defect")
	} else if c.at < 0 {
		return 0, errBroken
	}
	b.Int = cell.Resize(b.Int, n)
	return n, nil
}

func (*brokenCursor) Close() {}

// newBroken decodes columns, of which some break, of ten blocks.
func newBroken(t *testing.T, cursors ...*brokenCursor) *ahead {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.parquet")
	ingesttest.WriteParquet(t, path, ingesttest.Events(1))
	data := contentOf(t, path)
	f, err := pages.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &scanner{log: &logFiles{budget: pages.NewBudget(1 << 30)}}
	for range cursors {
		s.block.cols = append(s.block.cols, new(pages.Block))
	}
	a := s.newAhead(&logFile{pages: f, shown: slices.Repeat([]*pages.Column{{}}, len(cursors))})
	for i, c := range cursors {
		a.columns[i].cursor = c
	}
	a.group = groupSpan{rows: 10 * cell.BlockRows, last: 10} // of number 0, the only one
	a.start(3)
	return a
}

// Of several columns that fail, the first by block and then by column decides.
func TestAheadReportsFirstError(t *testing.T) {
	for range 50 {
		a := newBroken(t, &brokenCursor{at: 100}, &brokenCursor{at: 7}, &brokenCursor{at: 3})
		blocks := 0
		err := a.run(t.Context(), func(*rows) error { blocks++; return nil })
		a.close()
		if !errors.Is(err, errBroken) || blocks != 3 {
			t.Fatalf("%v after %d blocks", err, blocks)
		}
	}
}

// A panic while decoding reaches the goroutine that visits, and none is left
// behind.
func TestAheadPanics(t *testing.T) {
	a := newBroken(t, &brokenCursor{at: 100}, &brokenCursor{at: 5, panic: true})
	func() {
		defer a.close()
		defer func() {
			if p := recover(); p == nil {
				t.Error("the panic is lost")
			}
		}()
		_ = a.run(t.Context(), func(*rows) error { return nil }) // It panics.
	}()
	noGoroutines(t)
}

// What the visitor returns, and the context, end the goroutines too.
func TestAheadStops(t *testing.T) {
	a := newBroken(t, &brokenCursor{at: 100}, &brokenCursor{at: 100})
	if err := a.run(t.Context(), func(*rows) error { return os.ErrClosed }); !errors.Is(err, os.ErrClosed) {
		t.Errorf("visit: %v", err)
	}
	a.close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a = newBroken(t, &brokenCursor{at: 100})
	if err := a.run(ctx, func(*rows) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("context: %v", err)
	}
	a.close()
	a = newBroken(t, &brokenCursor{at: 100})
	if err := a.run(t.Context(), func(*rows) error { return nil }); err != nil {
		t.Errorf("to the end: %v", err)
	}
	a.close()
	noGoroutines(t)
}

// noGoroutines waits for the goroutines that decode to be gone: one that has
// said it is done may take a moment to end. Goroutines of others do not count.
func noGoroutines(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for range 5000 {
		if !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("ingest.(*ahead).work")) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("a goroutine that decodes is left")
}

// openAny opens all readable columns of any Parquet file as a log's.
func openAny(t *testing.T, r io.ReaderAt, size int64, jobs int) (*scanner, *logFile) {
	t.Helper()
	l := &logFiles{jobs: jobs, budget: pages.NewBudget(1 << 30)}
	f, err := pages.Open(r, size, l.budget)
	if err != nil {
		t.Fatal(err)
	}
	file, s := &logFile{pages: f}, &scanner{log: l}
	for _, c := range f.Columns() {
		if named, err := f.Column(c.Path); err != nil || named != c || !c.Readable() {
			continue
		}
		file.columns, file.shown, file.factors = append(file.columns, c), append(file.shown, c), append(file.factors, 1)
		s.shapes = append(s.shapes, shape{outer: 2, inner: 3})
		s.block.cols = append(s.block.cols, new(pages.Block))
	}
	l.wants, file.constants = make([]role.Want, len(file.columns)), make([]*files.Constant, len(file.columns))
	s.block.types = file.shown
	return s, file
}

// visited are all values of all columns of a file, as text, by column.
func visited(t *testing.T, s *scanner, f *logFile) [][]string {
	t.Helper()
	all := make([][]string, len(f.columns))
	err := s.groups(t.Context(), f, func(r *rows) error {
		for i, b := range r.cols {
			for k := range r.n {
				all[i] = append(all[i], fmt.Sprint(r.place(k).Row, b.Nulls > 0 && b.Null[k]))
			}
			all[i] = append(all[i], fmt.Sprint(b.Int, b.Float, b.Text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Files by other programs hold the same values, read by one goroutine or
// several, from a reader or from a mapping.
func TestAheadReadsFixtures(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(fixtures, "*.parquet"))
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		s, f := openAny(t, file, info.Size(), 1)
		want := visited(t, s, f)
		source, release := files.Reader(file)
		for _, jobs := range []int{1, 2, 5} {
			for _, r := range []io.ReaderAt{file, source} {
				s, again := openAny(t, r, info.Size(), jobs)
				if got := visited(t, s, again); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %d jobs, %T: the values differ", path, jobs, r)
				}
				again.pages.Close()
				if s.log.budget.Used() != 0 {
					t.Errorf("%s: %d jobs: %d bytes are still booked", path, jobs, s.log.budget.Used())
				}
			}
		}
		f.pages.Close()
		release()
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

// As many blocks are decoded ahead as fit; two wherever that is possible, and
// one of rows so wide that not even two fit.
func TestAheadSize(t *testing.T) {
	for _, tc := range []struct {
		columns, width int
		text           bool
		limit          int64
		blocks         int
	}{
		{12, 0, false, 384 << 20, 16},
		{50, 0, false, 384 << 20, 4},
		{300, 0, false, 384 << 20, 2},
		{1, 100, false, 384 << 20, 2},
		{1, 100, true, 384 << 20, 1},
		{1000, 0, false, 384 << 20, 1},
		{1, 0, false, 1, 1},
	} {
		f, s := &logFile{}, &scanner{log: &logFiles{budget: pages.NewBudget(tc.limit)}}
		for range tc.columns {
			c := &pages.Column{Kind: pages.Float}
			if tc.text {
				c.Kind = pages.Text
			}
			f.shown, s.block.cols = append(f.shown, c), append(s.block.cols, new(pages.Block))
			s.shapes = append(s.shapes, shape{outer: tc.width, inner: 1})
		}
		blocks, limit := s.aheadSize(f)
		if blocks != tc.blocks || limit < tc.limit/aheadShare {
			t.Errorf("%+v: %d blocks, %d bytes", tc, blocks, limit)
		}
	}
}
