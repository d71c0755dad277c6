package analyze_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/ingest/hashassign"
	"banditaudit/schemas"
)

// hashedLog is a log of users who come in turns and play the arm of their hash.
type hashedLog struct {
	hash, seed string
	users      int
	each       int                   // rounds of a user
	weights    func(t int) []float64 // of a round
	written    func(t int) []float64 // as they are logged; nil: as they are
	coverage   float64               // 0: all
	key        func(u int) string
	number     bool                  // keys are whole numbers
	keep       func(arm, t int) bool // rows that are logged; nil: all
	changed    int                   // a row whose action is another, from 1; 0: none
}

func steady(w ...float64) func(int) []float64 { return func(int) []float64 { return w } }

func (h hashedLog) log() *truth.Log {
	named, _ := hashassign.Named(h.hash)
	ranges := hashassign.Ranges{Coverage: max(h.coverage, 0)}
	if h.coverage == 0 {
		ranges.Coverage = 1
	}
	if h.written == nil {
		h.written = h.weights
	}
	r := rand.New(rand.NewPCG(uint64(h.users), 5))
	var round, numbers []int64
	var users, actions []string
	var rewards, p []float64
	var all [][]float64
	for t := range h.users * h.each {
		key := h.key(t % h.users)
		arm := ranges.Arm(named.Position(h.seed, key), named.Steps, h.weights(t))
		if arm == hashassign.None || h.keep != nil && !h.keep(arm, t) {
			continue
		}
		if t+1 == h.changed {
			arm = (arm + 1) % 3
		}
		written := h.written(t)
		round, users, actions = append(round, int64(t+1)), append(users, key), append(actions, string("abc"[arm]))
		all, p, rewards = append(all, written), append(p, written[arm]), append(rewards, float64(r.IntN(2)))
		if h.number {
			n, _ := strconv.ParseInt(key, 10, 64)
			numbers = append(numbers, n)
		}
	}
	out := (&truth.Log{}).Put("round", round).Put("action", actions).Put("reward", rewards).Put("p", p).Put("all", all)
	if h.number {
		return out.Put("user", numbers)
	}
	return out.Put("user", users)
}

// audited is an audit of a log with the keys of policy beside the draw.
func (h hashedLog) audited(t *testing.T, columns, policy, draw string) *truth.Found {
	t.Helper()
	if draw == "" {
		draw = "{hash: " + h.hash + ", seed: '" + h.seed + "', unit: user}"
	}
	found := audited(t, h.log(), "version: 1\nexperiment: {id: users}\nlog: {order: [round], action: action, reward: reward, propensity: p"+columns+"}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {"+policy+"draw: "+draw+"}\n")
	return found
}

const byArm = ", propensity_by_arm: all"

func TestHashed(t *testing.T) {
	t.Parallel()
	plain := hashedLog{hash: schemas.HashGrowthBook2, seed: "s", users: 100, each: 10, weights: steady(.5, .3, .2), key: func(u int) string { return "user-" + strconv.Itoa(u) }}
	with := func(change func(h *hashedLog)) hashedLog {
		h := plain
		change(&h)
		return h
	}
	const fixed = "name: fixed, probabilities: [0.5, 0.3, 0.2], "
	for _, c := range []struct {
		name                  string
		log                   hashedLog
		columns, policy, draw string
		want                  schemas.Verdict
		words                 string // in what is observed, or the reason
	}{
		{"version 2", plain, byArm, "", "", schemas.Verified, "1,000 of 1,000 rows"},
		{"version 1", with(func(h *hashedLog) { h.hash = schemas.HashGrowthBook1 }), byArm, "", "", schemas.Verified, "the seed was not chosen afterwards, is not checked"},
		{"no seed", with(func(h *hashedLog) { h.seed = "" }), byArm, "", "", schemas.Verified, "1,000 of 1,000 rows"},
		{"keys beyond ASCII", with(func(h *hashedLog) { h.key = func(u int) string { return "ü" + strconv.Itoa(u) } }), byArm, "", "", schemas.Verified, "1,000 of 1,000 rows"},
		{"whole numbers", with(func(h *hashedLog) {
			h.number, h.key = true, func(u int) string { return strconv.Itoa(u*7919 - 300) }
		}), byArm, "", "", schemas.Verified, "1,000 of 1,000 rows"},
		{"an action", with(func(h *hashedLog) { h.changed = 512 }), byArm, "", "", schemas.Violated, "1 of 1,000 rows has an arm other than its hash's (first: round 512, "},
		{"another seed", plain, byArm, "", "{hash: growthbook-v2, seed: t, unit: user}", schemas.Violated, "Another seed"},
		{"another hash", plain, byArm, "", "{hash: growthbook-v1, seed: s, unit: user}", schemas.Violated, "Another seed"},
		{"half of the ranges", with(func(h *hashedLog) { h.coverage = .5 }), byArm, "", "{hash: growthbook-v2, seed: s, unit: user, coverage: 0.5}", schemas.Verified, "(coverage 0.5)"},
		{"less of them", with(func(h *hashedLog) { h.coverage = .5 }), byArm, "", "{hash: growthbook-v2, seed: s, unit: user, coverage: 0.3}", schemas.Violated, "no range holds"},
		{"weights that move", with(func(h *hashedLog) {
			h.weights = func(t int) []float64 { return [][]float64{{.5, .3, .2}, {.2, .3, .5}, {.1, .8, .1}}[t*3/1000] }
		}), byArm, "", "", schemas.Verified, "1,000 of 1,000 rows"},
		{"an arm that cannot be played", with(func(h *hashedLog) {
			h.weights = func(t int) []float64 { return [][]float64{{.5, .3, .2}, {.6, 0, .4}}[t*2/1000] }
		}), byArm, "", "", schemas.Verified, "1,000 of 1,000 rows"},
		{"the policy's weights", plain, "", fixed, "", schemas.Verified, "the weights of the declared policy: 1,000 of 1,000 rows"},
		{"equal weights", with(func(h *hashedLog) { h.weights = steady(1./3, 1./3, 1./3) }), "", "name: uniform, ", "", schemas.Verified, "1,000 of 1,000 rows"},
		{"not the policy's", with(func(h *hashedLog) { h.written = steady(.5, .25, .25) }), "", fixed, "", schemas.NotEstablished, "name the weights in log.propensity_by_arm"},
		{"no weights", plain, "", "", "", schemas.NotEstablished, "log.propensity_by_arm"},
		{"rows without an arm", with(func(h *hashedLog) {
			h.users, h.keep = 1000, func(arm, t int) bool { return arm != 2 || t%3 > 0 }
		}), byArm, "", "", schemas.Violated, "Every row plays the arm of its hash"},
	} {
		f := claimFound(c.log.audited(t, c.columns, c.policy, c.draw), schemas.KindAllocation)
		if f.Verdict != c.want || !strings.Contains(f.Observed+"\n"+f.Reason, c.words) {
			t.Errorf("%s: %s, %s, %s", c.name, f.Verdict, f.Observed, f.Reason)
		}
	}
}

