package schemas

// Means is what was looked at of the declaration that each arm's mean is constant.
type Means struct {
	Code   string       `json:"code" schema:"words=means-contradicted|"` // means-contradicted; empty where no check contradicts it
	Checks []MeansCheck `json:"checks"`
}

// CodeMeansContradicted is that of a declaration that a check contradicts.
const CodeMeansContradicted = "means-contradicted"

// MeansCheck is one look at that declaration.
type MeansCheck struct {
	Check       string   `json:"check" schema:"words=sequence|contexts|weights|drift"`
	Looked      int      `json:"looked"`              // arms, or pairs of arm and context
	Label       string   `json:"label,omitempty"`     // the arm that contradicts it most
	Context     string   `json:"context,omitempty"`   // that its rewards follow
	Statistic   *float64 `json:"statistic,omitempty"` // z
	Threshold   *float64 `json:"threshold,omitempty"` // of its absolute value
	Contradicts bool     `json:"contradicts"`
}

// Words of MeansCheck.Check.
const (
	MeansBySequence = "sequence" // the confidence sequence of an arm is empty
	MeansByContexts = "contexts" // the rewards of an arm follow a declared context
	MeansByWeights  = "weights"  // the weighted mean of an arm is not its plain one
	MeansByDrift    = "drift"    // check H13
)
