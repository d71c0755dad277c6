package analyze_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze/log/check"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/replay"
	"banditaudit/schemas"
)

const uniform = `version: 1
experiment: {id: coin, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: propensity}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: uniform, seed: {file: seed.hex}}
`

func uniformLab(t *testing.T) *lab {
	t.Helper()
	return simulated(t, uniform, 2, &world.Spec{Means: []float64{.3, .6}, Rounds: 400})
}

// flipped is a log like that of uniformLab whose rows do not have the
// propensity that it says.
func flipped(t *testing.T, propensity func(arm int) float64) *lab {
	t.Helper()
	rows := make([]logfile.Row, 400)
	for i, place := range rand.New(rand.NewPCG(1, 1)).Perm(len(rows)) {
		arm := place % 2
		rows[i] = logfile.Row{Arm: arm, Reward: float64(i / 2 % 2), Propensity: propensity(arm)}
	}
	source := strings.Replace(uniform, "policy: {name: uniform, seed: {file: seed.hex}}\n", "", 1)
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows)
}

const (
	quality    = schemas.KindDataQuality
	allocation = schemas.KindAllocation
	conforms   = schemas.KindConformance
	total      = schemas.KindPrivacyTotal
)

// TestVerdicts goes through the kinds of claim and the verdicts of each.
func TestVerdicts(t *testing.T) {
	secret, coin := privateLab(t), uniformLab(t)
	secretClaims := func(claims string, more changes) *lab {
		c := changes{lastTest: lastTest + "claims:\n" + claims}
		maps.Copy(c, more)
		return secret.but(t, c)
	}
	other := *secret
	other.master = replay.Seed(5)
	noReplay := *secret
	noReplay.replays = nil
	short := *secret
	short.replays = []schemas.ReplayExperiment{secret.replays[0]}
	short.replays[0].Conformance = schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 900, Replayable: 800, Matched: 799}
	for _, c := range []struct {
		name    string
		lab     *lab
		want    map[string]schemas.Verdict
		overall string
	}{
		{
			"seed", secret,
			map[string]schemas.Verdict{quality: schemas.Verified, allocation: schemas.NotApplicable, conforms: schemas.Verified, total: schemas.Verified},
			"NO EXCEPTIONS NOTED",
		},
		{
			"propensities", coin.but(t, changes{", seed: {file: seed.hex}": ""}),
			map[string]schemas.Verdict{quality: schemas.Verified, allocation: schemas.Consistent, conforms: schemas.Consistent, total: schemas.NotApplicable},
			"NO EXCEPTIONS NOTED",
		},
		{
			"no seed", secret.but(t, changes{", seed: {file: seed.hex}": ""}),
			map[string]schemas.Verdict{conforms: schemas.NotEstablished, total: schemas.Verified},
			"INCOMPLETE (1)",
		},
		{"another seed", other.but(t, nil), map[string]schemas.Verdict{conforms: schemas.Violated, total: schemas.NotEstablished}, "EXCEPTIONS NOTED (1)"},
		{"rounds that do not match", &short, map[string]schemas.Verdict{conforms: schemas.Violated}, "EXCEPTIONS NOTED (1)"},
		{"no replay", &noReplay, map[string]schemas.Verdict{conforms: schemas.NotRun, total: schemas.Verified}, "INCOMPLETE (1)"},
		{
			"nothing declared", secret.but(t, changes{policyLine: "", counterLine: "", privacyLine: ""}),
			map[string]schemas.Verdict{quality: schemas.Verified, allocation: schemas.NotApplicable, conforms: schemas.NotApplicable, total: schemas.NotApplicable},
			"NO EXCEPTIONS NOTED",
		},
		{
			"claimed without a mechanism", secret.but(t, changes{policyLine: "", counterLine: ""}),
			map[string]schemas.Verdict{total: schemas.NotEstablished},
			"INCOMPLETE (1)",
		},
		{
			"an arm that was never played", secret.but(t, changes{"arms: [a, b, c]": "arms: [a, b, c]"}).arms("d"),
			map[string]schemas.Verdict{quality: schemas.Verified},
			"NO EXCEPTIONS NOTED",
		},
		{
			"propensities that were not used", flipped(t, func(arm int) float64 { return 0.3 + 0.4*float64(arm) }),
			map[string]schemas.Verdict{allocation: schemas.Violated},
			"EXCEPTIONS NOTED (1)",
		},
		{
			"propensities of 1", flipped(t, func(int) float64 { return 1 }),
			map[string]schemas.Verdict{allocation: schemas.NotEstablished},
			"INCOMPLETE (1)",
		},
		{
			"less is claimed", secret.but(t, changes{privacyLine: "privacy: {epsilon: 0.05}\n"}),
			map[string]schemas.Verdict{total: schemas.Violated},
			"EXCEPTIONS NOTED (1)",
		},
		{
			"advisory", secretClaims("  - {id: P, kind: privacy.total, severity: advisory}\n", changes{privacyLine: "privacy: {epsilon: 0.05}\n"}),
			map[string]schemas.Verdict{"P": schemas.Violated, quality: schemas.Verified},
			"NO EXCEPTIONS NOTED",
		},
		{
			"declared", secretClaims("  - {id: C, kind: policy.conformance}\n  - {id: Q, kind: data.quality, severity: advisory}\n", changes{", seed: {file: seed.hex}": ""}),
			map[string]schemas.Verdict{"C": schemas.NotEstablished, "Q": schemas.Verified, total: schemas.Verified},
			"INCOMPLETE (1)",
		},
		{
			"bias", secretClaims("  - {id: B1, kind: bias.bound, comparator: \"<=\", threshold: 0.025}\n"+
				"  - {id: B2, kind: bias.bound, comparator: \"<=\", threshold: 0.001, arms: [a, b]}\n"+
				"  - {id: B3, kind: bias.bound, comparator: \"<=\", threshold: 0}\n"+
				"  - {id: B4, kind: bias.bound, comparator: \"<=\", threshold: 0, severity: advisory}\n", nil),
			map[string]schemas.Verdict{"B1": schemas.Verified, "B2": schemas.NotEstablished, "B3": schemas.NotEstablished, "B4": schemas.NotEstablished},
			"INCOMPLETE (2)",
		},
		{
			"bias without a ledger", secretClaims("  - {id: B, kind: bias.bound, comparator: \"<=\", threshold: 1, arms: all}\n", changes{policyLine: "", counterLine: "", privacyLine: ""}),
			map[string]schemas.Verdict{"B": schemas.NotEstablished},
			"INCOMPLETE (1)",
		},
		{
			"bias of a policy that reads nothing", coin.but(t, changes{"range: [0, 1]}\n": "range: [0, 1]}\nclaims: [{id: B, kind: bias.bound, comparator: \"<=\", threshold: 0}]\n"}),
			map[string]schemas.Verdict{"B": schemas.Verified},
			"NO EXCEPTIONS NOTED",
		},
		{
			"bias of an arm that was never played",
			plainLab(t, strings.Replace(plain, "analysis:", "claims:\n  - {id: B1, kind: bias.bound, comparator: \"<=\", threshold: 1}\n  - {id: B2, kind: bias.bound, comparator: \"<=\", threshold: 1, arms: [a, c]}\nanalysis:", 1), logfile.RewardBool, []int{0, 2, 2, 0}, 1, 0),
			map[string]schemas.Verdict{"B1": schemas.NotEstablished, "B2": schemas.Verified, quality: schemas.Verified},
			"INCOMPLETE (2)",
		},
		{
			"violated beside open", secretClaims("  - {id: B, kind: bias.bound, comparator: \"<=\", threshold: 0}\n", changes{privacyLine: "privacy: {epsilon: 0.05}\n"}),
			map[string]schemas.Verdict{"B": schemas.NotEstablished, total: schemas.Violated},
			"EXCEPTIONS NOTED (1)",
		},
		{
			"contradicted, and above the claim", other.but(t, changes{privacyLine: "privacy: {epsilon: 0.05}\n"}),
			map[string]schemas.Verdict{conforms: schemas.Violated, total: schemas.NotEstablished},
			"EXCEPTIONS NOTED (1)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.lab.analyse(t, 1)
			if overall, _, _ := strings.Cut(r.Overall, ", "); overall != c.overall { // cautions are not its business
				t.Errorf("overall is %q, want %q", r.Overall, c.overall)
			}
			for _, id := range slices.Sorted(maps.Keys(c.want)) {
				f := claim(t, r, id)
				if f.Verdict != c.want[id] {
					t.Errorf("%s is %s (%s), want %s", id, f.Verdict, f.Reason, c.want[id])
				}
				if f.Reason == "" && f.Verdict != schemas.Verified && f.Verdict != schemas.Consistent {
					t.Errorf("%s is %s without a reason", id, f.Verdict)
				}
			}
			kinds := map[string]int{}
			for i := range r.Claims {
				kinds[r.Claims[i].Kind]++
			}
			for _, kind := range []string{quality, allocation, conforms, total} {
				if kinds[kind] != 1 {
					t.Errorf("%s stands %d times in claims, want once", kind, kinds[kind])
				}
			}
		})
	}
}

