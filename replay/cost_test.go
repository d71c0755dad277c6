package replay

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

func TestPairLaw(t *testing.T) {
	for _, tt := range []struct {
		p       *schemas.Protocol
		name    string
		epsilon string
		cost    string // of row 3 of 4
	}{
		{uniform(), "uniform", "0", "0"},
		{declare(schemas.Policy{Name: "uniform"}, &schemas.Counter{Name: "exact"}), "uniform × exact", "0", "0"},
		{ucb1(), "ucb × exact", "inf", "inf"},
		{privUCB("0.1", "none", 0), "ucb × hybrid", "1/10", "1/10"},
	} {
		law := build(t, tt.p, 2).Law()
		if law.Name() != tt.name || law.Epsilon().String() != tt.epsilon || law.Cost(3, 4).String() != tt.cost {
			t.Errorf("%s: ε = %s, row 3 of 4 costs %s; want %s, %s and %s", law.Name(), law.Epsilon(), law.Cost(3, 4), tt.name, tt.epsilon, tt.cost)
		}
	}
	none := free{"uniform"}
	if none.Levels(0) != nil || none.Releases(5) != nil || len(none.Levels(5)) != 1 || none.Levels(5)[0].Rows != 5 {
		t.Error("a policy that reads nothing has one level, 0, and no releases")
	}
}

// For every log: no row costs more than the declared ε; the ledger of PrivUCB
// does not depend on K; renaming arms renames it and changes nothing else.
func TestLedgerOfPrivUCB(t *testing.T) {
	laws := map[int]ledger.Law{}
	for k := 1; k <= 40; k++ {
		laws[k] = build(t, privUCB("0.3", "none", 0), k).Law()
	}
	rapid.Check(t, func(t *rapid.T) {
		pulls := rapid.SliceOfN(rapid.Int64Range(0, 1<<30), 1, 20).Draw(t, "pulls")
		k := len(pulls)
		read := make([]int64, k)
		for i, n := range pulls {
			read[i] = rapid.Int64Range(0, n).Draw(t, "read")
		}
		run := ledger.Account(laws[k], pulls, read)
		if run.Epsilon().String() != "3/10" || run.Realized().Cmp(run.Epsilon()) > 0 {
			t.Fatalf("K = %d: mechanism %s, realised %s, declared 3/10", k, run.Epsilon(), run.Realized())
		}
		wider := ledger.Account(laws[2*k], append(append([]int64(nil), pulls...), make([]int64, k)...), append(append([]int64(nil), read...), make([]int64, k)...))
		if diff := cmp.Diff(run.Arms, wider.Arms[:k], cmp.Comparer(sameRelease)); diff != "" {
			t.Fatalf("the ledger depends on K:\n%s", diff)
		}
		if run.SumSquares() != wider.SumSquares() || !run.Epsilon().Equal(wider.Epsilon()) {
			t.Fatal("totals depend on K")
		}
		reversed, reversedRead := slices.Clone(pulls), slices.Clone(read)
		slices.Reverse(reversed)
		slices.Reverse(reversedRead)
		renamed := ledger.Account(laws[k], reversed, reversedRead)
		for i := range pulls {
			if diff := cmp.Diff(run.Arms[i], renamed.Arms[k-1-i], cmp.Comparer(sameRelease)); diff != "" {
				t.Fatalf("renaming arms changes a ledger:\n%s", diff)
			}
		}
		if run.SumSquares() != renamed.SumSquares() {
			t.Fatal("renaming arms changes a total")
		}
	})
}

func sameRelease(a, b ledger.Release) bool {
	return a.Name == b.Name && a.Scale.Cmp(b.Scale) == 0 && a.Sensitivity == b.Sensitivity && a.Count == b.Count && a.Epsilon.Equal(b.Epsilon)
}
