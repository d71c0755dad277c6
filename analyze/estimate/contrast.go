package estimate

import "math"

// Contrast is the difference of two weighted means over the same rows, and how far it
// varies, with weights of each,
//
//	D = Q_a − Q_b,  V = Σ(h_a·(g_a − Q_a)/Σh_a − h_b·(g_b − Q_b)/Σh_b)²
//
// The zero value is empty and ready for use.
type Contrast struct {
	a, b     Mean
	weight   float64 // Σ h_a·h_b
	atA, atB float64 // means with that weight
	joint    float64 // Σ h_a·h_b·(g_a − atA)·(g_b − atB)
}

// Add joins the scores of a row.
func (c *Contrast) Add(ha, ga, hb, gb float64) {
	c.a.Add(ha, ga)
	c.b.Add(hb, gb)
	h := float64(ha * hb)
	if h == 0 {
		return
	}
	c.weight += h
	d := ga - c.atA
	c.atA += float64(d * h / c.weight)
	c.atB += float64((gb - c.atB) * h / c.weight)
	c.joint += float64(float64(h*d) * (gb - c.atB))
}

// Merge joins another accumulator; o stays as it is.
func (c *Contrast) Merge(o *Contrast) {
	c.a.Merge(&o.a)
	c.b.Merge(&o.b)
	if o.weight == 0 {
		return
	}
	weight := c.weight + o.weight
	share := o.weight / weight
	da, db := o.atA-c.atA, o.atB-c.atB
	c.joint += o.joint + float64(float64(da*db)*(c.weight*share))
	c.atA += float64(da * share)
	c.atB += float64(db * share)
	c.weight = weight
}

// Value is D; NaN where a side has no weight.
func (c *Contrast) Value() float64 { return c.a.Value() - c.b.Value() }

// StdErr is √V; NaN where a side has no weight.
func (c *Contrast) StdErr() float64 {
	qa, qb := c.a.Value(), c.b.Value()
	if math.IsNaN(qa) || math.IsNaN(qb) {
		return math.NaN()
	}
	cross := c.joint + float64(float64((c.atA-qa)*(c.atB-qb))*c.weight)
	va := c.a.about(qa) / c.a.weight / c.a.weight
	vb := c.b.about(qb) / c.b.weight / c.b.weight
	return math.Sqrt(max(0, va+vb-float64(2*cross)/c.a.weight/c.b.weight))
}

// Rows is how many rows were joined.
func (c *Contrast) Rows() int64 { return c.a.N }
