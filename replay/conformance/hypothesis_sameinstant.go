package conformance

import "banditaudit/schemas"

// sameInstant says that a program learned the rewards that became known at the very
// time of a choice before it made that choice. A reward is declared to be known where
// its time is strictly before that of the choice (log.reward_order). It is tried where
// some reward has the time of a later round, and the policy does not go by logged
// released values. It is heard on rows that the declared policy was heard on before.
func (e *explainer) sameInstant(rows []*tried) ([]schemas.Hypothesis, error) {
	if e.shows || !e.Mechanism.ReadsRewards() || !e.ties() {
		return nil, nil
	}
	after, earlier, own := e.after, e.earlier, e.own()
	e.instant = true
	err := e.pass(e.sampled, own)
	e.instant = false
	if own.run.Err() != nil { // a stream that is full so
		e.after, e.earlier, e.rows = after, earlier, rows
		return nil, e.ctx.Err()
	}
	var t tally
	for i, o := range e.rows {
		t.add(e.c, rows[i], o.want)
	}
	e.after, e.earlier, e.rows = after, earlier, rows
	if err != nil {
		return nil, err
	}
	const words = "rewards that became known at the very time of a choice (log.reward_order, log.order) were learned before it"
	return []schemas.Hypothesis{t.says("same-instant", words, "as log.reward_order a column of times that are strictly before the choices that could use the rewards, such as these times less half a tick")}, nil
}

// ties reports whether a reward became known at the very time of a later round.
func (e *explainer) ties() bool {
	for i := range e.s.Chunks() {
		c := e.s.Chunk(i)
		for row, before := range c.RewardBefore {
			if max(c.Round[row], before) < c.RewardRound[row] {
				return true
			}
		}
	}
	return false
}
