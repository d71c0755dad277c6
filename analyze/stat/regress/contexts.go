package regress

import (
	"context"
	"math"

	"banditaudit/analyze/stat/moments/simd"
)

// contexts holds the distinct contexts of the rows, up to a limit, each with the
// sum of τ over its rows: rows of one frame and context have one h_kt.
type contexts struct {
	limit  int
	full   bool    // there were more than limit, and nothing is held
	index  []int32 // by hash, open addressing: a place and 1; 0: none. At most half full
	frame  []int32
	values [][]float64 // of the kept covariates
	tau    []float64
	key    []uint64 // of the row that is looked for
}

// chunkOf is what is read of the rows of a chunk.
type chunkOf struct {
	x   [][]float64
	tau []float64 // nil: no row is shifted
}

// count is how many rows have a bound on their shift: all of arm without any.
func (r *chunkOf) count(arm []int32) int {
	if r.tau == nil {
		return len(arm)
	}
	return len(r.tau)
}

// shift is the bound on the shift of a row.
func (r *chunkOf) shift(t int32) float64 {
	if r.tau == nil {
		return 0
	}
	return r.tau[t]
}

func newContexts(limit int) *contexts {
	return &contexts{limit: limit}
}

func (c *contexts) count() int { return len(c.tau) }

func (c *contexts) giveUp() {
	*c = contexts{limit: c.limit, full: true}
}

// add takes up the picked rows of a frame; kept lists the covariates that count.
func (c *contexts) add(frame int, kept []int, rows *chunkOf, pick []int32) {
	columns := make([][]float64, len(kept))
	for i, j := range kept {
		columns[i] = rows.x[j]
	}
	for _, t := range pick {
		if c.full {
			return
		}
		c.take(int32(frame), columns, int(t), rows.shift(t)) //nolint:gosec // as many frames as arms
	}
}

func (c *contexts) merge(o *contexts) {
	if o.full && !c.full {
		c.giveUp()
	}
	for t, tau := range o.tau {
		if c.full {
			return
		}
		c.take(o.frame[t], o.values, t, tau)
	}
}

// take adds tau to the context at place t of the columns. It gives up where
// there is no room for another.
func (c *contexts) take(frame int32, columns [][]float64, t int, tau float64) {
	if 2*len(c.tau) >= len(c.index) {
		c.grow()
	}
	c.key = c.key[:0]
	for _, col := range columns {
		c.key = append(c.key, math.Float64bits(col[t]+0)) // −0 + 0 is 0
	}
	slot := c.slot(frame)
	k := c.index[slot] - 1
	if k < 0 {
		if len(c.tau) >= c.limit {
			c.giveUp()
			return
		}
		k = int32(len(c.tau)) //nolint:gosec // at most limit
		c.index[slot] = k + 1
		c.tau, c.frame = append(c.tau, 0), append(c.frame, frame)
		for len(c.values) < len(columns) {
			c.values = append(c.values, nil)
		}
		for i, col := range columns {
			c.values[i] = append(c.values[i], col[t])
		}
	}
	c.tau[k] += tau
}

// slot is where the index has the key in a frame, or room for it.
func (c *contexts) slot(frame int32) int {
	h := uint64(frame) //nolint:gosec // not negative
	for _, bits := range c.key {
		h = (h ^ bits) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	mask := len(c.index) - 1
	for slot := int(h) & mask; ; slot = (slot + 1) & mask { //nolint:gosec // the mask is positive
		if k := c.index[slot] - 1; k < 0 || c.frame[k] == frame && c.has(k) {
			return slot
		}
	}
}

// has reports whether a context is the key.
func (c *contexts) has(k int32) bool {
	for i, bits := range c.key {
		if math.Float64bits(c.values[i][k]+0) != bits {
			return false
		}
	}
	return true
}

// grow makes the index twice as large.
func (c *contexts) grow() {
	c.index = make([]int32, max(64, 2*len(c.index)))
	for k, frame := range c.frame {
		c.key = c.key[:0]
		for _, values := range c.values {
			c.key = append(c.key, math.Float64bits(values[k]+0))
		}
		c.index[c.slot(frame)] = int32(k) + 1
	}
}

// worst returns the largest Σ_c |v_k'·v_c|·τ_c over the contexts k, v their
// coordinates in the orthonormal basis.
func (c *contexts) worst(ctx context.Context, m *Model) (float64, error) {
	r, n := m.Rank, c.count()
	if r == 0 || n == 0 {
		return 0, nil
	}
	tiles := c.coordinates(m)
	w := newWorkspace(0, simd.New())
	w.combines()
	most, row := 0.0, make([]float64, r)
	for k := range n {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for q := range r {
			row[q] = tiles[k/tileRows][q*stride+k%tileRows]
		}
		sum := 0.0
		for i, cols := range tiles {
			tau := c.tau[i*tileRows : min(n, (i+1)*tileRows)]
			sum += absolute(w.combine(cols, row, padded(len(tau))), tau)
		}
		most = max(most, sum)
	}
	return most, nil
}

// coordinates returns the coordinates of all contexts in the basis of the whole design, in
// tiles of columns stride apart.
func (c *contexts) coordinates(m *Model) [][]float64 {
	tiles := make([][]float64, (c.count()+tileRows-1)/tileRows)
	for i := range tiles {
		tiles[i] = make([]float64, m.Rank*stride)
	}
	byFrame := make([][]int32, len(m.frames))
	for t, f := range c.frame {
		byFrame[f] = append(byFrame[f], int32(t)) // at most limit
	}
	w := newWorkspace(m.coordinates(), simd.New())
	for i, f := range m.frames {
		if len(byFrame[i]) == 0 {
			continue
		}
		x := c.byCovariate(f)
		for pick := byFrame[i]; len(pick) > 0; {
			n := min(len(pick), tileRows)
			w.locate(f, x, nil, pick[:n])
			for at, t := range pick[:n] {
				f.whole(w, at, tiles[t/tileRows][t%tileRows:])
			}
			pick = pick[n:]
		}
	}
	return tiles
}

// byCovariate places the values where a frame looks for them.
func (c *contexts) byCovariate(f *frame) [][]float64 {
	var x [][]float64
	for i, j := range f.kept {
		for len(x) <= j {
			x = append(x, nil)
		}
		x[j] = c.values[i]
	}
	return x
}

// whole writes row at of the tile, in the basis of the whole design, to every
// stride-th place of dst.
func (f *frame) whole(w *workspace, at int, dst []float64) {
	for k := range f.size() {
		u := w.v[k*w.stride+at]
		if f.directions == nil {
			dst[k*stride] = u
			continue
		}
		for q, d := range f.directions[k] {
			dst[q*stride] += float64(d * u)
		}
	}
}
