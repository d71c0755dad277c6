package regress

import (
	"math"
	"testing"

	"banditaudit/analyze/stat/bias"
)

// softmax is a bandit of two arms that plays arm 1 with the logistic probability
// of heat times a score of the rewards so far, those of rows with the same
// context counting in full and others with a share.
type softmax struct {
	contexts []float64
	heat     float64
	share    float64
	theta    [2][2]float64 // E[y | arm, x] = theta[arm][0] + theta[arm][1]·x
}

func (s *softmax) rounds() int { return len(s.contexts) }

// logLikelihood is ln P(actions | rewards), bit t of each for round t.
func (s *softmax) logLikelihood(actions, rewards int) float64 {
	sum := 0.0
	for t, x := range s.contexts {
		score := 0.0
		for u := range t {
			weight := s.share
			if s.contexts[u] == x {
				weight = 1
			}
			score += weight * float64(2*(actions>>u&1)-1) * (float64(rewards>>u&1) - .5)
		}
		sign := float64(2*(actions>>t&1) - 1)
		sum -= math.Log1p(math.Exp(-sign * s.heat * score))
	}
	return sum
}

func (s *softmax) mean(actions, t int) float64 {
	theta := s.theta[actions>>t&1]
	return theta[0] + theta[1]*s.contexts[t]
}

// given returns E[y_t | actions] and, from the likelihoods of all rewards, the
// cost of each row: the largest |ln P(a | y) − ln P(a | y')| of two reward
// vectors that differ there.
func (s *softmax) given(actions int) (means, costs []float64) {
	n := s.rounds()
	means, costs = make([]float64, n), make([]float64, n)
	likelihood := make([]float64, 1<<n)
	for y := range likelihood {
		likelihood[y] = s.logLikelihood(actions, y)
	}
	total := 0.0
	for y, l := range likelihood {
		p := math.Exp(l)
		for t := range n {
			mu := s.mean(actions, t)
			if y>>t&1 == 0 {
				mu = 1 - mu
			}
			p *= mu
			costs[t] = max(costs[t], math.Abs(l-likelihood[y^1<<t]))
		}
		total += p
		for t := range n {
			means[t] += p * float64(y>>t&1)
		}
	}
	for t := range means {
		means[t] /= total
	}
	return means, costs
}

// For every action sequence of six rounds, all reward vectors weighed by their
// exact probabilities, the biases of an arm's coefficients and predictions are
// inside the bounds, of per-arm and pooled models; and the bounds are not idle.
func TestBiasExhaustive(t *testing.T) {
	tight := map[string]float64{}
	for _, s := range []softmax{
		{[]float64{0, 1, 0, 1, 0, 1}, .02, -1, [2][2]float64{{.5, 0}, {.5, 0}}},
		{[]float64{0, 1, 0, 1, 0, 1}, .02, 1, [2][2]float64{{.5, 0}, {.5, 0}}},
		{[]float64{0, 1, 0, 1, 0, 1}, .5, 1, [2][2]float64{{.5, 0}, {.5, 0}}},
		{[]float64{0, 1, 0, 1, 0, 1}, 3, .2, [2][2]float64{{.3, .4}, {.6, -.2}}},
		{[]float64{-1, -.5, 0, .25, .5, 1}, 1, .7, [2][2]float64{{.5, .3}, {.4, -.3}}},
		{[]float64{0, 0, 0, 0, 0, 1}, 8, -1, [2][2]float64{{.1, .2}, {.8, .1}}},
		{[]float64{0, 0, 1, 1, 10, 10}, .2, .5, [2][2]float64{{.1, .08}, {.9, -.07}}},
	} {
		for actions := range 1 << s.rounds() {
			s.checkArms(t, actions, tight)
			s.checkPooled(t, actions, tight)
		}
	}
	for _, what := range []string{"coefficient", "prediction", "prediction by leverage", "rms", "pooled coefficient", "pooled prediction"} {
		t.Logf("the largest bias of %s is %.4f of its bound", what, tight[what])
		if tight[what] < .98 {
			t.Errorf("the largest bias of %s is %.4f of its bound only, so the bandits do not test it", what, tight[what])
		}
	}
}

