package schemas

import (
	"maps"
	"reflect"

	"banditaudit/schemas/param"
)

// Protocol is what an experimenter declares and an auditor asks: the file
// protocol.yaml. Field names are those of the YAML keys. ε, grids and
// thresholds are exact. A list with the tag shape:"one-or-list" may be written
// as its only element.
type Protocol struct { //nolint:recvcheck // a value writes itself as JSON, and a pointer is changed
	Version    int            `json:"version" schema:"range=[1,1]"` // Required; 1.
	Experiment ExperimentSpec `json:"experiment"`
	Log        Log            `json:"log"`
	Arms       []string       `json:"arms,omitempty"` // labels in index order; absent: found in the log; required by columns that are lists by arm
	Reward     RewardSpec     `json:"reward"`
	Policy     *Policy        `json:"policy,omitempty"`  // nil: none declared
	Program    *Policy        `json:"-"`                 // a policy that is a program (policy.exec): of it nothing is known but its answers, and Policy is nil
	Draw       *Draw          `json:"-"`                 // of a policy that is not declared, of which nothing is but policy.draw
	Counter    *Counter       `json:"counter,omitempty"` // nil: none declared
	Privacy    *Privacy       `json:"privacy,omitempty"` // nil: nothing claimed
	Analysis   Analysis       `json:"analysis,omitzero"`
	Claims     []Claim        `json:"claims,omitempty"`
	Assumed    []string       `json:"-"` // paths of what somebody decided and the file does not say: log.context_by; their defaults, which are the favourable word, stand in their places
}

// MarshalJSON writes the keys of the file.
func (p Protocol) MarshalJSON() ([]byte, error) {
	type plain Protocol
	switch {
	case p.Policy != nil:
	case p.Program != nil:
		p.Policy = p.Program
	case p.Draw != nil:
		p.Policy = &Policy{Draw: p.Draw}
	}
	return compact(plain(p))
}

// undeclared takes a policy of which nothing is declared but its draws for none, and a
// program for what it is.
func undeclared(p *Protocol) {
	if p.Policy != nil && p.Policy.Exec != nil {
		p.Policy, p.Program, p.Draw = nil, p.Policy, p.Policy.Draw
		return
	}
	if p.Policy == nil || p.Policy.Draw == nil {
		return
	}
	if bare := (Policy{Draw: p.Policy.Draw}); reflect.DeepEqual(*p.Policy, bare) {
		p.Policy, p.Draw = nil, bare.Draw
	}
}

// DrawnBy is whose rounds share a draw by declaration: round or unit; "" where
// that is not declared.
func (p Protocol) DrawnBy() string {
	d := p.Draw
	if p.Policy != nil {
		d = p.Policy.Draw
	}
	switch {
	case d == nil:
		return ""
	case d.Hash != "":
		return DrawByUnit
	}
	return d.By
}

// Hashed is the draw by a hash of the unit's key that is declared; nil for none.
func (p Protocol) Hashed() *Draw {
	d := p.Draw
	if p.Policy != nil {
		d = p.Policy.Draw
	}
	if d == nil || d.Hash == "" {
		return nil
	}
	return d
}

// DrawWords are the key by which one draw a unit is declared, in a sentence.
func (p Protocol) DrawWords() string {
	if d := p.Hashed(); d != nil {
		return "policy.draw: {hash: " + d.Hash + "}"
	}
	return "policy.draw: {by: unit}"
}

// ExperimentSpec names the experiment, or the column that does.
type ExperimentSpec struct {
	ID       string `json:"id,omitempty" schema:"either=column"`
	Column   string `json:"column,omitempty"`
	Stopping string `json:"stopping,omitempty" schema:"words=fixed|rule-on-released|unknown"` // fixed | rule-on-released | unknown. Defaults to unknown.
}

// Stopping rules.
const (
	StoppingFixed    = "fixed"
	StoppingReleased = "rule-on-released"
	StoppingUnknown  = "unknown"
)

