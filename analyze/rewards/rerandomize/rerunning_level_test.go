package rerandomize

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze/stat/randomization"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// rerunSized plays a 0/1 log of a mechanism from the start, by draws of a source, and
// returns the statistic.
func rerunSized(t *testing.T, m *replay.Mechanism, rewards []float64) float64 {
	t.Helper()
	r := &rerunRecords{arms: m.Arms(), arm: make([]int32, len(rewards)), reward: rewards}
	order, n, s, mean := make([]int32, len(rewards)), make([]int64, m.Arms()), make([]float64, m.Arms()), 0.0
	for i, y := range rewards {
		order[i] = int32(i)
		mean += y / float64(len(rewards))
	}
	err := newRerunPolicy(t.Context(), m, "e", r).Play(order, rand.NewPCG(1, 1), func(t, arm int) {
		n[arm]++
		s[arm] += rewards[t]
	})
	if err != nil {
		t.Fatal(err)
	}
	return randomization.Spread(n, s, mean)
}

// digits reads a log of the sheet.
func digits(text string) []float64 {
	out := make([]float64, len(text))
	for i, c := range text {
		out[i] = float64(c - '0')
	}
	return out
}

// arrangements visits all orders of 0/1 rewards within blocks of equal length that differ.
func arrangements(rewards []float64, length int, visit func([]float64)) {
	word := func(y []float64) (out uint) {
		for i, v := range y {
			out |= uint(v) << i
		}
		return out
	}
	want := word(rewards)
	for mask := range uint(1) << len(rewards) {
		same := true
		for from := 0; from < len(rewards); from += length {
			block := uint(1)<<length - 1
			same = same && bits.OnesCount(mask>>from&block) == bits.OnesCount(want>>from&block)
		}
		if !same {
			continue
		}
		y := make([]float64, len(rewards))
		for i := range y {
			y[i] = float64(mask >> i & 1)
		}
		visit(y)
	}
}

func reaches(q, observed float64) bool { return q >= observed-1e-12*(1+math.Abs(observed)) }

// The vectors of UCB1 of the sheet (21.8), by the declared policy: the arms, the
// statistic, and p over all orders and over those within two blocks.
func TestRerunVectors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		arms, c, rewards, played string
		q, all, two              float64
	}{
		{"ab", "0.5", "01011110", "12222222", .058489304813, 37. / 56, 21. / 24},
		{"abc", "0.5", "0101111110", "1232222222", .197979797980, 22. / 120, 15. / 50},
		{"ab", "0.2", "01111101110111", "12222222222222", .082963620231, 158. / 364, 80. / 147},
		{"ab", "0.5", "01001111111111", "12221111111111", .229386259999, 24. / 364, 5. / 35},
	} {
		m := rerunMechanism(t, "{name: ucb, width: {c: "+c.c+"}}", "{name: exact}", strings.Split(c.arms, ""))
		y := digits(c.rewards)
		r := &rerunRecords{arms: m.Arms(), arm: make([]int32, len(y)), reward: y}
		order := make([]int32, len(y))
		for i := range order {
			order[i] = int32(i)
		}
		if err := newRerunPolicy(t.Context(), m, "e", r).Play(order, rand.NewPCG(1, 1), func(t, arm int) { r.arm[t] = int32(arm) }); err != nil {
			t.Fatal(err)
		}
		for i, arm := range digits(c.played) {
			if r.arm[i] != int32(arm)-1 {
				t.Errorf("%s: arms %v, want %s", c.rewards, r.arm, c.played)
				break
			}
		}
		q := rerunSized(t, m, y)
		if math.Abs(q-c.q) > 1e-11 {
			t.Errorf("%s: statistic %.12g, want %.12g", c.rewards, q, c.q)
		}
		for length, want := range map[int]float64{len(y): c.all, len(y) / 2: c.two} {
			reached, all := 0, 0
			arrangements(y, length, func(other []float64) {
				if all++; reaches(rerunSized(t, m, other), q) {
					reached++
				}
			})
			if got := float64(reached) / float64(all); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s in blocks of %d: p %g, want %g", c.rewards, length, got, want)
			}
			const runs = 20_000
			log := &randomization.Log{Arms: m.Arms(), Arm: r.arm, Reward: y, Groups: randomization.Blocks(len(y), length)}
			out, err := randomization.Test(t.Context(), log, newRerunPolicy(t.Context(), m, "e", r), randomization.Options{Draws: runs, Exceedances: runs + 1, Name: c.rewards, Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			// Five standard errors; the seed is fixed, so that this holds or does not.
			if se := math.Sqrt(want*(1-want)/runs) + 1./runs; math.Abs(out.P-want) > 5*se {
				t.Errorf("%s in blocks of %d: p %g of %d runs, want %g", c.rewards, length, out.P, runs, want)
			}
		}
	}
}

