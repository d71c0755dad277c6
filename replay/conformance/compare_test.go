package conformance

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// few is the length of the logs of this file.
const few = 40

// drawn is a log of a policy that draws, with the propensities of all arms
// where byArm says so.
func drawn(tb testing.TB, p *schemas.Protocol, byArm bool) (tableau.Schema, *tableau.Batch) {
	tb.Helper()
	m, err := replay.Standard().New(p, arms())
	if err != nil {
		tb.Fatal(err)
	}
	s := tableau.Schema{
		Propensity: true, PropensityByArm: byArm, Arms: 2, Reward: [2]float64{0, 1},
		Experiments: []tableau.Range{{ID: "shop", Rows: few}},
	}
	b := &tableau.Batch{}
	err = m.Bandit(replay.Seed(7), "shop", coin{}, few, func(s *replay.Step) error {
		b.Experiment, b.Round, b.Arm = append(b.Experiment, 0), append(b.Round, s.Round), append(b.Arm, int32(s.Arm))
		b.Reward, b.Propensity = append(b.Reward, s.Reward), append(b.Propensity, s.Propensity)
		if byArm {
			both := []float64{1 - s.Propensity, 1 - s.Propensity}
			both[s.Arm] = s.Propensity
			b.PropensityByArm = append(b.PropensityByArm, both...)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return s, b
}

// policies draw, with a seed: one with two propensities, one with a new one in
// every round, both from noisy sums.
func policies() map[string]*schemas.Protocol {
	p := map[string]*schemas.Protocol{"epsilon-greedy": protocol("epsilon-greedy", "laplace"), "thompson": protocol("thompson", "laplace")}
	p["epsilon-greedy"].Policy.Set("explore", 0.1)
	p["thompson"].Policy.Set("prior", schemas.Values{"alpha": 1.0, "beta": 1.0})
	for _, q := range p {
		q.Counter.Epsilon = schemas.MustRational("1")
		seeded(q, 7)
	}
	return p
}

// column is one of the columns of a log that hold propensities.
func column(b *tableau.Batch, byArm bool) []float64 {
	if byArm {
		return b.PropensityByArm
	}
	return b.Propensity
}

// replayed is the comparison of a changed log with its seed.
func replayed(tb testing.TB, t *rapid.T, p *schemas.Protocol, s tableau.Schema, b *tableau.Batch) *schemas.PropensityReplay {
	tb.Helper()
	out, err := declare(tb, p).Run(context.Background(), slice(tb, s, b), &ledger.Disclosures{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := out.Conformance
	if c.Mode != schemas.ModeSeed || c.Matched != few || c.FirstMismatch != nil || c.Propensities == nil || c.Propensities.Rounds != few {
		t.Fatalf("the actions are those of the log: %+v", c)
	}
	return c.Propensities
}

// Rounding every propensity to k digits, or to float32, or both, is not seen;
// the decimals are.
func TestRoundingIsNotSeen(t *testing.T) {
	all := policies()
	rapid.Check(t, func(r *rapid.T) {
		p := all[rapid.SampledFrom([]string{"epsilon-greedy", "thompson"}).Draw(r, "policy")]
		byArm := rapid.Bool().Draw(r, "by arm")
		s, b := drawn(t, p, byArm)
		k := rapid.IntRange(1, 9).Draw(r, "digits")
		single := rapid.Bool().Draw(r, "float32")
		for _, v := range [][]float64{b.Propensity, b.PropensityByArm} {
			for i, p := range v {
				v[i] = math.Round(p*math.Pow10(k)) / math.Pow10(k)
				if single {
					v[i] = float64(float32(v[i]))
				}
			}
		}
		finest := 1 // decimals that are needed, found in another way: from the text
		for _, p := range b.Propensity {
			if p == 0 {
				r.Skip("the propensity of an action is above 0")
			}
			finest = max(finest, digits(p, single))
		}
		got := replayed(t, r, p, s, b)
		if got.Matched != few || got.FirstMismatch != nil {
			r.Errorf("%d of %d rounds match at %d digits: %+v", got.Matched, few, k, got.FirstMismatch)
		}
		if want := int64(finest); want <= 7 && (got.Decimals == nil || *got.Decimals != want) || want > 7 && got.Decimals != nil {
			r.Errorf("decimals %v, want %d", got.Decimals, want)
		}
	})
}

// digits counts the decimals of p in its shortest form.
func digits(p float64, single bool) int {
	bits := 64
	if single {
		bits = 32
	}
	_, after, _ := strings.Cut(strconv.FormatFloat(p, 'f', -1, bits), ".")
	return len(after)
}

// A shift above the tolerance in one row is seen, and that row is named: 40 shifts, others
// in every run of the test.
func TestOneShiftIsSeen(t *testing.T) {
	all := policies()
	times := 0
	rapid.Check(t, func(r *rapid.T) {
		if times++; times > 40 || testing.Short() && times > 25 { // every one replays a log, and tries what would explain it
			return
		}
		p := all["thompson"] // full of digits: there is no resolution to hide below
		byArm := rapid.Bool().Draw(r, "by arm")
		s, b := drawn(t, p, byArm)
		values := column(b, byArm)
		row := rapid.IntRange(2, few-1).Draw(r, "row") // the first two may be 1/2
		at := row
		if byArm {
			at = 2*row + rapid.IntRange(0, 1).Draw(r, "arm")
		}
		was := values[at]
		up := rapid.Bool().Draw(r, "up")
		shift := rapid.Float64Range(1.01, 1e4).Draw(r, "times the tolerance") * (1e-6*was + 1e-8) / (1 - 1e-6)
		if up {
			shift = -shift
		}
		values[at] -= shift
		if !(values[at] > 0 && values[at] <= 1) {
			r.Skip("no probability")
		}
		got := replayed(t, r, p, s, b)
		want := &schemas.PropensityReplay{Rounds: few, Matched: few - 1, FirstMismatch: got.FirstMismatch}
		if limit := 1e-5*max(was, values[at]) + 5e-7; math.Abs(shift) <= limit {
			want.Arithmetic = 1
		}
		if worst := got.Worst; worst == nil || *worst != *got.FirstMismatch {
			r.Errorf("worst %+v, first %+v", worst, got.FirstMismatch)
		}
		if h := got.Hypotheses; len(h) == 0 || h[0].Fits {
			r.Errorf("one shifted row is explained: %+v", h)
		}
		if diff := cmp.Diff(want, summed(r, got)); diff != "" || got.FirstMismatch == nil {
			r.Fatalf("(-want +got):\n%s", diff)
		}
		if m := got.FirstMismatch; m.Round != int64(row+1) || m.Logged != values[at] || math.Abs(m.Replayed-was) > 1e-12 {
			r.Errorf("first mismatch %+v, want %v for %v in round %d", m, values[at], was, row+1)
		}
	})
}

// A row of a log with few decimals cannot be changed by two units of the last,
// nor can all its rows.
func TestShiftOfARoundedLogIsSeen(t *testing.T) {
	p := policies()["epsilon-greedy"]
	s, b := drawn(t, p, false)
	for i, v := range b.Propensity { // 0.95 and 0.05, but for the last bit
		b.Propensity[i] = math.Round(v*100) / 100
	}
	b.Propensity[17] = map[bool]float64{true: .93, false: .07}[b.Propensity[17] > .5]
	if got := run1(t, p, s, b).Propensities; got.Matched != few-1 || got.FirstMismatch.Round != 18 || *got.Decimals != 2 {
		t.Errorf("one row: %+v", got)
	}
	s, b = drawn(t, p, false)
	for i, v := range b.Propensity {
		b.Propensity[i] = map[bool]float64{true: .96, false: .04}[v > .5]
	}
	got := run1(t, p, s, b).Propensities
	if got.FirstMismatch == nil || got.Matched > 2 || math.Abs(math.Abs(got.FirstMismatch.Logged-got.FirstMismatch.Replayed)-.01) > 1e-12 {
		t.Errorf("every row: %+v, first %+v", got, got.FirstMismatch)
	}
}

// Without logged propensities, or for a policy that does not draw, nothing is
// compared; a log with more arms than are declared is refused.
func TestNothingToCompare(t *testing.T) {
	p := policies()["epsilon-greedy"]
	s, b := drawn(t, p, false)
	s.Propensity, b.Propensity = false, nil
	if c := run1(t, p, s, b); c.Propensities != nil || c.Matched != few || c.Mode != schemas.ModeSeed {
		t.Errorf("without propensities: %+v", c)
	}
	ucb := protocol("ucb", "exact")
	l := play(t, ucb)
	l.Propensity = make([]float64, len(l.Arm))
	for i := range l.Propensity {
		l.Propensity[i] = 0.5
	}
	if out, _ := run(t, ucb, l.write(t), nil); out.Conformance.Propensities != nil || out.Conformance.Matched != rounds {
		t.Errorf("of a policy that draws nothing: %+v", out.Conformance)
	}
	s, b = drawn(t, p, false)
	one, err := Declare(replay.Standard(), p, arms()[:1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.Run(context.Background(), slice(t, s, b), &ledger.Disclosures{}, nil); err == nil || !strings.Contains(err.Error(), "not declared") {
		t.Errorf("error %v", err)
	}
}

// summed checks that the stretches of a comparison make up the whole, and
// returns it without them, the largest deviation and the hypotheses.
func summed(tb interface {
	Helper()
	Errorf(string, ...any)
}, r *schemas.PropensityReplay,
) *schemas.PropensityReplay {
	tb.Helper()
	var rounds, beyond, last int64
	largest := 0.0
	for _, b := range r.Batches {
		rounds, beyond, largest = rounds+b.Rounds, beyond+b.Beyond, max(largest, b.Largest)
		if b.First <= last || b.Last < b.First || b.Rounds < 1 || b.Beyond > b.Rounds {
			tb.Errorf("a stretch %+v after round %d", b, last)
		}
		last = b.Last
	}
	if rounds != r.Rounds || beyond != r.Rounds-r.Matched || len(r.Batches) > 512 {
		tb.Errorf("%d stretches have %d rounds and %d beyond tolerance, want %d and %d", len(r.Batches), rounds, beyond, r.Rounds, r.Rounds-r.Matched)
	}
	if w := r.Worst; (w == nil) != (largest == 0) || w != nil && math.Abs(w.Logged-w.Replayed) != largest {
		tb.Errorf("the worst is %+v, and of all stretches %g", w, largest)
	}
	if (r.FirstMismatch == nil) && len(r.Hypotheses) > 0 {
		tb.Errorf("nothing is to be explained: %+v", r.Hypotheses)
	}
	out := *r
	out.Batches, out.Hypotheses, out.Worst = nil, nil, nil
	return &out
}

// A declared resolution is added to the tolerance, of either column, and no more.
func TestResolutionIsAdded(t *testing.T) {
	const resolution = 1e-3
	for _, byArm := range []bool{false, true} {
		for _, tt := range []struct {
			shift float64
			seen  bool
		}{{0.999, false}, {1.1, true}} {
			p := policies()["thompson"]
			p.Log.PropensityResolution = new(resolution)
			s, b := drawn(t, p, byArm)
			values := column(b, byArm)
			for i, v := range values {
				if values[i] -= tt.shift * resolution; v > 0.5 {
					values[i] = v + tt.shift*resolution
				}
				values[i] = max(1e-5, min(1, values[i]))
			}
			got := run1(t, p, s, b).Propensities
			if got.Resolution == nil || *got.Resolution != resolution || (got.FirstMismatch != nil) != tt.seen || (got.Matched == few) == tt.seen {
				t.Errorf("by arm %v, a shift of %g resolutions: %+v", byArm, tt.shift, got)
			}
			summed(t, got)
		}
	}
}

func run1(tb testing.TB, p *schemas.Protocol, s tableau.Schema, b *tableau.Batch) schemas.Conformance {
	tb.Helper()
	out, _ := run(tb, p, slice(tb, s, b), nil)
	return out.Conformance
}
