package diagnose

import "banditaudit/replay/montecarlo"

// AlternativeFit is a law that is tried beside the recomputed one, and in which way shares
// of draws lean.
type AlternativeFit struct {
	Words, Settles string // Settles: what would be declared of it; "": nothing
	Score          *montecarlo.Score
}

// lean scores how shares of draws lean to a hypothesis.
type lean struct{ score montecarlo.Score }

// add takes up a row; nothing where its shares are not new.
func (s *lean) add(r *Row, want []float64) {
	if !r.Shares {
		return
	}
	rest := 1 - float64(float64(r.playable())*r.Floor)
	undone := func(from []float64) []float64 {
		out := make([]float64, len(from))
		for a, v := range from {
			if r.can(a) {
				out[a] = max(0, v-r.Floor) / rest
			}
		}
		return out
	}
	if rest > 1e-9 {
		s.score.Add(undone(r.ByArm), undone(r.Want), undone(want), r.Draws, r.Low)
	}
}

// leans says how shares lean to what was tried in some rows; nothing where it was in
// none.
func (t *tally) leans(words, settles string) []AlternativeFit {
	if t.rows == 0 {
		return nil
	}
	return []AlternativeFit{{words, settles, &t.lean.score}}
}
