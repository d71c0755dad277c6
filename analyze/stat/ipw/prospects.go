package ipw

import "math"

// ExpectedWeights are what rounds were to bring another policy before their arms were drawn, by
// the propensities of all arms; whether their rewards are known plays no part. The zero
// value is empty and ready for use.
type ExpectedWeights struct {
	rounds, weight float64 // those in which the policy could be followed, and Σ 1/o of them
	blind          bool    // the propensity of an arm that the policy plays is not known where another was played
	greatest       float64 // largest ρ that some arm would have had in some round
	expected       float64 // Σ_t of the weight that is to be expected of the arms that would have had ρ > 2
	hidden         float64 // Σ_t Σ_i (π(i) − M·p(i))₊
}

// Add joins a round by the probabilities of the policy, which are nil where it has none,
// and the propensities of all arms. clip is M, at which weights are cut; 0: none is. Rounds
// in which the policy plays an arm that could not be played are left out, as by [Value.Add].
func (s *ExpectedWeights) Add(target, p []float64, clip float64) {
	if of := expect(target, p, clip, nil); target != nil && !of.out {
		s.add(&of, 1)
	}
}

func (s *ExpectedWeights) add(of *expectation, kept float64) {
	s.rounds++
	s.weight += 1 / kept
	s.blind = s.blind || of.blind
	s.greatest = max(s.greatest, of.greatest)
	s.expected += of.heavy / kept
	s.hidden += of.hidden
}

// Merge joins another accumulator; o stays as it is.
func (s *ExpectedWeights) Merge(o *ExpectedWeights) {
	s.rounds += o.rounds
	s.weight += o.weight
	s.blind = s.blind || o.blind
	s.greatest = max(s.greatest, o.greatest)
	s.expected += o.expected
	s.hidden += o.hidden
}

// Over takes the prospects of other rounds in place of this value's own: where rewards are
// missing, of all rounds of the log, the propensities of all arms being known in each.
func (v *Value) Over(rounds *ExpectedWeights) { v.prospects = *rounds }

// expectation is what a round was to bring, before its arm was drawn.
type expectation struct {
	out, blind                     bool // an arm could not be played; a probability is not known
	guess, greatest, heavy, hidden float64
}

// expect goes over the arms of a round. before are guesses of what they pay, nil where none
// is asked for.
func expect(target, p []float64, clip float64, before *Plugin) (out expectation) {
	for i, share := range target {
		if share == 0 {
			continue
		}
		if math.IsNaN(share) {
			out.blind = true
			continue
		}
		if p[i] == 0 {
			out.out = true
			return out
		}
		if before != nil {
			out.guess += float64(share * before.Mean(i))
		}
		rho := share / p[i]
		if math.IsNaN(rho) {
			out.blind = true
			continue
		}
		if clip > 0 && rho > clip {
			cut := float64(clip * p[i])
			out.hidden += share - cut
			rho, share = clip, cut
		}
		if rho > heavy {
			out.heavy += share
		}
		out.greatest = max(out.greatest, rho)
	}
	return out
}
