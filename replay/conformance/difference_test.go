package conformance

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// copied is a replay as a file gives it back.
func copied(tb testing.TB, r *schemas.ReplayExperiment) *schemas.ReplayExperiment {
	tb.Helper()
	b, err := schemas.Encode(r)
	out := &schemas.ReplayExperiment{}
	if err == nil {
		err = json.Unmarshal(b, out)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// wantSame: two replays do not differ.
func wantSame(tb testing.TB, what string, a, b *schemas.ReplayExperiment) {
	tb.Helper()
	if at, err := Difference(a, b); at != "" || err != nil {
		tb.Errorf("%s: differs at %q, %v", what, at, err)
	}
}

// halved is a log of noise with half the declared scale, of a policy that draws,
// with its propensities.
func halved(tb testing.TB) (*Declared, *tableau.Slice, schemas.Conformance) {
	tb.Helper()
	written, p := noisy("thompson", "laplace"), noisy("thompson", "laplace")
	written.Counter.Epsilon = schemas.MustRational("2")
	s := show(tb, written, 400, 7, false).write(tb)
	c := run2(tb, p, s)
	if c.Mode != schemas.ModeReleased || c.Released.Noise == nil || !c.Released.Noise.Rejected || c.Propensities == nil || c.Matched != c.Rounds {
		tb.Fatalf("%+v", c)
	}
	return declare(tb, p), s, c
}

// Whatever is edited in what a replay found, it is no longer what the replay of
// this log gives, and the first field that was edited is named.
func TestEditedReplay(t *testing.T) {
	d, s, c := halved(t)
	found := &schemas.ReplayExperiment{ID: s.ID(), Conformance: c, Privacy: schemas.Accounting{Levels: []schemas.CostLevel{{}, {}}}}
	wantSame(t, "as it was", found, copied(t, found))
	for _, c := range []struct {
		name, at string
		edit     func(c *schemas.Conformance)
	}{
		{"mode none", "/conformance/mode", func(c *schemas.Conformance) { c.Mode = schemas.ModeNone }},
		{"nothing found", "/conformance/mode", func(c *schemas.Conformance) { *c = schemas.Conformance{Mode: schemas.ModeNone, Rounds: c.Rounds} }},
		{"mode propensity", "/conformance/mode", func(c *schemas.Conformance) { c.Mode = schemas.ModePropensity }},
		{"mode seed", "/conformance/mode", func(c *schemas.Conformance) { c.Mode = schemas.ModeSeed }},
		{"one more round", "/conformance/rounds", func(c *schemas.Conformance) { c.Rounds++ }},
		{"one match less", "/conformance/matched", func(c *schemas.Conformance) { c.Matched-- }},
		{"less than none", "/conformance/matched", func(c *schemas.Conformance) { c.Matched = -1 }},
		{"no batches", "/conformance/propensities/batches", func(c *schemas.Conformance) { c.Propensities.Batches = nil }},
		{"one batch less", "/conformance/propensities/batches/0/first", func(c *schemas.Conformance) { c.Propensities.Batches = c.Propensities.Batches[1:] }},
		{"a batch less", "/conformance/propensities/batches/1/rounds", func(c *schemas.Conformance) { c.Propensities.Batches[1].Rounds-- }},
		{"a batch with more", "/conformance/propensities/batches/1/beyond", func(c *schemas.Conformance) { c.Propensities.Batches[1].Beyond++ }},
		{"explained for nothing", "/conformance/propensities/hypotheses", func(c *schemas.Conformance) { c.Propensities.Hypotheses = make([]schemas.Hypothesis, 1) }},
		{"no released values", "/conformance/released", func(c *schemas.Conformance) { c.Released = nil }},
		{"held otherwise", "/conformance/released/actions", func(c *schemas.Conformance) { c.Released.Actions, c.Released.Allocation = schemas.ActionsExact, nil }},
		{"no wager", "/conformance/released/allocation", func(c *schemas.Conformance) { c.Released.Allocation = nil }},
		{"a wager of p above 1", "/conformance/released/allocation/p", func(c *schemas.Conformance) { c.Released.Allocation.P = 1.5 }},
		{"a wager won by nothing", "/conformance/released/allocation/rejected", func(c *schemas.Conformance) { c.Released.Allocation.Rejected = true }},
		{"one compared", "/conformance/released/compared", func(c *schemas.Conformance) { c.Released.Compared = 2 }},
		{"one changed", "/conformance/released/changed", func(c *schemas.Conformance) { c.Released.Changed = 1 }},
		{"no noise", "/conformance/released/noise", func(c *schemas.Conformance) { c.Released.Noise = nil }},
		{"no tests", "/conformance/released/noise/tests", func(c *schemas.Conformance) { c.Released.Noise.Tests = nil }},
		{"five tests", "/conformance/released/noise/tests", func(c *schemas.Conformance) { c.Released.Noise.Tests = c.Released.Noise.Tests[:5] }},
		{"another test", "/conformance/released/noise/tests/2/name", func(c *schemas.Conformance) { c.Released.Noise.Tests[2].Name = "size" }},
		{"a test at a lower level", "/conformance/released/noise/tests/0/level", func(c *schemas.Conformance) {
			n := c.Released.Noise
			n.Tests[0].Level, n.Tests[0].Rejected, n.Rejected, n.Hypotheses, n.Spent = 0, false, false, nil, nil
		}},
		{"a test that does not reject", "/conformance/released/noise/tests/0/rejected", func(c *schemas.Conformance) { c.Released.Noise.Tests[0].Rejected = false }},
		{"p above 1", "/conformance/released/noise/tests/1/p", func(c *schemas.Conformance) { *c.Released.Noise.Tests[1].P = 1.5 }},
		{"not rejected", "/conformance/released/noise/rejected", func(c *schemas.Conformance) { c.Released.Noise.Rejected = false }},
		{"another level", "/conformance/released/noise/level", func(c *schemas.Conformance) { c.Released.Noise.Level = 0.5 }},
		{"a ratio above its interval", "/conformance/released/noise/ratio", func(c *schemas.Conformance) { *c.Released.Noise.Ratio = *c.Released.Noise.RatioHi + 1 }},
		{"an interval upside down", "/conformance/released/noise/ratio_lo", func(c *schemas.Conformance) { n := c.Released.Noise; n.RatioLo, n.RatioHi = n.RatioHi, n.RatioLo }},
		{"an epsilon below", "/conformance/released/noise/epsilon", func(c *schemas.Conformance) { *c.Released.Noise.Epsilon = *c.Released.Noise.EpsilonLo / 2 }},
		{"less than no release", "/conformance/released/noise/releases", func(c *schemas.Conformance) { c.Released.Noise.Releases = -1 }},
		{"fewer draws", "/conformance/released/noise/recovered", func(c *schemas.Conformance) { c.Released.Noise.Recovered-- }},
		{"one draw", "/conformance/released/noise/recovered", func(c *schemas.Conformance) { c.Released.Noise.Recovered, c.Released.Noise.Groups = 1, nil }},
		{"more explained than tried", "/conformance/released/noise/hypotheses/0/explained", func(c *schemas.Conformance) { h := &c.Released.Noise.Hypotheses[0]; h.Explained = h.Rows + 1 }},
	} {
		r := copied(t, found)
		c.edit(&r.Conformance)
		for _, pair := range [][2]*schemas.ReplayExperiment{{r, found}, {found, r}} {
			if got, err := Difference(pair[0], pair[1]); got != c.at || err != nil {
				t.Errorf("%s: it differs at %q, %v; want %q", c.name, got, err, c.at)
			}
		}
	}
	other := copied(t, found)
	other.Privacy.Levels[1].Cost = 0.5
	if at, err := Difference(found, other); at != "/privacy/levels/1/cost" || err != nil {
		t.Errorf("another cost: it differs at %q, %v", at, err)
	}
	alone, err := declare(t, seeded(noisy("thompson", "laplace"), 7)).Run(t.Context(), s, &ledger.Disclosures{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	given, err := d.Run(t.Context(), s, &ledger.Disclosures{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := Difference(&given, &alone); at != "/conformance/mode" || err != nil {
		t.Errorf("what was found without the seed, where one is declared: %q, %v", at, err)
	}
	found.Conformance.Released.Noise.Level = math.NaN()
	if _, err := Difference(&given, found); err == nil {
		t.Error("a replay that cannot be written is compared")
	}
}

// FuzzDifference: whatever a file says is compared without a panic. It is the same
// where it is the same bytes, and only there, and else a field of either is named.
func FuzzDifference(f *testing.F) {
	_, s, c := halved(f)
	found := &schemas.ReplayExperiment{ID: s.ID(), Conformance: c}
	want, err := schemas.Encode(found)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(want)
	f.Add([]byte(`{"conformance":{"mode":"propensity","rounds":1,"replayable":1,"matched":-0,"propensities":{"rounds":1,"matched":1,"batches":[{"first":1,"last":1,"rounds":1}]}}}`))
	negative := copied(f, found)
	negative.Conformance.Propensities.Batches[0].Largest = math.Copysign(0, -1)
	zero, err := schemas.Encode(negative)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(zero)
	f.Add([]byte(`{"id":"shop","conformance":{"mode":"seed","rounds":-1,"released":{"actions":"seed","noise":{"tests":[{"p":2}]}}}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		r := &schemas.ReplayExperiment{}
		if json.Unmarshal(src, r) != nil {
			return
		}
		at, err := Difference(r, found)
		got, encodeErr := schemas.Encode(r)
		if (err != nil) != (encodeErr != nil) || err == nil && (at == "") != bytes.Equal(got, want) {
			t.Fatalf("it differs at %q, %v", at, err)
		}
		if err == nil && at != "" && !stands(t, got, at) && !stands(t, want, at) {
			t.Errorf("neither has a field %s", at)
		}
	})
}

// stands reports whether a JSON pointer leads to something.
func stands(t *testing.T, document []byte, pointer string) bool {
	t.Helper()
	var v any
	if err := json.Unmarshal(document, &v); err != nil {
		t.Fatal(err)
	}
	for _, step := range strings.Split(pointer, "/")[1:] {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[step]
			if !ok {
				return false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(x) {
				return false
			}
			v = x[i]
		default:
			return false
		}
	}
	return true
}
