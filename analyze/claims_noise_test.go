package analyze_test

import (
	"math"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

const noise = schemas.KindPrivacyNoise

// seen is a private log that also says what the policy saw, and no seed.
func seen(t *testing.T, faults ...string) *lab {
	t.Helper()
	source := strings.NewReplacer("reward: reward}", "reward: reward, released_by_arm: released_by_arm}", ", seed: {file: seed.hex}", "").Replace(private)
	return simulated(t, source, 3, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900, Faults: faults})
}

// replayed is the lab with another outcome of the replay.
func (l *lab) replayed(change func(c *schemas.Conformance)) *lab {
	out := *l
	out.replays = []schemas.ReplayExperiment{l.replays[0]}
	c := &out.replays[0].Conformance
	x := *c.Released
	if x.Noise != nil {
		fit := *x.Noise
		x.Noise = &fit
	}
	c.Released = &x
	change(c)
	return &out
}

// TestReleasedVerdicts: actions given released values are VERIFIED at best, noise
// CONSISTENT at best; where the noise is contradicted nothing of the ledger is
// given any more.
func TestReleasedVerdicts(t *testing.T) {
	base := seen(t)
	claims := changes{lastTest: lastTest + "claims: [{id: B, kind: bias.bound, comparator: \"<=\", threshold: 1}]\n"}
	base = base.but(t, claims)
	rejected := func(name string, p float64) func(*schemas.Conformance) {
		return func(c *schemas.Conformance) {
			fit := c.Released.Noise
			fit.Rejected = true
			fit.Tests = []schemas.NoiseTest{{Name: "scale", P: &p, Level: 0.0001, Rejected: true}, {Name: "shape", P: new(0.5), Level: 0.0001}}
			if name != "" {
				fit.Hypotheses = []schemas.Hypothesis{{Name: "shared-noise", Words: "arms share noise."}, {Name: name, Words: "the noise is " + name, Rows: 9, Explained: 9, Fits: true}}
				fit.Spent, fit.SpentLo, fit.SpentHi = schemas.Ext(3), schemas.Ext(2), schemas.Ext(4)
			}
		}
	}
	verified, consistent, violated, open, none := schemas.Verified, schemas.Consistent, schemas.Violated, schemas.NotEstablished, schemas.NotApplicable
	for _, c := range []struct {
		name                           string
		lab                            *lab
		conforms, noise, total, bias   schemas.Verdict
		conformsWhy, noiseWhy, observe string // contained in the reasons, and in what was observed of noise
	}{
		{"as declared", base, verified, consistent, verified, verified, "taken as they are logged", "would have been found with 80 % power", "the noise is that of ε = "},
		{"another scale", base.replayed(rejected("scale", 1e-9)), verified, violated, open, none, "", "what fits is not the declared law: the noise is scale; if that is the law, the releases of this log cost the row that paid most ε = 3 (2, 4) (realised: of what was released in this log); the declared law is rejected by the tests of scale (smallest p 1e-09)", "the noise is that of ε = "},
		{"not of every row", base.replayed(func(c *schemas.Conformance) {
			rejected("fresh-prefixes", 0)(c)
			c.Released.Noise.SpentAtLeast = true
		}), verified, violated, open, none, "", "cost the row that paid most at least ε = 3 (2, 4); the declared", ""},
		{"another form", base.replayed(rejected("fresh-prefixes", 0)), verified, violated, open, none, "", "(smallest p below 1e-300)", "draws told apart in "},
		{"nothing fits", base.replayed(func(c *schemas.Conformance) {
			rejected("", 1e-9)(c)
			c.Released.Noise.Hypotheses = []schemas.Hypothesis{{Name: "scale", Words: "x"}, {Name: "no-noise", Words: "y"}}
		}), verified, violated, open, none, "", "None of the explanations tried fits: no noise, noise of another scale", ""},
		{"a redraw", base.replayed(func(c *schemas.Conformance) {
			c.Released.Changed, c.Released.Redrawn, c.Released.FirstChanged = 2, 1, &schemas.ReleasedPlace{Round: 1234, Arm: "b", Logged: 2.5, Expected: 1.5}
		}), verified, violated, open, none, "", "round 1,234: the released value of arm b is 2.5 and ought to be 1.5 still, since nothing was released: noise is drawn once; 2 changes of this kind", ""},
		{"another schedule", base.replayed(func(c *schemas.Conformance) {
			c.Released.Changed, c.Released.FirstChanged = 1, &schemas.ReleasedPlace{Round: 7, Arm: "b", Logged: 2.5, Expected: 1.5}
		}), violated, open, open, open, "a policy that learned at other times than declared (policy.update) would explain it; 1 change of this kind", "the policy learned at other times than declared (policy.conformance)", ""},
		{"another schedule and another noise", base.replayed(func(c *schemas.Conformance) {
			rejected("scale", 1e-9)(c)
			c.Released.Changed, c.Released.FirstChanged = 1, &schemas.ReleasedPlace{Round: 7, Arm: "b", Logged: 2.5, Expected: 1.5}
		}), verified, violated, open, none, "", "(smallest p 1e-09)", ""},
		{"rejected by few", base.replayed(func(c *schemas.Conformance) {
			rejected("", 0)(c)
			c.Released.Noise.Tests[0].P = nil
		}), verified, violated, open, none, "", "(smallest p not said of so few draws): an honest log is accused by this claim with probability 0.001 at most", ""},
		{"a cost without bound", base.replayed(func(c *schemas.Conformance) {
			rejected("no-noise", 0)(c)
			c.Released.Noise.Spent = schemas.Ext(math.Inf(1))
		}), verified, violated, open, none, "", "paid most ε = ∞; ", ""},
		{"nothing recovered", base.replayed(func(c *schemas.Conformance) { *c.Released.Noise = schemas.NoiseFit{} }), verified, open, verified, verified, "", "no draw of noise could be told apart", ""},
		{"too little recovered", base.replayed(func(c *schemas.Conformance) { c.Released.Noise.Recovered, c.Released.Noise.Detectable = 2, nil }), verified, open, verified, verified, "", "2 draws of noise could be told apart, too few", ""},
		{"another action", base.replayed(func(c *schemas.Conformance) {
			c.Matched -= 3
			c.FirstMismatch, c.LastMismatch = &schemas.Mismatch{Round: 17, Logged: "a", Replayed: "b"}, new(int64(800))
		}), violated, consistent, open, open, "round 17: logged a, the policy plays b; 3 rounds differ from there on, the last in round 800", "", ""},
		{"a wager won", base.replayed(func(c *schemas.Conformance) {
			c.Released.Allocation = &schemas.AllocationTest{Level: 0.001, P: 1e-5, Arm: "b", Round: new(int64(400)), Rejected: true}
		}), violated, consistent, open, open, "arm b was not played with the probabilities of the declared policy (p = 1e-05, level 0.001, valid at every number of rounds; reached in round 400)", "", ""},
		{"a wager lost", base.replayed(func(c *schemas.Conformance) {
			c.Released.Allocation = &schemas.AllocationTest{Level: 0.001, P: 0.5, Arm: "b"}
		}), consistent, consistent, verified, verified, "no wager against the recomputed propensities of any arm reaches level 0.001 (p = 0.5)", "", ""},
		{"values that differ", base.replayed(func(c *schemas.Conformance) {
			c.Released.Compared, c.Released.Differ, c.Released.FirstDiffer = 2700, 2, &schemas.ReleasedValue{Round: 5, Arm: "c", Logged: 0.5}
		}), violated, consistent, open, open, "round 5: the value 0.5 was released of arm c, and not what the declared counter releases, with the noise of this seed; 2 of 2,700 released values differ", "", ""},
		{"rounds that could not be replayed", base.replayed(func(c *schemas.Conformance) { c.Matched, c.Replayable = 800, 800 }), open, consistent, verified, verified, "800 of 900 rounds could be replayed", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.lab.analyse(t, 1)
			for id, want := range map[string]schemas.Verdict{conforms: c.conforms, noise: c.noise, total: c.total, "B": c.bias} {
				if f := claim(t, r, id); f.Verdict != want || f.Severity != schemas.SeverityRequired {
					t.Errorf("%s is %s (%s), want %s", id, f.Verdict, f.Reason, want)
				}
			}
			if f := claim(t, r, conforms); !strings.Contains(f.Reason, c.conformsWhy) {
				t.Errorf("%s: %q does not say %q", conforms, f.Reason, c.conformsWhy)
			}
			f := claim(t, r, noise)
			if !strings.Contains(f.Reason, c.noiseWhy) || !strings.Contains(f.Observed, c.observe) {
				t.Errorf("%s: %q, %q do not say %q, %q", noise, f.Observed, f.Reason, c.observe, c.noiseWhy)
			}
			applicable := c.noise != violated && c.conforms != violated
			for i := range r.Experiments[0].Tests {
				if got := method(t, &r.Experiments[0].Tests[i], schemas.MethodCorrected); got.Applicable != applicable {
					t.Errorf("a corrected p is applicable %v (%s), want %v", got.Applicable, got.Reason, applicable)
				}
			}
			if f := claim(t, r, total); c.total == verified && !strings.HasSuffix(f.Observed, " of the declared mechanism") {
				t.Errorf("%s does not say that the noise is not recomputed: %q", total, f.Observed)
			}
			if got := status(t, r, "A1"); (got == "failed") != !applicable {
				t.Errorf("A1 is %s", got)
			}
		})
	}
}

