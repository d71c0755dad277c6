package releasednoise

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/replay"
	"banditaudit/replay/noise"
	"banditaudit/schemas"
)

// No number is said of fewer than eight draws, nor can one be had from the total
// and from those that are said: what is hidden is nothing, or everything, or
// holds eight draws or more.
func TestNoNumberOfFewDraws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		groups := make([]noise.Group, rapid.IntRange(0, 12).Draw(r, "groups"))
		for i := range groups {
			groups[i].Draws = rapid.Int64Range(1, 20).Draw(r, "draws")
		}
		hidden, draws, said := hide(groups), int64(0), false
		for i, h := range hidden {
			if groups[i].Draws < fewest && !h {
				r.Errorf("a number of %d draws is said", groups[i].Draws)
			}
			if h {
				draws += groups[i].Draws
			}
			said = said || !h
		}
		if draws > 0 && draws < fewest && said {
			r.Errorf("%v of %+v: the total gives a number of %d draws away", hidden, groups, draws)
		}
	})
}

// What was found is said as it is, and what is no number is null.
func TestNoiseAsResultsSayIt(t *testing.T) {
	p := schemas.Protocol{
		Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Policy: &schemas.Policy{Name: "epsilon-greedy"},
		Counter: &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("1"), Horizon: 4000},
	}
	p.Policy.Set("explore", 0.1)
	arms := []string{"control", "blue"}
	m, err := replay.Standard().New(&p, arms)
	if err != nil {
		t.Fatal(err)
	}
	log := &Log{Protocol: &p, Mechanism: m, Arms: arms, Label: func(arm int) string { return arms[arm] }}
	r := &Noise{log: log, releases: 9, offGrid: 2}
	nan, inf := math.NaN(), math.Inf(1)
	f := noise.Result{
		Recovered: 8, Tested: 8, Rejected: true, Ratio: 0.5, Lo: 0.25, Hi: inf, Detectable: inf,
		Tests:      []noise.Test{{Name: "scale", Statistic: 3, P: 0.25, Level: 0.5, Detail: "a law"}, {Name: "sign", Statistic: nan, P: nan}},
		Groups:     []noise.Group{{Arm: 1, Scale: 2, Draws: 8, Ratio: 0.5, Lo: 0.25, Hi: nan}},
		Hypotheses: []noise.Hypothesis{{Name: "scale", Words: "words", Bare: "another scale", Settles: "counter.epsilon", Value: 0.5, Lo: nan, Hi: 1, Rows: 8, Explained: 8, Largest: nan, P: 0.75, Fits: true}},
		Spent:      &noise.Spent{Hypothesis: "scale", Epsilon: 2, Lo: 1, Hi: inf, AtLeast: true},
	}
	want := &schemas.NoiseFit{
		Releases: 9, Recovered: 8, Level: noise.Level, Rejected: true, Ratio: new(0.5), RatioLo: new(0.25),
		Epsilon: schemas.Ext(2), EpsilonLo: schemas.Ext(0), EpsilonHi: schemas.Ext(4), OffGrid: 2,
		Tests:      []schemas.NoiseTest{{Name: "scale", Statistic: new(3.0), P: new(0.25), Level: 0.5, Detail: "a law"}, {Name: "sign"}},
		Groups:     []schemas.NoiseGroup{{Arm: "blue", Scale: 2, Draws: 8, Ratio: new(0.5), Lo: new(0.25)}},
		Hypotheses: []schemas.Hypothesis{{Name: "scale", Words: "words", Value: new(0.5), Hi: new(1.0), Rows: 8, Explained: 8, P: new(0.75), Fits: true, Settles: new("counter.epsilon")}},
		Spent:      schemas.Ext(2), SpentLo: schemas.Ext(1), SpentHi: schemas.Ext(inf), SpentAtLeast: true,
	}
	if diff := cmp.Diff(want, r.said(&f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.Tested, f.Groups[0].Draws = 7, 7
	f.Hypotheses[0].Words = "of 37.44 times the declared scale"
	few := r.said(&f)
	if words := few.Hypotheses[0].Words; words != "another scale" {
		t.Errorf("of seven draws: %s", words)
	}
	if few.Ratio != nil || few.Epsilon != nil || few.Spent != nil || few.Tests[0].P != nil || few.Tests[0].Statistic != nil ||
		few.Groups[0].Ratio != nil || few.Hypotheses[0].Value != nil || few.Hypotheses[0].P != nil || !few.Rejected || !few.Hypotheses[0].Fits {
		t.Errorf("of seven draws: %+v", few)
	}
	none := r.said(&noise.Result{Ratio: nan, Lo: nan, Hi: nan, Detectable: inf})
	if none.Epsilon != nil || none.Ratio != nil || none.Tests == nil || none.Groups == nil || none.Hypotheses == nil {
		t.Errorf("of no draw: %+v", none)
	}
}
