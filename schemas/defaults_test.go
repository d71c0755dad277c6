package schemas

import (
	"strings"
	"testing"
)

// TestDefaultsOfMechanisms reads policy and counter and compares what the
// effective protocol says of them.
func TestDefaultsOfMechanisms(t *testing.T) {
	for _, tc := range []struct{ name, declared, policy, counter string }{
		{
			"LinPriv", "policy: {name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 3/4}\ncounter: {name: hybrid, epsilon: 1, horizon: 9}\n",
			`{"name":"linucb","width":{"delta":0.05},"ties":"first","near_ties":"2^-40","lambda":1,"theta_bound":1,"noise_sd":0.5,"unfit":"ridge","context_l1":"3/4","update":{"every":1},"draw":{"by":"round"}}`,
			`{"name":"hybrid","epsilon":1,"horizon":9,"grid":"2^-20","sensitivity":"3/4"}`,
		},
		{
			"LinPriv as if contexts had length 1", "policy: {name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 3, width: {delta: 0.1}}\ncounter: {name: tree, epsilon: 1, horizon: 9, sensitivity: 1}\n",
			`{"name":"linucb","width":{"delta":0.1},"ties":"first","near_ties":"2^-40","lambda":1,"theta_bound":1,"noise_sd":0.5,"unfit":"ridge","context_l1":3,"update":{"every":1},"draw":{"by":"round"}}`,
			`{"name":"tree","epsilon":1,"horizon":9,"grid":"2^-20","sensitivity":1}`,
		},
		{
			"OFUL", "policy: {name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 3}\ncounter: {name: exact}\n",
			`{"name":"linucb","width":{"delta":0.05},"ties":"first","near_ties":"2^-40","lambda":1,"theta_bound":1,"noise_sd":0.5,"unfit":"ridge","context_l1":3,"update":{"every":1},"draw":{"by":"round"}}`,
			`{"name":"exact"}`,
		},
		{
			"decay", "policy: {name: epsilon-greedy, explore: {decay: 5}}\ncounter: {name: interval, epsilon: 1/3, horizon: 9}\n",
			`{"name":"epsilon-greedy","ties":"first","near_ties":"2^-40","start":"in-order","explore":{"decay":5,"clock":"round","offset":0},"update":{"every":1},"draw":{"by":"round"}}`,
			`{"name":"interval","epsilon":"1/3","horizon":9,"grid":"2^-20","exponent":1.1}`,
		},
		{
			"constant", "policy: {name: epsilon-greedy, explore: 0, ties: seeded}\ncounter: {name: interval, epsilon: 1, horizon: 9, exponent: 3/2}\n",
			`{"name":"epsilon-greedy","ties":"seeded","near_ties":"2^-40","start":"in-order","explore":0,"update":{"every":1},"draw":{"by":"round"}}`,
			`{"name":"interval","epsilon":1,"horizon":9,"grid":"2^-20","exponent":"3/2"}`,
		},
		{
			"elimination", "policy: {name: successive-elimination, width: {c: 1}}\ncounter: {name: epochs, epsilon: 1}\n",
			`{"name":"successive-elimination","width":{"c":1,"clock":"round","offset":0},"bonus":"none","ties":"first","update":{"every":1},"draw":{"by":"round"}}`,
			`{"name":"epochs","epsilon":1,"grid":"2^-20"}`,
		},
	} {
		d, err := standard().ParseProtocol("p.yaml", []byte("version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r, context: [x]}\narms: [x, y]\nreward: {range: [0, 1]}\n"+tc.declared))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		b, err := d.Effective()
		if err != nil {
			t.Fatal(err)
		}
		if err := standard().ValidateProtocol(b); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if want := `"policy":` + tc.policy + `,"counter":` + tc.counter + ","; !strings.Contains(string(b), want) {
			t.Errorf("%s: %s, want in it %s", tc.name, b, want)
		}
	}
}
