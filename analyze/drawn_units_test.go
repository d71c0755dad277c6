package analyze_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// users come in turns of two rounds of each of ten, over and over, and are drawn
// once by what choose returns.
func users(rounds int, choose func(round int, rewards []float64, arms []string) string) *truth.Log {
	var at, unit []int64
	var arms []string
	var rewards, p []float64
	kept := map[int64]string{}
	for t := range rounds {
		u := int64(t/20*10 + t%10)
		if _, ok := kept[u]; !ok {
			kept[u] = choose(t, rewards, arms)
		}
		at, unit = append(at, int64(t+1)), append(unit, u)
		arms, p = append(arms, kept[u]), append(p, .5)
		rewards = append(rewards, float64((t*t/7)%2))
	}
	return (&truth.Log{}).Put("round", at).Put("user", unit).Put("action", arms).Put("reward", rewards).Put("p", p)
}

func verdictOf(t *testing.T, l *truth.Log, columns, policy string) (schemas.Verdict, string) {
	t.Helper()
	found := audited(t, l, fmt.Sprintf("version: 1\nexperiment: {id: users}\nlog: {order: [round], action: action, reward: reward%s}\narms: [a, b]\nreward: {range: [0, 1]}\npolicy: {%s}\n", columns, policy))
	for i := range found.Head.Claims {
		if c := &found.Head.Claims[i]; c.Kind == schemas.KindConformance {
			return c.Verdict, c.Reason
		}
	}
	return "", ""
}

// A seed that does not give the actions convicts where every round is declared to
// draw anew, and where nobody says that users come again. Where they may share a
// draw it does not; where they do, it is not looked at.
func TestSeedOfUnits(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(3, 4))
	l := users(400, func(int, []float64, []string) string { return string("ab"[draw.IntN(2)]) })
	seed := "seed: " + strings.Repeat("0f", 32)
	for _, c := range []struct {
		columns, draw string
		want          schemas.Verdict
		why           string
	}{
		{"", "", schemas.Violated, ""},
		{", unit: user", ", draw: {by: round}", schemas.Violated, ""},
		{", unit: user", "", schemas.NotEstablished, "write policy.draw: {by: round} where every round drew anew, or {by: unit}"},
		{", unit: user, propensity: p", ", draw: {by: unit}", schemas.Consistent, "recomputed propensities equal the logged ones"},
		{", unit: user", ", draw: {by: unit}", schemas.NotEstablished, "a seed gives a draw for every round, and rounds of a unit share one (policy.draw: {by: unit}); the log holds no released values and no propensities to replay from; what would settle it next time: the propensities of every round (log.propensity, log.propensity_by_arm); those that"},
		{"", ", draw: {by: unit}", schemas.NotEstablished, "and no column says whose they are: name it in log.unit"},
	} {
		got, why := verdictOf(t, l, c.columns, "name: fixed, probabilities: [0.5, 0.5], "+seed+c.draw)
		if got != c.want || !strings.Contains(why, c.why) {
			t.Errorf("%q, %q: %s, %s", c.columns, c.draw, got, why)
		}
	}
}

// A policy that draws nothing decides once for every user: by unit only the first
// rounds are held against it, and later ones where its weights stood still.
func TestDeterministicUnits(t *testing.T) {
	t.Parallel()
	learned := func(every int) *truth.Log {
		return users(400, func(t int, rewards []float64, arms []string) string {
			sum, n := map[string]float64{}, map[string]float64{}
			for s := range t / every * every {
				sum[arms[s]] += rewards[s]
				n[arms[s]]++
			}
			best, most := "", math.Inf(-1)
			for _, arm := range []string{"a", "b"} {
				index := math.Inf(1)
				if n[arm] > 0 {
					index = sum[arm]/n[arm] + math.Sqrt(2*math.Log(float64(t+1))/n[arm])
				}
				if index > most {
					best, most = arm, index
				}
			}
			return best
		})
	}
	const ucb, user = "name: ucb, width: {c: 2}", ", unit: user"
	for _, c := range []struct {
		name, columns, policy string
		want                  schemas.Verdict
		why                   string
	}{
		{"by unit", user, ucb + ", draw: {by: unit}", schemas.NotEstablished, "200 of 400 rounds could be replayed, the first of each unit: a unit keeps its arm (policy.draw: {by: unit}) while the weights stand still, and in 200 later rounds it is not known"},
		{"by unit, of nobody", "", ucb + ", draw: {by: unit}", schemas.NotEstablished, "rounds of a unit share one draw (policy.draw: {by: unit}), and no column says whose they are: name it in log.unit"},
		{"by round", user, ucb + ", draw: {by: round}", schemas.Violated, "differ from there on"},
		{"another policy", user, "name: ucb, width: {c: 0.01}, draw: {by: unit}", schemas.Violated, ""},
	} {
		if got, why := verdictOf(t, learned(1), c.columns, c.policy+"}\ncounter: {name: exact"); got != c.want || !strings.Contains(why, c.why) {
			t.Errorf("%s: %s, %s", c.name, got, why)
		}
	}
	var batch []int64
	for i := range int64(400) {
		batch = append(batch, i/20)
	}
	l := learned(20).Put("version", batch)
	if got, why := verdictOf(t, l, ", unit: user, batch: version", ucb+", update: batch, draw: {by: unit}}\ncounter: {name: exact"); got != schemas.Consistent || !strings.Contains(why, "in the first rounds of 200 units the logged action is the policy's, and in all 200 later rounds the unit keeps it") {
		t.Errorf("%s, %s", got, why)
	}
}

// policy.draw stands alone where no policy is declared, survives the effective
// protocol, and settles the allocation.
func TestDrawWithoutPolicy(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(3, 4))
	l := users(400, func(int, []float64, []string) string { return string("ab"[draw.IntN(2)]) })
	for by, want := range map[string]schemas.Verdict{"": schemas.NotEstablished, "policy: {draw: {by: unit}}\n": schemas.Consistent} {
		text := "version: 1\nexperiment: {id: users}\nlog: {order: [round], action: action, reward: reward, unit: user, propensity: p}\narms: [a, b]\nreward: {range: [0, 1]}\n" + by
		for range 2 {
			found := audited(t, l, text)
			if got, none := found.Verdict(schemas.KindAllocation), found.Verdict(schemas.KindConformance); got != want || none != schemas.NotApplicable {
				t.Errorf("%q: %s, %s", by, got, none)
			}
			doc, err := analyze.Standard().Format().ParseProtocol("p", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			b, err := doc.EffectiveYAML()
			if err != nil {
				t.Fatal(err)
			}
			text = string(b) // the same again
		}
	}
}

// What rests on independent draws names the key that would settle it, and how often
// units kept their arm.
func TestOpenDrawsAreNamed(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(3, 4))
	l := users(400, func(int, []float64, []string) string { return string("ab"[draw.IntN(2)]) })
	found := audited(t, l, "version: 1\nexperiment: {id: users}\nlog: {order: [round], action: action, reward: reward, unit: user, propensity: p}\narms: [a, b]\nreward: {range: [0, 1]}\n")
	for i := range found.Head.Claims {
		c := &found.Head.Claims[i]
		if c.Kind != schemas.KindAllocation {
			continue
		}
		for _, words := range []string{
			"write policy.draw: {by: round} where every round drew anew, or {by: unit} where a unit keeps its arm",
			"In 200 of 200 later rounds of units, the arm is that of the unit's round before.",
		} {
			if c.Verdict != schemas.NotEstablished || !strings.Contains(c.Reason, words) {
				t.Errorf("%s: %s, want %q", c.Verdict, c.Reason, words)
			}
		}
	}
}
