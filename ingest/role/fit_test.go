package role

import (
	"testing"

	"banditaudit/ingest/pages"
)

// Every role says what it needs of a column, and how to mend one that is not
// so; no role takes a type that is not read.
func TestFitOfEveryRole(t *testing.T) {
	seen := map[string]Role{}
	for _, c := range All() {
		r, w := c.Role, Want{Column: &c, Name: "x"}
		why, mend := w.Unfit(&pages.Column{Kind: pages.Other})
		if why == "" || mend == "" {
			t.Errorf("%v takes a column of any type", r)
		}
		if other, ok := seen[r.String()]; ok && r != ContextList {
			t.Errorf("%v and %v have one name", r, other)
		}
		seen[r.String()] = r
	}
}

// A column that is null in every row has no type of its own.
func TestFitOfUnknownType(t *testing.T) {
	for _, r := range []Role{Experiment, Order, Action, Reward, Propensity, Context, RewardOrder, Batch, Unit} {
		w := Want{Column: All().Of(r), Name: "x"}
		if why, _ := w.Unfit(&pages.Column{Kind: pages.Null}); why != "" {
			t.Errorf("%v: %s", r, why)
		}
	}
}
