package analyze_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"testing"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// private is a private log whose corrected p-values are neither the raw ones
// nor 1.
const private = `version: 1
experiment: {id: trial, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [a, b, c]
reward: {range: [0, 1]}
policy: {name: ucb, width: {delta: 0.05}, bonus: quantile, seed: {file: seed.hex}}
counter: {name: hybrid, epsilon: 0.1, horizon: 900}
privacy: {epsilon: 0.1}
analysis:
  decide: corrected
  sequence: normal
  approximate: accept
  chosen: before
  alpha: 0.04
  multiplicity: holm
  tests:
    - {id: H1, arm: most-pulled, mean: 0.5}
    - {id: H2, arm: each, mean: 0.25, test: exact}
`

func privateLab(t *testing.T) *lab {
	t.Helper()
	return simulated(t, private, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900})
}

// column is what the log holds of one arm, in order.
type column struct{ y, p []float64 }

// columns reads a slice of the tableau row by row.
func (l *lab) columns(t *testing.T, experiment int) (arms []column, last int) {
	t.Helper()
	s := l.tableau.Slice(experiment)
	rewards, err := s.Disclose(&ledger.Disclosures{}, "test")
	if err != nil {
		t.Fatal(err)
	}
	arms = make([]column, len(l.manifest.Arms))
	for i := range s.Chunks() {
		c, y := s.Chunk(i), rewards.Chunk(i)
		for j, arm := range c.Arm {
			arms[arm].y = append(arms[arm].y, y[j])
			if c.Propensity != nil {
				arms[arm].p = append(arms[arm].p, c.Propensity[j])
			}
			last = int(arm)
		}
	}
	return arms, last
}

// costs are the costs of an arm's rows by the law's own definition, row by
// row. No decision reads the reward of the last round, so that row costs 0.
func (l *lab) costs(t *testing.T, rows int64, last bool) []float64 {
	t.Helper()
	m, err := analyze.Standard().New(l.protocol, l.manifest.Arms)
	if err != nil {
		t.Fatal(err)
	}
	read := rows
	if last {
		read--
	}
	out := make([]float64, rows)
	for n := range read {
		out[n] = m.Law().Cost(n+1, read).Float()
	}
	return out
}

// rhoBR is its definition, which loses some digits for small c.
func rhoBR(c float64) float64 {
	if c == 0 {
		return 0
	}
	e := math.Expm1(c)
	return math.Log(e/c) - 1 + c/e
}

// correct and raise are the correction of a p-value and the level that it
// turns into α.
func correct(p, sigma float64) float64 {
	if p >= math.Exp(-sigma*sigma/2) {
		return 1
	}
	return math.Exp(-math.Pow(math.Sqrt(2*math.Log(1/p))-sigma, 2) / 2)
}

func raise(alpha, sigma float64) float64 {
	return math.Exp(-math.Pow(math.Sqrt(2*math.Log(1/alpha))+sigma, 2) / 2)
}

// exactBinomial is min(1, 2·min(P(X ≤ x), P(X ≥ x))) in whole numbers, for
// X ~ Bin(n, num/den).
func exactBinomial(x, n, num, den int64) float64 {
	low, high := new(big.Int), new(big.Int)
	for k := range n + 1 {
		term := new(big.Int).Binomial(n, k)
		term.Mul(term, new(big.Int).Exp(big.NewInt(num), big.NewInt(k), nil))
		term.Mul(term, new(big.Int).Exp(big.NewInt(den-num), big.NewInt(n-k), nil))
		if k <= x {
			low.Add(low, term)
		}
		if k >= x {
			high.Add(high, term)
		}
	}
	if low.Cmp(high) > 0 {
		low = high
	}
	p, _ := new(big.Rat).SetFrac(low.Lsh(low, 1), new(big.Int).Exp(big.NewInt(den), big.NewInt(n), nil)).Float64()
	return min(1, p)
}

