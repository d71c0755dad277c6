package allocationtest

import (
	"fmt"
	"math"
	"slices"

	"banditaudit/ingest/precision"
)

// Exact accumulates what check H05 needs where the propensities p_t(a) of all
// arms are logged: for each arm the pulls N_a, the expected pulls Σ_t p_t(a),
// and Σ_t p_t(a)·p_t(b) for each pair.
type Exact struct {
	// Ends say how exactly propensities are known; before the first row is added.
	Ends precision.Ends

	rounds   int64
	pulls    []int64
	expected []float64
	products []float64 // of arms a ≥ b at a(a+1)/2+b; of a = b alone, at a, for more than maxJoint arms
	last     []float64 // the propensities of the run
	run      int64     // rounds like last that are not yet in the sums
	varied   bool      // the propensities changed
	overall  *overall
}

// NewExact returns an empty accumulator for arms 0…arms−1.
func NewExact(arms int) *Exact {
	e := &Exact{pulls: make([]int64, arms), expected: make([]float64, arms), last: make([]float64, arms), overall: newOverall()}
	e.products = make([]float64, arms)
	if arms <= maxJoint {
		e.products = make([]float64, arms*(arms+1)/2)
	}
	return e
}

// Add joins a chunk: arm[t] was played, p[t·K+a] is the logged probability of
// arm a, and again(t) says that these are known to equal the probabilities of the row
// before; nil: of no row. A row with a negative arm is not looked at. It returns an error
// that names the row if an arm does not exist or a propensity is outside [0, 1]; the
// accumulator is then not to be used. Slices that do not fit together panic.
func (e *Exact) Add(arm []int32, p []float64, again func(row int) bool) error {
	k := len(e.pulls)
	if len(p) != len(arm)*k {
		panic(BadLength)
	}
	looked := false // at the row before
	for t, a := range arm {
		if a < 0 {
			looked = false
			continue
		}
		if int(a) >= k {
			return fmt.Errorf("allocationtest: row %d of the chunk has arm %d, but there are %d arms; declare the missing arms", t, a, k)
		}
		row, same := p[t*k:t*k+k], e.run > 0
		if same && (looked && again != nil && again(t) || slices.Equal(row, e.last)) {
			row = nil
		}
		looked = true
		for i, v := range row {
			if !(v >= 0 && v <= 1) {
				return fmt.Errorf("allocationtest: row %d of the chunk gives arm %d the propensity %g, which is not in [0, 1]; correct the log", t, i, v)
			}
			e.varied = e.varied || e.rounds > 0 && v != e.last[i]
			if same && v != e.last[i] {
				e.flush()
				same = false
			}
			e.last[i] = v
		}
		e.run++
		e.rounds++
		e.pulls[a]++
		p := max(knownResolution, e.last[a])
		e.overall.add(k, p, e.Ends.Upper(p))
	}
	return nil
}

// flush takes the run into the sums; see Opportunity.flush.
func (e *Exact) flush() {
	n := float64(e.run)
	e.run = 0
	if n == 0 {
		return
	}
	for a, p := range e.last {
		if p == 0 {
			continue
		}
		np := float64(n * p)
		e.expected[a] += np
		if len(e.last) > maxJoint {
			e.products[a] += float64(np * p)
			continue
		}
		row := e.products[a*(a+1)/2 : a*(a+1)/2+a+1]
		for b := range row {
			row[b] += float64(np * e.last[b])
		}
	}
}

// Merge joins another accumulator for the same arms.
func (e *Exact) Merge(o *Exact) {
	if len(e.pulls) != len(o.pulls) {
		panic(BadLength)
	}
	e.flush()
	o.flush()
	e.varied = e.varied || o.varied || e.rounds > 0 && o.rounds > 0 && !slices.Equal(e.last, o.last)
	if e.rounds == 0 {
		copy(e.last, o.last)
	}
	e.rounds += o.rounds
	e.overall.merge(o.overall)
	for a := range e.pulls {
		e.pulls[a] += o.pulls[a]
		e.expected[a] += o.expected[a]
	}
	for i, v := range o.products {
		e.products[i] += v
	}
}

