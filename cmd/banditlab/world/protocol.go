package world

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// Starter says what the protocol of a simulated log declares where no protocol
// was given.
type Starter struct {
	Catalogue    *replay.Catalogue // Defaults to replay.Standard().
	ID           string            // of the experiment
	Policy       string            // of the format's policies
	Counter      string            // of the format's counters; "" where the policy reads no rewards
	Epsilon      string            // of each arm's counter, a literal; "" for exact
	Labels       []string
	Rounds       int64
	Worlds       *Catalogue // Defaults to Standard().
	World        string     // Defaults to the first world.
	ContextDim   int
	ByArm        bool              // each arm has a context of its own
	ContextL1    string            // bound of ‖x‖₁ for linear policies, a literal. Defaults to 1.
	ThetaBound   float64           // bound of ‖θ‖₂ for linear policies. Defaults to √ContextDim/ContextL1.
	Batch        bool              // rounds come in batches, and the policy learns between them
	Late         bool              // rewards are not known at once
	Eligible     bool              // not every arm may be played in every round
	Released     bool              // the log has what the policy saw
	Propensities bool              // the log has every arm's propensity; softmax, thompson, lints always do
	Repeat       int64             // more than one: experiments in a column
	Set          map[string]string // values of parameters, in YAML, by key: policy's and counter's
	Range        []float64         // of the reward. Defaults to [0, 1].
	Planned      *Planned          // the one test of a plan. Defaults to tests of the most pulled and of each arm at 0.5.
	without      []string          // keys of the start that yield to Set
	Seedless     bool              // the seed is not made yet: a comment says where it goes
}

// Planned is a test of the mean of the most pulled arm.
type Planned struct {
	Mean  float64 // that the test denies
	Alpha float64
}

// facts are what the declared mechanism says of itself.
type facts struct {
	random bool
	claim  string // total ε, a literal; "" where it is infinite
}

// Declare returns the protocol that audits the log unedited: the parameters in
// Set, and for those left out the values of the table in defaults, unless they cannot
// stand beside those in Set; a privacy
// claim of what the mechanism costs; tests of the most pulled and of each arm
// at the middle of the reward range, or the planned one, chosen before; stopping
// fixed. Declare returns errors of the format (schemas.Problems) and of replay.New.
func (s Starter) Declare(file string) (*schemas.Document, error) {
	if err := s.checkSet(); err != nil {
		return nil, err
	}
	format := s.catalogue().Format()
	draft, err := format.ParseProtocol(file, s.write(facts{}))
	if s.without = s.yields(err); len(s.without) > 0 {
		if less, still := format.ParseProtocol(file, s.write(facts{})); still == nil {
			draft, err = less, nil
		}
	}
	if err != nil {
		return nil, err
	}
	m, err := s.catalogue().New(&draft.Protocol, s.Labels)
	if err != nil {
		return nil, err
	}
	return format.ParseProtocol(file, s.write(facts{m.Random(), s.claim(m)}))
}

// claimDigits is the number of significant digits of a claim that is rounded up.
const claimDigits = 10

// claim returns the total ε: the ε of each arm's counter as it was written, where the
// mechanism costs no more, else a decimal that is not below it.
func (s Starter) claim(m *replay.Mechanism) string {
	total := m.LawOver(s.Rounds).Epsilon()
	if total.IsInf() || s.Epsilon == "" {
		return ""
	}
	if of, err := schemas.ParseRational(s.Epsilon); err == nil && !of.Inf() && total.Rat().Cmp(of.Rat()) <= 0 {
		return s.Epsilon
	}
	return total.Decimal(claimDigits)
}

func (s Starter) write(f facts) []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("version: 1")
	if s.Repeat > 1 {
		line("experiment: {column: experiment, stopping: fixed}")
	} else {
		line("experiment: {id: %s, stopping: fixed}", quoted([]string{s.ID}))
	}
	s.log(line, f)
	line("arms: [%s]", quoted(s.Labels))
	outside := "error"
	if s.world().Outside {
		outside = "clip"
	}
	line("reward: {range: %s, out_of_range: %s}", shownRange(s.rewards()), outside)
	s.mechanism(line)
	if f.claim != "" {
		line("privacy: {definition: pure, epsilon: %s, unit: round}", f.claim)
	}
	s.analysis(line)
	return b.Bytes()
}