// Log maps columns of the log to roles.
type Log struct {
	Order           []string `json:"order" shape:"one-or-list" schema:"count=[1,inf)"` // Required: columns compared in turn
	Ties            string   `json:"ties,omitempty" schema:"words=error|file-order"`   // error | file-order. Defaults to error.
	Action          string   `json:"action"`                                           // Required.
	Reward          string   `json:"reward,omitempty" schema:"either=reward_by_arm"`   // Required unless reward_by_arm.
	RewardOrder     string   `json:"reward_order,omitempty"`                           // when the reward became known, on the scale of the first order column; a decision could use it where this is strictly before its own time, and not where the two are equal; a null: never
	Propensity      string   `json:"propensity,omitempty"`                             // P(logged action)
	PropensityByArm string   `json:"propensity_by_arm,omitempty"`                      // lists of all columns by arm are in the order of arms
	// PropensityResolution is how far a logged propensity may be from the true
	// one, absolutely, because of how it was computed or written; in (0, 0.1].
	PropensityResolution *float64 `json:"propensity_resolution,omitempty" schema:"range=(0,0.1]"`
	// PropensityDraws says that logged propensities are shares of so many draws.
	PropensityDraws *Draws `json:"propensity_draws,omitempty"`
	// Drawn says how the action was drawn beside them: from these shares, or as one
	// of the draws; or by one more draw, so that its own share may be 0.
	Drawn         string  `json:"drawn,omitempty" schema:"words=from-estimate|one-more"` // Defaults to from-estimate, where propensity_draws is declared.
	Context       Context `json:"context,omitzero"`
	ContextBy     string  `json:"context_by,omitempty" schema:"words=schedule|released|rewards|unknown"` // what whoever set the context may have read. Defaults to schedule, where it is declared.
	ContextByArm  string  `json:"context_by_arm,omitempty"`
	RewardByArm   string  `json:"reward_by_arm,omitempty"`
	ReleasedByArm string  `json:"released_by_arm,omitempty"`
	ScoreByArm    string  `json:"score_by_arm,omitempty"`                                                 // what a policy compared in the round: a number for each arm
	ScoreBy       string  `json:"score_by,omitempty" schema:"words=schedule|released|rewards|unknown"`    // what whoever made the scores may have read, a model that was fitted to rewards among them. Defaults to unknown, where they are declared.
	Eligible      string  `json:"eligible,omitempty"`                                                     // labels, or a boolean for each arm; a null list: all arms
	EligibleBy    string  `json:"eligible_by,omitempty" schema:"words=schedule|released|rewards|unknown"` // what whoever set it may have read. Defaults to unknown, where it is declared.
	Batch         string  `json:"batch,omitempty"`
	BatchBy       string  `json:"batch_by,omitempty" schema:"words=schedule|released|rewards|unknown"` // Defaults to schedule, where batch is declared.
	DelayBy       string  `json:"delay_by,omitempty" schema:"words=schedule|released|rewards|unknown"` // Defaults to schedule, where reward_order is declared.
	Unit          string  `json:"unit,omitempty"`
	UnitBy        string  `json:"unit_by,omitempty" schema:"words=schedule|released|rewards|unknown"` // Defaults to schedule, where unit is declared.
	// KeepProb says that rows of the deployment were dropped by chance: with which
	// probability a row is in the log.
	KeepProb *KeepProb `json:"keep_prob,omitempty"`
	// KeepBy says what dropping a row may have read: schedule, nothing that it held; action,
	// what was known before its reward.
	KeepBy        string `json:"keep_by,omitempty" schema:"words=schedule|action|rewards|unknown"`          // Defaults, where keep_prob is declared, to schedule beside a number and to unknown beside a column.
	MissingReward string `json:"missing_reward,omitempty" schema:"words=error|exclude|exclude-independent"` // error | exclude | exclude-independent. Defaults to error.
}

// Context is either flat columns or one list column. In YAML and JSON it is a
// sequence of columns, or {list: name}.
type Context struct {
	Columns []ContextColumn
	List    string
}

// IsZero reports whether no context is declared.
func (c Context) IsZero() bool { return len(c.Columns) == 0 && c.List == "" }

// SchemaForm is the JSON Schema of both forms.
func (Context) SchemaForm() string {
	return `{"description": "Flat columns, or one list column.", "anyOf": [
		{"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/ContextColumn"}},
		{"type": "object", "additionalProperties": false, "required": ["list"], "properties": {"list": {"$ref": "#/$defs/Text"}}}]}`
}

