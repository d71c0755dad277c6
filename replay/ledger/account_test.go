package ledger

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// steps is a law for tests: row n of size costs n/(2·size), so that the last row
// costs ½, or ∞ throughout.
type steps struct{ infinite bool }

func (steps) Name() string { return "steps" }

func (steps) Rho() float64 { return 1 }

func (s steps) Epsilon() Loss {
	if s.infinite {
		return Infinite()
	}
	return NewLoss(big.NewRat(1, 2))
}

func (s steps) Cost(n, size int64) Loss {
	if s.infinite {
		return Infinite()
	}
	return NewLoss(big.NewRat(n, 2*size))
}

func (s steps) Levels(size int64) []Level {
	var levels []Level
	for n := int64(1); n <= size; n++ {
		levels = append(levels, Level{Cost: s.Cost(n, size), Rows: 1})
	}
	return Merge(levels)
}

func (s steps) Releases(size int64) []Release {
	if size == 0 {
		return nil
	}
	return []Release{{Name: "step", Scale: big.NewRat(2, 1), Sensitivity: 1, Count: size, Epsilon: s.Epsilon()}}
}

func TestMerge(t *testing.T) {
	in := []Level{{loss(t, "1/2"), 3}, {Infinite(), 1}, {loss(t, "1/4"), 2}, {loss(t, "2/4"), 4}, {Infinite(), 2}, {Loss{}, 0}}
	want := []Level{{loss(t, "1/4"), 2}, {loss(t, "1/2"), 7}, {Infinite(), 3}}
	if diff := cmp.Diff(want, Merge(in)); diff != "" {
		t.Errorf("levels differ (-want +got):\n%s", diff)
	}
	if in[0].Rows != 3 {
		t.Error("the argument was changed")
	}
	if Merge(nil) != nil {
		t.Error("Merge(nil) is not nil")
	}
}

func TestAccountLastRowIsFree(t *testing.T) {
	run := Account(steps{}, []int64{2, 0, 3}, []int64{2, 0, 2})
	// Arm 0: costs 1/4, 1/2. Arm 1: nothing. Arm 2: a stream of 2 rows that
	// cost 1/4 and 1/2, and the last round's row, which costs 0.
	want := [][]Level{
		{{loss(t, "1/4"), 1}, {loss(t, "1/2"), 1}},
		nil,
		{{Loss{}, 1}, {loss(t, "1/4"), 1}, {loss(t, "1/2"), 1}},
	}
	for i, w := range want {
		if diff := cmp.Diff(w, run.Arms[i].Levels); diff != "" {
			t.Errorf("arm %d (-want +got):\n%s", i, diff)
		}
	}
	if run.Arms[2].Releases[0].Count != 2 || run.Arms[1].Releases != nil {
		t.Error("releases do not follow the streams that were read")
	}
	if got, want := run.SumSquares(), 2*(0.25*0.25+0.5*0.5); got != want {
		t.Errorf("Σc² = %v, want %v", got, want)
	}
	if run.Realized().String() != "1/2" || run.Epsilon().String() != "1/2" || run.Law != "steps" {
		t.Error("totals or name are wrong")
	}
}

func TestAccountSpecialCases(t *testing.T) {
	for _, tt := range []struct {
		name     string
		law      Law
		pulls    []int64
		read     []int64
		realized string
		squares  float64
	}{
		{"no arms", steps{}, nil, nil, "0", 0},
		{"no rounds", steps{}, []int64{0, 0}, []int64{0, 0}, "0", 0},
		{"one round only: its reward is read by nothing", steps{infinite: true}, []int64{1}, []int64{0}, "0", 0},
		{"two rounds without noise", steps{infinite: true}, []int64{2}, []int64{1}, "inf", math.Inf(1)},
		{"an arm without pulls", steps{}, []int64{1, 0}, []int64{1, 0}, "1/2", 0.25},
		{"everything was read", steps{}, []int64{1}, nil, "1/2", 0.25},
		{"no more is read than there is", steps{}, []int64{1}, []int64{5}, "1/2", 0.25},
	} {
		run := Account(tt.law, tt.pulls, tt.read)
		if got := run.Realized().String(); got != tt.realized {
			t.Errorf("%s: realised %s, want %s", tt.name, got, tt.realized)
		}
		if got := run.SumSquares(); got != tt.squares {
			t.Errorf("%s: Σc² %v, want %v", tt.name, got, tt.squares)
		}
	}
}

func TestSumSquaresRoundsUp(t *testing.T) {
	run := Run{Arms: []ArmLedger{{Levels: []Level{{loss(t, "1/3"), 3}}}}}
	if got, want := run.SumSquares(), math.Nextafter(1.0/3, 1); got != want {
		t.Errorf("3·(1/3)² = %v, want %v", got, want)
	}
}

// Rows never get lost, and renaming arms renames ledgers and changes no total.
func TestAccountProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pulls := rapid.SliceOfN(rapid.Int64Range(0, 40), 1, 6).Draw(t, "pulls")
		read := make([]int64, len(pulls))
		for i, n := range pulls {
			read[i] = rapid.Int64Range(0, n).Draw(t, "read")
		}
		run := Account(steps{}, pulls, read)
		order := rapid.Permutation(indices(len(pulls))).Draw(t, "order")
		renamed, renamedRead := make([]int64, len(pulls)), make([]int64, len(pulls))
		for to, from := range order {
			renamed[to], renamedRead[to] = pulls[from], read[from]
		}
		other := Account(steps{}, renamed, renamedRead)
		for to, from := range order {
			var rows int64
			for _, l := range run.Arms[from].Levels {
				rows += l.Rows
			}
			if rows != pulls[from] {
				t.Fatalf("arm %d has %d rows in its levels and %d pulls", from, rows, pulls[from])
			}
			if diff := cmp.Diff(run.Arms[from].Levels, other.Arms[to].Levels); diff != "" {
				t.Fatalf("renaming changed a ledger:\n%s", diff)
			}
		}
		if run.SumSquares() != other.SumSquares() || !run.Realized().Equal(other.Realized()) {
			t.Fatal("renaming changed a total")
		}
		if run.Realized().Cmp(run.Epsilon()) > 0 {
			t.Fatalf("realised %s exceeds the mechanism's %s", run.Realized(), run.Epsilon())
		}
	})
}

func indices(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}
