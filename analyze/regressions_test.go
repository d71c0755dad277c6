package analyze

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// dense is one regression by textbook formulas on its whole design.
type dense struct {
	names   []string
	rows    []int // of the log
	x       *mat.Dense
	y       []float64
	inverse mat.Dense // (X'X)⁻¹
	weights mat.Dense // (X'X)⁻¹·X'
	b, e    []float64
}

// fitDense fits columns of some rows of a log; ok is false where the design is
// not of full rank by far.
func fitDense(l *blockLog, rows []int, names []string, column func(row, j int) float64) (d *dense, ok bool) {
	n, p := len(rows), len(names)
	if n <= p+1 {
		return nil, false
	}
	d = &dense{names: names, rows: rows, x: mat.NewDense(n, p, nil)}
	for i, row := range rows {
		d.y = append(d.y, l.Reward[row])
		for j := range names {
			d.x.Set(i, j, column(row, j))
		}
	}
	var gram mat.Dense
	gram.Mul(d.x.T(), d.x)
	if c := mat.Cond(&gram, 2); !(c < 1e6) || d.inverse.Inverse(&gram) != nil {
		return nil, false
	}
	d.weights.Mul(&d.inverse, d.x.T())
	d.b, d.e = make([]float64, p), slices.Clone(d.y)
	for j := range p {
		for i, y := range d.y {
			d.b[j] += d.weights.At(j, i) * y
		}
	}
	for i := range d.e {
		for j := range p {
			d.e[i] -= d.x.At(i, j) * d.b[j]
		}
	}
	return d, true
}

// errors are standard errors from the sums of scores over clusters.
func (d *dense) errors(factor float64, cluster func(i int) int64, scale func(h float64) float64) []float64 {
	n, p := d.x.Dims()
	sums := map[int64][]float64{}
	for i := range n {
		g := cluster(i)
		if sums[g] == nil {
			sums[g] = make([]float64, p)
		}
		for j := range p {
			sums[g][j] += d.weights.At(j, i) * d.e[i] * scale(d.leverage(i))
		}
	}
	out := make([]float64, p)
	for _, s := range sums {
		for j, v := range s {
			out[j] += v * v
		}
	}
	for j := range out {
		out[j] = math.Sqrt(out[j] * factor)
	}
	return out
}

func (d *dense) leverage(i int) float64 { return d.hat(i, i) }

// hat is h_ki.
func (d *dense) hat(k, i int) float64 {
	h := 0.0
	for j := range d.b {
		h += d.x.At(k, j) * d.weights.At(j, i)
	}
	return h
}

// regressionLog is a block log with two covariates.
func regressionLog(t *rapid.T) *blockLog {
	l := drawBlockLog(t)
	l.byArm, l.before = rapid.Bool().Draw(t, "by arm"), rapid.IntRange(0, len(l.Arm)).Draw(t, "before")
	l.X = make([][]float64, 2)
	for i := range l.Arm {
		for j := range l.X {
			v := rapid.Float64Range(-1, 1).Draw(t, "x")
			v = math.Round(v*100) / 100
			if j == 0 {
				v = math.Round(v * 4) // few values, that contexts come again
			}
			l.X[j] = append(l.X[j], v+0) // no negative zero
		}
		if y := l.Reward[i]; y == y {
			l.Reward[i] = math.Round(y*100) / 100
		}
	}
	return l
}

// covariates are their names.
func (l *blockLog) covariates() []string {
	if l.byArm {
		return []string{"features[0]", "features[1]"}
	}
	return []string{"visits", "age"}
}

