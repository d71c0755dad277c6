package diagnose

// sameInstant says that a program learned the rewards that became known at the very
// time of a choice before it made that choice. A reward is declared to be known where
// its time is strictly before the time of the choice (log.reward_order). It is tried where
// some reward has the time of a later round, and the policy does not go by logged released
// values. It is heard on rows that the declared policy was heard on before.
func sameInstant() Cause {
	const name = "same-instant"
	return Cause{Name: name, Replay: func(r *Replay) Trial {
		return Trial{Say: func() ([]Explanation, error) {
			if r.Observed || !r.Mechanism.ReadsRewards() || !r.ties() {
				return nil, nil
			}
			own := r.own()
			rows, err := r.Pass(&Pass{Rows: r.Rows, Runs: []*Run{own}, Instant: true})
			if own.Runner.Err() != nil { // a stream that is full so
				return nil, r.Context.Err()
			}
			var t tally
			for i, o := range rows {
				t.add(&r.Tolerance, r.rows[i], o.Want)
			}
			if err != nil {
				return nil, err
			}
			const words = "rewards that became known at the very time of a choice (log.reward_order, log.order) were learned before it"
			return []Explanation{r.Tolerance.says(&t, name, words, "as log.reward_order a column of times that are strictly before the choices that could use the rewards, such as these times less half a tick")}, nil
		}}
	}}
}

// ties reports whether a reward became known at the very time of a later round.
func (r *Replay) ties() bool {
	for i := range r.Slice.Chunks() {
		c := r.Slice.Chunk(i)
		for row, before := range c.RewardBefore {
			if max(c.Round[row], before) < c.RewardRound[row] {
				return true
			}
		}
	}
	return false
}
