package estimate

import "math"

// Value is what another policy π would have earned, with ρ_t = π_t(A_t)/p_t(A_t) and
// the guesses m̂ of earlier rewards,
//
//	IPS    (1/T)·Σ ρy
//	SNIPS  Σρy/Σρ
//	DR     (1/T)·Σ [Σ_i π(i)·m̂_i + ρ·(y − m̂_A)]
//	Gain   (1/T)·Σ (ρ − 1)·y, less what the logging policy earned
//
// each with the error of its terms. The zero value is empty and ready for use. Dudík,
// Langford & Li 2011; formula sheet, second part, 25.
type Value struct {
	IPS, SNIPS, DR, Gain Mean
	Largest              float64 // ρ
	LeftOut              int64   // rounds in which the policy is none, or plays an arm that could not be played

	played, high    Seen    // the rounds with ρ > 0, and those with ρ > 2
	highWeight      float64 // Σρ over the latter
	squares, earned float64 // Σρ² and Σρ²y over them

	blind    bool    // the propensity of an arm that the policy plays is not known where another was played
	greatest float64 // largest ρ that some arm would have had in some round
	expected float64 // Σ_t of the policy's probability of the arms that would have had ρ > 2
}

// Seen are rounds and what they earned.
type Seen struct {
	Rounds      int64
	Sum         float64
	Least, Most float64
}

func (s *Seen) add(y float64) {
	s.Merge(&Seen{Rounds: 1, Sum: y, Least: y, Most: y})
}

// Merge joins another accumulator; o stays as it is.
func (s *Seen) Merge(o *Seen) {
	switch {
	case o.Rounds == 0:
		return
	case s.Rounds == 0:
		s.Least, s.Most = o.Least, o.Most
	default:
		s.Least, s.Most = min(s.Least, o.Least), max(s.Most, o.Most)
	}
	s.Rounds += o.Rounds
	s.Sum += o.Sum
}

// heavy is the ρ above which a round stands for many.
const heavy = 2

// Add joins a round by the probabilities of the policy, which are nil where it has none,
// and the guesses before the round. A round in which the policy plays an arm that could
// not be played is left out; that of an arm whose propensity is not known (NaN) is taken
// for one that could.
func (v *Value) Add(target []float64, r *Round, before *Plugin) {
	guess, greatest, expected, blind := 0.0, 0.0, 0.0, false
	for i, share := range target {
		if share == 0 {
			continue
		}
		if r.P[i] == 0 {
			v.LeftOut++
			return
		}
		guess += float64(share * before.Mean(i))
		switch rho := share / r.P[i]; {
		case math.IsNaN(rho):
			blind = true
		case rho > heavy:
			expected += share
			fallthrough
		default:
			greatest = max(greatest, rho)
		}
	}
	p := r.P[r.Arm]
	if target == nil || p == 0 {
		v.LeftOut++
		return
	}
	v.blind = v.blind || blind
	v.greatest = max(v.greatest, greatest)
	v.expected += expected
	rho := target[r.Arm] / p
	earned := float64(rho * r.Reward)
	v.IPS.Add(1, earned)
	v.SNIPS.Add(rho, r.Reward)
	v.DR.Add(1, guess+float64(rho*(r.Reward-before.Mean(r.Arm))))
	v.Gain.Add(1, float64((rho-1)*r.Reward))
	if rho == 0 {
		return
	}
	v.Largest = max(v.Largest, rho)
	v.played.add(r.Reward)
	if rho > heavy {
		v.high.add(r.Reward)
		v.highWeight += rho
		square := float64(rho * rho)
		v.squares += square
		v.earned += float64(square * r.Reward)
	}
}

