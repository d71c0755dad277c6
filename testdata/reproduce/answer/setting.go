// Package answer counts what each method answers on logs that were not gathered
// privately: how often it rejects what is true and what is not, whether its intervals
// hold the truth, and how wide they are. The program that writes the page
// testdata/reproduce/ANSWERS.md is testdata/reproduce/answers.
package answer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"banditaudit/analyze"
	"banditaudit/replay"
	"banditaudit/schemas"
	"banditaudit/testdata/reproduce/truth"
)

// Policy is what chose the actions. Nothing of it is declared: the analysis has the
// propensities, where the policy draws, and no more.
type Policy struct {
	Name   string
	Keys   string // in a protocol
	Logged bool   // the propensities of all arms are logged
}

// Policies are those of the page.
func Policies() []Policy {
	const beta = "prior: {alpha: 1, beta: 1}"
	return []Policy{
		{"uniform", "name: uniform", true},
		{"UCB1", "name: ucb, width: {c: 2}", false},
		{"ε-greedy .1", "name: epsilon-greedy, explore: 0.1", true},
		{"Thompson", "name: thompson, " + beta, true},
		{"Thompson by 50", "name: thompson, " + beta + ", update: {every: 50}", true},
		{"Thompson, floor .05", "name: thompson, " + beta + ", floor: 0.05", true},
	}
}

// Rewards is the law of rewards in a world where all arms pay alike.
type Rewards struct {
	Name   string
	Mean   float64 // of every arm
	More   float64 // by which the last arm pays more, where arms do not pay alike
	Skewed bool    // 0 or a share of 1 that is rarely large, in place of 0 and 1
}

// Laws are those of the page.
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
	Drift  bool // the mean of all arms moves alike, by a factor from ½ to 1½
}

// Settings are those of the page, in its order.
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
		out = append(out, Setting{Policy: p, Law: Laws()[2], Arms: 2, Rounds: 2000, Drift: true}, Setting{Policy: p, Law: Laws()[2], Arms: 5, Rounds: 2000, Drift: true})
	}
	return out
}

// ID names a setting.
func (s *Setting) ID() string {
	id := fmt.Sprintf("%s/%s/K=%d/T=%d", s.Policy.Name, s.Law.Name, s.Arms, s.Rounds)
	if s.Drift {
		id += "/drift"
	}
	return id
}

// labels are a, b, c, …
func (s *Setting) labels() []string {
	out := make([]string, s.Arms)
	for i := range out {
		out[i] = string(rune('a' + i))
	}
	return out
}

// mean is what an arm pays in a round, in expectation.
func (s *Setting) mean(t, arm int, apart bool) float64 {
	m := s.Law.Mean
	if apart && arm == s.Arms-1 {
		m += s.Law.More
	}
	if s.Drift {
		m *= .5 + float64(t)/float64(s.Rounds)
	}
	return m
}

// reward draws one of a mean.
func (s *Setting) reward(mean float64, r *rand.Rand) float64 {
	u := r.Float64()
	switch {
	case !s.Law.Skewed && u < mean:
		return 1
	case !s.Law.Skewed:
		return 0
	}
	// u^(1/mean − 1) has that mean: its integral over [0,1] is mean.
	return math.Pow(u, 1/mean-1)
}

// play is a log of the setting.
func (s *Setting) play(run int64, apart bool) (*truth.Log, error) {
	source := "version: 1\nlog: {order: [round], action: action, reward: reward}\nexperiment: {id: e, stopping: fixed}\narms: [" + strings.Join(s.labels(), ", ") +
		"]\nreward: {range: [0, 1]}\npolicy: {" + s.Policy.Keys + "}\n"
	if !strings.Contains(s.Policy.Keys, "uniform") {
		source += "counter: {name: exact}\n"
	}
	doc, err := analyze.Standard().Format().ParseProtocol("answer", []byte(source))
	if err != nil {
		return nil, err
	}
	m, err := analyze.Standard().New(&doc.Protocol, s.labels())
	if err != nil {
		return nil, err
	}
	master := replay.Seed(run)
	r, rewards := m.NewRunner(master, "answers"), rand.New(replay.Stream(master, replay.PurposeReward, "answers", replay.NoArm))
	var (
		round  []int64
		action []string
		paid   []float64
		ones   []bool
		all    [][]float64
	)
	labels := s.labels()
	for t := range s.Rounds {
		arm := r.Next(&replay.Round{})
		y := s.reward(s.mean(t, arm, apart), rewards)
		round, action, paid = append(round, int64(t+1)), append(action, labels[arm]), append(paid, y)
		ones = append(ones, y == 1)
		if s.Policy.Logged {
			all = append(all, slices.Clone(r.Propensities()))
		}
		r.Add(arm, y)
		if err := r.Err(); err != nil {
			return nil, err
		}
	}
	l := (&truth.Log{}).Put("round", round).Put("action", action)
	if s.Law.Skewed {
		l.Put("reward", paid)
	} else {
		l.Put("reward", ones)
	}
	if s.Policy.Logged {
		l.Put("all", all)
	}
	return l, nil
}

// protocol asks of a log: do the last arm and the first differ (D), do all pay alike
// (E), and is the mean of the first what it is (M). Only naive answers need accept.
func (s *Setting) protocol() string {
	columns := "order: [round], action: action, reward: reward"
	if s.Policy.Logged {
		columns += ", propensity_by_arm: all"
	}
	labels := s.labels()
	return "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {" + columns + "}\narms: [" + strings.Join(labels, ", ") + "]\nreward: {range: [0, 1]}\n" +
		"analysis:\n  chosen: before\n  multiplicity: none\n  approximate: accept\n  tests:\n" +
		fmt.Sprintf("    - {id: D, difference: [%s, a], value: 0}\n    - {id: E, equal: all}\n    - {id: M, arm: a, mean: %v}\n", labels[len(labels)-1], s.Law.Mean)
}

// found are the tests of an audited log, by id.
func found(f *truth.Found) map[string]*schemas.Test {
	out := map[string]*schemas.Test{}
	x := f.First()
	for i := range x.Tests {
		out[x.Tests[i].ID] = &x.Tests[i]
	}
	return out
}
