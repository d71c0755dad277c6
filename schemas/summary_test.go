package schemas

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// A summary of 1,000 experiments of which 30 failed names 20 and takes 10,000 bytes at
// most, whatever characters labels and paths are made of. Labels end where a character does.
func TestSummary(t *testing.T) {
	for _, fill := range []string{"a", "ä", "漢", "😀", "\x01", "\"", "\u2028", "\xff"} {
		r := &Results{RunID: strings.Repeat("0", 64), Tool: Tool{"banditaudit", "0.0.0"}}
		for i := range 1000 {
			verdict := Consistent
			switch {
			case i >= 970:
				verdict = Violated
			case i%97 == 0:
				verdict = NotEstablished
			}
			id := fmt.Sprintf("%d %s", i, strings.Repeat(fill, 200))
			r.Claims = append(r.Claims,
				Finding{Experiment: id, Kind: "allocation.matches_propensity", Severity: SeverityRequired, Verdict: verdict},
				Finding{Experiment: id, Kind: "data.quality", Severity: SeverityAdvisory, Verdict: NotRun})
		}
		sums := &ClaimSums{}
		for i := range r.Claims {
			sums.Add(&r.Claims[i])
		}
		sums.Overall.Cautions = 1000
		r.Overall, r.Cautions = sums.Overall.String(), sums.Overall.Cautions
		path := strings.Repeat(fill, 60)
		s := SummaryOf(r, sums, 1000, SummaryPaths{path, path, path, path, path})
		b, err := Encode(s)
		if err != nil || len(b) > 10_000 {
			t.Errorf("%q: %d bytes, %v", fill, len(b), err)
		}
		if err := none().validate("summary", b); err != nil {
			t.Errorf("%q: %v", fill, err)
		}
		if want := (VerdictCounts{Consistent: 960, Violated: 30, NotEstablished: 10, NotRun: 1000}); s.Verdicts != want || s.Failed != 40 || len(s.FailedExperiments) != MaxSummarized {
			t.Errorf("%q: %+v, %d failed, %d named", fill, s.Verdicts, s.Failed, len(s.FailedExperiments))
		}
		first := s.FailedExperiments[0]
		if !strings.HasPrefix(first.Experiment, "970 ") || first.Verdict != Violated || first.Violated != 1 || first.Open != 0 {
			t.Errorf("%q: first %+v", fill, first)
		}
		if n := len(first.Experiment); n > maxLabelBytes || fill != "\xff" && !utf8.ValidString(first.Experiment) {
			t.Errorf("%q: label of %d bytes: %q", fill, n, first.Experiment)
		}
	}
}

// A text is cut behind the last character that fits as JSON writes it.
func TestCutAt(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{strings.Repeat("a", 100), strings.Repeat("a", 100)},
		{strings.Repeat("a", 101), strings.Repeat("a", 100)},
		{"a" + strings.Repeat("é", 60), "a" + strings.Repeat("é", 49)},
		{strings.Repeat("漢", 40), strings.Repeat("漢", 33)},
		{strings.Repeat("😀", 40), strings.Repeat("😀", 25)},
		{strings.Repeat("\x01", 40), strings.Repeat("\x01", 16)},
		{strings.Repeat("<", 101), strings.Repeat("<", 100)},
	} {
		if got := cutAt(c.text, maxLabelBytes); got != c.want {
			t.Errorf("%q: %q", c.text, got)
		}
	}
	long := SummaryOf(&Results{}, &ClaimSums{}, 0, SummaryPaths{Results: strings.Repeat("a", 501)})
	if long.Paths != nil {
		t.Error("a long path was not left out")
	}
}
