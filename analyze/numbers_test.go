package analyze_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// numbered is a softmax of arms whose propensities are shares of draws, another
// number of them after every 50 rounds.
type numbered struct {
	arms, updates int
	floor         float64                 // that is mixed in, where there is no kind
	kind          string                  // of the floor
	write         func(q float64) float64 // as shares are written; nil: in full
	number        func(update int, draw *rand.Rand) int64
}

// log plays it, and returns the numbers of draws too, ascending.
func (n numbered) log(seed uint64) (l *truth.Log, numbers []int64) {
	draw := rand.New(rand.NewPCG(seed, 27))
	var round, draws, twice []int64
	var action []string
	var reward, p []float64
	var all [][]float64
	sums := make([]float64, n.arms)
	for u := range n.updates {
		of := n.number(u, draw)
		q := n.shares(draw, sums, of)
		numbers = append(numbers, of)
		for range 50 {
			arm, v := 0, draw.Float64()
			for ; arm < n.arms-1 && v >= q[arm]; arm++ {
				v -= q[arm]
			}
			y := math.Floor(draw.Float64() + .3 + .1*float64(arm))
			sums[arm] += y
			round, draws, twice = append(round, int64(len(round)+1)), append(draws, of), append(twice, 2*of)
			action, reward, p, all = append(action, fmt.Sprintf("arm%d", arm)), append(reward, y), append(p, q[arm]), append(all, q)
		}
	}
	slices.Sort(numbers)
	l = (&truth.Log{}).Put("round", round).Put("action", action).Put("reward", reward).Put("p", p).Put("all", all).Put("n", draws).Put("twice", twice)
	return l, numbers
}

// shares are those of so many draws, as they are written.
func (n numbered) shares(draw *rand.Rand, sums []float64, of int64) []float64 {
	law, total := make([]float64, n.arms), 0.0
	for a := range law {
		law[a] = math.Exp(.004 * sums[a])
		total += law[a]
	}
	left, rest := float64(of), total
	for a, w := range law {
		count := left
		if a < n.arms-1 && left > 0 {
			count = distuv.Binomial{N: left, P: w / rest, Src: draw}.Rand()
		}
		left, rest = left-count, rest-w
		if law[a] = count / float64(of); n.kind == "" {
			law[a] = n.floor + (1-float64(n.arms)*n.floor)*law[a]
		}
		if n.write != nil {
			law[a] = n.write(law[a])
		}
	}
	if n.kind != "" {
		policy.FloorOf(n.kind).Apply(nil, n.floor, law)
	}
	return law
}

// wide is a number of draws from 50 to 10,000.
func wide(_ int, draw *rand.Rand) int64 { return int64(math.Round(50 * math.Pow(200, draw.Float64()))) }

func numberedProtocol(k int, log, column string, floor float64) string {
	labels := make([]string, k)
	for a := range labels {
		labels[a] = fmt.Sprintf("arm%d", a)
	}
	return fmt.Sprintf(`version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, %s, propensity_draws: {column: %s}}
arms: [%s]
reward: {range: [0, 1]}
policy: {name: softmax, eta: 0.004, floor: %g, update: {every: 50}}
counter: {name: exact}
`, log, column, strings.Join(labels, ", "), floor)
}

