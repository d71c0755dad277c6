package estimate

// together is how many sums are added up at one time: one alone waits for itself.
const together = 4

// evenMeans are the means of scores over the rounds that wait, which all weigh 1: those of
// meanOf, to the bit.
func (a *Arms) evenMeans() {
	last := len(a.g) - 1
	for first := 0; first <= last; first += together {
		var g [together][]float64
		for i := range g {
			g[i] = a.g[min(first+i, last)][:a.rounds]
		}
		means := evenMeans(&g)
		for i := range means {
			a.block[min(first+i, last)].Mean = means[i]
		}
	}
}

func evenMeans(g *[together][]float64) (out [together]Mean) {
	n := len(g[0])
	a, b, c, d := g[0], g[1][:n], g[2][:n], g[3][:n]
	a0, b0, c0, d0 := a[0], b[0], c[0], d[0]
	sum := [together]float64{}
	for t := range a {
		sum[0] += a[t] - a0
		sum[1] += b[t] - b0
		sum[2] += c[t] - c0
		sum[3] += d[t] - d0
	}
	weight := float64(n)
	for i, anchor := range [together]float64{a0, b0, c0, d0} {
		mean := anchor + sum[i]/weight
		out[i] = Mean{N: int64(n), weight: weight, squared: weight, mean: mean, around: mean}
	}
	a0, b0, c0, d0 = out[0].mean, out[1].mean, out[2].mean, out[3].mean
	for t := range a {
		da, db, dc, dd := a[t]-a0, b[t]-b0, c[t]-c0, d[t]-d0
		out[0].spread += float64(da * da)
		out[1].spread += float64(db * db)
		out[2].spread += float64(dc * dc)
		out[3].spread += float64(dd * dd)
	}
	return out
}

// evenContrasts takes up the rounds that wait in the contrasts of some pairs, of arms that
// could be played in all of them and weigh 1: as contrastOf, to the bit.
func (a *Arms) evenContrasts(pairs []int) {
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
			c := &Contrast{A: a.block[a.pairs[j][0]], B: a.block[a.pairs[j][1]], weight: float64(a.rounds), atA: at[0][i], atB: at[1][i], joint: joint[i]}
			a.contrasts[j].Merge(c)
		}
		pairs = pairs[now:]
	}
}

// jointSums are Σ (x − its mean)·(y − its mean).
func jointSums(x, y *[together][]float64, at *[2][together]float64) (sum [together]float64) {
	n := len(x[0])
	xa, xb, xc, xd := x[0], x[1][:n], x[2][:n], x[3][:n]
	ya, yb, yc, yd := y[0][:n], y[1][:n], y[2][:n], y[3][:n]
	for t := range xa {
		sum[0] += float64((xa[t] - at[0][0]) * (ya[t] - at[1][0]))
		sum[1] += float64((xb[t] - at[0][1]) * (yb[t] - at[1][1]))
		sum[2] += float64((xc[t] - at[0][2]) * (yc[t] - at[1][2]))
		sum[3] += float64((xd[t] - at[0][3]) * (yd[t] - at[1][3]))
	}
	return sum
}
