package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// scorer is a platform that plays four arms by scores: what it makes of them in a round,
// written from its code, and how it is declared.
type scorer struct {
	name, policy string
	chances      func(t int, scores []float64) []float64
}

func scorers() []scorer {
	return []scorer{
		{"Vowpal Wabbit's SquareCB", "{like: vw/squarecb}", squareCB},
		{"Eppo's bandit", "{like: eppo/bandit, gamma: 200, floor: {kind: rest, value: 0.025}}", eppo},
	}
}

// squareCB is that of cb_explore_adf_squarecb.cc, of costs, in numbers of 32 bits.
func squareCB(t int, costs []float64) []float64 {
	best := 0
	for a, c := range costs {
		if float32(c) < float32(costs[best]) {
			best = a
		}
	}
	gamma, total, p := 10*float32(math.Sqrt(float64(t-1))), float32(0), make([]float64, len(costs))
	for a, c := range costs {
		if a != best {
			pa := 1 / (float32(len(costs)) + gamma*(float32(c)-float32(costs[best])))
			p[a], total = float64(pa), total+pa
		}
	}
	p[best] = float64(1 - total)
	return p
}

// eppo is that of its SDKs for Java and Go, with gamma 200 and a floor of 0.1/K; of equal
// scores the first name is the best, and names are b, a, d, c.
func eppo(_ int, scores []float64) []float64 {
	names, best := []string{"b", "a", "d", "c"}, 0
	for a, s := range scores {
		if s > scores[best] || s == scores[best] && names[a] < names[best] {
			best = a
		}
	}
	p, rest := make([]float64, len(scores)), 1.0
	for a, s := range scores {
		if a != best {
			p[a] = max(0.1/4, 1/(4+200*(scores[best]-s)))
			rest -= p[a]
		}
	}
	p[best] = max(0, rest)
	return p
}

// play is an honest log: scores are a mean that drifts, seen in hundredths, which is the
// larger the better for eppo and the worse for squareCB.
func (s *scorer) play(seed uint64, rounds int, logs bool) *tableau.Batch {
	draw, b := rand.New(rand.NewPCG(seed, 78)), &tableau.Batch{}
	for t := 1; t <= rounds; t++ {
		scores := make([]float64, 4)
		for a := range scores {
			scores[a] = math.Round(100*(0.2+0.1*float64(a)+0.3*draw.Float64())) / 128
		}
		p, u, arm := s.chances(t, scores), draw.Float64(), 0
		for u -= p[0]; u >= 0 && arm < 3; u -= p[arm] {
			arm++
		}
		b.Experiment, b.Round, b.Arm = append(b.Experiment, 0), append(b.Round, int64(t)), append(b.Arm, int32(arm))
		b.Reward, b.ScoreByArm = append(b.Reward, float64(b2i(draw.Float64() < scores[arm]))), append(b.ScoreByArm, scores...)
		if logs {
			b.Propensity, b.PropensityByArm = append(b.Propensity, p[arm]), append(b.PropensityByArm, p...)
		}
	}
	return b
}

func (s *scorer) hold(t *testing.T, policy string, b *tableau.Batch) schemas.Conformance {
	t.Helper()
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", fmt.Appendf(nil, "version: 1\nexperiment: {id: x}\nlog: {order: [t], action: a, reward: r, score_by_arm: s, score_by: rewards}\narms: [b, a, d, c]\nreward: {range: [0, 1]}\npolicy: %s\n", policy))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Declare(replay.Standard(), &doc.Protocol, doc.Protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Run(t.Context(), slice(t, tableau.Schema{
		Propensity: b.Propensity != nil, PropensityByArm: b.PropensityByArm != nil, ScoreByArm: true, Arms: 4, Reward: [2]float64{0, 1},
		Experiments: []tableau.Range{{ID: "x", Rows: int64(len(b.Arm))}},
	}, b), &ledger.Disclosures{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := out.Privacy.EpsilonMechanism; e == nil || !math.IsInf(float64(*e), 1) {
		t.Errorf("rewards made the scores, and ε is finite")
	}
	return out.Conformance
}