// status is that of an assumption.
func status(t *testing.T, r *schemas.Results, id string) string {
	t.Helper()
	for _, a := range r.Assumptions {
		if a.ID == id {
			return a.Status
		}
	}
	t.Fatalf("no assumption %s", id)
	return ""
}

// TestNoiseNotApplicable: privacy.noise stands where released values are logged,
// and applies where a counter is declared that adds noise to what a policy reads.
func TestNoiseNotApplicable(t *testing.T) {
	base := seen(t)
	unread := "policy: {name: uniform}\n"
	noReplay := *base
	noReplay.replays = nil
	without := strings.Replace(policyLine, ", seed: {file: seed.hex}", "", 1)
	for _, c := range []struct {
		name string
		lab  *lab
		want schemas.Verdict
		why  string
	}{
		{"no policy", base.but(t, changes{without: "", counterLine: "", privacyLine: ""}), schemas.NotApplicable, "no policy is declared"},
		{"no noise", base.but(t, changes{without: "policy: {name: ucb, width: {delta: 0.05}}\n", counterLine: "counter: {name: exact}\n", privacyLine: ""}), schemas.NotApplicable, "the declared counter adds no noise"},
		{"not read", base.but(t, changes{without: unread}), schemas.NotApplicable, "the declared policy reads no sums"},
		{"no replay", &noReplay, schemas.NotRun, "replay was not run"},
	} {
		f := claim(t, c.lab.analyse(t, 1), noise)
		if f.Verdict != c.want || !strings.HasPrefix(f.Reason, c.why) {
			t.Errorf("%s: %s (%s)", c.name, f.Verdict, f.Reason)
		}
	}
	for _, f := range privateLab(t).analyse(t, 1).Claims {
		if f.Kind == noise {
			t.Errorf("%s stands where no released values are logged", noise)
		}
	}
}

