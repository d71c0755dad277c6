package conformance

import (
	"encoding/json"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// deep copies what a replay found.
func deep(tb testing.TB, c *schemas.Conformance) *schemas.Conformance {
	tb.Helper()
	b, err := json.Marshal(c)
	out := &schemas.Conformance{}
	if err == nil {
		err = json.Unmarshal(b, out)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// accepted says why an outcome is refused; nil where it is not.
func accepted(d *Declared, s *tableau.Slice, c *schemas.Conformance) error {
	if err := Coherent(c); err != nil {
		return err
	}
	return d.Possible(s, c)
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

// What a replay did not find is refused where what it did find, the protocol or
// the public columns tell.
func TestEditedOutcome(t *testing.T) {
	d, s, found := halved(t)
	if err := accepted(d, s, &found); err != nil {
		t.Fatalf("as it was: %v", err)
	}
	for name, edit := range map[string]func(c *schemas.Conformance){
		"mode none":              func(c *schemas.Conformance) { c.Mode = schemas.ModeNone },
		"nothing found":          func(c *schemas.Conformance) { *c = schemas.Conformance{Mode: schemas.ModeNone, Rounds: c.Rounds} },
		"mode propensity":        func(c *schemas.Conformance) { c.Mode = schemas.ModePropensity },
		"mode seed":              func(c *schemas.Conformance) { c.Mode = schemas.ModeSeed },
		"one more round":         func(c *schemas.Conformance) { c.Rounds++ },
		"one match less":         func(c *schemas.Conformance) { c.Matched-- },
		"less than none":         func(c *schemas.Conformance) { c.Matched = -1 },
		"no batches":             func(c *schemas.Conformance) { c.Propensities.Batches = nil },
		"one batch less":         func(c *schemas.Conformance) { c.Propensities.Batches = c.Propensities.Batches[1:] },
		"a batch less":           func(c *schemas.Conformance) { c.Propensities.Batches[1].Rounds-- },
		"a batch with more":      func(c *schemas.Conformance) { c.Propensities.Batches[1].Beyond++ },
		"explained for nothing":  func(c *schemas.Conformance) { c.Propensities.Hypotheses = make([]schemas.Hypothesis, 1) },
		"no released values":     func(c *schemas.Conformance) { c.Released = nil },
		"held otherwise":         func(c *schemas.Conformance) { c.Released.Actions, c.Released.Allocation = actionsExact, nil },
		"no wager":               func(c *schemas.Conformance) { c.Released.Allocation = nil },
		"a wager of p above 1":   func(c *schemas.Conformance) { c.Released.Allocation.P = 1.5 },
		"a wager won by nothing": func(c *schemas.Conformance) { c.Released.Allocation.Rejected = true },
		"one compared":           func(c *schemas.Conformance) { c.Released.Compared = 2 },
		"one changed":            func(c *schemas.Conformance) { c.Released.Changed = 1 },
		"no noise":               func(c *schemas.Conformance) { c.Released.Noise = nil },
		"no tests":               func(c *schemas.Conformance) { c.Released.Noise.Tests = nil },
		"five tests":             func(c *schemas.Conformance) { c.Released.Noise.Tests = c.Released.Noise.Tests[:5] },
		"another test":           func(c *schemas.Conformance) { c.Released.Noise.Tests[2].Name = "size" },
		"a test at a lower level": func(c *schemas.Conformance) {
			n := c.Released.Noise
			n.Tests[0].Level, n.Tests[0].Rejected, n.Rejected, n.Hypotheses, n.Spent = 0, false, false, nil, nil
		},
		"a test that does not reject": func(c *schemas.Conformance) { c.Released.Noise.Tests[0].Rejected = false },
		"p above 1":                   func(c *schemas.Conformance) { *c.Released.Noise.Tests[1].P = 1.5 },
		"not rejected":                func(c *schemas.Conformance) { c.Released.Noise.Rejected = false },
		"another level":               func(c *schemas.Conformance) { c.Released.Noise.Level = 0.5 },
		"a ratio above its interval":  func(c *schemas.Conformance) { *c.Released.Noise.Ratio = *c.Released.Noise.RatioHi + 1 },
		"an interval upside down":     func(c *schemas.Conformance) { n := c.Released.Noise; n.RatioLo, n.RatioHi = n.RatioHi, n.RatioLo },
		"an epsilon below":            func(c *schemas.Conformance) { *c.Released.Noise.Epsilon = *c.Released.Noise.EpsilonLo / 2 },
		"less than no release":        func(c *schemas.Conformance) { c.Released.Noise.Releases = -1 },
		"fewer draws":                 func(c *schemas.Conformance) { c.Released.Noise.Recovered-- },
		"one draw":                    func(c *schemas.Conformance) { c.Released.Noise.Recovered, c.Released.Noise.Groups = 1, nil },
		"more explained than tried":   func(c *schemas.Conformance) { h := &c.Released.Noise.Hypotheses[0]; h.Explained = h.Rows + 1 },
	} {
		c := deep(t, &found)
		edit(c)
		if err := accepted(d, s, c); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	alone := declare(t, seeded(noisy("thompson", "laplace"), 7))
	if err := accepted(alone, s, &found); err == nil {
		t.Error("what was found without the seed is taken where one is declared")
	}
}

// FuzzCoherent: whatever a file says, it is judged and nothing panics; and what
// is taken has no count below 0 and no p outside [0,1].
func FuzzCoherent(f *testing.F) {
	d, s, found := halved(f)
	for _, c := range []schemas.Conformance{found, {Mode: schemas.ModeNone, Rounds: 400}} {
		b, err := json.Marshal(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"mode":"propensity","rounds":1,"replayable":1,"matched":1,"propensities":{"rounds":1,"matched":1,"batches":[{"first":1,"last":1,"rounds":1}]}}`))
	f.Add([]byte(`{"mode":"seed","rounds":-1,"released":{"actions":"seed","noise":{"tests":[{"p":2}]}}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		c := &schemas.Conformance{}
		if json.Unmarshal(src, c) != nil || accepted(d, s, c) != nil {
			return
		}
		counts, ps := []int64{c.Rounds, c.Replayable, c.Matched}, []*float64{}
		if r := c.Released; r != nil {
			counts = append(counts, r.Replayable, r.Matched, r.Compared, r.Differ, r.Changed, r.Redrawn)
			if n := r.Noise; n != nil {
				counts = append(counts, n.Releases, n.Recovered, n.OffGrid)
				for i := range n.Tests {
					ps = append(ps, n.Tests[i].P)
				}
			}
		}
		if p := c.Propensities; p != nil {
			counts = append(counts, p.Rounds, p.Matched)
		}
		for _, n := range counts {
			if n < 0 {
				t.Errorf("a count of %d is taken", n)
			}
		}
		for _, p := range ps {
			if p != nil && !(*p >= 0 && *p <= 1) {
				t.Errorf("a p of %v is taken", *p)
			}
		}
	})
}
