// Package answers counts what each method answers on logs that were not gathered
// privately: how often it rejects what is true and what is not, whether its intervals
// hold the truth, and how wide they are. The program that writes the page
// testdata/reproduce/ANSWERS.md is `banditlab answers`.
package answers

import (
	"fmt"
	"strings"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// experiment is the id of every log's experiment, which its streams are drawn by.
const experiment = "answers"

// Policy is what chose the actions. It is declared only where Twist.Declared says so.
// Where it draws, its propensities are logged.
type Policy struct {
	Name      string
	Keys      string // in a protocol
	Logged    bool   // the propensities of all arms are logged
	Contexts  bool   // it gets a context, −1 or 1, by which the mean of all arms moves
	Every     int    // rounds between two updates; 0: it learns in every round
	Unbounded bool   // it takes rewards outside [0,1]
}

// Policies are the policies that the page has.
func Policies() []Policy {
	const beta = "prior: {alpha: 1, beta: 1}"
	return []Policy{
		{Name: "uniform", Keys: "name: uniform", Logged: true},
		{Name: "UCB1", Keys: "name: ucb, width: {c: 2}", Unbounded: true},
		{Name: "LinUCB", Keys: "name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5", Contexts: true},
		{Name: "ε-greedy .1", Keys: "name: epsilon-greedy, explore: 0.1", Logged: true, Unbounded: true},
		{Name: "Thompson", Keys: "name: thompson, " + beta, Logged: true},
		{Name: "Thompson by 50", Keys: "name: thompson, " + beta + ", update: {every: 50}", Logged: true, Every: 50},
		{Name: "Thompson, floor .05", Keys: "name: thompson, " + beta + ", floor: 0.05", Logged: true},
	}
}

// Rewards is the law of rewards in a world where all arms pay alike.
type Rewards struct {
	Name   string
	Mean   float64 // of every arm
	More   float64 // by which the last arm pays more, where arms do not pay alike
	Skewed bool    // 0 or a share of 1 that is rarely large, in place of 0 and 1
}

// Laws are the laws of rewards that the page has.
func Laws() []Rewards {
	return []Rewards{
		{Name: "0/1, .005", Mean: .005, More: .01},
		{Name: "0/1, .1", Mean: .1, More: .1},
		{Name: "0/1, .5", Mean: .5, More: .15},
		{Name: "skewed, .1", Mean: .1, More: .1, Skewed: true},
	}
}

// Setting is one line of experiments.
type Setting struct {
	Policy Policy
	Law    Rewards
	Arms   int
	Rounds int
	Twist  Twist
}

// Settings are the settings that the page has, in its order: every policy with every law, number of
// arms and of rounds, then every twist at rewards of mean ½ and 2,000 rounds.
func Settings() []Setting {
	var out []Setting
	for _, p := range Policies() {
		for _, l := range Laws() {
			for _, k := range []int{2, 5, 20} {
				for _, rounds := range []int{200, 2000, 20000} {
					out = append(out, Setting{Policy: p, Law: l, Arms: k, Rounds: rounds})
				}
			}
		}
		for _, w := range Twists() {
			if w.fits(&p) {
				out = append(out, w.settings(&p)...)
			}
		}
	}
	return out
}

// ID names a setting.
func (s *Setting) ID() string {
	id := fmt.Sprintf("%s/%s/K=%d/T=%d", s.Policy.Name, s.Law.Name, s.Arms, s.Rounds)
	if s.Twist.Name != "" {
		id += "/" + s.Twist.Name
	}
	return id
}

// labels are the letters from a on.
func (s *Setting) labels() []string {
	out := make([]string, s.Arms)
	for i := range out {
		out[i] = string(rune('a' + i))
	}
	return out
}

// declared are the arms and the range of rewards.
func (s *Setting) declared() string {
	return "arms: [" + strings.Join(s.labels(), ", ") + "]\nreward: {range: [0, 1]}\n"
}

// base is what an arm that pays no more pays.
func (s *Setting) base() float64 {
	if s.Twist.Shift { // the rest of [0,1] is for the shift
		return s.Law.Mean * (1 - s.Law.More)
	}
	return s.Law.Mean
}

// policy is the declaration of what chose the actions, with more keys of the policy.
func (s *Setting) policy(more string) string {
	out := "policy: {" + s.Policy.Keys + more + "}\n"
	if s.Policy.Name != "uniform" {
		out += "counter: {name: exact}\n"
	}
	return out
}

// protocol asks of a log: do the last arm and the first differ (D), do all pay alike
// (E), is the mean of the first what it is (M), and is the mean of the arm that was played most
// (S). Only naive answers need accept. The log is the log of a run.
func (s *Setting) protocol(run int64) string {
	means := ""
	if s.Twist.Means {
		means = "  means: constant\n"
	}
	return "version: 1\nexperiment: {id: " + experiment + ", stopping: fixed}\nlog: {" + strings.Join(s.columns(), ", ") + "}\n" + s.declared() + s.chosenBy(run) +
		"analysis:\n  chosen: before\n  multiplicity: none\n  approximate: accept\n" + means + s.questions()
}

// columns are what is said of the log.
func (s *Setting) columns() []string {
	out := []string{"order: [round]", "action: action", "reward: reward"}
	if s.Policy.Contexts {
		out = append(out, "context: [x]")
	}
	if s.Policy.Logged && !s.Twist.Seeded {
		out = append(out, map[bool]string{false: "propensity_by_arm: all", true: "propensity: p"}[s.Twist.Played])
	}
	if s.Twist.Unit > 0 {
		out = append(out, "unit: user")
	}
	if s.Twist.Missing > 0 {
		out = append(out, "missing_reward: exclude-independent")
	}
	if s.Twist.Batches {
		out = append(out, "batch: batch")
	}
	return out
}

// chosenBy is what is declared of what chose the actions of a run.
func (s *Setting) chosenBy(run int64) string {
	switch {
	case s.Twist.Unit > 0:
		return "policy: {draw: {by: unit}}\n"
	case s.Twist.Seeded:
		return s.policy(fmt.Sprintf(", seed: %x", replay.Seed(run)))
	case s.Twist.Declared:
		return s.policy("")
	case s.Twist.Batches:
		return "policy: {draw: {by: round}}\n"
	}
	return ""
}

// questions are what is asked. A question that names its method is D once more.
func (s *Setting) questions() string {
	labels := s.labels()
	last := labels[len(labels)-1]
	var out strings.Builder
	out.WriteString("  evaluate: [{id: " + kindUniform + ", target: uniform}, {id: " + kindLast + ", target: {arm: " + last + "}}]\n  tests:\n" +
		fmt.Sprintf("    - {id: D, difference: [%s, a], value: 0}\n    - {id: E, equal: all}\n    - {id: M, arm: a, mean: %v}\n    - {id: S, arm: most-pulled, mean: %v}\n", last, s.base(), s.base()))
	for _, method := range s.named() {
		ask := fmt.Sprintf("difference: [%s, a], value: 0", last)
		if method == schemas.MethodBatchExact { // of rewards that are not 0 or 1 it answers this alone
			ask = fmt.Sprintf("equal: [%s, a]", last)
		}
		fmt.Fprintf(&out, "    - {id: D-%s, %s, decide: %s}\n", method, ask, method)
	}
	return out.String()
}

// named are the methods that answer by name only.
func (s *Setting) named() []string {
	var out []string
	if s.Policy.Logged {
		out = append(out, schemas.MethodAdaptive)
	}
	if s.Twist.Batches {
		out = append(out, schemas.MethodBatchExact)
	}
	if s.Twist.Shift {
		out = append(out, schemas.MethodRerun)
	}
	return out
}