// atLeast is P(X ≥ x) for X ~ Bin(n, p), term by term.
func atLeast(x, n int, p float64) float64 {
	sum := 0.0
	for k := n; k >= x; k-- {
		all, _ := math.Lgamma(float64(n + 1))
		in, _ := math.Lgamma(float64(k + 1))
		out, _ := math.Lgamma(float64(n - k + 1))
		sum += math.Exp(all - in - out + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	return sum
}

// clopperPearson finds the ends at which each tail has α/2 by halving.
func clopperPearson(x, n int, alpha float64) (lo, hi float64) {
	solve := func(x int, tail float64) float64 {
		low, high := 0.0, 1.0
		for range 100 {
			if mid := (low + high) / 2; atLeast(x, n, mid) < tail {
				low = mid
			} else {
				high = mid
			}
		}
		return low
	}
	hi = 1
	if x > 0 {
		lo = solve(x, alpha/2)
	}
	if x < n {
		hi = solve(x+1, 1-alpha/2)
	}
	return lo, hi
}

// sequenceRadius is half the width of a confidence sequence.
func sequenceRadius(n, width, k, alpha float64) float64 {
	return width / (2 * n) * math.Sqrt((n+100)*(math.Log((n+100)/100)+2*math.Log(k/alpha)))
}

// paperP is the least β + e^k·p over β, by halving the step of a walk in ln β.
func paperP(p, eps, n float64) float64 {
	f := func(b float64) float64 {
		return math.Exp(b) + p*math.Exp(eps*eps*n/2+eps*math.Sqrt(n*math.Log(2/math.Exp(b))/2))
	}
	b, step := math.Log(p), 4.0
	for step > 1e-9 {
		switch {
		case b+step < 0 && f(b+step) < f(b):
			b += step
		case f(b-step) < f(b):
			b -= step
		default:
			step /= 2
		}
	}
	return min(1, f(b))
}

// TestHeadlineRecomputed recomputes what the results say about a private log
// from the rows, the costs of single rows and the published formulas.
func TestHeadlineRecomputed(t *testing.T) {
	l := privateLab(t)
	r := l.analyse(t, 2)
	e := &r.Experiments[0]
	columns, last := l.columns(t, 0)
	const alpha, eps = 0.04, 0.1
	sigmas, sums := make([]float64, 3), make([]int, 3)
	for i, c := range columns {
		arm, n := &e.Arms[i], len(c.y)
		squares, tanh, sum := 0.0, 0.0, 0.0
		for _, cost := range l.costs(t, int64(n), i == last) {
			squares += 2 * rhoBR(cost)
			tanh += math.Tanh(cost / 4)
		}
		for _, y := range c.y {
			sum += y
		}
		mean, deviation := sum/float64(n), 0.0
		for _, y := range c.y {
			deviation += (y - mean) * (y - mean)
		}
		sigmas[i], sums[i] = math.Sqrt(squares), int(sum)
		if arm.Pulls != int64(n) || n < 50 {
			t.Fatalf("arm %s: %d pulls, the log has %d; wants at least 50", arm.Label, arm.Pulls, n)
		}
		near(t, arm.Label+": sigma", float64(*arm.Sigma), sigmas[i])
		near(t, arm.Label+": bias_bound", *arm.BiasBound, tanh/float64(n))
		near(t, arm.Label+": bias_bound_paper", *arm.BiasBoundPaper, math.Expm1(eps))
		near(t, arm.Label+": mean", *arm.Mean, mean)
		near(t, arm.Label+": std_error", *arm.StdError, math.Sqrt(deviation/float64(n-1)/float64(n)))
		radius := sequenceRadius(float64(n), 1, 3, alpha)
		near(t, arm.Label+": confidence_sequence[0]", arm.ConfidenceSequence[0], max(0, mean-radius))
		near(t, arm.Label+": confidence_sequence[1]", arm.ConfidenceSequence[1], min(1, mean+radius))
		lo, hi := clopperPearson(sums[i], n, alpha)
		near(t, arm.Label+": ci[0]", arm.CI[0], lo)
		near(t, arm.Label+": ci[1]", arm.CI[1], hi)
		lo, hi = clopperPearson(sums[i], n, raise(alpha, sigmas[i]))
		near(t, arm.Label+": ci_corrected[0]", arm.CICorrected[0], lo)
		near(t, arm.Label+": ci_corrected[1]", arm.CICorrected[1], hi)
	}
	if len(e.Tests) != 4 {
		t.Fatalf("%d tests, want 4", len(e.Tests))
	}
	corrected := make([]float64, len(e.Tests))
	for i := range e.Tests {
		test := &e.Tests[i]
		n := len(columns[test.Arm].y)
		p := exactBinomial(int64(sums[test.Arm]), int64(n), map[bool]int64{true: 2, false: 1}[i == 0], 4)
		corrected[i] = correct(p, sigmas[test.Arm])
		near(t, test.ID+": naive p", *method(t, test, schemas.MethodNaive).P, p)
		c := method(t, test, schemas.MethodCorrected)
		near(t, test.ID+": corrected p", *c.P, corrected[i])
		near(t, test.ID+": bits", *c.Bits, math.Log2(corrected[i]/p))
		near(t, test.ID+": sigma", float64(*c.Sigma), sigmas[test.Arm])
		near(t, test.ID+": ci[0]", c.CI[0], e.Arms[test.Arm].CICorrected[0])
		near(t, test.ID+": ci[1]", c.CI[1], e.Arms[test.Arm].CICorrected[1])
		near(t, test.ID+": paper", *method(t, test, schemas.MethodPaper).P, paperP(p, eps, 900))
		// The p of a sequence is the level at which its interval ends at the value.
		if s := method(t, test, schemas.MethodSequence); *s.P < 1 {
			near(t, test.ID+": radius at the sequence's p", sequenceRadius(float64(n), 1, 3, *s.P), math.Abs(*test.Estimate-test.Value))
		}
	}
	// A correction that does nothing, or makes every p 1, would show nothing.
	partial := 0
	for i := range corrected {
		if c := corrected[i]; c < 0.9 && c > 1.01**method(t, &e.Tests[i], schemas.MethodNaive).P {
			partial++
		}
	}
	if partial < 2 {
		t.Errorf("corrected p %v: fewer than two differ from the raw p and from 1", corrected)
	}
}

// TestMultiplicity recomputes the adjustment of the corrected p-values, by
// definition, and the decisions.
func TestMultiplicity(t *testing.T) {
	base := privateLab(t)
	for _, c := range []struct {
		name   string
		factor func(rank, m int) float64 // of the p of a rank, from 1
		up     bool                      // least over the larger ranks, not largest over the smaller
	}{
		{"none", func(int, int) float64 { return 1 }, false},
		{"bonferroni", func(_, m int) float64 { return float64(m) }, false},
		{"holm", func(rank, m int) float64 { return float64(m - rank + 1) }, false},
		{"by", func(rank, m int) float64 { return float64(m) * (1 + 1./2 + 1./3 + 1./4) / float64(rank) }, true},
	} {
		r := base.but(t, changes{"multiplicity: holm": "multiplicity: " + c.name}).analyse(t, 1)
		tests := r.Experiments[0].Tests
		m := len(tests)
		p, rank := make([]float64, m), make([]int, m)
		for i := range tests {
			p[i] = *method(t, &tests[i], schemas.MethodCorrected).P
		}
		for i := range p {
			for j := range p {
				if p[j] < p[i] || p[j] == p[i] && j <= i {
					rank[i]++
				}
			}
		}
		rejected := 0
		for i := range p {
			want := min(1, c.factor(rank[i], m)*p[i])
			for j := range p {
				other := min(1, c.factor(rank[j], m)*p[j])
				switch {
				case c.up && rank[j] > rank[i]:
					want = min(want, other)
				case !c.up && rank[j] < rank[i] && c.name != "none" && c.name != "bonferroni":
					want = max(want, other)
				}
			}
			near(t, c.name+" "+tests[i].ID, *method(t, &tests[i], schemas.MethodCorrected).PAdjusted, want)
			decision, verdict := "not rejected", schemas.NotEstablished
			if want <= 0.04 {
				decision, verdict = "rejected", schemas.Consistent
				rejected++
			}
			if tests[i].Decision != decision || tests[i].Verdict != verdict {
				t.Errorf("%s %s at %.3g: %s, %s; want %s", c.name, tests[i].ID, want, tests[i].Decision, tests[i].Verdict, decision)
			}
		}
		if rejected == 0 || rejected == m {
			t.Errorf("%s: %d of %d rejected; the log shows nothing", c.name, rejected, m)
		}
	}
}

// TestWeighted recomputes what rests on logged propensities, by a loop.
func TestWeighted(t *testing.T) {
	source := `version: 1
experiment: {id: weights}
log: {order: [round], action: action, reward: reward, propensity: propensity}
arms: [a, b, never]
reward: {range: [0, 1]}
`
	rows := make([]logfile.Row, 1000)
	for i := range rows {
		p := 0.25 + 0.5*float64(i%7)/7
		rows[i] = logfile.Row{Arm: i * i % 3 % 2, Propensity: p, Reward: float64(i%11) / 11}
	}
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "never"}, Reward: logfile.RewardFloat, Propensity: true}, rows)
	e := &l.analyse(t, 1).Experiments[0]
	columns, _ := l.columns(t, 0)
	sum, squares, mean := make([]float64, 2), make([]float64, 2), make([]float64, 2)
	for _, r := range rows {
		sum[r.Arm] += 1 / r.Propensity
		squares[r.Arm] += 1 / (r.Propensity * r.Propensity)
		mean[r.Arm] += r.Reward / r.Propensity / 1000
	}
	for i, m := range mean {
		near(t, "ipw_mean", *e.Arms[i].IPWMean, m)
		near(t, "estimate", *e.Estimates[i].Estimate, m)
		near(t, "ess", *e.Estimates[i].ESS, sum[i]*sum[i]/squares[i])
		deviation := float64(1000-len(columns[i].y)) * m * m
		for j, y := range columns[i].y {
			z := y/columns[i].p[j] - m
			deviation += z * z
		}
		near(t, "std_error", *e.Estimates[i].StdError, math.Sqrt(deviation)/1000)
	}
	for i := range rows { // that of the played arm alone is what is read
		rows[i].PropensityByArm = []float64{rows[i].Propensity, rows[i].Propensity}
	}
	first, _, _ := plainAIPW(rows, 0, func(float64) float64 { return 1 })
	second, stdErr, _ := plainAIPW(rows, 1, func(float64) float64 { return 1 })
	near(t, "aipw", *estimateOf(t, e, "aipw", "a", "").Estimate, first)
	near(t, "aipw", *estimateOf(t, e, "aipw", "b", "").Estimate, second)
	near(t, "its error", *estimateOf(t, e, "aipw", "b", "").StdError, stdErr)
	near(t, "contrast", *estimateOf(t, e, "aipw", "b", "a").Estimate, second-first)
	if n := e.Estimates[2]; e.Arms[2].IPWMean != nil || n.Estimate != nil || n.StdError != nil || n.Label != "never" || n.Reason != "never played in these rounds: never" {
		t.Errorf("an arm that was never played: %v, %+v", e.Arms[2].IPWMean, n)
	}
}

