package simd

import "math"

// predictGo lets twelve predictors, columns of p, foretell rewards y in [0, 1], one after
// the other. The rows of p are γ, d₁, d₁ + d₀, Π, Λ and a power of two:
//
//	y = 1 or 0       Π *= (d₁ + ½)/(d₁ + d₀ + 1), or (d₀ + ½)/(d₁ + d₀ + 1)
//	any other        Π *= (d₀ + ½)/(d₁ + d₀ + 1), Λ += y·ln((d₁ + ½)/(d₀ + ½))
//	and then         d₁ ← γ·d₁ + y, d₁ + d₀ ← γ·(d₁ + d₀) + 1
//
// with 0 ≤ γ < 1 and 0 ≤ d₁ ≤ d₁ + d₀.
func predictGo(p *[6][12]float64, rewards []float64) {
	gamma, ones, all, part, log := &p[0], &p[1], &p[2], &p[3], &p[4]
	for _, y := range rewards {
		for i := range part {
			one, zero, room := ones[i]+0.5, all[i]-ones[i]+0.5, all[i]+1
			switch y {
			case 0:
				part[i] *= zero / room
			case 1:
				part[i] *= one / room
			default:
				part[i] *= zero / room
				log[i] += float64(y * math.Log(one/zero))
			}
			ones[i] = float64(gamma[i]*ones[i]) + y
			all[i] = float64(gamma[i]*all[i]) + 1
		}
	}
}

// settleGo makes of Π·e^Λ a part from ½ to 1, which becomes Π, and a power of two, which
// joins the power of p. Π is above 0, finite and not subnormal, and so is what comes of it.
func settleGo(p *[6][12]float64) {
	part, log, power := &p[3], &p[4], &p[5]
	for i := range part {
		whole := math.Floor(log[i] / math.Ln2)
		rest, e := math.Frexp(part[i] * exponentialGo(log[i]-float64(whole*math.Ln2)))
		part[i], log[i], power[i] = rest, 0, power[i]+(whole+float64(e))
	}
}

// exponentialGo returns e^x for −1 ≤ x ≤ 1 within 4 units in the last place, by operations
// that four numbers at once can go through, none fused. With n the integer nearest to
// x/ln 2, r = (x − n·ln 2)/16 and y₀ = e^r − 1 by its series up to r⁸/8!,
//
//	e^x = 2ⁿ·(1 + y₄),  yᵢ₊₁ = yᵢ·(yᵢ + 2)
//
// (Shibata 2010).
func exponentialGo(x float64) float64 {
	n := math.RoundToEven(float64(x * math.Log2E))
	x -= float64(n * .69314718055966295651160180568695068359375)
	x -= float64(n * .28235290563031577122588448175013436025525412068e-12)
	x *= .0625
	sum := 2.4801587301587301587e-5
	for _, c := range [...]float64{1.9841269841269841270e-4, 1.3888888888888888889e-3, 8.3333333333333333333e-3, 4.1666666666666666667e-2, 1.6666666666666666667e-1, .5, 1} {
		sum = float64(sum*x) + c
	}
	x = float64(x * sum)
	for range 4 {
		x = float64(x * (x + 2))
	}
	return math.Ldexp(x+1, int(n))
}

// betGo multiplies product[0] by 1 + size·x and product[1] by 1 + size·(1 − x), for one x
// after the other.
func betGo(product *[2][16]float64, size *[16]float64, x []float64) {
	for _, v := range x {
		rest := 1 - v
		for j, s := range size {
			product[0][j] *= 1 + float64(s*v)
			product[1][j] *= 1 + float64(s*rest)
		}
	}
}

// addLogsGo adds ln of a number to each sum. The numbers, a multiple of 4 of them, are
// above 0, finite and not subnormal.
func addLogsGo(sum, of []float64) {
	for i, v := range of[:len(sum)] {
		sum[i] += math.Log(v)
	}
}
