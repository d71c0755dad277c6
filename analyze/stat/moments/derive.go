package moments

// Derive returns the moments of new covariates, with the response as it is, from
// the moments of c alone:
//
//	v_i = x_from[i] − value[i], and the constant value[i] where from[i] < 0
//
// from and value have equal length, and from is below P(), otherwise Derive
// panics. Special cases are:
//
//	no rows: the new accumulator has none either
func (c *Cross) Derive(from []int, value []float64) *Cross {
	if len(from) != len(value) {
		panic(badLength)
	}
	for _, j := range from {
		if j >= c.P() {
			panic(badColumn)
		}
	}
	out := NewCross(len(from))
	if c.n == 0 {
		return out
	}
	out.n = c.n
	source := append(append([]int(nil), from...), c.P())
	k := 0
	for i, a := range source {
		switch {
		case a < 0:
			out.shift[i] = value[i]
		case i == len(from):
			out.shift[i], out.off[i] = c.shift[a], c.off[a]
		default:
			out.shift[i], out.off[i] = less(c.shift[a], value[i])
			out.off[i] += c.off[a]
		}
		for _, b := range source[:i+1] {
			if a >= 0 && b >= 0 {
				out.prod[k] = c.Product(a, b)
			}
			k++
		}
	}
	return out
}

// Select returns the moments of some covariates, in the order of columns, and
// the response. It panics for a column that is not there.
func (c *Cross) Select(columns []int) *Cross {
	for _, j := range columns {
		if j < 0 {
			panic(badColumn)
		}
	}
	return c.Derive(columns, make([]float64, len(columns)))
}

// less returns a − b and what rounding took from it (Knuth's two-sum).
func less(a, b float64) (difference, rest float64) {
	d := a - b
	back := d - a
	return d, (a - (d - back)) - (b + back)
}

// badColumn is the message of the panic for a covariate that is not there.
const badColumn = "moments: column out of range"
