package analyze_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

const (
	policyLine  = "policy: {name: ucb, width: {delta: 0.05}, bonus: quantile, seed: {file: seed.hex}}\n"
	counterLine = "counter: {name: hybrid, epsilon: 0.1, horizon: 900}\n"
	privacyLine = "privacy: {epsilon: 0.1}\n"
	lastTest    = "    - {id: H2, arm: each, mean: 0.25, test: exact}\n"
)

// exactLab is a log of UCB1: nothing in it is private.
func exactLab(t *testing.T) *lab {
	t.Helper()
	source := strings.NewReplacer(
		policyLine, "policy: {name: ucb, width: {c: 2}}\n", counterLine, "counter: {name: exact}\n", privacyLine, "",
	).Replace(private)
	return simulated(t, source, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 300})
}

// TestApplicable goes through what stands against a corrected p. Where it is
// not applicable, it names the assumption and gives no number; the raw p and
// the confidence sequence stay as they are.
func TestApplicable(t *testing.T) {
	base := privateLab(t)
	conformance := func(c schemas.Conformance) *lab {
		out := *base
		out.replays = []schemas.ReplayExperiment{base.replays[0]}
		out.replays[0].Conformance = c
		return &out
	}
	flipped := base.replays[0].Conformance
	flipped.Matched--
	flipped.FirstMismatch = &schemas.Mismatch{Round: 17, Logged: "a", Replayed: "b"}
	noReplay, approximate := *base, *base.but(t, nil)
	noReplay.replays = nil
	approximate.protocol.Privacy.Definition = "approximate"
	approximate.replay(t)
	for _, c := range []struct {
		name    string
		lab     *lab
		reasons []string // against the tests; empty: applicable
		note    string   // where applicable
		arms    bool     // the ledger's bounds of arms stand
		status  string   // of A1 … A8
	}{
		{"verified", base, nil, "", true, "partly checked/partly checked/checked/not needed/declared/checked/checked/declared"},
		{
			"from actions", base.but(t, changes{"chosen: before": "chosen: from-actions"}), nil, "", true,
			"partly checked/partly checked/checked/not needed/declared/checked/checked/declared",
		},
		{
			"rule on released values", base.but(t, changes{"stopping: fixed": "stopping: rule-on-released"}), nil, "", true,
			"partly checked/partly checked/checked/not needed/declared/checked/checked/declared",
		},
		{
			"after rewards", base.but(t, changes{"chosen: before": "chosen: after-rewards"}),
			[]string{"A5: the tests were chosen after the rewards were seen"},
			"", true, "partly checked/partly checked/checked/not needed/failed/checked/checked/declared",
		},
		{
			"stopping unknown", base.but(t, changes{", stopping: fixed": ""}),
			[]string{"A8: how the experiment was stopped is not declared"},
			"", false, "partly checked/partly checked/checked/not needed/declared/checked/checked/not declared",
		},
		{
			"both", base.but(t, changes{", stopping: fixed": "", "chosen: before": "chosen: after-rewards"}),
			[]string{"A8: how the experiment was stopped is not declared", "A5: the tests were chosen"},
			"", false, "partly checked/partly checked/checked/not needed/failed/checked/checked/not declared",
		},
		{
			"exact counter", exactLab(t),
			[]string{"A1: ε of ucb × exact is infinite"},
			"", false, "failed/partly checked/checked/not needed/declared/checked/checked/declared",
		},
		{
			"violated", conformance(flipped),
			[]string{"A1: policy.conformance is VIOLATED"},
			"", false, "failed/partly checked/checked/not needed/declared/checked/checked/declared",
		},
		{
			"approximate privacy: the ledger is that of pure privacy", &approximate,
			nil, "", true, "partly checked/partly checked/checked/not needed/declared/checked/checked/declared",
		},
		{
			"no policy", base.but(t, changes{policyLine: "", counterLine: "", privacyLine: ""}),
			[]string{"A1: no policy is declared"},
			"", false, "not declared/partly checked/checked/not needed/declared/checked/checked/declared",
		},
		{
			"no seed", base.but(t, changes{", seed: {file: seed.hex}": ""}), nil,
			"of the declared mechanism: policy.conformance is NOT ESTABLISHED", true,
			"declared/partly checked/checked/not needed/declared/checked/checked/declared",
		},
		{
			"no replay", &noReplay, nil,
			"of the declared mechanism: policy.conformance is NOT RUN (replay was not run; pass --replay)", true,
			"declared/partly checked/checked/not needed/declared/checked/checked/declared",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.lab.analyse(t, 1)
			e := &r.Experiments[0]
			for i := range e.Tests {
				test := &e.Tests[i]
				if !method(t, test, schemas.MethodNaive).Applicable || !method(t, test, schemas.MethodSequence).Applicable {
					t.Errorf("%s: the raw p and the confidence sequence need no ledger", test.ID)
				}
				for _, name := range []string{schemas.MethodCorrected, schemas.MethodPaper} {
					m := method(t, test, name)
					if m.Applicable != (len(c.reasons) == 0) || len(c.reasons) > 0 && strings.Count(m.Reason, "; ") != len(c.reasons)-1 {
						t.Errorf("%s: %s applicable %v, %q; want %q", test.ID, name, m.Applicable, m.Reason, c.reasons)
					}
					if len(c.reasons) == 0 && !strings.HasPrefix(m.Reason, c.note) || c.note == "" && m.Applicable && m.Reason != "" {
						t.Errorf("%s: %s says %q, want %q", test.ID, name, m.Reason, c.note)
					}
					for _, reason := range c.reasons {
						if !strings.Contains(m.Reason, reason) {
							t.Errorf("%s: %s says %q, which lacks %q", test.ID, name, m.Reason, reason)
						}
					}
				}
			}
			for i := range e.Arms {
				a := &e.Arms[i]
				if (a.BiasBound != nil) != c.arms || (a.Sigma != nil) != c.arms || (a.CICorrected != nil) != c.arms || (a.BiasBoundPaper != nil) != c.arms {
					t.Errorf("arm %s: bounds of the ledger stand: %v; want %v", a.Label, a.BiasBound != nil, c.arms)
				}
				if a.CI == nil || a.ConfidenceSequence == nil {
					t.Errorf("arm %s has no raw interval or confidence sequence", a.Label)
				}
			}
			switch {
			case !c.arms:
				warned(t, e, "arms: bias_bound, sigma and ci_corrected are NOT APPLICABLE: ")
			case c.note != "":
				warned(t, e, "arms: bias_bound, sigma and ci_corrected are "+c.note)
			}
			var status []string
			for _, a := range r.Assumptions {
				status = append(status, a.Status)
				if a.Text == "" || a.CheckedBy == "" {
					t.Errorf("%s has no text", a.ID)
				}
			}
			if diff := cmp.Diff(c.status, strings.Join(status, "/")); diff != "" {
				t.Errorf("assumptions (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAccountingWithoutReplay gives the same ledger with a replay and without:
// it needs the actions alone.
func TestAccountingWithoutReplay(t *testing.T) {
	l := privateLab(t)
	with := l.analyse(t, 1).Experiments[0]
	l.replays = nil
	without := l.analyse(t, 1).Experiments[0]
	if diff := cmp.Diff(with.Privacy, without.Privacy); diff != "" {
		t.Errorf("privacy (-with replay +without):\n%s", diff)
	}
	if diff := cmp.Diff(with.Arms, without.Arms); diff != "" {
		t.Errorf("arms (-with replay +without):\n%s", diff)
	}
	if without.Replay.Mode != schemas.ModeNone || without.Replay.Rounds != 900 || without.Replay.Matched != 0 {
		t.Errorf("replay %+v of a replay that was not run", without.Replay)
	}
}

// TestTestKinds says which raw tests make a corrected p approximate, and which
// fail.
func TestTestKinds(t *testing.T) {
	base := privateLab(t)
	for _, c := range []struct {
		test                string
		approximate         bool
		status, alternative string
	}{
		{"{id: H2, arm: each, mean: 0.25, test: exact}", false, "checked", "is 0.25"},
		{"{id: H2, arm: each, mean: 0.25}", false, "checked", "is 0.25"},
		{"{id: H2, arm: each, mean: 0.25, test: t, alternative: greater}", true, "declared", "is at most 0.25"},
		{"{id: H2, arm: each, mean: 0.25, test: z, sigma: 0.5, alternative: less}", true, "declared", "is at least 0.25"},
	} {
		r := base.but(t, changes{"{id: H2, arm: each, mean: 0.25, test: exact}": c.test}).analyse(t, 1)
		if r.Assumptions[2].ID != "A3" || r.Assumptions[2].Status != c.status {
			t.Errorf("%s: %s is %s, want %s", c.test, r.Assumptions[2].ID, r.Assumptions[2].Status, c.status)
		}
		for i := range r.Experiments[0].Tests[1:] {
			test := &r.Experiments[0].Tests[1+i]
			for _, name := range []string{schemas.MethodNaive, schemas.MethodCorrected, schemas.MethodPaper} {
				if m := method(t, test, name); m.Approximate != c.approximate || !m.Applicable {
					t.Errorf("%s: %s approximate %v, applicable %v", c.test, name, m.Approximate, m.Applicable)
				}
			}
			if method(t, test, schemas.MethodSequence).Approximate {
				t.Errorf("%s: a confidence sequence is not approximate", c.test)
			}
			if want := "the mean reward of arm " + test.Label + " over the rounds played " + c.alternative; test.Hypothesis != want {
				t.Errorf("%s: %q, want %q", c.test, test.Hypothesis, want)
			}
		}
	}
}
