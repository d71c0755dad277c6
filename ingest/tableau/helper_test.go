package tableau

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// ledgerBook is a Book that keeps what was booked, and refuses on demand.
type ledgerBook struct {
	entries []string
	refuse  error
}

func (b *ledgerBook) Release(law string, rows int64) error {
	b.entries = append(b.entries, fmt.Sprintf("release %s %d", law, rows))
	return b.refuse
}

func (b *ledgerBook) Disclose(purpose string, rows int64, columns []string) error {
	b.entries = append(b.entries, fmt.Sprintf("disclose %s %d %v", purpose, rows, columns))
	return b.refuse
}

// sample is a schema, and rows that fit it: n rows of each experiment, every
// column a function of the row's number.
func sample(propensity bool, dim int, rows ...int64) (Schema, Batch) {
	s := Schema{Propensity: propensity, ContextDim: dim, Arms: 5, Reward: [2]float64{0, 1}}
	b := Batch{X: make([][]float64, dim)}
	at := int64(0)
	for e, n := range rows {
		s.Experiments = append(s.Experiments, Range{ID: fmt.Sprintf("e%d", e), Offset: at, Rows: n})
		for r := range n {
			b.Experiment = append(b.Experiment, int32(e))
			b.Round = append(b.Round, r+1)
			b.Arm = append(b.Arm, int32((at+r)%5))
			b.Reward = append(b.Reward, rewardOf(at+r))
			if propensity {
				b.Propensity = append(b.Propensity, 1/float64(1+(at+r)%7))
			}
			for j := range dim {
				b.X[j] = append(b.X[j], contextOf(at+r, j))
			}
		}
		at += n
	}
	return s, b
}

// rowsOf returns rows [from, to) of a batch.
func rowsOf(b *Batch, s *Schema, from, to int) Batch {
	k := s.Arms
	part := Batch{
		Experiment: b.Experiment[from:to], Round: b.Round[from:to], Arm: b.Arm[from:to], Reward: b.Reward[from:to],
		Propensity: cut(b.Propensity, from, to), X: make([][]float64, len(b.X)),
		ContextByArm: cut(b.ContextByArm, from*k*s.ContextByArm, to*k*s.ContextByArm), PropensityByArm: cut(b.PropensityByArm, from*k, to*k),
		ReleasedByArm: cut(b.ReleasedByArm, from*k*s.ReleasedByArm, to*k*s.ReleasedByArm), RewardByArm: cut(b.RewardByArm, from*k, to*k),
		Eligible: cut(b.Eligible, from*k, to*k), Batch: cut(b.Batch, from, to), Unit: cut(b.Unit, from, to), RewardRound: cut(b.RewardRound, from, to), RewardBefore: cut(b.RewardBefore, from, to), Time: cut(b.Time, from, to),
		Draws: cut(b.Draws, from, to), Targets: cut(b.Targets, from*s.Targets, to*s.Targets), Position: cut(b.Position, from, to),
	}
	for j, x := range b.X {
		part.X[j] = x[from:to]
	}
	return part
}

// cut returns v[from:to], or nil where v is.
func cut[T any](v []T, from, to int) []T {
	if v == nil {
		return nil
	}
	return v[from:to]
}

func rewardOf(row int64) float64         { return float64(row%11) / 10 }
func contextOf(row int64, j int) float64 { return float64(row) + float64(j)/8 }

// write writes a batch and returns the file's path and digest.
func write(tb testing.TB, s Schema, b Batch) (path, digest string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "rounds.arrow")
	w, err := NewWriter(path, s)
	if err != nil {
		tb.Fatal(err)
	}
	if err = w.Append(&b); err != nil {
		tb.Fatal(err)
	}
	digest, err = w.Close()
	if err != nil {
		tb.Fatal(err)
	}
	return path, digest
}

// open opens a tableau and closes it at the end of the test.
func open(tb testing.TB, path string, s Schema) *Tableau {
	tb.Helper()
	tab, err := Open(path, s)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := tab.Close(); err != nil {
			tb.Error(err)
		}
	})
	return tab
}