// TestRegressionWiring recomputes one line per arm by hand, so that rows,
// columns and errors of one arm cannot be those of another.
func TestRegressionWiring(t *testing.T) {
	source := `version: 1
experiment: {id: lines}
log: {order: [round], action: action, reward: reward, context: [x0]}
arms: [a, b, never]
reward: {range: [-10, 10]}
analysis:
  decide: corrected
  sequence: normal
  regressions:
    - {name: plain, arms: each, covariance: classical}
    - {name: "plain:HC3", arms: b, covariance: HC0}
`
	rows := make([]logfile.Row, 300)
	for i := range rows {
		x := math.Sin(float64(i)) * 2
		arm := i / 7 % 2
		rows[i] = logfile.Row{Arm: arm, X: []float64{x}, Reward: float64(arm) + (1-3*float64(arm))*x + math.Cos(float64(3*i))*(1+math.Abs(x))}
	}
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "never"}, Reward: logfile.RewardFloat, ContextDim: 1}, rows)
	e := &l.analyse(t, 1).Experiments[0]
	if len(e.Regressions) != 3 {
		t.Fatalf("%d regressions, want 3", len(e.Regressions))
	}
	for i, want := range []struct {
		name  string
		arm   int
		label string
	}{{"plain", 0, "a"}, {"plain", 1, "b"}, {"plain:HC3", 1, "b"}} {
		f := &e.Regressions[i]
		if f.Name != want.name || f.Arm != want.arm || f.Label != want.label {
			t.Errorf("regression %d is %s of arm %d %s, want %+v", i, f.Name, f.Arm, f.Label, want)
		}
		n, sx, sy, sxx, sxy := 0.0, 0.0, 0.0, 0.0, 0.0
		for _, r := range rows {
			if r.Arm == want.arm {
				n, sx, sy = n+1, sx+r.X[0], sy+r.Reward
			}
		}
		for _, r := range rows {
			if r.Arm == want.arm {
				x := r.X[0] - sx/n
				sxx += x * x
				sxy += x * (r.Reward - sy/n)
			}
		}
		slope := sxy / sxx
		rss, white := 0.0, 0.0
		for _, r := range rows {
			if r.Arm == want.arm {
				x := r.X[0] - sx/n
				residual := r.Reward - sy/n - slope*x
				rss += residual * residual
				white += residual * residual * x * x
			}
		}
		stdErr := math.Sqrt(rss / (n - 2) / sxx)
		if i == 2 {
			stdErr = math.Sqrt(white) / sxx
		}
		near(t, f.Name+" intercept of "+f.Label, *f.Coefficients[0].Estimate, sy/n-slope*sx/n)
		near(t, f.Name+" slope of "+f.Label, *f.Coefficients[1].Estimate, slope)
		near(t, f.Name+" error of "+f.Label, *f.Coefficients[1].StdError, stdErr)
		near(t, f.Name+" statistic of "+f.Label, *f.Coefficients[1].Statistic, slope/stdErr)
		near(t, f.Name+" sigma2 of "+f.Label, *f.Sigma2, rss/(n-2))
		if f.N != int64(n) || f.DFResidual != int64(n)-2 || f.Coefficients[1].Name != "x0" {
			t.Errorf("regression %d: n %d, df %d, column %s; want %v rows", i, f.N, f.DFResidual, f.Coefficients[1].Name, n)
		}
	}
	purposes := map[string]bool{}
	for _, d := range e.Disclosures {
		purposes[d.Purpose] = true
	}
	if !purposes["regression:plain"] || !purposes["regression:plain:HC3"] || !purposes["estimate:arms"] || !purposes["check:H13"] || !purposes["check:H02"] || len(purposes) != 5 {
		t.Errorf("disclosures are %v", e.Disclosures)
	}
	warned(t, e, "regression plain, arm never: there are no rows")
}

