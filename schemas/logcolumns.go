package schemas

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
	KeyEligible        = "eligible"
	KeyRewardOrder     = "reward_order"
	KeyBatch           = "batch"
	KeyUnit            = "unit"
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
		{Key: KeyContext, Path: "log.context.list", Name: func(p *Protocol) string { return p.Log.Context.List }},
		inArmOrder(log(KeyContextByArm, func(l *Log) string { return l.ContextByArm })),
		rewards(inArmOrder(log(KeyRewardByArm, func(l *Log) string { return l.RewardByArm }))),
		inArmOrder(log(KeyReleasedByArm, func(l *Log) string { return l.ReleasedByArm })),
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
