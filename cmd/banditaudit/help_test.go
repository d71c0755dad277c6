package main

import (
	"strings"
	"testing"

	"banditaudit/analyze/check"
)

// The help on verdicts names the checks that data.quality stands on, three
// neighbours or more as a range.
func TestHelpNamesQuality(t *testing.T) {
	var runs [][]string
	open := false
	for _, c := range check.Checks() {
		switch last := len(runs) - 1; {
		case !c.Quality:
		case open:
			runs[last] = append(runs[last], c.ID)
		default:
			runs = append(runs, []string{c.ID})
		}
		open = c.Quality
	}
	words := make([]string, len(runs))
	for i, r := range runs {
		if words[i] = strings.Join(r, ", "); len(r) > 2 {
			words[i] = r[0] + "-" + r[len(r)-1]
		}
	}
	if got := topics(known())["verdicts"]; !strings.Contains(got, "WHAT WOULD PASS UNSEEN") || !strings.Contains(got, "\n  policy.conformance, by released values\n    - ") {
		t.Error("help verdicts does not say what would pass unseen")
	}
	if want := "checks " + strings.Join(words, ", ") + " hold"; !strings.Contains(verdictHelp, want) {
		t.Errorf("the help does not say %q", want)
	}
}
