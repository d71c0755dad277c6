package truth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/replay"
)

// TestRuns are the samples of every cell of the tables of tests; of a difference,
// whose bets take a search for every value, DifferenceRuns.
const (
	TestRuns       = 400
	DifferenceRuns = 100
)

// away is how many standard errors of its estimate a value is away from the truth
// that a test is to find.
const away = 6

// Shape is a law of rewards in [0, 1].
type Shape struct {
	Name     string
	Mean, SD float64
	Draw     func(r *rand.Rand) float64
}

// Shapes are the laws by which the default test was chosen. Rewards of 0 and 1 by
// type are not among them: their default is exact.
func Shapes() []Shape {
	return []Shape{
		{"uniform", .5, math.Sqrt(1. / 12), (*rand.Rand).Float64},
		{"narrow (mean of twelve uniform)", .5, 1. / 12, func(r *rand.Rand) float64 {
			sum := 0.0
			for range 12 {
				sum += r.Float64()
			}
			return sum / 12
		}},
		{"0 and 1 as numbers, 5 %", .05, math.Sqrt(.05 * .95), func(r *rand.Rand) float64 { return flip(r, .05) }},
		power(.05),
		revenue(),
	}
}

// power is the law Beta(a, 1), of u^(1/a).
func power(a float64) Shape {
	mean := a / (a + 1)
	return Shape{
		fmt.Sprintf("skewed (Beta(%g, 1))", a), mean, math.Sqrt(a/(a+2) - float64(mean*mean)),
		func(r *rand.Rand) float64 { return math.Pow(r.Float64(), 1/a) },
	}
}

// Of ten customers one buys, for e^(−5 + z), z normal, and for 1 at most.
const (
	buyers = .1
	spent  = -5.0
)

// revenue is heavy-tailed, and bounded by the range.
func revenue() Shape {
	first, second := spending(1), spending(2)
	mean := buyers * first
	return Shape{
		"revenue (10 % buy, lognormal, cut at 1)", mean, math.Sqrt(float64(buyers*second) - float64(mean*mean)),
		func(r *rand.Rand) float64 {
			if r.Float64() >= buyers {
				return 0
			}
			return min(1, math.Exp(spent+r.NormFloat64()))
		},
	}
}

// spending is E min(1, e^(spent + z))^k.
func spending(k float64) float64 {
	below := func(x float64) float64 { return .5 * math.Erfc(-x/math.Sqrt2) }
	return float64(math.Exp(float64(k*spent)+k*k/2)*below(-spent-k)) + below(spent)
}

func flip(r *rand.Rand, p float64) float64 {
	if r.Float64() < p {
		return 1
	}
	return 0
}

// Candidates are the tests of which one could be the default, in the table's order.
func Candidates() []string { return []string{"hoeffding", "bernstein", "bets"} }

// Cell is what the tests do with samples of one shape, at one level.
type Cell struct {
	Shape      Shape
	Rows       int // of each arm
	Level      float64
	Difference bool      // of two arms of that shape
	Width      []float64 // mean width of the interval, by candidate
	Power      []float64 // share of samples in which a value away by 6 standard errors is rejected
	T          float64   // share in which Student's t rejects the truth
}

// sampled is a sample as tests read it.
type sampled struct {
	moments.Scalar

	bets moments.Bets
}

func (s Shape) sample(r *rand.Rand, n int) sampled {
	var out sampled
	y, bet := make([]float64, n), moments.NewBetting(0, 1)
	for i := range y {
		y[i] = s.Draw(r)
		bet.Add(&out.bets, y[i])
	}
	out.Add(y)
	return out
}

func (s *sampled) betted() hypothesis.Betted {
	return hypothesis.Betted{Bets: s.bets, Mean: s.Mean, Hi: 1}
}

// ofMean are the candidates' answers about a mean, at a value.
func (s *sampled) ofMean(value, logLevel float64) []hypothesis.Result {
	bounded, betted := hypothesis.BoundedRows(s.Scalar, 0, 1), s.betted()
	return []hypothesis.Result{
		hypothesis.Hoeffding(bounded, value, hypothesis.TwoSided, logLevel),
		hypothesis.Bernstein(bounded, value, hypothesis.TwoSided, logLevel),
		hypothesis.Bets(&betted, value, hypothesis.TwoSided, logLevel),
	}
}

// ofDifference are those about a difference.
func ofDifference(a, b *sampled, value, logLevel float64) []hypothesis.Result {
	pair := hypothesis.BoundedPairRows(a.Scalar, b.Scalar, 0, 1)
	return []hypothesis.Result{
		hypothesis.HoeffdingDifference(pair, value, hypothesis.TwoSided, logLevel),
		hypothesis.BernsteinDifference(pair, value, hypothesis.TwoSided, logLevel),
		hypothesis.BetsDifference(&hypothesis.BettedPair{A: a.betted(), B: b.betted()}, value, hypothesis.TwoSided, logLevel),
	}
}

// tried is what one sample came to.
type tried struct {
	width, found [3]float64
	t            float64
}

