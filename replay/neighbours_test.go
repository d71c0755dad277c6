package replay

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// declaredBy parses a policy that is declared by its keys, each with its value in YAML.
func declaredBy(t *testing.T, keys map[string]string) *schemas.Protocol {
	t.Helper()
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		lines = append(lines, "  "+key+": "+keys[key])
	}
	doc, err := Standard().Format().ParseProtocol("p.yaml", []byte("version: 1\nexperiment: {id: x}\nlog: {order: [t], action: a, reward: r, score_by_arm: s, context: [x]}\narms: [b, a, 'c: d']\nreward: {range: [0, 1]}\ncounter: {name: exact}\npolicy:\n"+strings.Join(lines, "\n")+"\n"))
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(lines, "\n"))
	}
	return &doc.Protocol
}

// neighbourly are policies with their keys.
func neighbourly() []map[string]string {
	return []map[string]string{
		{"name": "ucb", "width": "{c: 2}"},
		{"name": "ucb", "width": "{delta: 0.05}", "ties": "last", "near_ties": "2^-20"},
		{"name": "ucb", "width": "{alpha: 1, clock: plays, offset: 2}", "start": "none", "unseen": "{mean: 0.5}", "order": "['c: d', a, b]"},
		{"name": "ucb", "width": "{c: 2, horizon: 500}", "start": "{rows: 1, sum: 1}", "update": "{every: 7}"},
		{"name": "epsilon-greedy", "explore": "0.1", "start": "any"},
		{"name": "epsilon-greedy", "epsilon": "{decay: 5}"},
		{"name": "epsilon-greedy", "explore": "{harmonic: 0.1, from: 1, to: 0, clock: plays}"},
		{"name": "epsilon-greedy", "explore": "{exponential: 0.01, from: 0.9}"},
		{"name": "epsilon-greedy", "explore": "{linear: [1, 0.1, 100]}"},
		{"name": "softmax", "eta": "10"},
		{"name": "softmax", "eta": "3", "of": "means", "shrink": "1"},
		{"name": "softmax", "tau": "0.25"},
		{"name": "exp3", "gamma": "0.1"},
		{"name": "inverse-gap", "gamma": "{scale: 10, clock: plays}"},
		{"name": "thompson", "prior": "{alpha: 1, beta: 1}"},
		{"name": "thompson", "prior": "{alpha: 1, beta: 1}", "floor": "0.05"},
		{"name": "softmax", "eta": "3", "floor": "{kind: clip, value: 0.05}"},
		{"name": "successive-elimination", "width": "{c: 0.5}"},
		{"name": "linucb", "lambda": "1", "theta_bound": "1", "noise_sd": "0.5"},
		{"name": "linucb", "lambda": "1", "width": "{alpha: 0.5}", "unfit": "identity"},
		{"name": "lints", "lambda": "1", "noise_sd": "0.5"},
	}
}

// What a neighbour says is what has to be declared: a protocol with these keys, and without
// those that it names, is its protocol. So it is of two options too.
func TestNeighboursSayWhatTheyDeclare(t *testing.T) {
	c := Standard()
	effective := func(p *schemas.Protocol) string {
		policy := *p.Policy
		policy.Own = c.Policy(policy.Name).Filled(policy.Own)
		b, err := json.Marshal(policy)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	tried := 0
	hold := func(keys map[string]string, n *Neighbour) {
		t.Helper()
		if _, err := c.New(n.Protocol, n.Protocol.Arms); err != nil {
			return // it is no declaration
		}
		tried++
		said := maps.Clone(keys)
		for _, line := range n.Say {
			key, value, _ := strings.Cut(line, ": ")
			said[key] = value
		}
		if said["explore"] != "" {
			delete(said, "epsilon") // its other name
		}
		for _, key := range n.Without {
			delete(said, key)
		}
		if n.Protocol.Policy.Own.Word("start") != "none" {
			delete(said, "unseen") // it belongs to start: none
		}
		if got, want := effective(declaredBy(t, said)), effective(n.Protocol); got != want {
			t.Errorf("%v with %q, without %q: declares\n%s, and is\n%s", keys, n.Say, n.Without, got, want)
		}
	}
	for _, keys := range neighbourly() {
		p := declaredBy(t, keys)
		list := c.Neighbours(p, p.Arms)
		if len(list) == 0 {
			t.Errorf("%v has no neighbours", keys)
		}
		for i := range list {
			if len(list[i].Say) == 0 || effective(list[i].Protocol) == effective(p) {
				t.Errorf("%v: %q changes nothing", keys, list[i].Options)
			}
			hold(keys, &list[i])
			for k := range list[i+1:] {
				if both, ok := c.Both(p, &list[i], &list[i+1+k]); ok {
					hold(keys, &both)
				}
			}
		}
	}
	if tried < 500 {
		t.Errorf("%d neighbours were declared", tried)
	}
}

// A policy that draws nothing has no neighbour that explores, and the other way around; one
// that reads no rewards has none at all.
func TestNeighboursDrawAsDeclared(t *testing.T) {
	c := Standard()
	for _, keys := range append(neighbourly(), map[string]string{"name": "epsilon-greedy", "explore": "0"}) {
		p := declaredBy(t, keys)
		kind := c.Policy(p.Policy.Name)
		for _, n := range c.Neighbours(p, p.Arms) {
			if kind.Drawn(n.Protocol.Policy.Own) != kind.Drawn(p.Policy.Own) {
				t.Errorf("%v: %q", keys, n.Say)
			}
		}
	}
	for _, policy := range []map[string]string{{"name": "uniform"}, {"name": "fixed", "probabilities": "[0.2, 0.3, 0.5]"}} {
		p := declaredBy(t, policy)
		if list := c.Neighbours(p, p.Arms); len(list) > 0 {
			t.Errorf("%v has %d neighbours", policy, len(list))
		}
	}
}

// The neighbours of UCB1, in the order in which they are tried, as they are declared.
func TestNeighboursOfUCB1(t *testing.T) {
	p := declaredBy(t, map[string]string{"name": "ucb", "width": "{c: 2}"})
	var got []string
	for _, n := range Standard().Neighbours(p, p.Arms) {
		got = append(got, strings.Join(n.Say, ", "))
	}
	want := []string{
		"width: {alpha: 2}", "width: {c: 1}", "width: {c: 4}", "width: {c: 2, clock: plays}", "width: {c: 2, clock: learned}", "width: {c: 2, offset: 1}",
		"start: any", "start: random", "start: none", "start: {rows: 1, sum: 1}", "start: {rows: 1, sum: 0}", "start: {until: each-played}",
		"ties: last", "ties: random", "ties: shared", "ties: name", "ties: any", `order: ["c: d", a, b]`, "near_ties: 2^-20", "update: {every: 2}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
