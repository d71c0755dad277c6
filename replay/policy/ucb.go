package policy

import (
	"errors"
	"math"
	"strconv"
)

var _ Policy = (*UCB)(nil)

// Width is the confidence width of UCB. Exactly one of the two is above 0.
type Width struct {
	Delta float64 // in (0,1): √(2·ln(t/δ)/N_i)
	C     float64 // > 0:      √(c·ln(t)/N_i); c = 2 is UCB1 (Auer, Cesa-Bianchi and Fischer 2002)
}

// Validate returns all faults of w, joined; each is a *ParamError.
func (w Width) Validate() error {
	var faults []error
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch {
	case w.Delta == 0 && w.C == 0:
		faults = append(faults, &ParamError{"width", "not given", "ucb needs delta or c", "write width: {delta: 0.05}, or width: {c: 2} for UCB1"})
	case w.Delta != 0 && w.C != 0:
		faults = append(faults, &ParamError{"width", "given twice", "delta and c are two different widths", "keep one of them"})
	}
	if w.Delta != 0 && !(w.Delta > 0 && w.Delta < 1) {
		faults = append(faults, &ParamError{"width.delta", number(w.Delta), "it must lie strictly between 0 and 1", "write 0.05"})
	}
	if w.C != 0 && !(w.C > 0 && !math.IsInf(w.C, 1)) {
		faults = append(faults, &ParamError{"width.c", number(w.C), "it must be finite and above 0", "write 2 for UCB1"})
	}
	return errors.Join(faults...)
}

// Bonus is a public allowance for the noise in released sums.
type Bonus interface {
	// Gamma returns Γ_n ≥ 0 for a released sum of n ≥ 1 rows, on the scale of
	// a sum of rewards in [0,1].
	Gamma(n int64) float64
}

// UCB plays the arm with the largest upper confidence bound. With rewards
// rescaled to [0,1] and S_i the released sum of arm i, noise included, the
// index at round t is
//
//	S_i/N_i + Γ_{N_i}/N_i + √(2·ln(t/δ)/N_i)    or, with c, √(c·ln(t)/N_i)
//
// and +∞ for an arm without rows. Of equal indices the first arm wins, so the
// first K rounds go in arm order. In floating point the index is
//
//	(S_i ⊘ N_i) ⊕ (Γ ⊘ N_i)  ⊕  √w ⊗ (1 ⊘ √N_i),   w = 2 ⊗ ln(t ⊘ δ)  or  c ⊗ ln t
//
// evaluated from left to right without fused operations, ⊘ ⊕ ⊗ and √ rounded
// to the nearest float64, and ln by the series in ln.go; without a bonus the
// second term is absent.
//
// With the exact counter and c = 2 this is UCB1; with the hybrid counter it is
// the private UCB of Mishra and Thakurta (UAI 2015) as reprinted by Neel and
// Roth (2018, appendix), with the noise on the sum and not on the mean.
type UCB struct {
	width Width
	bonus Bonus     // nil: none
	mean  []float64 // S_i/N_i + Γ/N_i; +Inf before the first row
	root  []float64 // 1/√N_i; 0 before the first row

	block  int64          // widths holds √w of rounds block…block+ahead−1
	widths [ahead]float64 // computed together: logarithms overlap when no choice waits for them
}

// ahead is the number of rounds whose √w is computed at a time.
const ahead = 64

// NewUCB returns the policy over k ≥ 1 arms; bonus may be nil. The width must
// have passed Validate.
func NewUCB(k int, w Width, bonus Bonus) *UCB {
	u := &UCB{width: w, bonus: bonus, block: -ahead, mean: make([]float64, k), root: make([]float64, k)}
	for i := range u.mean {
		u.mean[i] = math.Inf(1)
	}
	return u
}

// Select returns the first arm with the largest index.
func (u *UCB) Select(s *State) int {
	if at := s.Round - u.block; at < 0 || at >= ahead {
		u.fill(s.Round)
	}
	root := u.widths[s.Round-u.block]
	best, top := 0, math.Inf(-1)
	for i, m := range u.mean {
		if index := m + float64(root*u.root[i]); index > top {
			best, top = i, index
		}
	}
	return best
}

// fill computes √w of rounds t…t+ahead−1.
func (u *UCB) fill(t int64) {
	u.block = t
	for i := range u.widths {
		u.widths[i] = u.rootWidth(t + int64(i))
	}
}

// rootWidth returns √(2·ln(t/δ)) or √(c·ln t).
func (u *UCB) rootWidth(t int64) float64 {
	if u.width.Delta > 0 {
		return math.Sqrt(float64(2 * ln(float64(t)/u.width.Delta)))
	}
	return math.Sqrt(float64(u.width.C * ln(float64(t))))
}

// Observe recomputes the part of arm's index that does not depend on t.
func (u *UCB) Observe(s *State, arm int) {
	n := float64(s.Pulls[arm])
	m := s.Sums[arm] / n
	if u.bonus != nil {
		m += u.bonus.Gamma(s.Pulls[arm]) / n
	}
	u.mean[arm] = m
	u.root[arm] = 1 / math.Sqrt(n)
}

// Propensities writes 1 for the arm that Select returns and 0 for the others.
func (u *UCB) Propensities(s *State, dst []float64) {
	clear(dst)
	dst[u.Select(s)] = 1
}

// Random returns false: given the released sums the choice is determined.
func (*UCB) Random() bool { return false }

// ReadsRewards returns true.
func (*UCB) ReadsRewards() bool { return true }