// declareRegressions draws what is asked of a log.
func declareRegressions(t *rapid.T, l *blockLog) (*schemas.Protocol, *schemas.RegressionSpec) {
	p := blockProtocol(rapid.Bool().Draw(t, "softmax"))
	p.Experiment.Stopping = schemas.StoppingFixed
	p.Analysis.Alpha, p.Analysis.Control, p.Analysis.Chosen = 0.05, "b", schemas.ChosenBefore
	p.Reward.Range = []float64{0, 1}
	if l.byArm {
		p.Log.ContextByArm = "features"
	}
	spec := schemas.RegressionSpec{Name: "main", Arms: rapid.SampledFrom([]string{"each", "a", "pooled"}).Draw(t, "arms")}
	spec.Intercept = new(rapid.Bool().Draw(t, "intercept"))
	spec.Interactions = spec.Arms == "pooled" && rapid.Bool().Draw(t, "interactions")
	if rapid.Bool().Draw(t, "columns") {
		spec.Columns = l.covariates()[1:]
	}
	spec.Covariance = rapid.SampledFrom([]schemas.Covariance{
		{Kind: "classical"}, {Kind: "HC0"}, {Kind: "HC1"}, {Kind: "HC2"}, {Kind: "HC3"}, {Kind: "CR0", Cluster: "unit"}, {Kind: "CR1", Cluster: "unit"}, {Kind: "CR1", Cluster: "batch"},
	}).Draw(t, "covariance")
	p.Analysis.Regressions = []schemas.RegressionSpec{spec}
	return p, &p.Analysis.Regressions[0]
}

// inputOf is what Run reads of a log.
func inputOf(t interface{ Fatal(...any) }, l *blockLog, s *tableau.Slice, p *schemas.Protocol, jobs int) *Input {
	labels := []string{"a", "b", "c", "d"}
	d, err := conformance.Declare(Standard(), p, labels)
	if err != nil {
		t.Fatal(err)
	}
	m := &schemas.Manifest{Arms: labels, Declared: true, Context: []string{"visits", "age"}, Reward: schemas.RewardColumn{Type: "float"}}
	e := schemas.ManifestExperiment{ID: "shop", Rows: s.Rows()}
	for arm := range labels {
		n := int64(0)
		for row, y := range l.Reward {
			if int(l.Arm[row]) == arm && y != y {
				n++
			}
		}
		if n > 0 {
			e.Counts = append(e.Counts, schemas.ArmCount{Reason: schemas.ReasonMissing, Arm: arm, Rows: n})
		}
	}
	m.Experiments = []schemas.ManifestExperiment{e}
	in := &Input{Log: publiclog.New(d, m, 0, s)}
	in.Jobs = jobs
	return in
}

// design are the columns that a regression has in a log, and the rows of model
// arm, −1 for all.
func design(l *blockLog, spec *schemas.RegressionSpec, arm int) (rows []int, names []string, column func(row, j int) float64) {
	labels := []string{"a", "b", "c", "d"}
	covariates, places := l.covariates(), []int{0, 1}
	if len(spec.Columns) > 0 {
		covariates, places = covariates[1:], places[1:]
	}
	var value []func(row int) float64
	add := func(name string, f func(row int) float64) { names, value = append(names, name), append(value, f) }
	if *spec.Intercept {
		add("(intercept)", func(int) float64 { return 1 })
	}
	is := func(row, a int) float64 {
		if int(l.Arm[row]) == a {
			return 1
		}
		return 0
	}
	for a := 0; arm < 0 && a < 3; a++ { // nobody plays the last
		if a != 1 || !*spec.Intercept {
			add("arm["+labels[a]+"]", func(row int) float64 { return is(row, a) })
		}
	}
	for i, j := range places {
		add(covariates[i], func(row int) float64 { return l.X[j][row] })
	}
	for i, j := range places {
		for a := 0; spec.Interactions && a < 3; a++ {
			if a != 1 {
				add("arm["+labels[a]+"]:"+covariates[i], func(row int) float64 { return is(row, a) * l.X[j][row] })
			}
		}
	}
	for row, a := range l.Arm {
		if y := l.Reward[row]; y == y && (arm < 0 || int(a) == arm) {
			rows = append(rows, row)
		}
	}
	return rows, names, func(row, j int) float64 { return value[j](row) }
}

