package schemas

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProblemString(t *testing.T) {
	for _, tc := range []struct {
		p    Problem
		want string
	}{
		{Problem{File: "p.yaml", Line: 3, Col: 5, What: "a is 1", Why: "it must be 2", Mend: "write 2"}, "p.yaml:3:5: a is 1 (it must be 2); write 2"},
		{Problem{File: "p.yaml", What: "a is 1", Why: "it must be 2", Mend: "write 2"}, "p.yaml: a is 1 (it must be 2); write 2"},
		{Problem{File: "p.yaml", Line: 1, Col: 1, What: "a is 1"}, "p.yaml:1:1: a is 1"},
	} {
		if got := tc.p.String(); got != tc.want {
			t.Errorf("got %s\nwant %s", got, tc.want)
		}
	}
}

func TestProblemsAreSortedOnceAndBounded(t *testing.T) {
	at := func(line, col int, what string) Problem {
		return Problem{File: "f", Line: line, Col: col, What: what}
	}
	got := Problems{at(2, 1, "c"), at(1, 9, "b"), at(1, 2, "a"), at(1, 2, "a")}.sorted()
	if d := cmp.Diff(Problems{at(1, 2, "a"), at(1, 9, "b"), at(2, 1, "c")}, got); d != "" {
		t.Error(d)
	}
	if got.Error() != "f:1:2: a\nf:1:9: b\nf:2:1: c" {
		t.Error(got.Error())
	}
	var many Problems
	for i := range 250 {
		many = append(many, at(i+1, 1, strconv.Itoa(i)))
	}
	got = many.sorted()
	if len(got) != maxProblems+1 || got[maxProblems].String() != "f:101:1: more problems from here on; mend those above first" {
		t.Errorf("%d problems, the last is %s", len(got), got[len(got)-1])
	}
}

func TestShownIsShortAndQuoted(t *testing.T) {
	if got := shown("a\n\x1b[31mé"); got != `"a⟨U+000A⟩⟨U+001B⟩[31mé"` {
		t.Error(got)
	}
	if got := shown(strings.Repeat("é", 100)); got != `"`+strings.Repeat("é", maxShown)+`…"` {
		t.Error(got)
	}
}
