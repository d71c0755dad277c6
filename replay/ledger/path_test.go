package ledger

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestOver(t *testing.T) {
	half := NewEven(NewLoss(big.NewRat(1, 2)))
	law := &PathLaw{Pair: "softmax × exact", Decisions: half}
	if !law.Epsilon().IsInf() || !math.IsInf(law.Rho(), 1) || !law.Cost(1, 1).IsInf() {
		t.Error("without a number of rounds there is no ε")
	}
	over := Over(law, 7, 2)
	if over.Epsilon().String() != "3" || over.Name() != "softmax × exact" || law.Rounds != 0 {
		t.Errorf("seven rounds: ε %s", over.Epsilon())
	}
	if got, want := over.Rho(), 6*0.5*math.Tanh(0.25); got < want || got > want*(1+1e-11) {
		t.Errorf("ρ %v, want %v rounded up", got, want)
	}
	if over.Cost(9, 10).String() != "3" || !over.Cost(0, 10).IsZero() || !over.Cost(11, 10).IsZero() {
		t.Error("without a path every row of a stream costs ε")
	}
	if l := over.Levels(4); len(l) != 1 || l[0].Rows != 4 || over.Levels(0) != nil || over.Releases(4) != nil {
		t.Error("levels or releases")
	}
	free := &PathLaw{Decisions: NewEven(Loss{})}
	if !free.Epsilon().IsZero() || free.Rho() != 0 || !Over(free, 9, 2).Epsilon().IsZero() {
		t.Error("decisions that cost nothing cost nothing over any number of rounds")
	}
	if Over(steps{}, 3, 2) != Law(steps{}) {
		t.Error("another law was changed")
	}
	if one := Over(law, 1, 2); !one.Epsilon().IsZero() || one.Rho() != 0 {
		t.Error("no decision follows the only round")
	}
}

// The account of a path against sums over its decisions, one by one: exact
// where levels are not grouped, not below where they are.
func TestPathAgainstSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		actions := rapid.SliceOfN(rapid.IntRange(0, 2), 1, 1500).Draw(t, "actions")
		opposed := rapid.Bool().Draw(t, "opposed")
		each := NewLoss(big.NewRat(rapid.Int64Range(0, 50).Draw(t, "numerator"), 7))
		rounds := int64(len(actions))
		law := Over(&PathLaw{Decisions: NewEven(each), Opposed: opposed}, rounds, 2).(*PathLaw)
		path := NewPath(law, 3)
		var worst int64
		squares := 0.0
		var after [3]int64
		for i, arm := range slices.Backward(actions) {
			later := rounds - 1 - int64(i)
			m := later
			if opposed {
				m = max(after[arm], later-after[arm])
			}
			worst = max(worst, m)
			want := each.Times(m)
			squares += want.Float() * want.Float()
			if got := path.Row(arm, later, after[arm]); got < want.Float() || got > want.Float()*(1+1e-14) {
				t.Fatalf("row %d costs %v, want %s", i, got, want)
			}
			after[arm]++
		}
		run := path.Run()
		if !run.Realized().Equal(each.Times(worst)) || !run.Epsilon().Equal(each.Times(rounds-1)) || run.Realized().Cmp(run.Epsilon()) > 0 {
			t.Fatalf("realised %s, mechanism %s", run.Realized(), run.Epsilon())
		}
		if got := run.SumSquares(); got < squares*(1-1e-12) || got > squares*(1+1e-10) {
			t.Fatalf("Σc² %v, want %v", got, squares)
		}
		grouped := 0.0
		for i := range run.Arms {
			rows := int64(0)
			for _, l := range run.Arms[i].Levels {
				rows += l.Rows
				grouped += l.Cost.Float() * l.Cost.Float() * float64(l.Rows)
				if l.Cost.Cmp(run.Epsilon()) > 0 {
					t.Fatal("a level above ε")
				}
			}
			if rows != run.Arms[i].Pulls || rows != after[i] || len(run.Arms[i].Levels) > PathLevels {
				t.Fatalf("arm %d: %d rows in %d levels", i, rows, len(run.Arms[i].Levels))
			}
		}
		if grouped < squares*(1-1e-12) || run.Width == 1 && grouped > squares*(1+1e-12) || (run.Width == 1) != (rounds <= PathLevels) {
			t.Fatalf("levels of width %d give Σc² %v, rows %v", run.Width, grouped, squares)
		}
	})
}