// MarshalJSON writes the form that the protocol uses.
func (c Context) MarshalJSON() ([]byte, error) {
	if c.List != "" {
		return compact(map[string]string{"list": c.List})
	}
	return compact(c.Columns)
}

// ContextColumn is one flat column; categorical when Levels are given. In YAML
// and JSON it is a name, or {column, levels, baseline}.
type ContextColumn struct {
	Column   string   `json:"column"`
	Levels   []string `json:"levels,omitempty" schema:"count=[2,inf); empty"`
	Baseline *string  `json:"baseline,omitempty" schema:"empty"` // Defaults to the first level; a level may be the empty text.
}

// SchemaForm is the JSON Schema of both forms.
func (ContextColumn) SchemaForm() string {
	return `{"description": "A column of numbers by its name, or one of words with the words that it has.", "anyOf": [
		{"$ref": "#/$defs/Text"},
		{"type": "object", "additionalProperties": false, "required": ["column"], "properties": {
			"column": {"$ref": "#/$defs/Text"},
			"levels": {"type": "array", "minItems": 2, "items": {"type": ["string", "number", "boolean"]}},
			"baseline": {"description": "Defaults to the first level.", "type": ["string", "number", "boolean"]}}}]}`
}

// MarshalJSON writes a numeric column as its name.
func (c ContextColumn) MarshalJSON() ([]byte, error) {
	if len(c.Levels) == 0 {
		return compact(c.Column)
	}
	type plain ContextColumn
	return compact(plain(c))
}

// RewardSpec is the public range of the reward.
type RewardSpec struct {
	Range      []float64 `json:"range" schema:"count=[2,2]"`                       // Required: [lo, hi], lo < hi, never read off the data.
	OutOfRange string    `json:"out_of_range,omitempty" schema:"words=error|clip"` // error | clip. Defaults to error.
}

// Policy declares the selection functions f_t. Its keys of its own, such as eta
// or width, are those that the catalogue gives the named policy.
type Policy struct { //nolint:recvcheck // a value writes itself as JSON, and a pointer is changed
	Name  string `json:"name,omitempty" schema:"ref=#/$defs/PolicyName"`                         // Required beside any other key but draw.
	Like  string `json:"like,omitempty" schema:"ref=#/$defs/LikeName"`                           // Fills in the keys of a library's policy that are not written.
	Own   Values `json:"-"`                                                                      // the keys that not every policy has
	Floor *Floor `json:"floor,omitempty"`                                                        // Defaults to none.
	Ties  string `json:"ties,omitempty" schema:"words=first|last|seeded|random|any|shared|name"` // Defaults to first.
	// NearTies is the relative window within which indices count as equal.
	NearTies Rational `json:"near_ties,omitzero"`
	Order    []string `json:"order,omitempty"` // The policy's own order of arms. Defaults to that of arms.
	By       By       `json:"by,omitempty"`    // The column of which every value has a state of the policy of its own. Defaults to one state of all rounds.
	Draw     *Draw    `json:"draw,omitempty"`  // Defaults to {by: round} where no unit is declared; elsewhere it is left open.
	Update   *Update  `json:"update,omitempty"`
	Draws    int64    `json:"draws,omitempty" schema:"range=[1,inf)"`
	Seed     *Seed    `json:"seed,omitempty"`

	Exec         []string          `json:"exec,omitempty" schema:"count=[1,inf)"`                // A program and its arguments, in place of name; those that are files below the protocol's directory are handed over by their absolute paths.
	ExecEnv      []string          `json:"exec_env,omitempty"`                                   // Variables of the environment that it is given, beside PATH, HOME, LANG and TMPDIR.
	Gives        string            `json:"gives,omitempty" schema:"words=arm|propensities|both"` // Defaults to arm.
	Parameters   Parameters        `json:"parameters,omitempty"`                                 // Handed to the program as they are.
	SHA256       map[string]string `json:"sha256,omitempty"`                                     // Digests of files below the protocol's directory, by name.
	Timeout      string            `json:"timeout,omitempty"`                                    // For every answer, the first included. Defaults to 30s, and to 5m for the first.
	Memory       string            `json:"memory,omitempty"`                                     // Resident memory of the program and what it starts. Defaults to 2GiB.
	FirstTimeout string            `json:"-"`                                                    // For the first answer: Timeout where it was declared, else 5m.
	ReadsRewards *bool             `json:"reads_rewards,omitempty"`                              // Whether rewards are handed to it. Defaults to true.
}

