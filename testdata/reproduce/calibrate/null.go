package calibrate

import (
	"math"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/maxinfo"
	"banditaudit/testdata/reproduce"
)

// Selections names the arms that every table has, in order.
func Selections() [3]string { return [3]string{"most pulled", "least pulled", "first"} }

// Count is how often tests of one arm rejected.
type Count struct {
	Runs                                       int // in which the arm was played
	Naive, Renyi, Moments, Theorem20, Sequence int
	Bounded                                    int     // runs whose actions leave a finite σ
	sigma, off, squares, bound                 float64 // sums over runs: of σ, of the mean less the truth, of its square, of its bound
}

// Bias is the mean over runs of what the mean reward was off, and its standard
// error.
func (c Count) Bias() (mean, se float64) {
	n := float64(c.Runs)
	mean = c.off / n
	return mean, math.Sqrt(max(0, c.squares/n-float64(mean*mean)) / n)
}

// Bound is the mean over runs of the bound on the bias, which holds given the
// actions of each.
func (c Count) Bound() float64 { return c.bound / float64(c.Runs) }

// Sigma is the mean of σ over the runs.
func (c Count) Sigma() float64 { return c.sigma / float64(c.Bounded) }

// Null is what the tests did on one pair where every arm has mean ½.
type Null struct {
	Pair    reproduce.Pair
	Epsilon float64 // of the mechanism
	By      [3]Count
}

// Play runs a pair under the null: every hypothesis that is tested is true.
func (s Setting) Play(pair reproduce.Pair) (Null, error) {
	return s.playWith(pair, [Arms]float64{.5, .5, .5})
}

// playWith tests that the mean is ½ where the means are others.
func (s Setting) playWith(pair reproduce.Pair, means [Arms]float64) (Null, error) {
	m, err := s.bandit(pair)
	if err != nil {
		return Null{}, err
	}
	law := m.LawOver(s.Rounds)
	out := Null{Pair: pair, Epsilon: law.Epsilon().Up()}
	t := &tester{rounds: s.Rounds, epsilon: out.Epsilon, prices: newPricer(law)}
	p := &player{m: m, rounds: s.Rounds, means: means, linear: pair.Linear}
	for run := 1; run <= s.Runs; run++ {
		h, err := p.play(run)
		if err != nil {
			return Null{}, err
		}
		for i, arm := range h.selections() {
			if h.pulls[arm] > 0 {
				t.test(&out.By[i], h, arm, means[arm])
			}
		}
	}
	return out, nil
}

// tester tests that the mean of an arm is ½.
type tester struct {
	rounds  int64
	epsilon float64
	prices  *pricer
}

func (t *tester) test(c *Count, h *history, arm int, truth float64) {
	n, x := h.pulls[arm], h.ones[arm]
	mean := float64(x) / float64(n)
	costs := t.prices.costs(h, arm)
	c.Runs++
	c.off += mean - truth
	c.squares += float64((mean - truth) * (mean - truth))
	bound, squares := 0.0, 0.0
	for _, cost := range costs {
		bound += math.Tanh(cost / 4)
		squares += float64(cost * cost)
	}
	c.bound += bound / float64(n)
	if !math.IsInf(squares, 1) {
		c.Bounded++
		c.sigma += math.Sqrt(squares) / 2
	}
	logAlpha := math.Log(Alpha)
	sequence := adaptive.Sequence{Lo: 0, Hi: 1, K: Arms, LogAlpha: logAlpha}
	if adaptive.SequenceP(n, mean, 0.5, sequence) <= logAlpha {
		c.Sequence++
	}
	logP := hypothesis.Binomial(x, n, 0.5, hypothesis.TwoSided, logAlpha).LogP
	if logP > logAlpha {
		return // no correction makes p smaller
	}
	c.Naive++
	levels := levelsOf(costs)
	if maxinfo.Renyi(levels).Apply(logP) <= logAlpha {
		c.Renyi++
	}
	if maxinfo.Moments(levels).Apply(logP) <= logAlpha {
		c.Moments++
	}
	if maxinfo.Theorem20(logP, t.epsilon, t.rounds).LogP <= logAlpha {
		c.Theorem20++
	}
}

// levelsOf counts rows that follow one another at one cost.
func levelsOf(costs []float64) []maxinfo.Level {
	var levels []maxinfo.Level
	for _, c := range costs {
		if last := len(levels) - 1; last >= 0 && levels[last].Cost == c {
			levels[last].Rows++
			continue
		}
		levels = append(levels, maxinfo.Level{Cost: c, Rows: 1})
	}
	return levels
}
