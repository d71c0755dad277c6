package schemas

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// liking is a protocol whose policy has these keys.
func liking(keys string) string {
	return "version: 1\nexperiment: {id: x}\nlog: {order: t, action: a, reward: r, score_by_arm: s, context: [x]}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {" + keys + "}\ncounter: {name: exact}\n"
}

// besideLikes are the parameters of every policy of a library.
func besideLikes() map[string]string {
	return map[string]string{
		"mabwiser/ucb1": "width: {alpha: 1.25}", "river/ucb": "width: {alpha: 1}", "smpybandits/ucb": "", "pymab/ucb": "width: {c: 2}",
		"striatum/ucb1": "width: {offset: 3}, order: [b, a, c]", "mabwiser/epsilon-greedy": "explore: 0.1", "river/epsilon-greedy": "explore: {exponential: 0.001, from: 0.9}",
		"obp/epsilon-greedy": "explore: 0.1", "coba/epsilon-greedy": "explore: 0.1", "pymab/softmax": "temperature: 0.1", "smpybandits/softmax": "temperature: 0.1",
		"vw/squarecb": "", "eppo/bandit": "gamma: 1, floor: {kind: rest, value: 0.1}", "river/exp3": "gamma: 0.1", "smpybandits/exp3": "gamma: 0.1",
		"mabwiser/thompson": "", "river/thompson": "", "smpybandits/thompson": "", "pymab/thompson": "", "obp/bernoulli-ts": "update: {every: 20}", "growthbook/bandit": "draw: {by: round}",
		"mabwiser/linucb": "lambda: 1, width: {alpha: 1}",
	}
}

// TestLikes: every policy of a library, with its parameters, is one that can be declared,
// and its effective protocol, which has its keys, reads as it does.
func TestLikes(t *testing.T) {
	t.Parallel()
	beside := besideLikes()
	for _, l := range standard().Likes {
		keys, ok := beside[l.Name]
		if !ok || l.Doc == "" || (l.Beside == "") != (keys == "") {
			t.Errorf("%s is not among the tested: %q", l.Name, l.Beside)
		}
		written := "like: " + l.Name
		if keys != "" {
			written += ", " + keys
		}
		source := liking(written)
		if strings.Contains(l.Beside, "log.batch") {
			source = strings.Replace(source, "context: [x]", "batch: b", 1)
		}
		d := mustParse(t, source)
		effective, err := d.EffectiveYAML()
		if err != nil {
			t.Fatal(err)
		}
		again := mustParse(t, string(effective))
		if diff := cmp.Diff(d.Protocol.Policy, again.Protocol.Policy); diff != "" {
			t.Errorf("%s: %s", l.Name, diff)
		}
		delete(beside, l.Name)
	}
	if len(beside) > 0 {
		t.Errorf("there is no %v", beside)
	}
}

// TestLikeIsWrittenOver: what is written replaces what is filled in, of a mapping key by
// key, so that the two protocols of each line are one.
func TestLikeIsWrittenOver(t *testing.T) {
	t.Parallel()
	for _, of := range [][2]string{
		{"like: mabwiser/ucb1, width: {alpha: 1.25}", "name: ucb, width: {alpha: 1.25, clock: plays}, start: any, ties: first"},
		{"like: mabwiser/ucb1, name: ucb, width: {alpha: 1.25, clock: learned}, ties: last", "name: ucb, width: {alpha: 1.25, clock: learned}, start: any, ties: last"},
		{"like: striatum/ucb1, width: {offset: 3}, start: random", "name: ucb, width: {c: 2, clock: plays, offset: 3}, start: random"},
		{"like: river/epsilon-greedy, explore: 0.1", "name: epsilon-greedy, explore: 0.1, start: none, ties: first"},
		{"like: river/epsilon-greedy, explore: {exponential: 0.1, from: 1}, update: {every: 7}", "name: epsilon-greedy, explore: {exponential: 0.1, from: 1, clock: plays}, start: none, update: {every: 7}"},
	} {
		got, want := mustParse(t, liking(of[0])).Protocol.Policy, mustParse(t, liking(of[1])).Protocol.Policy
		got.Like = ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", of[0], diff)
		}
	}
}

// TestLikesThatAreNone: an unknown one is named with those that exist, and one beside
// another name, or beside a program, is refused.
func TestLikesThatAreNone(t *testing.T) {
	t.Parallel()
	all := strings.Join(standard().LikeNames(), ", ")
	for keys, want := range map[string][]string{
		"like: mabwiser/ucb2": {`p.yaml:6:16: policy.like is "mabwiser/ucb2" (it must be one of: ` + all + "); write mabwiser/ucb1"},
		"like: vw/regcb":      {`p.yaml:6:16: policy.like is "vw/regcb" (it must be one of: ` + all + "); write one of them, or name and its own keys"},
		"like: mabwiser/ucb1, name: thompson, prior: {alpha: 1, beta: 1}": {`p.yaml:6:37: policy.name is "thompson" (policy.like: mabwiser/ucb1 is ucb); write name: ucb, or delete one of the two keys`},
		"like: mabwiser/ucb1": {"p.yaml:6:10: policy.width has none of delta, c and alpha (a width has one form; policy.width is filled in by like: mabwiser/ucb1)"},
		"like: mabwiser/ucb1, width: {horizon: 200, alpha: 1}": {"p.yaml:6:10: policy.width.clock stands beside policy.width.horizon (a horizon stands in place of a clock; policy.width.clock is filled in by like: mabwiser/ucb1); write another clock beside like, or name and the policy's own keys instead of like"},
		"like: mabwiser/ucb1, width: {alpha: -1}":              {"p.yaml:6:46: policy.width.alpha is -1 (it must lie strictly between 0 and 1e+60); write a number"},
		"like: growthbook/bandit, draw: {by: round}":           {"p.yaml:6:10: policy.update is batch, and log.batch is not declared (the policy learns when the batch changes; policy.update is filled in by like: growthbook/bandit); name the column"},
	} {
		got := messages(standard().ParseProtocol("p.yaml", []byte(liking(keys))))
		if len(got) != len(want) || !strings.HasPrefix(strings.Join(got, "\n"), want[0]) {
			t.Errorf("%s: %s", keys, strings.Join(got, "\n"))
		}
	}
	got := strings.Join(messages(standard().ParseProtocol("p.yaml", []byte(liking("like: mabwiser/ucb1, exec: [python3]")))), "\n")
	if !strings.Contains(got, "policy.like") || strings.Contains(got, "policy.width") {
		t.Error(got)
	}
}