// variance is Σ p_t(a)·(1 − p_t(a)).
func (e *Exact) variance(a int) float64 {
	at := a
	if len(e.pulls) <= maxJoint {
		at = a*(a+1)/2 + a
	}
	return max(0, e.expected[a]-e.products[at])
}

// Test compares the pulls with the logged propensities, per arm
//
//	z_a = (N_a − Σ_t p_t(a))/√(Σ_t p_t(a)·(1 − p_t(a)))
//
// and jointly D'Σ⁻D, D_a = N_a − Σ_t p_t(a), with the exact covariance
//
//	Σ_ab = −Σ_t p_t(a)·p_t(b)  for a ≠ b
//
// The variance is known given the propensities. Where the propensities are the
// same in every round the pulls of an arm follow a binomial law, which gives its
// p. Where they change with what was seen, V is random, no law of z is known,
// and the p rests on a bound that holds for any propensities (see knownE). What
// else is said of Allocation.Test holds here; level is the level of the check as a whole,
// batches the test of single batches, nil without them. Special cases are the same as in
// Allocation.Test, with
//
//	an arm whose propensities are all 0 or 1 is not testable
func (e *Exact) Test(level float64, batches *BatchResult) AllocationResult {
	e.flush()
	f := family{rounds: e.rounds, level: level, batches: batches, basis: Bounded, form: e.joint, bound: -e.overall.logE(e.pulls)}
	if !e.varied {
		f.basis = Binomial
	}
	for a, n := range e.pulls {
		d, v, slack := float64(n)-e.expected[a], e.variance(a), over(e.Ends, e.rounds, e.expected[a])
		t := tally{rows: n, expected: e.expected[a], deviation: d, variance: v, plays: e.expected[a], known: true}
		if e.varied {
			t.logP = min(0, -knownE(d, v, slack))
			t.detect = func(logLevel float64) float64 { return knownDetectable(v, slack, logLevel) }
			t.most = max(e.expected[a], float64(e.rounds)-e.expected[a])
			t.mostLogP = min(0, -knownE(t.most, v, slack))
		} else {
			t.count, t.p = e.expected[a], e.last[a]
			t.logP = binomialLogP(n, e.rounds, e.last[a], room(e.Ends, e.last[a]))
			t.detect = func(logLevel float64) float64 { return slack + normalDetectable(v, logLevel) }
			t.most, t.mostLogP = binomialMost(e.rounds, e.last[a], room(e.Ends, e.last[a]))
		}
		f.arms = append(f.arms, t)
	}
	return f.test()
}

// joint is the quadratic form of D over the testable arms: Pearson's statistic
// where the propensities are the same in all rounds.
func (e *Exact) joint(testable []int) (form float64, df int) {
	if len(testable) == 0 {
		return 0, 0
	}
	if !e.varied {
		for _, a := range testable {
			form += pearsonCell(float64(e.pulls[a]), float64(e.rounds), e.last[a], e.Ends)
		}
		return form, len(testable) - 1
	}
	k := len(testable)
	z, corr := make([]float64, k), make([]float64, k*k)
	for i, a := range testable {
		sd := math.Sqrt(e.variance(a))
		z[i] = (float64(e.pulls[a]) - e.expected[a]) / sd
		corr[i*k+i] = 1
		for j, b := range testable[:i] { // b < a
			corr[i*k+j] = -e.products[a*(a+1)/2+b] / sd / math.Sqrt(e.variance(b))
			corr[j*k+i] = corr[i*k+j]
		}
	}
	const resolved = 0.01 // the propensities are known, and add up to 1, but for rounding
	return generalizedForm(z, corr, resolved)
}
