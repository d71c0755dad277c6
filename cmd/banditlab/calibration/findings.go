package calibration

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// findings are what stands at the top of the page.
type findings struct {
	means, coefficients alarms
	gains, all, price   []float64 // over pairs: (d) over Theorem 20 at the smallest gap and at every gap, (d) over naive at the smallest
	sizes               []sized
}

// sized is what one design needs by each method.
type sized struct {
	size   Size
	rounds [methods]int64
}

// alarms sums up rejections of true hypotheses.
type alarms struct {
	tests, applicable int      // tests of an arm; those with ε finite and above 0
	rates             [2]worst // of the naive test: on every pair, and where corrections apply
	corrected, none   worst    // of corrections, where they apply; of what is left as it is at ε = 0
	failing, covered  int      // tests whose naive rate is loud; those of them where corrections apply
	left              float64  // largest corrected rate on those
	mild              worst    // naive rate where σ is mildSigma at most on average
	loud              int      // corrected rates that are
	excess            float64  // largest of a bias beyond its bound
	beyond            string   // where
}

// mildSigma is up to where a correction leaves some power.
const mildSigma = 1

// worst is the largest rate and where it is.
type worst struct {
	rate float64
	at   string
}

func (w *worst) see(rate float64, at string) {
	if rate > w.rate {
		w.rate, w.at = rate, at
	}
}

func (w *worst) String() string { return fmt.Sprintf("%s%% (%s)", percent(w.rate), w.at) }

// see enters the outcomes of one setting; corrected are the methods that the
// table has.
func (a *alarms) see(setting string, rows []Outcome, corrected ...int) {
	if a.tests == 0 {
		a.excess = math.Inf(-1)
	}
	for _, r := range rows {
		for i := range r.By {
			a.test(&r.By[i], &r, fmt.Sprintf("%s, %s arm, %s", r.Pair.Name(), [Selections]string{"most pulled", "least pulled", "first"}[i], setting), corrected)
		}
	}
}

func (a *alarms) test(c *Count, r *Outcome, at string, corrected []int) {
	a.tests++
	a.rates[0].see(c.Rate(Naive), at)
	failing := c.loud(Naive)
	if failing {
		a.failing++
	}
	if math.IsInf(r.Epsilon, 1) {
		return
	}
	if v := c.Excess(); v > a.excess {
		a.excess, a.beyond = v, at
	}
	if r.Epsilon == 0 {
		a.none.see(c.Rate(Naive), at)
		return
	}
	a.applicable++
	a.rates[1].see(c.Rate(Naive), at)
	if failing {
		a.covered++
	}
	if c.Sigma() <= mildSigma {
		a.mild.see(c.Rate(Naive), at)
	}
	for _, m := range corrected {
		a.corrected.see(c.Rate(m), at)
		if c.loud(m) {
			a.loud++
		}
		if failing {
			a.left = max(a.left, c.Rate(m))
		}
	}
}

// loud reports whether a method rejects more than its level and four standard
// errors.
func (c *Count) loud(method int) bool {
	return c.Rate(method) > Alpha+float64(4*math.Sqrt(Alpha*(1-Alpha)/float64(c.Runs)))
}

// gain enters the rates of the table of power.
func (f *findings) gain(c *Count, smallest bool) {
	if c.Rejected[Theorem20] == 0 {
		return
	}
	g := c.Rate(Renyi) / c.Rate(Theorem20)
	f.all = append(f.all, g)
	if smallest {
		f.gains = append(f.gains, g)
		f.price = append(f.price, c.Rate(Renyi)/c.Rate(Naive))
	}
}

// Median is the middle of values, or the mean of the two that are nearest to it.
func Median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// spread says between what values are, and their median.
func spread(values []float64) string {
	return fmt.Sprintf("%.2f to %.2f, median %.2f", slices.Min(values), slices.Max(values), Median(values))
}

