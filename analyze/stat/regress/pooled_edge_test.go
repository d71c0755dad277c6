package regress

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze/stat/moments"
)

// only keeps the rows for which the arm and the place among its rows do.
func (d pooledData) only(keep func(arm, nth int) bool) pooledData {
	out := d
	out.x, out.y, out.arm = make([][]float64, len(d.x)), nil, nil
	seen := make([]int, len(d.labels))
	for t, a := range d.arm {
		nth := seen[a]
		seen[a]++
		if !keep(int(a), nth) {
			continue
		}
		out.arm, out.y = append(out.arm, a), append(out.y, d.y[t])
		for j := range d.x {
			out.x[j] = append(out.x[j], d.x[j][t])
		}
	}
	return out
}

// coefficient finds one by name.
func coefficient(tb testing.TB, t *Table, name string) Coefficient {
	tb.Helper()
	j := t.place(name)
	if j < 0 {
		tb.Fatalf("no coefficient %q among %q", name, t.names())
	}
	return t.Coefficients[j]
}

// An arm of n pulls has as many columns as its rows allow, named; with
// interactions the others' coefficients and robust errors are those of the model
// without it, and its own HC3 errors do not exist.
func TestPooledFewPulls(t *testing.T) {
	all := randomPooled(61, 300, 2, 3)
	for n, dropped := range map[int][]string{
		0: {"arm[a2]", "arm[a2]:a", "arm[a2]:b"},
		1: {"arm[a2]:a", "arm[a2]:b"},
		2: {"arm[a2]:b"},
		3: nil,
	} {
		for _, offset := range []float64{0, 1e6} {
			d := all.only(func(arm, nth int) bool { return arm != 2 || nth < n })
			for i := range d.y {
				d.x[0][i] += offset
			}
			without := d.only(func(arm, _ int) bool { return arm != 2 })
			m := d.fitPooled(t, d.pooling(0, true, true))
			if diff := cmp.Diff(dropped, m.Dropped); diff != "" {
				t.Errorf("%d pulls, offset %g: dropped (-want +got):\n%s", n, offset, diff)
			}
			if m.LosesDigits() {
				t.Errorf("%d pulls: what %d rows leave no room for must not ask for a refit", n, n)
			}
			other := without.fitPooled(t, without.pooling(0, true, true))
			for _, kind := range []Kind{HC0, HC3} {
				got, want := d.robustPooled(t, m, kind), without.robustPooled(t, other, kind)
				if n > 0 {
					if len(got.Warnings) == 0 || !strings.Contains(got.Warnings[0], "leverage 1 enters arm[a2]") || math.Abs(got.MaxLeverage-1) > 1e-9 {
						t.Errorf("%d pulls: leverage %g, warnings %q", n, got.MaxLeverage, got.Warnings)
					}
					if c := coefficient(t, &got, "arm[a2]"); !math.IsNaN(c.StdErr) || math.IsNaN(c.Estimate) {
						t.Errorf("%d pulls: %+v", n, c)
					}
				}
				for _, name := range []string{InterceptName, "arm[a1]", "a", "b", "arm[a1]:a", "arm[a1]:b"} {
					g, w := coefficient(t, &got, name), coefficient(t, &want, name)
					if digits(g.Estimate, w.Estimate) < 8 || digits(g.StdErr, w.StdErr) < 8 {
						t.Errorf("%d pulls, offset %g, %s, %s: %.12g ± %.12g, without the arm %.12g ± %.12g", n, offset, kind, name, g.Estimate, g.StdErr, w.Estimate, w.StdErr)
					}
				}
			}
		}
	}
}

// Where the control has no rows the last arm takes its place, which is said.
func TestPooledControlWithoutRows(t *testing.T) {
	d := randomPooled(62, 300, 2, 4).only(func(arm, _ int) bool { return arm != 1 })
	for i := range d.y {
		d.x[1][i] += 1e6
	}
	m := d.fitPooled(t, d.pooling(1, true, true))
	if diff := cmp.Diff([]string{"arm[a3]", "arm[a3]:a", "arm[a3]:b"}, m.Dropped); diff != "" {
		t.Error(diff)
	}
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], `"a1" has no rows, so the others are compared with "a3"`) {
		t.Errorf("warnings %q", m.Warnings)
	}
	if m.LosesDigits() {
		t.Error("an arm in place of the control must not ask for a refit")
	}
	got := d.robustPooled(t, m, HC2)
	same := d.fitPooled(t, d.pooling(3, true, true))
	want := d.robustPooled(t, same, HC2)
	for _, c := range got.Coefficients {
		if w := coefficient(t, &want, c.Name); digits(c.Estimate, w.Estimate) < 8 || digits(c.StdErr, w.StdErr) < 8 {
			t.Errorf("%s: %g ± %g, with that arm as control %g ± %g", c.Name, c.Estimate, c.StdErr, w.Estimate, w.StdErr)
		}
	}
}

