package ingest

import (
	"encoding/binary"
	"math"
	"testing"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// FuzzConverter makes small blocks of all roles from arbitrary bytes, as cursors
// would hand them over. Nothing panics; and what has no fault is what a tableau
// may hold.
func FuzzConverter(f *testing.F) {
	f.Add([]byte{0}, uint8(0))
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, uint8(0xff))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\xe0\x3f"), uint8(2))
	f.Add([]byte("\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03"), uint8(4))
	f.Fuzz(func(t *testing.T, data []byte, settings uint8) {
		d := &dice{data: data}
		p := bare()
		if settings&1 != 0 {
			p.Reward.OutOfRange = schemas.OutOfRangeClip
		}
		if settings&2 != 0 {
			p.Log.MissingReward = schemas.MissingExclude
		}
		n, w := 1+d.upTo(3), 1+d.upTo(2)
		columns := []given{d.arms(n), d.floats(role.Reward, n), d.floats(role.Propensity, n)}
		if settings&4 != 0 {
			columns[1] = d.lists(role.RewardByArm, n, shape{3, 1})
		}
		columns = append(columns, d.lists(role.PropensityByArm, n, shape{3, 1}), d.lists(role.ContextByArm, n, shape{3, w}),
			d.lists(role.ReleasedByArm, n, shape{3, 1}), d.names(n), d.ints(role.Batch, n))
		try := newAttempt(p, abc(), columns...)
		out := try.run(t)
		if !try.faults.Any() {
			holds(t, out, n, w, settings&2 != 0)
		} else if try.faults.Err().Error() == "" {
			t.Error("a fault without words")
		}
	})
}

// holds checks what a tableau's reader checks.
func holds(t *testing.T, out *converted, n, w int, missing bool) {
	t.Helper()
	for i, arm := range out.Arm {
		row := func(values []float64) []float64 { return values[i*3 : (i+1)*3] }
		y, probabilities := out.Reward[i], row(out.PropensityByArm)
		switch {
		case arm < 0 || arm > 2 || !out.Eligible[i*3+int(arm)]:
			t.Errorf("arm %d, eligible %v", arm, out.Eligible[i*3:])
		case !(y >= 0 && y <= 1) && !(missing && math.IsNaN(y)):
			t.Errorf("reward %v", y)
		case out.RewardByArm != nil && !sameBits(y, row(out.RewardByArm)[arm]):
			t.Errorf("reward %v of %v", y, row(out.RewardByArm))
		case !(out.Propensity[i] >= tableau.MinPropensity && out.Propensity[i] <= 1):
			t.Errorf("propensity %v", out.Propensity[i])
		case !(probabilities[arm] >= tableau.MinPropensity):
			t.Errorf("propensities %v", probabilities)
		case out.Batch[i] < 0:
			t.Errorf("batch %d", out.Batch[i])
		}
		for _, p := range probabilities {
			if !(p >= 0 && p <= 1) {
				t.Errorf("propensities %v", probabilities)
			}
		}
	}
	if len(out.ContextByArm) != n*3*w || len(out.ReleasedByArm) != n*3 || !cell.AllFinite(out.ContextByArm) || !cell.AllFinite(out.ReleasedByArm) {
		t.Errorf("values by arm %v, %v", out.ContextByArm, out.ReleasedByArm)
	}
}

// dice draws from bytes; when they are used up it draws what is right.
type dice struct{ data []byte }

func (d *dice) upTo(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	v := int(d.data[0]) % (n + 1)
	d.data = d.data[1:]
	return v
}

func (d *dice) float() float64 {
	switch d.upTo(7) {
	case 7:
		if len(d.data) < 8 {
			return 1
		}
		v := math.Float64frombits(binary.LittleEndian.Uint64(d.data))
		d.data = d.data[8:]
		return v
	case 6:
		return math.NaN()
	case 5:
		return 1e-101
	case 4:
		return -0.5
	case 3:
		return 0
	}
	return 0.5
}

