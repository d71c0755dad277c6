package ingest

import (
	"context"
	"math"
	"strconv"

	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// ArmOrder is an order of the arms that the log itself tells, by a column of
// lists by arm.
type ArmOrder struct {
	Column string `json:"column"` // whose lists are in that order; "" where nothing tells it
	Why    string `json:"why"`
}

// inOrderOfArms reports whether a role reads the lists of a column in the order
// of arms.
func inOrderOfArms(r role, p *profile) bool {
	switch r {
	case rolePropensityByArm, roleContextByArm, roleRewardByArm, roleReleasedByArm:
		return true
	case roleEligible:
		return p.column.Kind == pages.Bool
	default:
		return false
	}
}

// tellOrder puts the arms of a draft in the order of the lists of propensities,
// where the log tells it: in every row of the sample the entry of the arm that
// was played is the logged propensity, under one assignment of arms to entries
// and no other. Equal propensities of two arms tell nothing.
func (g *guesser) tellOrder(ctx context.Context, d *Draft) error {
	logged, lists, arms := g.by[rolePropensity], g.by[rolePropensityByArm], g.by[roleAction]
	if logged == nil || lists == nil || len(d.Arms) == 0 || lists.lists.length != len(d.Arms) || len(d.Arms) > sampleWidth {
		return nil
	}
	m := newMatching(d.Arms)
	m.column, m.played, m.logged = lists.name, arms.hashes, logged.hashes
	row := 0
	for _, at := range g.s.chosen() {
		if err := stopped(ctx); err != nil {
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
	order := m.only()
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

// matching says which entries of lists can belong to which arms.
type matching struct {
	arms map[uint64]int // by the hash of the label
	can  [][]bool       // by arm, by entry

	column         string   // of the lists
	played, logged []uint64 // by row of the sample: hashes of the label and of the propensity
}

func newMatching(labels []string) *matching {
	m := &matching{arms: map[uint64]int{}, can: make([][]bool, len(labels))}
	for i, l := range labels {
		m.arms[hashOf(l)] = i
		m.can[i] = make([]bool, len(labels))
		for k := range m.can[i] {
			m.can[i][k] = true
		}
	}
	return m
}

// compare rules out entries by n rows of a row group, of which the first is the
// given row of the sample. A file without the column says nothing.
func (m *matching) compare(f *pages.File, group, row, n int) error {
	c, err := f.Column(m.column)
	if err != nil || n == 0 {
		return nil
	}
	if c.Depth != 1 || !inFloats(c) || wholeNumbers(c) {
		clear(m.can) // of another type here, which nothing is compared with
		return nil
	}
	cur, err := f.List(group, c, len(m.can))
	if err != nil {
		return err
	}
	defer cur.Close()
	var b pages.Block
	for left := n; left > 0; {
		got, err := cur.Next(&b, min(left, blockRows))
		if err != nil {
			return err
		}
		for i := range got {
			arm, known := m.arms[m.played[row]]
			if p := m.logged[row]; known && p != 0 && !b.Null[i] && !b.ItemNulls[i] {
				m.rule(arm, p, b.Float[i*b.Width:(i+1)*b.Width])
			}
			row++
		}
		left -= got
	}
	return nil
}

// rule keeps the entries of an arm that have the value of a hash.
func (m *matching) rule(arm int, logged uint64, list []float64) {
	for k, can := range m.can[arm] {
		if can && hashOf(floatLabel(list[k])) != logged {
			m.can[arm][k] = false
		}
	}
}

// only returns the entry of every arm, where there is one assignment alone; else
// nil. A graph with one perfect matching has a vertex with one edge, and what is
// left without it has one again.
func (m *matching) only() []int {
	entry := make([]int, len(m.can))
	for i := range entry {
		entry[i] = -1
	}
	for range m.can {
		arm, at := m.forced(entry)
		if arm < 0 {
			return nil
		}
		entry[arm] = at
		for other := range m.can {
			m.can[other][at] = false
		}
	}
	return entry
}

// forced returns an arm without an entry that one alone can belong to.
func (m *matching) forced(entry []int) (arm, at int) {
	for arm, can := range m.can {
		count, last := 0, -1
		for k, ok := range can {
			if ok {
				count, last = count+1, k
			}
		}
		if entry[arm] < 0 && count == 1 {
			return arm, last
		}
	}
	return -1, -1
}

// floatLabel is what stands for a float in a profile's hashes.
func floatLabel(v float64) string { return strconv.FormatUint(math.Float64bits(v), 36) }
