package schemas

// Regression is one fitted least-squares model.
type Regression struct {
	Name            string        `json:"name"`
	Arm             int           `json:"arm" schema:"range=[-1,inf)"` // 0-based; -1 for pooled
	Label           string        `json:"label"`
	N               int64         `json:"n"`
	Columns         []string      `json:"columns"`
	Dropped         []string      `json:"dropped"` // columns that are linear combinations of earlier ones
	Rank            int           `json:"rank"`
	ConditionNumber *float64      `json:"condition_number"`
	Covariance      string        `json:"covariance"`
	DFResidual      int64         `json:"df_residual"`
	RSquared        *float64      `json:"r_squared"`
	AdjRSquared     *float64      `json:"adj_r_squared"`
	FStatistic      *float64      `json:"f_statistic"`
	FDF1            *float64      `json:"f_df1" schema:"range=[0,inf)"`
	FDF2            *float64      `json:"f_df2" schema:"range=[0,inf)"`
	FP              *float64      `json:"f_p" schema:"range=[0,1]"`
	FLog2P          *Extended     `json:"f_log2_p"`
	Sigma2          *float64      `json:"sigma2"`
	MaxLeverage     *float64      `json:"max_leverage" schema:"range=[0,inf)"`
	Clusters        *int64        `json:"clusters"`                          // null unless the covariance is by cluster
	Sigma           *Extended     `json:"sigma"`                             // √(2Σρ_BR) over the rows (units, clusters) it reads
	BiasRMS         *float64      `json:"bias_rms" schema:"range=[0,inf)"`   // bound on the root mean square bias of predictions over the rows
	BiasWorst       *float64      `json:"bias_worst" schema:"range=[0,inf)"` // bound on the bias of any one prediction at a logged context
	BiasWorstForm   string        `json:"bias_worst_form"`                   // how: exact over distinct contexts, or √(N·h)
	Contexts        *int64        `json:"contexts"`                          // distinct contexts among the rows; null where they were too many to count
	BiasPaper       *float64      `json:"bias_paper" schema:"range=[0,inf)"` // (hi−lo)·(e^ε−1), the published contextual bound, which does not hold for the largest bias
	Coefficients    []Coefficient `json:"coefficients"`
}

// Coefficient is one coefficient of a regression.
type Coefficient struct {
	Name           string    `json:"name"`
	Estimate       *float64  `json:"estimate"`
	StdError       *float64  `json:"std_error"`
	Statistic      *float64  `json:"statistic"`
	P              *float64  `json:"p" schema:"range=[0,1]"`
	Log2P          *Extended `json:"log2_p"`
	CI             *Interval `json:"ci"`
	BiasBound      *float64  `json:"bias_bound" schema:"range=[0,inf)"` // (hi−lo)·Σ_t |w_t|·tanh(c_t/4), w the coefficient's weights of the rows
	PCorrected     *float64  `json:"p_corrected" schema:"range=[0,1]"`
	Log2PCorrected *Extended `json:"log2_p_corrected"`
	CICorrected    *Interval `json:"ci_corrected"`
}
