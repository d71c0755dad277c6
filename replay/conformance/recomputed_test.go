package conformance

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay/ledger"
	"banditaudit/replay/transcript"
	"banditaudit/schemas"
)

// A walk over recomputed propensities has those of the transcript of its replay, in every
// row that is asked for, whichever are not.
func TestRecomputeIsTheTranscript(t *testing.T) {
	t.Parallel()
	exact := noisy("softmax", "exact")
	exact.Counter.Epsilon, exact.Counter.Horizon = schemas.Rational{}, 0
	exact.Policy.Set("eta", .01)
	all := honest()
	all["softmax × exact"] = exact
	for name, p := range all {
		l := show(t, p, 600, 7, strings.Contains(name, "hybrid"))
		d := declare(t, p)
		if !d.Mechanism.Random() {
			continue
		}
		for _, mode := range []string{schemas.ModeSeed, schemas.ModeReleased, schemas.ModePropensity} {
			log, q := l.unlogged(), *p
			policy := *p.Policy
			switch q.Policy = &policy; {
			case mode == schemas.ModeSeed:
				seeded(&q, 7)
			case mode == schemas.ModePropensity && name != "softmax × exact":
				continue
			case mode == schemas.ModePropensity:
				plain := *l
				plain.schema.ReleasedByArm, plain.ReleasedByArm = 0, nil
				log = &plain
			}
			s := log.write(t)
			var want [][]float64
			out, _ := run(t, &q, s, func(r transcript.Row) error {
				want = append(want, slices.Clone(r.Propensities))
				return nil
			})
			if out.Conformance.Mode != mode {
				t.Fatalf("%s: mode %s, want %s", name, out.Conformance.Mode, mode)
			}
			for _, step := range []int64{1, 3} {
				book := &ledger.Disclosures{}
				r, err := declare(t, &q).Recompute(context.Background(), s, book, mode, "a test")
				if err != nil {
					t.Fatalf("%s, %s: %v", name, mode, err)
				}
				for row := int64(0); row < s.Rows(); row += step {
					if got := r.At(row); !slices.Equal(got, want[row]) || !slices.Equal(r.At(row), want[row]) {
						t.Fatalf("%s, %s, row %d: %v, want %v", name, mode, row, got, want[row])
					}
					if lo, hi := r.Ends(); slices.ContainsFunc(lo, math.IsNaN) || !(lo[0] <= want[row][0] && want[row][0] <= hi[0]) {
						t.Fatalf("%s, %s, row %d: %v to %v, of %v", name, mode, row, lo, hi, want[row])
					}
				}
				if list := book.List(); r.Err() != nil || len(list) != 1 || !strings.HasSuffix(list[0].Purpose, ", a test") {
					t.Errorf("%s, %s: %v, booked %+v", name, mode, r.Err(), list)
				}
				if r.At(s.Rows()); r.Err() == nil {
					t.Errorf("%s, %s: there is no row %d", name, mode, s.Rows())
				}
			}
		}
	}
}

// What cannot be recomputed is an error, and what is interrupted stops.
func TestRecomputeErrors(t *testing.T) {
	t.Parallel()
	p := noisy("softmax", "laplace")
	s := show(t, p, 200, 7, false).unlogged().write(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tt := range []struct {
		mode string
		ctx  context.Context //nolint:containedctx // of a call
		want string
	}{
		{schemas.ModeNone, t.Context(), "gives no propensities"},
		{schemas.ModePropensity, t.Context(), "gives no propensities"},
		{schemas.ModeSeed, t.Context(), "the seed is not at hand"},
	} {
		if _, err := declare(t, p).Recompute(tt.ctx, s, &ledger.Disclosures{}, tt.mode, "a test"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.mode, err)
		}
	}
	book := &ledger.Disclosures{}
	if _, err := declare(t, p).Recompute(t.Context(), s, book, schemas.ModeReleased, "a test"); err != nil {
		t.Fatal(err)
	}
	if _, err := declare(t, p).Recompute(t.Context(), s, book, schemas.ModeReleased, "a test"); !errors.Is(err, ledger.ErrRefused) {
		t.Errorf("booked twice: %v", err)
	}
	long := show(t, p, 2*checkEvery, 7, false).unlogged().write(t)
	r, err := declare(t, p).Recompute(ctx, long, &ledger.Disclosures{}, schemas.ModeReleased, "a test")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.At(long.Rows() - 1); !errors.Is(r.Err(), context.Canceled) || !math.IsNaN(got[0]) {
		t.Errorf("%v, %v", got, r.Err())
	}
}

// The two ends are 10⁻⁹ + 10⁻⁷·p apart from p on either side, within [0, 1].
func TestBetween(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		lo, hi := Between(p, p)
		off := 1e-9 + 1e-7*p
		if !(lo >= 0 && lo <= p && p <= hi && hi <= 1) || math.Abs(lo-max(0, p-off)) > 1e-16 || math.Abs(hi-min(1, p+off)) > 1e-16 {
			t.Errorf("%g: %g to %g", p, lo, hi)
		}
	})
	if lo, hi := Between(.25, .75); math.Abs(lo-.249999974) > 1e-15 || math.Abs(hi-.750000076) > 1e-15 {
		t.Errorf("%.12f to %.12f", lo, hi)
	}
}
