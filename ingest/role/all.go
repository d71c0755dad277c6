package role

import "strings"

// Role is what a column of the log is for: the protocol's key, and where a key
// has two forms, a dot and the form.
type Role string

// The roles.
const (
	Experiment      Role = "experiment"
	Order           Role = "order"
	Action          Role = "action"
	Reward          Role = "reward"
	Propensity      Role = "propensity"
	PropensityByArm Role = "propensity_by_arm"
	Context         Role = "context"
	ContextList     Role = "context.list"
	ContextByArm    Role = "context_by_arm"
	RewardByArm     Role = "reward_by_arm"
	ReleasedByArm   Role = "released_by_arm"
	Eligible        Role = "eligible"
	RewardOrder     Role = "reward_order"
	Batch           Role = "batch"
	Unit            Role = "unit"
	Draws           Role = "propensity_draws"
	Target          Role = "target"
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
		rewardByArm(), releasedByArm(), eligible(), rewardOrder(), batch(), unit(), draws(), target(),
	}
}
