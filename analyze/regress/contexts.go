package regress

import (
	"context"
	"encoding/binary"
	"math"

	"banditaudit/analyze/moments/lanes"
)

// contexts holds the distinct contexts of the rows, up to a limit, each with the
// sum of τ over its rows: rows of one frame and context have one h_kt.
type contexts struct {
	limit  int
	full   bool // there were more than limit, and nothing is held
	index  map[string]int32
	frame  []int32
	values [][]float64 // of the kept covariates
	tau    []float64
	key    []byte
}

// chunkOf is what is read of the rows of a chunk.
type chunkOf struct {
	x   [][]float64
	tau []float64
}

func newContexts(limit int) *contexts {
	return &contexts{limit: limit, index: map[string]int32{}}
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
		c.take(int32(frame), columns, int(t), rows.tau[t]) //nolint:gosec // as many frames as arms
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
	key := binary.LittleEndian.AppendUint32(c.key[:0], uint32(frame)) //nolint:gosec // not negative
	for _, col := range columns {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(col[t]+0)) // −0 + 0 is 0
	}
	c.key = key
	k, ok := c.index[string(key)]
	if !ok {
		if len(c.tau) >= c.limit {
			c.giveUp()
			return
		}
		k = int32(len(c.tau)) //nolint:gosec // at most limit
		c.index[string(key)] = k
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

// worst returns the largest Σ_c |v_k'·v_c|·τ_c over the contexts k, v their
// coordinates in the orthonormal basis.
func (c *contexts) worst(ctx context.Context, m *Model) (float64, error) {
	r, n := m.Rank, c.count()
	if r == 0 || n == 0 {
		return 0, nil
	}
	tiles := c.coordinates(m)
	w := newWorkspace(0, lanes.New())
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

// coordinates are those of all contexts in the basis of the whole design, in
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
	w := newWorkspace(m.coordinates(), lanes.New())
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