// rowsOf are the rows of an arm, or all where arm < 0, the responses their
// expectations given the actions.
func (s *softmax) rowsOf(actions, arm int, means, costs []float64) (d dataset, truth, tau []float64) {
	d = dataset{names: []string{"x"}, x: [][]float64{nil}}
	for t := range means {
		if arm >= 0 && actions>>t&1 != arm {
			continue
		}
		d.x[0], d.y = append(d.x[0], s.contexts[t]), append(d.y, means[t])
		truth, tau = append(truth, s.mean(actions, t)), append(tau, bias.Row(costs[t]))
	}
	return d, truth, tau
}

// checkArms fits each arm to E[y | actions]: estimates are linear in the
// responses, so these are the expected coefficients.
func (s *softmax) checkArms(t *testing.T, actions int, tight map[string]float64) {
	t.Helper()
	means, costs := s.given(actions)
	for arm := range 2 {
		d, truth, tau := s.rowsOf(actions, arm, means, costs)
		if len(d.y) == 0 {
			continue
		}
		shifted, fair := d.fit(true), dataset{d.names, d.x, truth}.fit(true)
		b := d.influence(shifted, tau, 6)
		for j := range shifted.Kept {
			check(t, "coefficient", shifted.Estimates[j]-fair.Estimates[j], b.Coefficients[j], tight)
		}
		squares := 0.0
		for i := range d.y {
			off := shifted.predict(d.x, i) - fair.predict(d.x, i)
			squares += off * off
			check(t, "prediction", off, b.Worst, tight)
			check(t, "prediction by leverage", off, d.influence(shifted, tau, 0).Worst, tight)
		}
		check(t, "rms", math.Sqrt(squares/float64(len(d.y))), b.RMS, tight)
	}
}

// predict is the fitted value of a plain model at row i.
func (m *Model) predict(x [][]float64, i int) float64 {
	sum := m.Estimates[0]
	for k, j := range m.design.kept {
		sum += m.Estimates[1+k] * x[j][i]
	}
	return sum
}

func (s *softmax) checkPooled(t *testing.T, actions int, tight map[string]float64) {
	t.Helper()
	means, costs := s.given(actions)
	d, truth, tau := s.rowsOf(actions, -1, means, costs)
	all := pooledData{dataset: d, labels: []string{"a", "b"}}
	for u := range means {
		all.arm = append(all.arm, int32(actions>>u&1))
	}
	p := all.pooling(0, true, true)
	fair := all
	fair.y = truth
	shifted, right := all.fitPooled(t, p), fair.fitPooled(t, p)
	pass := NewInfluence(shifted, 6)
	if err := pass.AddPooled(all.arm, all.x, tau); err != nil {
		t.Fatal(err)
	}
	b := pass.Bounds()
	for j := range shifted.Kept {
		check(t, "pooled coefficient", shifted.Estimates[j]-right.Estimates[j], b.Coefficients[j], tight)
	}
	plain := all.explicit(p)
	for i := range d.y {
		off := 0.0
		for j, name := range shifted.Kept {
			off += (shifted.Estimates[j] - right.Estimates[j]) * plain.value(name, i)
		}
		check(t, "pooled prediction", off, b.Worst, tight)
	}
}

// check holds a bias against its bound and keeps how near it came.
func check(t *testing.T, what string, got, bound float64, tight map[string]float64) {
	t.Helper()
	if !(math.Abs(got) <= bound*(1+1e-9)+1e-12) {
		t.Fatalf("%s: a bias of %g is above the bound %g", what, got, bound)
	}
	if bound > 1e-6 {
		tight[what] = max(tight[what], math.Abs(got)/bound)
	}
}
