package extsort

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
)

// record is one record of a test.
type record struct{ key, payload []byte }

// byKey is the order that the package promises.
func byKey(a, b record) int { return bytes.Compare(a.key, b.key) }

// test is what *testing.T and *rapid.T share.
type test interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// sortRecords sorts records with a Sorter and checks that nothing stays behind.
func sortRecords(tb test, c Config, records []record) ([]record, *Sorter) {
	tb.Helper()
	s := New(c)
	defer s.Close()
	for _, r := range records {
		if err := s.Add(r.key, r.payload); err != nil {
			tb.Fatal(err)
		}
	}
	it, err := s.Sort()
	if err != nil {
		tb.Fatal(err)
	}
	got := collect(tb, it)
	wantEmpty(tb, c.Dir)
	return got, s
}

func collect(tb test, it *Iterator) []record {
	tb.Helper()
	var got []record
	for it.Next() {
		got = append(got, record{bytes.Clone(it.Key()), bytes.Clone(it.Payload())})
	}
	if it.Err() != nil {
		tb.Fatal(it.Err())
	}
	if it.Next() {
		tb.Error("a record after the last")
	}
	return got
}

func wantEmpty(tb test, dir string) {
	tb.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		tb.Errorf("%v is in the directory, %v", entries, err)
	}
}

// wantSame checks the result against a sort that is known to be stable.
func wantSame(tb test, records, got []record) {
	tb.Helper()
	want := slices.Clone(records)
	slices.SortStableFunc(want, byKey)
	if len(got) != len(want) {
		tb.Fatalf("%d records of %d", len(got), len(want))
	}
	for i := range want {
		if !bytes.Equal(want[i].key, got[i].key) || !bytes.Equal(want[i].payload, got[i].payload) {
			tb.Fatalf("record %d is %x %x, not %x %x", i, got[i].key, got[i].payload, want[i].key, want[i].payload)
		}
	}
}

// numbered are records with keys drawn by draw and their number as payload.
func numbered(n int, draw func(i int) []byte) []record {
	records := make([]record, n)
	for i := range records {
		records[i] = record{draw(i), AppendInt64(nil, int64(i))}
	}
	return records
}

// shuffled are n records with different keys in no order.
func shuffled(n int) []record {
	perm := rand.New(rand.NewPCG(1, 2)).Perm(n)
	return numbered(n, func(i int) []byte { return AppendInt64(nil, int64(perm[i])) })
}

// purse is a budget of a number of bytes that remembers its least balance.
type purse struct{ left, least int64 }

var errPurse = errors.New("the purse is empty")

func (p *purse) Take(n int64) error {
	if n > p.left {
		return errPurse
	}
	p.left -= n
	p.least = min(p.least, p.left)
	return nil
}

func (p *purse) Give(n int64) { p.left += n }
