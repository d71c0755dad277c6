package truth

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// labels are the labels of k arms.
func labels(k int) []string {
	out := make([]string, k)
	for i := range out {
		out[i] = fmt.Sprintf("arm%d", i)
	}
	return out
}

// spread are k means from .3 to .6.
func spread(k int) []float64 {
	out := make([]float64, k)
	for i := range out {
		out[i] = .3 + .3*float64(i)/float64(k-1)
	}
	return out
}

// learnt plays a softmax by hand: sums of all rewards up to the last round that
// was a multiple of every, in every round the propensities of all arms.
func (d *deployment) learnt(rounds, every int, eta float64, means []float64) {
	now, seen := make([]float64, len(means)), make([]float64, len(means))
	for t := range rounds {
		if t%every == 0 {
			copy(seen, now)
		}
		p := softmax(eta, seen, nil)
		arm := d.pick(p)
		y := d.coin(means[arm])
		now[arm] += y
		d.chosen(arm, p, y)
	}
}

// head is a protocol up to its policy.
func head(name string, k int, more ...string) string {
	return fmt.Sprintf("version: 1\nexperiment: {id: %s, stopping: fixed}\nlog: {%s}\narms: [%s]\nreward: {range: [0, 1]}\n", name,
		strings.Join(append([]string{"order: [round], action: action, reward: reward"}, more...), ", "), strings.Join(labels(k), ", "))
}

const exact = "counter: {name: exact}\n"

// rounded are propensities that were written with few digits.
func rounded() []Honest {
	var out []Honest
	for _, k := range []int{3, 10} {
		add := func(name, text, before string, write func(d *deployment) *Log) {
			out = append(out, Honest{
				Name: fmt.Sprintf("%s, %d arms", name, k), Item: 10, Text: text, Before: before,
				Protocol: head("rounded", k, "propensity: p, propensity_by_arm: all") + "policy: {name: softmax, eta: 0.01}\n" + exact,
				Deploy: func(run int64) *Log {
					d := newDeployment(run)
					d.learnt(500, 1, .01, spread(k))
					return write(d)
				},
			})
		}
		for _, digits := range []int{3, 4, 6} {
			add(fmt.Sprintf("%d decimals", digits), fmt.Sprintf("propensities of all arms rounded to %d decimals", digits), "90 % of logs of 3, 4 and 6 decimals",
				func(d *deployment) *Log { return d.rounded(math.Pow10(digits)).log(labels(k)...) })
		}
		add("float32", "propensities of all arms in columns of float32", "–", func(d *deployment) *Log { return d.narrow(labels(k)...) })
		if k == 3 {
			add("float32 throughout", "propensities of all arms in columns of float32, off by some 4·10⁻⁶ of each as arithmetic in float32 leaves them", "7 of 12 VIOLATED",
				func(d *deployment) *Log { return d.coarse().narrow(labels(k)...) })
		}
	}
	return out
}

// rounded writes every propensity as a whole number over scale.
func (d *deployment) rounded(scale float64) *deployment {
	for t := range d.p {
		d.p[t] = math.Round(d.p[t]*scale) / scale
		for i, p := range d.all[t] {
			d.all[t][i] = math.Round(p*scale) / scale
		}
	}
	return d
}

// coarse puts every propensity off by what sums and powers in float32 leave; they add up
// to 1.
func (d *deployment) coarse() *deployment {
	for t, arm := range d.action {
		sum := 0.0
		for i, p := range d.all[t] {
			d.all[t][i] = p + float64(4e-6*p*math.Sin(float64(7*t+3*i)))
			sum += d.all[t][i]
		}
		for i := range d.all[t] {
			d.all[t][i] /= sum
		}
		d.p[t] = d.all[t][arm]
	}
	return d
}

// narrow is the log with propensities of 32 bits.
func (d *deployment) narrow(labels ...string) *Log {
	p, all := make([]float32, len(d.p)), make([][]float32, len(d.p))
	for t := range d.p {
		p[t], all[t] = float32(d.p[t]), make([]float32, len(d.all[t]))
		for i, of := range d.all[t] {
			all[t][i] = float32(of)
		}
	}
	l := d.log(labels...)
	l.columns = slices.DeleteFunc(l.columns, func(c column) bool { return c.name == "p" || c.name == "all" })
	return l.Put("p", p).Put("all", all)
}
