package moments

// AddBlock adds rows given by columns: x[j][t] is covariate j of row t, y[t]
// the response. pick lists the rows that count, by index into the columns; nil
// means all of them. len(x) must be P() and all columns as long as y, otherwise
// AddBlock panics.
func (c *Cross) AddBlock(x [][]float64, y []float64, pick []int32) {
	c.check(x, y)
	w := newTile(c.vars)
	if pick == nil {
		c.addAll(w, x, y)
		return
	}
	for len(pick) > tileRows {
		w.rows(c, x, y, pick[:tileRows])
		pick = pick[tileRows:]
	}
	w.rows(c, x, y, pick)
}

func (c *Cross) addAll(w *tile, x [][]float64, y []float64) {
	var pick [tileRows]int32
	for start := 0; start < len(y); start += tileRows {
		n := min(tileRows, len(y)-start)
		for i := range n {
			pick[i] = int32(start + i)
		}
		w.rows(c, x, y, pick[:n])
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
