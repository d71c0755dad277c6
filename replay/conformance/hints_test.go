package conformance

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// firstHint is what the best hint would declare; "" where there is none.
func firstHint(c *schemas.Conformance) string {
	if c.Hints == nil || len(c.Hints.Named) == 0 {
		return ""
	}
	h := c.Hints.Named[0]
	return strings.Join(h.Declare, ", ") + strings.Join(h.Without, "-")
}

// Logs of dialects that are declared as the policy of their name alone: the hint is the
// dialect, and it matches every round; an honest declaration gets none.
func TestHintsOfDialects(t *testing.T) {
	t.Parallel()
	inf, tenth := math.Inf(1), func(int) float64 { return 0.1 }
	rounds := func(t int) float64 { return float64(t) }
	for _, c := range []struct {
		name     string
		l        library
		declared string
		want     string
	}{
		{"MABWiser UCB1", library{c: 2, clock: playsBefore, unseen: inf, ties: firstOf}, "{name: ucb, width: {c: 2}}", "width: {c: 2, clock: plays}"},
		{"striatum's clock", library{c: 2, clock: func(t int) float64 { return float64(t + 1) }, unseen: inf, ties: firstOf}, "{name: ucb, width: {c: 2}}", "width: {c: 2, offset: 1}"},
		{"pymab UCB", library{c: 2, clock: rounds, unseen: inf, ties: anyOf}, "{name: ucb, width: {c: 2}, near_ties: 0}", "ties: random"},
		{"the last of equals", library{c: 2, clock: rounds, unseen: inf, ties: lastOf}, "{name: ucb, width: {c: 2}, near_ties: 0}", "ties: last"},
		{"α for c", library{c: 2, clock: rounds, unseen: inf, ties: firstOf}, "{name: ucb, width: {c: 1}}", "width: {alpha: 1}"},
		{"twice the c", library{c: 4, clock: rounds, unseen: inf, ties: firstOf}, "{name: ucb, width: {c: 2}}", "width: {c: 4}"},
		{"a level, and UCB1 ran", library{c: 2, clock: rounds, unseen: inf, ties: firstOf}, "{name: ucb, width: {delta: 0.05}}", "width: {c: 2}"},
		{"MABWiser UCB1, arms tried once in some order", library{c: 3.125, clock: playsBefore, unseen: inf, start: true, ties: firstOf}, "{name: ucb, width: {alpha: 1.25}}", "width: {alpha: 1.25, clock: plays}, start: any"},
		{"clock and ties", library{c: 2, clock: playsBefore, unseen: inf, ties: anyOf}, "{name: ucb, width: {c: 2}, near_ties: 0}", "width: {c: 2, clock: plays}, ties: random"},
		{"by law: the clock", library{c: 2, clock: playsBefore, unseen: inf, ties: anyOf}, "{name: ucb, width: {c: 2}, ties: random}", "width: {c: 2, clock: plays}"},
		{"a share for each of equal arms", library{unseen: 0, ties: lastOf, explore: tenth, clock: rounds}, "{name: epsilon-greedy, explore: 0.1, near_ties: 0}", "start: none, ties: random"},
		{"greedy with the first of equals", library{unseen: 0, ties: firstOf, explore: tenth, clock: rounds}, "{name: epsilon-greedy, explore: 0.1}", "start: none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.l.policy = c.declared
			b := c.l.play(1, 3000, c.l.explore != nil)
			out := c.l.hold(t, b)
			got := firstHint(&out)
			if out.Hints == nil || got != c.want {
				t.Fatalf("%q, want %q: %d of %d match, %+v", got, c.want, out.Matched, out.Replayable, out.Hints)
			}
			if h := out.Hints; h.Named[0].Matched != h.Named[0].Rounds || h.Matched != out.Matched || h.Rounds != out.Replayable || h.Tried < 12 || h.Untried != 0 {
				t.Errorf("%+v", h)
			}
			c.l.policy = strings.TrimSuffix(c.declared, "}") + ", " + c.want + "}"
			if width := strings.Index(c.declared, "width"); strings.HasPrefix(c.want, "width") {
				_, rest, _ := strings.Cut(c.declared[width:], "}")
				c.l.policy = c.declared[:width] + c.want + rest
			}
			if as := c.l.hold(t, b); disagrees(&as) || as.Hints != nil {
				t.Errorf("declared as hinted: %+v, hints %+v", as.FirstMismatch, as.Hints)
			}
		})
	}
}

