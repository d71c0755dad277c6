package ingest

import (
	"math"
	"strings"
	"testing"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
)

func TestLookAlike(t *testing.T) {
	for _, c := range []struct{ label, name, how string }{
		{"c ", "c", "a blank at the end"},
		{" c", "c", "a blank at the beginning"},
		{" c ", "c", "blanks at its ends"},
		{"d", "d ", "blanks at its ends"},
		{"Blue", "blue", "capital letters"},
		{"BLUE ", "blue", "capital letters"},
		{"red", "", ""},
		{"c2", "", ""},
	} {
		if name, how := fault.LookAlike(c.label, []string{"C", "c", "d ", "blue"}); name != c.name || how != c.how {
			t.Errorf("%q: %q, %q, want %q, %q", c.label, name, how, c.name, c.how)
		}
	}
}

// TestMendsNamed: what is missing has a value that says so, and the message names it.
func TestMendsNamed(t *testing.T) {
	said := func(do func(f *fault.List)) string {
		var f fault.List
		do(&f)
		return f.Err().Error()
	}
	missing, all := &rewardRange{hi: 1, exclude: true}, &rewardRange{hi: 1}
	by := &propensityByArm{armLists: armLists{column: "p", chance: true}}
	for name, c := range map[string]struct{ got, want string }{
		"a NaN reward, nulls declared": {said(func(f *fault.List) { missing.refuse(math.NaN(), "y", fault.Place{}, f) }), "write null for a reward that is missing"},
		"a NaN reward":                 {said(func(f *fault.List) { all.refuse(math.NaN(), "y", fault.Place{}, f) }), mendNotFinite},
		"a NaN propensity of some arm": {said(func(f *fault.List) { by.refuse(math.NaN(), fault.Place{}, f) }), "write 0 for an arm that could not be played"},
		"a label that differs by a blank": {said(func(f *fault.List) {
			unknownArm(f, cell.NewLabels([]string{"c"}), whatAction, "arm", fault.Place{}, "c ")
		}), `arms has "c", from which it differs by a blank at the end`},
		"a null propensity of some arm":    {by.mendNull(), "write 0 for an arm that could not be played"},
		"a null among contexts of the arm": {(&armLists{}).mendNull(), mendByArmNull},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%s: %q does not say %q", name, c.got, c.want)
		}
	}
}
