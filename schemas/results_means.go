package schemas

// Means is what was looked at of the declaration that each arm's mean is constant.
type Means struct {
	Code   string       `json:"code" schema:"words=means-contradicted|"` // means-contradicted; empty where no check contradicts it
	Checks []MeansCheck `json:"checks"`
}

// CodeMeansContradicted is the code of a declaration that a check contradicts.
const CodeMeansContradicted = "means-contradicted"

// MeansCheck is one look at that declaration.
type MeansCheck struct {
	Check       string   `json:"check" schema:"words=sequence|contexts|weights|drift|steering"`
	Looked      int      `json:"looked"`    // arms, or pairs of arm and context
	Label       string   `json:"label"`     // the arm that contradicts it most
	Context     string   `json:"context"`   // that its rewards follow, or that it is played by (steering)
	Statistic   *float64 `json:"statistic"` // z; null where there is none
	Threshold   *float64 `json:"threshold"` // of its absolute value
	Contradicts bool     `json:"contradicts"`
}

// Steering says that arms follow a declared context: their means as played are then over
// different visitors, and rank no arm.
type Steering struct {
	Policy    bool     `json:"policy"`    // a policy that sees the contexts of a round is declared
	Context   string   `json:"context"`   // that an arm follows most; empty where policy says it
	Label     string   `json:"label"`     // that arm
	Statistic *float64 `json:"statistic"` // z of its plays on one side of the context against those of neighbouring rounds; null where policy says it
	Threshold *float64 `json:"threshold"` // of its absolute value
}

// Words of MeansCheck.Check.
const (
	MeansBySequence = "sequence" // the confidence sequence of an arm is empty
	MeansByContexts = "contexts" // the rewards of an arm follow a declared context
	MeansByWeights  = "weights"  // the weighted mean of an arm is not its plain one
	MeansByDrift    = "drift"    // check H13
	MeansBySteering = "steering" // arms follow a context, and no propensities are known
)