// claimFound is a claim of an audit.
// A policy that reads no rewards has the weights, and no propensity need be logged; the
// claim may then be declared.
func TestHashedByDeclaredWeights(t *testing.T) {
	t.Parallel()
	for changed, want := range map[int]schemas.Verdict{0: schemas.Verified, 512: schemas.Violated} {
		h := hashedLog{hash: schemas.HashGrowthBook2, seed: "s", users: 100, each: 10, weights: steady(.5, .3, .2), key: strconv.Itoa, changed: changed}
		found, err := truth.Audit(h.log(), `version: 1
experiment: {id: users}
log: {order: [round], action: action, reward: reward}
arms: [a, b, c]
reward: {range: [0, 1]}
policy: {name: fixed, probabilities: [0.5, 0.3, 0.2], draw: {hash: growthbook-v2, seed: s, unit: user}}
claims: [{id: hash, kind: allocation.matches_propensity}]
`)
		if err != nil {
			t.Fatal(err)
		}
		f := claimFound(found, schemas.KindAllocation)
		if f.Verdict != want || !strings.Contains(f.Statement, "hash") {
			t.Errorf("row %d changed: %s (%s), %s", changed, f.Verdict, f.Reason, f.Statement)
		}
		if warned := strings.Contains(strings.Join(found.First().Warnings, "\n"), "logged propensities"); warned {
			t.Errorf("none is logged: %q", found.First().Warnings)
		}
	}
}

func claimFound(found *truth.Found, kind string) *schemas.Finding {
	i := slices.IndexFunc(found.Head.Claims, func(f schemas.Finding) bool { return f.Kind == kind })
	return &found.Head.Claims[i]
}

// A weight that was rounded decides for the positions next to an end, and for no other:
// such rows are counted.
func TestHashedWithinDecimals(t *testing.T) {
	t.Parallel()
	named, _ := hashassign.Named(schemas.HashGrowthBook2)
	var edge []string // keys whose position is .35
	for u := 0; len(edge) < 3; u++ {
		if key := strconv.Itoa(u); named.Position("s", key) == 3500 {
			edge = append(edge, key)
		}
	}
	h := hashedLog{
		hash: schemas.HashGrowthBook2, seed: "s", users: 300, each: 2, weights: steady(.35000049, .34999911, .3000004), written: steady(.35, .349999, .3),
		key: func(u int) string {
			if u < len(edge) {
				return edge[u]
			}
			return "user-" + strconv.Itoa(u)
		},
	}
	found := h.audited(t, byArm, "", "")
	got := found.Outcomes[0].Experiment.Data.Hashed
	if f := claimFound(found, schemas.KindAllocation); f.Verdict != schemas.Verified || !strings.Contains(f.Observed, "6 of them only as a weight may be off by 5.") {
		t.Errorf("%s, %s, %s", f.Verdict, f.Observed, f.Reason)
	}
	if got.Rows != 600 || got.Matched != 594 || got.Within != 6 || got.First != nil || !(got.Window > 5e-7 && got.Window < 6e-7) {
		t.Errorf("%+v", got)
	}
	coarse := h
	coarse.hash, coarse.seed = schemas.HashGrowthBook1, "r" // of which no row says anything
	found = coarse.audited(t, byArm+", propensity_resolution: 0.1", "", "{hash: growthbook-v2, seed: s, unit: user}")
	if f := claimFound(found, schemas.KindAllocation); f.Verdict == schemas.Verified {
		t.Errorf("a window that says nothing: %s, %s", f.Verdict, f.Reason)
	}
	h.weights = steady(.36, .34, .3) // beyond what was written
	if f := claimFound(h.audited(t, byArm, "", ""), schemas.KindAllocation); f.Verdict != schemas.Violated {
		t.Errorf("%s, %s", f.Verdict, f.Reason)
	}
}

