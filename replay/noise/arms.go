package noise

import (
	"fmt"
	"math"
)

// mostStreams bounds the streams of which all pairs are compared by products.
const mostStreams = 64

// armsTest holds the draws of different streams against independence of each
// other, in four ways that share its level: the scale of
// each arm (armScale), draws whose size another stream had
// before, such draws by the same row, and for the first mostStreams streams the products of
// the scores of what the same row drew, pair by pair of streams, as in independenceTest.
func armsTest(s *drawn, w []float64, ratio float64) Test {
	t := newTest("arms")
	if len(s.streams) < 2 {
		return t.tooFew("two streams are needed").finds(0, "", "pairs of draws of two arms", "")
	}
	group := s.aligned()
	all, expected := s.twins(nil, true, ratio)
	side, expectedSide := s.twins(group, true, ratio)
	anywhere, beside := rarely(all, expected), rarely(side, expectedSide)
	p, statistic, pairs, most := products(s, w, group)
	t = t.finds(most.pairs, "pair of draws of two arms", "pairs of draws of two arms", productsFind(most.size, most.square, t.Level/4/float64(max(1, pairs))))
	own, mean := armScale(s, w)
	switch {
	case own < min(anywhere, beside, p):
		return t.of(mean, min(1, 4*own), "mean of w over the draws of one arm, those of declared scales within a factor of two, that is furthest from 1; bound of Ville")
	case anywhere <= beside && anywhere < p:
		return t.of(float64(all), min(1, 4*anywhere), fmt.Sprintf("draws whose size another stream had before, of which %.3g are expected at most; bound of Ville", expected))
	case beside < p:
		return t.of(float64(side), min(1, 4*beside), fmt.Sprintf("draws whose size the same row of another stream drew, of which %.3g are expected at most; bound of Ville", expectedSide))
	}
	return t.of(statistic, min(1, 4*p), fmt.Sprintf("products of what the same row of two streams drew, the largest of %d pairs of streams, over their root sum of squares; bound of Ville given the sizes", pairs))
}

// paired are the products of two streams that have most of them.
type paired struct {
	pairs        int
	size, square float64 // Σ|zz'|, Σ(zz')²
}

// products returns the smallest bound over pairs of streams, times their number,
// its statistic, and the two streams with most products.
func products(s *drawn, w []float64, group []int) (p, statistic float64, pairs int, most paired) {
	z, n := scores(s.vars, w), min(len(s.streams), mostStreams)
	members := byGroup(s, group, n)
	sums, all := make([]float64, n*n), make([]paired, n*n)
	for _, m := range members {
		for a, i := range m {
			for _, j := range m[:a] {
				at := s.vars[j].stream*n + s.vars[i].stream
				product := float64(z[i] * z[j])
				sums[at] += product
				all[at].take(product)
			}
		}
	}
	p = 1
	for at := range all {
		square := all[at].square
		if all[at].pairs > most.pairs {
			most = all[at]
		}
		if square == 0 {
			continue
		}
		pairs++
		if bound := fairSigns(sums[at], square); pairs == 1 || bound < p {
			p, statistic = bound, standardised(sums[at], square)
		}
	}
	pairs = n * (n - 1) / 2
	return min(1, p*float64(pairs)), statistic, pairs, most
}

// take adds a product.
func (p *paired) take(product float64) {
	p.pairs++
	p.size += math.Abs(product)
	p.square += float64(product * product)
}

// byGroup lists the draws of each group, stream by stream, of the first n
// streams.
func byGroup(s *drawn, group []int, n int) [][]int {
	var members [][]int
	for _, stream := range s.streams[:n] {
		for _, i := range stream {
			for len(members) <= group[i] {
				members = append(members, nil)
			}
			members[group[i]] = append(members[group[i]], i)
		}
	}
	return members
}