// sampleAll is sample with every column that a tableau can have, for 5 arms. A
// reward is missing in every seventh row; batches have 3 rows.
func sampleAll(dim int, rows ...int64) (Schema, Batch) {
	s, b := sample(true, dim, rows...)
	s.ContextByArm, s.ReleasedByArm, s.Targets, s.Positions = 2, 1, 6, 1000
	s.PropensityByArm, s.RewardByArm, s.Eligible, s.Batch, s.Unit, s.RewardRound, s.RewardBefore, s.Time, s.Draws, s.MissingReward = true, true, true, true, true, true, true, true, true, true
	for row := range b.Arm {
		e := s.Experiments[b.Experiment[row]]
		at := int64(row) - e.Offset
		for a := range int64(5) {
			b.ContextByArm = append(b.ContextByArm, float64(int64(row)*10+a*2), -float64(a))
			b.PropensityByArm = append(b.PropensityByArm, float64((at+a)%5)/10)
			b.ReleasedByArm = append(b.ReleasedByArm, float64(a)-float64(row)/4)
			b.RewardByArm = append(b.RewardByArm, rewardOf(int64(row)+a))
			b.Eligible = append(b.Eligible, a == int64(b.Arm[row]) || (int64(row)+a)%3 == 0)
		}
		for j := range 6 {
			b.Targets = append(b.Targets, float64((row+j)%11)/10)
		}
		if row%7 == 3 {
			b.Reward[row] = math.NaN()
			b.RewardByArm[row*5+int(b.Arm[row])] = math.NaN()
		} else {
			b.Reward[row] = b.RewardByArm[row*5+int(b.Arm[row])]
		}
		b.Batch = append(b.Batch, int32(at/3))
		b.Unit = append(b.Unit, unitOf(at, e.Rows))
		b.RewardRound = append(b.RewardRound, rewardRoundOf(at, e.Rows))
		b.RewardBefore = append(b.RewardBefore, rewardRoundOf(at, e.Rows)-b2i(at%2 == 0 && at%5 != 4))
		b.Time = append(b.Time, timeOf(int64(b.Experiment[row]), at))
		b.Draws = append(b.Draws, 1+7*at)
		b.Position = append(b.Position, 37*int64(row)%1000)
	}
	return s, b
}

// unitOf gives rows that are a unit apart the same unit: 0 to 3 where there are
// so many rows.
func unitOf(at, rows int64) int64 { return at * 3 % min(4, rows) }

// timeOf gives any two rounds the same time, and experiments times before those
// of the experiment before, from before 1970 on.
func timeOf(experiment, at int64) int64 { return at/2*1e9 - experiment*1e15 }

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func rewardRoundOf(at, rows int64) int64 {
	if at%5 == 4 {
		return NeverKnown
	}
	return min(at+1+at%3, rows)
}

// writeUnits writes units.arrow of a sample, and returns its path and digest.
func writeUnits(tb testing.TB, s Schema, b Batch) (path, digest string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "units.arrow")
	w, err := NewUnitsWriter(path)
	if err != nil {
		tb.Fatal(err)
	}
	unit, row := unitOrderOf(&s, &b)
	if err = w.Append(unit, row); err != nil {
		tb.Fatal(err)
	}
	digest, err = w.Close()
	if err != nil {
		tb.Fatal(err)
	}
	return path, digest
}

// unitOrderOf sorts the rows of every experiment by unit.
func unitOrderOf(s *Schema, b *Batch) (unit, row []int64) {
	for _, e := range s.Experiments {
		rows := make([]int64, e.Rows)
		for i := range rows {
			rows[i] = e.Offset + int64(i)
		}
		slices.SortStableFunc(rows, func(x, y int64) int { return cmp.Compare(b.Unit[x], b.Unit[y]) })
		for _, r := range rows {
			unit, row = append(unit, b.Unit[r]), append(row, r)
		}
	}
	return unit, row
}