// The ranges stand in the policy's own order of arms, also of one that compares nothing.
func TestHashedInOrder(t *testing.T) {
	t.Parallel()
	h := hashedLog{hash: schemas.HashGrowthBook1, seed: "s", users: 100, each: 2, weights: steady(.5, .25, .25), key: strconv.Itoa}
	const compares, draws = "name: epsilon-greedy, epsilon: 1, ties: first, ", "name: fixed, probabilities: [0.5, 0.25, 0.25], "
	for keys, want := range map[string]schemas.Verdict{
		compares: schemas.Verified, "order: [a, b, c], " + compares: schemas.Verified, "order: [c, b, a], " + compares: schemas.Violated,
		"order: [a, b, c], " + draws: schemas.Verified, "order: [c, b, a], " + draws: schemas.Violated,
	} {
		found := audited(t, h.log(), "version: 1\nexperiment: {id: users}\nlog: {order: [round], action: action, reward: reward, propensity: p, propensity_by_arm: all}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {"+keys+"draw: {hash: growthbook-v1, seed: s, unit: user}}\ncounter: {name: exact}\n")
		if f := claimFound(found, schemas.KindAllocation); f.Verdict != want {
			t.Errorf("%q: %s, %s", keys, f.Verdict, f.Reason)
		}
	}
}

// An action that is not that of the hash takes what weighted answers rest on.
func TestHashedTakesWeightedAnswers(t *testing.T) {
	t.Parallel()
	h := hashedLog{hash: schemas.HashGrowthBook2, seed: "s", users: 100, each: 10, weights: steady(.5, .3, .2), key: strconv.Itoa}
	for changed, want := range map[int]bool{0: false, 7: true} {
		h.changed = changed
		x := h.audited(t, byArm, "", "").Outcomes[0].Experiment
		if got := strings.Contains(strings.Join(x.Warnings, "\n"), "the logged propensities are contradicted by the hash of the units"); got != want {
			t.Errorf("%d: %q", changed, x.Warnings)
		}
	}
}

// Honest logs of ten and forty rounds a user, with a declared policy, with and without
// the weights of all arms, are accused by no claim.
func TestHonestHashes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("some seconds")
	}
	for i := range 40 {
		h := hashedLog{
			hash: []string{schemas.HashGrowthBook1, schemas.HashGrowthBook2}[i%2], seed: fmt.Sprintf("experiment-%d", i), users: 4000 / []int{10, 40}[i/2%2], each: []int{10, 40}[i/2%2],
			weights: steady(.5, .3, .2), key: func(u int) string { return strconv.Itoa(1000*i + u) }, number: i%3 == 0,
		}
		columns := []string{"", byArm}[i/4%2]
		found := h.audited(t, columns, "name: fixed, probabilities: [0.5, 0.3, 0.2], ", "")
		for j := range found.Head.Claims {
			if f := &found.Head.Claims[j]; f.Verdict == schemas.Violated || f.Kind == schemas.KindAllocation && f.Verdict != schemas.Verified {
				t.Errorf("%d: %s is %s: %s", i, f.Kind, f.Verdict, f.Reason)
			}
		}
	}
}

// A seed of the policy gives no action of a log whose arms are those of a hash, though
// every user has one round.
func TestHashedBesideASeed(t *testing.T) {
	t.Parallel()
	h := hashedLog{hash: schemas.HashGrowthBook2, seed: "s", users: 400, each: 1, weights: steady(.5, .3, .2), key: strconv.Itoa}
	found := h.audited(t, byArm, "name: fixed, probabilities: [0.5, 0.3, 0.2], seed: "+strings.Repeat("0f", 32)+", ", "")
	for i := range found.Head.Claims {
		if f := &found.Head.Claims[i]; f.Verdict == schemas.Violated {
			t.Errorf("%s: %s", f.Kind, f.Reason)
		}
	}
}
