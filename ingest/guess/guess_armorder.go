package guess

import (
	"context"
	"math"
	"strconv"

	"banditaudit/ingest/armorder"
	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// ArmOrder is an order of the arms that the log itself tells, by a column of
// lists by arm.
type ArmOrder struct {
	Column string `json:"column"` // whose lists are in that order; "" where nothing tells it
	Why    string `json:"why"`
}

// tellOrder puts the arms of a draft in the order of the lists of propensities,
// where the log tells it: in every row of the sample the entry of the arm that
// was played is the logged propensity, under one assignment of arms to entries
// and no other. Equal propensities of two arms tell nothing.
func (g *guesser) tellOrder(ctx context.Context, d *Draft) error {
	logged, lists, arms := g.by[role.Propensity], g.by[role.PropensityByArm], g.by[role.Action]
	if logged == nil || lists == nil || len(d.Arms) == 0 || lists.lists.length != len(d.Arms) || len(d.Arms) > min(sampleWidth, armorder.MostArms) {
		return nil
	}
	m := newOrderMatching(d.Arms)
	m.column, m.played, m.logged = lists.name, arms.hashes, logged.hashes
	row := 0
	for _, at := range g.s.chosen() {
		if err := fault.Stopped(ctx); err != nil {
			return err
		}
		err := g.s.within(&at.source, func(f *pages.File) error {
			n := g.s.share(&at, row)
			defer func() { row += n }()
			return m.compare(f, at.group, row, n)
		})
		if err != nil {
			return err
		}
	}
	order := m.Only()
	if order == nil {
		return nil
	}
	sorted := append([]string(nil), d.Arms...)
	for arm, entry := range order {
		d.Arms[entry] = sorted[arm]
	}
	d.ArmOrder = ArmOrder{
		Column: lists.name,
		Why:    "in the order of the lists in " + schemas.Printable(lists.name) + ": the entry of the played arm is " + schemas.Printable(logged.name) + " in all rows of the sample under this order alone",
	}
	return nil
}

// orderMatching compares rows of a sample, to find which entries of lists belong to
// which arms.
type orderMatching struct {
	*armorder.Matching

	arms           map[uint64]int // by the hash of the label
	column         string         // of the lists
	played, logged []uint64       // by row of the sample: hashes of the label and of the propensity
}

func newOrderMatching(labels []string) *orderMatching {
	m := &orderMatching{Matching: armorder.New(len(labels)), arms: map[uint64]int{}}
	for i, l := range labels {
		m.arms[hashOf(l)] = i
	}
	return m
}

// compare rules out entries by n rows of a row group, of which the first is the
// given row of the sample. A file without the column says nothing.
func (m *orderMatching) compare(f *pages.File, group, row, n int) error {
	c, err := f.Column(m.column)
	if err != nil || n == 0 {
		return nil
	}
	if c.Depth != 1 || !cell.Fractions(c) {
		m.None() // of another type here, which nothing is compared with
		return nil
	}
	cur, err := f.List(group, c, m.Arms())
	if err != nil {
		return err
	}
	defer cur.Close()
	var b pages.Block
	for left := n; left > 0; {
		got, err := cur.Next(&b, min(left, cell.BlockRows))
		if err != nil {
			return err
		}
		for i := range got {
			arm, known := m.arms[m.played[row]]
			if p := m.logged[row]; known && p != 0 && !b.Null[i] && !b.ItemNulls[i] {
				list := b.Float[i*b.Width : (i+1)*b.Width]
				m.Keep(arm, func(entry int) bool { return hashOf(floatLabel(list[entry])) == p })
			}
			row++
		}
		left -= got
	}
	return nil
}

// floatLabel is what stands for a float in a profile's hashes.
func floatLabel(v float64) string { return strconv.FormatUint(math.Float64bits(v), 36) }
