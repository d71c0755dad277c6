package regress

import (
	"encoding/binary"
	"math"

	"banditaudit/analyze/moments/lanes"
)

// contexts holds the distinct contexts of the rows, up to a limit, each with the
// sum of τ over its rows: rows of one context have one h_kt.
type contexts struct {
	limit  int
	full   bool // there were more than limit, and nothing is held
	index  map[string]int32
	values [][]float64 // of the kept covariates
	tau    []float64
	key    []byte
}

func newContexts(covariates, limit int) *contexts {
	return &contexts{limit: limit, index: map[string]int32{}, values: make([][]float64, covariates), key: make([]byte, 8*covariates)}
}

func (c *contexts) count() int { return len(c.tau) }

func (c *contexts) giveUp() {
	*c = contexts{limit: c.limit, full: true}
}

// add takes up the picked rows; kept lists the covariates that count.
func (c *contexts) add(kept []int, x [][]float64, tau []float64, pick []int32) {
	for _, t := range pick {
		if c.full {
			return
		}
		for i, j := range kept {
			binary.LittleEndian.PutUint64(c.key[8*i:], math.Float64bits(x[j][t]+0)) // −0 + 0 is 0
		}
		k, fresh := c.place()
		if c.full {
			return
		}
		if fresh {
			for i, j := range kept {
				c.values[i] = append(c.values[i], x[j][t])
			}
		}
		c.tau[k] += tau[t]
	}
}

// place looks the key up; a fresh one gets a place whose values are to be
// appended. It gives up where there is none left.
func (c *contexts) place() (k int32, fresh bool) {
	if at, ok := c.index[string(c.key)]; ok {
		return at, false
	}
	if len(c.tau) >= c.limit {
		c.giveUp()
		return 0, false
	}
	k = int32(len(c.tau)) //nolint:gosec // at most limit
	c.index[string(c.key)] = k
	c.tau = append(c.tau, 0)
	return k, true
}

func (c *contexts) merge(o *contexts) {
	if o.full && !c.full {
		c.giveUp()
	}
	for at, tau := range o.tau {
		if c.full {
			return
		}
		for i, col := range o.values {
			binary.LittleEndian.PutUint64(c.key[8*i:], math.Float64bits(col[at]+0))
		}
		k, fresh := c.place()
		if c.full {
			return
		}
		if fresh {
			for i, col := range o.values {
				c.values[i] = append(c.values[i], col[at])
			}
		}
		c.tau[k] += tau
	}
}

// worst returns the largest Σ_c |v_k'·v_c|·τ_c over the contexts k, v their
// coordinates in the orthonormal basis.
func (c *contexts) worst(m *Model) float64 {
	r, n := m.Rank, c.count()
	if r == 0 || n == 0 {
		return 0
	}
	tiles := c.coordinates(m)
	w := newWorkspace(0, lanes.New())
	w.line, w.spare = make([]float64, tileRows), make([]float64, 2*stride)
	most, row := 0.0, make([]float64, r)
	for k := range n {
		for q := range r {
			row[q] = tiles[k/tileRows][q*stride+k%tileRows]
		}
		sum := 0.0
		for i, cols := range tiles {
			tau := c.tau[i*tileRows : min(n, (i+1)*tileRows)]
			sum += absolute(w.combine(cols, row, (len(tau)+15)&^15), tau)
		}
		most = max(most, sum)
	}
	return most
}

// coordinates are those of all contexts, in tiles of columns stride apart.
func (c *contexts) coordinates(m *Model) [][]float64 {
	x := make([][]float64, 0) // by covariate of the model, of which only the kept are read
	for i, j := range m.design.kept {
		for len(x) <= j {
			x = append(x, nil)
		}
		x[j] = c.values[i]
	}
	var tiles [][]float64
	pick := make([]int32, 0, tileRows)
	for from := 0; from < c.count(); from += tileRows {
		pick = pick[:0]
		for t := from; t < min(c.count(), from+tileRows); t++ {
			pick = append(pick, int32(t)) // at most limit
		}
		w := newWorkspace(m.Rank, lanes.New())
		w.locate(m, x, nil, pick)
		tiles = append(tiles, w.v)
	}
	return tiles
}
