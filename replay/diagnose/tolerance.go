package diagnose

import (
	"math"

	"banditaudit/ingest/precision"
	"banditaudit/schemas"
)

// A logged propensity p counts as the recomputed q where
//
//	|p − q| ≤ 10⁻⁶·max(p, q) + 10⁻⁸ + w
//
// The first two terms are room for columns of float32 and for another order of
// roundings. w is what p may be off by, as it is written in the log.
const (
	Relative = 1e-6
	Absolute = 1e-8
)

// Near reports whether a logged p counts as q where what p is written with is added
// to what is always allowed.
func Near(p, q float64, written precision.Ends) bool {
	beyond := math.Abs(p-q) - float64(Relative*max(p, q)) - Absolute
	return beyond <= 0 || beyond <= written.At(p)
}

// band returns the recomputed propensities as which a logged one counts (see
// Near).
func band(p float64, written precision.Ends) span {
	slack := written.At(p)
	return span{p - float64(Relative*p) - Absolute - slack, (p + Absolute + slack) / (1 - Relative)}
}

// Tolerance judges by rows: those whose logged propensities are within tolerance of
// what a hypothesis says.
type Tolerance struct {
	Action, ByArm precision.Ends // how the propensities of the actions, and of all arms, are written
	// Starting says that all that differs is how the policy begins, which no hypothesis
	// is about.
	Starting bool
	// Arithmetic says that no more differs than other arithmetic makes, to which a
	// number can always be fitted.
	Arithmetic bool
}

// Explains reports whether a row is within tolerance of what is wanted of it.
func (j *Tolerance) Explains(r *Row, want []float64) bool {
	good := Near(r.P, want[r.Arm], j.Action)
	for a, p := range r.ByArm {
		good = good && Near(p, want[a], j.ByArm)
	}
	return good
}

// unexplained is the largest share of rows that a hypothesis may leave beyond
// tolerance and still fit: of all rows on which it was tried, and of those among
// them that are beyond tolerance without it.
const unexplained = 0.01

// tally counts what a hypothesis explains.
type tally struct {
	rows, explained int64
	beyond, mended  int64 // rows beyond tolerance without the hypothesis; those that it explains
	largest         float64
	free            int // numbers that were fitted to the rows
	lean            lean
}

// add compares what was logged in a row with what a hypothesis says.
func (t *tally) add(j *Tolerance, r *Row, want []float64) {
	t.lean.add(r, want)
	size := math.Abs(r.P - want[r.Arm])
	for a, p := range r.ByArm {
		size = max(size, math.Abs(p-want[a]))
	}
	if !(size <= 1) {
		size = 1 // no number at all is as wrong as can be
	}
	t.largest = max(t.largest, size)
	t.count(r.Beyond, j.Explains(r, want))
}

// count takes a row that is explained or not.
func (t *tally) count(beyond, explained bool) {
	t.rows++
	if beyond {
		t.beyond++
	}
	if explained {
		t.explained++
		if beyond {
			t.mended++
		}
	}
}

// fits reports whether all but a share unexplained of the rows are explained,
// of all and of those that the declared policy does not explain, and more than it
// explains. Of these it takes more than two for each number that was fitted: one
// row alone is explained by many a number. None fits where nothing is to be explained
// (see Tolerance).
func (t *tally) fits(j *Tolerance) bool {
	enough := func(of, all int64) bool { return float64(all-of) <= float64(unexplained*float64(all)) }
	silent := j.Starting || t.free > 0 && j.Arithmetic
	return !silent && t.mended > int64(2*t.free) && enough(t.explained, t.rows) && enough(t.mended, t.beyond) && t.explained > t.declared()
}

// declared is how many of the rows the declared policy explains.
func (t *tally) declared() int64 { return t.rows - t.beyond }

// hopeless reports whether a hypothesis cannot fit any more on the given number of rows.
func (t *tally) hopeless(rows int) bool {
	return float64(t.rows-t.explained) > float64(unexplained*float64(rows))
}

// says makes the tally an explanation. settles is what would be declared of it, ""
// where nothing would.
func (j *Tolerance) says(t *tally, name, words, settles string) Explanation {
	h := schemas.Hypothesis{Name: name, Words: words, Rows: t.rows, Explained: t.explained, Declared: new(t.declared()), Fits: t.fits(j)}
	if settles != "" {
		h.Settles = &settles
	}
	if t.rows > 0 {
		h.Largest = new(t.largest)
	}
	return Explanation{Hypothesis: h, explains: float64(t.explained) / float64(max(1, t.rows))}
}
