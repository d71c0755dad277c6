package conformance

import (
	"cmp"
	"math"
	"slices"

	"banditaudit/schemas"
)

// unexplained is the largest share of rows that a hypothesis may leave beyond
// tolerance and still fit: of all rows on which it was tried, and of those among
// them that are beyond tolerance without it.
const unexplained = 0.01

// tried is a row of the log on which hypotheses are tried.
type tried struct {
	row      int64 // of the experiment, from 0
	arm      int
	eligible []bool // nil: all
	p        float64
	byArm    []float64 // logged propensities of all arms; nil where they are not
	want     []float64 // recomputed under the declared policy
	beyond   bool      // tolerance, of want
	shares   bool      // those of all arms may be shares of draws, and are new in this row
	floor    float64   // that is mixed into them
	draws    float64   // by which these were estimated, where the log says it row by row; 0 otherwise
	low      float64   // least number of these, where nobody says how many; 0 otherwise
}

// arms returns how many arms are eligible.
func (o *tried) arms() int {
	if len(o.eligible) == 0 {
		return len(o.want)
	}
	m := 0
	for _, e := range o.eligible {
		if e {
			m++
		}
	}
	return m
}

// can reports whether an arm is eligible.
func (o *tried) can(arm int) bool { return len(o.eligible) == 0 || o.eligible[arm] }

// tally counts what a hypothesis explains.
type tally struct {
	rows, explained int64
	beyond, mended  int64 // rows that are beyond tolerance without it, and those of them that it explains
	largest         float64
	free            int // numbers that were fitted to the rows
	lean            lean
	silent          bool // see comparison.silent
}

// add compares what was logged in a row with what a hypothesis says.
func (t *tally) add(c *comparison, o *tried, want []float64) {
	t.lean.add(o, want)
	t.silent = c.silent(t.free)
	size := math.Abs(o.p - want[o.arm])
	good := near(o.p, want[o.arm], c.action)
	for a, p := range o.byArm {
		size = max(size, math.Abs(p-want[a]))
		good = good && near(p, want[a], c.byArm)
	}
	t.rows++
	if !(size <= 1) {
		size = 1 // no number at all is as wrong as can be
	}
	t.largest = max(t.largest, size)
	if o.beyond {
		t.beyond++
	}
	if good {
		t.explained++
		if o.beyond {
			t.mended++
		}
	}
}

// fits reports whether all but a share unexplained of the rows are explained,
// of all and of those that the declared policy does not explain, and more than it
// explains. Of these it takes more than two for each number that was fitted: one
// row alone is explained by many a number. None fits where nothing is to be explained
// (see comparison.silent).
func (t *tally) fits() bool {
	enough := func(of, all int64) bool { return float64(all-of) <= float64(unexplained*float64(all)) }
	return !t.silent && t.mended > int64(2*t.free) && enough(t.explained, t.rows) && enough(t.mended, t.beyond) && t.explained > t.declared()
}

// declared is how many of the rows the declared policy explains.
func (t *tally) declared() int64 { return t.rows - t.beyond }

// hopeless reports whether a hypothesis cannot fit any more on so many rows.
func (t *tally) hopeless(rows int) bool {
	return float64(t.rows-t.explained) > float64(unexplained*float64(rows))
}

// says makes the tally a hypothesis of results. settles is what would be declared
// of it, "" where nothing would.
func (t *tally) says(name, words, settles string) schemas.Hypothesis {
	h := schemas.Hypothesis{Name: name, Words: words, Rows: t.rows, Explained: t.explained, Declared: new(t.declared()), Fits: t.fits()}
	if settles != "" {
		h.Settles = &settles
	}
	if t.rows > 0 {
		h.Largest = new(t.largest)
	}
	return h
}

// kinds are the names of hypotheses. Of several that explain as much the first
// is named first: what a log got wrong before what the policy did, and what has
// a name in the declared policy before what has none.
func kinds() []string {
	return []string{"same-instant", "stale", "swapped", "uniform-rows", "cadence", "parameter", "prior", "floor", "clipped-floor"}
}

// ranked sorts hypotheses: those that fit first, then by the share of rows that
// they explain, then by kind.
func ranked(all []schemas.Hypothesis) []schemas.Hypothesis {
	share := func(h *schemas.Hypothesis) float64 { return float64(h.Explained) / float64(max(1, h.Rows)) }
	order := kinds()
	slices.SortStableFunc(all, func(a, b schemas.Hypothesis) int {
		if a.Fits != b.Fits {
			return map[bool]int{true: -1, false: 1}[a.Fits]
		}
		return cmp.Or(cmp.Compare(share(&b), share(&a)), cmp.Compare(b.Rows, a.Rows), cmp.Compare(slices.Index(order, a.Name), slices.Index(order, b.Name)))
	})
	return all
}