func (f *findings) text() string {
	var b strings.Builder
	m, c := &f.means, &f.coefficients
	b.WriteString("\nIn short:\n\n")
	fmt.Fprintf(&b, `- **False alarms, means.** Of %d tests of true hypotheses (three arms of every pair in
  three settings) %d are under an ε that is finite and above 0, where corrections say
  something. There a corrected test rejects up to
  %v, the naive one up to
  %v. Over all of them the naive one rejects up to
  %v.
`, m.tests, m.applicable, &m.corrected, &m.rates[1], &m.rates[0])
	fmt.Fprintf(&b, `- **False alarms, coefficients.** In %d tests, whose t test is approximate, a corrected one
  rejects up to %v, the naive one up to
  %v.
`, c.tests, &c.corrected, &c.rates[0])
	fmt.Fprintf(&b, `- **Where the naive test of a mean fails**, by more than four standard errors above 5%%, in %d
  tests, corrections apply to %d. They reject at most %s%% there, and nothing in the whole setting
  "Open": their level holds because hardly any power is left. Where noise is so strong that
  σ ≤ %d, the naive test rejects up to
  %v: these policies do not deceive it then, and what a correction
  buys there is a level that holds for every policy of that ε.
`, m.failing, m.covered, percent(m.left), mildSigma, &m.mild)
	f.power(&b)
	fmt.Fprintf(&b, `- **Chance.** %d corrected rates of means and %d of coefficients are above 5%% by more than four
  standard errors. No bias of a mean is beyond its bound by more than %.1f of them
  (%s), none of a coefficient by more than %.1f
  (%s). Corrections change nothing where ε = 0: there a mean is
  rejected up to %v, a coefficient up to
  %v.
`, m.loud, c.loud, m.excess, m.beyond, c.excess, c.beyond, &m.none, &c.none)
	b.WriteString(`- **Given the actions.** (d), (g) and the bounds on the bias hold given the actions. These
  tables average over the actions that a policy takes, so they check less than is
  claimed: an average does not show a sequence of actions on which a level fails, and
  biases of opposite signs cancel in it. analyze/exhaustive_test.go holds them against every
  sequence of small cases.
`)
	return b.String()
}

// power writes what the tables of power show.
func (f *findings) power(b *strings.Builder) {
	var gains, better []float64
	var top sized
	for _, z := range f.sizes {
		gains = append(gains, z.over(Theorem20))
		better = append(better, min(z.over(Theorem20), z.over(Sequence)))
		if z.over(Theorem20) > top.over(Theorem20) {
			top = z
		}
	}
	g := gaps()[0]
	fmt.Fprintf(b, `- **Power** at ε = %s and T = %d: the rate of (d) over that of Theorem 20 is %s
  over the %d of %d pairs where Theorem 20 rejects at all, at the smallest gap, %g; over all gaps
  it is %s. The price, the rate of (d) over that of the naive test at the smallest gap,
  is %s.
`, Settings()[0].Epsilon, Settings()[0].Rounds, spread(f.gains), len(f.gains), len(powerPairs()), g, spread(f.all), spread(f.price))
	fmt.Fprintf(b, `- **Rounds that power 80%% takes**, arms played in turn: those of Theorem 20 over those of (d) are
  %s, over %d designs. The largest is at ε = %g and a gap of %g: %d in place of %d,
  where the confidence sequence needs %d, %.2f times as many as (d). Those of the better of
  Theorem 20 and the sequence over those of (d) are %s.
`, spread(gains), len(gains), top.size.Epsilon, top.size.Gap, top.rounds[Theorem20], top.rounds[Renyi], top.rounds[Sequence], top.over(Sequence), spread(better))
}

// over is the rounds of a method over the rounds of (d); 0 for no design.
func (z *sized) over(method int) float64 {
	if z.rounds[Renyi] == 0 {
		return 0
	}
	return float64(z.rounds[method]) / float64(z.rounds[Renyi])
}
