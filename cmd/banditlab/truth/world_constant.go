package truth

import (
	"fmt"

	"banditaudit/schemas"
)

// constantShares are worlds of item 13: the same propensity in every round, declared
// as the propensities of a Thompson policy, estimated by draws.
func constantShares() []World {
	var out []World
	for _, w := range []struct {
		name, text string
		p          []float64
		all        bool
		key        string
		unknown    bool // one decimal says nothing of how many draws there were
		before     string
	}{
		{"uniform-called-draws", "1/3 of the played one of three arms", even(3), false, "unknown", false, "0 of 6, CONSISTENT: estimated by 3 draws"},
		{"uniform-called-3-draws", "1/3 of the played one of three arms", even(3), false, "3", false, "0 of 6"},
		{"uniform-of-all-called-3-draws", "1/3 of each of three arms", even(3), true, "3", false, "4 of 6, the others CONSISTENT"},
		{"even-two-called-draws", "1/2 of the played one of two arms", even(2), false, "unknown", false, "6 of 6"},
		{"uniform-ten-called-draws", "1/10 of the played one of ten arms", even(10), false, "unknown", true, "0 of 6"},
		{"uniform-ten-called-10-draws", "1/10 of each of ten arms", even(10), true, "10", false, "6 of 6"},
		{"fixed-called-draws", "0.2 and 0.8, of the played one of two arms", []float64{.2, .8}, false, "unknown", true, "0 of 6"},
		{"fixed-called-10-draws", "0.2 and 0.8, of both arms", []float64{.2, .8}, true, "10", false, "6 of 6"},
	} {
		right, said, verdict := true, "policy.conformance is VIOLATED", schemas.Violated
		if w.unknown {
			right, said, verdict = false, "policy.conformance is CONSISTENT", schemas.Consistent
		}
		log := "propensity: p, propensity_draws: " + w.key
		if w.all {
			log += ", propensity_by_arm: all"
		}
		out = append(out, World{
			Name: w.name, Item: 13, Logs: 40, Right: right,
			Text:     fmt.Sprintf("A fixed policy logs %s in every round, all arms pay with 0.4; a Thompson policy is declared, and log.propensity_draws: %s.", w.text, w.key),
			Said:     said,
			Before:   w.before,
			Unseen:   "a fixed policy beside a declared one whose propensities do not move either, and a log of some ten updates",
			Protocol: head("constant", len(w.p), log) + "policy: {name: thompson, prior: {alpha: 1, beta: 1}}\n" + exact,
			Count:    conformanceIs(verdict),
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				for range 600 {
					arm := d.pick(w.p)
					d.chosen(arm, w.p, d.coin(.4))
				}
				if !w.all {
					d.all = nil
				}
				return d.log(labels(len(w.p))...)
			},
		})
	}
	return out
}

// even are the propensities of k arms that are played alike.
func even(k int) []float64 {
	p := make([]float64, k)
	for a := range p {
		p[a] = 1 / float64(k)
	}
	return p
}
