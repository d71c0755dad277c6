package replay_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay"
	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas/param"
)

// declaration is a protocol over which policies and counters vary.
type declaration struct {
	log, policy, counter []string
	arms                 int
}

func (d declaration) source() []byte {
	labels := []string{"a", "b", "c", "d", "e"}[:d.arms]
	return fmt.Appendf(nil, "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r%s}\narms: [%s]\nreward: {range: [0, 1]}\npolicy: {%s}\ncounter: {%s}\n",
		strings.Join(append([]string{""}, d.log...), ", "), strings.Join(labels, ", "), strings.Join(d.policy, ", "), strings.Join(d.counter, ", "))
}

// onlyNew reports whether a fault is one of those that the rules leave to New:
// whether the noise fits the sampler's integers follows from epsilon, grid,
// sensitivity, horizon and the counter together.
func onlyNew(err error) bool {
	f, ok := errors.AsType[*replay.Fault](err)
	return ok && (f.Path == "counter.epsilon" || f.Path == "counter.horizon") && strings.Contains(f.Rule, "the sampler's integers")
}

// tryToPlay fails where the rules accept the declaration, and New refuses it for
// anything but onlyNew, or what it builds cannot be played. It reports whether
// it was played.
func (d declaration) tryToPlay(t interface{ Fatalf(string, ...any) }) bool {
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", d.source())
	if err != nil {
		return false
	}
	p := &doc.Protocol
	m, err := replay.Standard().New(p, p.Arms)
	if err != nil {
		for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
			if !onlyNew(e) {
				t.Fatalf("the rules accept what New refuses: %v\n%s", e, d.source())
			}
		}
		return false
	}
	r, in := m.NewRunner(replay.Seed(1), "e"), &replay.Round{}
	if !p.Log.Context.IsZero() {
		in.X = []float64{0.5, -0.25}
	}
	if p.Log.ScoreByArm != "" {
		in.Scores = make([]float64, d.arms)
	}
	rounds := int64(12)
	if h := p.Counter.Horizon; h > 0 {
		rounds = min(rounds, h)
	}
	for i := range rounds {
		in.Batch = int32(i / 3)
		arm := r.Next(in)
		sum := 0.0
		for _, q := range r.Propensities() {
			sum += q
		}
		if arm < 0 || arm >= d.arms || !(sum > 1-1e-6 && sum < 1+1e-6) {
			t.Fatalf("round %d: arm %d, propensities add up to %v\n%s", i+1, arm, sum, d.source())
		}
		r.Add(arm, float64(i%2))
	}
	if r.Err() != nil {
		t.Fatalf("%v\n%s", r.Err(), d.source())
	}
	return true
}

