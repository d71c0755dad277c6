package ledger

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDisclosuresRefusals(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(d *Disclosures) error
	}{
		{"empty purpose", func(d *Disclosures) error { return d.Disclose("", 1, []string{"reward"}) }},
		{"empty law", func(d *Disclosures) error { return d.Release("", 1) }},
		{"negative rows", func(d *Disclosures) error { return d.Disclose("test:H2", -1, []string{"reward"}) }},
		{"no column", func(d *Disclosures) error { return d.Disclose("test:H2", 1, nil) }},
		{"same purpose", func(d *Disclosures) error { return d.Disclose("test:H1", 1, []string{"reward"}) }},
		{"same law", func(d *Disclosures) error { return d.Release("ucb × hybrid", 1) }},
		{"closed", func(d *Disclosures) error { d.Close(); d.Close(); return d.Disclose("test:H3", 1, []string{"reward"}) }},
	} {
		var d Disclosures
		if err := errors.Join(d.Disclose("test:H1", 5, []string{"reward"}), d.Release("ucb × hybrid", 5)); err != nil {
			t.Fatal(err)
		}
		before := d.List()
		if err := tt.do(&d); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: error %v, want ErrRefused", tt.name, err)
		}
		if diff := cmp.Diff(before, d.List()); diff != "" {
			t.Errorf("%s: a refused read changed the book:\n%s", tt.name, diff)
		}
	}
}

func TestDisclosuresListIsACopy(t *testing.T) {
	var d Disclosures
	columns := []string{"reward"}
	if err := d.Disclose("series:means", 3, columns); err != nil {
		t.Fatal(err)
	}
	columns[0] = "x"
	d.List()[0].Columns[0] = "y"
	want := []Booking{{Purpose: "series:means", Rows: 3, Columns: []string{"reward"}}}
	if diff := cmp.Diff(want, d.List()); diff != "" {
		t.Errorf("the book can be changed from outside:\n%s", diff)
	}
}

// gate is the model of a reader: it books first, and reads only if the book
// agrees. The model is a plain slice.
type gate struct {
	book   Disclosures
	closed bool
	model  []Booking
	reads  int
}

// expect books b through do and compares with what the model allows.
func (g *gate) expect(t *rapid.T, b Booking, allowed bool, do func() error) {
	for _, m := range g.model {
		allowed = allowed && m.Purpose != b.Purpose
	}
	allowed = allowed && !g.closed
	err := do()
	if (err == nil) != allowed {
		t.Fatalf("booking %+v: error %v, allowed %v", b, err, allowed)
	}
	if err != nil {
		if !errors.Is(err, ErrRefused) {
			t.Fatalf("a refusal without ErrRefused: %v", err)
		}
		return
	}
	g.model = append(g.model, b)
	if n := len(g.book.List()); n != g.reads+1 {
		t.Fatalf("the read begins with %d bookings after %d reads: it must be booked before", n, g.reads)
	}
	g.reads++
}

func TestDisclosuresStateMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &gate{}
		t.Repeat(map[string]func(*rapid.T){
			"disclose": func(t *rapid.T) {
				b := Booking{
					Purpose: rapid.SampledFrom([]string{"", "test:H1", "test:H2", "regression:main", "replay:ucb"}).Draw(t, "purpose"),
					Rows:    rapid.Int64Range(-1, 3).Draw(t, "rows"),
					Columns: rapid.SliceOfN(rapid.SampledFrom([]string{"reward", "x0"}), 0, 2).Draw(t, "columns"),
				}
				allowed := b.Purpose != "" && b.Rows >= 0 && len(b.Columns) > 0
				g.expect(t, b, allowed, func() error { return g.book.Disclose(b.Purpose, b.Rows, b.Columns) })
			},
			"release": func(t *rapid.T) {
				law := rapid.SampledFrom([]string{"", "ucb", "uniform"}).Draw(t, "law")
				rows := rapid.Int64Range(-1, 3).Draw(t, "rows")
				b := Booking{Purpose: "replay:" + law, Rows: rows, Columns: []string{"reward"}, Law: law}
				g.expect(t, b, law != "" && rows >= 0, func() error { return g.book.Release(law, rows) })
			},
			"close": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "seldom") == 0 {
					g.book.Close()
					g.closed = true
				}
			},
			"": func(t *rapid.T) {
				if diff := cmp.Diff(append([]Booking(nil), g.model...), append([]Booking(nil), g.book.List()...)); diff != "" {
					t.Fatalf("the book differs from the model:\n%s", diff)
				}
			},
		})
	})
}
