package replay

import (
	"math"
	"math/big"

	"banditaudit/replay/ledger"
	"banditaudit/replay/policy/bitexact"
)

// decaying is what decisions of epsilon-greedy with ε_t = min(1, c/t) cost a
// row over K arms:
//
//	ℓ_t = ln(1 + K(t−c)/c) for t > c, and 0 before,
//
// or the floor's loss where that is less. A sum of many ℓ_t is taken in closed
// form,
//
//	Σ_{t=a}^{b} ℓ_t = (b−a+1)·ln(K/c) + lnΓ(b+1−β) − lnΓ(a−β),  β = (K−1)c/K,
//
// and rounded up by one part in 10¹⁴ of its terms.
type decaying struct {
	c, k  float64
	floor float64 // loss of the exploration floor; +Inf without one
	turn  int64   // last decision whose own loss is at most the floor's
}

var _ ledger.Decisions = decaying{}

// newDecaying returns the decisions for c > 0, k ≥ 1 arms and the loss of the
// exploration floor.
func newDecaying(c float64, k int, floor ledger.Loss) decaying {
	d := decaying{c: c, k: float64(k), floor: floor.Up(), turn: math.MaxInt64}
	if k == 1 {
		d.floor = 0
	}
	if t := c + float64(c*math.Expm1(d.floor)/d.k); t < 1<<62 {
		d.turn = int64(t)
	}
	return d
}

// Last returns Up as a loss.
func (d decaying) Last(m, rounds int64) ledger.Loss {
	v := d.Up(m, rounds)
	if math.IsInf(v, 1) {
		return ledger.Infinite()
	}
	return ledger.NewLoss(new(big.Rat).SetFloat64(v))
}

// Up returns Σ ℓ_t over the last m of rounds decisions, rounded up. Both the
// own loss and the floor's bound every decision, so that it does not matter to
// which side rounding puts the last decision of the first kind.
func (d decaying) Up(m, rounds int64) float64 {
	from, turn := rounds-m+1, min(d.turn, rounds)
	sum := d.own(max(from, int64(math.Ceil(d.c))), turn)
	if after := rounds - max(turn, from-1); after > 0 && d.floor > 0 {
		sum += math.Nextafter(float64(float64(after)*d.floor), math.Inf(1))
	}
	if sum == 0 {
		return 0
	}
	return math.Nextafter(sum, math.Inf(1))
}

// few is the number of terms up to which a sum is taken term by term.
const few = 32

// own returns Σ_{t=a}^{b} ln(1 + K(t−c)/c), a ≥ c, rounded up; 0 for b < a.
func (d decaying) own(a, b int64) float64 {
	n := b - a + 1
	switch {
	case n <= 0:
		return 0
	case n <= few:
		sum := 0.0
		for t := a; t <= b; t++ {
			sum += d.loss(t)
		}
		return float64(sum * (1 + 0x1p-45))
	}
	beta := (d.k - 1) * d.c / d.k
	power := float64(float64(n) * math.Log(d.k/d.c))
	above, _ := math.Lgamma(float64(b) + 1 - beta)
	below, _ := math.Lgamma(float64(a) - beta)
	return power + above - below + float64(1e-14*(math.Abs(power)+math.Abs(above)+math.Abs(below)+1))
}

// loss returns ℓ_t of one decision t without a floor.
func (d decaying) loss(t int64) float64 {
	return math.Log1p(max(0, float64(d.k*(float64(t)-d.c))/d.c))
}

// Rho returns Σ ℓ_t·tanh(ℓ_t/2) with the largest ℓ_t, the last, in tanh.
func (d decaying) Rho(m, rounds int64) float64 {
	sum := d.Up(m, rounds)
	if sum == 0 {
		return 0
	}
	last := min(d.loss(rounds), d.floor)
	return float64(float64(sum*bitexact.Tanh(last/2)) * (1 + 1e-12))
}
