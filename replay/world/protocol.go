package world

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// Starter says what the protocol of a simulated log declares where no protocol
// was given.
type Starter struct {
	ID         string // of the experiment
	Policy     string // uniform | ucb
	Counter    string // exact | hybrid
	Epsilon    string // of each arm's counter, a literal; "" for exact
	Labels     []string
	Rounds     int64
	ContextDim int
	Repeat     int64 // more than one: experiments in a column
}

// Protocol writes the protocol that audits the log unedited: width δ = 0.05,
// bonus quantile (none for exact), tests of the most pulled and of each arm at
// the middle of the reward range, chosen before, stopping fixed.
func (s Starter) Protocol() []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("version: 1")
	s.experiment(line)
	line("arms: [%s]", quoted(s.Labels))
	line("reward: {range: [0, 1], out_of_range: error}")
	s.mechanism(line)
	line("analysis:")
	line("  chosen: before")
	line("  alpha: 0.05")
	line("  multiplicity: holm")
	if s.ContextDim > 0 {
		line("  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]")
	}
	line("  tests:")
	line("    - {id: H1, arm: most-pulled, mean: 0.5, test: exact}")
	line("    - {id: H2, arm: each, mean: 0.5, test: exact}")
	return b.Bytes()
}

func (s Starter) experiment(line func(string, ...any)) {
	if s.Repeat > 1 {
		line("experiment: {column: experiment, stopping: fixed}")
	} else {
		line("experiment: {id: %s, stopping: fixed}", quoted([]string{s.ID}))
	}
	line("log:")
	line("  order: [round]")
	line("  action: action")
	line("  reward: reward")
	if s.Policy == "uniform" {
		line("  propensity: propensity")
	}
	if s.ContextDim > 0 {
		names := make([]string, s.ContextDim)
		for j := range names {
			names[j] = fmt.Sprintf("x%d", j)
		}
		line("  context: [%s]", strings.Join(names, ", "))
	}
}

func (s Starter) mechanism(line func(string, ...any)) {
	line("policy:")
	line("  name: %s", s.Policy)
	if s.Policy == "ucb" {
		line("  width: {delta: 0.05}")
		line("  bonus: %s", map[bool]string{true: "none", false: "quantile"}[s.Counter == "exact"])
		line("  ties: first")
	}
	line("  seed: {file: seed.hex}")
	if s.Counter == "exact" {
		line("counter: {name: exact}")
		return
	}
	line("counter: {name: %s, epsilon: %s, horizon: %d, grid: 2^-20}", s.Counter, s.Epsilon, s.Rounds)
	line("privacy: {definition: pure, epsilon: %s, unit: round}", s.Epsilon)
}

// quoted writes labels as YAML scalars. What might not read back as the same
// text stands in double quotes, in which YAML has every escape of Go.
func quoted(labels []string) string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = l
		if !isPlain(l) {
			out[i] = strconv.Quote(l)
		}
	}
	return strings.Join(out, ", ")
}

// isPlain reports whether a label is a word of letters, digits, "-" and "_"
// that begins with a letter and is none of YAML's words for null and truth.
func isPlain(l string) bool {
	for i, c := range []byte(l) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-' && c != '_') {
			return false
		}
	}
	return l != "" && !slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(l))
}

// labelsOrDefault are the declared labels, or arm-1 … arm-K.
func labelsOrDefault(p *schemas.Protocol, k int) []string {
	if len(p.Arms) > 0 {
		return p.Arms
	}
	return DefaultLabels(k)
}

// DefaultLabels are arm-1 … arm-K.
func DefaultLabels(k int) []string {
	labels := make([]string, k)
	for i := range labels {
		labels[i] = fmt.Sprintf("arm-%d", i+1)
	}
	return labels
}