func (s Starter) log(line func(string, ...any), f facts) {
	// How often an arm with a probability near 0 was played says little of its
	// propensities; the propensities of the rounds in which it was not played do.
	vanishing := orZero(s.catalogue().Policy(s.Policy)).NoFloor
	line("log:")
	line("  order: [round]")
	line("  action: action")
	line("  reward: reward")
	for _, c := range []struct {
		there bool
		role  string
	}{
		{f.random, schemas.KeyPropensity},
		{f.random && (s.Propensities || vanishing), schemas.KeyPropensityByArm},
		{s.ByArm, schemas.KeyContextByArm},
		{s.Released, schemas.KeyReleasedByArm},
		{s.scores(), schemas.KeyScoreByArm},
		{s.Eligible, schemas.KeyEligible},
		{s.Late, schemas.KeyRewardOrder},
		{s.Batch, schemas.KeyBatch},
	} {
		if c.there {
			line("  %s: %s", c.role, c.role)
		}
	}
	if s.ContextDim > 0 && !s.ByArm {
		names := make([]string, s.ContextDim)
		for j := range names {
			names[j] = "x" + strconv.Itoa(j)
		}
		line("  context: [%s]", strings.Join(names, ", "))
	}
	s.setBy(line)
}

// scores reports whether the policy plays by scores.
func (s Starter) scores() bool { return orZero(s.catalogue().Policy(s.Policy)).Scores }

// setBy writes what decided the columns beside actions and rewards: a world draws
// them without rewards.
func (s Starter) setBy(line func(string, ...any)) {
	there := map[string]bool{schemas.KeyScoreByArm: s.scores(), schemas.KeyEligible: s.Eligible, schemas.KeyRewardOrder: s.Late, schemas.KeyBatch: s.Batch, schemas.KeyContext: s.ContextDim > 0}
	for _, by := range schemas.SetBys() {
		if slices.ContainsFunc(by.Columns, func(column string) bool { return there[column] }) {
			line("  %s: %s", by.Key, schemas.SetBySchedule)
		}
	}
}

func (s Starter) mechanism(line func(string, ...any)) {
	line("policy:")
	line("  name: %s", s.Policy)
	for _, p := range listed(s.policyParameters(), s.policyKeys()) {
		line("  %s", p)
	}
	if s.Seedless {
		line("  # seed: {file: seed.hex}   # 64 hex digits that the experiment draws its noise from, and keeps")
	} else {
		line("  seed: {file: seed.hex}")
	}
	if s.Counter == "" {
		return
	}
	line("counter: {%s}", strings.Join(append([]string{"name: " + s.Counter}, s.counterParameters()...), ", "))
}

func (s Starter) analysis(line func(string, ...any)) {
	test, alpha, mean := "exact", 0.05, 0.5
	if !s.world().Binary || !slices.Equal(s.rewards(), []float64{0, 1}) {
		test = "bets"
	}
	if s.Planned != nil {
		alpha, mean = s.Planned.Alpha, s.Planned.Mean
	}
	line("analysis:")
	line("  chosen: before")
	line("  alpha: %s", literal(alpha))
	line("  multiplicity: holm")
	if s.ContextDim > 0 && !s.ByArm {
		line("  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]")
	}
	line("  tests:")
	line("    - {id: H1, arm: most-pulled, mean: %s, test: %s}", literal(mean), test)
	if s.Planned == nil {
		line("    - {id: H2, arm: each, mean: %s, test: %s}", literal(mean), test)
	}
}

// rewards is the range of the reward.
func (s Starter) rewards() []float64 {
	if s.Range != nil {
		return s.Range
	}
	return []float64{0, 1}
}

// literal writes a number as YAML reads it back.
func literal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

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

var plainLabel = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// isPlain reports whether a label is a word of letters, digits, "-" and "_"
// that begins with a letter and is none of YAML's words for null and truth.
func isPlain(l string) bool {
	return plainLabel.MatchString(l) && !slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(l))
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
