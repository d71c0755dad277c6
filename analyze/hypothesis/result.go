package hypothesis

// Result is the outcome of one test. A field that does not exist for a test or
// for the data is NaN, with a warning where the data are the reason.
type Result struct {
	N         int64   // rows used
	Estimate  float64 // of the parameter tested
	StdErr    float64 // of Estimate
	Statistic float64
	DF        float64 // degrees of freedom of Statistic; +Inf for the normal law
	LogP      float64 // ln p, at most 0
	Lo, Hi    float64 // interval at the level asked; ±Inf at the open end of a one-sided one
	Warnings  []string
}
