// Package mechanisms makes the table of testdata/reproduce/MECHANISMS.md: every
// policy on every counter, run on one small world with known truth. The program
// that writes the file is `banditlab mechanisms`.
package mechanisms

import (
	"cmp"
	"fmt"
	"strings"

	"banditaudit/analyze"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Entry is a policy or a counter of the table.
type Entry struct {
	Name string
	Keys string // in a protocol
	Text string // what it is, in one line

	kind *policy.Descriptor // of a policy
}

// Pair is one policy on one counter.
type Pair struct {
	Policy, Counter Entry
	Linear          bool // runs on the linear world
	Scored          bool // plays by scores, which are the mean rewards of the arms so far, and 1 of one that was not played
}

// Horizon is the number of rounds of a run, and the horizon that counters and
// bonuses are declared with.
const Horizon = 20_000

// Counters lists the counters of the table, all with ε = 1 for each arm.
func Counters() []Entry {
	var out []Entry
	for _, c := range analyze.Standard().Counters {
		keys := "name: " + c.Name
		if c.Noise {
			keys += ", epsilon: 1"
		}
		if c.Horizon == param.HorizonNeeded {
			keys += fmt.Sprintf(", horizon: %d", Horizon)
		}
		out = append(out, Entry{Name: c.Name, Keys: keys, Text: c.Doc})
	}
	return out
}

// policies lists the variants of the policies that read the given, and of those that play by
// scores or of those that do not.
func policies(reads param.Reads, scores bool) []Entry {
	var out []Entry
	for _, d := range analyze.Standard().Policies {
		if d.Scores != scores || d.Reads != reads {
			continue
		}
		for _, v := range d.Variants {
			keys := "name: " + d.Name
			if v.Keys != "" {
				keys += ", " + v.Keys
			}
			out = append(out, Entry{Name: cmp.Or(v.Name, d.Name), Keys: keys, Text: v.Text, kind: &d})
		}
	}
	return out
}

// Scored lists the rows of policies that play by scores, which stand below the others:
// whoever makes the scores decides what they lose, and what they give away.
func Scored() []Pair {
	var out []Pair
	for _, p := range policies(param.Nothing, true) {
		p.Name += ", means"
		out = append(out, Pair{Policy: p, Counter: Entry{Name: "none"}, Scored: true})
	}
	return out
}

// Pairs lists every other row of the table, in its order.
func Pairs() []Pair {
	alone := Entry{Name: "none", Text: "no counter: the policy reads no rewards"}
	var pairs []Pair
	for _, p := range policies(param.Nothing, false) {
		pairs = append(pairs, Pair{Policy: p, Counter: alone})
	}
	base := pairs[0].Policy
	for _, p := range policies(param.Sums, false) {
		for _, c := range Counters() {
			if p.kind.Fits(nil, analyze.Standard().Counter(c.Name).Noise) {
				pairs = append(pairs, Pair{Policy: p, Counter: c})
			}
		}
	}
	base.Name, base.Text = base.Name+", linear world", base.Text+": what linucb and lints have to beat"
	pairs = append(pairs, Pair{Policy: base, Counter: alone, Linear: true})
	for _, p := range policies(param.Vectors, false) {
		for _, c := range Counters() {
			pairs = append(pairs, Pair{Policy: p, Counter: c, Linear: true})
		}
	}
	return pairs
}

// Name is policy × counter.
func (p Pair) Name() string {
	if p.Counter.Keys == "" {
		return p.Policy.Name
	}
	return p.Policy.Name + " × " + p.Counter.Name
}

// keys returns the policy's keys and the counter's, as a protocol declares them
// for this pair: a bonus stands only beside noise, and then has a horizon.
func (p Pair) keys() (chooses, counts string) {
	chooses, counts = p.Policy.Keys, p.Counter.Keys
	plain, widened := strings.CutSuffix(chooses, ", bonus: quantile")
	kind := analyze.Standard().Counter(p.Counter.Name)
	switch {
	case kind == nil:
	case widened && !kind.Noise:
		chooses = plain
	case (widened || p.Policy.kind.BuiltInBonus) && kind.Noise && kind.Horizon != param.HorizonNeeded:
		counts += fmt.Sprintf(", horizon: %d", Horizon)
	}
	return chooses, counts
}

// Protocol returns the protocol that declares the pair. The error is a
// schemas.Problems.
func (p Pair) Protocol() (*schemas.Protocol, error) {
	chooses, counts := p.keys()
	log := "{order: [round], action: action, reward: reward}"
	if p.Linear {
		log = "{order: [round], action: action, reward: reward, context: [x0, x1, x2, x3, x4]}"
	}
	if p.Scored {
		log = "{order: [round], action: action, reward: reward, score_by_arm: means, score_by: rewards}"
	}
	text := "version: 1\nexperiment: {id: mechanisms}\nlog: " + log + "\narms: [a, b, c, d, e]\nreward: {range: [0, 1]}\npolicy: {" + chooses + "}\n"
	if counts != "" {
		text += "counter: {" + counts + "}\n"
	}
	d, err := analyze.Standard().Format().ParseProtocol(p.Name(), []byte(text))
	if err != nil {
		return nil, err
	}
	return &d.Protocol, nil
}
