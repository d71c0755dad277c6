package report

import (
	"slices"
	"strings"
)

// intervalWords say what the raw and corrected intervals of arms are; "" where
// there are none.
func (s *study) intervalWords() string {
	var kinds []string
	for i := range s.x.Arms {
		if k := s.x.Arms[i].Interval; k != "" && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return "Raw and corrected intervals: " + strings.Join(kinds, "; ") + "."
}
