package regress

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// clusterOf numbers the clusters of n rows as the reference scripts do.
func clusterOf(name string, n int) []int64 {
	out := make([]int64, n)
	for t := range out {
		switch {
		case name == "uneven":
			out[t] = int64(math.Sqrt(float64(4 * t)))
		case name == "own", name == "mixed" && t < 20:
			out[t] = int64(t)
		case name == "mixed":
			out[t] = int64(20 + t/10)
		case name == "few":
			out[t] = int64(3 * t / 120)
		}
	}
	return out
}

// clusterModel is a data set of the reference scripts.
func clusterModel(tb testing.TB, name string) (dataset, *Model) {
	tb.Helper()
	d, _ := model(tb, "offset")
	extra := make([]float64, len(d.y))
	switch name {
	case "leverage":
		extra[4] = 1
		d.names, d.x = append(d.names, "row4"), append(d.x, extra)
	case "dropped":
		for t := range extra {
			extra[t] = (d.x[0][t] - 1e6) + (d.x[1][t] - 1e6)
		}
		d.names = []string{"x1", "x2", "sum", "x3"}
		d.x = [][]float64{d.x[0], d.x[1], extra, d.x[2]}
	}
	return d, d.fit(name != "offset/raw")
}

func (d dataset) clustered(tb testing.TB, m *Model, kind Kind, cluster []int64) Table {
	tb.Helper()
	return d.clusterPass(tb, m, kind, cluster).Table()
}

func (d dataset) clusterPass(tb testing.TB, m *Model, kind Kind, cluster []int64) *Clustered {
	tb.Helper()
	s := clusteredOf(tb, m, kind)
	if err := s.AddBlock(cluster, d.x, d.y, nil); err != nil {
		tb.Fatal(err)
	}
	return s
}

func find(tb testing.TB, t Table, name string) Coefficient {
	tb.Helper()
	for _, c := range t.Coefficients {
		if c.Name == name {
			return c
		}
	}
	tb.Fatalf("no coefficient %q", name)
	return Coefficient{}
}

func clusterQuantity(tb testing.TB, f []string) float64 {
	tb.Helper()
	d, m := clusterModel(tb, f[0])
	what, kind, ok := strings.Cut(f[2], "_CR")
	if !ok {
		what, kind = "", strings.TrimPrefix(f[2], "CR")
	}
	t := d.clusterPass(tb, m, Kind("CR"+kind), clusterOf(f[1], len(d.y))).formula()
	switch what {
	case "f":
		return t.Slopes().Statistic
	case "fp":
		return math.Exp(t.Slopes().LogP)
	}
	c := find(tb, t, f[3])
	r := c.Test(0, 0, math.Log(0.05))
	switch what {
	case "":
		return c.StdErr
	case "log_p":
		return r.LogP
	case "p":
		return math.Exp(r.LogP)
	case "lo":
		return r.Lo
	}
	return r.Hi
}

// 60-digit arithmetic, R 4.2.2 with sandwich 3.0.2, statsmodels 0.15.0: cluster
// errors with covariates near 10⁶, clusters of one row, fewer clusters than
// coefficients, a row of leverage 1 and a dropped column.
func TestClusteredReference(t *testing.T) {
	for _, r := range []struct {
		file string
		need float64
	}{{"clustered_exact.csv", 9}, {"clustered_r.csv", 12}, {"clustered_statsmodels.csv", 12}} {
		n, worst := 0, 17.0
		for _, f := range lines(t, "reference/"+r.file) {
			got, want := clusterQuantity(t, f), number(t, f[4])
			right := digits(got, want)
			worst = min(worst, right)
			if !(right >= r.need) {
				t.Errorf("%s %s: got %.15g, %.1f digits are right", r.file, f, got, right)
			}
			n++
		}
		if n < 80 {
			t.Fatalf("%s: only %d values", r.file, n)
		}
		t.Logf("%s: %d values, at least %.1f digits right", r.file, n, worst)
	}
}

// Where every row is its own cluster CR0 is HC0.
func TestClusteredOfOne(t *testing.T) {
	d := random(21, 700, 4)
	m := d.fit(true)
	got, want := d.clustered(t, m, CR0, clusterOf("own", 700)), d.robust(t, m, HC0)
	for i, c := range got.Coefficients {
		if digits(c.StdErr, want.Coefficients[i].StdErr) < 12 || c.DF != 699 || got.Clusters != 700 {
			t.Errorf("%s: %g on %g degrees of freedom, HC0 is %g", c.Name, c.StdErr, c.DF, want.Coefficients[i].StdErr)
		}
	}
	if got.MaxLeverage != want.MaxLeverage {
		t.Errorf("largest leverage %g, want %g", got.MaxLeverage, want.MaxLeverage)
	}
}

