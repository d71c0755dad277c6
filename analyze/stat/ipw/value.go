package ipw

import "math"

// Value is what another policy π would have earned, with ρ_t = π_t(A_t)/p_t(A_t) and
// the guesses m̂ of earlier rewards,
//
//	IPS    (1/T)·Σ ρy
//	SNIPS  Σρy/Σρ
//	DR     (1/T)·Σ [Σ_i π(i)·m̂_i + ρ·(y − m̂_A)]
//	Gain   (1/T)·Σ (ρ − 1)·y, less what the logging policy earned
//
// each with the error of its terms. Where Clip is M > 0, min(ρ, M) stands for ρ in all
// of them ([Value.Hidden]). Of a target whose probability is known only of the arm that
// was played (NaN for the others) DR means nothing. The zero value is empty and ready
// for use. Dudík, Langford & Li 2011; formula sheet, second part, 24.5 and 25.
type Value struct {
	IPS, SNIPS, DR, Gain Mean
	Clip                 float64 // M, the largest weight; 0: none is cut
	Largest              float64 // ρ, cut
	LeftOut              int64   // rounds in which the policy is none, or plays an arm that could not be played

	kept            Mean    // of ρ, where rounds have their own probability of being in the log
	played, high    Seen    // the rounds with ρ > 0, and those with ρ > 2
	highWeight      float64 // Σρ over the latter
	squares, earned float64 // Σρ² and Σρ²y over them

	prospects ExpectedWeights // of the rounds that were added, or of all

	whole, wholeSquares float64 // Σρ and Σρ², not cut
	hiddenSeen          float64 // Σ_t (ρ − M)₊

	moved  ratioMoves
	scores scoreMoves
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
// not be played is left out; an arm whose propensity, or probability under the policy, is
// not known (NaN) counts as one that could be played.
func (v *Value) Add(target []float64, r *Round, before *Plugin) {
	of := expect(target, r.P, v.Clip, before)
	if of.out || target == nil || r.P[r.Arm] == 0 {
		v.LeftOut++
		return
	}
	kept := r.kept()
	v.prospects.add(&of, kept)
	rho := v.uncut(float64(target[r.Arm] / r.P[r.Arm] * kept))
	v.IPS.Add(1/kept, float64(rho*r.Reward))
	v.SNIPS.Add(rho/kept, r.Reward)
	v.DR.Add(1/kept, of.guess+float64(rho*(r.Reward-before.Mean(r.Arm))))
	v.Gain.Add(1/kept, float64((rho-1)*r.Reward))
	if r.Kept != 0 {
		v.kept.Add(1/kept, rho)
	}
	if rho > 0 {
		v.seen(rho/kept, r.Reward)
		room := r.room()
		v.moved.add(rho/kept, room, r.Reward)
		v.scores.pull(float64(rho*room), r.Reward-before.Mean(r.Arm))
	}
}

// uncut takes up a weight and returns it as it counts.
func (v *Value) uncut(rho float64) float64 {
	v.whole += rho
	v.wholeSquares += float64(rho * rho)
	if v.Clip > 0 && rho > v.Clip {
		v.hiddenSeen += rho - v.Clip
		return v.Clip
	}
	return rho
}

// Hidden is B, by which cutting weights at M can move a mean of rewards in [0, 1],
//
//	B = (1/T)·Σ_t Σ_i (π_t(i) − M·p_t(i))₊
//
// the bias of IPS and Gain lies in [−B, 0], the bias of DR in [−B, B]. exact is false where
// a probability is not known, and B is estimated by (1/T)·Σ (ρ − M)₊. It is 0 where no
// weight is cut, and without rounds. Formula sheet, second part, 24.5.
func (v *Value) Hidden() (b float64, exact bool) {
	switch {
	case v.Clip == 0 || v.IPS.N == 0:
		return 0, true
	case v.prospects.blind:
		return v.hiddenSeen / float64(v.IPS.N), false
	}
	return v.prospects.hidden / v.prospects.rounds, true
}

// seen takes up a round that the policy could have played.
func (v *Value) seen(rho, y float64) {
	v.Largest = max(v.Largest, rho)
	v.played.add(y)
	if rho > heavy {
		v.high.add(y)
		v.highWeight += rho
		square := float64(rho * rho)
		v.squares += square
		v.earned += float64(square * y)
	}
}

// Merge joins another accumulator; o stays as it is.
func (v *Value) Merge(o *Value) {
	v.IPS.Merge(&o.IPS)
	v.SNIPS.Merge(&o.SNIPS)
	v.DR.Merge(&o.DR)
	v.Gain.Merge(&o.Gain)
	v.kept.Merge(&o.kept)
	v.Largest = max(v.Largest, o.Largest)
	v.LeftOut += o.LeftOut
	v.played.Merge(&o.played)
	v.high.Merge(&o.high)
	v.highWeight += o.highWeight
	v.squares += o.squares
	v.earned += o.earned
	v.prospects.Merge(&o.prospects)
	v.whole += o.whole
	v.wholeSquares += o.wholeSquares
	v.hiddenSeen += o.hiddenSeen
	v.moved.merge(&o.moved)
	v.scores.merge(&o.scores)
}

// LargestShare is the part of all ρ that the largest is; NaN without any.
func (v *Value) LargestShare() float64 {
	if v.played.Rounds == 0 {
		return math.NaN()
	}
	return v.Largest / v.SNIPS.weight
}

// MeanWeight is the mean of ρ, before any is cut, near 1 where propensities are right and every arm that the
// policy plays could be played; NaN without rounds.
func (v *Value) MeanWeight() float64 {
	switch {
	case v.IPS.N == 0:
		return math.NaN()
	case v.kept.N > 0:
		return v.kept.Value()
	}
	return v.whole / float64(v.IPS.N)
}

// Lacking is by how many of its standard errors the mean weight is below 1; NaN without
// rounds, and +Inf where all weights are alike and below 1.
func (v *Value) Lacking() float64 {
	n, mean := float64(v.IPS.N), v.MeanWeight()
	lacks := 1 - mean
	if math.Abs(lacks) <= roomRule {
		return 0
	}
	if v.kept.N > 0 {
		return lacks / v.kept.StdErr()
	}
	return lacks / math.Sqrt(max(0, v.wholeSquares/n-float64(mean*mean))/n)
}

// heavyShare is the part of the weight that rounds with ρ > 2 are expected to have. Where
// propensities are known only where an arm was played, it is the part that they have, and
// what the mean weight lacks of 1; never more than all of it.
func (v *Value) heavyShare() float64 {
	switch {
	case v.played.Rounds == 0:
		return 0
	case v.prospects.blind:
		return min(1, v.highWeight/v.SNIPS.weight+max(0, 1-v.MeanWeight()))
	}
	return v.prospects.expected / v.prospects.weight
}

// effective returns the number of rounds of which one moves a value by 1 over it: the
// effective number of the weights ρ. For a gain, whose weights are ρ − 1 and may all be
// small, it is n/√mean (ρ − 1)², or 0 if all are 0.
func (v *Value) effective(gain bool) float64 {
	if !gain || v.kept.N > 0 {
		return v.SNIPS.ESS()
	}
	n := float64(v.IPS.N)
	square := (v.wholeSquares-float64(2*v.whole))/n + 1
	if !(square > 0) {
		return 0
	}
	return n / math.Sqrt(square)
}

// OfValue says whether the rounds of the log bear a normal interval of what another
// policy would have earned. With S = Σ (y − min y) and F = Σ (max y − y) of the rounds with
// ρ > 0, the least and the largest reward taken over these rounds throughout,
//
//	part 1: S ≥ k and F ≥ k
//	part 2: the same of the rounds with ρ > 2; or g·√N ≤ ½, g the expected part of
//	the weight that these have
//
// Part 2 by its first half takes what was earned there for what would have been in
// rounds of a weight that hardly any had, unless these are seen to hold as much: with R
// the largest ρ that any arm would have had in any round,
//
//	seen: Σ (ρ/R)²·(y − min y) ≥ k and Σ (ρ/R)²·(max y − y) ≥ k, over rounds with ρ > 2
//
// LowSuccess and LowFailure of the finding count the rounds with ρ > 2, LowWeight is g. The
// first half stands in the formula sheet, second part, 24.4; what it gives where means move
// is counted in testdata/reproduce/ANSWERS.md.
func (r NormalityRule) OfValue(v *Value) Finding {
	f := Finding{LowWeight: v.heavyShare()}
	if !(v.played.Most > v.played.Least) {
		f.Fails = NoVariation
		return f
	}
	least, greatest := v.played.Least, v.played.Most
	f.Successes, f.Failures = within(v.played.Sum, float64(v.played.Rounds), least, greatest)
	f.LowSuccess, f.LowFailure = within(v.high.Sum, float64(v.high.Rounds), least, greatest)
	if most := float64(v.prospects.greatest * v.prospects.greatest); !v.prospects.blind && !math.IsInf(most, 1) && most > 0 {
		above, below := within(v.earned, v.squares, least, greatest)
		f.SeenLow = min(above, below) / most
	}
	f.Effective = v.effective(r.Gain)
	k := r.K() * (1 - roomRule)
	n := float64(v.played.Rounds)
	light := float64(f.LowWeight*math.Sqrt(n)) <= mostLight
	switch {
	case min(f.Successes, f.Failures) < k:
		f.Fails = FewSeen
	case !light && min(f.LowSuccess, f.LowFailure) < k:
		f.Fails = FewLow
	case r.narrow(f.Effective):
		f.Fails = Narrow
	}
	f.OnlyPlayedKnown = v.prospects.blind
	f.NeedsConstantMean = f.Fails == Kept && !r.lightMoving(f.LowWeight, n) && !(f.SeenLow >= k)
	return f
}
