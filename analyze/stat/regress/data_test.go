package regress

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze/stat/moments"
)

// dataset is a table of testdata: a response and named covariates.
type dataset struct {
	names []string
	x     [][]float64
	y     []float64
}

// sandwichOf is the pass of a model over rows of their own.
func sandwichOf(tb interface{ Fatal(...any) }, m *Model, kind Kind) *Sandwich {
	out, err := NewSandwich(m, kind)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// clusteredOf is the pass of a model over rows of clusters.
func clusteredOf(tb interface{ Fatal(...any) }, m *Model, kind Kind) *Clustered {
	out, err := NewClustered(m, kind)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// lines returns the comma-separated fields of a file below testdata, comments
// left out.
func lines(tb testing.TB, path string) [][]string {
	tb.Helper()
	f, err := os.Open("../../../testdata/" + path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var out [][]string
	for s := bufio.NewScanner(f); s.Scan(); {
		if text := strings.TrimSpace(s.Text()); text != "" && text[0] != '#' {
			out = append(out, strings.Split(text, ","))
		}
	}
	return out
}

func number(tb testing.TB, s string) float64 {
	tb.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func load(tb testing.TB, path string) dataset {
	tb.Helper()
	rows := lines(tb, path)
	d := dataset{names: rows[0][1:], x: make([][]float64, len(rows[0])-1)}
	for _, r := range rows[1:] {
		d.y = append(d.y, number(tb, r[0]))
		for j, s := range r[1:] {
			d.x[j] = append(d.x[j], number(tb, s))
		}
	}
	return d
}

func (d dataset) cross() *moments.Cross {
	c := moments.NewCross(len(d.x))
	c.AddBlock(d.x, d.y, nil)
	return c
}

func (d dataset) fit(intercept bool) *Model { return Fit(d.cross(), d.names, intercept) }

func (d dataset) robust(tb testing.TB, m *Model, kind Kind) Table {
	tb.Helper()
	s := sandwichOf(tb, m, kind)
	s.AddBlock(d.x, d.y, nil)
	return s.Table()
}

// formula is robust without regard to what the coefficients rest on, as other
// programs have it.
func (d dataset) formula(tb testing.TB, m *Model, kind Kind) Table {
	tb.Helper()
	s := sandwichOf(tb, m, kind)
	s.AddBlock(d.x, d.y, nil)
	return s.formula()
}

// model returns the data set and the fit of a name as the reference files
// write it: "offset" with an intercept, "offset/raw" without.
func model(tb testing.TB, name string) (dataset, *Model) {
	tb.Helper()
	base, _, raw := strings.Cut(name, "/")
	path := "nist/" + base + ".csv"
	if base == "offset" {
		path = "reference/offset.csv"
	}
	d := load(tb, path)
	switch {
	case base == "filip":
		d = d.powers(10)
	case strings.HasPrefix(base, "wampler"):
		d = d.powers(5)
	}
	m := d.fit(!raw)
	if m.LosesDigits() {
		m = d.refit(tb, m)
	}
	return d, m
}

// powers returns d with x², …, x^degree of its one covariate.
func (d dataset) powers(degree int) dataset {
	for k := 2; k <= degree; k++ {
		col := make([]float64, len(d.y))
		for t, v := range d.x[0] {
			col[t] = d.x[k-2][t] * v
		}
		d.x, d.names = append(d.x, col), append(d.names, fmt.Sprintf("x^%d", k))
	}
	return d
}

func (d dataset) refit(tb testing.TB, m *Model) *Model {
	tb.Helper()
	r := NewRefit(m)
	r.AddBlock(d.x, d.y, nil)
	out, err := r.Model()
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// digits returns the number of correct decimal digits of got, at most 17.
func digits(got, want float64) float64 {
	if got == want {
		return 17
	}
	return -math.Log10(math.Abs(got-want) / math.Abs(want))
}

// quantity looks up a number of a fit by the names of the reference files.
func quantity(tb testing.TB, d dataset, m *Model, kind, name string) float64 {
	tb.Helper()
	scalars := map[string]float64{
		"rss": m.RSS, "sigma2": m.Sigma2, "residual_sd": math.Sqrt(m.Sigma2), "r_squared": m.RSquared,
		"adj_r_squared": m.AdjRSquared, "f_statistic": m.F, "log_f_p": m.LogFP, "condition": m.ConditionNumber,
	}
	if v, ok := scalars[kind]; ok {
		return v
	}
	if kind == "max_leverage" {
		return d.robust(tb, m, HC0).MaxLeverage
	}
	t := m.Classical()
	if kind[0] == 'H' {
		t = d.formula(tb, m, Kind(kind))
	}
	if p, ok := strings.CutPrefix(kind, "p_"); ok {
		t = d.formula(tb, m, Kind(p))
	}
	for _, c := range t.Coefficients {
		if c.Name == name {
			return field(tb, c, kind)
		}
	}
	tb.Fatalf("no coefficient %q", name)
	return 0
}

func field(tb testing.TB, c Coefficient, kind string) float64 {
	tb.Helper()
	r := c.Test(0, 0, math.Log(0.05))
	switch {
	case kind == "estimate":
		return c.Estimate
	case kind == "log_p":
		return r.LogP
	case kind == "ci_lo":
		return r.Lo
	case kind == "ci_hi":
		return r.Hi
	case strings.HasPrefix(kind, "p_"):
		return math.Exp(r.LogP)
	}
	return c.StdErr
}
