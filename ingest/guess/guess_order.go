package guess

import (
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// maxOrder bounds the columns of a guessed order.
const maxOrder = 3

// judgeOrder looks for times, and whole numbers that are named like places in
// a sequence.
func (g *guesser) judgeOrder(p *profile) *guess {
	k := p.column.Kind
	if p.column.Depth > 0 || k == pages.Bool || cell.Fractions(&p.column) || k == pages.Null || p.nulls > 0 {
		return nil
	}
	score, why := g.named(role.Order, p)
	switch k {
	case pages.Timestamp:
		score += 40
		why = append(why, "a timestamp")
	case pages.Date, pages.Time:
		score += 10
		why = append(why, "a date or time of day")
	case pages.Int, pages.Uint, pages.Decimal:
		rising, words := p.risesAs()
		if score += rising; score == 0 {
			return nil
		}
		score += 10
		why = append(why, words...)
	default: // text: of times, or named so, as dates of partitions are
		if !p.sortedText() && score < role.NameWhole {
			return nil
		}
		text, words := -20, "text, compared bytewise"
		switch {
		case p.inText() && !p.sortedText():
			words = "text of times that do not compare as times: some have a zone and others none, or days come first; cast it to TIMESTAMP"
		case p.sortedText() && p.texts.writings.Several:
			text, words = 40, "text that reads as times in several writings, compared as instants (checks by time need a TIMESTAMP)"
		case p.sortedText():
			text, words = 40, "text that reads as a time, and sorts as one (checks by time need a TIMESTAMP)"
		}
		score += text
		why = append(why, words)
	}
	unique := g.tiesOf([]*profile{p}) == 0
	if unique && g.s.taken > 1 {
		score += 30
	}
	if role.IsSlotName(p.name) && !unique && len(g.order) == 0 { // a place on a page orders no rounds
		return nil
	}
	return &guess{score: score, why: why}
}

// Scores of whole numbers that rise from row to row, and of those that are named like
// an identifier.
const (
	risingScore = 50
	risingKey   = 10
)

// risesAs is what speaks for an order in values that rise.
func (p *profile) risesAs() (score int, why []string) {
	switch {
	case !p.rises():
		return 0, nil
	case role.IsKeyName(p.name):
		score = risingKey
	default:
		score = risingScore
	}
	return score, []string{"unique, and rises from row to row"}
}

// guessOrder takes the best order column, and more of them while rows of the
// sample tie and another column sets them apart.
func (g *guesser) guessOrder() {
	for len(g.order) < maxOrder {
		before := g.ties
		p := g.bestOrder()
		if p == nil {
			return
		}
		g.order = append(g.order, p)
		if g.ties = g.tiesOf(g.order); g.ties == 0 {
			return
		}
		if len(g.order) > 1 && g.ties == before { // it sets nothing apart
			g.order = g.order[:len(g.order)-1]
			delete(g.taken, p)
			return
		}
	}
}

// bestOrder takes the next order column: the best first, then whatever leaves
// the fewest ties.
func (g *guesser) bestOrder() *profile {
	return g.best(role.Order, func(p *profile) *guess {
		it := g.judgeOrder(p)
		if it == nil || len(g.order) == 0 {
			return it
		}
		left := g.tiesOf(append(slices.Clip(g.order), p))
		if left == g.ties {
			return nil
		}
		it.score = max(it.score, possibleScore)
		it.why = append(it.why, "it sets rows apart that tie without it")
		if left == 0 {
			it.score += 20
		}
		return it
	})
}

// tiesOf returns the number of rows of the sample whose experiment and order columns equal
// the columns of another row before.
func (g *guesser) tiesOf(order []*profile) int {
	columns := order
	if e := g.by[role.Experiment]; e != nil {
		columns = append([]*profile{e}, order...)
	}
	seen := make(map[uint64]bool, g.s.taken)
	ties := 0
	for i := range g.s.taken {
		h := uint64(0)
		for _, p := range columns {
			h = (h ^ p.hashes[i]) * 0x9e3779b97f4a7c15 // the golden ratio, as in splitmix64
			h ^= h >> 29
		}
		if seen[h] {
			ties++
		}
		seen[h] = true
	}
	return ties
}
