package plan

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Abs(want)
}

func TestPointReference(t *testing.T) {
	for _, r := range reference.Rows(t, "plan.csv", "point") {
		q := &Question{Rounds: int64(r[1]), P: r[2], Alpha: r[3], Range: []float64{0, 1}}
		got := q.point(r[0])
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"bias bound", got.BiasBound, r[4]},
			{"published bias bound", float64(got.BiasBoundPaper), r[5]},
			{"sigma", got.Sigma, r[6]},
			{"corrected p", got.PCorrected, r[7]},
			{"published corrected p", got.PCorrectedPaper, r[8]},
			{"z", got.Z, r[9]},
		} {
			if !near(c.got, c.want, 1e-9) {
				t.Errorf("ε = %g, %g rounds: %s = %.15g, want %.15g", r[0], r[1], c.name, c.got, c.want)
			}
		}
	}
}

// The two printed figures, σ = ε√n/2.
func TestPointPrinted(t *testing.T) {
	got := (&Question{Rounds: 100, P: .05, Alpha: .05, Range: []float64{0, 1}}).point(.1)
	if math.Abs(got.PCorrected-.150039) > 5e-7 || math.Abs(got.PCorrectedPaper-.369847) > 5e-7 || got.Sigma != .5 {
		t.Errorf("ε = .1, 100 rounds: %g and %g at σ = %g, want .150039 and .369847 at .5", got.PCorrected, got.PCorrectedPaper, got.Sigma)
	}
}

// Bounds are on the scale of the reward; p-values have none.
func TestPointRange(t *testing.T) {
	unit := (&Question{Rounds: 100, P: .05, Alpha: .05, Range: []float64{0, 1}}).point(.1)
	wide := (&Question{Rounds: 100, P: .05, Alpha: .05, Range: []float64{-4, 4}}).point(.1)
	if wide.BiasBound != 8*unit.BiasBound || wide.BiasBoundPaper != 8*unit.BiasBoundPaper || wide.PCorrected != unit.PCorrected {
		t.Errorf("range of 8: %+v, want 8 times the biases of %+v", wide, unit)
	}
}

func TestLimitsReference(t *testing.T) {
	for _, r := range reference.Rows(t, "plan.csv", "bias") {
		if got := (&Question{Range: []float64{0, 1}}).biasLimit(r[0]); !near(got, r[1], 1e-12) {
			t.Errorf("bias %g: ε = %.15g, want %.15g", r[0], got, r[1])
		}
	}
	for _, r := range reference.Rows(t, "plan.csv", "inflation") {
		if got := (&Question{Rounds: int64(r[0]), P: r[1]}).inflationLimit(r[2]); !near(got, r[3], 1e-12) {
			t.Errorf("%g rounds, p = %g, inflation %g: ε = %.15g, want %.15g", r[0], r[1], r[2], got, r[3])
		}
	}
}

// Wishes that every ε meets have no limit.
func TestNoLimit(t *testing.T) {
	q := &Question{Rounds: 100, P: .05, Range: []float64{0, 2}}
	if got := q.biasLimit(2); !math.IsInf(got, 1) {
		t.Errorf("a bias of the range: ε = %g, want +Inf", got)
	}
	if got := q.inflationLimit(20); !math.IsInf(got, 1) {
		t.Errorf("p = .05 grown to 1: ε = %g, want +Inf", got)
	}
}

// What is written is a number that a counter takes, not above and not far below.
func TestBelow(t *testing.T) {
	for v, want := range map[float64]string{.1: "0.1", .0070698: "0.007069", 1234.56: "1234", 12345.6: "12340", 9.9e-9: "", 0: "", 1.9e-8: "0.00000001"} {
		if got := below(v); got != want {
			t.Errorf("below(%g) = %q, want %q", v, got, want)
		}
	}
	if below(math.Inf(1)) != "" {
		t.Error("infinity is written")
	}
	rapid.Check(t, func(t *rapid.T) {
		v := math.Pow(10, rapid.Float64Range(-4, 3).Draw(t, "exponent"))
		text := below(v)
		got, err := strconv.ParseFloat(text, 64)
		if err != nil || got > v || got < v*(1-2e-3) {
			t.Fatalf("below(%g) = %q", v, text)
		}
		if _, decimals, _ := strings.Cut(text, "."); len(decimals) > 8 {
			t.Fatalf("below(%g) = %q has more than 8 decimals", v, text)
		}
	})
}

// At the limits of what can be asked all numbers but the published bound are
// finite, and that one is +Inf from ε = 710.
func TestPointLimits(t *testing.T) {
	for _, eps := range []float64{leastEpsilon, 709, 710, mostEpsilon} {
		for _, p := range []float64{leastP, .05, 1 - 1e-16} {
			for _, rounds := range []int64{1, maxRounds} {
				got := (&Question{Rounds: rounds, P: p, Alpha: p, Range: []float64{0, 1}}).point(eps)
				for name, v := range map[string]float64{"bias bound": got.BiasBound, "sigma": got.Sigma, "p": got.PCorrected, "published p": got.PCorrectedPaper, "inflation": got.Inflation, "z": got.Z} {
					if math.IsInf(v, 0) || math.IsNaN(v) {
						t.Errorf("ε = %g, p = %g, %d rounds: %s = %v", eps, p, rounds, name, v)
					}
				}
				if math.IsInf(float64(got.BiasBoundPaper), 1) != (eps >= 710) {
					t.Errorf("ε = %g: published bound %v", eps, got.BiasBoundPaper)
				}
			}
		}
	}
}
