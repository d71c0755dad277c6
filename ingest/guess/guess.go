// Package guess says which column of a log may have which role, from a bounded
// sample of rows; see Guess. It is for whoever writes a protocol, and nothing of
// ingest rests on it.
package guess

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"banditaudit/ingest/files"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// Confidence is how much speaks for a guess.
type Confidence string

// The words of confidence.
const (
	Likely   Confidence = "likely"   // name, type and content agree
	Possible Confidence = "possible" // some of them speak for it, none against
	None     Confidence = "none"     // nothing speaks for a role
)

// Draft is what a log suggests for a protocol. It decides nothing: a guess is a
// guess, and what no log can tell (the range of the reward, the policy, the
// claims) is not in it.
type Draft struct {
	Files    int           `json:"files"`
	Rows     int64         `json:"rows"`     // as the footers claim
	Sampled  int           `json:"sampled"`  // rows that were looked at
	Complete bool          `json:"complete"` // all of them were
	Columns  []DraftColumn `json:"columns"`  // every column, in the order of the files
	Order    []string      `json:"order"`    // compared in turn; empty where nothing orders the rows
	Ties     int           `json:"ties"`     // rows of the sample with the order of another row
	Arms     []string      `json:"arms"`     // labels of the action in the sample, sorted unless ArmOrder tells another order; null without an action
	ArmOrder ArmOrder      `json:"arm_order"`
	Reward   DraftReward   `json:"reward"`
	Spread   []string      `json:"spread"` // flat columns that look like the propensities of one arm each, in the order of the sorted labels; null where there are none
	Keys     []string      `json:"keys"`   // of a join, where there is no reward: what names a row
}

// DraftColumn is a column and the role that it may have.
type DraftColumn struct {
	Column     string     `json:"column"`
	Type       string     `json:"type"`
	Role       string     `json:"role"` // the protocol's key; "" for none
	Confidence Confidence `json:"confidence"`
	Why        string     `json:"why"`
	Levels     []string   `json:"levels,omitempty"`   // of a categorical context
	Baseline   string     `json:"baseline,omitempty"` // its most frequent level
	Missing    bool       `json:"missing,omitempty"`  // a row of the sample is null
	Partition  bool       `json:"partition,omitempty"`
	ByArm      bool       `json:"by_arm,omitempty"` // its lists are read in the order of arms, which only a declaration tells
}

// DraftReward is what may be said of the range of the reward.
type DraftReward struct {
	Boolean   bool   `json:"boolean"`   // the type has the range [0, 1]
	Unit      bool   `json:"-"`         // no type, but the sample looks like [0, 1]; Suspicion says so in JSON
	Suspicion string `json:"suspicion"` // in words, without a value of the log
	Cast      bool   `json:"cast"`      // 0 and 1 in the sample, of a type that holds fractions
	Text      string `json:"text"`      // where there is no reward: a column of text that is named like one, and needs a condition to be one
}

// Guess looks at a log and says which column may have which role: by names, by
// types, and by the contents of at most 32,768 rows of at most 64 row groups
// that are spread over the log. What is wrong with a file is an *InputError;
// the context's error and ErrResource are as of Ingest, and memory is what
// may be booked for buffers, in bytes. Equal logs give equal
// drafts. Special cases are:
//
//	a log without rows gives a draft by names and types
//	a column that no role takes has the role "" and says why
//	of two columns that go as well with a role, the first has it
func Guess(ctx context.Context, roles role.List, src []files.Source, memory int64) (*Draft, error) {
	sorted := slices.Clone(src)
	slices.SortStableFunc(sorted, func(a, b files.Source) int { return strings.Compare(a.URI, b.URI) })
	s, err := takeSample(ctx, "", sorted, memory)
	if err != nil {
		return nil, err
	}
	if s.faults.Any() {
		return nil, s.faults.Err()
	}
	g := newGuesser(s, roles)
	d := g.draft()
	if err := g.tellOrder(ctx, d); err != nil {
		return nil, err
	}
	if s.faults.Any() { // found on the second look
		return nil, s.faults.Err()
	}
	return d, nil
}

// guess is a column's role and what speaks for it.
type guess struct {
	role  role.Role
	score int
	why   []string
}

// Scores from which a guess is likely, and possible.
const (
	likelyScore   = 70
	possibleScore = 40
)

func (g *guess) confidence() Confidence {
	switch {
	case g == nil || g.score < possibleScore:
		return None
	case g.score < likelyScore:
		return Possible
	}
	return Likely
}

// castIt is what helps a column of several types.
const castIt = "cast it to one type"

// guesser gives roles to columns, the most telling role first, and to each role
// the column that goes best with it.
type guesser struct {
	roles role.List
	s     *sample
	taken map[*profile]*guess
	unfit map[*profile]string // why a column has no role that it would have by one of its types
	by    map[role.Role]*profile
	arms  int // distinct actions of the sample; 0 where there is no action
	order []*profile
	ties  int

	spread []*profile // see guessSpread
}

