package truth

import (
	"math"
	"strconv"

	"banditaudit/schemas"
)

// mixed are propensities that one program wrote for a part of the log, and another for
// the rest, or in float16.
func mixed() []Honest {
	const rounds, k = 600, 4 // few, so that no propensity is written as 0
	inFull := func(p float64) float64 { return p }
	kind := func(name, text, before string, first, then func(p float64) float64) Honest {
		return Honest{
			Name: name, Item: 10, Before: before, Text: text,
			Protocol: head("mixed", k, significantLog) + "policy: {name: softmax, eta: 0.02}\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				d.learnt(rounds, 1, .02, spread(k))
				d.write(0, rounds/2, first)
				d.write(rounds/2, rounds, then)
				return d.log(labels(k)...)
			},
		}
	}
	return []Honest{
		kind("in full, then 4 decimals", "propensities of a softmax, in full until a new version writes four decimals", "10 of 10 VIOLATED", inFull, formatted('f', 4)),
		kind("4, then 6 significant digits", "propensities of a softmax, with %.4g until a new version writes %.6g", "10 of 10 VIOLATED", formatted('g', 4), formatted('g', 6)),
		kind("float16", "propensities of a softmax in columns of float16", "10 of 10 NOT ESTABLISHED, or VIOLATED", half, half),
	}
}

// mixedOfAnother is a log of another parameter, written so.
func mixedOfAnother() World {
	const rounds, k = 600, 4
	return World{
		Name: "another-eta-in-full-then-with-4-decimals", Item: 10, Logs: 200, Right: true,
		Text: "A softmax with η = .0202 runs, and η = .02 is declared. Propensities of all four arms are in full for 300 rounds, and then have 4 decimals.",
		Said: "policy.conformance is VIOLATED, and data.quality is not", Before: "data.quality was VIOLATED too, as of honest ones",
		Unseen:   "what is nearer to the declared policy than half a unit of the last decimal of each propensity",
		Protocol: head("mixed", k, significantLog) + "policy: {name: softmax, eta: 0.02}\n" + exact,
		Count: func(f *Found) bool {
			return f.Verdict(schemas.KindConformance) == schemas.Violated && f.Verdict(schemas.KindDataQuality) != schemas.Violated
		},
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			d.learnt(rounds, 1, .0202, spread(k))
			d.write(rounds/2, rounds, formatted('f', 4))
			return d.log(labels(k)...)
		},
	}
}

// write writes the propensities of the rounds from … to−1 in a way.
func (d *deployment) write(from, to int, way func(p float64) float64) {
	for t := from; t < to; t++ {
		d.p[t] = way(d.p[t])
		for i, p := range d.all[t] {
			d.all[t][i] = way(p)
		}
	}
}

// formatted is what is read of a number that was written in a format.
func formatted(format byte, precision int) func(p float64) float64 {
	return func(p float64) float64 {
		out, err := strconv.ParseFloat(strconv.FormatFloat(p, format, precision, 64), 64)
		if err != nil {
			panic(err) // what was formatted is a number
		}
		return out
	}
}

// half is the float16 nearest to p in (0, 1].
func half(p float64) float64 {
	_, e := math.Frexp(p)
	unit := math.Ldexp(1, max(e, -13)-11)
	return math.RoundToEven(p/unit) * unit
}