// More columns than rows in an arm, and in all.
func TestPooledWide(t *testing.T) {
	all := randomPooled(63, 200, 6, 3)
	d := all.only(func(arm, nth int) bool { return arm == 0 || nth < 4 })
	m := d.fitPooled(t, d.pooling(0, true, true))
	if m.Rank != 7+4+4 || m.LosesDigits() || m.DFResidual == 0 {
		t.Errorf("rank %d, want 7 of arm 0 and 4 of each other; dropped %q", m.Rank, m.Dropped)
	}
	d = all.only(func(_, nth int) bool { return nth < 2 })
	for _, o := range []Pooling{d.pooling(0, true, true), d.pooling(0, false, true), d.pooling(0, true, false), d.pooling(0, false, false)} {
		m = d.fitPooled(t, o)
		if m.Rank != 6 || m.DFResidual != 0 || !math.IsNaN(m.Sigma2) || len(m.Warnings) == 0 {
			t.Errorf("%+v: rank %d, df %d, σ² %g, warnings %q", o, m.Rank, m.DFResidual, m.Sigma2, m.Warnings)
		}
		for _, kind := range kinds {
			table := d.robustPooled(t, m, kind)
			for _, c := range table.Coefficients {
				if !math.IsNaN(c.StdErr) || math.IsNaN(c.Estimate) || math.Abs(c.Estimate) > 1e4 {
					t.Errorf("%s, %s: %g ± %g, want an estimate without an error", kind, c.Name, c.Estimate, c.StdErr)
				}
			}
		}
	}
}

// Equal rewards, near 0 and near 10⁹.
func TestPooledRewardsEqual(t *testing.T) {
	for _, reward := range []float64{0, 0.3, 1e9 + 0.1} {
		d := randomPooled(64, 90, 2, 3)
		for i := range d.y {
			d.y[i] = reward
		}
		m := d.fitPooled(t, d.pooling(0, true, true))
		if m.RSS != 0 || !math.IsNaN(m.RSquared) || !math.IsNaN(m.F) || m.LosesDigits() {
			t.Errorf("%g: %+v", reward, m)
		}
		for _, kind := range kinds {
			table := d.robustPooled(t, m, kind)
			for i, c := range table.Coefficients {
				want := 0.0
				if i == 0 {
					want = reward
				}
				if c.Estimate != want || c.StdErr != 0 || !math.IsNaN(c.Test(0, 0, -3).LogP) {
					t.Errorf("%g, %s: %+v", reward, kind, c)
				}
			}
		}
	}
}

// Constant and collinear columns, and one that is constant within an arm, near
// 0, 10⁶ and 10⁹.
func TestPooledDependent(t *testing.T) {
	for _, offset := range []float64{0, 1e6, 1e9} {
		d := randomPooled(65, 400, 2, 3)
		five, sum := make([]float64, 400), make([]float64, 400)
		for i := range five {
			for j := range 2 {
				d.x[j][i] = math.Round(d.x[j][i]*256)/256 + offset
			}
			if d.arm[i] == 1 {
				d.x[1][i] = 7 + offset // no slope of b in arm 1
			}
			five[i], sum[i] = 5+offset, d.x[0][i]-d.x[1][i]
		}
		d.x, d.names = append(d.x, five, sum), append(d.names, "five", "sum")
		for _, intercept := range []bool{true, false} {
			m := d.fitPooled(t, d.pooling(0, intercept, true))
			want := []string{"five", "sum", "arm[a1]:b", "arm[a1]:five", "arm[a2]:five", "arm[a1]:sum", "arm[a2]:sum"}
			if diff := cmp.Diff(want, m.Dropped); diff != "" {
				t.Errorf("offset %g, intercept %v: dropped (-want +got):\n%s", offset, intercept, diff)
			}
			table := d.robustPooled(t, m, HC3)
			for _, c := range table.Coefficients {
				if !(c.StdErr > 0) || math.Abs(c.Estimate) > 10*(1+offset) {
					t.Errorf("offset %g: %s is %g ± %g", offset, c.Name, c.Estimate, c.StdErr)
				}
			}
		}
	}
}

