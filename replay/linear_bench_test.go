package replay

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"banditaudit/schemas"
)

// Linear bandits of K = d = 5, per round, propensities included where the policy
// draws; "world" is what contexts and rewards take of it, and "gonum/mat" the
// same policy as linucb × exact, written with that package in the obvious way.
func BenchmarkBanditLinear(b *testing.B) {
	for _, bench := range []struct {
		name string
		p    *schemas.Protocol
	}{{"linucb×exact", linUCB()}, {"linucb×hybrid", linPriv(linUCB(), "1", "5", 1_000_000)}, {"lints×exact", linTS()}} {
		b.Run(bench.name, func(b *testing.B) {
			m := build(b, bench.p, 5)
			err := m.Bandit(Seed(1), "bench", five(3), int64(b.N), func(*Step) error { return nil })
			if err != nil {
				b.Fatal(err)
			}
		})
	}
	b.Run("gonum/mat", func(b *testing.B) {
		w, x := five(3), make([]float64, 5)
		arms := make([]gonumArm, 5)
		for i := range arms {
			arms[i].reset(5)
		}
		for t := int64(1); t <= int64(b.N); t++ {
			w.Context(t, x)
			at, best, top := mat.NewVecDense(5, x), 0, math.Inf(-1)
			for i := range arms {
				if index := arms[i].index(at); index > top {
					best, top = i, index
				}
			}
			arms[best].learn(at, w.Reward(t, best))
		}
	})
	b.Run("world", func(b *testing.B) {
		w, x := five(3), make([]float64, 5)
		for t := int64(1); t <= int64(b.N); t++ {
			w.Context(t, x)
			w.Reward(t, int(t%5))
		}
	})
}

// gonumArm is one arm of OFUL with λ = 1, R = ½, S = 1, δ = 0.05 and K = 5.
type gonumArm struct {
	v                  mat.Cholesky
	sum, theta, solved *mat.VecDense
	beta               float64
}

func (a *gonumArm) reset(d int) {
	one := mat.NewSymDense(d, nil)
	for j := range d {
		one.SetSym(j, j, 1)
	}
	a.v.Factorize(one)
	a.sum, a.theta, a.solved = mat.NewVecDense(d, nil), mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
	a.width()
}

func (a *gonumArm) width() { a.beta = 0.5*math.Sqrt(a.v.LogDet()+2*math.Log(2*5/0.05)) + 1 }

func (a *gonumArm) index(x *mat.VecDense) float64 {
	_ = a.v.SolveVecTo(a.solved, x) // the condition is good
	return mat.Dot(a.theta, x) + a.beta*math.Sqrt(mat.Dot(x, a.solved))
}

func (a *gonumArm) learn(x *mat.VecDense, y float64) {
	a.v.SymRankOne(&a.v, 1, x)
	a.sum.AddScaledVec(a.sum, y, x)
	_ = a.v.SolveVecTo(a.theta, a.sum) // the condition is good
	a.width()
}

// The policy plays what the same policy written with gonum/mat plays.
func TestLinUCBEqualsGonum(t *testing.T) {
	w := five(3)
	arms := make([]gonumArm, 5)
	for i := range arms {
		arms[i].reset(5)
	}
	err := build(t, linUCB(), 5).Bandit(Seed(1), "e", w, 2000, func(s *Step) error {
		x := mat.NewVecDense(5, append([]float64(nil), s.Public.X...))
		top := math.Inf(-1)
		for i := range arms {
			top = max(top, arms[i].index(x))
		}
		if played := arms[s.Arm].index(x); played < top-1e-10 {
			t.Errorf("round %d: arm %d with index %v, the largest is %v", s.Round, s.Arm, played, top)
		}
		arms[s.Arm].learn(x, s.Reward)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
