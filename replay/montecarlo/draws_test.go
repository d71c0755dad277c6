package montecarlo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func near(t *testing.T, what string, got, want, to float64) {
	t.Helper()
	if !(math.Abs(got-want) <= to*math.Abs(want)) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// statistic returns Q and ν of one update, variance that of N·Q.
func statistic(q, p []float64) (sum float64, degrees int) {
	var m merged
	m.merge(q, p, least)
	return m.sum(), m.degrees()
}

func variance(p []float64, n float64) float64 {
	var m merged
	m.merge(p, p, least)
	return m.variance(n)
}

// The vector of the sheet, recomputed with 30 digits.
func TestVector(t *testing.T) {
	q, p := []float64{.412, .305, .173, .110}, []float64{.40, .30, .18, .12}
	sum, degrees := statistic(q, p)
	near(t, "Q", sum, .001548888888889, 1e-12)
	if degrees != 3 {
		t.Errorf("%d degrees of freedom, want 3", degrees)
	}
	near(t, "the variance", variance(p, 1000), 5.9977222222, 1e-10)
	near(t, "p of NQ", chiTail(1000*sum, 3), .6710336222, 1e-9)
	near(t, "N", estimateOf(degrees, sum, 0).N, 1936.872310, 1e-9)
	near(t, "p of one more draw", 2*atLeast(412, 1000, .4), .4573229445, 1e-9)
	near(t, "p of a share drawn from", 2*atLeast(411, 999, .4), .4808089403, 1e-9)
	near(t, "Cell", Cell(412, 412, 1000, .4, OneMore), .4573229445, 1e-4)
	near(t, "Cell", Cell(412, 412, 1000, .4, SizeBiased), .4808089403, 1e-4)
}

// The mean of N·Q is ν by enumeration of all counts of three draws.
func TestMeanByEnumeration(t *testing.T) {
	p := []float64{.5, .3, .2}
	mean, square := 0.0, 0.0
	for a := range 4 {
		for b := range 4 - a {
			c := 3 - a - b
			ways := 6 / (factorial(a) * factorial(b) * factorial(c))
			chance := ways * math.Pow(p[0], float64(a)) * math.Pow(p[1], float64(b)) * math.Pow(p[2], float64(c))
			q, _ := statistic([]float64{float64(a) / 3, float64(b) / 3, float64(c) / 3}, p)
			mean += chance * 3 * q
			square += chance * 9 * q * q
		}
	}
	near(t, "the mean", mean, 2, 1e-12)
	near(t, "the variance", square-mean*mean, variance(p, 3), 1e-12)
}

func factorial(n int) float64 {
	out := 1.0
	for i := 2; i <= n; i++ {
		out *= float64(i)
	}
	return out
}

// A share that is seen because its arm was played in n rounds by it has the weight
// 1 − (1 − x/N)ⁿ: its tails lie within those of Cell with the law Seen, and its
// mean at n = 1 is 1 + (N−1)p = 15.7 for N = 50 and p = .3.
func TestSeenCoversWhatIsSeen(t *testing.T) {
	const n, p = 50, .3
	for _, rounds := range []float64{1, 2, 10, 1000} {
		var law [n + 1]float64
		total, mean := 0.0, 0.0
		for x := range law {
			law[x] = math.Exp(lnTerm(float64(x), n, p)) * (1 - math.Pow(1-float64(x)/n, rounds))
			total += law[x]
			mean += law[x] * float64(x)
		}
		if mean /= total; rounds == 1 {
			near(t, "the mean", mean, 15.7, 1e-12)
		}
		for _, alpha := range []float64{.5, .1, .01, .001} {
			rejected := 0.0
			for x := range law {
				if x > 0 && Cell(float64(x), float64(x), n, p, Seen) <= alpha {
					rejected += law[x] / total
				}
			}
			if rejected > alpha {
				t.Errorf("%g rounds: at %g it rejects %g", rounds, alpha, rejected)
			}
		}
	}
}

// multinomial draws counts of n.
func multinomial(src rand.Source, n int, p []float64) []float64 {
	out, left, rest := make([]float64, len(p)), float64(n), 1.0
	for i, of := range p {
		count := left
		if i < len(p)-1 && left > 0 && of < rest {
			count = distuv.Binomial{N: left, P: of / rest, Src: src}.Rand()
		}
		out[i] = count / float64(n)
		left, rest = left-count, rest-of
	}
	return out
}

// some are laws of four arms that move as those of a policy that learns.
func some(src *rand.Rand, updates int) [][]float64 {
	out, level := make([][]float64, updates), make([]float64, 4)
	for u := range out {
		out[u] = make([]float64, 4)
		sum := 0.0
		for a := range level {
			level[a] += src.NormFloat64() / 4
			out[u][a] = math.Exp(level[a])
			sum += out[u][a]
		}
		for a := range level {
			out[u][a] /= sum
		}
	}
	return out
}

func taken(src *rand.Rand, laws [][]float64, n int, bent float64) *Shares {
	s := NewShares(4, 0x1p-50, Every)
	for u, p := range laws {
		h, sum := make([]float64, len(p)), 0.0
		for a := range p {
			h[a] = math.Pow(p[a], bent)
			sum += h[a]
		}
		for a := range h {
			h[a] /= sum
		}
		s.Add(int64(u), multinomial(src, n, h), p, 0)
	}
	return s
}

// Of 600 honest logs each test rejects at most what its level allows: more than 4 have
// probability 4·10⁻⁴ at .001. Intervals at 95 % cover in at least 91 % (3·10⁻⁵).
func TestHonestSharesPass(t *testing.T) {
	t.Parallel()
	logs := 600
	if testing.Short() {
		logs = 200
	}
	for _, n := range []int{50, 1000, 1_000_000} {
		src := rand.New(rand.NewPCG(1, uint64(n)))
		together, cells, scores, covered := 0, 0, 0, 0
		for range logs {
			s := taken(src, some(src, 20), n, 1)
			d, err := s.Redraw(t.Context(), float64(n), Redraws)
			if err != nil {
				t.Fatal(err)
			}
			if d.P < TogetherLevel {
				together++
			}
			if w := s.Cells(float64(n)); w.Rejected() {
				cells++
			}
			e := s.Estimate(0)
			if e.Low <= float64(n) && float64(n) <= e.High {
				covered++
			}
			for _, o := range s.Others(nil) {
				if math.Abs(o.Score.Z(e.N, 0)) > Critical(9, ScoreLevel) {
					scores++
				}
			}
			if got := Lattice(s.Rows(), s.Tau, e.Low, e.High); got != float64(n) {
				t.Errorf("the lattice of %d draws is 1/%g", n, got)
			}
		}
		if together > 4 || cells > 4 || scores > 4 || float64(covered) < .91*float64(logs) {
			t.Errorf("N = %d: %d by D, %d by cells, %d by scores of %d logs, %d covered", n, together, cells, scores, logs, covered)
		}
		t.Logf("N = %d: %d by D, %d by cells, %d by scores of %d logs, %d covered", n, together, cells, scores, logs, covered)
	}
}

// p^.9 is found in all logs of 1,000 draws, and p^1.1 with the other sign.
func TestTemperedSharesAreTold(t *testing.T) {
	t.Parallel()
	src := rand.New(rand.NewPCG(2, 3))
	for bent, sign := range map[float64]float64{.8: -1, 1.25: 1} {
		found := 0
		for range 100 {
			s := taken(src, some(src, 20), 1000, bent)
			e := s.Estimate(0)
			for i, o := range s.Others(nil) {
				if z := o.Score.Z(e.N, 0); i == 2 && sign*z > Critical(9, ScoreLevel) {
					found++
				}
			}
		}
		if found < 95 {
			t.Errorf("p^%g is found in %d of 100 logs", bent, found)
		}
	}
}

// A log of many updates is thinned, whatever its shares are, and what is kept is
// held against the same law.
func TestManyUpdatesAreThinned(t *testing.T) {
	t.Parallel()
	src := rand.New(rand.NewPCG(5, 6))
	s := NewShares(1<<18, 0x1p-50, Every) // so many arms that four updates are kept
	for u := range 100 {
		s.Add(int64(u), []float64{float64(u%7) / 10, 1 - float64(u%7)/10}, []float64{.3, .7}, 0)
	}
	if all, kept := s.Updates(); all != 100 || kept > 4 || kept < 2 {
		t.Errorf("%d of %d updates are kept", kept, all)
	}
	whole := taken(src, some(src, 5000), 1000, 1)
	if d, err := whole.Redraw(t.Context(), 1000, Redraws); err != nil || d.P < TogetherLevel || d.Taken*4 > mostDrawn+4 {
		t.Errorf("%+v, %v", d, err)
	}
	if w := whole.Cells(1000); w.Rejected() || w.Cells != 20_000 {
		t.Errorf("%+v", w)
	}
}

// Shares that are drawn anew in every row of one law, and shares that stay while
// the law does, are both honest: more than 2 of 100 logs have probability 2·10⁻⁴ at .001,
// which is above the level of both tests together.
func TestRowsMayHaveDrawsOfTheirOwn(t *testing.T) {
	t.Parallel()
	src := rand.New(rand.NewPCG(7, 8))
	law, rejected := []float64{.5, .5}, 0
	for range 100 {
		s := NewShares(2, 0x1p-50, Every)
		for row := range 1000 {
			s.Add(int64(row), multinomial(src, 100, law), law, 0)
		}
		d, err := s.Redraw(t.Context(), 100, Redraws)
		if err != nil {
			t.Fatal(err)
		}
		if w := s.Cells(100); d.P < TogetherLevel || w.Rejected() {
			rejected++
		}
	}
	if rejected > 2 {
		t.Errorf("%d of 100 honest logs are rejected", rejected)
	}
}

// Some shares are none of so many draws: those are counted and left out up to 1 %,
// and no further.
func TestRowsOffTheLattice(t *testing.T) {
	for _, c := range []struct {
		off  int
		most bool
	}{{1, false}, {10, true}} {
		src := rand.New(rand.NewPCG(9, 1))
		s := NewShares(4, 0x1p-50, Every)
		for u, p := range some(src, 200) {
			q := multinomial(src, 1000, p)
			if u < c.off {
				q = []float64{1. / 3, 1. / 3, 1. / 6, 1. / 6}
			}
			s.Add(int64(u), q, p, 0)
		}
		if rows, first, most := s.Off(1000); rows != int64(c.off) || first != 0 || most != c.most {
			t.Errorf("%d rows off, the first is %d, and that is too many: %t", rows, first, most)
		}
	}
}

func ExampleLattice() {
	rows := [][]float64{{.412, .588}, {.305, .695}, {.173, .827}}
	fmt.Println(Lattice(rows, 0x1p-50, 1, math.Inf(1)))
	// Output: 1000
}

// Shares of 400 draws are multiples of 1/2000 too, which is among the candidates as
// 400 is not; they are named as what they are, and not held against the law of 2,000
// draws.
func TestLatticeIsTheCoarsest(t *testing.T) {
	t.Parallel()
	rows := [][]float64{{123. / 400, 277. / 400}, {7. / 400, 393. / 400}, {200. / 400, 200. / 400}, {35. / 400, 365. / 400}}
	if n := Lattice(rows, 0x1p-50, 1, math.Inf(1)); n != 400 {
		t.Errorf("N = %g, want 400", n)
	}
}

// Of a few updates one may carry its law by luck; half of many do not.
func TestComputedNeedsMany(t *testing.T) {
	t.Parallel()
	for _, updates := range []int{1, 2, 7, 8, 40} {
		s := NewShares(2, 0x1p-50, Seen)
		for i := range updates {
			p := 0.3 + float64(i)/200
			s.Add(int64(i), []float64{p, 1 - p}, []float64{p, 1 - p}, 0)
		}
		if got, want := s.Computed(1e-6), updates >= 8; got != want {
			t.Errorf("%d updates: %v, want %v", updates, got, want)
		}
	}
}
