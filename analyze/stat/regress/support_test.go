package regress

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// An arm of few pulls beside arms of hundreds: what no row tells of has no
// robust error and no p, alone or together, and what rests on few rows says so.
func TestFewPulls(t *testing.T) {
	all := randomPooled(71, 900, 2, 3)
	for _, c := range []struct {
		pulls     int
		equal     bool // all rewards 1, no covariates matter
		undefined bool
		words     string
	}{
		{1, false, true, "leverage 1"},
		{2, false, true, "fewer than 5 ROWS carry arm[a2]"},
		{4, false, true, "fewer than 5 ROWS carry arm[a2]"},
		{6, false, false, "few ROWS carry arm[a2] (about 6."},
		{2, true, true, "residuals are 0 carry arm[a2]"},
		{3, true, true, "residuals are 0 carry arm[a2]"},
		{20, true, true, "residuals are 0 carry arm[a2]"},
		{20, false, false, "few ROWS carry arm[a2] (about 2"},
	} {
		d := all.only(func(arm, nth int) bool { return arm != 2 || nth < c.pulls })
		if c.equal {
			d.x, d.names = nil, nil
			for i, a := range d.arm {
				if a == 2 {
					d.y[i] = 1
				}
			}
		}
		m := d.fitPooled(t, d.pooling(0, true, false))
		tables := map[Kind]Table{}
		for _, kind := range []Kind{HC0, HC1, HC2, HC3} {
			tables[kind] = d.robustPooled(t, m, kind)
		}
		for _, kind := range []Kind{CR0, CR1} {
			tables[kind] = d.ownClusters(t, m, kind)
		}
		for kind, table := range tables {
			t.Run(fmt.Sprintf("%s/%d pulls, equal %t", kind, c.pulls, c.equal), func(t *testing.T) {
				checkSupport(t, &table, c.undefined, c.words)
			})
		}
	}
}

func (d pooledData) ownClusters(tb testing.TB, m *Model, kind Kind) Table {
	tb.Helper()
	s := clusteredOf(tb, m, kind)
	cluster := make([]int64, len(d.y))
	for i := range cluster {
		cluster[i] = int64(i)
	}
	if err := s.AddPooled(d.arm, cluster, d.x, d.y); err != nil {
		tb.Fatal(err)
	}
	return s.Table()
}

// checkSupport looks at the last arm and at the one before, which has many rows.
func checkSupport(t *testing.T, table *Table, undefined bool, words string) {
	t.Helper()
	blocks := "rows"
	if table.Clusters > 0 {
		blocks = "clusters"
	}
	words = strings.ReplaceAll(words, "ROWS", blocks)
	c := coefficient(t, table, "arm[a2]")
	if math.IsNaN(c.StdErr) != undefined || math.IsNaN(c.Test(0, 0, -3).LogP) != undefined {
		t.Errorf("%+v", c)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], words) || strings.Contains(c.Warnings[0], "use HC1") {
		t.Errorf("warnings %q, want %q", c.Warnings, words)
	}
	if undefined != strings.Contains(strings.Join(c.Warnings, ""), "drop or merge the column") {
		t.Errorf("advice in %q", c.Warnings)
	}
	if len(table.Warnings) != 1 || !strings.Contains(table.Warnings[0], "arm[a2]") || strings.Contains(table.Warnings[0], "arm[a1]") {
		t.Errorf("warnings of the table: %q", table.Warnings)
	}
	if other := coefficient(t, table, "arm[a1]"); math.IsNaN(other.StdErr) || len(other.Warnings) > 0 {
		t.Errorf("%+v", other)
	}
	joint, err := table.Joint([]string{"arm[a1]", "arm[a2]"}, []float64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		name     string
		logP     float64
		warnings []string
	}{{"joint", joint.LogP, joint.Warnings}, {"slopes", table.Slopes().LogP, table.Slopes().Warnings}} {
		if math.IsNaN(r.logP) != undefined || !strings.Contains(strings.Join(r.warnings, "; "), words) {
			t.Errorf("%s: ln p %g, warnings %q", r.name, r.logP, r.warnings)
		}
	}
}

