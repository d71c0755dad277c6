package analyze_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// pairedLog is a log of Thompson sampling of three arms that counts the best two of so many
// draws, half for each, over a floor that is mixed in, anew after every 100 rounds.
func pairedLog(seed uint64, updates, draws int) *truth.Log {
	const k, floor = 3, 0.01
	draw := rand.New(rand.NewPCG(seed, 7))
	var round []int64
	var action []string
	var reward, p []float64
	var all [][]float64
	var sums, pulls [k]float64
	for range updates {
		q := make([]float64, k)
		for range draws {
			var theta [k]float64
			for a := range k {
				theta[a] = distuv.Beta{Alpha: 1 + sums[a], Beta: 1 + pulls[a] - sums[a], Src: draw}.Rand()
			}
			least := 0
			for a := range k {
				if theta[a] < theta[least] {
					least = a
				}
			}
			for a := range k {
				if a != least { // of three arms all but one are the best two
					q[a] += 0.5 / float64(draws)
				}
			}
		}
		for a := range k {
			q[a] = floor + (1-k*floor)*q[a]
		}
		for range 100 {
			arm, v := 0, draw.Float64()
			for ; arm < k-1 && v >= q[arm]; arm++ {
				v -= q[arm]
			}
			y := math.Floor(draw.Float64() + .3 + .05*float64(arm))
			round, action, reward, p, all = append(round, int64(len(round)+1)), append(action, fmt.Sprintf("arm%d", arm)), append(reward, y), append(p, q[arm]), append(all, q)
			sums[arm], pulls[arm] = sums[arm]+y, pulls[arm]+1
		}
	}
	return (&truth.Log{}).Put("round", round).Put("action", action).Put("reward", reward).Put("p", p).Put("all", all)
}

// Shares of draws of which the best two arms count are held against a declared number arm by
// arm: none of some honest logs is VIOLATED, at a level of .0005 each, and what is not the
// declared policy is. Where no number is declared nothing more than NOT ESTABLISHED is said.
func TestDrawsOfTheBestTwo(t *testing.T) {
	t.Parallel()
	const all, one = "propensity: p, propensity_by_arm: all", "propensity: p"
	const declared, two, prior = "propensity_draws: 1000", "top: 2", "{alpha: 1, beta: 1}"
	for name, c := range map[string]struct {
		log, draws, top, prior string
		seeds                  uint64
		want                   schemas.Verdict
	}{
		"honest":                         {all, declared, two, prior, 5, schemas.Consistent},
		"honest, the played one alone":   {one, declared, two, prior, 2, schemas.Consistent},
		"another number":                 {all, "propensity_draws: 100000", two, prior, 1, schemas.Violated},
		"the best alone":                 {all, declared, "top: 1", prior, 1, schemas.Violated},
		"another prior":                  {all, declared, two, "{alpha: 20, beta: 1}", 1, schemas.Violated},
		"no number is known":             {all, "propensity_draws: unknown", two, prior, 1, schemas.NotEstablished},
		"nothing is declared":            {all, "", two, prior, 1, schemas.NotEstablished},
		"another number of played alone": {one, "propensity_draws: 100000", two, prior, 1, schemas.Violated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				c.seeds = 1
			}
			for seed := range c.seeds {
				draws := c.draws
				if draws != "" {
					draws = ", " + draws
				}
				found, err := truth.Audit(pairedLog(seed, 25, 1000), fmt.Sprintf(`version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, %s%s}
arms: [arm0, arm1, arm2]
reward: {range: [0, 1]}
policy: {name: thompson, prior: %s, %s, floor: 0.01, update: {every: 100}}
counter: {name: exact}
`, c.log, draws, c.prior, c.top))
				if err != nil {
					t.Fatal(err)
				}
				if v := found.Verdict(schemas.KindConformance); v != c.want {
					t.Errorf("log %d: %s, want %s: %+v", seed, v, c.want, found.First().Replay.Propensities.Draws)
				}
			}
		})
	}
}