// Declared regressions of random logs, with units, batches, delays and missing
// rewards, against textbook formulas on the whole design.
func TestRegressionsAgainstDense(t *testing.T) {
	outer, compared, clustered := t, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := regressionLog(t)
		p, spec := declareRegressions(t, l)
		in := inputOf(t, l, l.open(outer), p, rapid.IntRange(1, 3).Draw(t, "jobs"))
		out, err := Run(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		costs := rowCosts(t, accountsOf(t, in.Slice, p))
		for i := range out.Experiment.Regressions {
			rec := &out.Experiment.Regressions[i]
			rows, names, column := design(l, spec, rec.Arm)
			d, ok := fitDense(l, rows, names, column)
			if !ok || len(rec.Coefficients) != len(names) {
				continue
			}
			compared++
			check := &denseCheck{T: t, l: l, in: in, spec: spec, rec: rec, d: d, costs: costs}
			check.estimates()
			check.bounds()
			if check.sound() {
				clustered++
				check.errors()
				check.corrections()
			} else if rec.FStatistic != nil || rec.Coefficients[0].StdError != nil || rec.Coefficients[0].PCorrected != nil || rec.Sigma != nil {
				t.Fatalf("errors of dependent rows: %+v", rec)
			}
		}
	})
	// Of 100 random logs some 70 and 13 are; nought says that nothing was tested.
	// -short draws too few to say so.
	if !testing.Short() && (compared == 0 || clustered == 0) {
		t.Errorf("%d regressions were compared, %d with errors", compared, clustered)
	}
}

// denseCheck holds one record against the textbook.
type denseCheck struct {
	*rapid.T
	l     *blockLog
	in    *Input
	spec  *schemas.RegressionSpec
	rec   *schemas.Regression
	d     *dense
	costs []float64
}

func (c *denseCheck) near(what string, got *float64, want float64) {
	c.Helper()
	c.within(what, got, want, 1e-10)
}

// within is near to 1e-7, or to an absolute error.
func (c *denseCheck) within(what string, got *float64, want, absolute float64) {
	c.Helper()
	if got == nil || !(math.Abs(*got-want) <= 1e-7*math.Abs(want)+absolute) {
		c.Fatalf("%s: %v, want %v (%+v)", what, show(got), want, c.spec)
	}
}

