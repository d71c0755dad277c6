package moments

import "banditaudit/analyze/stat/moments/simd"

// tileRows is how many rows are centred and multiplied together: enough to make
// the merge cheap, few enough for the first-level cache.
const tileRows = 256

// tile is rows of one accumulator, next to each other in a block.
type tile struct {
	arm   int
	start int // in the block; a multiple of four
	n     int // rows, 1…tileRows
}

// chunk is rows by columns: of covariates and the response. A column's value of
// row t is at step·t: 1 where columns lie apart, and the number of covariates
// where they are interleaved, row after row.
type chunk struct {
	x    [][]float64
	step int
	y    []float64
}

// block gathers rows that were ordered by arm, column after column, and
// multiplies them tile by tile. A column is gathered for all arms before the
// next, while it is in the first-level cache.
type block struct {
	vars   int
	width  int // vars, and padding up to a multiple of three
	stride int // distance of two columns in data
	kernel simd.Kernel
	rows   []int32 // by position in the block: the row in the chunk
	places []int32 // rows times the chunk's step
	tiles  []tile
	shift  []float64 // width for each tile
	off    []float64
	data   []float64
	prod   []float64 // of one tile: lower triangle, row by row
	sums   [9]float64
	lanes  [4]float64
}

// newBlock makes room for a number of rows, padding included.
func newBlock(vars, rows int, k simd.Kernel) *block {
	stride := (rows+7)&^7 + 8 // off the powers of two, so that columns do not fall on the same cache sets
	return &block{
		vars: vars, width: (vars + 2) / 3 * 3, stride: stride, kernel: k,
		rows: make([]int32, rows),
		data: make([]float64, vars*stride),
		prod: make([]float64, vars*(vars+1)/2),
	}
}

// add appends the tiles of n rows of an arm, which begin at start.
func (b *block) add(arm, start, n int) {
	for ; n > 0; n -= tileRows {
		b.tiles = append(b.tiles, tile{arm, start, min(n, tileRows)})
		start += tileRows
	}
}

// run joins the rows of all tiles, rows from…to−1 of the chunk, to dst and
// empties the block.
func (b *block) run(dst []*Cross, t *chunk, from, to int) {
	if need := len(b.tiles) * b.width; len(b.off) < need {
		b.shift, b.off = make([]float64, need), make([]float64, need)
	}
	b.gather(t, from, to)
	for i := range b.tiles {
		b.multiply(i, t, to)
		at, c := i*b.width, dst[b.tiles[i].arm]
		c.merge(int64(b.tiles[i].n), b.shift[at:at+b.vars], b.off[at:at+b.vars], b.prod)
	}
	b.tiles = b.tiles[:0]
}

// gather gathers all columns. The processor is told beforehand of the column
// after this one, and at the end of the first column's next block; of an
// interleaved chunk, of each column's share of the next block.
func (b *block) gather(t *chunk, from, to int) {
	places := b.rows
	if t.step != 1 {
		places = b.scaled(t.step)
	}
	for j, col := range t.x {
		ahead := t.y[from:]
		switch {
		case t.step != 1:
			ahead = tail(t.x[0], to*t.step+j*(to-from))
		case j+1 < len(t.x):
			ahead = t.x[j+1][from:]
		}
		b.column(j, col, places, ahead)
	}
	ahead := t.y[to:]
	if t.step == 1 && len(t.x) > 0 {
		ahead = t.x[0][to:]
	}
	b.column(len(t.x), t.y, b.rows, ahead)
}

// scaled is rows in an interleaved chunk.
func (b *block) scaled(step int) []int32 {
	if b.places == nil {
		b.places = make([]int32, len(b.rows))
	}
	for i, t := range b.rows {
		b.places[i] = t * int32(step) //nolint:gosec // AddRows checks that the last one fits
	}
	return b.places
}

// tail is v from index at on, empty beyond the end.
func tail(v []float64, at int) []float64 { return v[min(at, len(v)):] }

// column gathers one column, each tile relative to its first value. The
// differences to that are exact or nearly so, hence so is their mean. Rows up
// to a multiple of four are padded with the mean, of which centring leaves 0.
func (b *block) column(j int, col []float64, places []int32, ahead []float64) {
	l := &b.lanes
	for i := range b.tiles {
		t := &b.tiles[i]
		n, dst := t.n, b.data[j*b.stride+t.start:]
		pick := places[t.start : t.start+n]
		shift := col[pick[0]]
		b.kernel.Gather(dst, col, pick, shift, tail(ahead, t.start), l)
		for k := n &^ 3; k < n; k++ {
			d := col[pick[k]] - shift
			dst[k] = d
			l[k&3] += d
		}
		mean := ((l[0] + l[1]) + (l[2] + l[3])) / float64(n)
		for k := n; k&3 != 0; k++ {
			dst[k] = mean
		}
		b.shift[i*b.width+j], b.off[i*b.width+j] = shift, mean
	}
}

// multiply centres the rows of a tile and fills prod, three columns at a time
// against three others. Meanwhile the next block, from row to on, is fetched.
func (b *block) multiply(i int, t *chunk, to int) {
	at, off := b.tiles[i].start, b.off[i*b.width:]
	quads, calls := (b.tiles[i].n+3)/4, 0
	ahead := func() []float64 {
		calls++
		return t.next(calls-1, to, at, b.data[at:])
	}
	for g := 0; g < b.vars; g += 3 {
		size, cols := min(3, b.vars-g), b.data[g*b.stride+at:]
		b.kernel.Square[size-1](cols, b.stride, quads, (*[3]float64)(off[g:]), ahead(), &b.sums)
		for r := range size {
			copy(b.row(g + r)[g:], b.sums[r*(r+1)/2:])
		}
		for h := 0; h < g; h += 3 {
			b.kernel.Cross[size-1](cols, b.data[h*b.stride+at:], b.stride, quads, ahead(), &b.sums)
			for r := range size {
				copy(b.row(g + r)[h:h+3], b.sums[3*r:])
			}
		}
	}
}

// next is what call i of the kernel is to fetch: its column at or after the row,
// or spare, which is in the cache, where there is no such column.
func (t *chunk) next(i, row, at int, spare []float64) []float64 {
	if i >= len(t.x) || t.step != 1 || row+at >= len(t.y) {
		return spare
	}
	return t.x[i][row+at:]
}

// row is row i of the triangle.
func (b *block) row(i int) []float64 { return b.prod[i*(i+1)/2:][:i+1] }
