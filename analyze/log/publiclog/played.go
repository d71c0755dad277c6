package publiclog

import (
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// PlayedIn says when arms were played.
func (f *Facts) PlayedIn(arms []int) []schemas.PlayedArm {
	out := []schemas.PlayedArm{}
	for _, arm := range arms {
		p := &f.Pub.span[arm]
		out = append(out, schemas.PlayedArm{Label: f.Manifest.Arms[arm], First: p.first, Last: p.last, Quarters: slices.Clone(p.quarters[:])})
	}
	return out
}

// Quarters is the number of parts of the log, of equally many rows, in which arms are
// counted.
const Quarters = 4

// QuarterOf is the quarter of a row, both from 0, of rows.
func QuarterOf(row, rows int64) int { return int(row * Quarters / rows) }

// PulledIn are the rounds of a quarter that played each arm.
func (f *Facts) PulledIn(quarter int) []int64 {
	out := make([]int64, f.K())
	for arm := range out {
		out[arm] = f.Pub.span[arm].quarters[quarter]
	}
	return out
}

// span says when an arm was played.
type span struct {
	first, last int64           // rounds; 0: never
	quarters    [Quarters]int64 // rounds of each quarter of the log in which it was
}

// add takes up that the arm was played in a round of a quarter.
func (s *span) add(round int64, quarter int) {
	if s.first == 0 {
		s.first = round
	}
	s.last = round
	s.quarters[quarter]++
}

func (s *span) merge(o *span) {
	if s.first == 0 {
		s.first = o.first
	}
	s.last = max(s.last, o.last)
	for i, n := range o.quarters {
		s.quarters[i] += n
	}
}

// addSpans takes up in which rounds of a chunk the arms were played. rows is the
// number of rows of the experiment, row 0 the first.
func (p *public) addSpans(c *tableau.Chunk, rows int64) {
	const quarters = int64(Quarters)
	for at := 0; at < len(c.Arm); {
		row := c.Start + int64(at)
		quarter := int64(QuarterOf(row, rows))
		end := min(int64(len(c.Arm)), (rows*(quarter+1)+quarters-1)/quarters-c.Start)
		for ; int64(at) < end; at++ {
			p.span[c.Arm[at]].add(c.Round[at], int(quarter))
		}
	}
}
