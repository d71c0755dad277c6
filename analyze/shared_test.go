package analyze_test

import (
	"context"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

// among is the outcome of the first of n experiments of a log.
func (l *lab) among(t *testing.T, n int) *aggregate.Outcome {
	t.Helper()
	in := l.input(0, 1)
	in.Of = publiclog.LogScope{Experiments: n, Files: 1}
	out, err := analyze.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// of returns the claim with an id.
func of(t *testing.T, out *aggregate.Outcome, id string) *schemas.Finding {
	t.Helper()
	for i := range out.Claims {
		if out.Claims[i].ID == id {
			return &out.Claims[i]
		}
	}
	t.Fatalf("no claim %s", id)
	return nil
}

// TestSharedLevels: a test on released values has one decision, at the level that
// all experiments share: claim and results agree, and the replay is left as it is.
func TestSharedLevels(t *testing.T) {
	base := seen(t)
	barely := base.replayed(func(c *schemas.Conformance) {
		fit := c.Released.Noise
		fit.Rejected = true
		fit.Tests = []schemas.NoiseTest{{Name: "scale", P: new(1e-4), Level: 0.001 / 6, Rejected: true}}
		fit.Hypotheses = []schemas.Hypothesis{{Name: "no-noise", Words: "no noise", Fits: true}}
		fit.Spent = schemas.Ext(3)
		c.Released.Allocation = &schemas.AllocationTest{Level: 0.001, P: 5e-4, Arm: "b", Round: new(int64(400)), Rejected: true}
	})
	before := *barely.replays[0].Conformance.Released.Noise.Detectable
	for _, c := range []struct {
		experiments       int
		noise, conformity schemas.Verdict
		rejected          bool
	}{{1, schemas.Violated, schemas.Violated, true}, {3, schemas.Consistent, schemas.Consistent, false}} {
		out := barely.among(t, c.experiments)
		x := out.Experiment.Replay.Released
		fit := x.Noise
		if got := of(t, out, noise); got.Verdict != c.noise {
			t.Errorf("%d experiments: %s (%s)", c.experiments, got.Verdict, got.Reason)
		}
		if got := of(t, out, conforms); got.Verdict != c.conformity {
			t.Errorf("%d experiments: %s (%s)", c.experiments, got.Verdict, got.Reason)
		}
		if fit.Rejected != c.rejected || fit.Tests[0].Rejected != c.rejected || fit.Scaled() == c.rejected || x.Allocation.Rejected != c.rejected ||
			(fit.Spent != nil) != c.rejected || (len(fit.Hypotheses) > 0) != c.rejected || (x.Allocation.Round != nil) != c.rejected {
			t.Errorf("%d experiments: %+v, %+v", c.experiments, fit, x.Allocation)
		}
		n := float64(c.experiments)
		if fit.Level != 0.001/n || fit.Tests[0].Level != 0.001/6/n || x.Allocation.Level != 0.001/n {
			t.Errorf("%d experiments: levels %g, %g, %g", c.experiments, fit.Level, fit.Tests[0].Level, x.Allocation.Level)
		}
		if (*fit.Detectable > before) != (c.experiments > 1) {
			t.Errorf("%d experiments: detectable %g, of one %g", c.experiments, *fit.Detectable, before)
		}
	}
	if x := barely.replays[0].Conformance.Released; !x.Noise.Rejected || !x.Noise.Tests[0].Rejected || !x.Allocation.Rejected || x.Noise.Level != 0.001 {
		t.Error("the replay was changed")
	}
}

// TestUnsaidAmongSeveral: a p that is not said rejects at the level of one
// experiment; among several it decides nothing.
func TestUnsaidAmongSeveral(t *testing.T) {
	few := seen(t).replayed(func(c *schemas.Conformance) {
		fit := c.Released.Noise
		fit.Rejected, fit.Recovered = true, 5
		fit.Tests = []schemas.NoiseTest{{Name: "scale", Level: 0.001 / 6, Rejected: true}}
	})
	for n, want := range map[int]schemas.Verdict{1: schemas.Violated, 2: schemas.NotEstablished} {
		if got := of(t, few.among(t, n), noise); got.Verdict != want {
			t.Errorf("%d experiments: %s (%s), want %s", n, got.Verdict, got.Reason, want)
		}
	}
}

// TestCoarseLattice: on a lattice that is coarse beside the noise no detectable
// factor is said; the interval says what the draws reject.
func TestCoarseLattice(t *testing.T) {
	coarse := seen(t).replayed(func(c *schemas.Conformance) {
		fit := c.Released.Noise
		fit.Groups = []schemas.NoiseGroup{{Arm: "a", Scale: 1e-9, Draws: 900}}
		fit.RatioLo, fit.RatioHi = new(0.5), new(2.5)
	})
	out := coarse.among(t, 1)
	f := of(t, out, noise)
	if f.Verdict != schemas.Consistent || !strings.HasPrefix(f.Reason, "these draws reject noise of less than 0.5, or of more than 2.5, times the declared scale") ||
		out.Experiment.Replay.Released.Noise.Detectable != nil {
		t.Errorf("%s (%s)", f.Verdict, f.Reason)
	}
	if !strings.HasSuffix(f.Procedure, "; intervals at level 1 − 0.001/6") {
		t.Errorf("procedure %q", f.Procedure)
	}
}

// TestSameForASeed: a replay from a seed that fails names what else gives the same
// picture, and where the released values match, from where on and how many of
// them the seed does not give.
func TestSameForASeed(t *testing.T) {
	source := strings.Replace(private, "reward: reward}", "reward: reward, released_by_arm: released_by_arm}", 1)
	base := simulated(t, source, 3, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900})
	fails := func(matched int64) func(*schemas.Conformance) {
		return func(c *schemas.Conformance) {
			c.Matched, c.FirstMismatch, c.LastMismatch = 890, &schemas.Mismatch{Round: 17, Logged: "a", Replayed: "b"}, new(int64(800))
			x := c.Released
			x.Matched, x.Compared, x.Differ, x.FirstDiffer = matched, 2700, 540, &schemas.ReleasedValue{Round: 5, Arm: "c", Logged: 0.5}
		}
	}
	for _, c := range []struct {
		name string
		lab  *lab
		want string
	}{
		{"released values match", base.replayed(fails(900)), "; by the released values all 900 rounds match, so that the rule is the declared one: either the noise is that of another seed (or of another experiment.id or order of arms), or rewards in the log are not those that were released; from round 5 on 540 of 2,700 released values (20 %) are not what seed and logged rewards give"},
		{"nor do released values", base.replayed(fails(800)), "; another seed than the one drawn from at run time gives the same picture, and so does this seed under another experiment.id or another order of arms"},
	} {
		if f := of(t, c.lab.among(t, 1), conforms); f.Verdict != schemas.Violated || !strings.HasSuffix(f.Reason, c.want) {
			t.Errorf("%s: %s, %q", c.name, f.Verdict, f.Reason)
		}
	}
}

// TestReleasedPropensitiesExplained: in mode released a mismatch of propensities
// keeps what explains it, and an action that cannot be drawn stands before it.
func TestReleasedPropensitiesExplained(t *testing.T) {
	wrong := func(first *schemas.Mismatch) func(*schemas.Conformance) {
		return func(c *schemas.Conformance) {
			c.Matched, c.FirstMismatch = 890, &schemas.Mismatch{Round: 17, Logged: "a with propensity 0.5", Replayed: "a with propensity 0.51"}
			c.Propensities = &schemas.PropensityReplay{
				Rounds: 900, Matched: 890, FirstMismatch: &schemas.PropensityMismatch{Round: 17, Arm: "a", Logged: 0.5, Replayed: 0.51},
				Batches: []schemas.PropensityBatch{}, Hypotheses: []schemas.Hypothesis{{Name: "stale", Words: "they are stale", Rows: 10, Explained: 10, Fits: true}},
			}
			if c.Released.FirstMismatch = first; first != nil {
				c.Released.Matched = 899
			}
		}
	}
	source := strings.NewReplacer("reward: reward}", "reward: reward, propensity: propensity, released_by_arm: released_by_arm}",
		"ucb, width: {delta: 0.05}, bonus: quantile, seed: {file: seed.hex}", "softmax, eta: 3").Replace(private)
	base := simulated(t, source, 3, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900})
	const words = "round 17: logged propensity 0.5 of arm a, the policy plays it with 0.51; the propensities of 10 of 900 rounds differ. What fits: they are stale"
	for _, c := range []struct {
		name  string
		first *schemas.Mismatch
		want  string
	}{
		{"propensities", nil, words},
		{"actions too", &schemas.Mismatch{Round: 9, Logged: "b", Replayed: "another arm: this one has propensity 0"}, "round 9: logged b, by the released values the policy plays another arm: this one has propensity 0; 1 round of this kind; " + words},
	} {
		if f := of(t, base.replayed(wrong(c.first)).among(t, 1), conforms); f.Verdict != schemas.Violated || f.Reason != c.want {
			t.Errorf("%s: %s, %q", c.name, f.Verdict, f.Reason)
		}
	}
}
