package shard

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/schemas"
)

// written is a fragment of two outcomes, and these.
func written(t *testing.T) (text []byte, outcomes []*aggregate.Outcome) {
	t.Helper()
	sha := strings.Repeat("0a", 32)
	inputs := []schemas.Input{{URI: "a.parquet", Bytes: 9, Rows: 7, SHA256: sha}}
	head := &Head{Schema: Schema, Tool: schemas.Tool{Name: "t", Version: "1"}, Protocol: sha, Part: Part{1, 3}, Log: LogDigest(inputs), Experiments: 5, Inputs: inputs}
	one := &aggregate.Outcome{
		Claims: []schemas.Finding{{ID: "c", ObservedValue: schemas.Ext(math.Inf(1)), Evidence: []string{"/experiments/1"}}},
		Status: map[string]string{"A1": "declared"}, Evidence: "seed", Horizon: 7, Rows: math.MaxUint64, Drawn: true,
		Family: &aggregate.Family{
			Method: "bh", Alpha: 0.05, IDs: []string{"H1", "H<2"}, Raw: []float64{math.NaN(), -math.Pi * 1e-300}, Deciding: []float64{math.Inf(-1), math.Copysign(0, -1)},
			Evidence: []float64{math.Inf(1), math.Nextafter(1, 2)}, Floored: []bool{true, false}, Sigma: 1. / 3, Units: true, Rejected: 1,
		},
		Experiment: schemas.Experiment{ID: "x", Cautions: []string{}},
	}
	outcomes = []*aggregate.Outcome{one, {Experiment: schemas.Experiment{ID: "y"}}}
	var b bytes.Buffer
	w := NewWriter(&b, head)
	for i, o := range outcomes {
		if err := w.Add(2*i+1, 3, o); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), outcomes
}

// TestRoundTrip: what is read is what was written, to the last bit.
func TestRoundTrip(t *testing.T) {
	text, want := written(t)
	f, err := Read(bytes.NewReader(text), int64(len(text)))
	if err != nil || f.Count != 2 || f.Rows != 6 || f.Head.Part != (Part{1, 3}) {
		t.Fatalf("%+v, %v", f, err)
	}
	for i, e := range f.Entries {
		got, err := e.Outcome(bytes.NewReader(text))
		if err != nil || e.Index != 2*i+1 {
			t.Fatal(e, err)
		}
		if diff := cmp.Diff(want[i], got, cmpopts.EquateNaNs()); diff != "" {
			t.Error(diff)
		}
		if g := got.Family; g != nil && !math.Signbit(g.Deciding[1]) {
			t.Error("a sign was lost")
		}
	}
}

// TestDamaged: no fragment that was cut, or of which a byte is another one, or behind
// which something stands, is read.
func TestDamaged(t *testing.T) {
	text, _ := written(t)
	refused := func(b []byte, what string, at int) {
		t.Helper()
		if _, err := Read(bytes.NewReader(b), int64(len(b))); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s at %d: %v", what, at, err)
		}
	}
	for at := range text {
		refused(text[:at], "cut", at)
		changed := bytes.Clone(text)
		changed[at] ^= 1
		refused(changed, "changed", at)
	}
	refused(append(bytes.Clone(text), '\n'), "longer", len(text))
	refused(append(bytes.Clone(text), text...), "twice", len(text))
}

// TestOwns: every experiment is of exactly one part, by the SHA-256 of its id: that of
// "0" begins with 5feceb66ffc86f38, that of "" with e3b0c44298fc1c14 (sha256sum).
func TestOwns(t *testing.T) {
	for id, first := range map[string]uint64{"0": 0x5feceb66ffc86f38, "": 0xe3b0c44298fc1c14} {
		for n := 1; n < 12; n++ {
			for i := range n {
				if got, want := (Part{i, n}).Owns(id), first%uint64(n) == uint64(i); got != want {
					t.Errorf("part %d of %d owns %q: %v", i, n, id, got)
				}
			}
		}
	}
}

// TestMove: what points to an experiment follows it, and what only the first of a log have
// goes where it is none of them.
func TestMove(t *testing.T) {
	outcome := func() *aggregate.Outcome {
		return &aggregate.Outcome{
			Claims: []schemas.Finding{{Evidence: []string{"/experiments/1", "/experiments/1/tests/0"}}},
			Experiment: schemas.Experiment{
				Series: []schemas.Series{{}},
				Replay: schemas.Conformance{Released: &schemas.ReleasedReplay{Noise: &schemas.NoiseFit{Quantiles: &schemas.Series{}}}},
			},
		}
	}
	for to, kept := range map[int]bool{0: true, schemas.SeriesExperiments - 1: true, schemas.SeriesExperiments: false} {
		o, at := outcome(), fmt.Sprintf("/experiments/%d", to)
		if err := Move(o, 1, to); err != nil || !slices.Equal(o.Claims[0].Evidence, []string{at, at + "/tests/0"}) {
			t.Errorf("to %d: %v, %v", to, o.Claims[0].Evidence, err)
		}
		if x := &o.Experiment; (len(x.Series) == 1) != kept || (x.Replay.Released.Noise.Quantiles != nil) != kept {
			t.Errorf("to %d: lines of figures", to)
		}
	}
	for _, was := range []int{0, 11} {
		if err := Move(outcome(), was, 3); !errors.Is(err, ErrDamaged) {
			t.Errorf("from %d: %v", was, err)
		}
	}
}
