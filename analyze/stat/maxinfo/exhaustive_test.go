package maxinfo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"banditaudit/testdata/reference"
)

// A mechanism over n independent bits: how likely each output is for each of
// the 2^n data sets, and how likely those are.
type mechanism struct {
	n       int
	prior   []float64
	outputs [][]float64
}

// drawPrior draws a product law of n bits.
func drawPrior(r *rand.Rand, n int) []float64 {
	prior := make([]float64, 1<<n)
	masses := make([]float64, n)
	for t := range masses {
		masses[t] = .05 + .9*r.Float64()
	}
	for y := range prior {
		prior[y] = 1
		for t, m := range masses {
			if y>>t&1 == 1 {
				prior[y] *= m
			} else {
				prior[y] *= 1 - m
			}
		}
	}
	return prior
}

// drawTable is a mechanism without structure: any table of probabilities is
// differentially private at the cost that it has.
func drawTable(r *rand.Rand, n int) mechanism {
	m := mechanism{n: n, prior: drawPrior(r, n), outputs: make([][]float64, 3)}
	scale := 1.5 * r.Float64()
	for a := range m.outputs {
		m.outputs[a] = make([]float64, 1<<n)
	}
	for y := range m.prior {
		sum := 0.0
		for a := range m.outputs {
			m.outputs[a][y] = math.Exp(scale * r.NormFloat64())
			sum += m.outputs[a][y]
		}
		for a := range m.outputs {
			m.outputs[a][y] /= sum
		}
	}
	return m
}

// drawRounds is a bandit: in each round one of two actions, drawn with a
// probability that depends on the actions and rewards before.
func drawRounds(r *rand.Rand, n int) mechanism {
	m := mechanism{n: n, prior: drawPrior(r, n), outputs: make([][]float64, 1<<n)}
	scale := 2 * r.Float64()
	odds := map[[3]int]float64{}
	for a := range m.outputs {
		m.outputs[a] = make([]float64, 1<<n)
		for y := range m.prior {
			g := 1.0
			for t := range n {
				mask := 1<<t - 1
				key := [3]int{t, a & mask, y & mask}
				if _, ok := odds[key]; !ok {
					odds[key] = scale * r.NormFloat64()
				}
				p := 1 / (1 + math.Exp(-odds[key]))
				if a>>t&1 == 0 {
					p = 1 - p
				}
				g *= p
			}
			m.outputs[a][y] = g
		}
	}
	return m
}

// drawExtreme has an output whose probability takes two values per row.
func drawExtreme(r *rand.Rand, n int) mechanism {
	m := mechanism{n: n, prior: drawPrior(r, n), outputs: [][]float64{make([]float64, 1<<n)}}
	for t := range n {
		c := 2 * r.Float64()
		for y := range m.prior {
			if t == 0 {
				m.outputs[0][y] = .01
			}
			if y>>t&1 == 1 {
				m.outputs[0][y] *= math.Exp(c)
			}
		}
	}
	return m
}

// costs returns the pathwise cost of each row for one output.
func (m mechanism) costs(a int) []Level {
	g := m.outputs[a]
	levels := make([]Level, m.n)
	for t := range levels {
		c := 0.0
		for y := range g {
			c = max(c, math.Abs(math.Log(g[y]/g[y^1<<t])))
		}
		levels[t] = Level{Cost: c, Rows: 1}
	}
	return levels
}

// posterior returns the law of the data given the output.
func (m mechanism) posterior(a int) []float64 {
	q, sum := make([]float64, len(m.prior)), 0.0
	for y := range q {
		q[y] = m.prior[y] * m.outputs[a][y]
		sum += q[y]
	}
	for y := range q {
		q[y] /= sum
	}
	return q
}

// For random mechanisms and every output, every event of the data, that is
// every way in which a p-value could be small: given the output, its
// probability is at most the correction of its probability before. The event
// may have been chosen by looking at the output, as every one holds.
func TestConditionalHoldsForEveryEvent(t *testing.T) {
	r := rand.New(rand.NewPCG(20260105, 6))
	mechanisms := 120
	if testing.Short() {
		mechanisms = 30
	}
	tight := map[string]float64{}
	for i := range mechanisms {
		draw := []func(*rand.Rand, int) mechanism{drawTable, drawRounds, drawExtreme}[i%3]
		m := draw(r, 1+i%4)
		for a := range m.outputs {
			checkEvents(t, m, a, tight)
		}
	}
	for name, share := range tight {
		t.Logf("largest share of the allowed shift of the log-odds: %.3f of %s", share, name)
		if share > 1 {
			t.Errorf("%s does not hold: %.12g", name, share)
		}
	}
}