// arms is the lab with a further declared arm, as if it had been declared when
// the log was ingested.
func (l *lab) arms(label string) *lab {
	m := *l.manifest
	m.Arms = append(slices.Clone(m.Arms), label)
	l.protocol.Arms, l.manifest = m.Arms, &m
	l.replays = nil
	l.protocol.Policy, l.protocol.Counter, l.protocol.Privacy = nil, nil, nil
	return l
}

// TestFindings looks at what findings say, not only at their verdict.
func TestFindings(t *testing.T) {
	secret := privateLab(t)
	for _, c := range []struct {
		name string
		lab  *lab
		id   string
		want schemas.Finding // fields that are "" are not compared
	}{
		{"seed", secret, conforms, schemas.Finding{
			Statement: "Every logged action is the one that the declared policy chooses.", Observed: "900 of 900 rounds match; of arm c at least 108 of 216 rewards below 1 could be set to 1, and at least 86 of 172 above 0 to 0, unseen",
			Procedure: "teacher-forced replay, evidence: seed",
			Reason:    "A seed verifies the arithmetic, not that the deployment's randomness was secret and fresh.",
		}},
		{"total", secret, total, schemas.Finding{Observed: "ε = 0.1", Comparator: "<=", Threshold: "0.1", Procedure: "exact rational accounting, parallel over arms"}},
		{"total without a seed", secret.but(t, changes{", seed: {file: seed.hex}": ""}), total, schemas.Finding{
			Observed: "ε = 0.1 of the declared mechanism", Reason: "whether the log came from it is not verified",
		}},
		{"nothing to replay from", secret.but(t, changes{", seed: {file: seed.hex}": ""}), conforms, schemas.Finding{
			Reason: "the log holds no seed, no released values and no propensities to replay from; what would settle it next time: in every round the values that the policy saw (log.released_by_arm), or the 32 bytes that the policy draws from (policy.seed)",
		}},
		{"too little", secret.but(t, changes{privacyLine: "privacy: {epsilon: 0.05}\n"}), total, schemas.Finding{
			Reason: "the accounting of the declared mechanism gives ε = 0.1, not 0.05", Threshold: "0.05",
		}},
		{"infinite", exactLab(t).but(t, changes{"counter: {name: exact}\n": "counter: {name: exact}\nprivacy: {epsilon: 2}\n"}), total, schemas.Finding{
			Observed: "ε = ∞", Reason: "the accounting of the declared mechanism gives ε = ∞, not 2",
		}},
		{"quality", secret.but(t, nil).arms("d"), quality, schemas.Finding{
			Observed: "900 rows; note H08, arms never played: 1 of 4 arms. Never played, and without an estimate: d. Whether that contradicts anything cannot be said: it takes log.propensity_by_arm, or a policy uniform or fixed",
		}},
		{"propensities of 1", flipped(t, func(int) float64 { return 1 }), allocation, schemas.Finding{
			Reason: "Nothing was left to chance, so that there is no draw to test: every logged propensity is 1. If that is so, leave log.propensity out, and nothing is claimed of draws; if another arm could have been played, its probability is missing in the log, and that of the played arm is not 1.",
		}},
		{"none", secret, allocation, schemas.Finding{Reason: "no propensity is logged"}},
	} {
		got := *claim(t, c.lab.analyse(t, 1), c.id)
		for _, f := range []struct{ name, got, want string }{
			{"statement", got.Statement, c.want.Statement},
			{"observed", got.Observed, c.want.Observed},
			{"procedure", got.Procedure, c.want.Procedure},
			{"comparator", got.Comparator, c.want.Comparator},
			{"threshold", got.Threshold, c.want.Threshold},
			{"reason", got.Reason, c.want.Reason},
		} {
			if f.want != "" && f.got != f.want {
				t.Errorf("%s: %s of %s is %q, want %q", c.name, f.name, c.id, f.got, f.want)
			}
		}
		if got.Severity != schemas.SeverityRequired {
			t.Errorf("%s: %s is %s", c.name, c.id, got.Severity)
		}
	}
}

