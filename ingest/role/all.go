package role

import (
	"strings"

	"banditaudit/schemas"
)

// Role is what a column of the log is for: the protocol's key, and where a key
// has two forms, a dot and the form.
type Role string

// The roles.
const (
	Experiment      Role = schemas.KeyExperiment
	Order           Role = schemas.KeyOrder
	Action          Role = schemas.KeyAction
	Reward          Role = schemas.KeyReward
	Propensity      Role = schemas.KeyPropensity
	PropensityByArm Role = schemas.KeyPropensityByArm
	Context         Role = schemas.KeyContext
	ContextList     Role = schemas.KeyContext + ".list"
	ContextByArm    Role = schemas.KeyContextByArm
	RewardByArm     Role = schemas.KeyRewardByArm
	ReleasedByArm   Role = schemas.KeyReleasedByArm
	ScoreByArm      Role = schemas.KeyScoreByArm
	Eligible        Role = schemas.KeyEligible
	RewardOrder     Role = schemas.KeyRewardOrder
	Batch           Role = schemas.KeyBatch
	Unit            Role = schemas.KeyUnit
	Draws           Role = schemas.KeyPropensityDraws
	Target          Role = "target"
	Position        Role = "position"
	Stratum         Role = schemas.KeyBy
	Clock           Role = "clock"
	KeepProb        Role = schemas.KeyKeepProb
)

// String is the role's name in the manifest: the protocol's key.
func (r Role) String() string {
	key, _, _ := strings.Cut(string(r), ".")
	return key
}

// All are the columns that this program knows, in the order in which they are
// asked for: a column stands behind those that its rule needs.
func All() List {
	return List{
		experiment(), order(), action(), reward(), propensity(), propensityByArm(), context(), contextList(), contextByArm(),
		rewardByArm(), releasedByArm(), scoreByArm(), eligible(), rewardOrder(), batch(), position(), unit(), draws(), keepProb(), target(), stratum(), clock(),
	}
}
