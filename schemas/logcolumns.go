package schemas

import (
	"cmp"
	"strings"
)

// Keys of a protocol that name a column of the log: below log, but for the
// experiment, whose column stands in experiment.column. In the manifest they are
// the roles of columns.
const (
	KeyExperiment      = "experiment"
	KeyOrder           = "order"
	KeyAction          = "action"
	KeyReward          = "reward"
	KeyPropensity      = "propensity"
	KeyPropensityByArm = "propensity_by_arm"
	KeyPropensityDraws = "propensity_draws"
	KeyContext         = "context"
	KeyContextByArm    = "context_by_arm"
	KeyRewardByArm     = "reward_by_arm"
	KeyReleasedByArm   = "released_by_arm"
	KeyScoreByArm      = "score_by_arm"
	KeyEligible        = "eligible"
	KeyRewardOrder     = "reward_order"
	KeyBatch           = "batch"
	KeyUnit            = "unit"
	KeyBy              = "by" // policy.by
	KeyKeepProb        = "keep_prob"
)

// LogColumn is a key that names one column of the log.
type LogColumn struct {
	Key, Path  string
	Name       func(p *Protocol) string // of the column; "" where the key is not given
	InArmOrder bool                     // its lists are read in the order of arms
	Rewards    bool                     // it has rewards
}

// LogColumns are the keys that name one column each, in the order in which they
// are held against each other: two of them do not name the same. The order of
// rounds and the flat context, which name several, are not among them.
func LogColumns() []LogColumn {
	log := func(key string, name func(l *Log) string) LogColumn {
		return LogColumn{Key: key, Path: "log." + key, Name: func(p *Protocol) string { return name(&p.Log) }}
	}
	rewards := func(c LogColumn) LogColumn { c.Rewards = true; return c }
	inArmOrder := func(c LogColumn) LogColumn { c.InArmOrder = true; return c }
	return []LogColumn{
		log(KeyAction, func(l *Log) string { return l.Action }),
		rewards(log(KeyReward, func(l *Log) string { return l.Reward })),
		log(KeyPropensity, func(l *Log) string { return l.Propensity }),
		inArmOrder(log(KeyPropensityByArm, func(l *Log) string { return l.PropensityByArm })),
		{Key: KeyPropensityDraws, Path: "log.propensity_draws.column", Name: func(p *Protocol) string {
			if p.Log.PropensityDraws == nil {
				return ""
			}
			return p.Log.PropensityDraws.Column
		}},
		{Key: KeyKeepProb, Path: "log.keep_prob.column", Name: func(p *Protocol) string {
			if p.Log.KeepProb == nil {
				return ""
			}
			return p.Log.KeepProb.Column
		}},
		{Key: KeyContext, Path: "log.context.list", Name: func(p *Protocol) string { return p.Log.Context.List }},
		inArmOrder(log(KeyContextByArm, func(l *Log) string { return l.ContextByArm })),
		rewards(inArmOrder(log(KeyRewardByArm, func(l *Log) string { return l.RewardByArm }))),
		inArmOrder(log(KeyReleasedByArm, func(l *Log) string { return l.ReleasedByArm })),
		inArmOrder(log(KeyScoreByArm, func(l *Log) string { return l.ScoreByArm })),
		log(KeyEligible, func(l *Log) string { return l.Eligible }),
		log(KeyRewardOrder, func(l *Log) string { return l.RewardOrder }),
		log(KeyBatch, func(l *Log) string { return l.Batch }),
		log(KeyUnit, func(l *Log) string { return l.Unit }),
		{Key: KeyExperiment, Path: "experiment.column", Name: func(p *Protocol) string { return p.Experiment.Column }},
	}
}

// NamedColumn is the column that a key of LogColumns names; "" where it is not given.
func NamedColumn(p *Protocol, key string) string {
	for _, c := range LogColumns() {
		if c.Key == key {
			return c.Name(p)
		}
	}
	return ""
}

// KeyScoreBy says what whoever made the scores of log.score_by_arm may have read.
const KeyScoreBy = "score_by"

