package ingest

import (
	"testing"

	"banditaudit/ingest/pages"
)

// Every role says what it needs of a column, and how to mend one that is not
// so; no role takes a type that is not read.
func TestFitOfEveryRole(t *testing.T) {
	seen := map[string]role{}
	for r := roleExperiment; r <= roleUnit; r++ {
		w := want{role: r, name: "x"}
		why, mend := w.unfit(&pages.Column{Kind: pages.Other})
		if why == "" || mend == "" {
			t.Errorf("%v takes a column of any type", r)
		}
		if other, ok := seen[r.String()]; ok && r != roleContextList {
			t.Errorf("%v and %v have one name", r, other)
		}
		seen[r.String()] = r
	}
}

// A column that is null in every row has no type of its own.
func TestFitOfUnknownType(t *testing.T) {
	for _, r := range []role{roleExperiment, roleOrder, roleAction, roleReward, rolePropensity, roleContext, roleRewardOrder, roleBatch, roleUnit} {
		w := want{role: r, name: "x"}
		if why, _ := w.unfit(&pages.Column{Kind: pages.Null}); why != "" {
			t.Errorf("%v: %s", r, why)
		}
	}
}
