package calibration

import (
	"math"

	"banditaudit/analyze/stat/confseq"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/cmd/banditlab/mechanisms"
)

// Methods of a test, in the order of the page.
const (
	Naive = iota
	Renyi
	Moments
	Theorem20
	Sequence
	methods
)

// Selections is the number of arms that are tested in a run: the most pulled,
// against a larger mean; the least pulled of those that were played, against a
// smaller one; and the first, against both. Those are the sides to which
// selection moves a mean.
const Selections = 3

// Count is how often tests of one arm rejected.
type Count struct {
	Runs                int // in which there was such a test
	Rejected            [methods]int
	bounded             int     // runs whose actions leave a finite σ
	sigma               float64 // its sum over them
	off, squares, bound float64 // sums over runs: of the estimate less the truth, of its square, of the bound on it
}

// Rate is how often a method rejected.
func (c *Count) Rate(method int) float64 { return float64(c.Rejected[method]) / float64(c.Runs) }

// Bias is the mean over runs of what the estimate was off, and its standard
// error.
func (c *Count) Bias() (mean, se float64) {
	n := float64(c.Runs)
	mean = c.off / n
	return mean, math.Sqrt(max(0, c.squares/n-float64(mean*mean)) / n)
}

// Bound is the mean over runs of the bound on the bias, which holds given the
// actions of each.
func (c *Count) Bound() float64 { return c.bound / float64(c.Runs) }

// Excess is by how many of its standard errors the bias is beyond its bound;
// below 0 inside.
func (c *Count) Excess() float64 {
	mean, se := c.Bias()
	return (math.Abs(mean) - c.Bound()) / se
}

// Used is the share of its bound that the bias uses at least, four standard
// errors taken off; 0 without a bound.
func (c *Count) Used() float64 {
	mean, se := c.Bias()
	if b := c.Bound(); b > 0 {
		return max(0, math.Abs(mean)-float64(4*se)) / b
	}
	return 0
}

// Sigma is the mean of σ over the runs; NaN where it is never finite.
func (c *Count) Sigma() float64 { return c.sigma / float64(c.bounded) }

// estimate enters an estimate and its bound.
func (c *Count) estimate(off, bound float64) {
	c.Runs++
	c.off += off
	c.squares += float64(off * off)
	c.bound += bound
}

// correct enters a test with the raw p-value e^logP over rows of such costs.
func (c *Count) correct(logP float64, costs []float64) {
	logAlpha := math.Log(Alpha)
	levels := levelsOf(costs)
	if sigma := maxinfo.Sigma(levels); !math.IsInf(sigma, 1) {
		c.bounded++
		c.sigma += sigma
	}
	if logP > logAlpha {
		return // no correction makes p smaller
	}
	c.Rejected[Naive]++
	if maxinfo.Renyi(levels).Apply(logP) <= logAlpha {
		c.Rejected[Renyi]++
	}
	if maxinfo.Moments(levels).Apply(logP) <= logAlpha {
		c.Rejected[Moments]++
	}
}

// Outcome is what the tests did on one pair.
type Outcome struct {
	Pair    mechanisms.Pair
	Epsilon float64 // of the mechanism
	Runs    int
	By      [Selections]Count
}

// Null runs a pair where every arm has mean ½: every hypothesis that is tested
// is true. Errors are errors of package replay.
func (s Setting) Null(pair mechanisms.Pair) (Outcome, error) {
	return s.means(pair, [Arms]float64{.5, .5, .5})
}

// means tests that means are ½ where they are others.
func (s Setting) means(pair mechanisms.Pair, truth [Arms]float64) (Outcome, error) {
	m, err := s.bandit(pair)
	if err != nil {
		return Outcome{}, err
	}
	law := m.LawOver(s.Rounds)
	out := Outcome{Pair: pair, Epsilon: law.Epsilon().Up(), Runs: s.Runs}
	t := &tester{rounds: s.Rounds, epsilon: out.Epsilon, prices: newPricer(law)}
	p := &player{m: m, rounds: s.Rounds, means: truth, contexts: pair.Linear}
	for run := range s.Runs {
		h, err := p.play(run + 1)
		if err != nil {
			return Outcome{}, err
		}
		for i, arm := range h.selections() {
			if h.pulls[arm] > 0 {
				t.test(&out.By[i], h, arm, [Selections]hypothesis.Alternative{hypothesis.Greater, hypothesis.Less, hypothesis.TwoSided}[i])
				t.off(&out.By[i], h, arm, truth[arm])
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

// off enters what the mean of an arm is off.
func (t *tester) off(c *Count, h *history, arm int, truth float64) {
	n, bound := float64(h.pulls[arm]), 0.0
	for _, cost := range t.prices.costs(h, arm) {
		bound += math.Tanh(cost / 4)
	}
	c.estimate(float64(h.ones[arm])/n-truth, bound/n)
}

func (t *tester) test(c *Count, h *history, arm int, alt hypothesis.Alternative) {
	n, x := h.pulls[arm], h.ones[arm]
	logAlpha := math.Log(Alpha)
	logP := hypothesis.BinomialLogP(x, n, 0.5, alt)
	c.correct(logP, t.prices.costs(h, arm))
	if logP <= logAlpha && maxinfo.Theorem20(logP, t.epsilon, t.rounds).LogP <= logAlpha {
		c.Rejected[Theorem20]++
	}
	above := 2*x >= n
	if alt == hypothesis.Greater && !above || alt == hypothesis.Less && above {
		return
	}
	if sequenceLogP(n, x) <= logAlpha {
		c.Rejected[Sequence]++
	}
}

// sequenceLogP is ln p of the confidence sequence of an arm with x ones in n
// rows against ½.
func sequenceLogP(n, x int64) float64 {
	return confseq.SequenceP(n, float64(x)/float64(n), 0.5, confseq.Sequence{Lo: 0, Hi: 1, K: Arms, LogAlpha: math.Log(Alpha)})
}

// levelsOf counts rows by their cost; rows of one cost mostly follow one
// another.
func levelsOf(costs []float64) []maxinfo.Level {
	var levels []maxinfo.Level
	at := map[float64]int{}
	for _, c := range costs {
		i, ok := at[c]
		if !ok {
			i = len(levels)
			at[c] = i
			levels = append(levels, maxinfo.Level{Cost: c})
		}
		levels[i].Rows++
	}
	return levels
}
