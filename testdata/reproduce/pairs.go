// Package reproduce makes the table of testdata/reproduce/MECHANISMS.md: every
// policy on every counter, run on one small world with known truth. The program
// that writes the file is testdata/reproduce/mechanisms.
package reproduce

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// Entry is a policy or a counter of the table.
type Entry struct {
	Name string
	Keys string // in a protocol
	Text string // what it is, in one line
}

// Pair is one policy on one counter.
type Pair struct {
	Policy, Counter Entry
	Linear          bool // runs on the linear world
}

// Horizon is the number of rounds of a run, and the horizon that counters and
// bonuses are declared with.
const Horizon = 20_000

// Counters lists the counters of the table, all with ε = 1 for each arm.
func Counters() []Entry {
	return []Entry{
		{"exact", "name: exact", "the sums themselves: nothing is hidden, but by what a policy draws"},
		{"laplace", "name: laplace, epsilon: 1", "each reward is released once with Lap(1/ε), and the sum is that of the releases"},
		{"binary", "name: binary, epsilon: 1, horizon: 20000", "binary tree of L = ⌊log2 T⌋+1 levels, each node with Lap(L/ε)"},
		{"hybrid", "name: hybrid, epsilon: 1", "without a horizon: half of ε for sums at powers of two, half for a binary tree between two of them"},
		{"tree", "name: tree, epsilon: 1, horizon: 20000", "k-ary tree with signed digits, k chosen for the horizon"},
		{"interval", "name: interval, epsilon: 1, horizon: 20000", "a release after every ⌈1/ε⌉ rewards, with noise of scale N^(v/2) on the sum of N, v = 1.1: the declared ε sets the interval alone; what the releases cost is more and grows with T, its ρ does not"},
		{"epochs", "name: epochs, epsilon: 1", "epochs of doubling length: each reward is released once, in the sum of its epoch, with Lap(1/ε)"},
	}
}

// bonus is what upper confidence bounds declare beside a counter with noise.
const bonus = ", bonus: quantile"

// policies lists the policies that read sums. A key bonus at the end stands
// only beside a counter with noise.
func policies() []Entry {
	return []Entry{
		{"epsilon-greedy", "name: epsilon-greedy, explore: 0.1", "a random arm with probability 0.1, else the largest mean"},
		{"epsilon-greedy, decaying", "name: epsilon-greedy, explore: {decay: 50}", "a random arm with probability min(1, 50/t), else the largest mean"},
		{"ucb, c = 2", "name: ucb, width: {c: 2}" + bonus, "UCB1: largest mean + √(2 ln t/N), + Γ/N for the noise"},
		{"ucb, δ = 0.05", "name: ucb, width: {delta: 0.05}" + bonus, "largest mean + √(2 ln(t/δ)/N), + Γ/N for the noise"},
		{"thompson, Beta", "name: thompson, prior: {alpha: 1, beta: 1}", "a draw from each arm's Beta posterior, sums clamped to [0, N]"},
		{"thompson, normal", "name: thompson, prior: {mean: 0.5, variance: 1, noise: 0.25}", "a draw from each arm's normal posterior"},
		{"softmax", "name: softmax, eta: 0.01", "arm i with probability proportional to exp(η·S_i), η = 0.01"},
		{"successive-elimination", "name: successive-elimination, width: {c: 0.5}" + bonus, "arms in turn, until one is worse than another beyond both widths √(ln t/(2N)) + Γ/N"},
	}
}

// Pairs lists every row of the table, in its order.
func Pairs() []Pair {
	alone := Entry{Name: "none", Text: "no counter: the policy reads no rewards"}
	pairs := []Pair{
		{Entry{"uniform", "name: uniform", "every arm with probability 1/K"}, alone, false},
		{Entry{"fixed", "name: fixed, probabilities: [0.1, 0.1, 0.2, 0.2, 0.4]", "arms with declared probabilities"}, alone, false},
	}
	for _, p := range policies() {
		for _, c := range Counters() {
			pairs = append(pairs, Pair{p, c, false})
		}
	}
	pairs = append(pairs, Pair{Entry{"uniform, linear world", "name: uniform", "every arm with probability 1/K: what linucb and lints have to beat"}, alone, true})
	for _, p := range linear() {
		for _, c := range Counters() {
			pairs = append(pairs, Pair{p, c, true})
		}
	}
	return pairs
}

// linear lists the policies that read contexts.
func linear() []Entry {
	return []Entry{
		{"linucb", "name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 1", "OFUL for each arm: largest x'θ̂ + β·‖x‖ in the metric of V⁻¹; beside noise LinPriv, which adds (s/√λ)·‖x‖"},
		{"lints", "name: lints, lambda: 1, noise_sd: 0.5, context_l1: 1", "a draw of each arm's coefficients from their normal posterior"},
	}
}

// Name is policy × counter.
func (p Pair) Name() string {
	if p.Counter.Keys == "" {
		return p.Policy.Name
	}
	return p.Policy.Name + " × " + p.Counter.Name
}

// keys returns the policy's keys and the counter's, as a protocol declares them
// for this pair.
func (p Pair) keys() (policy, counter string) {
	policy, counter = p.Policy.Keys, p.Counter.Keys
	plain, widened := strings.CutSuffix(policy, bonus)
	switch {
	case widened && p.Counter.Name == "exact":
		policy = plain
	case (widened || p.Policy.Name == "linucb") && p.Counter.Name != "exact" && !strings.Contains(counter, "horizon"):
		counter += fmt.Sprintf(", horizon: %d", Horizon)
	}
	return policy, counter
}

// Protocol returns the protocol that declares the pair. The error is a
// schemas.Problems.
func (p Pair) Protocol() (*schemas.Protocol, error) {
	policy, counter := p.keys()
	log := "{order: [round], action: action, reward: reward}"
	if p.Linear {
		log = "{order: [round], action: action, reward: reward, context: [x0, x1, x2, x3, x4]}"
	}
	text := "version: 1\nexperiment: {id: mechanisms}\nlog: " + log + "\narms: [a, b, c, d, e]\nreward: {range: [0, 1]}\npolicy: {" + policy + "}\n"
	if counter != "" {
		text += "counter: {" + counter + "}\n"
	}
	d, err := schemas.ParseProtocol(p.Name(), []byte(text))
	if err != nil {
		return nil, err
	}
	return &d.Protocol, nil
}
