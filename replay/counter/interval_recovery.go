package counter

// Recover returns a Recovery: every release has a draw of its own, and no other.
func (c *interval) Recover() Recovery { return &intervalRecovery{interval: c} }

type intervalRecovery struct {
	*interval
	made   int64 // releases up to the one seen last
	result [1]Draw
}

// See returns the noise of the release that stands after n rows, once.
func (r *intervalRecovery) See(n int64, residue float64) []Draw {
	made := n / r.every
	if n < 1 || n > r.horizon || made <= r.made {
		return nil
	}
	r.made = made
	rows := made * r.every
	scale := nearest(r.scale(r.loss(r.blocks[r.block(made)].w)))
	r.result[0] = Draw{Row: rows, Rows: rows, Scale: scale, Count: 1, Value: residue}
	return r.result[:]
}
