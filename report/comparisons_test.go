package report

import (
	"testing"

	"banditaudit/schemas"
)

func TestPlayedSentence(t *testing.T) {
	c := &schemas.Comparison{Played: []schemas.PlayedArm{
		{Label: "a", First: 1, Last: 1234, Quarters: []int64{1, 0, 0, 2}},
		{Label: "b", Quarters: []int64{0, 0, 0, 0}},
	}}
	const want = "a was played in rounds 1 to 1,234 (of its rounds, 33, 0, 0, 67 % in the quarters of the log); b was never played"
	if got := playedSentence(c); got != want {
		t.Errorf("%s", got)
	}
}

// What rests on nothing that is neither declared nor recomputed carries no words.
func TestValidIf(t *testing.T) {
	for _, c := range []struct {
		comparison *schemas.Comparison
		want       string
	}{
		{nil, ""},
		{&schemas.Comparison{Means: schemas.MeansNotNeeded}, ""},
		{&schemas.Comparison{Means: schemas.MeansContradicted}, ""},
		{&schemas.Comparison{Means: schemas.MeansNotContradicted, Declared: true}, ""},
		{&schemas.Comparison{Means: schemas.MeansNotContradicted, ValidIf: schemas.ValidIfConstant}, "valid only if each arm's mean is constant, whatever its rounds were chosen by"},
	} {
		if got := (&schemas.Test{Comparison: c.comparison}).ValidIf(); got != c.want {
			t.Errorf("%+v: %q", c.comparison, got)
		}
	}
}
