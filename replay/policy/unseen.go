package policy

// unseen returns, of the eligible arms without released rows, the one that was
// played least, and of equals the first; −1 when there is none. Where a policy
// plays it before all others, and rewards are known and released at once, the
// first K rounds go in arm order; where rewards come late, in turn. Plays are those that
// the state counts: a run that learns at updates counts them as of the last, so that
// the same arm is played until the next.
func unseen(s *State) int {
	arm := -1
	for i, n := range s.Pulls {
		if n == 0 && s.CanPlay(i) && (arm < 0 || s.Played[i] < s.Played[arm]) {
			arm = i
		}
	}
	return arm
}

// skip leaves out one round, in which nothing is to be decided: a seeded stream
// stays in step.
func (t ties) skip() {
	if t.src != nil {
		t.src.Uint64()
	}
}

// choose returns unseen(s) where there is one, and argmax otherwise. Either
// takes one word of a seeded stream.
func (t ties) choose(s *State, scores []float64) int {
	if arm := unseen(s); arm >= 0 {
		t.skip()
		return arm
	}
	return t.argmax(s, scores)
}

// chances writes the probability with which choose returns each arm.
func (t ties) chances(s *State, scores, dst []float64) {
	if arm := unseen(s); arm >= 0 {
		clear(dst)
		dst[arm] = 1
		return
	}
	t.shares(s, scores, dst)
}
