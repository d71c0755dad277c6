package conformance

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// swapped tries that what is logged of an arm is the propensity of another one:
// the permutation that sends every arm to the one whose propensity its own is
// most often, and the one exchange of two arms that explains most.
func (c *comparison) swapped(rows []*tried, label func(int) string) []schemas.Hypothesis {
	if len(rows) == 0 || len(rows[0].want) < 2 {
		return nil
	}
	agree := c.agreements(rows)
	var out []schemas.Hypothesis
	for _, sigma := range [][]int{mostAgreed(agree), bestExchange(agree)} {
		if sigma == nil {
			continue
		}
		var t tally
		dst := make([]float64, len(sigma))
		for _, o := range rows {
			for a, from := range sigma {
				dst[a] = o.want[from]
			}
			t.add(c, o, dst)
		}
		out = append(out, t.says("swapped", exchanged(sigma, label), ""))
	}
	return ranked(out)[:min(1, len(out))]
}

// agreements counts, for arms a and b, the rows that played a and logged the
// propensity of b.
func (c *comparison) agreements(rows []*tried) [][]int {
	k := len(rows[0].want)
	agree := make([][]int, k)
	for a := range agree {
		agree[a] = make([]int, k)
	}
	for _, o := range rows {
		for b, p := range o.want {
			if near(o.p, p, c.action) {
				agree[o.arm][b]++
			}
		}
	}
	return agree
}

// mostAgreed returns the permutation that sends every arm to the one with which
// it agrees most, first of all to itself; nil where that is none, or changes
// nothing.
func mostAgreed(agree [][]int) []int {
	sigma, taken, same := make([]int, len(agree)), make([]bool, len(agree)), true
	for a, counts := range agree {
		best := a
		for b, n := range counts {
			if n > counts[best] {
				best = b
			}
		}
		if taken[best] {
			return nil
		}
		sigma[a], taken[best] = best, true
		same = same && best == a
	}
	if same {
		return nil
	}
	return sigma
}

// bestExchange returns the exchange of two arms that gains most.
func bestExchange(agree [][]int) []int {
	sigma := make([]int, len(agree))
	for a := range sigma {
		sigma[a] = a
	}
	most, i, j := 0, 0, 0
	for a := range agree {
		for b := range a {
			if gain := agree[a][b] + agree[b][a] - agree[a][a] - agree[b][b]; gain > most {
				most, i, j = gain, b, a
			}
		}
	}
	if most == 0 {
		return nil
	}
	sigma[i], sigma[j] = j, i
	return sigma
}

// exchanged says which arms carry whose propensity; at most a few are named.
func exchanged(sigma []int, label func(int) string) string {
	const named = 6
	var moved []int
	for a, from := range sigma {
		if a != from {
			moved = append(moved, a)
		}
	}
	if len(moved) == 2 {
		return fmt.Sprintf("the propensities of %s and %s are exchanged", schemas.Named(label(moved[0])), schemas.Named(label(moved[1])))
	}
	var parts []string
	for _, a := range slices.Clip(moved[:min(named, len(moved))]) {
		parts = append(parts, schemas.Named(label(a))+" carries that of "+schemas.Named(label(sigma[a])))
	}
	if len(moved) > named {
		parts = append(parts, fmt.Sprintf("and %d more", len(moved)-named))
	}
	return fmt.Sprintf("the propensities of %d arms are permuted: %s", len(moved), strings.Join(parts, ", "))
}