// policyType is the type whose fields are the keys that every policy has.
func policyType() reflect.Type { return reflect.TypeFor[Policy]() }

// Set declares a key of the policy's own. A policy that shares Own is not changed.
func (p *Policy) Set(key string, value any) { p.Own = p.Own.With(key, value) }

// MarshalJSON writes the keys of all policies and those of this one, in the
// order of param.InOrder.
func (p Policy) MarshalJSON() ([]byte, error) {
	all := Values{}
	maps.Copy(all, p.Own)
	for key, value := range map[string]any{
		"name": p.Name, "like": p.Like, "floor": p.Floor, "ties": p.Ties, "near_ties": p.NearTies, "order": p.Order, "by": p.By, "draw": p.Draw, "update": p.Update, "draws": p.Draws, "seed": p.Seed,
		"exec": p.Exec, "exec_env": p.ExecEnv, "gives": p.Gives, "parameters": p.Parameters, "sha256": p.SHA256, "timeout": p.Timeout, "memory": p.Memory, "reads_rewards": p.ReadsRewards,
	} {
		if !reflect.ValueOf(value).IsZero() {
			all[key] = value
		}
	}
	maps.DeleteFunc(all, func(key string, _ any) bool { return !all.Has(key) })
	return all.MarshalJSON()
}

// Floor is the least probability of one eligible arm, and how the policy's own are made to
// keep it: a number, or {kind: word, value: number}. Under clip the value is that before
// the propensities are divided by their sum.
type Floor struct {
	Kind  string  `json:"kind" schema:"words=mix|clip|water|rest"` // "": mix
	Value float64 `json:"value" schema:"range=[0,1)"`
}

// Mix returns a floor that is mixed in.
func Mix(value float64) *Floor { return &Floor{param.FloorMix, value} }

// Mixed reports whether the floor is one that is mixed in.
func (f Floor) Mixed() bool { return f.Kind == "" || f.Kind == param.FloorMix }

// SchemaForm is the JSON Schema of both forms.
func (Floor) SchemaForm() string {
	return `{"description": "The least probability of one eligible arm: mixed in, or by its kind. mix: f + (1 - m*f)*p over m eligible arms; clip: max(p, f), divided by its sum; water: max(p - t, f) with the t at which the sum is 1; rest: max(p, f) of all but the best, which has what is left.", "anyOf": [
		{"type": "number", "minimum": 0, "exclusiveMaximum": 1},
		{"$ref": "#/$defs/Fraction"},
		{"type": "object", "additionalProperties": false, "minProperties": 1, "properties": {
			"kind": {"enum": ["mix", "clip", "water", "rest"]},
			"value": {"anyOf": [{"type": "number", "minimum": 0, "exclusiveMaximum": 1}, {"$ref": "#/$defs/Fraction"}]}}}]}`
}

// MarshalJSON writes a floor that is mixed in as its number.
func (f Floor) MarshalJSON() ([]byte, error) {
	if f.Mixed() {
		return compact(f.Value)
	}
	type plain Floor
	return compact(plain(f))
}

// By is the column of strata: the policy has one state for each of its values. In YAML and
// JSON it is a name, or {column: name}.
type By string

// SchemaForm is the JSON Schema of both forms.
func (By) SchemaForm() string {
	return `{"description": "The column of which every value has a state of the policy of its own.", "anyOf": [
		{"$ref": "#/$defs/Text"},
		{"type": "object", "additionalProperties": false, "required": ["column"], "properties": {"column": {"$ref": "#/$defs/Text"}}}]}`
}

// Strata is the column of policy.by; "" where the policy has one state.
func (p Protocol) Strata() string {
	if p.Policy == nil {
		return ""
	}
	return string(p.Policy.By)
}

