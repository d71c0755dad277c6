package tableau

import (
	"fmt"
	"path/filepath"
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
