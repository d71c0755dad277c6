package bitexact

import "math"

// Exps replaces every x of xs by by·e^x, within 4·10⁻¹⁵ of it for −700 ≤ x ≤ 700;
// what is smaller counts as −700. It is Exp for many numbers at once, and faster: with k the
// integer nearest to x·32/ln 2, k = 32·e + j and r = x − k·ln 2/32, |r| < 0.011,
//
//	e^x = 2^e·2^{j/32}·(1 + r + r²/2 + r³/6 + r⁴/24 + r⁵/120)
//
// whose first omitted term is below 3·10⁻¹⁵ of the sum. No product is fused with a sum, so that it
// has the same bits on every architecture.
func Exps(xs []float64, by float64) {
	const magic = 0x1.8p52 // the last bit of the sum is 1
	for i, x := range xs {
		if x < -700 {
			x = -700
		}
		t := float64(x*(32*math.Log2E)) + magic
		k := t - magic
		r := (x - float64(k*(ln2Hi/32))) - float64(k*(ln2Lo/32))
		z := float64(r * r)
		p := (0.5 + float64(r*(1.0/6))) + float64(z*(1.0/24+float64(r*(1.0/120))))
		n := int64(math.Float64bits(t)<<12>>12) - (1 << 51)
		y := roots[n&31]
		y += float64(y * (r + float64(z*p)))
		xs[i] = float64(y*power(n>>5)) * by
	}
}

// roots are 2^{j/32}.
var roots = func() (table [32]float64) { //nolint:gochecknoglobals // a constant table
	for j := range table {
		table[j] = Exp(float64(float64(j) * (math.Ln2 / 32)))
	}
	return table
}()
