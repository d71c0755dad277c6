package ipw

import "math"

// NormalityRule says whether the rounds of an arm bear a normal interval. With y the rewards of
// the arm's pulls, as parts of their declared range, N the number of these pulls, p the
// arm's propensity, h the weight of a round,
//
//	S = Σ (y − min y), F = Σ (max y − y)
//	part 1: S ≥ k and F ≥ k
//	part 2: (S/N)·Σ_{p<½} p ≥ k, and likewise with F; or g·√N ≤ ½, g = Σ_{p<½} h/Σh
//
// Rewards of 0 and 1 have S ones and F zeros. Of others, what every pull earned is no
// success: it tells nothing of rare large ones, and an offset of a twentieth of the range
// had intervals of a thousand pulls count fifty successes and miss in half of all logs.
// Large ones that are rarer still no count shows. Of rewards from the other end of the
// range of which m pulls show none there may be a few in m, and each moves the mean by
// 1/m. So for such rewards, with m the effective number of pulls,
//
//	m·(standard error) ≥ 2
//
// at which, whatever their rate and with the spread of the others normal, at most .059 miss
// for a nominal .05; at ½ up to .2 would (testdata/reference/rare.py).
//
// k = 5 where rewards are 0 or 1, else 15. Part 2 by its first half takes the arm's
// mean in rounds of low propensity for that in the others, unless these are seen to hold
// as much themselves: with q the smallest p of any round,
//
//	seen: Σ (q/p)²·(y − min y) ≥ k and Σ (q/p)²·(max y − y) ≥ k, over pulls with p < ½
//
// which is the count of the pulls where the propensity never changes, and next to nothing
// where the arm was once all but given up. Where every arm that enters keeps the rule, and
// means do not move, an interval of √p-AIPW at a nominal error of .05 missed at most .09
// in simulation; without part 2 up to .24. Rounds of low propensity are left out of
// account where means may move only if g·√N ≤ 1/5: at ½ rewards that are larger there put
// the mean off by more than its error. What they earn may be anything in the range, so
// that g also has to be at most a fifth of the standard error, in parts of the range: of
// rewards that vary little a share of .6 % that pays more had every interval miss. Of an
// arm whose p is known only where it was played nobody knows g, for rounds with a p next to
// 0 leave no pull: it counts as steady alone. The formula sheet takes rewards as parts of the
// range that the arm's own span; where the rare large ones are not among them that range
// is small, and nothing fails: all of such intervals missed. Own derivation and simulation; what the rule
// gives where means move, and to the other estimators, is counted in
// testdata/reproduce/ANSWERS.md.
type NormalityRule struct {
	Binary bool
	StdErr float64 // of the estimate, in parts of the range; 0: no round of low propensity is left out of account where means may move, and rewards are not asked whether they are narrow
	Gain   bool    // it is of a policy less the log's
}

// K is k.
func (r NormalityRule) K() float64 {
	if r.Binary {
		return 5
	}
	return 15
}

// What names what is counted.
func (r NormalityRule) What() string {
	if r.Binary {
		return "successes or failures"
	}
	return "successes or failures, rewards counted by what they lie above the least and below the largest that was seen, as parts of their declared range,"
}

// Part is what of a rule fails.
type Part int

// The parts of a rule.
const (
	Kept        Part = iota
	NoVariation      // the arm's rewards are all alike, or there are none
	FewSeen          // part 1
	FewLow           // part 2
	Narrow           // rewards vary so little that those from the other end of the range which no pull shows count for more
)

// The most that g·√N may be for rounds of low propensity to be left out of account, where
// means stand still and where they may move.
const (
	mostLight       = 0.5
	mostLightMoving = 0.2
)

// lightMoving reports whether this share of the weight may be left out of account where
// means may move: it is small next to what n pulls say, and next to the standard error.
func (r NormalityRule) lightMoving(share, n float64) bool {
	return float64(share*math.Sqrt(n)) <= mostLightMoving && share <= float64(mostLightMoving*r.StdErr)
}

// leastSpread is the least m·(standard error) of rewards that are not 0 or 1.
const leastSpread = 2

// narrow reports whether rewards that m pulls do not show may count for more than those
// that they show.
func (r NormalityRule) narrow(m float64) bool {
	return !r.Binary && r.StdErr > 0 && !(float64(m*r.StdErr) >= leastSpread*(1-roomRule))
}

// roomRule is what sums of decimals may be off by, relatively.
const roomRule = 1e-9

// Finding is what a rule says of an arm.
type Finding struct {
	Fails             Part
	Successes         float64 // S
	Failures          float64 // F
	LowSuccess        float64 // (S/N)·Σ_{p<½} p
	LowFailure        float64
	LowWeight         float64 // g; 0 without rounds
	Effective         float64 // m
	SeenLow           float64 // the lesser of the sums of seen; 0 where p is known only where the arm was played
	OnlyPlayedKnown   bool    // p is known only where the arm was played, and so is g
	NeedsConstantMean bool    // the rule is kept only if the arm's mean does not move
}

// Of looks at an arm. An arm whose rewards are all alike fails.
func (r NormalityRule) Of(s *Overlap) Finding {
	var f Finding
	if s.All > 0 {
		f.LowWeight = s.Low / s.All
	}
	n := float64(s.Pulls)
	if !(s.Most > s.Least) {
		f.Fails = NoVariation
		return f
	}
	f.Successes, f.Failures = within(s.Sum, n, s.Least, s.Most)
	f.LowSuccess, f.LowFailure = f.Successes/n*s.LowShare, f.Failures/n*s.LowShare
	f.Effective = s.Weights.ESS()
	k := r.K() * (1 - roomRule)
	light := float64(f.LowWeight*math.Sqrt(n)) <= mostLight
	heavy := min(f.LowSuccess, f.LowFailure) >= k
	switch {
	case min(f.Successes, f.Failures) < k:
		f.Fails = FewSeen
	case !light && !heavy:
		f.Fails = FewLow
	case r.narrow(f.Effective):
		f.Fails = Narrow
	}
	f.SeenLow = s.seenLow()
	f.OnlyPlayedKnown = s.Greatest == 0
	f.NeedsConstantMean = f.Fails == Kept && (f.OnlyPlayedKnown || !r.lightMoving(f.LowWeight, n)) && !(f.SeenLow >= k)
	return f
}

// seenLow is the lesser of the effective successes and failures of the pulls with p < ½,
// at the weight of the round with the smallest p. It is 0 where that is not known, and
// where p is so small that its square is.
func (s *Overlap) seenLow() float64 {
	least := float64(s.Smallest * s.Smallest)
	if !(least > 0) || math.IsInf(s.Squares, 1) {
		return 0
	}
	above, below := within(s.Earned, s.Squares, s.Least, s.Most)
	return float64(least * min(above, below))
}

// within are Σ w·(y − least) and Σ w·(most − y) of rewards with Σ w·y = sum and Σ w = weight.
func within(sum, weight, least, most float64) (above, below float64) {
	return sum - float64(weight*least), float64(weight*most) - sum
}
