package conformance

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// library is a bandit as some library runs it, in code of its own: means that are moved
// by each reward, indices m + √(c·ln(clock)/n), and a generator that nobody logs.
type library struct {
	name      string
	c         float64 // 0: by means alone
	clock     func(t int) float64
	rows, sum float64 // pseudo-rows of every arm
	unseen    float64 // index of an arm without rows; +Inf: before all others
	start     bool    // arms without rows in random order
	ties      func(draw *rand.Rand, best []int) int
	explore   func(t int) float64 // nil: never
	policy    string              // how it is declared, in YAML
	verdict   func(c *schemas.Conformance) bool
}

func firstOf(_ *rand.Rand, best []int) int  { return best[0] }
func lastOf(_ *rand.Rand, best []int) int   { return best[len(best)-1] }
func anyOf(draw *rand.Rand, best []int) int { return best[draw.IntN(len(best))] }
func playsBefore(t int) float64             { return float64(t - 1) }
func verified(c *schemas.Conformance) bool {
	return c.Mode == schemas.ModeSeed && c.Matched == c.Rounds && c.Choices.Used() == 0
}

func byChoice(c *schemas.Conformance) bool {
	return c.Mode == schemas.ModeSeed && c.Matched == c.Rounds && c.Choices.Used() > 0
}

func propensities(c *schemas.Conformance) bool {
	return c.Mode == schemas.ModePropensity && c.Matched == c.Rounds
}

// libraries are the dialects by MABWiser 2.7.4, river 0.26.1, SMPyBandits 0.9.7, pymab
// 2.0.1, striatum 0.2.5, obp and coba 8.1.0, as their documentation and public source
// have them.
func libraries() []library {
	inf := math.Inf(1)
	return []library{
		{"MABWiser UCB1, nothing fitted before", 2, playsBefore, 0, 0, 0, false, firstOf, nil, "{name: ucb, width: {alpha: 1, clock: plays}, start: none}", verified},
		{"MABWiser UCB1, arms tried once in some order", 2 * 1.25 * 1.25, playsBefore, 0, 0, inf, true, firstOf, nil, "{name: ucb, width: {alpha: 1.25, clock: plays}, start: any}", byChoice},
		{"striatum UCB1", 2, func(t int) float64 { return float64(4 + t - 1) }, 1, 1, inf, false, firstOf, nil, "{name: ucb, width: {c: 2, clock: plays, offset: 4}, start: {rows: 1, sum: 1}, near_ties: 0}", verified},
		{"ties that nobody knows", 2, playsBefore, 0, 0, inf, false, anyOf, nil, "{name: ucb, width: {c: 2, clock: plays}, ties: any}", byChoice},
		{"the last of equals", 2, playsBefore, 0, 0, inf, false, lastOf, nil, "{name: ucb, width: {c: 2, clock: plays}, ties: last, near_ties: 2^-40}", nil},
		{"coba epsilon-greedy", 0, playsBefore, 0, 0, 0, false, anyOf, func(int) float64 { return 0.1 }, "{name: epsilon-greedy, explore: 0.1, start: none, ties: shared}", propensities},
		{"greedy with the first of equals", 0, playsBefore, 0, 0, 0, false, firstOf, func(int) float64 { return 0.1 }, "{name: epsilon-greedy, explore: 0.1, start: none}", propensities},
	}
}

