package allocationtest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestShortfall: mpmath 1.3.0, 40 digits, of
//
//	log(betainc(c+.5, n-c+.5, 0, f)/betainc(.5, .5, 0, f)) - c*log(f) - (n-c)*log(1-f)
func TestShortfall(t *testing.T) {
	for _, c := range []struct {
		c, n  int64
		floor float64
		want  float64
	}{
		{103, 1000, .5, 358.53503950764431},
		{0, 1000, .01, 8.7764559298723436},
		{3, 1000, .01, 2.466246470666303},
		{20, 1000, .01, -3.1211899640386527},
		{450, 1000, .5, 2.0208167227803413},
		{0, 1, .25, 0.19720652567553262},
		{0, 0, .25, 0},
		{7, 9, 0, 0},
	} {
		if got := -shortfallLogP(c.c, c.n, c.floor); math.Abs(got-c.want) > 1e-10*max(1, c.want) {
			t.Errorf("%d of %d at %g: %.17g, want %.17g", c.c, c.n, c.floor, got, c.want)
		}
	}
}

// TestShortfallFair: the evidence of the next round has mean at most that of now, for
// every count, at the floor and above.
func TestShortfallFair(t *testing.T) {
	for _, floor := range []float64{.01, .2, .5} {
		for n := range int64(60) {
			for c := range n + 1 {
				now := math.Exp(-shortfallLogP(c, n, floor))
				yes, no := math.Exp(-shortfallLogP(c+1, n+1, floor)), math.Exp(-shortfallLogP(c, n+1, floor))
				for _, p := range []float64{floor, floor + .1, .9} {
					if mean := float64(p*yes) + float64((1-p)*no); mean > now*(1+1e-10) || p == floor && mean < now*(1-1e-10) {
						t.Fatalf("%d of %d at %g: %g from %g with probability %g", c, n, floor, mean, now, p)
					}
				}
			}
		}
	}
}

// TestFlooredByHand: the number of tests of three and of two arms times P(X ≤ c), in
// Python's exact fractions:
//
//	cdf = lambda c, n, p: sum(comb(n, k)*p**k*(1-p)**(n-k) for k in range(c+1))
//	6*cdf(2, 100, Fraction(1, 10)), 2*cdf(30, 100, Fraction(1, 2))
func TestFlooredByHand(t *testing.T) {
	for _, c := range []struct {
		pulls []int64
		floor float64
		want  FloorFind
		p     float64
	}{
		{[]int64{60, 38, 2}, .1, FloorFind{Arm: 2, Pulls: 2, Rounds: 100, Expected: 10}, 0.011669307911280099},
		{[]int64{30, 70}, .5, FloorFind{Arm: 0, Pulls: 30, Rounds: 100, Expected: 50}, 7.85013964559367e-05},
		{[]int64{100}, 1, FloorFind{Arm: -1}, 1},
		{[]int64{0, 0}, .5, FloorFind{Arm: -1}, 1},
	} {
		f, among := NewFloored(len(c.pulls)), []int{}
		for a := range c.pulls {
			among = append(among, a)
		}
		f.AddPulls(c.pulls, among)
		got := f.Test(c.floor, true)
		if math.Abs(math.Exp(got.LogP)-c.p) > 1e-9*c.p {
			t.Errorf("%v at %g: p = %.17g, want %.17g", c.pulls, c.floor, math.Exp(got.LogP), c.p)
		}
		if got.LogP = 0; got != c.want {
			t.Errorf("%v at %g: %+v, want %+v", c.pulls, c.floor, got, c.want)
		}
	}
}

// TestFlooredRows: rows and their sums are the same, also in parts, and a round in
// which an arm could not be played does not count against it. Where one arm of ten has
// too much and the others their floor, it is that arm which is named.
func TestFlooredRows(t *testing.T) {
	all := func(int, int) bool { return true }
	r, arms := rand.New(rand.NewPCG(1, 2)), make([]int32, 1000)
	pulls, among := make([]int64, 10), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for t := range arms {
		if arms[t] = int32(r.IntN(10)); r.IntN(4) == 0 {
			arms[t] = 3
		}
		pulls[arms[t]]++
	}
	whole, parts, sums, seldom := NewFloored(10), NewFloored(10), NewFloored(10), NewFloored(10)
	whole.Add(arms, all)
	parts.Add(arms[:300], all)
	seldom.Add(append([]int32{-1}, arms[300:]...), all)
	parts.Merge(seldom)
	sums.AddPulls(pulls, among)
	want := whole.Test(.1, false)
	if got := parts.Test(.1, false); got != want || sums.Test(.1, false) != want {
		t.Errorf("%+v, %+v, %+v", want, got, sums.Test(.1, false))
	}
	if want.Arm != 3 || !want.Above || want.LogP > math.Log(1e-6) {
		t.Errorf("%+v", want)
	}
	never := NewFloored(2)
	never.Add(make([]int32, 500), func(_, arm int) bool { return arm == 0 })
	if got := never.Test(.5, false); got.LogP < 0 {
		t.Errorf("an arm that could not be played: %+v", got)
	}
}

// TestFlooredLevel: an adversary plays arm 0 at its floor of .2 and
// no more, and lets what came before decide which arms can be played. Of 500 logs, looked
// at after every round, at level .05 at most 42 are rejected, which at .05 has probability
// 5e-4; seed fixed.
func TestFlooredLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	const logs, most = 500, 42
	rejected := 0
	for range logs {
		f, n, c := NewFloored(3), 0, 0
		for range 200 {
			ahead := 5*c >= n
			may := func(_, arm int) bool { return arm != 2 || ahead }
			arm := int32(1)
			if u := r.Float64(); u < .2 {
				arm = 0
			} else if ahead && u < .4 {
				arm = 2
			}
			f.Add([]int32{arm}, may)
			if n++; arm == 0 {
				c++
			}
			if f.Test(.2, false).LogP <= math.Log(.05) {
				rejected++
				break
			}
		}
	}
	if rejected > most || rejected == 0 {
		t.Errorf("%d of %d", rejected, logs)
	}
}
