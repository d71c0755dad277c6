package argmaxprob

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is kept from call to call changes no bit: after any changes of laws, and for any
// eligible variables, the result is that of one who is asked for the first time.
func TestBestIsAFunctionOfTheLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 8).Draw(t, "k")
		a, b, mean, sd := make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
		kept, normal := NewBeta(k), NewGaussian(k)
		kept.Two = rapid.Bool().Draw(t, "best two")
		normal.Two = kept.Two
		size := math.Exp(rapid.Float64Range(0, 9).Draw(t, "ln rows"))
		whole := rapid.Bool().Draw(t, "whole")
		set := func(i int) {
			if whole {
				a[i], b[i] = math.Ceil(a[i]), math.Ceil(b[i])
			}
			mean[i], sd[i] = a[i]/(a[i]+b[i]), 0.5/math.Sqrt(a[i]+b[i])
		}
		for i := range k {
			share := rapid.Float64Range(0.3, 0.6).Draw(t, "share")
			a[i], b[i] = 0.5+size*share, 0.5+size*(1-share)
			set(i)
		}
		got, want, eligible := make([]float64, k), make([]float64, k), make([]bool, k)
		for range 20 {
			i := rapid.IntRange(0, k-1).Draw(t, "arm")
			for j := range eligible {
				eligible[j] = j == i || rapid.IntRange(0, 9).Draw(t, "eligible") > 0
			}
			kept.Best(a, b, eligible, got)
			fresh, anew := NewBeta(k), NewGaussian(k)
			fresh.Two, anew.Two = kept.Two, kept.Two
			if fresh.Best(a, b, eligible, want); !slices.Equal(got, want) {
				t.Fatalf("Beta: kept %v, computed anew %v", got, want)
			}
			normal.Best(mean, sd, eligible, got)
			if anew.Best(mean, sd, eligible, want); !slices.Equal(got, want) {
				t.Fatalf("normal: kept %v, computed anew %v", got, want)
			}
			if rapid.Bool().Draw(t, "success") {
				a[i]++
			} else {
				b[i] += rapid.Float64Range(0, 1).Draw(t, "loss")
			}
			set(i)
		}
	})
}

// Half the probability to be among the largest two is half of that to be the largest and of
// those by which it grows where any one other is left out: also where some laws are points.
func TestBestTwoByLeavingOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 7).Draw(t, "k")
		mean, sd, a, b := make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
		for i := range k {
			mean[i] = float64(rapid.IntRange(-3, 3).Draw(t, "mean"))
			if sd[i] = math.Exp(rapid.Float64Range(-6, 2).Draw(t, "ln sd")); rapid.IntRange(0, 3).Draw(t, "point") == 0 {
				sd[i], mean[i] = 1e-40, mean[i]+0.5+0.01*float64(i) // of equal points the first counts
			}
			a[i], b[i] = math.Exp(rapid.Float64Range(-5, 12).Draw(t, "ln a")), math.Exp(rapid.Float64Range(-5, 12).Draw(t, "ln b"))
		}
		normal, logit := NewGaussian(k), NewBeta(k)
		for name, best := range map[string]func(two bool, among []bool, p []float64){
			"normal": func(two bool, among []bool, p []float64) { normal.Two = two; normal.Best(mean, sd, among, p) },
			"Beta":   func(two bool, among []bool, p []float64) { logit.Two = two; logit.Best(a, b, among, p) },
		} {
			got, want, first, part, among := make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k), make([]bool, k)
			best(true, nil, got)
			best(false, nil, first)
			copy(want, first)
			for j := range k {
				for i := range k {
					among[i] = i != j
				}
				best(false, among, part)
				for i := range k {
					if i != j {
						want[i] += part[i] - first[i]
					}
				}
			}
			scale(want)
			if !(off(got, want) < 2) { // K + 1 quadratures have each an error of their own
				t.Fatalf("%s: %v, by leaving out %v", name, got, want)
			}
		}
	})
}

// finer makes panels a third as wide.
type finer struct{ laws }

func (f finer) below(arms []int, u float64) float64 { return u - (u-f.laws.below(arms, u))/3 }

// Of laws that climb, from 8 starts and by 40 steps, to where panels a third as wide say
// something else by most, none is off by more than a quarter of what is allowed.
func TestWorstLaws(t *testing.T) {
	for _, k := range []int{2, 3, 5, 10, 50} {
		arms, got, want := make([]int, k), make([]float64, k), make([]float64, k)
		for i := range arms {
			arms[i] = i
		}
		judge := func(w, fine *quadrature, l, m laws) float64 {
			worst := 0.0
			for _, two := range []bool{false, true} {
				w.Two, fine.Two = two, two
				w.best(l, arms, got)
				fine.best(finer{m}, arms, want)
				worst = max(worst, off(got, want))
			}
			return worst
		}
		b, fineB, g, fineG := NewBeta(k), NewBeta(k), NewGaussian(k), NewGaussian(k)
		for name, worst := range map[string]float64{
			"Beta": climb(2*k, func(x []float64) float64 {
				for i := range k {
					n, share := math.Exp(min(20, max(-5, 5+x[2*i]))), 1/(1+math.Exp(-0.3*x[2*i+1]))
					b.set(i, max(1e-3, n*share), max(1e-3, n*(1-share)))
					fineB.set(i, b.a[i], b.b[i])
				}
				b.arms, fineB.arms = arms, arms
				b.round()
				fineB.round()
				return judge(&b.quadrature, &fineB.quadrature, &b.logits, &fineB.logits)
			}),
			"normal": climb(2*k, func(x []float64) float64 {
				for i := range k {
					g.set(i, x[2*i], math.Exp(min(9, max(-9, x[2*i+1]))))
					fineG.set(i, x[2*i], math.Exp(min(9, max(-9, x[2*i+1]))))
				}
				return judge(&g.quadrature, &fineG.quadrature, &g.normals, &fineG.normals)
			}),
		} {
			t.Logf("%d %s laws: %.3f", k, name, worst)
			if !(worst < far) {
				t.Errorf("%d %s laws: off by %v of what is allowed", k, name, worst)
			}
		}
	}
}

// climb returns the largest value of f that it finds, over points of a dimension.
func climb(dim int, f func([]float64) float64) (worst float64) {
	r := rand.New(rand.NewPCG(4, uint64(dim)))
	x, y := make([]float64, dim), make([]float64, dim)
	for start := range 8 {
		for i := range x {
			x[i] = r.NormFloat64() * []float64{0.02, 1, 3}[start%3]
		}
		here, step := f(x), 1.0
		for range 40 {
			for i := range y {
				y[i] = x[i] + step*r.NormFloat64()*float64(r.IntN(2))
			}
			step *= 0.93
			if there := f(y); there > here {
				here, x, y = there, y, x
				step *= 1.5
			}
		}
		worst = max(worst, here)
	}
	return worst
}