// Whose rounds share a draw.
const (
	DrawByRound = "round" // every round has its own
	DrawByUnit  = "unit"  // those of a unit, while the weights stand still
)

// Draw says which rounds share one draw of an action, or that nothing is drawn: the arm
// is that of the ranges of [0,1) in which a hash of the unit's key lies.
type Draw struct {
	By   string `json:"by,omitempty" schema:"words=round|unit" reader:"needed"` // Required where hash is absent, and not beside it.
	Hash string `json:"hash,omitempty" schema:"words=growthbook-v1|growthbook-v2"`
	// Seed is hashed together with the key of the unit; it may be empty. Required with hash.
	Seed *string `json:"seed,omitempty" schema:"empty" reader:"needed"`
	Unit string  `json:"unit,omitempty" reader:"needed"` // The column of the keys. Required with hash; log.unit is the same.
	// Coverage is how much of each range is in the experiment: [s, s + coverage*weight), s
	// being the sum of the weights before the arm. Defaults to 1, where hash is declared.
	Coverage *float64 `json:"coverage,omitempty" schema:"range=(0,1]"`
}

// SeedText is the seed of a hash.
func (d *Draw) SeedText() string {
	if d.Seed == nil {
		return ""
	}
	return *d.Seed
}

// Words of Hash.
const (
	HashGrowthBook1 = "growthbook-v1"
	HashGrowthBook2 = "growthbook-v2"
)

// Seed says where the 32-byte master seed is: in a file (64 hex digits, path
// relative to the protocol), in a column, or inline. Bytes is filled by
// LoadProtocol from a file or inline seed and is never written; SHA256 is its
// digest and is what the effective protocol shows. A protocol may give SHA256
// itself: with File it is checked, alone it commits to a seed that is not
// shown, and the audit has none.
type Seed struct { //nolint:recvcheck // a value says its form, and a pointer keeps the seed
	File   string `json:"file,omitempty"`
	Column string `json:"column,omitempty"`
	Inline bool   `json:"-"`
	Bytes  []byte `json:"-"`
	SHA256 string `json:"sha256,omitempty" schema:"pattern=^[0-9a-fA-F]{64}$"`
}

// SchemaForm is the JSON Schema of all forms.
func (Seed) SchemaForm() string {
	return `{"description": "Where the 32-byte master seed is: in a file of 64 hex digits, whose path is relative to the protocol; in a column; or the digits themselves. With sha256 a seed file is checked; sha256 alone commits to a seed that is not shown, and the audit has none.", "anyOf": [
		{"type": "string", "pattern": "^[0-9a-fA-F]{64}$"},
		{"type": "object", "additionalProperties": false, "properties": {
			"file": {"$ref": "#/$defs/Text"},
			"column": {"$ref": "#/$defs/Text"},
			"sha256": {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"}}}]}`
}

// Counter declares the mechanism that releases running sums of an arm's
// rewards. Epsilon is that of each arm's counter; the total is the maximum
// over arms.
type Counter struct {
	Name        string   `json:"name" schema:"ref=#/$defs/CounterName"` // Required.
	Epsilon     Rational `json:"epsilon,omitzero"`
	Horizon     int64    `json:"horizon,omitempty" schema:"range=[1,inf)"` // rounds; required by binary, tree and interval, and by a bonus
	Grid        Rational `json:"grid,omitzero"`                            // lattice of rewards and noise; a power of two at most 1. Defaults to 2^-20.
	Exponent    Rational `json:"exponent,omitzero"`                        // of interval: noise on a sum of N rewards has scale N^(exponent/2); in (1, 3/2], with a denominator of at most 100. Defaults to 1.1.
	Sensitivity Rational `json:"sensitivity,omitzero"`                     // of linear policies: the ‖context‖₁ that the noise was scaled for. Defaults to policy.context_l1.
}

// Privacy is the claim about the mechanism.
type Privacy struct {
	Definition string   `json:"definition,omitempty" schema:"words=pure|approximate|zcdp"` // pure | approximate | zcdp. Defaults to pure.
	Epsilon    Rational `json:"epsilon,omitzero"`
	Rho        Rational `json:"rho,omitzero"`
	Delta      *float64 `json:"delta,omitempty" schema:"range=[0,1)"`
	Unit       string   `json:"unit,omitempty" schema:"words=round|user"` // round | user. Defaults to round.
}