// TestBiasOfNoMean names the arm that has no bound.
func TestBiasOfNoMean(t *testing.T) {
	source := strings.Replace(plain, "analysis:", "claims: [{id: B, kind: bias.bound, comparator: \"<=\", threshold: 1}]\nanalysis:", 1)
	r := plainLab(t, source, logfile.RewardBool, []int{0, 2, 2, 0}, 1, 0).analyse(t, 1)
	if f := claim(t, r, "B"); f.Reason != "arm b has no mean" {
		t.Errorf("reason %q", f.Reason)
	}
}

// TestFirstMismatch names the round at which another seed parts from the log.
func TestFirstMismatch(t *testing.T) {
	l := privateLab(t)
	l.master = replay.Seed(5)
	l = l.but(t, nil)
	r := l.analyse(t, 1)
	first := r.Experiments[0].Replay.FirstMismatch
	if first == nil {
		t.Fatal("no mismatch")
	}
	f := claim(t, r, conforms)
	if !strings.HasPrefix(f.Reason, "round ") || !strings.Contains(f.Reason, ": logged "+first.Logged+", the policy plays "+first.Replayed) {
		t.Errorf("reason %q, first mismatch %+v", f.Reason, first)
	}
}

// TestPrivacyExactly compares ε as rationals: equal is VERIFIED, whatever the
// literal, and the least bit less is VIOLATED, even where the nearest float64
// is the same.
func TestPrivacyExactly(t *testing.T) {
	base := privateLab(t)
	for _, c := range []struct {
		counter, claimed string
		want             schemas.Verdict
		observed         string
	}{
		{"0.1", "0.1", schemas.Verified, "ε = 0.1"},
		{"0.3", "0.3", schemas.Verified, "ε = 0.3"},
		{"0.7", "7e-1", schemas.Verified, "ε = 0.7"},
		{"1/3", "1/3", schemas.Verified, "ε = 1/3"},
		{"1/3", "2/6", schemas.Verified, "ε = 1/3"},
		{"2^-3", "0.125", schemas.Verified, "ε = 0.125"},
		{"0.1", "0.09999999999999999", schemas.Violated, "ε = 0.1"},         // one digit below
		{"0.1", "0.0999999999999999999999999", schemas.Violated, "ε = 0.1"}, // the same float64
		{"0.3", "0.29999999999999998", schemas.Violated, "ε = 0.3"},         // the float64 next to 0.3 is below it
		{"1/3", "0.333333333333333333333", schemas.Violated, "ε = 1/3"},
		{"1/3", "0.333333333333333333334", schemas.Verified, "ε = 1/3"},
		{"0.1", "0.1000000000000000000001", schemas.Verified, "ε = 0.1"},
		{"1000/3001", "1", schemas.Verified, "ε = 1000/3001"},
		{"10000/30001", "1", schemas.Verified, "ε = 0.3333222226"},                          // Python, Decimal(10000)/30001: 0.33332222259258024…
		{"10000/30001", "20000/60002", schemas.Verified, "ε = 20000/60002"},                 // as claimed
		{"10000/30001", "0.33332222259258025", schemas.Verified, "ε = 0.33332222259258025"}, // to as many digits as it takes
	} {
		l := base.but(t, changes{
			counterLine: "counter: {name: hybrid, epsilon: " + c.counter + ", horizon: 900}\n",
			privacyLine: "privacy: {epsilon: " + c.claimed + "}\n", ", seed: {file: seed.hex}": "",
		})
		f := claim(t, l.analyse(t, 1), total)
		if f.Verdict != c.want || f.Observed != c.observed+" of the declared mechanism" || f.Threshold != c.claimed {
			t.Errorf("counter %s, claimed %s: %s, observed %q, threshold %q; want %s, %q", c.counter, c.claimed, f.Verdict, f.Observed, f.Threshold, c.want, c.observed)
		}
	}
}

