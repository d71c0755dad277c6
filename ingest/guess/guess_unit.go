package guess

import (
	"fmt"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// judgeUnit looks for the name of somebody who may come again.
func (g *guesser) judgeUnit(p *profile) *guess {
	if !p.isLabel() || !role.IsUnitName(p.name) {
		return nil
	}
	why := []string{"by its name"}
	if seen := p.rows - p.nulls; seen > 0 {
		values, again := p.repeats()
		why = append(why, fmt.Sprintf("rows looked at: %d, distinct values: %d, rows whose value another row has: %d", seen, values, again))
		if !g.s.complete() {
			why = append(why, "the sample cannot tell for the whole log")
		}
	}
	return &guess{score: likelyScore, why: why}
}

// repeats counts the distinct values of the sample, and the rows whose value
// another row has too.
func (p *profile) repeats() (values, again int) {
	rows := map[uint64]int{}
	for _, h := range p.hashes {
		if h != 0 {
			rows[h]++
		}
	}
	for _, n := range rows {
		if n > 1 {
			again += n
		}
	}
	return len(rows), again
}

// judgeExperiment looks for a label that many rows share and that is named so.
func (g *guesser) judgeExperiment(p *profile) *guess {
	if !p.isLabel() {
		return nil
	}
	score, why := g.named(role.Experiment, p)
	n := p.distinct(maxProfiled)
	if score == 0 || n > maxProfiled || p.rows > 0 && n == p.rows-p.nulls && n > 1 {
		return nil
	}
	return &guess{score: score + 10, why: append(why, fmt.Sprintf("%d in the sample", n))}
}

// judgeBatch looks for a label that stays for many rows: a partition, or one
// that is named so.
func (g *guesser) judgeBatch(p *profile) *guess {
	k := p.column.Kind
	if !p.isLabel() && k != pages.Date {
		return nil
	}
	score, why := g.named(role.Batch, p)
	if score == 0 {
		return nil
	}
	n := p.distinct(maxProfiled)
	if p.rows > 0 && (n > maxProfiled || n*2 > p.rows) {
		return nil
	}
	if p.partition {
		score += 20
		why = append(why, "a partition")
	}
	return &guess{score: score, why: why}
}

// judgeEligible looks for lists of arms, or of one boolean per arm.
func (g *guesser) judgeEligible(p *profile) *guess {
	if p.column.Depth != 1 {
		return nil
	}
	score, why := g.named(role.Eligible, p)
	if score == 0 {
		return nil
	}
	if p.column.Kind == pages.Bool {
		return g.perArm(p, score+20, append(why, "a boolean for each arm"))
	}
	if !cell.IsLabel(&p.column) || !g.holdsArms(p) {
		return nil
	}
	return &guess{score: score + 20, why: append(why, "lists of actions")}
}

// holdsArms reports whether lists hold the labels of actions, and hardly any
// others.
func (g *guesser) holdsArms(p *profile) bool {
	arms := g.by[role.Action]
	if arms == nil || arms.labels == nil || len(p.lists.items) == 0 {
		return false
	}
	known := 0
	for item := range p.lists.items {
		if arms.labels[item] > 0 {
			known++
		}
	}
	return 2*known >= len(p.lists.items)
}

// keys are columns that a join with a table of outcomes could go by: something
// that names one row; else whoever it happened to, and when.
func (g *guesser) keys() []string {
	for _, p := range g.s.columns {
		if p.isLabel() && role.IsKeyName(p.name) && p.rows > 1 && p.nulls == 0 && g.tiesOf([]*profile{p}) == 0 {
			return []string{p.name}
		}
	}
	keys := []string{}
	if p := g.by[role.Unit]; p != nil {
		keys = append(keys, p.name)
	}
	for _, p := range g.order {
		keys = append(keys, p.name)
	}
	return keys
}