// TestNoiseOfOtherSchedules: with counters that draw once for each release, values
// that are redrawn reject no test, and are explained and summed all the same; the
// ε of interval is not what its noise is held against.
func TestNoiseOfOtherSchedules(t *testing.T) {
	for _, c := range []struct{ name, counter, fault, reason, observed string }{
		{"interval", "counter: {name: interval, epsilon: 0.5, horizon: 900}\n", "", "would have been found", "of the declared mechanism ε = "},
		{"interval redrawn", "counter: {name: interval, epsilon: 0.5, horizon: 900}\n", "redraw", "every release has fresh noise, all the noise of a sum; if that is the law, the releases of this log cost the row that paid most ε = ", "draws told apart"},
		{"epochs redrawn", "counter: {name: epochs, epsilon: 0.5, horizon: 900}\n", "redraw", "every release has fresh noise, all the noise of a sum; if that is the law, the releases of this log cost the row that paid most ε = ", "draws told apart"},
	} {
		source := strings.NewReplacer("reward: reward}", "reward: reward, released_by_arm: released_by_arm}", ", seed: {file: seed.hex}", "", counterLine, c.counter, privacyLine, "").Replace(private)
		spec := &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900}
		if c.fault != "" {
			spec.Faults = []string{c.fault}
		}
		f := claim(t, simulated(t, source, 3, spec).analyse(t, 1), noise)
		if !strings.Contains(f.Reason, c.reason) || !strings.Contains(f.Observed, c.observed) {
			t.Errorf("%s: %s, %q, %q", c.name, f.Verdict, f.Observed, f.Reason)
		}
		if c.fault != "" && strings.Contains(f.Observed, "the noise is that of") {
			t.Errorf("%s: the noise of one draw is said to be that of the log: %q", c.name, f.Observed)
		}
	}
}

// TestNoiseOfFaults: deployments with another noise than the declared one are
// convicted end to end. The seed is fixed; the tests of the noise themselves err
// with probability 0.001 on an honest log.
func TestNoiseOfFaults(t *testing.T) {
	for _, c := range []struct{ fault, fits string }{
		{"redraw", "noise is drawn once"},
		{"half-scale", "times the declared scale"},
	} {
		r := seen(t, c.fault).analyse(t, 1)
		f := claim(t, r, noise)
		if f.Verdict != schemas.Violated || !strings.Contains(f.Reason, c.fits) {
			t.Errorf("%s: %s (%s)", c.fault, f.Verdict, f.Reason)
		}
		if got := claim(t, r, conforms); got.Verdict != schemas.Verified {
			t.Errorf("%s: the actions are those of what was seen, and conformance is %s (%s)", c.fault, got.Verdict, got.Reason)
		}
	}
}