// However rows are cut into parts and blocks, clusters that go on in the next
// part are whole: the covariance is that of the definition, row by row.
func TestClusteredProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(0, 7).Draw(t, "p")
		n := rapid.IntRange(p+3, 700).Draw(t, "n")
		d := random(rapid.Uint64().Draw(t, "seed"), n, p)
		m := d.fit(rapid.Bool().Draw(t, "intercept"))
		cluster, share := make([]int64, n), rapid.Float64Range(0, 1).Draw(t, "share")
		step := rapid.Float64Range(0, 1)
		for i := 1; i < n; i++ {
			cluster[i] = cluster[i-1]
			if step.Draw(t, "step") < share {
				cluster[i] += 3
			}
		}
		var total *Clustered
		for from := 0; from < n; {
			to := min(n, from+rapid.IntRange(1, 400).Draw(t, "rows"))
			part := clusteredOf(t, m, CR0)
			x := make([][]float64, p)
			for j := range x {
				x[j] = d.x[j][from:to]
			}
			if err := part.AddBlock(cluster[from:to], x, d.y[from:to], nil); err != nil {
				t.Fatal(err)
			}
			if from = to; total == nil {
				total = part
			} else if err := total.Merge(part); err != nil {
				t.Fatal(err)
			}
		}
		got, want := total.Table(), clusterErrors(d, m, cluster)
		for i, c := range got.Coefficients {
			if got.Clusters > 1 && math.Abs(c.StdErr-want[i]) > 1e-8*(want[i]+1e-3) {
				t.Fatalf("%s: %g, by the definition %g", c.Name, c.StdErr, want[i])
			}
			if got.Clusters == 1 && !math.IsNaN(c.StdErr) {
				t.Fatalf("one cluster has error %g", c.StdErr)
			}
		}
	})
}

// clusterErrors is CR0 in the plain, by sums of weights times residuals.
func clusterErrors(d dataset, m *Model, cluster []int64) []float64 {
	sums, weights := map[int64][]float64{}, d.weights(m)
	for t, g := range cluster {
		e := d.y[t]
		for i, name := range m.Kept {
			e -= m.Estimates[i] * d.value(name, t)
		}
		if sums[g] == nil {
			sums[g] = make([]float64, m.Rank)
		}
		for i := range m.Rank {
			sums[g][i] += weights.At(i, t) * e
		}
	}
	out := make([]float64, m.Rank)
	for _, s := range sums {
		for i, v := range s {
			out[i] += v * v
		}
	}
	for i, v := range out {
		out[i] = math.Sqrt(v)
	}
	return out
}

// weights is (X'X)⁻¹·X' of the kept columns by QR.
func (d dataset) weights(m *Model) *mat.Dense {
	n := len(d.y)
	x, eye, out := mat.NewDense(n, max(1, m.Rank), nil), mat.NewDense(n, n, nil), &mat.Dense{}
	for t := range n {
		eye.Set(t, t, 1)
		for i, name := range m.Kept {
			x.Set(t, i, d.value(name, t))
		}
	}
	if m.Rank > 0 {
		if err := out.Solve(x, eye); err != nil {
			panic(err)
		}
	}
	return out
}

// value is a covariate by name, 1 for the intercept.
func (d dataset) value(name string, t int) float64 {
	for j, n := range d.names {
		if n == name {
			return d.x[j][t]
		}
	}
	return 1
}