// Try fills in a cell from a number of samples.
func (c *Cell) Try(runs int) error {
	all, err := mechanisms.Each(runs, func(i int) (tried, error) { return c.once(int64(i + 1)), nil })
	if err != nil {
		return err
	}
	c.Width, c.Power = make([]float64, len(Candidates())), make([]float64, len(Candidates()))
	for _, one := range all {
		for i := range c.Width {
			c.Width[i] += one.width[i] / float64(runs)
			c.Power[i] += one.found[i] / float64(runs)
		}
		c.T += one.t / float64(runs)
	}
	return nil
}

func (c *Cell) once(run int64) tried {
	r, logLevel := rand.New(rand.NewChaCha8(replay.Seed(run))), math.Log(c.Level)
	a := c.Shape.sample(r, c.Rows)
	se, truth := c.Shape.SD/math.Sqrt(float64(c.Rows)), c.Shape.Mean
	t := hypothesis.Student(a.Scalar, truth, hypothesis.TwoSided, logLevel)
	answers := a.ofMean(c.beside(se), logLevel)
	if c.Difference {
		b := c.Shape.sample(r, c.Rows)
		t = hypothesis.Welch(a.Scalar, b.Scalar, 0, hypothesis.TwoSided, logLevel)
		answers = ofDifference(&a, &b, away*math.Sqrt2*se, logLevel)
	}
	out := tried{}
	for i, answer := range answers {
		out.width[i] = answer.Hi - answer.Lo
		if answer.LogP <= logLevel {
			out.found[i] = 1
		}
	}
	if t.LogP <= logLevel {
		out.t = 1
	}
	return out
}

// beside is a value away from the mean, on the side where the range has more room.
func (c *Cell) beside(se float64) float64 { return min(1, c.Shape.Mean+float64(away*se)) }

// Cells are the cells that the page has, of one mean or of differences.
func Cells(difference bool) []Cell {
	rows := []int{100, 1_000, 10_000}
	if difference {
		rows = rows[:2]
	}
	var out []Cell
	for _, s := range Shapes() {
		for _, n := range rows {
			for _, level := range []float64{.05, .001, 1e-6} {
				out = append(out, Cell{Shape: s, Rows: n, Level: level, Difference: difference})
			}
		}
	}
	return out
}

// tally is a cell as it is kept: to the six digits that are more than are printed.
func (c *Cell) tally() Tally {
	six := func(x []float64) []float64 {
		out := make([]float64, len(x))
		for i := range x {
			out[i] = digits(x[i])
		}
		return out
	}
	return Tally{T: digits(c.T), Width: six(c.Width), Power: six(c.Power)}
}

// digits rounds to six.
func digits(x float64) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err != nil {
		panic(err) // what was printed just now
	}
	return out
}

// cellLines is the table of cells as they were kept.
func cellLines(cells []Cell, k *Kept) string {
	if k == nil {
		return uncounted + "\n"
	}
	var b strings.Builder
	b.WriteString("| rewards | rows | level | t rejects the truth |")
	for _, name := range Candidates() {
		fmt.Fprintf(&b, " %s: width | finds |", name)
	}
	b.WriteString("\n|---|---|---|---|" + strings.Repeat("---|---|", len(Candidates())) + "\n")
	for i := range cells {
		b.WriteString(cells[i].line(&k.Cells[i]))
	}
	return b.String()
}

func (c *Cell) line(of *Tally) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %d | %g | %.3g |", c.Shape.Name, c.Rows, c.Level, of.T)
	for i := range of.Width {
		fmt.Fprintf(&b, " %.3g | %.3g |", of.Width[i], of.Power[i])
	}
	b.WriteString("\n")
	return b.String()
}

const testsTitle = `
## The default test

Where a protocol names no test, one is taken that holds at every number of rounds. It was
chosen once, from these tables, and never by the rewards of a log. Rewards of 0 and 1 by
type are tested exactly. Of other rewards, one mean is tested by ` + "`bets`" + `: it has the
narrowest interval at every shape and level with 100 and 1,000 rows, by a factor of up to
four; at 10,000 ` + "`bernstein`" + ` is narrower by some 6 %% at level .05 where rewards vary much. A
difference, and a mean by unit, are tested by ` + "`bernstein`" + `: ` + "`bets`" + ` has no form by unit, and of a
difference it is asked only where means are declared constant. With 100 rows of each arm
` + "`hoeffding`" + ` is narrower at most shapes, and finds more where rewards vary as much as uniform
ones; from 1,000 rows on ` + "`bernstein`" + ` is narrower, but at one shape and level, by a hundredth.
These tables alone, in a minute of processor time:

    go run ./cmd/banditlab truth -rows '^tests/'

Each cell is the mean of %d samples (%d of a difference): the width of the two-sided
interval of rewards in [0, 1], and the share in which a value is rejected that is %d standard
errors above the truth. (Against rewards of which one in thousands may be 1, no test that
holds at every number of rounds denies a larger mean soon.) Levels below .05 are what a
correction asks of the raw p. Beside them is how often t, which is the default no more,
rejects the truth (Welch's of a difference).

`

// testsHeads are the titles of the two tables.
func testsHeads() []string {
	return []string{"### One mean", "### A difference of two arms, rows of each"}
}