// Merge joins another accumulator; o stays as it is.
func (v *Value) Merge(o *Value) {
	v.IPS.Merge(&o.IPS)
	v.SNIPS.Merge(&o.SNIPS)
	v.DR.Merge(&o.DR)
	v.Gain.Merge(&o.Gain)
	v.Largest = max(v.Largest, o.Largest)
	v.LeftOut += o.LeftOut
	v.played.Merge(&o.played)
	v.high.Merge(&o.high)
	v.highWeight += o.highWeight
	v.squares += o.squares
	v.earned += o.earned
	v.blind = v.blind || o.blind
	v.greatest = max(v.greatest, o.greatest)
	v.expected += o.expected
}

// LargestShare is the part of all ρ that the largest is; NaN without any.
func (v *Value) LargestShare() float64 {
	if v.played.Rounds == 0 {
		return math.NaN()
	}
	return v.Largest / v.SNIPS.weight
}

// MeanWeight is the mean of ρ, near 1 where propensities are right and every arm that the
// policy plays could be played; NaN without rounds.
func (v *Value) MeanWeight() float64 {
	if v.IPS.N == 0 {
		return math.NaN()
	}
	return v.SNIPS.weight / float64(v.IPS.N)
}

// Lacking is by how many of its standard errors the mean weight is below 1; NaN without
// rounds, and +Inf where all weights are alike and below 1.
func (v *Value) Lacking() float64 {
	n, mean := float64(v.IPS.N), v.MeanWeight()
	lacks := 1 - mean
	if math.Abs(lacks) <= roomRule {
		return 0
	}
	return lacks / math.Sqrt(max(0, v.SNIPS.squared/n-float64(mean*mean))/n)
}

// heavyShare is the part of the weight that rounds with ρ > 2 are expected to have. Where
// propensities are known only where an arm was played, it is the part that they have, and
// what the mean weight lacks of 1.
func (v *Value) heavyShare() float64 {
	switch {
	case v.played.Rounds == 0:
		return 0
	case v.blind:
		return v.highWeight/v.SNIPS.weight + max(0, 1-v.MeanWeight())
	}
	return v.expected / float64(v.IPS.N)
}

// OfValue says whether the rounds of the log bear a normal interval of what another
// policy would have earned. With S and N of the rounds with ρ > 0,
//
//	part 1: S ≥ k and N − S ≥ k
//	part 2: the same of the rounds with ρ > 2; or g·√N ≤ ½, g the expected part of
//	the weight that these have
//
// Part 2 by its first half takes what was earned there for what would have been in
// rounds of a weight that hardly any had, unless these are seen to hold as much: with R
// the largest ρ that any arm would have had in any round, and y the reward as that part,
//
//	seen: Σ (ρ/R)²·y ≥ k and Σ (ρ/R)²·(1 − y) ≥ k, over rounds with ρ > 2
//
// LowSuccess and LowFailure of the finding are those of the rounds with ρ > 2, LowWeight
// is g. The first half is that of the formula sheet, second part, 24.4; what it gives
// where means move is counted in testdata/reproduce/ANSWERS.md.
func (r Rule) OfValue(v *Value) Finding {
	f := Finding{LowWeight: v.heavyShare()}
	if !(v.played.Most > v.played.Least) {
		f.Fails = Alike
		return f
	}
	f.Successes, f.Failures = v.played.Sum, float64(v.played.Rounds)-v.played.Sum
	f.LowSuccess, f.LowFailure = v.high.Sum, float64(v.high.Rounds)-v.high.Sum
	if most := float64(v.greatest * v.greatest); !v.blind && !math.IsInf(most, 1) && most > 0 {
		f.SeenLow = min(v.earned, v.squares-v.earned) / most
	}
	k := r.K() * (1 - roomRule)
	n := float64(v.played.Rounds)
	light := float64(f.LowWeight*math.Sqrt(n)) <= mostLight
	switch {
	case min(f.Successes, f.Failures) < k:
		f.Fails = FewSeen
	case !light && min(f.LowSuccess, f.LowFailure) < k:
		f.Fails = FewLow
	}
	f.Blind = v.blind
	f.Steady = f.Fails == Kept && !r.lightMoving(f.LowWeight, n) && !(f.SeenLow >= k)
	return f
}
