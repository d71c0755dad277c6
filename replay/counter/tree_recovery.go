package counter

// Recover returns a Recovery. With j the lowest digit of n that is not 0, the
// sum of n rows has, if d_j > 0, one node of level j more than that of n − k^j;
// if d_j < 0, one less taken away has that of n + k^j, which comes later: the
// draw is known when it has come.
func (c *tree) Recover() Recovery {
	scale := nearest(c.scale(c.share()))
	return newForest(c.horizon, func(n int64) edge {
		e := edge{scale: scale}
		width, u := int64(1), n
		for ; u%c.k == 0; u /= c.k {
			width *= c.k
			e.level++
		}
		digit := u % c.k
		if digit > c.m {
			digit -= c.k
		}
		above := n - digit*width // p_{j+1}
		e.last = above + (width*c.k-1)/2
		if digit > 0 {
			e.parent, e.row = n-width, n-(width-1)/2
		} else {
			e.parent, e.row = n+width, above-(width*c.k-1)/2
		}
		return e
	})
}
