package moments

import "math"

// Cross is the count, the means and the centred cross-products of p covariates
// and a response y. Variables are numbered 0…p−1 for the covariates and p for
// y. The zero value is unusable; see NewCross.
type Cross struct {
	n     int64
	vars  int       // p + 1
	shift []float64 // the first row; means are kept relative to it
	off   []float64 // mean − shift, small where the mean is large
	prod  []float64 // lower triangle, row by row: Σ (v_i − mean_i)(v_j − mean_j)
}

// NewCross returns an empty accumulator for p ≥ 0 covariates and a response.
func NewCross(p int) *Cross {
	v := p + 1
	store := make([]float64, 2*v+v*(v+1)/2)
	return &Cross{vars: v, shift: store[:v:v], off: store[v : 2*v : 2*v], prod: store[2*v:]}
}

// N returns the number of rows.
func (c *Cross) N() int64 { return c.n }

// P returns the number of covariates.
func (c *Cross) P() int { return c.vars - 1 }

// Mean returns the mean of variable i; i = P() is the response. Special cases
// are:
//
//	Mean(i) = NaN if there are no rows
func (c *Cross) Mean(i int) float64 {
	if c.n == 0 {
		return math.NaN()
	}
	return c.shift[i] + c.off[i]
}

// Product returns the centred cross-product of variables i and j,
//
//	Σ_t (v_ti − mean_i)·(v_tj − mean_j)
//
// which is 0 if there are no rows.
func (c *Cross) Product(i, j int) float64 {
	if i < j {
		i, j = j, i
	}
	return c.prod[i*(i+1)/2+j]
}

// Merge joins another accumulator of the same p by the update of Chan et al.;
// o stays as it is. An empty o changes nothing, an empty receiver takes o's
// numbers over bit by bit.
func (c *Cross) Merge(o *Cross) {
	if c.vars != o.vars {
		panic(badLength)
	}
	c.merge(o.n, o.shift, o.off, o.prod)
}

func (c *Cross) merge(n int64, shift, off, prod []float64) {
	switch {
	case n == 0:
		return
	case c.n == 0:
		c.n = n
		copy(c.shift, shift)
		copy(c.off, off)
		copy(c.prod, prod)
		return
	}
	a, b := float64(c.n), float64(n)
	share := b / (a + b)
	weight := a * share
	k := 0
	var stack [16]float64
	delta := append(stack[:0], off...)
	for i := range delta {
		delta[i] += shift[i] - c.shift[i] - c.off[i]
	}
	for i, di := range delta {
		wi := float64(weight * di)
		for _, dj := range delta[:i+1] {
			c.prod[k] += prod[k] + float64(wi*dj)
			k++
		}
	}
	for i, d := range delta {
		c.off[i] += float64(d * share)
	}
	c.n += n
}

// Center returns the mean of variable i in two parts, mean = shift + offset,
// where shift is one of the values seen. (v − shift) − offset keeps the digits
// that v − mean would lose for a variable far from 0. Both are 0 if there are
// no rows.
func (c *Cross) Center(i int) (shift, offset float64) { return c.shift[i], c.off[i] }
