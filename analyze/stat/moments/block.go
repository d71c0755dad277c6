package moments

import "banditaudit/analyze/stat/moments/simd"

// badRow is the message of the panic for a row that is not there.
const badRow = "moments: row index out of range"

// AddBlock adds rows given by columns: x[j][t] is covariate j of row t, y[t]
// the response. pick lists the rows that count, by index into the columns; nil
// means all of them. len(x) must be P(), all columns as long as y, and every
// index within them, otherwise AddBlock panics.
func (c *Cross) AddBlock(x [][]float64, y []float64, pick []int32) {
	c.check(x, y)
	for _, t := range pick {
		if t < 0 || int(t) >= len(y) {
			panic(badRow)
		}
	}
	rows := len(pick)
	if pick == nil {
		rows = len(y)
	}
	b := newBlock(c.vars, min(sortRows, (rows+3)&^3), simd.New())
	dst, source := []*Cross{c}, &chunk{x, 1, y}
	for start := 0; start < rows; start += sortRows {
		n := min(sortRows, rows-start)
		if pick != nil {
			copy(b.rows, pick[start:start+n])
		} else {
			for i := range n {
				b.rows[i] = int32(start + i) // a chunk has at most 2³¹ rows
			}
		}
		b.add(0, 0, n)
		b.run(dst, source, min(start, len(y)), min(start+n, len(y)))
	}
}

func (c *Cross) check(x [][]float64, y []float64) {
	if len(x) != c.vars-1 {
		panic(badLength)
	}
	for _, col := range x {
		if len(col) != len(y) {
			panic(badLength)
		}
	}
}
