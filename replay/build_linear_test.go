package replay

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

func TestNewLinearReportsAllFaultsAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    *schemas.Protocol
		mend func(p *schemas.Protocol)
		want []string // paths
	}{
		{name: "OFUL", p: linUCB()},
		{name: "LinPriv", p: linPriv(linUCB(), "1", "2", 100)},
		{name: "what is shared by all", p: linUCB(), mend: func(p *schemas.Protocol) {
			p.Policy.Ties, p.Policy.Floor, p.Policy.Update = "seeded", schemas.Mix(0.1), &schemas.Update{Batch: true}
			p.Policy.Set("context_l1", schemas.MustRational("7"))
			p.Policy.Set("width", schemas.Values{"delta": 0.1})
		}},
		{
			name: "linucb with nothing", p: declare(schemas.Policy{Name: "linucb"}, nil),
			want: []string{"policy.lambda", "policy.noise_sd", "policy.theta_bound", "counter"},
		},
		{
			name: "numbers that are none", p: linUCB(),
			mend: func(p *schemas.Protocol) {
				p.Policy.Set("lambda", 0.0)
				p.Policy.Set("noise_sd", -1.0)
				p.Policy.Set("theta_bound", nan())
				p.Policy.Set("width", schemas.Values{"delta": 0.0, "c": 2.0})
			},
			want: []string{"policy.width.c", "policy.lambda", "policy.noise_sd", "policy.theta_bound", "policy.width.delta"},
		},
		{
			name: "noise without a horizon and a bound", p: linPriv(linUCB(), "1", "1", 0),
			mend: func(p *schemas.Protocol) { p.Policy.Set("context_l1", schemas.Rational{}) },
			want: []string{"policy.context_l1", "counter.horizon"},
		},
		{name: "lints", p: linTS()},
		{name: "lints with noise", p: linPriv(linTS(), "1", "2", 0), mend: func(p *schemas.Protocol) {
			p.Policy.Set("theta_bound", 1.0)
			p.Policy.Floor, p.Policy.Update = schemas.Mix(0.1), &schemas.Update{Every: 5}
		}},
		{
			name: "lints with nothing", p: declare(schemas.Policy{Name: "lints"}, nil),
			want: []string{"policy.lambda", "policy.noise_sd", "counter"},
		},
		{
			name: "lints with what it does not have", p: linTS(),
			mend: func(p *schemas.Protocol) {
				p.Policy.Set("width", schemas.Values{"delta": 0.1})
				p.Policy.Set("lambda", 0.0)
				p.Policy.Ties = "seeded"
			},
			want: []string{"policy.width", "policy.ties", "policy.lambda"},
		},
		{
			name: "a bonus of its own", p: linPriv(linUCB(), "1", "1", 10),
			mend: func(p *schemas.Protocol) { p.Policy.Set("bonus", "quantile") },
			want: []string{"policy.bonus"},
		},
		{
			name: "noise that is not there", p: linUCB(),
			mend: func(p *schemas.Protocol) { p.Counter.Sensitivity = schemas.MustRational("1") },
			want: []string{"counter.sensitivity"},
		},
	} {
		if tt.mend != nil {
			tt.mend(tt.p)
		}
		m, err := Standard().New(tt.p, labels(3))
		if diff := cmp.Diff(slices.Sorted(slices.Values(tt.want)), paths(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if (m == nil) != (err != nil) {
			t.Errorf("%s: mechanism %v with error %v", tt.name, m, err)
		}
	}
}

func TestLinearMechanismSaysWhatItDraws(t *testing.T) {
	seeded := linUCB()
	seeded.Policy.Ties = "seeded"
	for _, tt := range []struct {
		name                                string
		p                                   *schemas.Protocol
		random, deterministic, propensities bool
	}{
		{"linucb × exact", linUCB(), false, true, false},
		{"linucb × exact, seeded ties", seeded, true, false, true},
		{"linucb × hybrid", linPriv(linUCB(), "1", "2", 100), false, false, false},
		{"lints × exact", linTS(), true, false, true},
		{"lints × hybrid", linPriv(linTS(), "1", "2", 0), true, false, false},
	} {
		m := build(t, tt.p, 3)
		if m.Random() != tt.random || !m.ReadsRewards() || m.Deterministic() != tt.deterministic || m.PropensitiesKnown() != tt.propensities {
			t.Errorf("%s: random %v, reads rewards %v, deterministic %v, propensities known %v", tt.name, m.Random(), m.ReadsRewards(), m.Deterministic(), m.PropensitiesKnown())
		}
	}
}
