package accounting

import (
	"context"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// collect calls for the costs of all rows.
func collect(tb interface{ Fatal(...any) }, s *tableau.Slice, walk func(visit func(chunk int, costs []float64) error) error) []float64 {
	var out []float64
	err := walk(func(chunk int, costs []float64) error {
		if c := s.Chunk(chunk); c.Start != int64(len(out)) || len(c.Arm) != len(costs) {
			tb.Fatal("chunk", chunk, "with", len(costs), "costs after", len(out), "rows")
		}
		out = append(out, costs...)
		return nil
	})
	if err != nil || int64(len(out)) != s.Rows() {
		tb.Fatal(len(out), "costs of", s.Rows(), "rows:", err)
	}
	return out
}

// The costs of random histories, with schedules, delays and batches, against
// the definition, in the order of rows.
func TestCostsAgainstDefinition(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		p := mechanisms(t, h.batch != nil)
		h.drawStrata(t, p)
		m := mechanismOf(t, p, arms())
		s := h.slice(outer)
		law, err := declare(t, p).Law(s)
		if err != nil {
			t.Fatal(err)
		}
		got := collect(t, s, func(visit func(int, []float64) error) error {
			return declare(t, p).Costs(context.Background(), s, visit)
		})
		rows := h.brute(m)
		var read [6]int64 // by stream
		for _, r := range rows {
			read[r.from] = max(read[r.from], r.place)
		}
		for i, r := range rows {
			want := law.Cost(r.place, read[r.from]).Float()
			if path, ok := law.(*ledger.PathLaw); ok {
				m := r.later
				if path.Opposed {
					m = max(r.same, r.later-r.same)
				}
				want = path.Decisions.Last(m, path.Rounds).Float()
			}
			if got[i] < want || got[i] > want*(1+1e-12) {
				t.Fatalf("row %d costs %v, want %v", i, got[i], want)
			}
		}
	})
}

// However few rows wait for an earlier one, and however late rewards become
// known, the costs are those of the arrivals.
func TestCostWindows(t *testing.T) {
	p := protocol("softmax", "exact")
	p.Policy.Set("eta", 0.125)
	const n = 3*tableau.BatchRows + 700
	h := &history{}
	for i := range int64(n) {
		known := i + 1
		switch {
		case i%9973 == 0:
			known = n - i%7 // long after, of every chunk
		case i%3 == 0:
			known = min(i+1+i*2654435761%40000, n)
		case i%20011 == 1:
			known = tableau.NeverKnown
		}
		h.arm, h.round, h.known = append(h.arm, int32(i*i%7%2)), append(h.round, i+1), append(h.known, max(known, i+1))
	}
	s := h.slice(t)
	m := mechanismOf(t, p, arms())
	e := &Experiment{Declared: &Declared{Protocol: p, Arms: arms(), Mechanism: m}, Context: context.Background(), Slice: s}
	k, err := e.known()
	if err != nil {
		t.Fatal(err)
	}
	law := m.LawOver(n)
	want, cost := make([]float64, n), e.costs(law, &k)
	err = e.arrivals(&k, true, func(at *arrival) error {
		want[at.row] = cost(at)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, window := range []int64{1, tableau.BatchRows + 1, costWindow} {
		got := collect(t, s, func(visit func(int, []float64) error) error { return e.rowCosts(law, &k, window, visit) })
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("window %d: row %d costs %v, want %v", window, i, got[i], want[i])
			}
		}
	}
	refusal := errors.New("no more")
	visits := 0
	err = e.rowCosts(law, &k, 1, func(int, []float64) error { visits++; return refusal })
	if !errors.Is(err, refusal) || visits != 1 {
		t.Errorf("after an error there were %d visits, and %v", visits, err)
	}
}

func TestCostsOfNothing(t *testing.T) {
	h := &history{arm: []int32{0, 1}, round: []int64{1, 2}}
	s := h.slice(t)
	visit := func(int, []float64) error { return nil }
	if err := declare(t, &schemas.Protocol{}).Costs(context.Background(), s, visit); err == nil {
		t.Error("no policy has no costs")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := declare(t, protocol("ucb", "hybrid")).Costs(ctx, s, visit); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A row that the declared mechanism cannot have had costs what nothing bounds.
func TestCostsOfAContradiction(t *testing.T) {
	p := protocol("ucb", "tree")
	p.Counter.Epsilon, p.Counter.Horizon = schemas.MustRational("0.7"), 2
	h := &history{arm: []int32{0, 0, 0, 0, 1}, round: []int64{1, 2, 3, 4, 5}}
	s := h.slice(t)
	got := collect(t, s, func(visit func(int, []float64) error) error {
		return declare(t, p).Costs(context.Background(), s, visit)
	})
	for i, c := range got[:4] {
		if !math.IsInf(c, 1) {
			t.Errorf("row %d costs %v", i, c)
		}
	}
	if got[4] != 0 {
		t.Errorf("the last row, which no decision could use, costs %v", got[4])
	}
}
