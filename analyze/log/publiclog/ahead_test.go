package publiclog

import (
	"context"
	"errors"
	"slices"
	"testing"

	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableau"
)

// chunked is a slice of a log of so many rounds.
func chunked(t *testing.T, rounds int) *tableau.Slice {
	t.Helper()
	schema := tableau.Schema{Arms: 2, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "e", Rows: int64(rounds)}}}
	rows := &tableau.Batch{Experiment: make([]int32, rounds), Round: make([]int64, rounds), Arm: make([]int32, rounds), Reward: make([]float64, rounds)}
	for i := range rows.Round {
		rows.Round[i] = int64(i + 1)
	}
	return ingesttest.Tableau(t, schema, rows).Slice(0)
}

// Chunks are prepared in their order and taken in their order, whatever the number of
// workers; an error of either ends both, and a panic reaches the caller.
func TestAhead(t *testing.T) {
	t.Parallel()
	s := chunked(t, 300_000)
	n := s.Chunks()
	if n < 3 {
		t.Fatalf("%d chunks", n)
	}
	errPrepare, errTake := errors.New("prepare"), errors.New("take")
	for _, jobs := range []int{1, 2, 8} {
		var prepared, taken []int
		walk := func(ctx context.Context, failPrepare, failTake int) error {
			prepared, taken = nil, nil
			return Ahead(ctx, s, jobs, func(i int, part *int) error {
				prepared, *part = append(prepared, i), i*i
				if i == failPrepare {
					return errPrepare
				}
				return nil
			}, func(i int, part *int) error {
				if *part != i*i {
					t.Errorf("chunk %d was handed %d", i, *part)
				}
				taken = append(taken, i)
				if i == failTake {
					return errTake
				}
				return nil
			})
		}
		if err := walk(t.Context(), -1, -1); err != nil || len(taken) != n || !slices.IsSorted(taken) || !slices.Equal(prepared, taken) {
			t.Errorf("jobs %d: %v, prepared %v, taken %v", jobs, err, prepared, taken)
		}
		if err := walk(t.Context(), 2, -1); !errors.Is(err, errPrepare) || len(taken) != 2 {
			t.Errorf("jobs %d: %v, taken %v", jobs, err, taken)
		}
		if err := walk(t.Context(), -1, 1); !errors.Is(err, errTake) || len(taken) != 2 {
			t.Errorf("jobs %d: %v, taken %v", jobs, err, taken)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := walk(ctx, -1, -1); !errors.Is(err, context.Canceled) || len(taken) > 0 {
			t.Errorf("jobs %d: %v, taken %v", jobs, err, taken)
		}
		for _, place := range []string{"prepare", "take"} {
			func() {
				defer func() {
					if got := recover(); got != place {
						t.Errorf("jobs %d: %v, want %s", jobs, got, place)
					}
				}()
				_ = Ahead(t.Context(), s, jobs, func(i int, _ *int) error {
					if i == 1 && place == "prepare" {
						panic(place)
					}
					return nil
				}, func(i int, _ *int) error {
					if i == 1 && place == "take" {
						panic(place)
					}
					return nil
				})
			}()
		}
	}
}

// Two tasks end both, and the first error of theirs in their order is the error.
func TestTogether(t *testing.T) {
	t.Parallel()
	errFirst, errSecond, s := errors.New("first"), errors.New("second"), chunked(t, 1)
	for _, jobs := range []int{1, 2} {
		for _, tt := range []struct{ first, second, want error }{{}, {errFirst, nil, errFirst}, {nil, errSecond, errSecond}, {errFirst, errSecond, errFirst}} {
			err := s.Together(jobs, func() error { return tt.first }, func() error { return tt.second })
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
				t.Errorf("jobs %d: %v, want %v", jobs, err, tt.want)
			}
		}
		func() {
			defer func() {
				if got := recover(); got != "first" {
					t.Errorf("jobs %d: %v", jobs, got)
				}
			}()
			_ = s.Together(jobs, func() error { panic("first") }, func() error { return nil })
		}()
	}
}