// The level over all 4,096 logs of twelve rounds of two equal coins is known exactly, by
// the declared policy too.
func TestRerunExactLevel(t *testing.T) {
	t.Parallel()
	m := rerunMechanism(t, "{name: ucb, width: {c: 0.1}}", "{name: exact}", []string{"a", "b"})
	byOnes := map[int][]float64{}
	for mask := range uint(1) << 12 {
		y := make([]float64, 12)
		for i := range y {
			y[i] = float64(mask >> i & 1)
		}
		byOnes[bits.OnesCount(mask)] = append(byOnes[bits.OnesCount(mask)], rerunSized(t, m, y))
	}
	rejected := 0
	for _, all := range byOnes {
		for _, q := range all {
			reached := 0
			for _, other := range all {
				if reaches(other, q) {
					reached++
				}
			}
			if float64(reached) <= .05*float64(len(all)) {
				rejected++
			}
		}
	}
	if rejected != 112 {
		t.Errorf("%d of 4,096 logs rejected at .05, want 112", rejected)
	}
}

// paths visits all sequences of arms of a policy that draws on rewards, with their
// probabilities.
func paths(t *testing.T, m *replay.Mechanism, rewards []float64, visit func(arms []int32, p float64)) {
	t.Helper()
	arms := make([]int32, len(rewards))
	total := 0.0
	var walk func(round int)
	walk = func(round int) {
		p := 1.0
		run := m.NewRunner([32]byte{}, "e")
		for t := range round {
			run.Next(nil)
			p *= run.Propensities()[arms[t]]
			run.Add(int(arms[t]), rewards[t])
		}
		switch {
		case p == 0:
			return
		case round == len(rewards):
			total += p
			visit(arms, p)
			return
		}
		for arm := range m.Arms() {
			arms[round] = int32(arm)
			walk(round + 1)
		}
	}
	walk(0)
	if math.Abs(total-1) > 1e-9 {
		t.Errorf("the paths have probability %g together", total)
	}
}

// spreadOf is the statistic of arms on rewards.
func spreadOf(k int, arms []int32, rewards []float64) float64 {
	n, s, mean := make([]int64, k), make([]float64, k), 0.0
	for t, arm := range arms {
		n[arm]++
		s[arm] += rewards[t]
		mean += rewards[t] / float64(len(rewards))
	}
	return randomization.Spread(n, s, mean)
}

