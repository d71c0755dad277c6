package schemas

// SummarySchema is the value of Summary.Schema.
const SummarySchema = "summary.v1"

// Bounds of a summary, so that it has at most 10,000 bytes whatever was audited.
const (
	// MaxSummarized is how many failed experiments a summary names.
	MaxSummarized = 20
	maxLabelBytes = 100
	maxPlaceBytes = 500
)

// Summary is what --json=summary prints: what came of a run, in at most 10,000 bytes for
// any number of experiments, for schedulers that keep little of what a task prints.
type Summary struct {
	Schema      string        `json:"schema" schema:"const=summary.v1"` // always SummarySchema
	Tool        Tool          `json:"tool"`
	RunID       string        `json:"run_id" schema:"sha256"` // that of results.json
	Overall     string        `json:"overall" schema:"pattern=^(NO EXCEPTIONS NOTED|(EXCEPTIONS NOTED|INCOMPLETE) \\([1-9][0-9]*\\))(, [1-9][0-9]* CAUTIONS)?$"`
	Cautions    int           `json:"cautions" schema:"range=[0,inf)"` // of all experiments
	Experiments int           `json:"experiments" schema:"range=[0,inf)"`
	Verdicts    VerdictCounts `json:"verdicts"` // of all claims, advisory ones too
	// Failed counts the experiments of which a required claim is VIOLATED, NOT ESTABLISHED
	// or NOT RUN.
	Failed int `json:"failed" schema:"range=[0,inf)"`
	// FailedExperiments are the first 20 of them, those with a VIOLATED claim first, else
	// in the order of results.json.
	FailedExperiments []FailedExperiment `json:"failed_experiments" schema:"count=[0,20]"`
	// Paths is null where the path that -o gives takes more than 500 bytes.
	Paths *SummaryPaths `json:"paths"`
}

// VerdictCounts counts claims by verdict.
type VerdictCounts struct {
	Verified       int `json:"VERIFIED"`
	Consistent     int `json:"CONSISTENT"`
	Violated       int `json:"VIOLATED"`
	NotEstablished int `json:"NOT ESTABLISHED"`
	NotApplicable  int `json:"NOT APPLICABLE"`
	NotRun         int `json:"NOT RUN"`
}

// FailedExperiment is an experiment of which a required claim does not hold.
type FailedExperiment struct {
	Experiment string  `json:"experiment"`                      // its label, cut at 100 bytes as they stand here
	Kind       string  `json:"kind"`                            // of its first claim that is VIOLATED, else of the first that does not hold
	Verdict    Verdict `json:"verdict"`                         // on that claim
	Violated   int     `json:"violated" schema:"range=[0,inf)"` // required claims that are VIOLATED
	Open       int     `json:"open" schema:"range=[0,inf)"`     // those that are NOT ESTABLISHED or NOT RUN
}

// SummaryPaths are what a run wrote, below the path that -o gives; "" for what it did not
// write.
type SummaryPaths struct {
	Bundle   string `json:"bundle"`
	Results  string `json:"results"`
	Report   string `json:"report"`
	Tables   string `json:"tables"`
	Manifest string `json:"manifest"`
}

// SummaryOf sums up results of so many experiments, of which r need not hold any.
func SummaryOf(r *Results, experiments int, paths SummaryPaths) *Summary {
	s := &Summary{
		Schema: SummarySchema, Tool: r.Tool, RunID: r.RunID, Overall: r.Overall, Cautions: r.Cautions, Experiments: experiments,
	}
	if cutAt(paths.Results, maxPlaceBytes) == paths.Results {
		s.Paths = &paths
	}
	violated, open := s.Verdicts.failures(r.Claims)
	s.Failed = len(violated) + len(open)
	for _, f := range append(violated, open...)[:min(s.Failed, MaxSummarized)] {
		f.Experiment = cutAt(f.Experiment, maxLabelBytes)
		s.FailedExperiments = append(s.FailedExperiments, *f)
	}
	return s
}

// failures counts claims, and returns the experiments that failed: those with a claim that
// is VIOLATED, and the others. Claims about no experiment are counted only.
func (v *VerdictCounts) failures(claims []Finding) (violated, open []*FailedExperiment) {
	failed := map[string]*FailedExperiment{}
	var order []*FailedExperiment
	for i := range claims {
		c := &claims[i]
		*v.of(c.Verdict)++
		o := OverallOf(claims[i:i+1], 0)
		if c.Experiment == "" || o.Violated+o.Open == 0 {
			continue
		}
		f := failed[c.Experiment]
		if f == nil {
			f = &FailedExperiment{Experiment: c.Experiment, Kind: c.Kind, Verdict: c.Verdict}
			failed[c.Experiment], order = f, append(order, f)
		}
		if o.Violated > f.Violated {
			f.Kind, f.Verdict = c.Kind, c.Verdict
		}
		f.Violated += o.Violated
		f.Open += o.Open
	}
	for _, f := range order {
		if f.Violated > 0 {
			violated = append(violated, f)
		} else {
			open = append(open, f)
		}
	}
	return violated, open
}

// of is the count of a verdict.
func (v *VerdictCounts) of(verdict Verdict) *int {
	return map[Verdict]*int{
		Verified: &v.Verified, Consistent: &v.Consistent, Violated: &v.Violated,
		NotEstablished: &v.NotEstablished, NotApplicable: &v.NotApplicable, NotRun: &v.NotRun,
	}[verdict]
}

// cutAt is the longest beginning of a text that takes at most so many bytes in JSON, and
// ends where a character does.
func cutAt(text string, most int) string {
	used := 0
	for at, char := range text {
		written, err := compact(string(char))
		if err != nil {
			return text[:at]
		}
		used += len(written) - len(`""`)
		if used > most {
			return text[:at]
		}
	}
	return text
}
