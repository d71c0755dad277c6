package regress

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/stat/hypothesis"
)

// notesNames is how many coefficients a warning names.
const notesNames = 10

// note is a warning that concerns some coefficients.
type note struct {
	before, after string // of the names
	names, detail []string
	places        []int
	undefined     bool // they have no standard error
}

// notes sorts the coefficients by what is wrong with what they rest on, each by
// the worst. what names the independent blocks, "rows" or "clusters".
func (s *support) notes(t *Table, what string) []*note {
	full := &note{undefined: true, before: "a row of leverage 1 enters", after: ": its residual is 0 by construction and says nothing of the error; drop or merge the column that marks the row"}
	alone := &note{undefined: true, before: "one cluster alone determines", after: ": the sum of its residuals is 0 by construction and says nothing of the error; drop or merge the column that marks it"}
	still := &note{undefined: true, before: what + " whose residuals are 0 carry", after: ": nothing tells their variance; drop or merge the column"}
	lone := &note{undefined: true, before: fmt.Sprintf("fewer than %g %s carry", leastRows(t), what), after: ": so few do not tell its error; drop or merge the column"}
	few := &note{
		before: fmt.Sprintf("few %s carry", what),
		after:  fmt.Sprintf(", below %d: the p-value leans on normal errors", hypothesis.SmallSample),
	}
	if t.Kind != Classical {
		few.after += ", and robust errors of so few tend to be too small"
	}
	shares := append([]float64{}, s.stuck...)
	s.shares(shares, s.still)
	for j, c := range t.Coefficients {
		least := 1 / s.squares[j]
		detail, to := "", (*note)(nil)
		switch {
		case s.spoilt[j] && t.Kind != Classical:
			to = full
		case s.alone[j]:
			to = alone
		case s.zero < 0: // a perfect fit, or no errors at all
		case shares[j] >= stillShare*(1-touched):
			to = still
		case least < leastRows(t)*(1-touched) && t.Kind != Classical:
			to = lone
		case least < hypothesis.SmallSample*(1-touched) && (t.Clusters == 0 || t.Clusters >= hypothesis.FewClusters):
			to, detail = few, fmt.Sprintf(" (about %.3g)", least)
		}
		if to != nil {
			to.places, to.names, to.detail = append(to.places, j), append(to.names, c.Name), append(to.detail, detail)
		}
	}
	return []*note{full, alone, still, lone, few}
}

// leastRows is how many rows, or clusters, a coefficient must rest on to have a
// robust error. With fewer than 5 of many its test rejects a true hypothesis
// several times as often as its level says (TestLevelOfFewRows); of few clusters
// all are few, which is said of them.
func leastRows(t *Table) float64 {
	if t.Clusters > 0 && t.Clusters < hypothesis.SmallSample {
		return 2
	}
	return 5
}

// apply voids the errors that rest on nothing and writes the warnings, of all
// coefficients to the table and of each to itself.
func (s *support) apply(t *Table, what string) {
	for _, n := range s.notes(t, what) {
		if len(n.places) == 0 {
			continue
		}
		var listed []string
		for i, j := range n.places {
			t.Coefficients[j].Warnings = append(t.Coefficients[j].Warnings, n.words(t.Kind, n.names[i]+n.detail[i], n.undefined, false))
			if n.undefined {
				t.void(j)
			}
			if i < notesNames {
				listed = append(listed, n.names[i]+n.detail[i])
			}
		}
		if more := len(n.places) - notesNames; more > 0 {
			listed = append(listed, fmt.Sprintf("%d more", more))
		}
		t.Warnings = append(t.Warnings, n.words(t.Kind, strings.Join(listed, ", "), n.undefined, len(n.places) > 1))
	}
}

func (n *note) words(kind Kind, names string, undefined, several bool) string {
	void := ""
	switch {
	case undefined && several:
		void = ", which have no standard errors"
	case undefined:
		void = ", which has no standard error"
	}
	return fmt.Sprintf("%s: %s %s%s%s", kind, n.before, names, void, n.after)
}

// void takes the error of coefficient j away.
func (t *Table) void(j int) {
	n := len(t.Coefficients)
	t.Coefficients[j].StdErr = math.NaN()
	for i := range n {
		t.Cov[i*n+j], t.Cov[j*n+i] = math.NaN(), math.NaN()
	}
}