// Honest logs of platforms that play by scores are those of their declarations, by their
// propensities and by their law; ones that were tampered with, or declared otherwise, are not.
func TestLogsByScores(t *testing.T) {
	t.Parallel()
	for _, s := range scorers() {
		logs := uint64(8)
		if testing.Short() {
			logs = 2
		}
		for seed := range logs {
			if c := s.hold(t, s.policy, s.play(seed, 1500, true)); c.Mode != schemas.ModePropensity || c.Matched != c.Rounds || disagrees(&c) || convicts(&c) {
				t.Fatalf("%s, log %d: %d of %d match, first %+v, law %+v", s.name, seed, c.Matched, c.Rounds, c.Propensities.FirstMismatch, c.Law)
			}
			if c := s.hold(t, s.policy, s.play(seed, 1500, false)); c.Mode != schemas.ModeLaw || !c.Law.Scores || c.Matched != c.Rounds || convicts(&c) {
				t.Fatalf("%s, log %d by law: %+v, %+v", s.name, seed, c, c.Law)
			}
		}
		for name, spoil := range map[string]func(b *tableau.Batch){
			"a score": func(b *tableau.Batch) { b.ScoreByArm[4*700+2] += 0.5 },
			"propensities": func(b *tableau.Batch) {
				p := b.PropensityByArm[4*700 : 4*701]
				p[0], p[3] = p[3], p[0]
				b.Propensity[700] = p[b.Arm[700]]
			},
		} {
			b := s.play(1, 1500, true)
			if spoil(b); slices.Equal(b.PropensityByArm, s.play(1, 1500, true).PropensityByArm) == (name == "propensities") {
				t.Fatal("the log was not tampered with")
			}
			if c := s.hold(t, s.policy, b); c.Propensities.FirstMismatch == nil || c.Propensities.FirstMismatch.Round != 701 || c.Matched != 1499 {
				t.Errorf("%s, %s: %d match, first %+v", s.name, name, c.Matched, c.Propensities.FirstMismatch)
			}
		}
		b := s.play(1, 1500, false)
		for i := range b.Arm {
			b.Arm[i] = int32(i % 4) // evenly, whatever the scores are
		}
		if c := s.hold(t, s.policy, b); !convicts(&c) {
			t.Errorf("%s, played in turn: %+v", s.name, c.Law)
		}
	}
}

// What would explain a log by scores is named: another γ, and the other direction.
func TestLogsByScoresExplained(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		scorer       int
		policy, want string
	}{
		{0, "{like: vw/squarecb, gamma: {scale: 5, exponent: 0.5, clock: plays}}", "γ is 10·n^0.5 and not 5·n^0.5"},
		{0, "{like: vw/squarecb, gamma: {scale: 10, exponent: 0.5, clock: round}}", "clock: plays"},
		{1, "{name: inverse-gap, gamma: 200, ties: name, minimise: true, floor: {kind: rest, value: 0.025}}", "minimise: false"},
		{1, "{name: inverse-gap, gamma: 200, ties: name, floor: {kind: clip, value: 0.025}}", "kind: rest"},
	} {
		if testing.Short() && i%2 == 1 {
			continue // -short has one of each scorer
		}
		s := scorers()[tt.scorer]
		c := s.hold(t, tt.policy, s.play(3, 1500, true))
		var said []string
		for _, h := range c.Propensities.Hypotheses {
			said = append(said, h.Words)
		}
		if c.Hints != nil {
			for _, h := range c.Hints.Named {
				said = append(said, strings.Join(h.Declare, ", "))
			}
		}
		if c.Propensities.FirstMismatch == nil || !strings.Contains(strings.Join(said, "\n"), tt.want) {
			t.Errorf("%s declared %s: first mismatch %+v, said %q", s.name, tt.policy, c.Propensities.FirstMismatch, said)
		}
	}
}
