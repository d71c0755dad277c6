package schemas

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// goodProtocol is what every mistake is made in.
const goodProtocol = `version: 1
experiment: {id: demo, stopping: fixed}
log:
  order: [day, round]
  ties: error
  action: variant
  reward: clicked
  propensity: p
  context: [age, {column: country, levels: [DE, FR], baseline: DE}]
  missing_reward: error
arms: [control, blue, green]
reward: {range: [0, 1], out_of_range: error}
policy:
  name: ucb
  width: {delta: 0.05}
  bonus: quantile
  ties: first
counter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}
privacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}
analysis:
  chosen: before
  alpha: 0.05
  multiplicity: holm
  control: control
  correction: {method: conditional, beta: best}
  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]
  tests:
    - {id: H1, arm: most-pulled, mean: 0.5, test: exact}
    - {id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}
claims:
  - {id: P1, kind: privacy.total}
  - {id: B1, kind: bias.bound, comparator: "<=", threshold: 0.02, arms: all, severity: advisory}
  - {id: T1, kind: hypothesis, test: H1, finding: rejected}
`

// mistake replaces one piece of goodProtocol and says which problems follow.
type mistake struct {
	name, old, new string
	want           []string
}

// source is goodProtocol with the mistake in it.
func (m mistake) source(t *testing.T) []byte {
	t.Helper()
	if !strings.Contains(goodProtocol, m.old) {
		t.Fatalf("%s: goodProtocol does not contain %q", m.name, m.old)
	}
	return []byte(strings.Replace(goodProtocol, m.old, m.new, 1))
}

func (m mistake) check(t *testing.T, got []string) {
	t.Helper()
	if d := cmp.Diff(m.want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", m.name, d)
	}
}

// messages are the lines of the problems that err carries.
func messages(_ *Document, err error) []string {
	if problems, ok := errors.AsType[Problems](err); ok {
		return lines(problems)
	}
	if err != nil {
		return []string{"not Problems: " + err.Error()}
	}
	return nil
}

func lines(problems Problems) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.String())
	}
	return out
}

// judged applies the rules of the format and not what this version supports.
func judged(src []byte) []string {
	d, r := standard().read("p.yaml", src)
	c := newChecker(d, r)
	analysisRules{c}.alpha()
	standard().applyDefaults(&d.Protocol)
	c.rules()
	return lines(c.problems.sorted())
}

func TestGoodProtocolIsGood(t *testing.T) {
	if got := messages(standard().ParseProtocol("p.yaml", []byte(goodProtocol))); got != nil {
		t.Errorf("problems in the good protocol: %q", got)
	}
}
