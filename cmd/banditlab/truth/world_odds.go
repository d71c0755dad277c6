package truth

import (
	"math"
	"strconv"
	"strings"
)

const unseenOdds = "a deviation below the smallest that is printed; weights that are sharper in some rounds and flatter in others, unless splits or the rounds of large propensities show it; which arm is the likelier one where more than two have the propensity of the played one alone"

const oddsProtocol = `version: 1
experiment: {id: odds, stopping: fixed}
log: {order: [round], action: action, reward: won, propensity: p, propensity_by_arm: all}
arms: [arm0, arm1]
reward: {range: [0, 1]}
analysis: {chosen: before, tests: [{id: D, difference: [arm1, arm0], value: 0}]}
`

// likelier are worlds in which the likelier arm is played otherwise than by its
// propensity, and over all rounds every arm as often as by its own.
func likelier() []World {
	always := World{
		Name: "always-the-likelier", Item: 1, Logs: 200, Right: true,
		Text:     "A coin says in every round which of two arms has probability .8 and which has .2; all this is logged, and the arm with .8 is always played: each in half of 2,000 rounds, which is what the propensities give.",
		Said:     "allocation is VIOLATED",
		Before:   "0 of 200",
		Unseen:   unseenOdds,
		Protocol: oddsProtocol,
		Deploy:   func(run int64) *Log { return byCoin(run, 2_000, 1) },
		Count:    (*Found).allocationViolated,
	}
	played := always
	played.Name, played.Text = "always-the-likelier-played", "The same, where the propensity of the played arm alone is logged."
	played.Protocol = strings.Replace(oddsProtocol, ", propensity_by_arm: all", "", 1)
	near := always
	near.Name, near.Text = "likelier-at-88", "The same, where the arm with .8 is played in 88 of 100 rounds."
	near.Deploy = func(run int64) *Log { return byCoin(run, 2_000, .88) }
	return []World{always, played, near, sharper()}
}

// sharper is a softmax of what no column shows, drawn with its squares.
func sharper() World {
	return World{
		Name: "softmax-drawn-sharper", Item: 1, Logs: 200, Right: true,
		Text:     "Three arms have in every round the softmax of numbers that are drawn anew, and that no column holds. It is logged, and the arm is drawn with its squares over their sum: twice as sharp. Over 3,000 rounds every arm is played as often as its propensities give.",
		Said:     "allocation is VIOLATED",
		Before:   "0 of 200",
		Unseen:   unseenOdds,
		Protocol: head("sharper", 3, "propensity: p, propensity_by_arm: all"),
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			for range 3_000 {
				scores := []float64{d.draw.NormFloat64(), d.draw.NormFloat64(), d.draw.NormFloat64()}
				arm := d.pick(softmax(2.4, scores, nil))
				d.chosen(arm, softmax(1.2, scores, nil), d.coin(.5))
			}
			return d.log(labels(3)...)
		},
		Count: (*Found).allocationViolated,
	}
}

// byCoin is a log of two arms with .8 and .2, by a coin in each round, in which the
// likelier one is played with another probability.
func byCoin(run int64, rounds int, truly float64) *Log {
	d := newDeployment(run)
	for range rounds {
		b := int(d.coin(.5))
		p := []float64{.2, .2}
		p[b] = .8
		arm := 1 - b
		if d.coin(truly) == 1 {
			arm = b
		}
		d.chosen(arm, p, d.coin(.5))
	}
	return d.log("arm0", "arm1").Put("won", d.won())
}

// likelierHonest are logs whose likelier arm is played as its propensity says.
func likelierHonest() []Honest {
	var out []Honest
	for _, p := range []struct {
		name string
		of   func(x float64) float64
	}{
		{"0.5005", func(float64) float64 { return .5005 }},
		{"0.4995", func(float64) float64 { return .4995 }},
		{"0.5", func(float64) float64 { return .5 }},
		{"0.51", func(float64) float64 { return .51 }},
		{"around 0.5", func(x float64) float64 { return .5 + .0004*x }},
		{"by a context", func(x float64) float64 { return 1 / (1 + math.Exp(-2*x)) }},
	} {
		out = append(out, Honest{
			Name: "played one of two arms with p " + p.name + ", 3 decimals", Item: 1, Before: "–",
			Text:     "two arms, of which the first has probability " + p.name + "; that of the played arm alone is logged, rounded to 3 decimals",
			Protocol: head("near", 2, "propensity: p"),
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				for range 1_000 {
					q := min(max(p.of(d.draw.NormFloat64()), .01), .99)
					arm := d.pick([]float64{q, 1 - q})
					d.play(arm, math.Round([]float64{q, 1 - q}[arm]*1000)/1000, d.coin(.5))
				}
				return d.log(labels(2)...)
			},
		})
	}
	for _, k := range []int{3, 10} {
		out = append(out, softmaxByContext(k))
	}
	return out
}

// softmaxByContext has the softmax of k numbers that are drawn anew in each round,
// beneath a floor, so that no arm is written as 0.
func softmaxByContext(k int) Honest {
	return Honest{
		Name: strconv.Itoa(k) + " arms by a softmax of what no column holds, 3 decimals", Item: 1, Before: "–",
		Text:     "a softmax of numbers that are drawn anew in each round, above a floor of 0.005; propensities of all arms are logged, rounded to 3 decimals",
		Protocol: head("scores", k, "propensity: p, propensity_by_arm: all"),
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			for range 1_000 {
				scores := make([]float64, k)
				for i := range scores {
					scores[i] = d.draw.NormFloat64()
				}
				p := softmax(1.2, scores, nil)
				for i := range p {
					p[i] = .005 + (1-.005*float64(k))*p[i]
				}
				d.chosen(d.pick(p), p, d.coin(.5))
			}
			return d.rounded(1000).log(labels(k)...)
		},
	}
}
