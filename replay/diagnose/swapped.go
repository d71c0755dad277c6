package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// swapped says that what is logged of an arm is the propensity of another one.
func swapped() Cause {
	const name = "swapped"
	return Cause{
		Name: name,
		Replay: func(r *Replay) Trial {
			return Trial{Say: func() ([]Explanation, error) {
				var out []Explanation
				for _, sigma := range permutations(&r.Tolerance, r.rows) {
					var t tally
					dst := make([]float64, len(sigma))
					for _, o := range r.rows {
						permute(sigma, o.Want, dst)
						t.add(&r.Tolerance, o, dst)
					}
					out = append(out, r.Tolerance.says(&t, name, permuted(sigma, r.Label), ""))
				}
				return out, nil
			}}
		},
		Actions: func(a *Actions) []Explanation {
			if !a.ByArm || a.Arms > mostExchanged {
				return nil
			}
			i, j, gain := exchange(a.Rounds, a.Arms)
			if i < 0 {
				return nil
			}
			return []Explanation{a.says(name, fmt.Sprintf("the propensities of arms %s and %s are exchanged", a.Name(i), a.Name(j)), gain, exchanged(i, j))}
		},
	}
}

// permute writes what arms have when each has the propensity of another one.
func permute(sigma []int, from, dst []float64) {
	for a, other := range sigma {
		dst[a] = from[other]
	}
}

// exchanged exchanges the propensities of two arms in all rounds in which both
// can be played.
func exchanged(i, j int) Law {
	return func(r *Row, from, dst []float64) {
		copy(dst, from)
		if r.can(i) && r.can(j) {
			dst[i], dst[j] = dst[j], dst[i]
		}
	}
}

// permutations lists the permutations of arms that are tried: the one that sends every arm to
// the one whose propensity its own is most often, and the one exchange of two arms that
// explains most.
func permutations(j *Tolerance, rows []*Row) [][]int {
	if len(rows) == 0 || len(rows[0].Want) < 2 {
		return nil
	}
	agree := agreements(j, rows)
	return slices.DeleteFunc([][]int{mostAgreed(agree), bestExchange(agree)}, func(sigma []int) bool { return sigma == nil })
}

// agreements counts, for arms a and b, the rows that played a and logged the
// propensity of b.
func agreements(j *Tolerance, rows []*Row) [][]int {
	k := len(rows[0].Want)
	agree := make([][]int, k)
	for a := range agree {
		agree[a] = make([]int, k)
	}
	for _, o := range rows {
		for b, p := range o.Want {
			if Near(o.P, p, j.Action) {
				agree[o.Arm][b]++
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

// permuted says which arms carry whose propensity; at most a few are named.
func permuted(sigma []int, label func(int) string) string {
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

// mostExchanged bounds the arms of which pairs are exchanged to explain actions.
const mostExchanged = 256

// exchange is the pair of arms whose exchange gains most, and the gain; i is −1
// where no exchange does. It takes 8·K² bytes.
func exchange(rounds Rounds, arms int) (i, j int, most float64) {
	// moved[a·K+b] is what the rounds of arm a gain from b's propensity.
	moved := make([]float64, arms*arms)
	rounds(func(r *Row) {
		for b, p := range r.ByArm {
			if b != r.Arm && r.can(b) {
				moved[r.Arm*arms+b] += math.Log(p / r.P)
			}
		}
	})
	i, j = -1, -1
	for a := range arms {
		for b := range a {
			if sum := moved[a*arms+b] + moved[b*arms+a]; sum > most {
				i, j, most = b, a, sum
			}
		}
	}
	return i, j, most
}