// play runs it over four arms whose rewards are 0 and 1, with propensities where it
// explores and logs says so.
func (l *library) play(seed uint64, rounds int, logs bool) *tableau.Batch {
	const k = 4
	draw := rand.New(rand.NewPCG(seed, 77))
	mean, n, index := make([]float64, k), make([]float64, k), make([]float64, k)
	for i := range mean {
		if l.rows > 0 {
			mean[i], n[i] = l.sum/l.rows, l.rows
		}
	}
	b := &tableau.Batch{}
	for t := 1; t <= rounds; t++ {
		for i := range index {
			index[i] = l.unseen
			if n[i] > 0 {
				index[i] = mean[i]
				if l.c > 0 {
					index[i] += math.Sqrt(l.c * math.Log(math.Max(1, l.clock(t))) / n[i])
				}
			}
		}
		arm, p := l.choose(draw, t, index)
		y := float64(b2i(draw.Float64() < []float64{.3, .5, .55, .4}[arm]))
		n[arm]++
		mean[arm] += (y - mean[arm]) / n[arm]
		b.Experiment, b.Round, b.Arm, b.Reward = append(b.Experiment, 0), append(b.Round, int64(t)), append(b.Arm, int32(arm)), append(b.Reward, y)
		if logs {
			b.Propensity, b.PropensityByArm = append(b.Propensity, p[arm]), append(b.PropensityByArm, p...)
		}
	}
	return b
}

// choose returns an arm and the propensities of all.
func (l *library) choose(draw *rand.Rand, t int, index []float64) (int, []float64) {
	var equal []int
	top := slices.Max(index)
	for i, v := range index {
		if v == top || !l.start && math.Abs(v-top) < 1e-9 { // those that begin at random compare to the last bit
			equal = append(equal, i)
		}
	}
	among := []int{l.ties(draw, equal)}
	switch {
	case !math.IsInf(top, 1):
	case l.start:
		among[0] = equal[draw.IntN(len(equal))]
	default:
		among[0] = equal[0]
	}
	arm, e := among[0], 0.0
	if l.explore != nil {
		if e = l.explore(t); draw.Float64() < e {
			arm = draw.IntN(len(index))
		}
	}
	if l.ties(rand.New(rand.NewPCG(1, 1)), []int{0, 1, 2, 3, 4, 5, 6, 7}) != 0 { // not the first
		among = equal
	}
	p := make([]float64, len(index))
	for i := range p {
		p[i] = e / float64(len(index))
		if slices.Contains(among, i) {
			p[i] += (1 - e) / float64(len(among))
		}
	}
	return arm, p
}

// hold holds a log against the declaration.
func (l *library) hold(t *testing.T, b *tableau.Batch) schemas.Conformance {
	t.Helper()
	source := fmt.Sprintf("version: 1\nexperiment: {id: x}\nlog: {order: [t], action: a, reward: r}\narms: [b, a, d, c]\nreward: {range: [0, 1]}\npolicy: %s\ncounter: {name: exact}\n", l.policy)
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Declare(replay.Standard(), &doc.Protocol, doc.Protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	s := slice(t, tableau.Schema{
		Propensity: b.Propensity != nil, PropensityByArm: b.PropensityByArm != nil, Arms: 4, Reward: [2]float64{0, 1},
		Experiments: []tableau.Range{{ID: "x", Rows: int64(len(b.Arm))}},
	}, b)
	out, err := d.Run(context.Background(), s, &ledger.Disclosures{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.Conformance
}

// disagrees reports whether something in a replay contradicts the declared policy.
func disagrees(c *schemas.Conformance) bool {
	return c.FirstMismatch != nil || c.Propensities != nil && c.Propensities.FirstMismatch != nil
}

// Honest logs of libraries are those of their dialects, in every round, and ten rounds
// that were tampered with are seen: actions, propensities, rewards.
func TestDialectsOfLibraries(t *testing.T) {
	t.Parallel()
	for _, l := range libraries() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			logs := l.explore != nil
			honest := l.hold(t, l.play(1, 2000, logs))
			if disagrees(&honest) || honest.Replayable != honest.Rounds || l.verdict != nil && !l.verdict(&honest) {
				t.Fatalf("an honest log: %+v, choices %+v, first mismatch %+v", honest, honest.Choices, honest.FirstMismatch)
			}
			for name, tamper := range tampering() {
				b := l.play(1, 2000, logs)
				if tamper(b) {
					if c := l.hold(t, b); !disagrees(&c) && (!logs || name != "actions") {
						t.Errorf("%s in ten rounds: %d of %d match", name, c.Matched, c.Replayable)
					}
				}
			}
		})
	}
}

