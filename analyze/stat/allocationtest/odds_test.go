package allocationtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"banditaudit/testdata/reference"
)

// Exact fractions: testdata/reference/odds.py.
func TestOddsReference(t *testing.T) {
	t.Parallel()
	all, played := reference.Rows(t, "odds.csv", "all"), reference.Rows(t, "odds.csv", "played")
	for _, want := range reference.Rows(t, "odds.csv", "e") {
		o := NewOdds(OddsLevel, want[0] == 1)
		for i := range int(want[1]) {
			if want[0] == 1 {
				o.Add(all[i][0] == 1, all[i][1], all[i][2], all[i][3])
			} else {
				o.AddPlayed(played[i][0], played[i][1], played[i][2])
			}
		}
		if got := o.Result().LogE; math.Abs(got-want[2]) > 1e-12 {
			t.Errorf("all %g, %g rows: ln e %.17g, want %.17g", want[0], want[1], got, want[2])
		}
	}
}

// TestOddsMean: by summing over all paths, the mean of e is at most 1 for all
// propensities within their ends, also where those of a round go by the arms before
// it, and where whether one is above ½ goes by its rounding, which goes by the arm.
func TestOddsMean(t *testing.T) {
	t.Parallel()
	for _, off := range []float64{0, .0005, .05} {
		for _, shift := range []float64{-1, 0, 1} {
			for _, all := range []bool{false, true} {
				mean := oddsMean(off, shift, all, nil)
				if mean > 1+1e-12 || off == 0 && all && mean < 1-1e-12 {
					t.Errorf("±%g, shift %g, all %t: the mean of e is %.17g", off, shift, all, mean)
				}
			}
		}
	}
}

// oddsMean is the mean of e over what may follow the arms of some rounds.
func oddsMean(off, shift float64, all bool, arms []int) float64 {
	const rounds = 8
	likely := func(t int) float64 {
		p := []float64{.5, .5004, .4997, .9, .7, .5}[(t+sumOf(arms[:t]))%6]
		return p
	}
	if len(arms) == rounds {
		o := NewOdds(OddsLevel, all)
		for t, arm := range arms {
			p := []float64{likely(t), 1 - likely(t)}
			if !all {
				q := p[arm] + float64(shift*off) // logged at an end of what is allowed, by the arm
				o.AddPlayed(q, q-off, min(1, q+off))
				continue
			}
			b := 0
			if p[1] > p[0] {
				b = 1
			}
			o.Add(arm == b, p[b], p[b]-off, min(1, p[b]+off))
		}
		return math.Exp(o.Result().LogE)
	}
	mean := 0.0
	for arm, p := range []float64{likely(len(arms)), 1 - likely(len(arms))} {
		mean += p * oddsMean(off, shift, all, append(slices.Clip(arms), arm))
	}
	return mean
}

func sumOf(arms []int) (sum int) {
	for _, arm := range arms {
		sum += arm
	}
	return sum
}

// oddsLog is a log of two arms, of which the likelier one has p of low to high in
// every round, is played more often by times, and in a share of rounds is neither.
type oddsLog struct {
	rounds    int
	low, high float64
	ties      float64
	times     float64 // 1: as p says; of the likelier arm
	others    float64 // 1: as 1 − p says; of the other
	all       bool
}

func (l *oddsLog) test(draw *rand.Rand) OddsResult {
	o := NewOdds(OddsLevel, l.all)
	for range l.rounds {
		p := l.low + (l.high-l.low)*draw.Float64()
		if draw.Float64() < l.ties {
			p = .5
		}
		truly := p * l.times
		if l.others != 1 {
			truly = 1 - (1-p)*l.others
		}
		likelier := draw.Float64() < truly
		switch {
		case l.all:
			o.Add(likelier, p, p, p)
		case likelier:
			o.AddPlayed(p, p, p)
		default:
			o.AddPlayed(1-p, 1-p, 1-p)
		}
	}
	return o.Result()
}

// found counts over logs with fixed seeds.
func (l *oddsLog) found(logs int) (found int) {
	for i := range logs {
		if l.test(rand.New(rand.NewPCG(29, uint64(i)))).Rejected {
			found++
		}
	}
	return found
}

// At its printed deviation, either way, a log is found in about three of four, and
// seldom at a third of it. Of 300 honest logs at level .0001 one is rejected with
// probability .03 at most.
func TestOddsPower(t *testing.T) {
	t.Parallel()
	for _, l := range []oddsLog{
		{rounds: 2000, low: .6, high: .6, times: 1, others: 1, all: true},
		{rounds: 4000, low: .5, high: .95, times: 1, others: 1, all: true},
		{rounds: 4000, low: .55, high: .7, times: 1, others: 1},
		{rounds: 20_000, low: .6, high: .6, ties: .2, times: 1, others: 1},
	} {
		least := l.test(rand.New(rand.NewPCG(1, 1)))
		if got := l.found(300); got > 0 {
			t.Errorf("%+v: %d honest logs of 300 are rejected", l, got)
		}
		for _, often := range []bool{true, false} {
			const logs = 100
			at, third := l, l
			if often {
				at.times, third.times = 1+least.LeastOften/100, 1+least.LeastOften/300
			} else {
				at.others, third.others = 1+least.LeastSeldom/100, 1+least.LeastSeldom/300
			}
			if got := at.found(logs); got < 55 || got > 99 {
				t.Errorf("%+v: at %+.3g, %+.3g %%, %d of %d are found", l, least.LeastOften, least.LeastSeldom, got, logs)
			}
			if got := third.found(20); got > 4 {
				t.Errorf("%+v: %d of 20 are found at a third of it", l, got)
			}
		}
	}
}

// Special cases: no rounds, an arm that is certain, ties alone, the likelier arm
// always and never.
func TestOddsSpecial(t *testing.T) {
	t.Parallel()
	none := NewOdds(OddsLevel, true).Result()
	if none.LogE != 0 || none.Rejected || none.Accounts != 4 || !math.IsNaN(none.LeastOften) || !math.IsNaN(none.LeastSeldom) || !math.IsNaN(none.Told().Deviation()) {
		t.Errorf("no rounds: %+v", none)
	}
	sure := NewOdds(OddsLevel, true)
	sure.Add(true, 1, 1, 1)
	if got := sure.Result(); got.Overall.Rounds != 0 || got.LogE != 0 {
		t.Errorf("a certain arm: %+v", got)
	}
	ties := NewOdds(OddsLevel, false)
	for range 100 {
		ties.AddPlayed(.5, .4995, .5005)
	}
	if got := ties.Result(); got.Overall.Rounds != 0 || got.LogE >= 0 || !math.IsNaN(got.LeastOften) || got.Accounts != 2 {
		t.Errorf("ties: %+v", got)
	}
	always, never := NewOdds(OddsLevel, true), NewOdds(OddsLevel, true)
	for range 200 {
		always.Add(true, .8, .8, .8)
		never.Add(false, .6, .6, .6)
	}
	if got := always.Result(); !got.Rejected || got.Seldom || !got.ByNear && got.Near.Rounds != 200 || math.Abs(got.Told().Deviation()-25) > 1e-9 {
		t.Errorf("always: %+v", got)
	}
	if got := never.Result(); !got.Rejected || !got.Seldom || got.ByNear || got.Told().Deviation() != -100 {
		t.Errorf("never: %+v", got)
	}
}
