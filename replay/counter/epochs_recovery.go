package counter

// Recover returns a Recovery: every release has a draw of its own, and no other.
func (c *epochs) Recover() Recovery {
	return &epochsRecovery{most: c.longest(), scale: nearest(c.scale(c.epsilon))}
}

type epochsRecovery struct {
	most   int64
	scale  float64
	ended  int // epochs, at what was seen last
	result [1]Draw
}

// See returns the noise of the epoch whose sum stands after n rows, once.
func (r *epochsRecovery) See(n int64, residue float64) []Draw {
	if n < 1 || n > r.most || ended(n) == r.ended {
		return nil
	}
	r.ended = ended(n)
	rows := int64(1) << (r.ended - 1)
	r.result[0] = Draw{Row: 2*rows - 1, Rows: rows, Scale: r.scale, Count: 1, Value: residue}
	return r.result[:]
}