// checkEvents goes through the events of one output: all for up to three bits,
// the most powerful ones, and every lower tail of the data's order, for more.
func checkEvents(t *testing.T, m mechanism, a int, tight map[string]float64) {
	t.Helper()
	levels, posterior := m.costs(a), m.posterior(a)
	forms := []Conditional{Renyi(levels), Moments(levels), AnyLaw(levels)}
	if Total(levels) > 0 {
		forms = append(forms, recurse(merged(levels), 40))
	}
	forms = append(forms, Least(forms...))
	for _, in := range m.events(a) {
		p, q := 0.0, 0.0
		for y, yes := range in {
			if yes {
				p += m.prior[y]
				q += posterior[y]
			}
		}
		if !(p > 0 && p < 1-1e-9) {
			continue
		}
		for i, c := range forms {
			logP := math.Log(p)
			got := c.Apply(logP)
			if math.Exp(got) < q-1e-12 {
				t.Fatalf("%s, costs %v: p = %.15g is corrected to %.15g, given the output it is %.15g", c.Name(), levels, p, math.Exp(got), q)
			}
			if allowed := logOdds(got) - logOdds(logP); got < 0 && allowed > 1e-6 && i < 4 {
				tight[c.Name()] = max(tight[c.Name()], (logOdds(math.Log(q))-logOdds(logP)-1e-11)/allowed)
			}
		}
	}
}

// events lists sets of data sets.
func (m mechanism) events(a int) [][]bool {
	size := len(m.prior)
	var out [][]bool
	if m.n <= 3 {
		for set := range 1 << size {
			in := make([]bool, size)
			for y := range in {
				in[y] = set>>y&1 == 1
			}
			out = append(out, in)
		}
		return out
	}
	order := make([]int, size)
	for y := range order {
		order[y] = y
	}
	tails := func() {
		in := make([]bool, size)
		for _, y := range order {
			in[y] = true
			out = append(out, slices.Clone(in))
		}
	}
	tails()
	slices.SortFunc(order, func(x, y int) int {
		if m.outputs[a][x] > m.outputs[a][y] {
			return -1
		}
		return 1
	})
	tails()
	return out
}

// Against linear programs over everything that has the costs: no correction is
// below what an algorithm can do, and the best one is near it.
func TestConditionalAgainstPrograms(t *testing.T) {
	share := map[[2]int]float64{} // by rows and form
	for _, r := range reference.Rows(t, "corrections.csv", "program") {
		var levels []Level
		for _, c := range r[1:5] {
			if c > 0 {
				levels = append(levels, Level{Cost: c, Rows: 1})
			}
		}
		forms := []Conditional{Renyi(levels), Moments(levels), AnyLaw(levels), recurse(merged(levels), 200)}
		forms = append(forms, Least(forms...))
		for i, c := range forms {
			got := c.Apply(r[0])
			if math.Exp(got) < math.Exp(r[5])-1e-9 {
				t.Errorf("%s, costs %v: p = e^%g is corrected to e^%.12g, an algorithm reaches e^%.12g", c.Name(), levels, r[0], got, r[5])
			}
			if got < 0 {
				key := [2]int{len(levels), i}
				share[key] = max(share[key], (logOdds(r[5])-logOdds(r[0]))/(logOdds(got)-logOdds(r[0])))
			}
		}
	}
	for rows := 1; rows <= 4; rows++ {
		at := func(form int) float64 { return share[[2]int{rows, form}] }
		t.Logf("%d rows: largest share of the allowed shift that an algorithm reaches: Rényi %.3f, moments %.3f, any law %.3f, outer grid %.3f, least %.3f",
			rows, at(0), at(1), at(2), at(3), at(4))
		if at(4) < .9 {
			t.Errorf("%d rows: the programs reach %.3f of the least, want .9: is it too wide?", rows, at(4))
		}
	}
}