// TestTinyP has p-values below the smallest float64: they are rounded up, and
// their logarithm is kept.
func TestTinyP(t *testing.T) {
	source := `version: 1
experiment: {id: tiny, stopping: fixed}
log: {order: [round], action: action, reward: reward, context: [x0]}
arms: [a]
reward: {range: [0, 1]}
policy: {name: uniform}
analysis:
  decide: corrected
  sequence: normal
  approximate: accept
  chosen: before
  regressions: [{name: main, covariance: classical}]
  tests:
    - {id: H1, arm: a, mean: 0.001}
    - {id: H2, arm: a, mean: 0}
`
	rows := make([]logfile.Row, 2000)
	for i := range rows {
		rows[i] = logfile.Row{Reward: float64(i % 2), X: []float64{float64(i%2) + 1e-3*math.Sin(float64(i))}}
	}
	e := &written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a"}, Reward: logfile.RewardBool, ContextDim: 1}, rows).analyse(t, 1).Experiments[0]
	naive := method(t, &e.Tests[0], schemas.MethodNaive)
	if *naive.P != math.SmallestNonzeroFloat64 || !(*naive.Log2P < -5000) || math.IsInf(float64(*naive.Log2P), 0) {
		t.Errorf("p %v, log2_p %v; want the smallest float64 and a finite logarithm", *naive.P, *naive.Log2P)
	}
	if p := method(t, &e.Tests[1], schemas.MethodNaive); *p.P != 0 || !math.IsInf(float64(*p.Log2P), -1) {
		t.Errorf("a mean of 0 is impossible: p %v, log2_p %v", *p.P, *p.Log2P)
	}
	f := &e.Regressions[0]
	if *f.FP != math.SmallestNonzeroFloat64 || *f.Coefficients[1].P != math.SmallestNonzeroFloat64 {
		t.Errorf("f_p %v, p %v; want the smallest float64", *f.FP, *f.Coefficients[1].P)
	}
}

// TestInterrupted expects the error of the context, not a result.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out, err := analyze.Run(ctx, privateLab(t).input(0, 1))
	if out != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v; want %v", out, err, context.Canceled)
	}
}