// values of every key, good and bad; the first makes a good protocol wherever
// the key belongs.
func values() map[string][]string {
	return map[string][]string{
		"width": {"{delta: 0.05}", "{c: 2}", "{delta: 1}", "{c: 0}", "{}", "{delta: 0.1, c: 1}", "{alpha: 1.25}", "{alpha: 0}", "{c: 2, clock: plays, offset: 3}", "{delta: 0.1, clock: learned}", "{c: 2, horizon: 1000}", "{c: 2, horizon: 5, clock: round}", "{c: 2, offset: 0.5}", "{c: 2, clock: day}"}, "start": {"none", "in-order", "any", "random", "{rows: 1, sum: 1}", "{rows: 1}", "{first: 3}", "{first: 0}", "{until: each-played}", "{until: dawn}", "{}", "{first: 2, rows: 1, sum: 0}", "{given: 2}", "late"},
		"unseen": {"{mean: 0}", "{mean: 0.5}", "{}"}, "order": {"[b, a]", "[a]", "[b, c]"},
		"unfit": {"identity", "ridge", "none"}, "bonus": {"quantile", "none", "paper", "wide"},
		"explore":     {"0.1", "{decay: 5}", "0", "1", "1.5", "-1", "{decay: 0}", "{}", "{decay: 5, clock: plays}", "{exponential: 0.001, from: 0.9}", "{exponential: 0.1}", "{harmonic: 0.1, from: 1, to: 0.01, clock: learned}", "{linear: [1, 0.05, 100]}", "{linear: [1, 2]}", "{linear: [1, 0, 10], clock: round}", "{decay: 1, linear: [1, 0, 10]}"},
		"temperature": {"0.1", "0"}, "tau": {"2"}, "of": {"means", "sums", "medians"}, "shrink": {"1", "0", "0.5"}, "minimise": {"true", "false", "maybe"}, "gamma": {"0.1", "20", "{scale: 10}", "{scale: 2, exponent: 0.3, clock: plays}", "{}", "0", "1", "1.5", "-1", "1e-13"}, "eta": {"0.5", "0", "-1", "1e300"},
		"prior": {
			"{alpha: 1, beta: 1}", "{mean: 0.5, variance: 1, noise: 0.25}", "{alpha: 0.5, beta: 3}", "{alpha: 0.001, beta: 1e9}", "{alpha: 0.0009, beta: 2e9}",
			"{mean: 1e6, variance: 1e-12, noise: 1e12}", "{mean: -1.1e6, variance: 1e12, noise: 1e-12}", "{alpha: 1}", "{alpha: 1, noise: 1}",
			"{mean: 0, variance: 1, noise: sample}", "{mean: 0, variance: 4, noise: simple}", "{mean: 0, variance: 0, noise: 1}", "{mean: -2, variance: 1}", "{}",
		},
		"top": {"1", "2", "3", "1.5"}, "min_rows": {"0", "2", "-1", "100"}, "cap": {"none", "200", "2", "4.5", "0", "some"}, "like": {"mabwiser/thompson", "pymab/ucb", "smpybandits/ucb", "vw/squarecb"},
		"probabilities": {"[0.5, 0.5]", "[1]", "[0.5, 0.6]", "[0.2, 0.3, 0.5]", "[-1, 2]", "[]"},
		"lambda":        {"1", "0", "-1", "0.001", "1e60", "1e-60", "1e61"}, "theta_bound": {"1", "0", "5", "1e60"}, "noise_sd": {"0.5", "0", "2", "1e-60"}, "context_l1": {"1", "0", "inf", "3/4", "70000"},
		"ties": {"seeded", "first", "last", "random", "any", "shared", "name", "best"}, "near_ties": {"2^-30", "0", "2^-19", "-1", "inf", "1e-12"}, "floor": {"0.2", "0", "0.5", "0.9", "1", "-0.1", "{kind: clip, value: 0.2}", "{kind: rest, value: 0.5}", "{kind: mix, value: 0.1}", "{kind: water, value: 1/3}", "{kind: water}", "{kind: sink, value: 0.1}", "{value: 0.1}"}, "update": {"{every: 4}", "{every: 1}", "batch", "{every: 0}"},
		"exec": {"[python3, policy.py]", "[]"}, "exec_env": {"[LANG]"}, "gives": {"propensities", "arm"}, "memory": {"1GiB"}, "parameters": {"{a: 1}"}, "reads_rewards": {"false"}, "sha256": {"{}"}, "timeout": {"10s"},
		"by":      {"leaf", "{column: leaf}", "{}"},
		"draw":    {"{by: round}", "{by: unit}", "round", "{}"},
		"epsilon": {"1", "1/3", "0.25", "0", "-1", "inf", "0.1234567891", "1e-12", "1e-13", "1e-300", "1e300", "1234567891/2345678917"}, "horizon": {"1000", "1", "2", "0", "1073741824", "1073741825", "1099511627776", "1099511627777"}, "grid": {"2^-20", "1", "2^-30", "0.3", "2^-31"},
		"exponent": {"1.1", "3/2", "1", "2", "inf", "1.101", "1.01", "149/100"}, "sensitivity": {"1", "1/2", "0", "inf", "70000", "1e-9", "65535.999"},
	}
}

func policyNames() []string {
	var names []string
	for _, d := range replay.Standard().Policies {
		names = append(names, d.Name)
	}
	return names
}

// keys are those that a policy or a counter may have.
type keys struct {
	needs []string // without these the rules refuse it
	takes []string // the others
}

// policyKeys returns the keys of a policy. A bound on contexts is among those that
// it needs: it has to be declared beside a counter with noise.
func policyKeys(d *policy.Descriptor) keys {
	k := keys{takes: []string{"floor", "update", "by"}}
	for _, key := range d.Keys {
		if key.Needed || key.Name == param.ContextBound {
			k.needs = append(k.needs, key.Name)
		} else {
			k.takes = append(k.takes, key.Name)
		}
	}
	if d.Compares {
		k.takes = append(k.takes, "ties", "order")
	}
	if d.Indexed {
		k.takes = append(k.takes, "near_ties")
	}
	return k
}

// counterKeys returns the keys of a counter. A horizon is one of every counter
// with noise: a policy's bonus may ask for it.
func counterKeys(d *counter.Descriptor) keys {
	if !d.Noise {
		return keys{}
	}
	k := keys{needs: []string{"epsilon"}, takes: []string{"grid"}}
	if d.Horizon == param.HorizonNeeded {
		k.needs = append(k.needs, "horizon")
	} else {
		k.takes = append(k.takes, "horizon")
	}
	if d.Exponent {
		k.takes = append(k.takes, "exponent")
	}
	return k
}

