package policy

import (
	"math"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas/param"
)

func describeThompson() Descriptor {
	return Descriptor{
		Policy: param.Policy{
			Name: "thompson", Doc: "the arm with the largest draw from the posteriors of the means", Reads: param.Sums,
			Keys: append([]param.Key{{
				Name: priorKey, Needed: true, Doc: "what the policy took for likely before the first reward",
				Why:  "draws from a posterior, which has a prior",
				Mend: "add prior: {alpha: 1, beta: 1} for rewards of 0 and 1, or prior: {mean: 0.5, variance: 1, noise: 0.25}",
				Form: param.Group{Keys: append(betaKeys(), normalKeys()...), Whole: wholePrior},
			}, openingKey()}, contestKeys()...),
			Whole: wholeContest, Defaults: withContest,
			Exact: func(v param.Values) string {
				switch {
				case sampled(v):
					return priorKey + "." + noiseKey
				case cappedRows(v) > 0:
					return capKey
				}
				return ""
			},
		},
		ReadsVariance: sampled, Rows: cappedRows, TopTwo: func(v param.Values) bool { return v.Float(topKey) == 2 },
		NoFloor: true, NeedsQuadrature: true, AnyArm: always,
		Unbounded: func(v param.Values) bool { return !v.Group(priorKey).Has("alpha") },
		Start: func(s Scene) map[string]string {
			if s.Binary {
				return map[string]string{priorKey: "{alpha: 1, beta: 1}"}
			}
			return map[string]string{priorKey: "{mean: 0.5, variance: 1, noise: 0.25}"}
		},
		New: newThompson,
		Tunable: []Refit{{
			Key: priorKey, Words: "the prior is %s, and declared is %s",
			Grid: usualPriors, Numbers: priorNumbers, Of: priorOf,
		}},
		Variants: []Variant{
			{Name: "thompson, Beta", Keys: "prior: {alpha: 1, beta: 1}", Text: "a draw from each arm's Beta posterior, sums clamped to [0, N]"},
			{Name: "thompson, normal", Keys: "prior: {mean: 0.5, variance: 1, noise: 0.25}", Text: "a draw from each arm's normal posterior"},
		},
	}
}

const (
	priorKey    = "prior"
	noiseKey    = "noise"
	sampleNoise = "sample"
)

// sampled reports whether the variance of rewards is each arm's own.
func sampled(v param.Values) bool { return v.Group(priorKey).Word(noiseKey) == sampleNoise }

// betaKeys lists the keys of a Beta prior.
func betaKeys() []param.Key {
	return []param.Key{
		{Name: "alpha", Doc: "α of the Beta prior of an arm's mean", Form: param.Rescaled(1e-3, 1e9)},
		{Name: "beta", Doc: "β of the Beta prior of an arm's mean", Form: param.Rescaled(1e-3, 1e9)},
	}
}

// normalKeys lists the keys of a normal prior.
func normalKeys() []param.Key {
	return []param.Key{
		{Name: "mean", Doc: "mean of the normal prior of an arm's mean", Form: param.Rescaled(-1e6, 1e6)},
		{Name: "variance", Doc: "variance of the normal prior of an arm's mean", Form: param.Rescaled(1e-12, 1e12)},
		{Name: noiseKey, Doc: "variance of one reward about its arm's mean, or sample: each arm's own, of its rewards", Form: param.NumberOr{
			Number: param.Rescaled(1e-12, 1e12), Words: []string{sampleNoise},
		}},
	}
}

// wholePrior judges which of the two priors is declared, and whether all of it
// is.
func wholePrior(j param.Judge, path string, v param.Values) bool {
	const rule = "a prior is a Beta of alpha and beta, or a normal of mean, variance and noise"
	has := func(keys []param.Key) bool {
		for _, key := range keys {
			if v.Has(key.Name) {
				return true
			}
		}
		return false
	}
	beta, normal := has(betaKeys()), has(normalKeys())
	if !j.Sound(path) {
		return true
	}
	if beta == normal {
		what := "has no parameter"
		if beta {
			what = "has parameters of two priors"
		}
		j.Fail(path, what, rule, "write {alpha: 1, beta: 1} for rewards of 0 and 1, or {mean: 0.5, variance: 1, noise: 0.25}")
		return false
	}
	mine := betaKeys()
	if normal {
		mine = normalKeys()
	}
	for _, key := range mine {
		if !v.Has(key.Name) {
			j.Fail(path+"."+key.Name, "is missing", rule, "add "+key.Name+": NUMBER")
		}
	}
	return true
}

// newThompson returns what makes the policy of the declared prior.
func newThompson(v param.Values, b Bandit) func(Draws) Policy {
	p, rule, own := v.Group(priorKey), declaredContest(v), sampled(v)
	if p.Has("alpha") {
		prior := BetaPrior{Alpha: p.Float("alpha"), Beta: p.Float("beta")}
		return func(d Draws) Policy {
			p := NewBetaThompson(b.Arms, prior, d.Choice)
			p.rule = rule
			return p
		}
	}
	prior := GaussianPrior{Mean: p.Float("mean"), Variance: p.Float("variance"), Noise: p.Float(noiseKey)}
	return func(d Draws) Policy {
		p := NewGaussianThompson(b.Arms, prior, d.Choice)
		p.unbounded, p.rule, p.sampled = b.Unbounded, rule, own
		return p
	}
}

func betaPrior(alpha, beta float64) param.Values {
	return param.Values{"alpha": alpha, "beta": beta}
}

func normalPrior(mean, variance, noise float64) param.Values {
	return param.Values{"mean": mean, "variance": variance, "noise": noise}
}

// usualPriors are a few usual priors of the same kind as the declared one.
func usualPriors(declared param.Values) []param.Values {
	var grid []param.Values
	if declared.Has("alpha") {
		for _, v := range [][2]float64{{1, 1}, {0.5, 0.5}, {2, 2}, {0.1, 0.1}, {0.01, 0.01}, {10, 10}, {1, 2}, {2, 1}, {1, 10}, {1, 100}} {
			grid = append(grid, betaPrior(v[0], v[1]))
		}
		return grid
	}
	for _, mean := range []float64{declared.Float("mean"), 0, 0.5} {
		for _, variance := range []float64{declared.Float("variance"), 0.01, 1, 100} {
			for _, noise := range []float64{declared.Float(noiseKey), 0.25, 1} {
				if noise > 0 { // not each arm's own
					grid = append(grid, normalPrior(mean, variance, noise))
				}
			}
		}
	}
	return grid
}

// leastNoise stands for the noise of a prior without a number.
const leastNoise = 1e-12

// priorNumbers are the coordinates in which a prior is fitted: logarithms of
// what is above 0.
func priorNumbers(p param.Values) []float64 {
	if p.Has("alpha") {
		return []float64{math.Log(p.Float("alpha")), math.Log(p.Float("beta"))}
	}
	return []float64{p.Float("mean"), math.Log(p.Float("variance")), math.Log(max(p.Float(noiseKey), leastNoise))}
}

// priorOf is the inverse of priorNumbers.
func priorOf(x []float64) param.Values {
	if len(x) == 2 {
		return betaPrior(bitexact.Exp(x[0]), bitexact.Exp(x[1]))
	}
	return normalPrior(x[0], bitexact.Exp(x[1]), bitexact.Exp(x[2]))
}