func TestClusteredSpecial(t *testing.T) {
	d := random(22, 50, 2)
	m := d.fit(true)
	t.Run("kind", func(t *testing.T) {
		if _, err := NewClustered(m, HC1); err == nil || !strings.Contains(err.Error(), "CR1") {
			t.Errorf("HC1 must be refused with the names that are known, got %v", err)
		}
	})
	t.Run("one cluster", func(t *testing.T) {
		got := d.clustered(t, m, CR1, make([]int64, 50))
		if !math.IsNaN(got.Coefficients[1].StdErr) || got.Clusters != 1 || len(got.Warnings) != 1 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("no more clusters than columns", func(t *testing.T) {
		cluster := make([]int64, 50)
		for i := range cluster {
			cluster[i] = int64(i / 20)
		}
		got := d.clustered(t, m, CR1, cluster)
		if math.IsNaN(got.Coefficients[1].StdErr) || got.Clusters != 3 || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "rank") {
			t.Errorf("%+v", got)
		}
	})
	t.Run("few clusters", func(t *testing.T) {
		got := d.clustered(t, m, CR1, clusterOf("uneven", 50))
		if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "below 50") {
			t.Errorf("warnings %q", got.Warnings)
		}
	})
	t.Run("other rows", func(t *testing.T) {
		s := clusteredOf(t, m, CR0)
		if err := s.AddBlock(clusterOf("own", 50), d.x, d.y, []int32{0, 3, 7}); err != nil {
			t.Fatal(err)
		}
		if got := s.Table(); len(got.Warnings) != 2 || !math.IsNaN(got.Coefficients[0].StdErr) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("perfect fit", func(t *testing.T) {
		line := dataset{names: d.names[:1], x: d.x[:1], y: d.x[0]}
		if got := line.clustered(t, line.fit(true), CR1, clusterOf("uneven", 50)); got.Coefficients[1].StdErr != 0 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("no residual degrees of freedom", func(t *testing.T) {
		few := random(23, 3, 2)
		if got := few.clustered(t, few.fit(true), CR1, []int64{0, 1, 2}); !math.IsNaN(got.Coefficients[0].StdErr) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("no columns", func(t *testing.T) {
		none := random(24, 70, 0)
		if got := none.clustered(t, none.fit(false), CR1, clusterOf("own", 70)); len(got.Coefficients) != 0 || len(got.Warnings) != 0 || got.Clusters != 70 {
			t.Errorf("%+v", got)
		}
	})
}

// Three clusters leave the covariance of three slopes singular, so they have no
// joint test.
func TestClusteredJointOfFew(t *testing.T) {
	d, m := clusterModel(t, "offset")
	table := d.clustered(t, m, CR1, clusterOf("few", len(d.y)))
	if r := table.Slopes(); !math.IsNaN(r.LogP) || len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "clusters") {
		t.Errorf("%+v", r)
	}
}

// Numbers of clusters that fall would count a cluster twice.
func TestClusteredRefusesDisorder(t *testing.T) {
	d := random(25, 6, 1)
	m := d.fit(true)
	part := func(cluster ...int64) (*Clustered, error) {
		s, err := NewClustered(m, CR0)
		if err != nil {
			t.Fatal(err)
		}
		n := len(cluster)
		err = s.AddBlock(cluster, [][]float64{d.x[0][:n]}, d.y[:n], nil)
		return s, err
	}
	if _, err := part(0, 1, 0); err == nil || !strings.Contains(err.Error(), "cluster 0 comes after one of cluster 1") {
		t.Errorf("a cluster that comes back must be refused, got %v", err)
	}
	a, _ := part(0, 4)
	if b, _ := part(3, 4); a.Merge(b) == nil {
		t.Error("parts in the wrong order must be refused")
	}
	if err := a.AddBlock([]int64{2}, [][]float64{{1}}, []float64{1}, nil); err == nil {
		t.Error("a block in the wrong order must be refused")
	}
}

func TestClusteredByArm(t *testing.T) {
	const n = 3000
	d := random(26, n, 2)
	arm, cluster := make([]int32, n), make([]int64, n)
	for i := range arm {
		arm[i], cluster[i] = int32(i%4)-1, int64(i/7) // −1 is left out
	}
	dst, models := make([]*Clustered, 3), make([]*Model, 3)
	own := make([]dataset, 3)
	of := make([][]int64, 3)
	for _, a := range []int{0, 2} {
		own[a] = dataset{names: d.names, x: make([][]float64, 2)}
		for i := range d.y {
			if int(arm[i]) == a {
				own[a].y, of[a] = append(own[a].y, d.y[i]), append(of[a], cluster[i])
				own[a].x[0], own[a].x[1] = append(own[a].x[0], d.x[0][i]), append(own[a].x[1], d.x[1][i])
			}
		}
		models[a] = own[a].fit(true)
		var err error
		if dst[a], err = NewClustered(models[a], CR1); err != nil {
			t.Fatal(err)
		}
	}
	if err := AddClusteredByArm(dst, arm, cluster, d.x, d.y); err != nil {
		t.Fatal(err)
	}
	for _, a := range []int{0, 2} {
		got, want := dst[a].Table(), own[a].clustered(t, models[a], CR1, of[a])
		for i, c := range got.Coefficients {
			if len(got.Warnings) != 0 || digits(c.StdErr, want.Coefficients[i].StdErr) < 12 || got.Clusters != want.Clusters {
				t.Errorf("arm %d, %s: %g of %d clusters, alone %g of %d, warnings %q", a, c.Name, c.StdErr, got.Clusters, want.Coefficients[i].StdErr, want.Clusters, got.Warnings)
			}
		}
	}
	arm[7] = 3
	if err := AddClusteredByArm(dst, arm, cluster, d.x, d.y); err == nil || !strings.Contains(err.Error(), "row 7") {
		t.Errorf("an arm that does not exist must be refused with its row, got %v", err)
	}
}
