package dialects

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// world pays the arms of one log.
type world struct {
	draw      *rand.Rand
	k, rounds int
	means     []float64   // of rewards in [0, 1]
	theta     [][]float64 // where there are contexts: the mean is .1 + .8·⟨θ, x⟩
	x         []float64   // of the round
	reals     bool        // rewards are real, and not 0 and 1
	cents     bool        // to two decimals
	lo, hi    float64     // range of the rewards that are logged
}

// stream is the generator of log n of what a name says.
func stream(name string, n int) *rand.Rand {
	return rand.New(rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "dialects/%s/%d", name, n))))
}

// open draws the world of a log: 2 to most arms, which in one log of four are alike, and
// 300 to 2,000 rounds, 300 to 900 where propensities are integrals.
func (s *Setting) open(n int) *world {
	r := stream(s.Name(), n)
	w := &world{draw: r, k: 2 + r.IntN(s.most()-1), rounds: 300 + r.IntN(1701), hi: 1}
	if s.slow() {
		w.rounds = 300 + r.IntN(601)
	}
	if s.reals == only || s.reals == either && n%2 == 0 {
		w.reals, w.cents = true, r.IntN(2) == 0
		w.lo, w.hi = []float64{0, -1, 0}[n/2%3], []float64{1, 3, 200}[n/2%3]
	}
	w.means = make([]float64, w.k)
	alike := r.IntN(4) == 0
	for i := range w.means {
		w.means[i] = .1 + .8*r.Float64()
		if alike {
			w.means[i] = w.means[0]
		}
	}
	w.contexts(s.dim)
	return w
}

func (w *world) contexts(dim int) {
	if dim == 0 {
		return
	}
	w.x = make([]float64, dim)
	for range w.k {
		theta := make([]float64, dim)
		for j := range theta {
			theta[j] = w.draw.Float64() / math.Sqrt(float64(dim))
		}
		w.theta = append(w.theta, theta)
	}
}

// next begins a round: its context is as long as 1 at most.
func (w *world) next() {
	for j := range w.x {
		w.x[j] = w.draw.Float64() / math.Sqrt(float64(len(w.x)))
	}
}

// pay is the reward of an arm, as it is logged.
func (w *world) pay(arm int) float64 {
	m := w.means[arm]
	if w.theta != nil {
		m = .1 + .8*dot(w.theta[arm], w.x)
	}
	if !w.reals {
		return float64(b2i(w.draw.Float64() < m))
	}
	y := distuv.Beta{Alpha: 2 * m, Beta: 2 * (1 - m), Src: w.draw}.Rand()
	if w.cents {
		y = math.Round(100*y) / 100
	}
	return w.lo + y*(w.hi-w.lo)
}

// unit is a logged reward as policies see it.
func (w *world) unit(y float64) float64 { return (y - w.lo) / (w.hi - w.lo) }

// labels are the arms' names, which are in no order.
func labels(k int) []string {
	out := make([]string, k)
	for i := range out {
		out[i] = string(rune('a' + (7*i+3)%26))
	}
	return out
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