// With interactions an arm of d+1 rows is fitted perfectly: all its rows have
// leverage 1, and none of its coefficients a robust error.
func TestSaturatedArm(t *testing.T) {
	d := randomPooled(72, 900, 2, 3).only(func(arm, nth int) bool { return arm != 2 || nth < 3 })
	m := d.fitPooled(t, d.pooling(0, true, true))
	for _, table := range []Table{
		d.robustPooled(t, m, HC0), d.robustPooled(t, m, HC1), d.robustPooled(t, m, HC2), d.robustPooled(t, m, HC3),
		d.ownClusters(t, m, CR0), d.ownClusters(t, m, CR1),
	} {
		for _, c := range table.Coefficients {
			if own := strings.HasPrefix(c.Name, "arm[a2]"); math.IsNaN(c.StdErr) != own || (len(c.Warnings) > 0) != own {
				t.Errorf("%s: %+v", table.Kind, c)
			}
		}
	}
}

// A classical error takes its variance from all rows, so it exists; that one
// row carries the coefficient is said.
func TestClassicalFewPulls(t *testing.T) {
	d := randomPooled(73, 900, 2, 3).only(func(arm, nth int) bool { return arm != 2 || nth < 1 })
	table := d.robustPooled(t, d.fitPooled(t, d.pooling(0, true, false)), Classical)
	c := coefficient(t, &table, "arm[a2]")
	if math.IsNaN(c.StdErr) || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "(about 1.03), below 30: the p-value leans on normal errors") {
		t.Errorf("%+v", c)
	}
}

// A column that varies in one cluster only: by construction the residuals of
// that cluster tell nothing of its error, however few rows it marks beside the
// cluster's others.
func TestColumnOfOneCluster(t *testing.T) {
	for _, marked := range []int{1, 10, 40} {
		for _, step := range []int{7, 2000} {
			d := random(74, 2000, 2)
			cluster, column := make([]int64, 2000), make([]float64, 2000)
			for i := range cluster {
				cluster[i] = int64(i / 40)
				if i >= 400 && i < 400+marked {
					column[i] = 1
				}
			}
			d.x, d.names = append(d.x, column), append(d.names, "one cluster")
			m := d.fit(true)
			for _, kind := range []Kind{CR0, CR1} {
				total := clusteredOf(t, m, kind)
				for from := 0; from < 2000; from += step {
					part := clusteredOf(t, m, kind)
					to := min(2000, from+step)
					x := [][]float64{d.x[0][from:to], d.x[1][from:to], d.x[2][from:to]}
					if err := part.AddBlock(cluster[from:to], x, d.y[from:to], nil); err != nil {
						t.Fatal(err)
					}
					if err := total.Merge(part); err != nil {
						t.Fatal(err)
					}
				}
				table := total.Table()
				for _, c := range table.Coefficients {
					if own := c.Name == "one cluster"; math.IsNaN(c.StdErr) != own || (len(c.Warnings) > 0) != own {
						t.Errorf("%s, %d rows, chunks of %d: %+v", kind, marked, step, c)
					}
				}
			}
		}
	}
}

// A column that 12 clusters share is said to rest on about so many, one that
// all share is not.
func TestFewClustersCarry(t *testing.T) {
	d := random(75, 4000, 1)
	cluster, column := make([]int64, 4000), make([]float64, 4000)
	for i := range cluster {
		cluster[i] = int64(i / 20)
		if cluster[i]%17 == 0 {
			column[i] = 1
		}
	}
	d.x, d.names = append(d.x, column), append(d.names, "shared")
	table := d.clustered(t, d.fit(true), CR1, cluster)
	for _, c := range table.Coefficients {
		few := c.Name == "shared"
		if math.IsNaN(c.StdErr) || (len(c.Warnings) == 1) != few {
			t.Errorf("%+v", c)
		}
		if few && !strings.Contains(c.Warnings[0], "few clusters carry shared (about 13") {
			t.Errorf("%+v", c)
		}
	}
}

// Shares of partial leverage are those of the weights written out.
func TestSupportWeights(t *testing.T) {
	d := random(76, 50, 2)
	m := d.fit(true)
	s := sandwichOf(t, m, HC3)
	s.AddBlock(d.x, d.y, nil)
	w := d.weights(m)
	for j := range m.Rank {
		squares, total := 0.0, 0.0
		for i := range d.y {
			v := w.At(j, i)
			total += v * v
		}
		for i := range d.y {
			if v := w.At(j, i); s.model.leverageOf(d, i) > examined {
				squares += v * v / total * (v * v / total)
			}
		}
		if digits(s.support.squares[j], squares) < 9 {
			t.Errorf("%s: Σp² is %g, written out %g", m.Kept[j], s.support.squares[j], squares)
		}
	}
}

// leverageOf is that of row i.
func (m *Model) leverageOf(d dataset, i int) float64 {
	s, err := NewSandwich(m, Classical)
	if err != nil {
		panic(err)
	}
	s.AddBlock(d.x, d.y, []int32{int32(i)})
	return s.leverage
}
