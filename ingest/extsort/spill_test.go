package extsort

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Whatever the records and the memory, the result is that of a stable sort in
// memory. Few letters make for many equal keys and shared beginnings; the least
// memory makes for many runs and several passes.
func TestSortIsStableSort(t *testing.T) {
	dir := t.TempDir()
	passes := 0
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]string{"\x00\x01", "ab", "\x00", "abcdefgh\xff"}).Draw(t, "letters")
		key := rapid.SliceOfN(rapid.SampledFrom([]byte(letters)), 0, rapid.SampledFrom([]int{0, 1, 3, 8, 20}).Draw(t, "length"))
		payload := rapid.IntRange(0, rapid.SampledFrom([]int{0, 10, 300, 5000}).Draw(t, "payload"))
		n := rapid.SampledFrom([]int{0, 1, 2, 63, 64, 65, 200, 700}).Draw(t, "records")
		records := make([]record, n)
		for i := range records {
			records[i] = record{key.Draw(t, "key"), make([]byte, payload.Draw(t, "size"))}
			copy(records[i].payload, AppendInt64(nil, int64(i)))
		}
		memory := rapid.SampledFrom([]int64{0, 4096, 10_000, 1 << 20}).Draw(t, "memory")
		got, s := sortRecords(t, Config{Dir: dir, Memory: memory}, records)
		wantSame(t, records, got)
		if s.disk != nil && s.disk.runs() > 1 {
			passes++
		}
	})
	if passes == 0 {
		t.Error("no example needed a merge")
	}
}

// Records that fit stay in memory: the directory is not touched.
func TestInMemory(t *testing.T) {
	records := shuffled(1000)
	s := New(Config{Dir: "/does/not/exist", Memory: 1 << 20})
	defer s.Close()
	for _, r := range records {
		if err := s.Add(r.key, r.payload); err != nil {
			t.Fatal(err)
		}
	}
	it, err := s.Sort()
	if err != nil {
		t.Fatal(err)
	}
	wantSame(t, records, collect(t, it))
	if s.disk != nil {
		t.Error("records that fit were written to disk")
	}
}

// With two runs merged at a time, many runs take several passes, and no more
// than two files are open.
func TestManyRunsAndPasses(t *testing.T) {
	dir := t.TempDir()
	records := shuffled(20_000)
	s := New(Config{Dir: dir, Memory: minMemory})
	defer s.Close()
	for _, r := range records {
		if err := s.Add(r.key, r.payload); err != nil {
			t.Fatal(err)
		}
	}
	if s.disk.runs() < 50 {
		t.Errorf("%d runs are too few for this test", s.disk.runs())
	}
	it, err := s.Sort()
	if err != nil {
		t.Fatal(err)
	}
	wantSame(t, records, collect(t, it))
	if s.disk.runs() > fanIn(minMemory) {
		t.Errorf("%d runs were merged at once, not %d", s.disk.runs(), fanIn(minMemory))
	}
}

