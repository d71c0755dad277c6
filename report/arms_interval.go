package report

import (
	"slices"
	"strings"

	"banditaudit/schemas"
)

// intervalWords say what the raw and corrected intervals of arms are; "" where
// there are none.
func (s *study) intervalWords() string {
	var kinds []string
	approximate := false
	for i := range s.x.Arms {
		if k := s.x.Arms[i].Interval; k != "" && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
			approximate = approximate || k == schemas.IntervalByUnit || k == schemas.IntervalStudentT
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	out := "Raw and corrected intervals: " + strings.Join(kinds, "; ") + "."
	if approximate {
		out += " A correction magnifies the error of an approximation."
	}
	return out
}
