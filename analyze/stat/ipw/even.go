package ipw

import (
	"slices"

	"banditaudit/analyze/stat/moments/simd"
)

// columnsTogether is how many columns of scores are worked together.
const columnsTogether = 12

// together is how many sums are added up at one time: one alone waits for itself.
const together = 4

// evenMeans computes the means of scores over the rounds that wait, which all weigh 1: the
// same as by meanOf, to the bit; and the products of all arms with the arm of [Arms.with],
// as contrastOf has them.
func (a *Arms) evenMeans() {
	weight := float64(a.rounds)
	for first := 0; first < len(a.g); first += columnsTogether {
		var e [3][columnsTogether]float64
		g := a.g[first:min(first+columnsTogether, len(a.g))]
		for i := range g {
			e[0][i] = g[i][0]
		}
		simd.Sums(a.flat[first*a.apart():], a.apart(), a.rounds, &e)
		for i := range g {
			mean := e[0][i] + e[1][i]/weight
			a.block[first+i].Mean = Mean{N: int64(a.rounds), weight: weight, squared: weight, mean: mean, around: mean}
		}
	}
	with := a.with()
	for first := 0; first < len(a.g); first += columnsTogether {
		var e [3][columnsTogether]float64
		block := a.block[first:min(first+columnsTogether, len(a.g))]
		for i := range block {
			e[0][i] = block[i].mean
		}
		simd.Spreads(a.flat[first*a.apart():], a.apart(), a.g[with][:a.rounds], a.block[with].mean, &e)
		for i := range block {
			block[i].spread = e[1][i]
			a.joint[first+i] = e[2][i]
		}
	}
}

// with is the arm that the first pair is held against.
func (a *Arms) with() int {
	if len(a.pairs) == 0 {
		return 0
	}
	return a.pairs[0][1]
}

// evenContrasts takes up the rounds that wait in the contrasts of some pairs, of arms that
// could be played in all of them and weigh 1: as contrastOf, to the bit.
func (a *Arms) evenContrasts(pairs []int) {
	with := a.with()
	pairs = slices.DeleteFunc(pairs, func(j int) bool {
		x, y := a.pairs[j][0], a.pairs[j][1]
		if y == with {
			a.evenContrast(j, a.joint[x])
		}
		return y == with
	})
	for len(pairs) > 0 {
		var x, y [together][]float64
		var at [2][together]float64
		for i := range x {
			pair := a.pairs[pairs[min(i, len(pairs)-1)]]
			x[i], y[i] = a.g[pair[0]][:a.rounds], a.g[pair[1]][:a.rounds]
			at[0][i], at[1][i] = a.block[pair[0]].mean, a.block[pair[1]].mean
		}
		joint := jointSums(&x, &y, &at)
		now := min(together, len(pairs))
		for i, j := range pairs[:now] {
			a.evenContrast(j, joint[i])
		}
		pairs = pairs[now:]
	}
}

// evenContrast takes up the rounds that wait in the contrast of a pair.
func (a *Arms) evenContrast(pair int, joint float64) {
	x, y := &a.block[a.pairs[pair][0]], &a.block[a.pairs[pair][1]]
	a.contrasts[pair].Merge(&Contrast{A: *x, B: *y, weight: float64(a.rounds), atA: x.mean, atB: y.mean, joint: joint})
}

// jointSums are Σ (x − its mean)·(y − its mean).
func jointSums(x, y *[together][]float64, at *[2][together]float64) [together]float64 {
	n := len(x[0])
	xa, xb, xc, xd := x[0], x[1][:n], x[2][:n], x[3][:n]
	ya, yb, yc, yd := y[0][:n], y[1][:n], y[2][:n], y[3][:n]
	xa0, xb0, xc0, xd0 := at[0][0], at[0][1], at[0][2], at[0][3]
	ya0, yb0, yc0, yd0 := at[1][0], at[1][1], at[1][2], at[1][3]
	var sa, sb, sc, sd float64
	for t := range xa {
		sa += float64((xa[t] - xa0) * (ya[t] - ya0))
		sb += float64((xb[t] - xb0) * (yb[t] - yb0))
		sc += float64((xc[t] - xc0) * (yc[t] - yc0))
		sd += float64((xd[t] - xd0) * (yd[t] - yd0))
	}
	return [together]float64{sa, sb, sc, sd}
}