// What whoever set a column of the log may have read.
const (
	SetBySchedule = "schedule" // no rewards
	SetByReleased = "released" // released values of the declared mechanism, and no rewards beside
	SetByRewards  = "rewards"
	SetByUnknown  = "unknown"
)

// SetBy is a key of log that says what whoever set a column may have read. It
// has a meaning where the column is declared, and only there.
type SetBy struct {
	Key        string   // below log: eligible_by
	Columns    []string // below log: the keys that name the column; one of them has to be declared
	What       string   // what the column says of a round
	Assumption string   // that fails where rewards decided it
	Default    string   // word of the key where it is absent

	column func(p *Protocol) string
	word   func(l *Log) *string
}

// SetBys are all keys that say what whoever set a column may have read, in the
// order of their fields.
func SetBys() []SetBy {
	return []SetBy{
		{
			"eligible_by",
			[]string{KeyEligible},
			"which arms could be played", "A1", SetByUnknown,
			func(p *Protocol) string { return p.Log.Eligible }, func(l *Log) *string { return &l.EligibleBy },
		},
		{
			"batch_by",
			[]string{KeyBatch},
			"where a batch ends", "A1", SetBySchedule,
			func(p *Protocol) string { return p.Log.Batch }, func(l *Log) *string { return &l.BatchBy },
		},
		{
			"delay_by",
			[]string{KeyRewardOrder},
			"when a reward became known", "A1", SetBySchedule,
			func(p *Protocol) string { return p.Log.RewardOrder }, func(l *Log) *string { return &l.DelayBy },
		},
		{
			"unit_by",
			[]string{KeyUnit},
			"whose round comes next", "A8", SetBySchedule,
			func(p *Protocol) string { return p.Log.Unit }, func(l *Log) *string { return &l.UnitBy },
		},
		{
			"context_by",
			[]string{KeyContext, KeyContextByArm},
			"the context of a round", "A1", SetBySchedule,
			func(p *Protocol) string { // a stratum is context of its round
				if !p.Log.Context.IsZero() {
					return KeyContext
				}
				return cmp.Or(p.Log.ContextByArm, p.Strata())
			},
			func(l *Log) *string { return &l.ContextBy },
		},
		{
			KeyScoreBy,
			[]string{KeyScoreByArm},
			"the scores of a round", "A1", SetByUnknown,
			func(p *Protocol) string { return p.Log.ScoreByArm }, func(l *Log) *string { return &l.ScoreBy },
		},
	}
}

// Declared reports whether the column that the key is about is declared.
func (s SetBy) Declared(p *Protocol) bool { return s.column(p) != "" }

// Path is the key's place in a protocol.
func (s SetBy) Path() string { return "log." + s.Key }

// Word is what the protocol says: the word of the key, its default where there is
// none, and "" where the column is not declared.
func (s SetBy) Word(p *Protocol) string {
	if !s.Declared(p) {
		return ""
	}
	return cmp.Or(*s.word(&p.Log), s.Default)
}

// setByDefaults fills in the word of every key whose column is declared, and returns
// the paths of those for which schedule had to be assumed.
func setByDefaults(p *Protocol) []string {
	var assumed []string
	for _, s := range SetBys() {
		if !s.Declared(p) {
			continue
		}
		if *s.word(&p.Log) == "" && s.Default == SetBySchedule {
			assumed = append(assumed, s.Path())
		}
		*s.word(&p.Log) = s.Word(p)
	}
	return assumed
}

// withoutSetBy is the declaration without these keys, which change nothing in how
// a log is read or a policy replayed.
func withoutSetBy(l Log) Log {
	for _, s := range SetBys() {
		*s.word(&l) = ""
	}
	return l
}

// setBy judges the words, and keys whose column is not declared.
func (c logRules) setBy() {
	for _, s := range SetBys() {
		if !s.Declared(c.p) {
			column := "log." + strings.Join(s.Columns, " or log.")
			c.surplus(s.Path(), "it says what decided "+s.What+", and no column of the log does ("+column+" is not declared)", "declare the column, or delete the key")
			continue
		}
		c.closed(s.Path(), *s.word(&c.p.Log))
	}
}
