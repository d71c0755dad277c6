package guess

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/role"
)

// judgePropensity looks for floats in (0, 1] whose inverse averages near the
// number of arms.
func (g *guesser) judgePropensity(p *profile) *guess {
	if p.column.Depth > 0 || !cell.Fractions(&p.column) || p.numbers.seen > 0 && !p.isProbability() {
		return nil
	}
	score, why := g.named(role.Propensity, p)
	if p.numbers.seen == 0 {
		return &guess{score: score, why: why}
	}
	why = append(why, "all of it in (0, 1]")
	switch mean := p.numbers.meanInverse(); {
	case p.binary():
		return nil
	case g.arms >= 2 && nearTo(mean, g.arms):
		score += 40
		why = append(why, fmt.Sprintf("the mean of one over it is near %d, the number of actions", g.arms))
	case g.arms >= 2:
		why = append(why, fmt.Sprintf("but the mean of one over it is far from %d, the number of actions: check that it belongs to the logged action", g.arms))
	}
	if p.nulls > 0 {
		why = append(why, "it has nulls, which ingest refuses")
	}
	return &guess{score: score, why: why}
}

// judgePropensityByArm looks for lists of one probability per arm.
func (g *guesser) judgePropensityByArm(p *profile) *guess {
	if p.column.Depth != 1 || !cell.Fractions(&p.column) || p.lists.seen > 0 && !p.lists.unit {
		return nil
	}
	score, why := g.named(role.PropensityByArm, p)
	if p.lists.some && p.lists.sums && !p.lists.binary {
		score += 40
		why = append(why, "lists in [0, 1] that add to 1")
	}
	return g.perArm(p, score, why)
}

// guessSpread finds the propensities of all arms where each has a column of its own: floats
// in [0, 1] without nulls, named by one word and the arm's label, that add to 1 on average.
// They have no role, and are no contexts: a protocol asks for one column of lists.
func (g *guesser) guessSpread() {
	played := g.by[role.Action]
	if played == nil || g.arms < 2 || played.notText() {
		return
	}
	labels := slices.DeleteFunc(played.names(), func(l string) bool { return l == "" })
	byName := map[string][]*profile{} // by the part before the label, in the order of labels
	for _, label := range labels {
		for _, p := range g.s.columns {
			if head, ok := headOf(p.name, label); ok && p.sharesUnit() {
				byName[head] = append(byName[head], p)
			}
		}
	}
	for _, head := range slices.Sorted(maps.Keys(byName)) {
		sum, flags := 0.0, true
		for _, p := range byName[head] {
			sum, flags = sum+p.numbers.mean(), flags && p.binary()
		}
		if len(byName[head]) == len(labels) && math.Abs(sum-1) < 1e-3 && !flags {
			g.spread = byName[head]
			return
		}
	}
}

// headOf is what stands before a label at the end of a column's name, such as p_ of
// p_control.
func headOf(name, label string) (string, bool) {
	head, ok := strings.CutSuffix(plainName(name), plainName(label))
	return head, ok && len(head) > 1 && strings.HasSuffix(head, "_")
}

// plainName is a name in small letters, with _ for whatever is neither a letter nor a digit.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '_'
	}, name)
}

// sharesUnit reports whether a column's values may be the probabilities of one arm.
func (p *profile) sharesUnit() bool {
	return p.column.Depth == 0 && cell.Fractions(&p.column) && p.numbers.seen > 0 && p.numbers.unit && p.nulls == 0
}

// judgeDraws looks for whole numbers that are named like a number of draws, where
// there is a propensity that may have been estimated by them.
func (g *guesser) judgeDraws(p *profile) *guess {
	if g.by[role.Propensity] == nil && g.by[role.PropensityByArm] == nil || !p.isLabel() || !role.IsProbability(&p.column) {
		return nil
	}
	score, why := g.named(role.Draws, p)
	if score == 0 || p.numbers.seen > 0 && (!p.numbers.whole || !p.numbers.positive) {
		return nil
	}
	return &guess{score: score + 20, why: append(why, "whole numbers, and there are propensities")}
}

// perArm adds what the length of the lists says: one value for each arm. A log
// may not have played every arm, so that longer lists are no contradiction.
func (g *guesser) perArm(p *profile, score int, why []string) *guess {
	switch n := p.lists.length; {
	case p.lists.seen == 0:
	case n < 0, g.arms == 0:
		return nil
	case n == g.arms && n > 0:
		score += 20
		why = append(why, fmt.Sprintf("as many values as actions, %d", n))
	case n < g.arms:
		return nil
	default:
		why = append(why, fmt.Sprintf("values: %d, and actions in the sample: %d", n, g.arms))
	}
	return &guess{score: score, why: why}
}