// Sorted input, and runs that follow each other, make one run.
func TestRunsThatFollowEachOther(t *testing.T) {
	for name, tc := range map[string]struct {
		draw func(i int) []byte
		runs int
	}{
		"sorted":       {func(i int) []byte { return AppendInt64(nil, int64(i)) }, 1},
		"equal":        {func(int) []byte { return []byte("k") }, 1},
		"empty keys":   {func(int) []byte { return nil }, 1},
		"nearly so":    {func(i int) []byte { return AppendInt64(nil, int64(i^1)) }, 1},
		"two in turn":  {func(i int) []byte { return AppendInt64(nil, int64(i%5000)) }, 2},
		"from the end": {func(i int) []byte { return AppendInt64(nil, int64(-i)) }, 0},
	} {
		records := numbered(10_000, tc.draw)
		s := New(Config{Dir: t.TempDir(), Memory: 8192})
		for _, r := range records {
			if err := s.Add(r.key, r.payload); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.spill(); err != nil {
			t.Fatal(err)
		}
		if got := s.disk.runs(); tc.runs > 0 && got > tc.runs+1 {
			t.Errorf("%s: %d runs, not %d", name, got, tc.runs)
		}
		it, err := s.Sort()
		if err != nil {
			t.Fatal(err)
		}
		wantSame(t, records, collect(t, it))
		s.Close()
	}
}

// Large records among small ones, larger than slabs, buffers and the memory.
func TestLargeRecords(t *testing.T) {
	dir := t.TempDir()
	records := shuffled(500)
	for i := range records {
		if i%50 == 7 {
			records[i].payload = make([]byte, 3000*(i/50))
			records[i].key = append(records[i].key, make([]byte, 20_000)...)
		}
	}
	got, _ := sortRecords(t, Config{Dir: dir, Memory: minMemory}, records)
	wantSame(t, records, got)
}

func TestMemoryIsBookedAndReturned(t *testing.T) {
	records := shuffled(20_000)
	for _, memory := range []int64{minMemory, 64 << 10, 1 << 20, 16 << 20} {
		p := &purse{left: memory + memory/8, least: memory}
		got, _ := sortRecords(t, Config{Dir: t.TempDir(), Memory: memory, Budget: p}, records)
		wantSame(t, records, got)
		if p.left != memory+memory/8 {
			t.Errorf("memory %d: %d bytes were not returned", memory, memory+memory/8-p.left)
		}
		if p.least == memory+memory/8 {
			t.Errorf("memory %d: nothing was booked", memory)
		}
	}
}

// A budget that others have used up makes the sort spill early; none at all is
// its error.
func TestBudgetOfOthers(t *testing.T) {
	records := shuffled(20_000)
	p := &purse{left: 40 << 10}
	got, s := sortRecords(t, Config{Dir: t.TempDir(), Memory: 16 << 20, Budget: &purse{left: 3 << 20}}, records)
	wantSame(t, records, got)
	if s.disk != nil {
		t.Error("spilled with memory enough")
	}
	got, s = sortRecords(t, Config{Dir: t.TempDir(), Memory: 64 << 10, Budget: p}, records)
	wantSame(t, records, got)
	if s.disk == nil {
		t.Error("did not spill")
	}
	none := New(Config{Dir: t.TempDir(), Memory: 1 << 20, Budget: &purse{}})
	defer none.Close()
	if err := none.Add([]byte("k"), nil); !errors.Is(err, errPurse) {
		t.Errorf("got %v", err)
	}
}

func TestStop(t *testing.T) {
	stop := errors.New("stop")
	asked := 0
	for limit := range 12 {
		asked = 0
		s := New(Config{Dir: t.TempDir(), Memory: minMemory, Stop: func() error {
			if asked++; asked > limit*20 {
				return stop
			}
			return nil
		}})
		err := error(nil)
		for _, r := range shuffled(20_000) {
			err = errors.Join(err, s.Add(r.key, r.payload))
		}
		if it, serr := s.Sort(); serr == nil {
			for it.Next() {
			}
			err = errors.Join(err, it.Err())
		} else {
			err = errors.Join(err, serr)
		}
		if !errors.Is(err, stop) {
			t.Errorf("after %d questions: %v", limit*20, err)
		}
		wantEmpty(t, s.config.Dir)
		s.Close()
		s.Close()
	}
}

// Spill makes room for others at any time; the result is the same.
func TestSpillAtAnyTime(t *testing.T) {
	records := shuffled(3000)
	p := &purse{left: 1 << 20}
	s := New(Config{Dir: t.TempDir(), Memory: 1 << 20, Budget: p})
	defer s.Close()
	for i, r := range records {
		if i%1000 == 500 {
			if err := s.Spill(); err != nil {
				t.Fatal(err)
			}
			if p.left != 1<<20 {
				t.Errorf("%d bytes are still booked", 1<<20-p.left)
			}
		}
		if err := s.Add(r.key, r.payload); err != nil {
			t.Fatal(err)
		}
	}
	it, err := s.Sort()
	if err != nil {
		t.Fatal(err)
	}
	wantSame(t, records, collect(t, it))
	if err := s.Spill(); !errors.Is(err, errSorted) {
		t.Errorf("got %v", err)
	}
}

func TestAddAfterSort(t *testing.T) {
	s := New(Config{Memory: 1 << 20})
	if _, err := s.Sort(); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(nil, nil); !errors.Is(err, errSorted) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Sort(); !errors.Is(err, errSorted) {
		t.Errorf("got %v", err)
	}
	s.Close()
	if err := s.Add(nil, nil); err == nil {
		t.Error("a closed Sorter takes records")
	}
}

func BenchmarkSort(b *testing.B) {
	const n = 1 << 20
	payload := make([]byte, 108)
	for name, records := range map[string][]record{
		"shuffled": shuffled(n),
		"sorted":   numbered(n, func(i int) []byte { return AppendInt64(nil, int64(i)) }),
		"16 files": numbered(n, func(i int) []byte { return AppendInt64(nil, int64(i%(n/16)*16+i/(n/16))) }),
	} {
		for _, memory := range []int64{16 << 20, 512 << 20} {
			b.Run(fmt.Sprintf("%s/%dMiB", name, memory>>20), func(b *testing.B) {
				for b.Loop() {
					s := New(Config{Dir: b.TempDir(), Memory: memory})
					for _, r := range records {
						if err := s.Add(r.key, payload); err != nil {
							b.Fatal(err)
						}
					}
					it, err := s.Sort()
					if err != nil {
						b.Fatal(err)
					}
					got := 0
					for it.Next() {
						got++
					}
					if got != n || it.Err() != nil {
						b.Fatal(got, it.Err())
					}
					s.Close()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/record")
			})
		}
	}
}