func show(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// block is what a row is revealed with: its unit, its batch, or itself.
func (c *denseCheck) block(row int) int64 {
	switch {
	case publiclog.Repeated(c.in.Slice):
		return c.l.Unit[row]
	case c.spec.Covariance.Cluster == "batch":
		return int64(c.l.Batch.Batch[row])
	}
	return int64(row)
}

// totals are the costs of blocks, over all their rows.
func (c *denseCheck) totals() map[int64]float64 {
	total := map[int64]float64{}
	for row, cost := range c.costs {
		total[c.block(row)] += cost
	}
	return total
}

// sound says whether errors may be given.
func (c *denseCheck) sound() bool {
	return !publiclog.Repeated(c.in.Slice) || c.spec.Covariance.Cluster == "unit"
}

func (c *denseCheck) estimates() {
	if c.rec.N != int64(len(c.d.y)) || c.rec.Rank != len(c.d.names) {
		c.Fatalf("%d rows of rank %d, want %d and %d", c.rec.N, c.rec.Rank, len(c.d.y), len(c.d.names))
	}
	highest := 0.0
	for i := range c.d.y {
		highest = max(highest, c.d.leverage(i))
	}
	c.near("leverage", c.rec.MaxLeverage, highest)
	for j, name := range c.d.names {
		if c.rec.Coefficients[j].Name != name {
			c.Fatalf("coefficient %d is %s, want %s", j, c.rec.Coefficients[j].Name, name)
		}
		c.near(name, c.rec.Coefficients[j].Estimate, c.d.b[j])
	}
}

func (c *denseCheck) bounds() {
	total := c.totals()
	tau := make([]float64, len(c.d.rows))
	squares := 0.0
	for i, row := range c.d.rows {
		tau[i] = math.Tanh(total[c.block(row)] / 4)
		squares += tau[i] * tau[i]
	}
	for j, name := range c.d.names {
		want := 0.0
		for i := range tau {
			want += math.Abs(c.d.weights.At(j, i)) * tau[i]
		}
		c.near("bias of "+name, c.rec.Coefficients[j].BiasBound, want)
	}
	c.near("bias in root mean square", c.rec.BiasRMS, math.Sqrt(squares/float64(len(tau))))
	worst := 0.0
	contexts := map[string]bool{}
	for k := range tau {
		sum := 0.0
		for i := range tau {
			sum += math.Abs(c.d.hat(k, i)) * tau[i]
		}
		worst = max(worst, sum)
		contexts[fmt.Sprint(mat.Row(nil, k, c.d.x))] = true
	}
	c.near("worst bias", c.rec.BiasWorst, worst)
	if c.rec.Contexts == nil || *c.rec.Contexts != int64(len(contexts)) {
		c.Fatalf("other than %d contexts", len(contexts))
	}
}

// wantErrors are the standard errors and the degrees of freedom of their tests.
func (c *denseCheck) wantErrors() (se []float64, df float64) {
	n, p := float64(len(c.d.y)), float64(len(c.d.b))
	own := func(i int) int64 { return int64(i) }
	flat := func(float64) float64 { return 1 }
	df = n - p
	switch c.spec.Covariance.Kind {
	case "classical":
		rss := 0.0
		for _, e := range c.d.e {
			rss += e * e
		}
		for j := range c.d.b {
			se = append(se, math.Sqrt(rss/(n-p)*c.d.inverse.At(j, j)))
		}
		return se, df
	case "HC0":
		return c.d.errors(1, own, flat), df
	case "HC1":
		return c.d.errors(n/(n-p), own, flat), df
	case "HC2":
		return c.d.errors(1, own, func(h float64) float64 { return 1 / math.Sqrt(1-h) }), df
	case "HC3":
		return c.d.errors(1, own, func(h float64) float64 { return 1 / (1 - h) }), df
	}
	seen := map[int64]bool{}
	cluster := func(i int) int64 {
		row := c.d.rows[i]
		if c.spec.Covariance.Cluster == "batch" {
			return int64(c.l.Batch.Batch[row])
		}
		return c.l.Unit[row]
	}
	for i := range c.d.rows {
		seen[cluster(i)] = true
	}
	g, factor := float64(len(seen)), 1.0
	if c.spec.Covariance.Kind == "CR1" {
		factor = g / (g - 1) * (n - 1) / (n - p)
	}
	if c.rec.Clusters == nil || *c.rec.Clusters != int64(len(seen)) {
		c.Fatalf("%v clusters, want %v", c.rec.Clusters, g)
	}
	return c.d.errors(factor, cluster, flat), g - 1
}

func (c *denseCheck) errors() {
	full := false
	for i := range c.d.y {
		full = full || c.d.leverage(i) > 1-1e-8
	}
	se, df := c.wantErrors()
	if df < 1 || full && (c.spec.Covariance.Kind == "HC2" || c.spec.Covariance.Kind == "HC3") {
		return // there are none
	}
	for j, name := range c.d.names {
		got := &c.rec.Coefficients[j]
		if kind := c.spec.Covariance.Kind; got.StdError == nil && kind != "" && kind != "classical" {
			continue // it rests on next to nothing; regress says when
		}
		c.within("error of "+name, got.StdError, se[j], 1e-7) // the root of a rounding error
		want := hypothesis.Location{Estimate: c.d.b[j], StdErr: se[j], DF: df}.Test(0, hypothesis.TwoSided, math.Log(0.05))
		if got.CI != nil && se[j] > 1e-2 {
			c.near("interval of "+name, &got.CI[0], want.Lo)
			c.near("interval of "+name, &got.CI[1], want.Hi)
		}
	}
}

// corrections: σ over all blocks that touch the rows of the model's arms, also
// where those rows' own rewards are missing.
func (c *denseCheck) corrections() {
	touched := map[int64]bool{}
	for row, arm := range c.l.Arm {
		if c.rec.Arm < 0 || int(arm) == c.rec.Arm {
			touched[c.block(row)] = true
		}
	}
	sum := 0.0
	for b, cost := range c.totals() {
		if touched[b] {
			sum += 2 * maxinfo.RhoBR(cost)
		}
	}
	sigma := math.Sqrt(sum)
	if c.rec.Sigma == nil || !(math.Abs(float64(*c.rec.Sigma)-sigma) <= 1e-9*(sigma+1e-9)) {
		c.Fatalf("σ %v, want %v", *c.rec.Sigma, sigma)
	}
	for i := range c.rec.Coefficients {
		k := &c.rec.Coefficients[i]
		if k.Log2P == nil {
			if k.PCorrected != nil {
				c.Fatal("a corrected p of none")
			}
			continue
		}
		want := math.Exp(maxinfo.Corrected(float64(*k.Log2P)*math.Ln2, sigma))
		c.near("corrected p", k.PCorrected, want)
		if k.CICorrected != nil && (k.CICorrected[0] > k.CI[0] || k.CICorrected[1] < k.CI[1]) {
			c.Fatalf("corrected interval %v of %v", k.CICorrected, k.CI)
		}
	}
}