// Arms without a part in the model are skipped, everywhere.
func TestPooledPart(t *testing.T) {
	d := randomPooled(66, 300, 1, 4)
	byArm := d.byArm(t)
	byArm[0], byArm[2] = nil, nil
	m, err := FitPooled(byArm, d.pooling(1, true, true))
	if err != nil {
		t.Fatal(err)
	}
	rest := d.only(func(arm, _ int) bool { return arm == 1 || arm == 3 })
	if diff := cmp.Diff([]string{InterceptName, "arm[a3]", "a", "arm[a3]:a"}, m.Columns); diff != "" {
		t.Error(diff)
	}
	got := d.robustPooled(t, m, HC1)
	flat := rest.explicit(Pooling{Names: d.names, Labels: d.labels, Control: 1, Intercept: true, Interactions: true})
	flat.names, flat.x = []string{"arm[a3]", "a", "arm[a3]:a"}, [][]float64{flat.x[2], flat.x[3], flat.x[6]}
	want := flat.robust(t, flat.fit(true), HC1)
	for i, c := range want.Coefficients {
		if g := got.Coefficients[i]; len(got.Warnings) != len(want.Warnings) || g.Name != c.Name || digits(g.StdErr, c.StdErr) < 10 {
			t.Errorf("%+v, want %+v", g, c)
		}
	}
	r := NewRefit(m)
	if err = r.AddPooled(d.arm, d.x, d.y); err != nil {
		t.Fatal(err)
	}
	if _, err = r.Model(); err != nil {
		t.Error(err)
	}
	d.arm[5] = 4
	s, err := NewSandwich(m, HC1)
	if err != nil {
		t.Fatal(err)
	}
	if err = s.AddPooled(d.arm, d.x, d.y); err == nil || !strings.Contains(err.Error(), "row 5") {
		t.Errorf("an arm that does not exist must be refused with its row, got %v", err)
	}
}

func TestPooledRefuses(t *testing.T) {
	d := randomPooled(67, 60, 2, 3)
	byArm := d.byArm(t)
	for _, control := range []int{-1, 3} {
		if _, err := FitPooled(byArm, d.pooling(control, true, false)); err == nil || !strings.Contains(err.Error(), "control") {
			t.Errorf("control %d: %v", control, err)
		}
	}
	byArm[1] = nil
	if _, err := FitPooled(byArm, d.pooling(1, true, false)); err == nil {
		t.Error("a control without a part in the model must be refused")
	}
	many := make([]*moments.Cross, 300)
	for a := range many {
		many[a] = moments.NewCross(4)
	}
	p := Pooling{Names: []string{"a", "b", "c", "d"}, Labels: make([]string, 300), Intercept: true, Interactions: true}
	if _, err := FitPooled(many, p); err == nil || !strings.Contains(err.Error(), "leave interactions") {
		t.Errorf("1,499 columns must be refused, got %v", err)
	}
	p.Interactions = false
	m, err := FitPooled(many, p)
	if err != nil || m.Rank != 0 || len(m.Warnings) == 0 {
		t.Errorf("arms without any rows: %+v, %v", m, err)
	}
}

// Rows in a form that the model cannot take are the caller's mistake.
func TestPooledPanics(t *testing.T) {
	d := randomPooled(68, 60, 2, 2)
	plain, pooled := d.fit(true), d.fitPooled(t, d.pooling(0, true, false))
	second := func(m *Model) *Sandwich {
		s := sandwichOf(t, m, HC0)
		return s
	}
	for name, f := range map[string]func(){
		"block":        func() { second(pooled).AddBlock(d.x, d.y, nil) },
		"by arm":       func() { _ = AddByArm([]*Sandwich{second(pooled), nil}, d.arm, d.x, d.y) },
		"pooled":       func() { _ = second(plain).AddPooled(d.arm, d.x, d.y) },
		"refit block":  func() { NewRefit(pooled).AddBlock(d.x, d.y, nil) },
		"refit by arm": func() { _ = RefitByArm([]*Refit{NewRefit(pooled), nil}, d.arm, d.x, d.y) },
		"refit pooled": func() { _ = NewRefit(plain).AddPooled(d.arm, d.x, d.y) },
	} {
		func() {
			defer func() {
				if recover() != badModel {
					t.Errorf("%s: must panic", name)
				}
			}()
			f()
		}()
	}
}
