package regress

import (
	"slices"
	"strings"
	"testing"
)

// loadPooled reads pooled.csv, without the rows of the arm left out.
func loadPooled(tb testing.TB, without string) pooledData {
	tb.Helper()
	d := pooledData{dataset: dataset{names: []string{"age", "score"}, x: make([][]float64, 2)}}
	for _, label := range []string{"red", "green", "blue", "rare"} {
		if label != without {
			d.labels = append(d.labels, label)
		}
	}
	for _, f := range lines(tb, "reference/pooled.csv")[1:] {
		if f[1] == without {
			continue
		}
		d.y = append(d.y, number(tb, f[0]))
		d.arm = append(d.arm, int32(slices.Index(d.labels, f[1])))
		for j := range d.x {
			d.x[j] = append(d.x[j], number(tb, f[2+j]))
		}
	}
	return d
}

// pooledModel is the fit of a name as the reference files write it.
func pooledModel(tb testing.TB, name string) (pooledData, *Model) {
	tb.Helper()
	interactions := strings.HasSuffix(name, "/interactions")
	without := ""
	if interactions && !strings.HasPrefix(name, "rare") {
		without = "rare"
	}
	d := loadPooled(tb, without)
	return d, d.fitPooled(tb, d.pooling(1, !strings.Contains(name, "/raw"), interactions))
}

// pooledQuantity looks up a number of a pooled fit.
func pooledQuantity(tb testing.TB, d pooledData, m *Model, quantity, name string) float64 {
	tb.Helper()
	kind := Kind(quantity)
	switch quantity {
	case "rank":
		return float64(m.Rank)
	case "dropped":
		return float64(1 - min(1, slices.Index(m.Dropped, name)+1))
	case "r_squared":
		return m.RSquared
	case "adj_r_squared":
		return m.AdjRSquared
	case "sigma2":
		return m.Sigma2
	case "f_statistic":
		return m.F
	case "log_f_p":
		return m.LogFP
	case "max_leverage":
		return d.robustPooled(tb, m, Classical).MaxLeverage
	case "estimate":
		kind = Classical
	case "joint", "joint_log_p":
		kind = Kind(name)
	}
	table := d.sandwich(tb, m, kind).formula()
	if strings.HasPrefix(quantity, "joint") {
		return jointOfArms(tb, &table, quantity)
	}
	c := table.Coefficients[slices.Index(m.Kept, name)]
	if quantity == "estimate" {
		return c.Estimate
	}
	return c.StdErr
}

// jointOfArms tests that all indicators and interactions are 0.
func jointOfArms(tb testing.TB, table *Table, quantity string) float64 {
	tb.Helper()
	var names []string
	for _, c := range table.Coefficients {
		if strings.HasPrefix(c.Name, "arm") {
			names = append(names, c.Name)
		}
	}
	r, err := table.Joint(names, make([]float64, len(names)))
	if err != nil {
		tb.Fatal(err)
	}
	if quantity == "joint" {
		return r.Statistic
	}
	return r.LogP
}

func comparePooled(t *testing.T, path string) {
	t.Helper()
	n, worst := 0, 17.0
	for _, f := range lines(t, path) {
		d, m := pooledModel(t, f[0])
		got, want := pooledQuantity(t, d, m, f[1], f[2]), number(t, f[3])
		right := digits(got, want)
		worst = min(worst, right)
		if !(right >= 9) {
			t.Errorf("%s: got %.15g, %.1f digits are right", f, got, right)
		}
		n++
	}
	if n < 100 {
		t.Fatalf("%s: only %d values", path, n)
	}
	t.Logf("%s: %d values, at least %.1f digits right", path, n, worst)
}

// R 4.2.2 lm and sandwich 3.0.2 (regress_pooled.R): estimates, errors of every
// kind, joint tests of all arms, largest leverage, and what is dropped where an
// arm has two rows.
func TestPooledR(t *testing.T) { comparePooled(t, "reference/regress_pooled_r.csv") }

// statsmodels 0.15.0 with use_t (regress_pooled_statsmodels.py).
func TestPooledStatsmodels(t *testing.T) {
	comparePooled(t, "reference/regress_pooled_statsmodels.csv")
}
