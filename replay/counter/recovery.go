package counter

import "slices"

// Recovery tells the draws of one stream of sums apart from what it released:
// noise is what was released less the exact sum of the same rows. Each counter
// has its own, since it knows which draws are in which release. It is not safe
// for concurrent use.
type Recovery interface {
	// See takes what the policy saw: n ≥ 1 rows had arrived at the stream, and
	// residue is what was released last less what a stream without noise (see
	// Counter.Bank) has released last after n rows. n increases from call to call
	// and may leave numbers out, where the policy did not look; draws that cannot
	// then be told apart are not returned. It returns what the release adds to
	// what is known; the slice is used again.
	//
	// Special cases are:
	//
	//	n < 1, n not above the n of the last call, or n after the end of the longest
	//	stream: nothing is returned, and nothing remembered
	See(n int64, residue float64) []Draw
}

// Draw is noise of a stream that could be told apart: one Laplace variable, or
// Count independent ones of equal scale that are added or, since their law is
// symmetric, taken away. No variable is in two Draws.
type Draw struct {
	Row   int64   // rows that had arrived when the last of its variables was drawn
	Rows  int64   // rows of the released sum, the later one where it takes two
	Level int     // of the node, from 0 for the narrowest, -1 of a logarithmic one; 0 where there are none or Count > 1
	Scale float64 // declared Laplace scale, of a sum of rewards in [0,1]
	Count int     // variables in Value, ≥ 1
	Value float64 // of the sum of rewards in [0,1]
}

// edge is the one node by which the noise of a sum is more, or less, than the noise of
// another sum of otherwise the same nodes.
type edge struct {
	parent int64   // rows of the other sum; 0: there is no other
	level  int     // of the node
	scale  float64 // of its noise
	row    int64   // rows that had arrived when it was drawn
	last   int64   // the last sum that descends from this one
}

// forest recovers draws where every released sum of n ≥ 1 rows differs from a
// parent by one node, added if n is above the parent and taken away if not: the
// sums are the vertices of a tree with root 0, which has no noise, and the nodes
// its edges. Where both ends of an edge were seen, the difference is the draw.
//
// Where the policy did not look at a sum, all edges of a path between two seen
// sums are one Draw, if they have one scale. Paths have no edge in common: from
// each seen sum one goes up to the first that was seen, to a path that comes
// from elsewhere and waits, or to an edge that another path has, where it waits.
type forest struct {
	edge   func(n int64) edge
	most   int64     // rows of the longest stream
	now    int64     // the last n
	rows   []int64   // of the sums that are remembered, ascending
	sums   []*vertex // at the same places
	spare  []*vertex // forgotten ones, to be used again
	ahead  []int64   // sums not yet reached at which paths wait, ascending
	prune  int       // how many sums are remembered before those without use are dropped
	result []Draw
}

// vertex is a sum that was seen or that paths have come to.
type vertex struct {
	seen  bool
	noise float64 // of a seen one
	spent bool    // the edge to the parent is in a path
	waits []path  // paths that have come here from below, and go no further yet
}

// path leads from a seen sum along edges that no other path has.
type path struct {
	from  int64
	noise float64 // of that sum
	draw  Draw    // but for Rows and Value
}

const leastPrune = 32

func newForest(most int64, edges func(n int64) edge) *forest {
	return &forest{edge: edges, most: most, prune: leastPrune}
}

// See takes the noise of the sum of n rows.
func (f *forest) See(n int64, residue float64) []Draw {
	f.result = f.result[:0]
	if n <= f.now || n > f.most {
		return nil
	}
	f.now = n
	for len(f.ahead) > 0 && f.ahead[0] <= n {
		v := f.ahead[0]
		f.ahead = f.ahead[1:]
		if v < n {
			f.skip(v)
		}
	}
	x := f.vertex(n)
	x.seen, x.noise = true, residue
	for _, p := range x.waits {
		f.join(p, path{from: n, noise: residue})
	}
	x.waits = x.waits[:0]
	f.climb(n, x, path{from: n, noise: residue})
	f.drop()
	return f.result
}

// vertex returns what is remembered of the sum of n rows, from now on
// something.
func (f *forest) vertex(n int64) *vertex {
	at, found := slices.BinarySearch(f.rows, n)
	if found {
		return f.sums[at]
	}
	if len(f.spare) == 0 {
		f.spare = append(f.spare, &vertex{})
	}
	last := len(f.spare) - 1
	x := f.spare[last]
	f.spare = f.spare[:last]
	f.rows, f.sums = slices.Insert(f.rows, at, n), slices.Insert(f.sums, at, x)
	return x
}

// skip goes on with the paths that have waited for a sum which was not seen.
func (f *forest) skip(n int64) {
	x := f.vertex(n)
	waits := x.waits
	x.waits = nil
	for _, p := range waits {
		if !f.meet(x, p) {
			x.waits = append(x.waits, p)
		}
	}
	waits, x.waits = x.waits, nil
	for _, p := range waits {
		f.climb(n, x, p)
	}
}

// climb leads a path from sum n, x, upwards as far as it goes.
func (f *forest) climb(n int64, x *vertex, p path) {
	for {
		e := f.edge(n)
		if x.spent || p.draw.Count > 0 && p.draw.Scale != e.scale {
			x.waits = append(x.waits, p)
			return
		}
		x.spent = true
		p.draw.Row, p.draw.Level, p.draw.Scale = max(p.draw.Row, e.row), e.level, e.scale
		p.draw.Count++
		n = e.parent
		if n == 0 {
			f.join(p, path{})
			return
		}
		x = f.vertex(n)
		switch {
		case x.seen:
			f.join(p, path{from: n, noise: x.noise})
			return
		case n >= f.now:
			x.waits = append(x.waits, p)
			f.await(n)
			return
		case f.meet(x, p):
			return
		}
	}
}

// await notes that paths wait for sum n.
func (f *forest) await(n int64) {
	at, found := slices.BinarySearch(f.ahead, n)
	if !found {
		f.ahead = slices.Insert(f.ahead, at, n)
	}
}

// meet joins a path to one of the same scale that waits at x, and reports
// whether there was one.
func (f *forest) meet(x *vertex, p path) bool {
	for i, q := range x.waits {
		if q.draw.Scale == p.draw.Scale {
			x.waits = slices.Delete(x.waits, i, i+1)
			f.join(p, q)
			return true
		}
	}
	return false
}

// join makes a draw of two paths that have come together; q is one without
// edges where it is a seen sum.
func (f *forest) join(p, q path) {
	if p.from < q.from {
		p, q = q, p
	}
	d := p.draw
	d.Scale = max(d.Scale, q.draw.Scale)
	d.Row = max(d.Row, q.draw.Row)
	d.Level += q.draw.Level // one of them has none
	d.Count += q.draw.Count
	if d.Count > 1 {
		d.Level = 0
	}
	d.Rows, d.Value = p.from, p.noise-q.noise
	f.result = append(f.result, d)
}

// drop forgets sums from which no later one descends. The number that is left
// grows with the logarithm of n, so that dropping is seldom.
func (f *forest) drop() {
	if len(f.sums) < f.prune {
		return
	}
	kept := 0
	for i, x := range f.sums {
		if f.edge(f.rows[i]).last > f.now {
			f.rows[kept], f.sums[kept] = f.rows[i], x
			kept++
			continue
		}
		*x = vertex{waits: x.waits[:0]}
		f.spare = append(f.spare, x)
	}
	clear(f.sums[kept:])
	f.rows, f.sums = f.rows[:kept], f.sums[:kept]
	f.prune = max(leastPrune, 2*kept)
}