// TestEveryKeyHasValues: there is a value to write for every key that is drawn.
func TestEveryKeyHasValues(t *testing.T) {
	all, std := values(), replay.Standard()
	has := func(name string, own keys) {
		for _, k := range slices.Concat(own.needs, own.takes) {
			if len(all[k]) == 0 {
				t.Errorf("%s has the key %s, for which values has nothing", name, k)
			}
		}
	}
	for i := range std.Policies {
		has(std.Policies[i].Name, policyKeys(&std.Policies[i]))
	}
	for i := range std.Counters {
		has(std.Counters[i].Name, counterKeys(&std.Counters[i]))
	}
	has("another policy", keys{takes: foreignKeys(std)})
}

// draw returns the keys of a policy or a counter: mostly those that it needs,
// some that it takes, and now and then one that is missing, strange or foreign.
func draw(t *rapid.T, name string, own keys, foreign []string) []string {
	all, out := values(), []string{"name: " + name}
	odd := func(what string, oneIn int) bool { return rapid.IntRange(1, oneIn).Draw(t, what) == oneIn }
	add := func(k string) {
		v := all[k][0]
		if odd(k+" varies", 8) {
			v = rapid.SampledFrom(all[k]).Draw(t, k)
		}
		out = append(out, k+": "+v)
	}
	for _, k := range own.needs {
		if !odd("no "+k, 50) {
			add(k)
		}
	}
	for _, k := range own.takes {
		if odd(k, 3) {
			add(k)
		}
	}
	if k := rapid.SampledFrom(foreign).Draw(t, "another key"); odd("foreign", 12) && !strings.Contains(strings.Join(out, " "), k+":") {
		add(k)
	}
	return out
}

// foreignKeys lists the keys that only some policies have.
func foreignKeys(c *replay.Catalogue) []string {
	return slices.DeleteFunc(c.Format().PolicyKeys(), func(key string) bool {
		return slices.Contains([]string{"name", "floor", "update", "by", "draws", "seed"}, key)
	})
}

// TestRulesAndNewAgree: whatever the protocol's rules accept is built and
// played, so that every fault of New is one that the rules have found, but for a
// noise that does not fit the sampler's integers.
func TestRulesAndNewAgree(t *testing.T) {
	std := replay.Standard()
	rapid.Check(t, func(t *rapid.T) {
		d := declaration{arms: rapid.SampledFrom([]int{2, 2, 2, 2, 1, 3}).Draw(t, "arms")}
		p := std.Policy(rapid.SampledFrom(policyNames()).Draw(t, "policy"))
		d.policy = draw(t, p.Name, policyKeys(p), foreignKeys(std))
		c := std.Counter(rapid.SampledFrom(std.Format().CounterNames()).Draw(t, "counter"))
		d.counter = draw(t, c.Name, counterKeys(c), []string{"horizon", "exponent", "sensitivity", "epsilon"})
		if p.Linear() || rapid.Bool().Draw(t, "context") {
			d.log = append(d.log, "context: [x0, x1]")
		}
		if p.Scores {
			d.log = append(d.log, "score_by_arm: s")
		}
		if rapid.IntRange(0, 4).Draw(t, "batch") == 0 {
			d.log = append(d.log, "batch: b")
		}
		d.tryToPlay(t)
	})
}

// TestEveryPairIsAccepted: every policy on every counter, with the keys that
// the two need and no others, passes the rules and is played, except one that looks at single
// rewards on a counter with noise.
func TestEveryPairIsAccepted(t *testing.T) {
	std := replay.Standard()
	for i := range std.Policies {
		for j := range std.Counters {
			p, c := &std.Policies[i], &std.Counters[j]
			d := declaration{arms: 2, policy: written(p.Name, policyKeys(p)), counter: written(c.Name, counterKeys(c))}
			if p.Linear() {
				d.log = []string{"context: [x0, x1]"}
			}
			if p.Scores {
				d.log = []string{"score_by_arm: s"}
			}
			if p.BuiltInBonus && c.Noise && c.Horizon != param.HorizonNeeded {
				d.counter = append(d.counter, "horizon: 1000") // for the allowance for the noise
			}
			if d.tryToPlay(t) != p.Fits(nil, c.Noise) {
				_, err := std.Format().ParseProtocol("p.yaml", d.source())
				t.Errorf("%s × %s: %v\n%s", p.Name, c.Name, err, d.source())
			}
		}
	}
}

// written returns a name and the keys that go with it, each with a good value.
func written(name string, own keys) []string {
	all, out := values(), []string{"name: " + name}
	for _, k := range own.needs {
		out = append(out, k+": "+all[k][0])
	}
	return out
}