// judged holds a log of one declaration, over the arms of play, against another.
func judged(t *testing.T, ran, declared string) schemas.Conformance {
	t.Helper()
	return judgedBy(t, ran, declared, true)
}

// judgedBy is judged, with propensities or without.
func judgedBy(t *testing.T, ran, declared string, logged bool) schemas.Conformance {
	t.Helper()
	parse := func(policy string) *schemas.Protocol {
		source := "version: 1\nexperiment: {id: shop}\nlog: {order: [t], action: a, reward: r, context: [x]}\narms: [control, blue]\nreward: {range: [0, 1]}\npolicy: " + policy + "\ncounter: {name: exact}\n"
		doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		return &doc.Protocol
	}
	l := play(t, parse(ran))
	keep := func(b *tableau.Batch) {
		const n = 2500
		b.Experiment, b.Round, b.Arm, b.Reward, b.X[0] = b.Experiment[:n], b.Round[:n], b.Arm[:n], b.Reward[:n], b.X[0][:n]
		if b.Propensity != nil {
			b.Propensity = b.Propensity[:n]
		}
		if !logged {
			b.Propensity, b.PropensityByArm = nil, nil
		}
	}
	keep(&l.Batch)
	out, _ := run(t, parse(declared), l.write(t), nil)
	return out.Conformance
}

// Where nothing but the actions is logged, a policy that can draw all of them is no hint
// where another is far likelier to have.
func TestHintsByLaw(t *testing.T) {
	t.Parallel()
	out := judgedBy(t, "{name: softmax, eta: 8, of: means}", "{name: softmax, eta: 8}", false)
	if out.Mode != schemas.ModeLaw || out.Hints == nil || firstHint(&out) != "of: means" {
		t.Fatalf("mode %s: %+v", out.Mode, out.Hints)
	}
	for _, h := range out.Hints.Named {
		if strings.HasPrefix(h.Declare[0], "temperature: 8") {
			t.Errorf("a temperature of 8 plays arms nearly alike, and is named: %+v", h)
		}
	}
}

// Logs of this program's own policies, declared as others.
func TestHintsOfOwnLogs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, ran, declared, want string }{
		{"LinUCB by its factor", "{name: linucb, lambda: 1, width: {alpha: 1}}", "{name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5}", "width: {alpha: 1}theta_bound-noise_sd"},
		{"softmax of means", "{name: softmax, eta: 3, of: means}", "{name: softmax, eta: 3}", "of: means"},
		{"a temperature as eta", "{name: softmax, temperature: 0.25}", "{name: softmax, eta: 0.25}", "temperature: 0.25eta"},
		{"another order of arms", "{name: ucb, width: {c: 2}, order: [blue, control]}", "{name: ucb, width: {c: 2}}", "order: [blue, control]"},
		{"one round later", "{name: ucb, width: {c: 2}, update: {every: 11}}", "{name: ucb, width: {c: 2}, update: {every: 10}}", "update: {every: 11}"},
		{"an exploration that falls", "{name: epsilon-greedy, explore: {decay: 5, clock: plays}}", "{name: epsilon-greedy, explore: {decay: 5}}", "explore: {decay: 5, clock: plays}"},
		{"another policy", "{name: ucb, width: {delta: 0.001}, start: {first: 500}}", "{name: ucb, width: {c: 0.02}}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out := judged(t, c.ran, c.declared)
			if out.Hints == nil || firstHint(&out) != c.want || out.Hints.Tried == 0 {
				t.Fatalf("%q, want %q: %d of %d match, %+v", firstHint(&out), c.want, out.Matched, out.Replayable, out.Hints)
			}
			if words := out.Hints.Sentence(); c.want == "" && !strings.HasPrefix(words, fmt.Sprintf("none of %d neighbours", out.Hints.Tried)) {
				t.Error(words)
			}
			if honest := judged(t, c.ran, c.ran); honest.Hints != nil || honest.FirstMismatch != nil {
				t.Errorf("an honest log: %+v, first mismatch %+v", honest.Hints, honest.FirstMismatch)
			}
		})
	}
}

