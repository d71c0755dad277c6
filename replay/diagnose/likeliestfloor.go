package diagnose

import (
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// lnSum returns ln Σ e^x.
func lnSum(xs []float64) float64 {
	most := slices.Max(xs)
	if math.IsInf(most, 0) {
		return most
	}
	sum := 0.0
	for _, x := range xs {
		sum += bitexact.Exp(x - most)
	}
	return most + math.Log(sum)
}

// floorFit is a floor under logged propensities, as the actions tell it.
type floorFit struct {
	Value  float64 // of the largest likelihood
	Lo, Hi float64 // confidence interval of at least 95 %, at every number of rounds
	Gain   float64 // largest log-likelihood less the log-likelihood by the logged propensities
	LogE   float64 // evidence for some floor against none: ln of the mean likelihood ratio
}

const (
	// floorSteps is the number of floors that are tried, from 1/K down by √2: the
	// least is 1/K divided by 2²⁰.
	floorSteps = 41
	// floorAlpha is the error of the interval.
	floorAlpha = 0.05
)

// fitFloor fits a floor f in (0, 1/K] to actions that were chosen with q_t(·; f)
// where p_t was logged. With L(f) = Π q_t(A_t; f) and its mean M over the floors
// that are tried, fixed in advance, M/L(f) is a non-negative martingale where f is
// the floor, so that
//
//	{f: M/L(f) < 1/α}
//
// holds it with probability 1 − α at every number of rounds and whatever the
// propensities do (Ville 1939; Robbins 1970, doi 10.1214/aoms/1177696786), and
// M/L(0) ≥ 1/α contradicts that there is none at level α. The ends bound the stretch around
// the best floor, to 1 part in 1000. It takes 41 laws of every round and about 40 walks
// over the rounds: who calls it bounds them, and may end the walks early where the result
// is not wanted any more. Special cases are:
//
//	no floor better than none: Value is 0, and so is Lo
func fitFloor(rounds Rounds, arms int, of func(f float64) Law) floorFit {
	all := make([]float64, floorSteps)
	floors := make([]float64, floorSteps)
	laws := make([]Law, floorSteps)
	for i := range floors {
		floors[i] = bitexact.Pow(2, -float64(i)/2) / float64(arms)
		laws[i] = of(floors[i])
	}
	dst := make([]float64, arms)
	rounds(func(r *Row) {
		for i, law := range laws {
			all[i] += r.gain(law, dst)
		}
	})
	best := 0
	for i, g := range all {
		if g > all[best] {
			best = i
		}
	}
	fit := floorFit{LogE: lnSum(all) - math.Log(floorSteps)}
	at := func(f float64) float64 { return rounds.gain(arms, of(f)) }
	fit.Value, fit.Gain = floors[best], all[best]
	if fit.Gain <= 0 {
		fit.Value, fit.Gain = 0, 0
	}
	fit.refine(at, floors, best)
	fit.ends(at, floors, all)
	return fit
}

// refine moves the floor between its neighbours to the largest likelihood.
func (f *floorFit) refine(at func(float64) float64, floors []float64, best int) {
	if f.Value == 0 {
		return
	}
	const golden, steps = 0.6180339887498949, 18
	low, high := math.Log(floors[min(best+1, len(floors)-1)]), math.Log(floors[max(best-1, 0)])
	left, right := high-float64(golden*(high-low)), low+float64(golden*(high-low))
	atLeft, atRight := at(bitexact.Exp(left)), at(bitexact.Exp(right))
	for range steps {
		if atLeft >= atRight {
			high, right, atRight = right, left, atLeft
			left = high - float64(golden*(high-low))
			atLeft = at(bitexact.Exp(left))
		} else {
			low, left, atLeft = left, right, atRight
			right = low + float64(golden*(high-low))
			atRight = at(bitexact.Exp(right))
		}
	}
	if v := bitexact.Exp((low + high) / 2); at(v) > f.Gain {
		f.Value, f.Gain = v, at(v)
	}
}

// ends finds the ends of the confidence interval.
func (f *floorFit) ends(at func(float64) float64, floors, all []float64) {
	least := f.LogE + math.Log(floorAlpha)
	f.Lo, f.Hi = 0, floors[0]
	// Floors fall: below the value, the first that is not held ends the interval.
	for i, v := range floors {
		if v < f.Value && all[i] < least {
			f.Lo = boundary(at, v, f.Value, least)
			break
		}
	}
	for i, v := range slices.Backward(floors) {
		if v > f.Value && all[i] < least {
			f.Hi = boundary(at, v, max(f.Value, floors[len(floors)-1]), least)
			break
		}
	}
}

// boundary is where the likelihood crosses least, between a floor that is not
// held and one that is, on the side of the first.
func boundary(at func(float64) float64, out, in, least float64) float64 {
	const near = 1e-3
	for math.Abs(math.Log(out/in)) > near {
		middle := math.Sqrt(out * in)
		if at(middle) < least {
			out = middle
		} else {
			in = middle
		}
	}
	return out
}