// tampering changes something in ten rounds, where the log has it.
func tampering() map[string]func(*tableau.Batch) bool {
	return map[string]func(*tableau.Batch) bool{
		"actions": func(b *tableau.Batch) bool {
			for i := range 10 {
				b.Arm[50+i] = (b.Arm[50+i] + 1) % 4
			}
			return true
		},
		"rewards": func(b *tableau.Batch) bool {
			for i := range 10 {
				b.Reward[50+i] = 1 - b.Reward[50+i]
			}
			return slices.Max(b.Arm) > 0 // an arm that is played for ever whatever it pays
		},
		"propensities": func(b *tableau.Batch) bool {
			for i := range 10 {
				if b.Propensity == nil {
					return false
				}
				b.Propensity[50+i] *= 0.9
			}
			return true
		},
	}
}

// Declared as the policy of their name alone, the same logs are another's.
func TestDialectsMatter(t *testing.T) {
	all := libraries()
	for i, plain := range map[int]string{0: "{name: ucb, width: {c: 2}}", 2: "{name: ucb, width: {c: 2}}", 5: "{name: epsilon-greedy, explore: 0.1}"} {
		l := all[i]
		l.policy = plain
		if c := l.hold(t, l.play(1, 2000, l.explore != nil)); !disagrees(&c) {
			t.Errorf("%s as %s: %d of %d match", l.name, plain, c.Matched, c.Replayable)
		}
	}
}

// Rounds that were given to the policy are learned from, and not compared; of the others
// every one is.
func TestGivenRows(t *testing.T) {
	l := libraries()[2]
	whole := l.policy
	l.policy = "{name: ucb, width: {c: 2, clock: plays}, start: {given: 300}}"
	l.rows, l.sum, l.clock = 0, 0, playsBefore
	l.unseen = math.Inf(1)
	b := l.play(1, 1000, false)
	for i := range 20 {
		b.Arm[i], b.Reward[i] = int32(i%4), 0
	}
	b = l.after(b, 300)
	if c := l.hold(t, b); disagrees(&c) || c.Rounds != 700 || c.Replayable != 700 || c.Matched != 700 {
		t.Errorf("%d of %d rounds match, of %d replayable: %+v", c.Matched, c.Rounds, c.Replayable, c.FirstMismatch)
	}
	b.Arm[299] = (b.Arm[299] + 1) % 4
	if c := l.hold(t, b); !disagrees(&c) { // what was learned is another
		t.Error("another arm in a given round changes nothing later")
	}
	l.policy = whole
	if c := l.hold(t, b); !disagrees(&c) {
		t.Error("without the key the log is another policy's, and is not")
	}
}

// after plays the rounds after the first n of a log again, by UCB1 on all that is known.
func (l *library) after(b *tableau.Batch, n int) *tableau.Batch {
	sum, rows := make([]float64, 4), make([]float64, 4)
	for i, arm := range b.Arm {
		if i >= n {
			best := 0
			at := func(a int) float64 { return sum[a]/rows[a] + math.Sqrt(2*math.Log(float64(i))/rows[a]) }
			for a := range 4 {
				if at(a) > at(best) {
					best = a
				}
			}
			arm = int32(best)
			b.Arm[i] = arm
		}
		sum[arm], rows[arm] = sum[arm]+b.Reward[i], rows[arm]+1
	}
	return b
}

// A start in any order is still one of each arm: an arm that is played again before
// all were played is none of it.
func TestAnyStartPlaysEachArmOnce(t *testing.T) {
	l := libraries()[1]
	b := l.play(3, 500, false)
	b.Arm[1] = b.Arm[0]
	if c := l.hold(t, b); c.FirstMismatch == nil || c.FirstMismatch.Round != 2 {
		t.Errorf("first mismatch %+v, want round 2", c.FirstMismatch)
	}
}
