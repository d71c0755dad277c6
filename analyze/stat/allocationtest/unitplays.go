package allocationtest

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// The strengths κ of UnitPlays are 2, 8, 32 and 128: how many rounds the propensities count for
// beside the unit's own plays. Small ones suit units that differ much, large ones units of many
// rounds that differ little.
const (
	leastStrength = 2
	strengthStep  = 4
	strengths     = 4
)

// UnitPlays wagers on the arms that a unit played more often than expected in its earlier
// rounds. Where every round is drawn anew with its propensities, these tell nothing of the
// next one. Over all rounds, of whatever units,
//
//	E(κ) = Π w_A / m,  w_a = (κ + n_a)/(κ + e_a),  κ = 2, 8, 32, 128 with equal weights
//
// A is the played arm, n_a counts the plays of arm a in the unit's earlier rounds, e_a is the
// sum of its propensities over these, and m is at least Σ p_a·w_a for all propensities between
// their ends that sum to 1. The weights are known before the round, so that w_A/m has mean at
// most 1 given all earlier rounds, and the mean of E(κ) over κ is a non-negative
// supermartingale. With constant propensities κ·p are the counts that a Dirichlet prior of the
// unit's own probabilities begins with: arms that follow something lasting of a unit win, also
// where the arm of its round before alone tells too little (Repeats).
type UnitPlays struct {
	// Rounds counts rounds in which an arm could be played that their unit had played more often
	// than expected.
	Rounds int64
	// Favoured counts rounds that played an arm that their unit had played more often than
	// expected, and Expected is the sum of the propensities of such arms over all rounds.
	Favoured int64
	Expected float64

	arms          int
	product, logs [strengths]float64
	mean          []float64 // by arm: middle of the ends of the round's propensity
}

// NewUnitPlays begins a wager on the given number of arms.
func NewUnitPlays(arms int) *UnitPlays {
	u := &UnitPlays{arms: arms, mean: make([]float64, arms)}
	for j := range u.product {
		u.product[j] = 1
	}
	return u
}

// PastSize is how many numbers are kept of the earlier rounds of a unit; they begin at 0.
func (u *UnitPlays) PastSize() int { return 2 * u.arms }

// Add takes up a round of a unit: past is what is kept of its earlier rounds, which Add
// updates, arm the one that was played, low and high by arm between what the propensities
// are, in [0, 1], both 0 where an arm could not be played. Several units may share one past,
// which makes the wager weaker and no less valid.
func (u *UnitPlays) Add(past []float64, arm int, low, high []float64) {
	plays, expected := past[:u.arms], past[u.arms:]
	for a := range u.mean {
		u.mean[a] = float64((low[a] + high[a]) / 2)
	}
	kappa := float64(leastStrength)
	for j := range u.product {
		u.product[j] *= u.factor(kappa, plays, expected, arm, low, high)
		kappa *= strengthStep
		if p := u.product[j]; p > 1e150 || p < 1e-150 {
			u.logs[j] += math.Log(p)
			u.product[j] = 1
		}
	}
	if plays[arm] > expected[arm] {
		u.Favoured++
	}
	could := false
	for a, p := range u.mean {
		if plays[a] > expected[a] && high[a] > 0 {
			u.Expected += p
			could = true
		}
	}
	if could {
		u.Rounds++
	}
	plays[arm]++
	for a, p := range u.mean {
		expected[a] += p
	}
}

// factor is w_A/m. With c the mean of the weights, Σ p_a·w_a = c + Σ p_a·(w_a − c), in which
// each term is largest at one end.
func (u *UnitPlays) factor(kappa float64, plays, expected []float64, arm int, low, high []float64) float64 {
	weight := func(a int) float64 { return (kappa + plays[a]) / (kappa + expected[a]) }
	sum, total := 0.0, 0.0
	for a, p := range u.mean {
		if p > 0 {
			sum += float64(p * weight(a))
			total += p
		}
	}
	c := sum / total
	m := c
	for a := range u.mean {
		if !(high[a] > 0) {
			continue
		}
		if d := weight(a) - c; d > 0 {
			m += float64(high[a] * d)
		} else {
			m += float64(low[a] * d)
		}
	}
	return weight(arm) / m
}

// LogE is ln of the mean of E(κ) after the rounds that were added; 0 without rounds.
func (u *UnitPlays) LogE() float64 {
	var terms [strengths]float64
	for j, p := range u.product {
		terms[j] = u.logs[j] + math.Log(p)
	}
	return tail.LogMeanExp(terms[:])
}
