package dialects

import (
	"math"
	"math/rand/v2"
	"slices"
)

// index plays the arm with the largest index: of means and, but for a greedy policy, of a
// width. How it begins and what it does with equal indices is each library's own.
type index struct {
	arms

	width   func(t int, n float64) float64 // of an arm with n rewards; nil: 0
	running bool                           // means are moved by each reward, and not divided anew
	sums    bool                           // goes by sums
	rows    float64                        // pseudo-rows, each with a reward of 1

	start string // "order", "random", "any" (drawn, and not by the library), "" (a mean of 0)
	ties  string // "first", "last", "random"
	order []int  // in which arms are looked at; nil: as they are numbered
}

func (x *index) value(t, i int) float64 {
	n := x.n[i] + x.rows
	if n == 0 {
		return 0
	}
	v := (x.sum[i] + x.rows) / n
	switch {
	case x.sums:
		v = x.sum[i]
	case x.running:
		v = x.mean[i]
	}
	if x.width != nil {
		v += x.width(t, n)
	}
	return v
}

// among are the arms of which one is played, in the order in which they are looked at.
func (x *index) among(t int) []int {
	order := x.order
	if order == nil {
		order = all(len(x.n))
	}
	if first := x.unseen(); x.start != "" && x.rows == 0 && len(first) > 0 {
		if x.start != "order" {
			return first
		}
		for _, i := range order {
			if x.n[i] == 0 {
				return []int{i}
			}
		}
	}
	top, best := math.Inf(-1), []int(nil)
	for _, i := range order {
		switch v := x.value(t, i); {
		case v > top:
			top, best = v, []int{i}
		case v == top:
			best = append(best, i)
		}
	}
	switch x.ties {
	case "first":
		return best[:1]
	case "last":
		return best[len(best)-1:]
	}
	return best
}

func (x *index) chances(t int) []float64 { return evenly(len(x.n), x.among(t)) }

func (x *index) choose(t int, r *rand.Rand) int {
	among := x.among(t)
	return among[r.IntN(len(among))]
}

// byName is the order of the labels.
func byName(k int) []int {
	names, order := labels(k), all(k)
	slices.SortFunc(order, func(i, j int) int { return int(names[i][0]) - int(names[j][0]) })
	return order
}

func backwards(k int) []int {
	out := all(k)
	slices.Reverse(out)
	return out
}

// ln is the logarithm of a clock, which counts from 1.
func ln(clock float64) float64 { return math.Log(max(1, clock)) }
