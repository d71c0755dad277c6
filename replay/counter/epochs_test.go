package counter

import (
	"math/big"
	"strings"
	"testing"
)

func TestEpochsFollowTheirDefinition(t *testing.T) {
	c := built(t, Spec{Name: "epochs", Epsilon: big.NewRat(3, 10)}).(*epochs)
	law, _ := newDiscreteLaplace(big.NewRat(10<<20, 3))
	follows(t, c, &c.lattice, 80, func() plain {
		length, since := 1, 0
		var last, n int64
		return func(rows []int64, noise func(discreteLaplace) int64) (int64, int64) {
			if since++; since == length {
				last, n = noise(law), int64(length)
				for _, y := range rows[len(rows)-length:] {
					last += y
				}
				length, since = 2*length, 0
			}
			return last, n
		}
	})
}

// Rows 1 | 2 3 | 4…7 | 8…: at 6 rows two epochs are over, at 7 three.
func TestEpochsCost(t *testing.T) {
	c := built(t, Spec{Name: "epochs", Epsilon: big.NewRat(1, 4)})
	for _, tt := range []struct {
		size, paid, releases int64
	}{{1, 1, 1}, {2, 1, 1}, {3, 3, 2}, {6, 3, 2}, {7, 7, 3}, {8, 7, 3}, {1 << 20, 1<<20 - 1, 20}} {
		for _, n := range []int64{1, tt.paid} {
			if !c.Cost(n, tt.size).Equal(c.Epsilon()) {
				t.Errorf("row %d of %d costs %s", n, tt.size, c.Cost(n, tt.size))
			}
		}
		if !c.Cost(tt.paid+1, tt.size).IsZero() {
			t.Errorf("row %d of %d costs %s", tt.paid+1, tt.size, c.Cost(tt.paid+1, tt.size))
		}
		if got := c.Releases(tt.size)[0].Count; got != tt.releases {
			t.Errorf("%d rows: %d releases, want %d", tt.size, got, tt.releases)
		}
	}
}

// Variance 2/ε² whatever the length of the epoch; rows 4…7 hold two ones.
func TestEpochsVariance(t *testing.T) {
	c := built(t, Spec{Name: "epochs", Epsilon: big.NewRat(1, 2)})
	for _, n := range []int64{1, 2, 1 << 30} {
		if got := variance(c.Noise(n)); got != 8 {
			t.Errorf("variance of an epoch of %d rows %v, want 8", n, got)
		}
	}
	spread(t, c, 7, 2, 8)
	spread(t, c, 12, 2, 8)
}

func TestEpochsStreamIsFull(t *testing.T) {
	c := built(t, Spec{Name: "epochs", Epsilon: big.NewRat(1, 2)}).(*epochs)
	s := &epochsStream{counter: c, src: chacha(1), rows: 1 << 40}
	if _, _, err := s.add(1); err == nil || !strings.Contains(err.Error(), "grid") {
		t.Errorf("row 2^40 + 1: %v", err)
	}
}

func BenchmarkEpochsAdd(b *testing.B) { add(b, Spec{Name: "epochs", Epsilon: big.NewRat(1, 4)}) }