// Analysis is what the auditor asks.
type Analysis struct {
	Chosen       string           `json:"chosen,omitempty" schema:"words=before|from-actions|after-rewards"`     // before | from-actions | after-rewards. Required with tests.
	Alpha        float64          `json:"alpha,omitempty" schema:"range=(0,0.5]"`                                // Defaults to 0.05.
	Decide       string           `json:"decide,omitempty" schema:"ref=#/$defs/DecideWord"`                      // which method decides a test: auto, or the name of one. Defaults to auto.
	Multiplicity string           `json:"multiplicity,omitempty" schema:"words=none|bonferroni|holm|bh|by|e-bh"` // none | bonferroni | holm | bh | by | e-bh. Defaults to holm.
	Means        string           `json:"means,omitempty" schema:"words=varying|constant"`                       // varying | constant. constant: given everything before the draw of a round, contexts included, the expected reward of an arm is the same number in every round that played it. It fails where a context that rewards follow steers the policy. Defaults to varying.
	Carryover    string           `json:"carryover,omitempty" schema:"words=possible|none"`                      // possible | none: whether playing an arm may change later rewards. none is a declaration that answers by rerun rest on. Defaults to possible.
	Sequence     string           `json:"sequence,omitempty" schema:"words=bets|beta-binomial|normal"`           // bets | beta-binomial | normal: which confidence sequences are printed of arms. beta-binomial needs means: constant. Defaults to bets.
	Approximate  string           `json:"approximate,omitempty" schema:"words=refuse|accept"`                    // refuse | accept: whether a raw p that holds for many rounds only may decide. Defaults to refuse.
	Control      string           `json:"control,omitempty"`
	Correction   Correction       `json:"correction,omitzero"`
	Rerun        Rerun            `json:"rerun,omitzero"`
	Regressions  []RegressionSpec `json:"regressions,omitempty"`
	Tests        []TestSpec       `json:"tests,omitempty"`
	Evaluate     []EvaluationSpec `json:"evaluate,omitempty"`
	ClipWeights  *float64         `json:"clip_weights,omitempty" schema:"range=[1,inf)"`
}

// Words of Means.
const (
	MeansVarying  = "varying"
	MeansConstant = "constant"
)

// Words of Carryover.
const (
	CarryoverPossible = "possible"
	CarryoverNone     = "none"
)

// DecideAuto is the word of Decide that names no method.
const DecideAuto = param.DecideAuto

// Words of Sequence.
const (
	SequenceBets         = "bets"
	SequenceBetaBinomial = "beta-binomial"
	SequenceNormal       = "normal"
)

// Words of Approximate.
const (
	ApproximateRefuse = "refuse"
	ApproximateAccept = "accept"
)

// Chosen words.
const (
	ChosenBefore       = "before"
	ChosenFromActions  = "from-actions"
	ChosenAfterRewards = "after-rewards"
)

// Correction selects the correction of p-values.
type Correction struct {
	Method string   `json:"method,omitempty" schema:"ref=#/$defs/CorrectionName"`                                                   // conditional | recursion | theorem20 | best. Defaults to conditional.
	Beta   string   `json:"beta,omitempty" schema:"pattern=^(best|[+]?((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?)$"` // best, or a number in (0,1). Defaults to best.
	Also   []string `json:"also,omitempty" schema:"unique; ref=#/$defs/AlsoName"`                                                   // forms that are printed on request only: approximate, zcdp
}

// Forms of Correction.Also.
const (
	AlsoApproximate = "approximate" // (ε,δ)
	AlsoZCDP        = "zcdp"
)

// RegressionSpec declares a family of least-squares fits.
type RegressionSpec struct {
	Name         string     `json:"name"`
	Arms         string     `json:"arms,omitempty"`    // each, pooled, or a label. Defaults to each.
	Columns      []string   `json:"columns,omitempty"` // of the declared context; absent: all
	Covariance   Covariance `json:"covariance,omitzero"`
	Intercept    *bool      `json:"intercept,omitempty"`    // Defaults to true.
	Interactions bool       `json:"interactions,omitempty"` // pooled: of every arm with every column
}

