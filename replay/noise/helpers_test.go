package noise

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"banditaudit/replay/counter"
)

// deployment is a counter beside what a faulty deployment of it shows.
type deployment struct {
	spec counter.Spec
	arms int
	rows int64 // of each arm
	skip int64 // the policy looks at every skip-th sum
	show func(d *deployment, arm int, n int64, noise float64) float64
	src  *rand.PCG
	c    counter.Counter
}

func deployed(tb testing.TB, spec counter.Spec, arms int, rows int64) *deployment {
	tb.Helper()
	c, err := counter.New(spec)
	if err != nil {
		tb.Fatal(err)
	}
	return &deployment{spec: spec, arms: arms, rows: rows, skip: 1, src: rand.NewPCG(3, uint64(rows)), c: c}
}

func spec(name string) counter.Spec {
	s := counter.Spec{Name: name, Epsilon: big.NewRat(1, 2)}
	switch name {
	case "binary", "interval", "tree":
		s.Horizon = 1 << 16
	}
	return s
}

// fresh returns noise of a sum of n rows that nobody has drawn before.
func (d *deployment) fresh(n int64) float64 {
	var sum float64
	for _, p := range d.c.Noise(n) {
		sum += simulated(d.src, &Draw{Scale: p.Scale, Count: p.Count, Grid: 0x1p-20})
	}
	return sum
}

// input is what replay would hand over: rewards are 0, so that what is released
// is noise.
func (d *deployment) input(tb testing.TB) Input {
	tb.Helper()
	src := make([]rand.Source, d.arms)
	for i := range src {
		src[i] = rand.NewPCG(5, uint64(i))
	}
	bank := d.c.Bank(src)
	in := Input{Grid: 0x1p-20, Epsilon: 0.5, Law: d.law, Recover: d.recover}
	for n := int64(1); n <= d.rows; n++ {
		for arm := range d.arms {
			noise, rows, err := bank.Add(arm, 0)
			if err != nil {
				tb.Fatal(err)
			}
			if rows != n || n%d.skip != 0 {
				continue
			}
			if d.show != nil {
				noise = d.show(d, arm, n, noise)
			}
			in.Residues = append(in.Residues, Residue{Stream: Stream{Arm: arm}, Rows: n, Value: noise})
		}
	}
	in.Draws = d.recover(in.Residues)
	return in
}

func (d *deployment) law(n int64) []Component {
	parts := d.c.Noise(n)
	out := make([]Component, len(parts))
	for i, p := range parts {
		out[i] = Component{Scale: p.Scale, Count: p.Count}
	}
	return out
}

func (d *deployment) recover(residues []Residue) []Draw {
	of := map[int]counter.Recovery{}
	var out []Draw
	for _, x := range residues {
		if of[x.Arm] == nil {
			of[x.Arm] = d.c.Recover()
		}
		for _, y := range of[x.Arm].See(x.Rows, x.Value) {
			out = append(out, Draw{Stream: Stream{Arm: x.Arm}, Row: y.Row, Rows: x.Rows, Scale: y.Scale, Count: y.Count, Grid: 0x1p-20, Value: y.Value})
		}
	}
	return out
}

// design is m draws of each of two streams.
func design(m int, scale, grid float64, count int) []Draw {
	var out []Draw
	for i := range m {
		for arm := range 2 {
			out = append(out, Draw{Stream: Stream{Arm: arm}, Row: int64(i + 1), Rows: int64(i + 1), Scale: scale, Count: count, Grid: grid})
		}
	}
	return out
}

// near says that two numbers are equal but for a share.
func near(a, b, share float64) bool {
	return a == b || math.Abs(a-b) <= share*max(math.Abs(a), math.Abs(b))
}

// newSample takes draws without salt.
func newSample(draws []Draw) *drawn { return salted(draws, nil, "") }