// TestBiasThreshold holds a claim against the bound from both sides, and
// against the arms that it names, whichever of them has the largest bound.
func TestBiasThreshold(t *testing.T) {
	source := strings.NewReplacer(
		"policy: {name: uniform}\n", "policy: {name: ucb, width: {c: 2}}\ncounter: {name: hybrid, epsilon: 0.5}\n",
	).Replace(plain)
	worsts := map[int]bool{}
	for _, order := range [][]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}} {
		var played []int
		for i := range 90 {
			played = append(played, order[min(i%9, 2)]) // 10, 10 and 70 rounds
		}
		base := plainLab(t, source, logfile.RewardBool, played[:83], 1, 0) // the last round is of the third
		arms := base.analyse(t, 1).Experiments[0].Arms
		worst, best := 0, 0
		for i := range arms {
			if *arms[i].BiasBound > *arms[worst].BiasBound {
				worst = i
			}
			if *arms[i].BiasBound < *arms[best].BiasBound {
				best = i
			}
		}
		worsts[worst] = true
		for _, c := range []struct {
			threshold float64
			arms      string
			observed  int
			want      schemas.Verdict
		}{
			{*arms[worst].BiasBound, "all", worst, schemas.Verified},
			{*arms[worst].BiasBound, "[a, b, c]", worst, schemas.Verified},
			{math.Nextafter(*arms[worst].BiasBound, 0), "all", worst, schemas.NotEstablished},
			{*arms[best].BiasBound, arms[best].Label, best, schemas.Verified},
			{math.Nextafter(*arms[best].BiasBound, 0), arms[best].Label, best, schemas.NotEstablished},
			{*arms[best].BiasBound, "[" + arms[best].Label + ", " + arms[worst].Label + "]", worst, schemas.NotEstablished},
		} {
			text := strings.TrimSpace(string(encode(t, c.threshold)))
			l := *base
			l.source += "claims: [{id: B, kind: bias.bound, comparator: \"<=\", threshold: " + text + ", arms: " + c.arms + "}]\n"
			f := claim(t, l.but(t, nil).analyse(t, 1), "B")
			if f.Verdict != c.want || f.Threshold != text || (f.Reason == "") != (c.want == schemas.Verified) || f.Vacuous {
				t.Errorf("threshold %s, arms %s: %s, %q; want %s", text, c.arms, f.Verdict, f.Reason, c.want)
			}
			if want := "(arm " + arms[c.observed].Label + ") of the declared mechanism"; !strings.HasSuffix(f.Observed, want) {
				t.Errorf("arms %s: observed %q, want %q", c.arms, f.Observed, want)
			}
		}
	}
	if len(worsts) < 2 {
		t.Errorf("the largest bound is always that of arm %v", worsts)
	}
}

