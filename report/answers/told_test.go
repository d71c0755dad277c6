package answers

import (
	"testing"

	"banditaudit/report/digest"
	"banditaudit/schemas"
)

// summed is the digest of results.
func summed(r *schemas.Results) *digest.Digest {
	d := &digest.Digest{}
	for i := range r.Experiments {
		d.Add(&r.Experiments[i])
	}
	d.Finish(r)
	return d
}

func TestTestSentence(t *testing.T) {
	p := digest.Protocol{}
	p.Analysis.Alpha = 0.05
	tests := func(words ...string) *schemas.Results {
		x := schemas.Experiment{}
		for _, w := range words {
			x.Tests = append(x.Tests, schemas.Test{Decision: w})
		}
		return &schemas.Results{Experiments: []schemas.Experiment{x}}
	}
	for _, tc := range []struct {
		r    *schemas.Results
		want string
	}{
		{tests(), "No hypothesis was declared, so none was tested. Averages and regressions describe this log and decide nothing."},
		{tests("rejected"), "Of 1 declared test, 1 rejects its hypothesis. They were decided by the methods that the protocol names, with an adjustment for their number, at level 0.05."},
		{tests("not applicable", "not applicable"), "Of 2 declared tests none is decided; the section of tests says why."},
		{tests("rejected", "rejected", "not rejected", "not applicable"), "Of 4 declared tests, 2 reject their hypotheses, 1 does not and 1 has no answer. They were decided by the methods that the protocol names, with an adjustment for their number, at level 0.05."},
	} {
		if got := testSentence(summed(tc.r), &p); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	}
}
