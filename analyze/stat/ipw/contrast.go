package ipw

import "math"

// Contrast is the difference of two weighted means over the same rounds, and how far
// it varies, with weights of each,
//
//	D = Q_a − Q_b,  V = Σ(h_a·(g_a − Q_a)/Σh_a − h_b·(g_b − Q_b)/Σh_b)²
//
// The zero value is empty and ready for use.
type Contrast struct {
	A, B     Scores
	weight   float64 // Σ h_a·h_b
	atA, atB float64 // means with that weight
	joint    float64 // Σ h_a·h_b·(g_a − atA)·(g_b − atB)
}

// contrastOf is the contrast of two arms over some rounds: their scores, of equal
// length, and what was made of each.
func contrastOf(a, b *Scores, ha, ga, hb, gb []float64) Contrast {
	weight, fromA, fromB, atA, atB, joint := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for t, v := range ha {
		h := float64(v * hb[t])
		if h == 0 {
			continue
		}
		if weight == 0 {
			fromA, fromB = ga[t], gb[t]
		}
		weight += h
		atA += float64(h * (ga[t] - fromA))
		atB += float64(h * (gb[t] - fromB))
	}
	if weight == 0 {
		return Contrast{}
	}
	atA, atB = fromA+atA/weight, fromB+atB/weight
	for t, v := range ha {
		joint += float64(float64(v*(ga[t]-atA)) * float64(hb[t]*(gb[t]-atB)))
	}
	return Contrast{A: *a, B: *b, weight: weight, atA: atA, atB: atB, joint: joint}
}

// Merge joins another accumulator; o stays as it is.
func (c *Contrast) Merge(o *Contrast) {
	if o.weight == 0 {
		return
	}
	c.A.Merge(&o.A)
	c.B.Merge(&o.B)
	weight := c.weight + o.weight
	share := o.weight / weight
	da, db := o.atA-c.atA, o.atB-c.atB
	c.joint += o.joint + float64(float64(da*db)*(c.weight*share))
	c.atA += float64(da * share)
	c.atB += float64(db * share)
	c.weight = weight
}

// Value is D; NaN where there are no rounds.
func (c *Contrast) Value() float64 { return c.A.Value() - c.B.Value() }

// StdErr is √V; NaN where there are no rounds. V is made of three sums, and what they
// leave below their own rounding is 0.
func (c *Contrast) StdErr() float64 {
	if c.weight == 0 {
		return math.NaN()
	}
	v, of := c.variance()
	if v <= cancelled*of {
		return 0
	}
	return math.Sqrt(v)
}

// cancelled is the part of the two variances below which their difference to the
// covariance is rounding.
const cancelled = 0x1p-40

// variance is V, and the variances of which it is made.
func (c *Contrast) variance() (v, of float64) {
	qa, qb := c.A.Value(), c.B.Value()
	cross := c.joint + float64(float64((c.atA-qa)*(c.atB-qb))*c.weight)
	va := c.A.about(qa) / c.A.weight / c.A.weight
	vb := c.B.about(qb) / c.B.weight / c.B.weight
	return va + vb - float64(2*cross)/c.A.weight/c.B.weight, va + vb
}

// Rows is how many rounds were joined.
func (c *Contrast) Rows() int64 { return c.A.N }