func (d *dice) nulls(g *given, n int) {
	for i := range n {
		if d.upTo(9) == 9 && !g.block.Null[i] {
			g.block.Null[i] = true
			g.block.Nulls++
		}
	}
}

func (d *dice) arms(n int) given {
	names := make([]string, n)
	for i := range names {
		names[i] = []string{"a", "b", "c", "a", "b", "c", "a", "b", "c", "d", "", "\xff"}[d.upTo(11)]
	}
	g := textOf(role.Action, names)
	d.nulls(&g, n)
	return g
}

func (d *dice) floats(r role.Role, n int) given {
	values := make([]float64, n)
	for i := range values {
		values[i] = d.float()
	}
	g := flatOf(r, values)
	d.nulls(&g, n)
	return g
}

func (d *dice) ints(r role.Role, n int) given {
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(d.upTo(200)) - 100
	}
	kinds := []pages.Kind{pages.Int, pages.Uint, pages.Bool, pages.Date, pages.Timestamp, pages.Decimal}
	g := intsOf(r, kinds[d.upTo(len(kinds)-1)], values)
	d.nulls(&g, n)
	return g
}

// lists are lists of a shape, most of them; or of lists of it.
func (d *dice) lists(r role.Role, n int, s shape) given {
	rows := make([][][]float64, n)
	for i := range rows {
		outer := s.outer
		if d.upTo(7) == 7 {
			outer = d.upTo(5)
		}
		rows[i] = make([][]float64, outer)
		for k := range rows[i] {
			inner := s.inner
			if d.upTo(7) == 7 {
				inner = d.upTo(4)
			}
			for range inner {
				rows[i][k] = append(rows[i][k], d.float())
			}
		}
	}
	g := nestedOf(r, s, rows...)
	if r != role.ContextByArm {
		flat := make([][]float64, n)
		for i := range rows {
			flat[i] = []float64{}
			for _, list := range rows[i] {
				flat[i] = append(flat[i], list...)
			}
		}
		g = listsOf(r, s, flat...)
	}
	d.nulls(&g, n)
	for i := range n {
		g.block.ItemNulls[i] = d.upTo(15) == 15
	}
	return g
}

func (d *dice) names(n int) given {
	lists := make([][]string, n)
	for i := range lists {
		lists[i] = []string{"a", "b", "c"}
		if d.upTo(3) == 3 {
			lists[i] = lists[i][d.upTo(3):]
		}
		if d.upTo(7) == 7 {
			lists[i] = append(lists[i], []string{"a", "x", "\xff"}[d.upTo(2)])
		}
	}
	g := namesOf(role.Eligible, 3, lists...)
	d.nulls(&g, n)
	return g
}

// What the protocol does not declare is nil.
func TestConvertedUndeclared(t *testing.T) {
	out := newAttempt(bare(), abc(), chosen(0), flatOf(role.Reward, []float64{0})).good(t)
	if out.Propensity != nil || out.Eligible != nil || out.Batch != nil || out.ContextByArm != nil || out.ReleasedByArm != nil || out.RewardByArm != nil || out.PropensityByArm != nil || len(out.X) > 0 {
		t.Errorf("got %+v", out)
	}
	if out.Experiment[0] != 0 {
		t.Errorf("the only experiment is number %d", out.Experiment[0])
	}
}

// Bytes that are used up draw what is right, so that the fuzzer starts from
// blocks without a fault.
func TestDiceOfNothing(t *testing.T) {
	d := new(dice)
	columns := []given{
		d.arms(2), d.lists(role.RewardByArm, 2, shape{3, 1}), d.lists(role.PropensityByArm, 2, shape{3, 1}), d.lists(role.ContextByArm, 2, shape{3, 2}),
		d.lists(role.ReleasedByArm, 2, shape{3, 1}), d.names(2), d.ints(role.Batch, 2),
	}
	holds(t, newAttempt(bare(), abc(), columns...).good(t), 2, 2, false)
}
