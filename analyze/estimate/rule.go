package estimate

import "math"

// Rule says whether the rounds of an arm bear a normal interval. With S the sum of the
// arm's rewards, as parts of their declared range, N its pulls, p the arm's propensity,
// h the weight of a round,
//
//	part 1: S ≥ k and N − S ≥ k
//	part 2: (S/N)·Σ_{p<½} p ≥ k, and likewise with N − S; or g·√N ≤ ½, g = Σ_{p<½} h/Σh
//
// k = 5 where rewards are 0 or 1, else 15. Part 2 by its first half takes the arm's
// mean in rounds of low propensity for that in the others, unless these are seen to hold
// as much themselves: with q the smallest p of any round, and y its reward as that part,
//
//	seen: Σ (q/p)²·y ≥ k and Σ (q/p)²·(1 − y) ≥ k, over pulls with p < ½
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
type Rule struct {
	Binary bool
	StdErr float64 // of the estimate, in parts of the range; 0: no round of low propensity is left out of account where means may move
}

// K is k.
func (r Rule) K() float64 {
	if r.Binary {
		return 5
	}
	return 15
}

// What names what is counted.
func (r Rule) What() string {
	if r.Binary {
		return "successes or failures"
	}
	return "successes or failures, rewards counted as parts of their declared range,"
}

// Part is what of a rule fails.
type Part int

// The parts of a rule.
const (
	Kept    Part = iota
	Alike        // the arm's rewards are all alike, or there are none
	FewSeen      // part 1
	FewLow       // part 2
)

// The most that g·√N may be for rounds of low propensity to be left out of account, where
// means stand still and where they may move.
const (
	mostLight       = 0.5
	mostLightMoving = 0.2
)

// lightMoving reports whether so much of the weight is left out of account where means may
// move: next to what n pulls say, and next to the standard error.
func (r Rule) lightMoving(share, n float64) bool {
	return float64(share*math.Sqrt(n)) <= mostLightMoving && share <= float64(mostLightMoving*r.StdErr)
}

// roomRule is what sums of decimals may be off by, relatively.
const roomRule = 1e-9

// Finding is what a rule says of an arm.
type Finding struct {
	Fails      Part
	Successes  float64 // S
	Failures   float64 // N − S
	LowSuccess float64 // (S/N)·Σ_{p<½} p
	LowFailure float64
	LowWeight  float64 // g; 0 without rounds
	SeenLow    float64 // the lesser of the sums of seen; 0 where p is known only where the arm was played
	Blind      bool    // p is known only where the arm was played, and so is g
	Steady     bool    // the rule is kept only if the arm's mean does not move
}

// Of looks at an arm. An arm whose rewards are all alike fails.
func (r Rule) Of(s *Support) Finding {
	var f Finding
	if s.All > 0 {
		f.LowWeight = s.Low / s.All
	}
	n := float64(s.Pulls)
	if !(s.Most > s.Least) {
		f.Fails = Alike
		return f
	}
	f.Successes = s.Sum
	f.Failures = n - f.Successes
	f.LowSuccess, f.LowFailure = f.Successes/n*s.LowShare, f.Failures/n*s.LowShare
	k := r.K() * (1 - roomRule)
	light := float64(f.LowWeight*math.Sqrt(n)) <= mostLight
	heavy := min(f.LowSuccess, f.LowFailure) >= k
	switch {
	case min(f.Successes, f.Failures) < k:
		f.Fails = FewSeen
	case !light && !heavy:
		f.Fails = FewLow
	}
	f.SeenLow = s.seenLow()
	f.Blind = s.Greatest == 0
	f.Steady = f.Fails == Kept && (f.Blind || !r.lightMoving(f.LowWeight, n)) && !(f.SeenLow >= k)
	return f
}

// seenLow is the lesser of the effective successes and failures of the pulls with p < ½,
// at the weight of the round with the smallest p. It is 0 where that is not known, and
// where p is so small that its square is.
func (s *Support) seenLow() float64 {
	least := float64(s.Smallest * s.Smallest)
	if !(least > 0) || math.IsInf(s.Squares, 1) {
		return 0
	}
	return float64(least * min(s.Earned, s.Squares-s.Earned))
}
