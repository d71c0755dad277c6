package conformance

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// guess is a prior of Thompson sampling, and the voice that has it.
type guess struct {
	*voice

	prior schemas.Values
	apart []float64 // logged less recomputed propensities of the played arms
}

// priors are the priors that are tried before one is fitted.
func (e *explainer) priors() []*guess {
	declared := e.declaredPrior()
	if declared == nil {
		return nil
	}
	var out []*guess
	for _, p := range gridOf(declared) {
		if p := e.guess(p); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// gridOf returns a few usual priors of the same kind as the declared one.
func gridOf(declared schemas.Values) []schemas.Values {
	var grid []schemas.Values
	if declared.Has("alpha") {
		for _, v := range [][2]float64{{1, 1}, {0.5, 0.5}, {2, 2}, {0.1, 0.1}, {0.01, 0.01}, {10, 10}, {1, 2}, {2, 1}, {1, 10}, {1, 100}} {
			grid = append(grid, betaPrior(v[0], v[1]))
		}
		return grid
	}
	for _, mean := range []float64{declared.Float("mean"), 0, 0.5} {
		for _, variance := range []float64{declared.Float("variance"), 0.01, 1, 100} {
			for _, noise := range []float64{declared.Float("noise"), 0.25, 1} {
				grid = append(grid, normalPrior(mean, variance, noise))
			}
		}
	}
	return grid
}

// guess returns a voice with the prior; nil where it is the declared one, or
// none of a policy.
func (e *explainer) guess(prior schemas.Values) *guess {
	if priorWords(prior) == priorWords(e.declaredPrior()) {
		return nil
	}
	return e.anyGuess(prior)
}

// anyGuess is guess, also of the declared prior.
func (e *explainer) anyGuess(prior schemas.Values) *guess {
	p, policy := *e.Protocol, *e.Protocol.Policy
	p.Policy, policy.Own = &policy, policy.Own.With("prior", prior)
	m, err := e.From.New(&p, e.Arms)
	if err != nil {
		return nil
	}
	return &guess{voice: &voice{run: e.start(m)}, prior: prior}
}

// priorKeys are the keys of a prior in the order in which a protocol has them.
func priorKeys(p schemas.Values) []string {
	if p.Has("alpha") {
		return []string{"alpha", "beta"}
	}
	return []string{"mean", "variance", "noise"}
}

// priorWords writes a prior as a protocol does.
func priorWords(p schemas.Values) string {
	is, _ := priorsApart(p, p)
	return is
}

// priorsApart writes two priors of one kind, each number with the digits that it
// takes to tell them apart.
func priorsApart(p, q schemas.Values) (is, not string) {
	var first, second []string
	for _, key := range priorKeys(p) {
		x, y := apart(p.Float(key), q.Float(key))
		first, second = append(first, key+": "+x), append(second, key+": "+y)
	}
	return "{" + strings.Join(first, ", ") + "}", "{" + strings.Join(second, ", ") + "}"
}

// declaredPrior returns the declared prior; nil for a policy without one.
func (e *explainer) declaredPrior() schemas.Values { return e.Protocol.Policy.Own.Group("prior") }

func betaPrior(alpha, beta float64) schemas.Values {
	return schemas.Values{"alpha": alpha, "beta": beta}
}

func normalPrior(mean, variance, noise float64) schemas.Values {
	return schemas.Values{"mean": mean, "variance": variance, "noise": noise}
}

// prior adds the best of the priors that were tried. Where nothing at all fits
// it first fits one.
func (e *explainer) prior(grid []*guess) error {
	if len(grid) == 0 {
		return nil
	}
	all := e.priorsSay(grid)
	fits := all[0].Fits
	for _, h := range e.found {
		fits = fits || h.Fits
	}
	if !fits {
		fitted, err := e.fittedPriors()
		if err != nil {
			return err
		}
		all = ranked(append(e.priorsSay(fitted), all...))
	}
	e.found = append(e.found, all[0])
	return nil
}

// priorsSay makes guesses that were heard hypotheses, the best first.
func (e *explainer) priorsSay(guesses []*guess) []schemas.Hypothesis {
	out := make([]schemas.Hypothesis, 0, len(guesses))
	for _, g := range guesses {
		is, not := priorsApart(g.prior, e.declaredPrior())
		out = append(out, g.tally.says("prior", fmt.Sprintf("the prior is %s, and declared is %s", is, not), "policy.prior: "+is))
	}
	return ranked(out)
}

// fittedPriors fits a prior by least squares to the propensities of the played
// arms in a few early rows, and hears it on all rows: as it was fitted, and
// rounded to 2, 3 and 4 digits, since whoever writes a prior writes a short
// number.
func (e *explainer) fittedPriors() ([]*guess, error) {
	x, err := e.leastSquares(priorNumbers(e.declaredPrior()))
	if err != nil || x == nil {
		return nil, err
	}
	var out []*guess
	voices := []*voice{e.own()}
	for _, digits := range []int{2, 3, 4, 17} {
		prior := priorOf(x)
		for key := range prior {
			prior[key] = rounded(prior.Float(key), digits)
		}
		if g := e.guess(prior); g != nil {
			g.tally.free = len(x)
			out, voices = append(out, g), append(voices, g.voice)
		}
	}
	return out, e.pass(e.sampled, voices...)
}

// rounded returns x to so many significant digits.
func rounded(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// priorNumbers are the coordinates in which a prior is fitted: logarithms of
// what is above 0.
func priorNumbers(p schemas.Values) []float64 {
	if p.Has("alpha") {
		return []float64{math.Log(p.Float("alpha")), math.Log(p.Float("beta"))}
	}
	return []float64{p.Float("mean"), math.Log(p.Float("variance")), math.Log(p.Float("noise"))}
}

// priorOf is the inverse of priorNumbers.
func priorOf(x []float64) schemas.Values {
	if len(x) == 2 {
		return betaPrior(math.Exp(x[0]), math.Exp(x[1]))
	}
	return normalPrior(x[0], math.Exp(x[1]), math.Exp(x[2]))
}
