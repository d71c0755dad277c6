package allocationtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/ingest/precision"
)

// coarse plays nine arms with propensity p each and a tenth with the rest, in every
// other batch of 1,000 with a tenth more where they vary, and logs them as written.
func coarse(t *testing.T, rounds int, p, written float64, vary bool) (logged *Allocation, all *Exact, batches *Batches) {
	t.Helper()
	const arms = 10
	e := precision.Ends{Room: .0005}
	logged, all, batches = NewAllocation(arms), NewExact(arms), NewBatches(arms)
	logged.Complete, logged.Ends, all.Ends, batches.Ends = true, e, e, e
	r := rand.New(rand.NewPCG(uint64(rounds), math.Float64bits(p)))
	arm, batch, one, every := make([]int32, 1), make([]int32, 1), make([]float64, 1), make([]float64, arms)
	for round := range rounds {
		q, w := p, written
		if vary && round/1000%2 == 1 {
			q, w = 1.1*p, math.Round(1.1*p*1000)/1000
		}
		for i := range every {
			every[i] = w
		}
		every[arms-1] = math.Round((1-9*q)*1000) / 1000
		arm[0], batch[0] = int32(min(arms-1, r.Float64()/q)), int32(round/1000)
		one[0] = every[arm[0]]
		if err := logged.Add(arm, one); err != nil {
			t.Fatal(err)
		}
		if err := all.Add(arm, every, nil); err != nil {
			t.Fatal(err)
		}
		batches.AddExact(batch, arm, every)
	}
	return logged, all, batches
}

// Nine arms of .0104 that are written .010 over a million rounds are honest, with
// the propensities of all arms or of the one played, constant or not. Constant ones
// that are taken for exact are convicted, and so are arms played beyond what rounding explains.
// Draws are seeded; by the level each would be convicted once in 2,000 seeds.
func TestRoundedPropensitiesAreHonest(t *testing.T) {
	t.Parallel()
	const rounds = 1_000_000
	for _, vary := range []bool{false, true} {
		logged, all, batches := coarse(t, rounds, .0104, .010, vary)
		apart := batches.Result()
		if r := all.Test(AllocationLevel, apart); r.Rejected {
			t.Errorf("all arms, changing %t: %+v", vary, r)
		}
		if r := logged.Test(AllocationLevel, nil, apart); r.Rejected {
			t.Errorf("arm played, changing %t: %+v", vary, r)
		}
		all.Ends = precision.Ends{}
		if r := all.Test(AllocationLevel, nil); !r.Rejected && !vary {
			t.Error("taken for exact: not rejected")
		}
		_, all, _ = coarse(t, rounds, .0115, .010, vary)
		if r := all.Test(AllocationLevel, nil); !r.Rejected {
			t.Errorf("a sixth more than written, changing %t: not rejected", vary)
		}
	}
}

// Thirds that are written .333, and tenths, stay honest over 300,000 rounds.
func TestRoundedEvenPropensities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		arms    int
		written float64
		room    float64
	}{{3, .333, .0005}, {3, .333333, .0000005}, {7, .143, .0005}, {2, .5, .0005}} {
		r := rand.New(rand.NewPCG(uint64(c.arms), 9))
		a := NewAllocation(c.arms)
		a.Ends = precision.Ends{Room: c.room}
		for range 300_000 {
			if err := a.Add([]int32{r.Int32N(int32(c.arms))}, []float64{c.written}); err != nil {
				t.Fatal(err)
			}
		}
		if got := a.Test(AllocationLevel, nil, nil); got.Rejected || got.Basis != Binomial || got.DF != c.arms-1 {
			t.Errorf("%d arms of %g: %+v", c.arms, c.written, got)
		}
	}
}

// A rare arm of .00051, beside one of .99949 that three significant digits write
// .999, is honest over a million rounds, constant or not, by the propensities of both
// arms and by that of the one played. Held to the decimals of the rare one it is
// convicted; so is one that is played two fifths more often than is written. Seeds
// are fixed.
func TestSignificantDigitsAreHonest(t *testing.T) {
	t.Parallel()
	const rounds = 1_000_000
	for _, vary := range []bool{false, true} {
		for _, c := range []struct {
			name     string
			ends     precision.Ends
			more     float64 // times the rare arm is played as often as is written
			rejected bool
		}{
			{"digits", precision.Ends{Room: 5e-6, Digits: 3}, 1, false},
			{"decimals", precision.Ends{Room: 5e-6}, 1, true},
			{"two fifths more", precision.Ends{Room: 5e-6, Digits: 3}, 1.4, true},
		} {
			one, both := NewAllocation(2), NewExact(2)
			one.Complete, one.Ends, both.Ends = true, c.ends, c.ends
			r := rand.New(rand.NewPCG(11, 12))
			for round := range rounds {
				rare := .00051
				if vary && round/1000%2 == 1 {
					rare = .00052
				}
				arm, written := []int32{0}, []float64{.999, rare}
				if r.Float64() < c.more*rare {
					arm[0] = 1
				}
				if err := both.Add(arm, written, nil); err != nil {
					t.Fatal(err)
				}
				if err := one.Add(arm, written[arm[0]:arm[0]+1]); err != nil {
					t.Fatal(err)
				}
			}
			if got := both.Test(AllocationLevel, nil); got.Rejected != c.rejected {
				t.Errorf("%s, changing %t: %+v", c.name, vary, got)
			}
			if got := one.Test(AllocationLevel, nil, nil); got.Rejected && !c.rejected {
				t.Errorf("%s, the arm played, changing %t: %+v", c.name, vary, got)
			}
		}
	}
}