// ArmsPooled asks for one regression over the rows of all arms, with a dummy of
// each arm but the control (the first arm where none is declared).
const ArmsPooled = "pooled"

// Covariance is classical, HC0…HC3, or {cluster: unit | batch, kind: CR0 | CR1}.
type Covariance struct {
	Kind    string // Defaults to HC3, beside Cluster to CR1.
	Cluster string // unit | batch
}

// IsZero reports whether nothing was declared.
func (c Covariance) IsZero() bool { return c.Kind == "" && c.Cluster == "" }

// SchemaForm is the JSON Schema of both forms.
func (Covariance) SchemaForm() string {
	return `{"description": "How standard errors are computed.", "anyOf": [
		{"enum": ["classical", "HC0", "HC1", "HC2", "HC3"]},
		{"type": "object", "additionalProperties": false, "properties": {
			"cluster": {"enum": ["unit", "batch"]},
			"kind": {"description": "Defaults to CR1.", "enum": ["CR0", "CR1"]}}}]}`
}

// MarshalJSON writes the form that the protocol uses.
func (c Covariance) MarshalJSON() ([]byte, error) {
	if c.Cluster == "" {
		return compact(c.Kind)
	}
	return compact(struct {
		Cluster string `json:"cluster"`
		Kind    string `json:"kind,omitempty"`
	}{c.Cluster, c.Kind})
}

// Selectors of a test's arm; any other word is a label.
const (
	SelectMostPulled  = "most-pulled"
	SelectLeastPulled = "least-pulled"
	SelectEach        = "each"
)

// TestSpec declares one hypothesis. Either Mean, or Regression with
// Coefficient or Joint, or Difference, or Equal says which kind.
type TestSpec struct {
	ID          string             `json:"id"`
	Arm         string             `json:"arm,omitempty"`
	Mean        *float64           `json:"mean,omitempty"`
	Test        string             `json:"test,omitempty" schema:"ref=#/$defs/TestName"` // exact | t | z | welch | hoeffding | bets | bernstein
	Sigma       *float64           `json:"sigma,omitempty" schema:"range=(0,inf)"`
	Regression  string             `json:"regression,omitempty"`
	Coefficient string             `json:"coefficient,omitempty"`
	Value       *float64           `json:"value,omitempty"`
	Joint       map[string]float64 `json:"joint,omitempty"`
	Difference  []string           `json:"difference,omitempty" schema:"count=[0,2]"`
	Equal       []string           `json:"equal,omitempty" shape:"one-or-list" schema:"count=[0,2]"`    // ["all"] or two labels: do these arms pay alike in every round
	P           *float64           `json:"p,omitempty" schema:"range=(0,1]"`                            // of a test that was carried out elsewhere
	Rows        []string           `json:"rows,omitempty" shape:"one-or-list"`                          // ["all"] or labels of the arms whose rounds that test read
	Selector    string             `json:"selector,omitempty" schema:"words=declared"`                  // declared: Rows were named beforehand. Defaults to declared.
	Alternative string             `json:"alternative,omitempty" schema:"words=two-sided|greater|less"` // two-sided | greater | less. Defaults to two-sided.
	Decide      string             `json:"decide,omitempty" schema:"ref=#/$defs/DecideWord"`            // of this test. Defaults to that of the analysis.
}

// Claim is one claim that the audit must come to a verdict on.
type Claim struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind" schema:"ref=#/$defs/ClaimKind"`
	Comparator string   `json:"comparator,omitempty" schema:"words=<="` // <= only
	Threshold  Rational `json:"threshold,omitzero"`
	Arms       []string `json:"arms,omitempty" shape:"one-or-list"`                  // ["all"] or labels
	Severity   string   `json:"severity,omitempty" schema:"words=required|advisory"` // required | advisory. Defaults to required.
	Test       string   `json:"test,omitempty"`
	Finding    string   `json:"finding,omitempty" schema:"words=rejected"` // rejected
}
