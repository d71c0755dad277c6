package owner_test

import (
	"math"
	"testing"

	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
	"banditaudit/replay/ledger/owner"
)

// supremumRho goes over all sequences: the largest Σ_v ρ of the rounds in node v.
func supremumRho(law ledger.Law, size int64, k int, rounds []int64) float64 {
	owned := make([]bool, size+1)
	for _, t := range rounds {
		owned[t] = true
	}
	bySize := make([]ledger.Nodes, size+1)
	for s := range bySize {
		bySize[s], _ = ledger.NodesOf(law, int64(s))
	}
	best, path := 0.0, make([]int, size)
	for {
		sum := 0.0
		for arm := range k {
			var rows []bool // of the arm's stream: whether it is owned
			for t, a := range path {
				if a == arm {
					rows = append(rows, owned[t+1])
				}
			}
			nodes := &bySize[len(rows)]
			for _, v := range nodes.List {
				mine := 0.0
				for n := v.Before; n < min(v.Last, int64(len(rows))); n++ {
					if rows[n] {
						mine++
					}
				}
				loss := nodes.Unit.Times(v.Loss).Float()
				sum += ledger.LaplaceRho(mine*loss, loss/float64(nodes.Steps))
			}
		}
		best = max(best, sum)
		at := int(size) - 1
		for ; at >= 0; at-- {
			if path[at]++; path[at] < k {
				break
			}
			path[at] = 0
		}
		if at < 0 {
			return best
		}
	}
}

// TestRho holds the bound on ρ of an owner against enumeration, of every counter whose
// noise is drawn when the last row of a node is there, and of eight rounds of a binary
// tree against a second program (Python), which finds 1.83148 where m²·ρ is 7.373.
func TestRho(t *testing.T) {
	for _, c := range []struct {
		spec   counter.Spec
		rounds []int64
		equal  float64
	}{
		{counter.Spec{Name: "binary", Horizon: 8}, every(1, 8, 1), 1.83148},
		{counter.Spec{Name: "binary", Horizon: 8}, every(1, 8, 3), 0},
		{counter.Spec{Name: "hybrid"}, every(1, 8, 1), 0},
		{counter.Spec{Name: "hybrid"}, every(5, 8, 1), 0},
		{counter.Spec{Name: "laplace"}, every(1, 8, 2), 0},
		{counter.Spec{Name: "epochs"}, every(1, 8, 1), 0},
		{counter.Spec{Name: "interval", Horizon: 8}, every(1, 8, 1), 0},
		{counter.Spec{Name: "interval", Horizon: 8}, every(2, 8, 3), 0},
	} {
		l, m := law(t, c.spec), int64(len(c.rounds))
		o := owner.New(l, run(8, 2, false))
		most := o.AtMost([]owner.Owner{{Count: m, Rounds: c.rounds}}, 0).Loss
		got, want := o.Rho(m, most), supremumRho(l, 8, 2, c.rounds)
		if got < want*(1-1e-9) {
			t.Errorf("%s, U = %v: the bound is %v, and a sequence has %v", c.spec.Name, c.rounds, got, want)
		}
		if c.equal > 0 && math.Abs(got-c.equal) > 1e-4 {
			t.Errorf("%s: ρ is %v, want %v", c.spec.Name, got, c.equal)
		}
		if group := ledger.GroupRho(ledger.Concentrated(l), m); got > group {
			t.Errorf("%s: %v is above m²·ρ = %v", c.spec.Name, got, group)
		}
	}
}

// TestOneRound: whoever owns one round loses no more than a round does, in ε and in ρ.
func TestOneRound(t *testing.T) {
	for _, spec := range specs(30) {
		if spec.Name == ternary.Name {
			continue
		}
		l := law(t, spec)
		o := owner.New(l, run(30, 3, true))
		b := o.AtMost([]owner.Owner{{Count: 1, Rounds: []int64{1}}}, 1)
		if b.Loss.Cmp(l.Epsilon()) > 0 || o.Rho(1, b.Loss) > ledger.Concentrated(l) {
			t.Errorf("%s: one round loses %v of %v, ρ %v of %v", spec.Name, b.Loss, l.Epsilon(), o.Rho(1, b.Loss), ledger.Concentrated(l))
		}
	}
}

// Long runs take the concave majorant, and longer ones a grid of stream lengths: above
// the maximum over splits by at most a tenth, and never below.
func TestLongRuns(t *testing.T) {
	spec := counter.Spec{Name: "binary", Horizon: 4096}
	l := law(t, spec)
	for _, m := range []int64{1, 10, 100, 1000} {
		exact := owner.New(l, run(4096, 2, false)).AtMost(nil, m).Loss.Float()
		longer := owner.New(l, run(4097, 2, false)).AtMost(nil, m).Loss.Float()
		if longer < exact || longer > exact*1.1+1e-9 {
			t.Errorf("m = %d: %v in 4,096 rounds, %v in 4,097", m, exact, longer)
		}
	}
	const million = 1 << 20
	for _, spec := range []counter.Spec{{Name: "hybrid"}, {Name: "binary", Horizon: million}, {Name: "tree", Horizon: million}, {Name: "epochs"}} {
		l := law(t, spec)
		rows := owner.New(l, run(1<<16, 3, false)).AtMost(nil, 1000).Loss.Float()
		grid := owner.New(l, run(1<<16+1, 3, false)).AtMost(nil, 1000).Loss.Float()
		if grid < rows || grid > rows*1.1 {
			t.Errorf("%s: %v by rows, %v on the grid", spec.Name, rows, grid)
		}
		if far := owner.New(l, run(1<<20, 3, false)).AtMost(nil, 1000).Loss; far.Cmp(l.Epsilon().Times(1000)) > 0 || far.Float() < grid*.99 {
			t.Errorf("%s: %v in 2^20 rounds, %v in 2^16", spec.Name, far.Float(), grid)
		}
	}
}
