package allocationtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"banditaudit/testdata/reference"
)

// Exact fractions: testdata/reference/repeats.py.
func TestUnitPlaysReference(t *testing.T) {
	t.Parallel()
	const arms, half = 3, 1. / 2048
	rows := reference.Rows(t, "repeats.csv", "row")
	for _, want := range reference.Rows(t, "repeats.csv", "plays") {
		u, past := NewUnitPlays(arms), map[float64][]float64{}
		for _, v := range rows[:int(want[0])] {
			if past[v[0]] == nil {
				past[v[0]] = make([]float64, u.PastSize())
			}
			low, high := v[3:3+arms], make([]float64, arms)
			for a := range high {
				switch {
				case v[6+a] == 0:
				case low[a] > 0:
					high[a] = min(1, low[a]+2*half)
				default:
					high[a] = half
				}
			}
			u.Add(past[v[0]], int(v[1]), low, high)
		}
		if got := u.LogE(); math.Abs(got-want[1]) > 1e-12 || float64(u.Favoured) != want[2] || math.Abs(u.Expected-want[3]) > 1e-9 || float64(u.Rounds) != want[4] {
			t.Errorf("%g rows: ln e %.17g, %d favoured, %g expected; want %.17g", want[0], got, u.Favoured, u.Expected, want[1:])
		}
	}
}

// TestUnitPlaysMean: by summing over all paths of the arms of two units in turns, the mean of
// e is 1 at known propensities, and at most 1 at any that lie between their ends, also where
// those of a round go by the arms before it.
func TestUnitPlaysMean(t *testing.T) {
	t.Parallel()
	for _, off := range []float64{0, .0005, .05} {
		if mean := unitPlaysMean(off, nil); mean > 1+1e-12 || off == 0 && mean < 1-1e-12 || off > 0 && mean < .8 {
			t.Errorf("±%g: the mean of e is %.17g", off, mean)
		}
	}
}

// unitPlaysMean is the mean of e over what may follow the arms of some rounds.
func unitPlaysMean(off float64, arms []int) float64 {
	p := []float64{.5, .3, .2}
	const rounds, units = 7, 2
	if len(arms) == rounds {
		u, past := NewUnitPlays(len(p)), [units][]float64{}
		for t, arm := range arms {
			if t < units {
				past[t] = make([]float64, u.PastSize())
			}
			low, high := law(p, arms[:t]), law(p, arms[:t])
			for a := range low {
				low[a], high[a] = low[a]-off, high[a]+off
			}
			u.Add(past[t%units], arm, low, high)
		}
		return math.Exp(u.LogE())
	}
	mean := 0.0
	for arm, q := range law(p, arms) {
		mean += q * unitPlaysMean(off, append(slices.Clip(arms), arm))
	}
	return mean
}

// traitLog is a log of units whose arms follow a trait of their own: with probability follow
// the unit's arm is played, else one is drawn with equal probabilities.
type traitLog struct {
	arms, units, rounds int
	follow              float64
}

func (l *traitLog) found(logs int, plays bool) (found int) {
	for i := range logs {
		draw := rand.New(rand.NewPCG(41, uint64(i)))
		r, u, last := NewRepeats(RepeatsLevel, true), NewUnitPlays(l.arms), map[int]int{}
		if plays {
			r.Plays = u
		}
		past, p := make([]float64, l.units*u.PastSize()), alike(l.arms)
		for range l.rounds {
			unit, arm := draw.IntN(l.units), draw.IntN(l.arms)
			if draw.Float64() < l.follow {
				arm = unit % l.arms
			}
			if b, ok := last[unit]; ok {
				r.Add(b == arm, p[arm], p[b])
			}
			last[unit] = arm
			u.Add(past[unit*u.PastSize():(unit+1)*u.PastSize()], arm, p, p)
		}
		if r.Result().Rejected {
			found++
		}
	}
	return found
}

// Arms that follow a trait of their unit are found where the arm of its round before tells too
// little, whatever the number of rounds a unit has; of 300 honest logs at level .00025 one is
// rejected with probability .08 at most.
func TestUnitPlaysPower(t *testing.T) {
	t.Parallel()
	for _, l := range []traitLog{
		{arms: 2, units: 40, rounds: 2000, follow: .3},
		{arms: 2, units: 400, rounds: 4000, follow: .25},
		{arms: 5, units: 40, rounds: 4000, follow: .15},
		{arms: 2, units: 20, rounds: 20_000, follow: .08},
	} {
		const logs = 40
		if with, without := l.found(logs, true), l.found(logs, false); with < 36 || without > 20 {
			t.Errorf("%+v: %d of %d are found, %d by the round before alone", l, with, logs, without)
		}
		if l.follow = 0; l.found(300, true) > 0 {
			t.Errorf("%+v: honest logs are rejected", l)
		}
	}
}