// TestHypothesisClaims: a claim on a test of each arm needs all of them.
func TestHypothesisClaims(t *testing.T) {
	base := privateLab(t)
	const claims = "claims: [{id: C, kind: hypothesis, test: H, finding: rejected}]\n"
	for _, c := range []struct {
		name, tests string
		want        schemas.Verdict
		reason      string
		evidence    []string
	}{
		{"rejected", "    - {id: H, arm: a, mean: 0.9}\n", schemas.Consistent, "", []string{"/experiments/0/tests/0"}},
		{"not rejected", "    - {id: H, arm: a, mean: 0.2}\n", schemas.NotEstablished, "H: not rejected", []string{"/experiments/0/tests/0"}},
		{
			"all rejected", "    - {id: G, arm: a, mean: 0.2}\n    - {id: H, arm: each, mean: 0.95}\n", schemas.Consistent, "",
			[]string{"/experiments/0/tests/1", "/experiments/0/tests/2", "/experiments/0/tests/3"},
		},
		{
			"one rejected", "    - {id: H, arm: each, mean: 0.4}\n", schemas.NotEstablished, "H/b: not rejected; H/c: not rejected",
			[]string{"/experiments/0/tests/0", "/experiments/0/tests/1", "/experiments/0/tests/2"},
		},
		{
			"another test with a longer id", "    - {id: H, arm: a, mean: 0.9}\n    - {id: H/a, arm: a, mean: 0.2}\n", schemas.Consistent, "",
			[]string{"/experiments/0/tests/0"},
		},
	} {
		l := base.but(t, changes{"    - {id: H1, arm: most-pulled, mean: 0.5}\n": c.tests, lastTest: claims})
		f := claim(t, l.analyse(t, 1), "C")
		if f.Verdict != c.want || f.Reason != c.reason || !cmp.Equal(f.Evidence, c.evidence) {
			t.Errorf("%s: %s, %q, %v; want %s, %q, %v", c.name, f.Verdict, f.Reason, f.Evidence, c.want, c.reason, c.evidence)
		}
	}
	l := base.but(t, changes{"    - {id: H1, arm: most-pulled, mean: 0.5}\n": "    - {id: H, arm: a, mean: 0.9}\n", lastTest: claims, "chosen: before": "chosen: after-rewards"})
	if f := claim(t, l.analyse(t, 1), "C"); f.Verdict != schemas.NotEstablished || f.Reason != "H: corrected is declared to decide (analysis.decide) and does not apply: A5: the tests were chosen after the rewards were seen (analysis.chosen)" {
		t.Errorf("a test that is not applicable: %s, %q", f.Verdict, f.Reason)
	}
}

