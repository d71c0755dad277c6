package adaptive

// Allocation accumulates what check H05 needs from the logged action's
// propensity alone: for each arm a, over the rounds t that played it,
//
//	S_a = Σ 1/p_t,  V_a = Σ (1 − p_t)/p_t²
//
// E[S_a] = T and Var[S_a] = E[V_a] if p_t is the probability, given the past,
// of the action played and the arm has a positive probability in every round.
type Allocation struct {
	rounds int64
	arms   []armSums
}

type armSums struct {
	rows                       int64
	inverse, variance, squares float64 // Σ1/p, Σ(1−p)/p², Σ((1−p)/p²)²
}

// NewAllocation returns an empty accumulator for arms 0…arms−1.
func NewAllocation(arms int) *Allocation { return &Allocation{arms: make([]armSums, arms)} }

// Add joins a chunk: arm[t] was played with logged probability p[t]. The slices
// have equal length, otherwise it panics. It returns an error that names the
// row if a propensity is outside (0, 1] or an arm does not exist; the
// accumulator then is as it was before.
func (a *Allocation) Add(arm []int32, p []float64) error {
	if err := checkRows(len(a.arms), arm, p); err != nil {
		return err
	}
	for t, i := range arm {
		if i < 0 {
			continue
		}
		s := &a.arms[i]
		inverse := 1 / p[t]
		v := float64((1 - p[t]) * inverse * inverse)
		s.rows++
		s.inverse += inverse
		s.variance += v
		s.squares += float64(v * v)
		a.rounds++
	}
	return nil
}

// Merge joins another accumulator for the same arms; o stays as it is.
func (a *Allocation) Merge(o *Allocation) {
	if len(a.arms) != len(o.arms) {
		panic(badLength)
	}
	a.rounds += o.rounds
	for i, s := range o.arms {
		d := &a.arms[i]
		d.rows += s.rows
		d.inverse += s.inverse
		d.variance += s.variance
		d.squares += s.squares
	}
}
