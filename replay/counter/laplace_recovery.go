package counter

// Recover returns a Recovery: the noise of n rows less that of the rows seen
// before is the noise of those in between.
func (c *perRow) Recover() Recovery {
	return &perRowRecovery{most: c.most, scale: nearest(c.scale(c.epsilon))}
}

type perRowRecovery struct {
	most         int64
	scale, noise float64
	seen         int64
	result       [1]Draw
}

// See returns one Draw of as many variables as rows have come.
func (r *perRowRecovery) See(n int64, residue float64) []Draw {
	if n <= r.seen || n > r.most {
		return nil
	}
	r.result[0] = Draw{Row: n, Rows: n, Scale: r.scale, Count: int(n - r.seen), Value: residue - r.noise}
	r.seen, r.noise = n, residue
	return r.result[:]
}
