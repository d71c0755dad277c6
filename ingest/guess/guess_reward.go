package guess

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// judgeReward looks for a number with a name for outcomes; a boolean or a
// column of 0 and 1 goes better. Without a name, content alone does not make a
// reward: a log has too many flags.
func (g *guesser) judgeReward(p *profile) *guess {
	if p.column.Depth > 0 || !cell.IsNumber(&p.column) {
		return nil
	}
	score, why := g.named(role.Reward, p)
	if score == 0 {
		return nil
	}
	if last := role.Words(p.name); last[len(last)-1] == "reward" {
		score += 15 // nobody calls anything else so
	}
	switch {
	case p.column.Kind == pages.Bool:
		score += 20
		why = append(why, "a boolean")
	case p.binary():
		score += 20
		why = append(why, "0 and 1 in the sample")
	default:
		score += 10
		why = append(why, "a number")
	}
	return &guess{score: score, why: why}
}

// textReward returns the column of text whose name goes best with a reward: its
// words, such as yes and no, become one by a condition. "" where there is none.
func (g *guesser) textReward() string {
	best, score := "", 0
	for _, p := range g.s.columns {
		if g.taken[p] != nil || p.column.Depth > 0 || p.column.Kind != pages.Text || !p.column.Readable() {
			continue
		}
		if n := g.roles.Of(role.Reward).Match(p.name); n > score {
			best, score = p.name, n
		}
	}
	return best
}

// judgeRewardOrder looks for a time with the name of an outcome.
func (g *guesser) judgeRewardOrder(p *profile) *guess {
	k, whole := p.column.Kind, cell.WholeNumbers(&p.column)
	if p.column.Depth > 0 || k != pages.Timestamp && k != pages.Date && !whole {
		return nil
	}
	score, why := g.named(role.RewardOrder, p)
	timely := !whole
	for _, w := range role.Words(p.name) {
		timely = timely || w == "ts" || w == "time" || w == "at" || w == "order" || w == "round"
	}
	if score == 0 || !timely {
		return nil
	}
	return &guess{score: score + 20, why: append(why, "a time that is named like an outcome")}
}

// judgeRewardByArm looks for lists of one reward per arm, where there is no reward.
func (g *guesser) judgeRewardByArm(p *profile) *guess {
	if g.by[role.Reward] != nil || p.column.Depth != 1 || !cell.IsNumber(&p.column) {
		return nil
	}
	score, why := g.named(role.RewardByArm, p)
	if score == 0 {
		return nil
	}
	return g.perArm(p, score, why)
}

// judgeReleased looks for lists, or lists of lists, that are named like what a
// mechanism released.
func (g *guesser) judgeReleased(p *profile) *guess {
	if p.column.Depth == 0 || !cell.IsNumber(&p.column) {
		return nil
	}
	score, why := g.named(role.ReleasedByArm, p)
	if score == 0 {
		return nil
	}
	return g.perArm(p, score, why)
}

// reward says what type and content suggest of the range. A boolean has two
// values whatever the log holds, so that its range [0, 1] follows from the type
// and discloses nothing. Of anything else the range is a declaration: a range
// that is read off the data depends on every reward, which no mechanism paid for.
func (g *guesser) reward() DraftReward {
	p := g.by[role.Reward]
	if p == nil {
		if p = g.by[role.RewardByArm]; p == nil {
			return DraftReward{}
		}
		switch {
		case p.column.Kind == pages.Bool:
			return DraftReward{Boolean: true, Suspicion: "booleans"}
		case p.lists.some && p.lists.binary:
			return DraftReward{Unit: true, Suspicion: "looks like 0/1"}
		case p.lists.some && p.lists.unit:
			return DraftReward{Unit: true, Suspicion: "looks like a share between 0 and 1"}
		}
		return DraftReward{Suspicion: "does not look like 0/1"}
	}
	boolean := true
	for _, t := range p.types {
		boolean = boolean && t == "BOOLEAN"
	}
	switch {
	case p.column.Kind == pages.Bool && boolean:
		return DraftReward{Boolean: true, Suspicion: "a boolean"}
	case p.numbers.seen == 0:
		return DraftReward{Suspicion: "no reward in the sample"}
	case p.numbers.binary:
		return DraftReward{Unit: true, Suspicion: "looks like 0/1", Cast: !p.every(func(c *pages.Column) bool { return !cell.Fractions(c) })}
	case p.numbers.unit:
		return DraftReward{Unit: true, Suspicion: "looks like a share between 0 and 1"}
	case p.numbers.whole:
		return DraftReward{Suspicion: "looks like whole numbers, and not like 0/1 alone"}
	}
	return DraftReward{Suspicion: "looks like a quantity that is not bounded by 0 and 1"}
}
