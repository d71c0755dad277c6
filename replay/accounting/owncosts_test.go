package accounting

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// linpriv is linucb over a counter with noise, for contexts up to a bound, on a
// grid on which they are whole.
func linpriv(counter, epsilon, bound string, horizon int64) *schemas.Protocol {
	p := protocol("linucb", "")
	for key, value := range map[string]any{"lambda": 1.0, "noise_sd": 0.5, "theta_bound": 1.0, "context_l1": schemas.MustRational(bound)} {
		p.Policy.Set(key, value)
	}
	p.Counter = &schemas.Counter{Name: counter, Epsilon: schemas.MustRational(epsilon), Horizon: horizon, Grid: schemas.MustRational("1/16")}
	return p
}

// linearSlice is a history with contexts: a column for each coordinate, or, by arm,
// the lists of both arms.
func (h *history) linearSlice(tb testing.TB, x [][]float64, byArm bool) *tableau.Slice {
	tb.Helper()
	n := len(h.arm)
	b := tableau.Batch{Experiment: make([]int32, n), Round: h.round, Arm: h.arm, Reward: make([]float64, n), Batch: h.batch, RewardRound: h.known}
	s := tableau.Schema{Arms: 2, Reward: [2]float64{0, 1}, Batch: h.batch != nil, RewardRound: h.known != nil, Experiments: []tableau.Range{{ID: "shop", Rows: int64(n)}}}
	if byArm {
		s.ContextByArm = len(x[0]) / 2
		for _, v := range x {
			b.ContextByArm = append(b.ContextByArm, v...)
		}
		return slice(tb, s, &b)
	}
	s.ContextDim, b.X = len(x[0]), make([][]float64, len(x[0]))
	for _, v := range x {
		for j := range b.X {
			b.X[j] = append(b.X[j], v[j])
		}
	}
	return slice(tb, s, &b)
}

// The costs of random histories with contexts against the definition: so much of
// what the ledger charges the place of the row as ‖x‖₁ of the played arm, in whole
// steps of the grid, is of the bound.
func TestOwnCostsAgainstDefinition(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		h.unit = nil
		byArm := rapid.Bool().Draw(t, "by arm")
		counter := rapid.SampledFrom([]string{"binary", "hybrid", "laplace", "epochs", "tree"}).Draw(t, "counter")
		p := linpriv(counter, "0.7", "3", 64)
		if h.batch != nil && rapid.Bool().Draw(t, "by batch") {
			p.Policy.Update = &schemas.Update{Batch: true}
		}
		x := make([][]float64, len(h.arm))
		for i := range x {
			x[i] = rapid.SliceOfN(rapid.Float64Range(-0.75, 0.75), 4, 4).Draw(t, "x")
		}
		s, d := h.linearSlice(outer, x, byArm), declare(t, p)
		law, err := d.Law(s)
		if err != nil {
			t.Fatal(err)
		}
		got := collect(t, s, func(visit func(int, []float64) error) error { return d.Costs(context.Background(), s, visit) })
		rows := h.brute(d.Mechanism)
		var read [2]int64
		for _, r := range rows {
			read[r.arm] = max(read[r.arm], r.place)
		}
		for i, r := range rows {
			played := x[i]
			if byArm {
				played = x[i][2*r.arm : 2*r.arm+2]
			}
			units := int64(0)
			for _, v := range played {
				units += int64(math.Trunc(math.Abs(v) * 16))
			}
			exact := law.Cost(r.place, read[r.arm]).Rat()
			want, _ := exact.Mul(exact, big.NewRat(units, 3*16)).Float64()
			if got[i] < want || got[i] > want*(1+1e-12) {
				t.Fatalf("row %d costs %v, want %v", i, got[i], want)
			}
		}
	})
}

// The accounting is that of the bound whatever the contexts are; only where they
// depend on rewards as they are, or a log contradicts the bound, no row has a cost
// of its own.
func TestOwnCostsLeaveTheAccounting(t *testing.T) {
	h := &history{arm: []int32{0, 0, 1, 0, 1, 0}, round: []int64{1, 2, 3, 4, 5, 6}}
	short, long, beyond := make([][]float64, 6), make([][]float64, 6), make([][]float64, 6)
	for i := range short {
		short[i], long[i], beyond[i] = []float64{0.5, -0.25}, []float64{2, -1}, []float64{2, -1}
	}
	beyond[3] = []float64{2, 1.0625}
	account := func(p *schemas.Protocol, x [][]float64) (schemas.Accounting, []float64) {
		s, d := h.linearSlice(t, x, false), declare(t, p)
		a, _, err := d.Account(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return a, collect(t, s, func(visit func(int, []float64) error) error { return d.Costs(t.Context(), s, visit) })
	}
	p := linpriv("binary", "0.9", "3", 7)
	small, own := account(p, short)
	large, full := account(p, long)
	if diff := cmp.Diff(large, small); diff != "" {
		t.Errorf("shorter contexts change the accounting (-long +short):\n%s", diff)
	}
	if small.InferenceCosts != schemas.CostsOwnContext {
		t.Errorf("costs of inference: %q", small.InferenceCosts)
	}
	for i := range own {
		if math.Abs(own[i]-full[i]/4) > 1e-12 {
			t.Errorf("row %d costs %v, want a fourth of %v", i, own[i], full[i])
		}
	}
	for _, word := range []string{schemas.SetByRewards, schemas.SetByUnknown} {
		p.Log.ContextBy, p.Log.Context.Columns = word, []schemas.ContextColumn{{Column: "x0"}, {Column: "x1"}}
		a, costs := account(p, short)
		if a.InferenceCosts != schemas.CostsLevels || !cmp.Equal(costs, full) {
			t.Errorf("context_by %s: %q, %v", word, a.InferenceCosts, costs)
		}
	}
	a, costs := account(linpriv("binary", "0.9", "3", 7), beyond)
	if a.InferenceCosts != schemas.CostsLevels || !math.IsInf(costs[0], 1) || costs[5] != 0 {
		t.Errorf("a context beyond the bound: %q, %v", a.InferenceCosts, costs)
	}
	exact := linpriv("exact", "1", "3", 0)
	exact.Counter = &schemas.Counter{Name: "exact"}
	if a, _ = account(exact, short); a.InferenceCosts != schemas.CostsLevels {
		t.Errorf("without noise: %q", a.InferenceCosts)
	}
}