// With a seed the answers of neighbours that draw are those of the seed.
func TestHintsOfASeed(t *testing.T) {
	ran, declared := protocol("epsilon-greedy", "exact"), protocol("epsilon-greedy", "exact")
	for _, p := range []*schemas.Protocol{ran, declared} {
		p.Policy.Set("explore", 0.1)
		seeded(p, 7)
	}
	ran.Policy.Set("start", "none")
	l := play(t, ran)
	l.Propensity = nil
	out, book := run(t, declared, l.write(t), nil)
	if c := out.Conformance; c.Mode != schemas.ModeSeed || firstHint(&c) != "start: none" {
		t.Errorf("%d of %d match: %+v", c.Matched, c.Replayable, c.Hints)
	}
	if n := len(slices.DeleteFunc(book.List(), func(d ledger.Booking) bool { return !strings.HasSuffix(d.Law, ", neighbours") })); n != 1 {
		t.Errorf("neighbours read rewards in %d bookings", n)
	}
}

// The budget ends the search: what was not tried is counted, and never more rounds are
// replayed. A longer search finds what a shorter one found, and twice the same is found.
func TestHintsKeepToTheirBudget(t *testing.T) {
	l := library{c: 2, clock: playsBefore, unseen: math.Inf(1), ties: anyOf, policy: "{name: ucb, width: {c: 2}, near_ties: 0}"}
	b := l.play(1, 3000, false)
	whole := l.hold(t, b)
	again := l.hold(t, b)
	if d := cmp.Diff(whole.Hints, again.Hints); d != "" {
		t.Error(d)
	}
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte("version: 1\nexperiment: {id: x}\nlog: {order: [t], action: a, reward: r}\narms: [b, a, d, c]\nreward: {range: [0, 1]}\npolicy: {name: ucb, width: {c: 2}, near_ties: 0}\ncounter: {name: exact}\n"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Declare(replay.Standard(), &doc.Protocol, doc.Protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	s := slice(t, tableau.Schema{Arms: 4, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "x", Rows: 3000}}}, b)
	for _, budget := range []int64{0, 1, 5000, whole.Hints.Replayed} {
		j := d.begin(context.Background(), s, &ledger.Disclosures{})
		h, err := j.hints(nil, &whole, budget)
		if err != nil || h.Replayed > budget || h.Tried+h.Untried < whole.Hints.Tried || (h.Untried == 0) != (budget == whole.Hints.Replayed) {
			t.Errorf("budget %d: %+v, %v", budget, h, err)
		}
		if words := h.Sentence(); (h.Untried > 0) != strings.Contains(words, "more were not tried") {
			t.Error(words)
		}
	}
}

// Of logs that were tampered with, the hint names at most what matches more rounds, and
// what was not declared never matches all.
func TestHintsOfTamperedLogs(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	l := library{c: 2, clock: func(t int) float64 { return float64(t) }, unseen: math.Inf(1), ties: firstOf, policy: "{name: ucb, width: {c: 2}}"}
	for seed := range uint64(5) {
		b := l.play(seed, 2000, false)
		for range 12 {
			at := 50 + draw.IntN(1900)
			b.Arm[at] = (b.Arm[at] + 1) % 4
		}
		c := l.hold(t, b)
		if c.Hints == nil {
			t.Fatal("a log that is not the policy's has no hints")
		}
		for _, h := range c.Hints.Named {
			if h.Matched <= c.Matched || h.Matched == h.Rounds {
				t.Errorf("%+v of a log of which %d match", h, c.Matched)
			}
		}
	}
}