// TestHypothesisWithoutPolicy: the reason for which no test could be decided
// stands once, for all of them.
func TestHypothesisWithoutPolicy(t *testing.T) {
	l := uniformLab(t).but(t, changes{
		"policy: {name: uniform, seed: {file: seed.hex}}\n": "analysis:\n  decide: corrected\n  sequence: normal\n  chosen: before\n  tests: [{id: M, arm: each, mean: 0.5}]\nclaims: [{id: C, kind: hypothesis, test: M, finding: rejected}]\n",
	})
	f := claim(t, l.analyse(t, 1), "C")
	if f.Verdict != schemas.NotEstablished || f.Reason != "M/a, M/b: corrected is declared to decide (analysis.decide) and does not apply: A1: no policy is declared, so there is no ledger" {
		t.Errorf("%s, %q", f.Verdict, f.Reason)
	}
}

// TestUndeclaredElsewhere: where no arms are declared, an experiment that plays
// two of the log's four at random is neither incomplete nor far from uniform.
func TestUndeclaredElsewhere(t *testing.T) {
	source := strings.NewReplacer("experiment: {id: coin", "experiment: {column: experiment", "arms: [a, b]\n", "", ", seed: {file: seed.hex}", "").Replace(uniform)
	rows := make([]logfile.Row, 400)
	for i := range rows {
		rows[i] = logfile.Row{Experiment: int64(i / 200), Round: int64(i + 1), Arm: i/200*2 + i%2, Reward: float64(i / 2 % 2), Propensity: 0.5}
	}
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c", "d"}, Reward: logfile.RewardBool, Propensity: true, Experiments: true}, rows)
	l.replay(t)
	results := l.analyse(t, 1)
	for _, f := range results.Claims {
		if f.Kind == quality && f.Verdict != schemas.Verified || strings.Contains(f.Reason, "probability 1/K") {
			t.Errorf("%s is %s: %s", f.Kind, f.Verdict, f.Reason)
		}
	}
	for i, e := range results.Experiments {
		if h08 := check.Find(e.Data.Checks, "H08"); h08.Status != schemas.CheckNote || h08.Observed != "2 of 4 arms" {
			t.Errorf("experiment %d: %+v", i, h08)
		}
		if h05 := check.Find(e.Data.Checks, "H05"); h05.Status != schemas.CheckPass {
			t.Errorf("experiment %d: %+v", i, h05)
		}
	}
}
