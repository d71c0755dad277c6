package schemas

import "slices"

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
	Overall     string        `json:"overall" schema:"pattern=^(NO EXCEPTIONS NOTED|(EXCEPTIONS NOTED|INCOMPLETE) \\([1-9][0-9]*\\))(, (1 CAUTION|[1-9][0-9]* CAUTIONS))?$"`
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

// SummaryOf sums up results of so many experiments, of which r need not hold any, nor
// their claims, of which sums are given.
func SummaryOf(r *Results, of *ClaimSums, experiments int, paths SummaryPaths) *Summary {
	s := &Summary{
		Schema: SummarySchema, Tool: r.Tool, RunID: r.RunID, Overall: r.Overall, Cautions: r.Cautions, Experiments: experiments,
	}
	if cutAt(paths.Results, maxPlaceBytes) == paths.Results {
		s.Paths = &paths
	}
	violated, open := of.end()
	s.Verdicts, s.Failed = of.Verdicts, of.Failed
	for _, f := range append(violated, open...)[:min(s.Failed, MaxSummarized)] {
		f.Experiment = cutAt(f.Experiment, maxLabelBytes)
		s.FailedExperiments = append(s.FailedExperiments, f)
	}
	return s
}

// ClaimSums are what claims come to that are taken up one after another, those of an
// experiment behind one another. The zero value has none.
type ClaimSums struct {
	Claims   int
	Overall  Overall // of required claims, without cautions
	Verdicts VerdictCounts
	Failed   int // experiments with a required claim that does not hold

	now            FailedExperiment
	violated, open []FailedExperiment // the first that failed
}

// Add takes up the next claim. Claims about no experiment are counted only.
func (s *ClaimSums) Add(c *Finding) {
	s.Claims++
	s.Overall = s.Overall.With(c)
	if n := s.Verdicts.of(c.Verdict); n != nil {
		*n++
	}
	if c.Experiment != s.now.Experiment {
		s.violated, s.open = s.end()
		s.now = FailedExperiment{Experiment: c.Experiment}
	}
	o := Overall{}.With(c)
	if c.Experiment == "" || o.Violated+o.Open == 0 {
		return
	}
	if s.now.Violated+s.now.Open == 0 {
		s.Failed++
	}
	if s.now.Violated+s.now.Open == 0 || o.Violated > s.now.Violated {
		s.now.Kind, s.now.Verdict = c.Kind, c.Verdict
	}
	s.now.Violated += o.Violated
	s.now.Open += o.Open
}

// end are the experiments that failed, with the last one: those with a claim that is
// VIOLATED, and the others; the first of them.
func (s *ClaimSums) end() (violated, open []FailedExperiment) {
	violated, open = slices.Clip(s.violated), slices.Clip(s.open)
	switch {
	case s.now.Violated > 0 && len(violated) < MaxSummarized:
		violated = append(violated, s.now)
	case s.now.Violated == 0 && s.now.Open > 0 && len(open) < MaxSummarized:
		open = append(open, s.now)
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
