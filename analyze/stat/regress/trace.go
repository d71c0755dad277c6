package regress

import (
	"fmt"
	"math"
)

// traceTolerance is how far the sum of all leverages may be from the rank,
// relative to it, before the coordinates of the second pass are taken for lost.
const traceTolerance = 1e-5

// trace is the sum of the leverages of the rows that a second pass saw. That of
// the hat matrix is its rank, whatever the data; where it comes out otherwise,
// the rows' coordinates in the basis of the fit have lost their digits, and with
// them residuals, leverages and all that is made of them.
type trace float64

// take adds the leverages of some rows and returns the largest.
func (s *trace) take(h []float64) (most float64) {
	sum := 0.0
	for _, v := range h {
		sum += v
		if v > most {
			most = v
		}
	}
	*s += trace(sum)
	return most
}

// lost reports whether the leverages of all rows of a fit do not add up to its
// rank.
func (s *trace) lost(n int64, m *Model) bool {
	rank := float64(m.Rank)
	return n == m.N && m.Rank > 0 && !(math.Abs(float64(*s)-rank) <= traceTolerance*rank)
}

// check takes errors and leverage back where the pass lost its digits. Classical
// errors do not rest on it.
func (s *trace) check(n int64, m *Model, t *Table) {
	if !s.lost(n, m) {
		return
	}
	why := fmt.Sprintf("%s: %s", t.Kind, lostWords(m))
	t.MaxLeverage = math.NaN()
	t.Warnings = append(t.Warnings, why)
	if t.Kind == Classical {
		return
	}
	for j := range t.Coefficients {
		t.void(j)
		t.Coefficients[j].Warnings = append(t.Coefficients[j].Warnings, why)
	}
}

// lostWords say what happened and what helps.
func lostWords(m *Model) string {
	return fmt.Sprintf("the condition number is %.3g, and the pass over the rows lost its digits: their leverages do not add up to the rank; center or drop columns", m.ConditionNumber)
}
