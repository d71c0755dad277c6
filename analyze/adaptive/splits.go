package adaptive

import "math"

// SplitsLevel is the level of the test of splits as a whole, over all experiments
// of a log: what AllocationLevel leaves of Level.
const SplitsLevel = Level - AllocationLevel

// Side is the value of a split in a round.
type Side = uint8

// The sides of a split. Of a round of which it is not known no account of the
// split takes up anything.
const (
	SideNo Side = iota
	SideYes
	SideUnknown
)

// Splits holds the allocation against splits of the rounds: functions f of what
// is known before the arm of a round is drawn, with the values 0 and 1. For every
// split, side and arm a there is an account on the rounds of that side in which a
// could be played,
//
//	M(λ) = Π (1 + λ·(1{A=a}/p⁺ − 1)),  λ = 2⁻¹ … 2⁻¹⁶ with equal weights
//
// p⁺ the upper end of what the logged propensity allows. 1{A=a}/p⁺ has mean at
// most 1 given the past, so that each is a non-negative supermartingale and needs
// the propensity of the arm that was played alone. Where those of all arms are
// logged there is a second account for an arm that was played too seldom,
//
//	M(λ) = Π (1 − λ·1{A=a})·exp(λp⁻ + (λp⁻)²/2)
//
// whose factors have mean at most 1 because the exponent is at most −ln(1 − λp⁻);
// it needs two sums and no product. e is the average over all C accounts, and
// P(max_t e ≥ 1/level) ≤ level at every number of rounds (Ville 1939), whatever
// the propensities do. A Splits is not safe for concurrent use.
type Splits struct {
	arms, splits int
	level        float64
	deficits     bool

	open     []openAccount // by split, side, arm
	shifts   [][wagerSteps]int64
	expected []expectation // by arm: of all rounds, then of every split those of SideYes, and of SideUnknown
	rounds   []int64       // by split and side: in which every arm could be played
	rows     int64
	next     int64 // rows at the next look
	found    SplitsResult
	values   []float64 // ln M of every account at a look
	sums     []float64 // by split at a look
}

// openAccount is what a round changes in the account of the arm that was played.
type openAccount struct {
	product           [wagerSteps]float64 // of the factors of the rounds that played the arm, over 2^shift
	rows              int64
	inverse, variance float64 // Σ1/p⁺, Σ(1/p⁺² − 1/p⁺)
}

// expectation is what a round changes in the accounts of arms whether or not they
// were played.
type expectation struct {
	could        int64   // rounds in which the arm could be played, beside Splits.rounds
	low, squares float64 // Σp⁻, Σ(p⁻)²
}

// SplitRows are n rounds.
type SplitRows struct {
	Sides [][]Side  // by split, then round
	Arm   []int32   // that was played; -1: the round leaves all accounts
	High  []float64 // p⁺ of that arm, in (0, 1]
	Low   []float64 // n·K, p⁻ by round and arm; nil unless those of all arms are logged
	Could []bool    // n·K, by round and arm; nil: every arm could be played
}

// NewSplits returns empty accounts for so many splits and the arms 0…arms−1; with
// deficits, a second one for each. Level is that of e in this experiment.
func NewSplits(splits, arms int, level float64, deficits bool) *Splits {
	sides := 2 * splits
	n := sides * arms
	s := &Splits{
		arms: arms, splits: splits, level: level, deficits: deficits, next: looks,
		open: make([]openAccount, n), shifts: make([][wagerSteps]int64, n), expected: make([]expectation, n+arms), rounds: make([]int64, sides), sums: make([]float64, splits),
	}
	for i := range s.open {
		for j := range s.open[i].product {
			s.open[i].product[j] = 1
		}
	}
	accounts := n
	if deficits {
		accounts = 2 * n
	}
	s.values = make([]float64, accounts)
	s.found = SplitsResult{Accounts: accounts, Level: level, Worst: SplitAccount{Split: -1}, Without: make([]float64, splits)}
	for i := range s.found.Without {
		s.found.Without[i] = math.Inf(-1)
	}
	return s
}