func newGuesser(s *sample, roles role.List) *guesser {
	return &guesser{roles: roles, s: s, taken: map[*profile]*guess{}, unfit: map[*profile]string{}, by: map[role.Role]*profile{}}
}

// judge scores a column for a role; nil where its type rules it out.
type judge func(p *profile) *guess

// best gives a role to the column that goes best with it, if any does.
func (g *guesser) best(r role.Role, score judge) *profile {
	var found *profile
	var top *guess
	for _, p := range g.s.columns {
		if g.taken[p] != nil || !p.column.Readable() || p.column.Kind == pages.Null || slices.Contains(g.spread, p) {
			continue
		}
		it := score(p)
		if it == nil || it.score < possibleScore || top != nil && it.score <= top.score {
			continue
		}
		if misfit := g.misfit(p, r); misfit != "" {
			g.unfit[p] = "it may be the " + r.String() + ", but it is " + misfit
			continue
		}
		found, top = p, it
	}
	if found != nil {
		g.take(found, r, top)
	}
	return found
}

func (g *guesser) take(p *profile, r role.Role, it *guess) {
	it.role = r
	g.taken[p] = it
	g.by[r] = p
	if r != role.Action {
		return
	}
	g.arms = p.distinct(maxProfiled)
	if p.labels[""] > 0 {
		g.arms-- // it is no arm
	}
}

// draft makes all guesses.
func (g *guesser) draft() *Draft {
	for _, s := range g.steps() {
		s.take()
	}
	return g.put()
}

// step gives one or several roles.
type step struct {
	roles []role.Role
	take  func()
}

// steps lists the steps that give all roles, in their order.
func (g *guesser) steps() []step {
	one := func(r role.Role, score judge) step { return step{[]role.Role{r}, func() { g.best(r, score) }} }
	return []step{
		one(role.Reward, g.judgeReward),
		one(role.Action, g.judgeAction),
		{nil, g.guessSpread},
		one(role.Propensity, g.judgePropensity),
		one(role.PropensityByArm, g.judgePropensityByArm),
		one(role.Draws, g.judgeDraws),
		one(role.Eligible, g.judgeEligible),
		one(role.ReleasedByArm, g.judgeReleased),
		one(role.RewardByArm, g.judgeRewardByArm),
		one(role.Experiment, g.judgeExperiment),
		one(role.RewardOrder, g.judgeRewardOrder),
		one(role.Unit, g.judgeUnit),
		{[]role.Role{role.Order}, g.guessOrder},
		one(role.Batch, g.judgeBatch),
		{nil, g.guessNamed},
		{[]role.Role{role.ContextByArm, role.ContextList, role.Context}, g.guessContexts},
	}
}

// guessNamed gives the roles of which nothing but names and types speaks: those
// that no other step gives.
func (g *guesser) guessNamed() {
	for i := range g.roles {
		r := g.roles[i].Role
		if slices.ContainsFunc(g.steps(), func(s step) bool { return slices.Contains(s.roles, r) }) {
			continue
		}
		g.best(r, func(p *profile) *guess {
			if score, why := g.named(r, p); score > 0 {
				return &guess{score: score, why: why}
			}
			return nil
		})
	}
}

// put writes the guesses down.
func (g *guesser) put() *Draft {
	d := &Draft{Files: g.s.files, Rows: g.s.rows, Sampled: g.s.taken, Complete: g.s.complete(), Ties: g.ties, Order: []string{}, Reward: g.reward(), Columns: []DraftColumn{}}
	for _, p := range g.order {
		d.Order = append(d.Order, p.name)
	}
	for _, p := range g.spread {
		d.Spread = append(d.Spread, p.name)
	}
	if p := g.by[role.Action]; p != nil {
		d.Arms = slices.DeleteFunc(p.names(), func(l string) bool { return l == "" })
		if p.notText() {
			d.Arms = nil
		}
	}
	for _, p := range g.s.columns {
		c := DraftColumn{Column: p.name, Type: strings.Join(p.types, " or "), Confidence: None, Missing: p.nulls > 0, Partition: p.partition}
		if it := g.taken[p]; it != nil {
			c.Role, c.Confidence, c.Why = it.role.String(), it.confidence(), strings.Join(it.why, "; ")
			if p.wholeDecimals() {
				c.Why += "; a decimal without digits after the point, read as whole numbers"
			}
			c.ByArm = g.roles.Of(it.role).Ordered(&p.column)
			if it.role == role.Context && !p.numeric() {
				c.Levels, c.Baseline = p.names(), p.mostFrequent()
			}
		} else {
			c.Why = cmp.Or(g.whyNot(p), "a log has one context: flat columns, one list, or one by arm")
		}
		d.Columns = append(d.Columns, c)
	}
	if g.by[role.Reward] == nil && g.by[role.RewardByArm] == nil {
		d.Keys = g.keys()
		d.Reward.Text = g.textReward()
	}
	return d
}