// Re-randomisation without permuting: the vector of epsilon-greedy of the sheet (21.8) by
// summing over all paths of the declared policy, and by its runs.
func TestRerunRedraws(t *testing.T) {
	t.Parallel()
	m := rerunMechanism(t, "{name: epsilon-greedy, explore: 0.4}", "{name: exact}", []string{"a", "b"})
	for _, c := range []struct {
		rewards, played string
		path            float64
	}{{"101101", "121121", .065536}, {"011011", "122122", math.NaN()}} {
		y, arms := digits(c.rewards), make([]int32, 6)
		for i, arm := range digits(c.played) {
			arms[i] = int32(arm) - 1
		}
		q, exact, path := spreadOf(2, arms, y), 0.0, 0.0
		paths(t, m, y, func(other []int32, p float64) {
			if reaches(spreadOf(2, other, y), q) {
				exact += p
			}
			same := true
			for i := range other {
				same = same && other[i] == arms[i]
			}
			if same {
				path += p
			}
		})
		if math.Abs(q-.275132275132) > 1e-11 && c.path == c.path || math.Abs(exact-.08192) > 1e-12 || math.Abs(path-c.path) > 1e-12 {
			t.Errorf("%s: q %.12g, p %.12g, P(arms) %.12g", c.rewards, q, exact, path)
		}
		const runs = 50_000
		r := &rerunRecords{arms: 2, arm: arms, reward: y}
		out, err := randomization.Test(t.Context(), &randomization.Log{Arms: 2, Arm: arms, Reward: y}, newRerunPolicy(t.Context(), m, "e", r), randomization.Options{Draws: runs, Exceedances: runs + 1, Name: c.rewards, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if se := math.Sqrt(exact*(1-exact)/runs) + 1./runs; math.Abs(out.P-exact) > 5*se {
			t.Errorf("%s: p %g of %d runs, want %g", c.rewards, out.P, runs, exact)
		}
	}
}

// Of five rounds, over all orders of the rewards and all paths of arms, the runs of four
// policies have the p that summing gives, and P(p ≤ α) ≤ α for every α.
func TestRerunByEnumeration(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out an enumeration; the full run has it")
	}
	t.Parallel()
	for _, policy := range []string{"{name: ucb, width: {c: 0.3}}", "{name: epsilon-greedy, explore: 0.3}", "{name: softmax, eta: 2}", "{name: thompson, prior: {alpha: 1, beta: 1}}"} {
		m := rerunMechanism(t, policy, "{name: exact}", []string{"a", "b"})
		type outcome struct{ q, p float64 }
		var all []outcome
		orders := 0
		arrangements(digits("01101"), 5, func(y []float64) {
			orders++
			paths(t, m, y, func(arms []int32, p float64) { all = append(all, outcome{spreadOf(2, arms, y), p}) })
		})
		exact := func(q float64) (sum float64) {
			for _, o := range all {
				if reaches(o.q, q) {
					sum += o.p / float64(orders)
				}
			}
			return sum
		}
		for _, alpha := range all {
			at, level := exact(alpha.q), 0.0
			for _, o := range all {
				if exact(o.q) <= at+1e-12 {
					level += o.p / float64(orders)
				}
			}
			if level > at+1e-9 {
				t.Errorf("%s: P(p ≤ %g) = %g", policy, at, level)
			}
		}
		y, arms := digits("01101"), []int32{0, 1, 1, 0, 1}
		const runs = 20_000
		r := &rerunRecords{arms: 2, arm: arms, reward: y}
		out, err := randomization.Test(t.Context(), &randomization.Log{Arms: 2, Arm: arms, Reward: y, Groups: randomization.Blocks(5, 5)}, newRerunPolicy(t.Context(), m, "e", r), randomization.Options{Draws: runs, Exceedances: runs + 1, Name: policy, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		want := exact(out.Statistic)
		if se := math.Sqrt(want*(1-want)/runs) + 1./runs; math.Abs(out.P-want) > 5*se {
			t.Errorf("%s: p %g of %d runs, want %g", policy, out.P, runs, want)
		}
	}
}

// rising is a mean that goes from one value to another over the log.
func rising(from, to float64, rounds int) func(t int) float64 {
	return func(t int) float64 { return from + (to-from)*float64(t)/float64(rounds-1) }
}

// rerunWorld is a world of logs of equal arms, and what changes places between runs.
type rerunWorld struct {
	m            *replay.Mechanism
	logs, rounds int
	mean         func(t int) float64
	change       func(*rerunRecords)
	by           func(*rerunPolicy) permutation
}

// rejections is the number of logs that are rejected at .05. Of 99 runs at most four reach
// the statistic then, so that no more are made after the fifth.
func (w *rerunWorld) rejections(t *testing.T) (rejected int) {
	t.Helper()
	for i := range w.logs {
		r := rerunBernoulli(t, w.m, w.rounds, uint64(i), w.mean, w.change)
		play := newRerunPolicy(context.Background(), w.m, "e", r)
		p := w.by(play)
		log := &randomization.Log{Arms: w.m.Arms(), Arm: r.arm, Reward: r.reward, Groups: p.groups(r, true), Width: p.width}
		out, err := randomization.Test(t.Context(), log, play, randomization.Options{Draws: 99, Exceedances: 5, Name: "level", Seed: replay.Seed(int64(i)), Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if out.P <= .05 {
			rejected++
		}
	}
	return rejected
}

// The level holds: in blocks of ten, also where the mean of all arms rises from .1 to .7;
// inside batches of 100 of which each has a mean of its own; of units of ten rounds that
// have one; without a permutation; and where successes are known eight rounds later. A test
// at .05 exceeds the bound, 25 of 200 logs, with probability 10⁻⁵.
func TestRerunLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out hundreds of re-runs; the full run has them")
	}
	t.Parallel()
	three := func(policy, counter string) *replay.Mechanism {
		return rerunMechanism(t, policy, counter, []string{"a", "b", "c"})
	}
	const exact, greedy = "{name: exact}", "name: epsilon-greedy, explore: 0.1"
	ucb := three("{name: ucb, width: {c: 2}}", exact)
	blocks := func(p *rerunPolicy) permutation { return blockPermutation(p.records.rounds(), rerunBlock) }
	units := func(p *rerunPolicy) permutation {
		p.records.unit = 10
		out, _ := unitPermutation(p.records, 10)
		return out
	}
	source := rand.New(rand.NewPCG(3, 3))
	late := func(r *rerunRecords) { // most successes are known eight rounds later, and few failures
		for t, y := range r.reward {
			lag := int32(0)
			if source.Float64() < .2+.6*y {
				lag = 8
			}
			if t+int(lag) >= len(r.reward)-1 {
				lag = neverLag
			}
			r.lag = append(r.lag, lag)
		}
	}
	own := func(of int) func(int) float64 { // means of .35, .5 and .65 in turns of no order
		return func(t int) float64 { return .35 + .15*float64(t/of*7919%104729%3) }
	}
	for name, w := range map[string]rerunWorld{
		"ucb":                     {ucb, 200, 400, half, nil, blocks},
		"ucb, mean .05":           {ucb, 200, 400, func(int) float64 { return .05 }, nil, blocks},
		"ucb, .1 to .7":           {ucb, 200, 400, rising(.1, .7, 400), nil, blocks},
		"epsilon-greedy, batches": {three("{"+greedy+", update: {every: 100}}", exact), 200, 1000, own(100), nil, (*rerunPolicy).insidePermutation},
		"ucb, units":              {ucb, 200, 1000, own(10), nil, units},
		"epsilon-greedy, none":    {three("{"+greedy+"}", exact), 200, 400, rising(.1, .7, 400), nil, func(p *rerunPolicy) permutation { return withoutPermutation(p.records.rounds()) }},
		"ucb, delays":             {ucb, 200, 120, half, late, blocks},
		"softmax, noise":          {three("{name: softmax, eta: 0.5}", "{name: hybrid, epsilon: 1, horizon: 400}"), 200, 400, rising(.1, .7, 400), nil, blocks},
	} {
		if n := w.rejections(t); n > 25 {
			t.Errorf("%s: %d of %d logs of equal arms rejected at .05", name, n, w.logs)
		}
	}
}

// What must not hold its level does not: these show why blocks are there, and stay short.
func TestRerunWrongly(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out many runs of the policy; the full run has it")
	}
	t.Parallel()
	ucb := rerunMechanism(t, "{name: ucb, width: {c: 2}}", "{name: exact}", []string{"a", "b", "c"})
	seldom := rerunMechanism(t, "{name: ucb, width: {c: 2}, update: {every: 250}}", "{name: exact}", []string{"a", "b", "c"})
	for name, w := range map[string]rerunWorld{
		"over the whole log, .1 to .7": {ucb, 60, 400, rising(.1, .7, 400), nil, func(p *rerunPolicy) permutation { return wholePermutation(p.records.rounds()) }},
		"blocks of two batches of 250": {seldom, 60, 1000, rising(.1, .7, 1000), nil, func(p *rerunPolicy) permutation { return blockPermutation(p.records.rounds(), 500) }},
		"units over the log, .3 to .5": {ucb, 150, 2000, rising(.3, .5, 2000), nil, func(p *rerunPolicy) permutation {
			p.records.unit = 10
			out, _ := unitPermutation(p.records, schemas.AllUnits)
			return out
		}},
	} {
		if n := w.rejections(t); 2*n <= w.logs {
			t.Errorf("%s: %d of %d logs of equal arms rejected at .05: more than half were to be", name, n, w.logs)
		}
	}
}

// Permuting rewards and leaving the arms as they are is no test. The statistic is the sum
// of squares without pseudo-pulls, as in the sheet (21.5).
func TestRerunFixedArmsWrongly(t *testing.T) {
	t.Parallel()
	m := rerunMechanism(t, "{name: thompson, prior: {alpha: 1, beta: 1}}", "{name: exact}", []string{"a", "b", "c"})
	rejected, logs := 0, 1500
	squares := func(r *rerunRecords) (q float64) {
		n, s, all := make([]float64, 3), make([]float64, 3), 0.0
		for t, arm := range r.arm {
			n[arm]++
			s[arm] += r.reward[t]
			all += r.reward[t]
		}
		for i := range n {
			d := s[i] - n[i]*all/400
			q += d * d / max(1, n[i])
		}
		return q
	}
	for i := range logs {
		r := rerunBernoulli(t, m, 400, uint64(i), half, nil)
		q, reached, source := squares(r), 0, rand.New(rand.NewPCG(uint64(i), 9))
		for range 99 {
			source.Shuffle(400, func(i, j int) { r.reward[i], r.reward[j] = r.reward[j], r.reward[i] })
			if reaches(squares(r), q) {
				if reached++; reached == 5 {
					break
				}
			}
		}
		if reached < 5 {
			rejected++
		}
	}
	if share := float64(rejected) / float64(logs); share <= .08 {
		t.Errorf("%.3f of logs of equal arms rejected at .05: more than .08 were to be", share)
	}
}