// Add joins rounds, in the order in which they were played. Slices that do not
// fit together panic.
func (s *Splits) Add(r *SplitRows) {
	if len(r.Sides) != s.splits || len(r.High) != len(r.Arm) || r.Low != nil && len(r.Low) != len(r.Arm)*s.arms || r.Could != nil && len(r.Could) != len(r.Arm)*s.arms {
		panic(badLength)
	}
	for t, arm := range r.Arm {
		s.rows++
		if arm >= 0 {
			s.round(r, t, int(arm))
		}
		if s.rows == s.next {
			s.look()
		}
	}
}

// round takes up a round that played an arm.
func (s *Splits) round(r *SplitRows, t, arm int) {
	x := 1 / r.High[t]
	variance := float64(x*x) - x
	var factor [wagerSteps]float64
	bet := x - 1
	for j := range factor {
		bet /= 2
		factor[j] = 1 + bet
	}
	for f, sides := range r.Sides {
		side := sides[t]
		if side > SideYes {
			continue
		}
		at := 2*f + int(side)
		if r.Could == nil {
			s.rounds[at]++
		}
		a := &s.open[at*s.arms+arm]
		a.rows++
		a.inverse += x
		a.variance += variance
		if a.multiply(&factor) {
			a.settle(&s.shifts[at*s.arms+arm])
		}
	}
	if r.Could != nil || r.Low != nil {
		s.expect(r, t)
	}
}

// expect takes up what is known of every arm before one is played: over all rounds,
// those of SideYes, and those of SideUnknown.
func (s *Splits) expect(r *SplitRows, t int) {
	k := s.arms
	var could []bool
	var low []float64
	if r.Could != nil {
		could = r.Could[t*k : t*k+k]
	}
	if r.Low != nil {
		low = r.Low[t*k : t*k+k]
	}
	add(s.expected[:k], could, low)
	for f, sides := range r.Sides {
		if side := sides[t]; side != SideNo {
			at := (2*f + int(side)) * k // 1 + 2f of SideYes, 2 + 2f of SideUnknown
			add(s.expected[at:at+k], could, low)
		}
	}
}

// add joins a round to what is known of every arm.
func add(to []expectation, could []bool, low []float64) {
	for arm, yes := range could {
		if yes {
			to[arm].could++
		}
	}
	for arm, p := range low {
		to[arm].low += p
		to[arm].squares += float64(p * p)
	}
}

// of is what is known of the arm of an account on the rounds of its side.
func (s *Splits) of(i int) expectation {
	k := s.arms
	f, arm := i/(2*k), i%k
	yes := s.expected[(2*f+1)*k+arm]
	if i/k%2 == int(SideYes) {
		return yes
	}
	all, unknown := s.expected[arm], s.expected[(2*f+2)*k+arm]
	return expectation{all.could - yes.could - unknown.could, all.low - yes.low - unknown.low, all.squares - yes.squares - unknown.squares}
}

// multiply reports whether a product is so large that it must be settled. The
// first, of the largest λ, is the largest, since no factor is below 1.
func (a *openAccount) multiply(factor *[wagerSteps]float64) bool {
	const large = 1e150 // times a factor of at most 1e100
	p := &a.product
	for j := 0; j < wagerSteps; j += 4 {
		p[j] *= factor[j]
		p[j+1] *= factor[j+1]
		p[j+2] *= factor[j+2]
		p[j+3] *= factor[j+3]
	}
	return p[0] > large
}

// settle takes the powers of two out of the products.
func (a *openAccount) settle(shift *[wagerSteps]int64) {
	for j, p := range a.product {
		fraction, exponent := math.Frexp(p)
		a.product[j] = fraction
		shift[j] += int64(exponent)
	}
}