// Shares of numbers of draws of their own are CONSISTENT, however they are written,
// and the numbers are shown; a column with twice the numbers is VIOLATED.
func TestNumbersOfDraws(t *testing.T) {
	t.Parallel()
	const all, one = "propensity: p, propensity_by_arm: all", "propensity: p"
	for name, c := range map[string]struct {
		numbered

		log  string
		pass bool // a wrong column is not convicted
	}{
		"in full": {numbered: numbered{arms: 4, updates: 60, number: wide}, log: all},
		"two arms, the played one alone": {
			numbered: numbered{arms: 2, updates: 100, number: wide}, log: one,
		},
		"float32": {
			numbered: numbered{arms: 4, updates: 60, number: wide, write: func(q float64) float64 { return float64(float32(q)) }}, log: all,
		},
		"four decimals": {
			numbered: numbered{arms: 4, updates: 60, number: wide, write: func(q float64) float64 { return math.Round(q*1e4) / 1e4 }}, log: all,
		},
		"two decimals": {
			numbered: numbered{arms: 4, updates: 60, number: wide, write: func(q float64) float64 { return max(.01, math.Round(q*1e2)/1e2) }}, log: all, pass: true,
		},
		"with a floor": {
			numbered: numbered{arms: 4, updates: 60, number: wide, floor: .05}, log: all,
		},
		"one number": {
			numbered: numbered{arms: 4, updates: 60, number: func(int, *rand.Rand) int64 { return 1000 }}, log: all,
		},
		"one draw at first": {
			numbered: numbered{arms: 4, updates: 60, number: func(u int, draw *rand.Rand) int64 {
				if u < 5 {
					return 1
				}
				return wide(u, draw)
			}}, log: all,
		},
		"many draws": {
			numbered: numbered{arms: 4, updates: 60, number: func(u int, _ *rand.Rand) int64 { return []int64{10, 1000, 100_000_000}[u%3] }}, log: all,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, numbers := c.numbered.log(1)
			found := audited(t, l, numberedProtocol(c.arms, c.log, "n", c.floor))
			if v := found.Verdict(schemas.KindConformance); v != schemas.Consistent {
				t.Errorf("conformance is %s: %+v", v, found.Head.Claims)
			}
			d := found.First().Replay.Propensities.Draws
			if d == nil || d.Least == nil || d.N != nil || d.Estimate != nil {
				t.Fatalf("%+v", d)
			}
			if diff := cmp.Diff([]int64{numbers[0], numbers[(len(numbers)-1)/2], numbers[len(numbers)-1]}, []int64{*d.Least, *d.Median, *d.Most}); diff != "" {
				t.Errorf("least, median and most: %s", diff)
			}
			if !strings.Contains(d.Words, `as many draws as column "n" says (`) {
				t.Error(d.Words)
			}
			wrong := audited(t, l, numberedProtocol(c.arms, c.log, "twice", c.floor))
			if v := wrong.Verdict(schemas.KindConformance); v != schemas.Violated && !c.pass {
				t.Errorf("with twice the numbers conformance is %s: %+v", v, wrong.Head.Claims)
			}
		})
	}
}

// TestColumnOfDraws: what is estimated, tested and checked does not depend on by how
// many draws propensities were estimated, where none differs from the policy's, but
// that the reason says so.
func TestColumnOfDraws(t *testing.T) {
	t.Parallel()
	rows := rolesRows(7, 600)
	for i := range rows {
		rows[i].PropensityDraws = int64(i + 1)
	}
	spec := rolesSpec()
	spec.PropensityDraws = true
	with := one(t, rolesLab(t, columns, columns+", propensity_draws: {column: propensity_draws}", spec, rows))
	for i := range with.Tests {
		for j := range with.Tests[i].Results { // that none differs is said of policy.conformance, which reasons repeat
			r := &with.Tests[i].Results[j]
			r.Reason = strings.Replace(r.Reason, "; log.propensity_draws: {column: propensity_draws} is declared, and in no round do they differ from computed ones as shares of draws do: where they were computed, delete the key", "", 1)
		}
	}
	without := one(t, rolesLab(t, "", "", rolesSpec(), rows))
	const said = "log.propensity_draws: {column: propensity_draws} is declared, and in no round do they differ from computed ones as shares of draws do: where they were computed, delete the key; "
	for what, pair := range map[string][2]any{
		"arms": {without.Arms, with.Arms}, "estimates": {without.Estimates, with.Estimates}, "tests": {without.Tests, with.Tests},
		"regressions": {without.Regressions, with.Regressions}, "checks but the first": {without.Data.Checks[1:], with.Data.Checks[1:]},
	} {
		if diff := cmp.Diff(pair[0], pair[1], cmp.Transformer("said", func(s string) string { return strings.ReplaceAll(s, said, "") })); diff != "" {
			t.Errorf("%s (-without +with):\n%s", what, diff)
		}
	}
}
