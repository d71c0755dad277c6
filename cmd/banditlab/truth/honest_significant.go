package truth

import (
	"fmt"

	"banditaudit/schemas"
)

const significantLog = "propensity: p, propensity_by_arm: all"

// significant are propensities that were written with a number of significant digits, as
// %.6g and the streams of C++ do: a small one has more decimals than a large one.
func significant() []Honest {
	var out []Honest
	add := func(digits, k int, name, before, log string, cut func(d *deployment)) {
		out = append(out, Honest{
			Name: fmt.Sprintf("%d significant digits, %d arms%s", digits, k, name), Item: 10, Before: before,
			Text:     fmt.Sprintf("propensities of a softmax whose small ones are far below its large ones, written with %d significant digits%s; nothing says so", digits, name),
			Protocol: head("significant", k, log) + "policy: {name: softmax, eta: 0.05}\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				d.learnt(1_000, 1, .05, spread(k))
				cut(d.significant(digits))
				return d.log(labels(k)...)
			},
		})
	}
	for _, of := range []struct {
		digits, k int
		before    string
	}{{6, 6, "10 of 10 VIOLATED"}, {6, 2, "10 of 10 VIOLATED"}, {4, 4, "10 of 10 VIOLATED"}, {3, 5, "10 of 10 VIOLATED"}} {
		add(of.digits, of.k, "", of.before, significantLog, func(*deployment) {})
	}
	add(6, 4, ", of the played arm", "3 of 10 VIOLATED", "propensity: p", func(d *deployment) { d.all = nil })
	return out
}

// significantOfAnother is a log of another parameter, written so.
func significantOfAnother() World {
	return World{
		Name: "another-eta-with-4-significant-digits", Item: 10, Logs: 200, Right: true,
		Text: "A softmax with η = .0505 runs, and η = .05 is declared. Propensities of all four arms are written with 4 significant digits.",
		Said: "policy.conformance is VIOLATED, and data.quality is not", Before: "0 of 10: data.quality was VIOLATED too, as of honest ones",
		Unseen:   "what is nearer to the declared policy than half a unit of the last digit in every round",
		Protocol: head("significant", 4, significantLog) + "policy: {name: softmax, eta: 0.05}\n" + exact,
		Count: func(f *Found) bool {
			return f.Verdict(schemas.KindConformance) == schemas.Violated && f.Verdict(schemas.KindDataQuality) != schemas.Violated
		},
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			d.learnt(1_000, 1, .0505, spread(4))
			return d.significant(4).log(labels(4)...)
		},
	}
}

// significant writes every propensity with digits significant digits.
func (d *deployment) significant(n int) *deployment {
	d.write(0, len(d.p), formatted('g', n))
	return d
}
