package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// errNoResults is returned when there is nothing to render.
var errNoResults = errors.New("report: no results; pass the contents of a results.json")

// plan is what the sections need to know of the declared protocol. It is read
// leniently: the protocol is shown in full elsewhere, as it stands.
type plan struct {
	Experiment struct {
		Stopping string `json:"stopping"`
	} `json:"experiment"`
	Log struct {
		Propensity      string `json:"propensity"`
		PropensityByArm string `json:"propensity_by_arm"`
		Unit            string `json:"unit"`
	} `json:"log"`
	Arms   []string `json:"arms"`
	Reward struct {
		Range []float64 `json:"range"`
	} `json:"reward"`
	Policy *struct {
		Name string          `json:"name"`
		Seed json.RawMessage `json:"seed"`
	} `json:"policy"`
	Counter *struct {
		Name    string          `json:"name"`
		Epsilon json.RawMessage `json:"epsilon"`
	} `json:"counter"`
	Privacy  json.RawMessage `json:"privacy"`
	Analysis struct {
		Alpha        float64           `json:"alpha"`
		Multiplicity string            `json:"multiplicity"`
		Chosen       string            `json:"chosen"`
		Control      string            `json:"control"`
		Correction   correctionPlan    `json:"correction"`
		Tests        []json.RawMessage `json:"tests"`
		Regressions  []regressionPlan  `json:"regressions"`
	} `json:"analysis"`
}

// correctionPlan is the declared correction of p-values.
type correctionPlan struct {
	Method string `json:"method"`
}

// regressionPlan is a declared regression; its covariance is a word, or says by
// what rows are clustered.
type regressionPlan struct {
	Name       string          `json:"name"`
	Covariance json.RawMessage `json:"covariance"`
}

// clusters says by what a regression clusters rows; "" where it does not.
func (p *plan) clusters(name string) string {
	for _, r := range p.Analysis.Regressions {
		var by struct {
			Cluster string `json:"cluster"`
		}
		if r.Name == name && json.Unmarshal(r.Covariance, &by) == nil && by.Cluster != "" {
			return label(by.Cluster)
		}
	}
	return ""
}

// control is the arm that pooled regressions hold the others against.
func (p *plan) control() string {
	switch {
	case p.Analysis.Control != "":
		return label(p.Analysis.Control)
	case len(p.Arms) > 0:
		return label(p.Arms[0])
	}
	return "the first arm"
}

// The defaults of the protocol, for results whose protocol leaves them out.
const (
	defaultAlpha        = 0.05
	defaultMultiplicity = "holm"
)

// readPlan reads the protocol inside the results.
func readPlan(r *Digest) (plan, error) {
	var p plan
	if err := r.ready(); err != nil {
		return p, err
	}
	if len(r.Protocol) > 0 {
		if err := json.Unmarshal(r.Protocol, &p); err != nil {
			return p, fmt.Errorf("report: results field protocol does not have the form of a protocol: %w", err)
		}
	}
	if p.Analysis.Alpha == 0 {
		p.Analysis.Alpha = defaultAlpha
	}
	if p.Analysis.Multiplicity == "" {
		p.Analysis.Multiplicity = defaultMultiplicity
	}
	return p, nil
}

// alpha writes the declared level.
func (p *plan) alpha() string { return short(p.Analysis.Alpha) }

// level writes the confidence level 1 − α in per cent.
func (p *plan) level() string {
	return strconv.FormatFloat(100*(1-p.Analysis.Alpha), 'g', digits, 64) + " %"
}

// whyUndecided is the reason, with a colon before it, for which no test of this
// protocol can be decided, where the protocol alone shows one.
func (p *plan) whyUndecided() string {
	switch {
	case p.Policy == nil:
		return ": no policy is declared, and a corrected p rests on the finite ledger of a declared one"
	case p.Counter == nil:
		return ": the declared policy has no counter, and a corrected p rests on the finite ledger of one"
	}
	return "; the reasons are listed below"
}

func (p *plan) hasPrivacy() bool { return len(p.Privacy) > 0 && string(p.Privacy) != "null" }

// declaredEpsilon is the ε of the declared counter as it stands; "" without one.
func (p *plan) declaredEpsilon() string {
	if p.Counter == nil {
		return ""
	}
	return visible(strings.Trim(string(p.Counter.Epsilon), `"`))
}

// study is one experiment as its sections need it.
type study struct {
	results *Digest
	x       *schemas.Experiment
	plan    *plan
	base    string // JSON pointer of the experiment
	level   int    // of its section headings
	figures []drawing
	drawn   bool // figures are drawn for this experiment
}

// pointer returns the JSON pointer of a field of the experiment.
func (s *study) pointer(members ...string) string { return sub(s.base, members...) }

// claim returns the finding of a kind about this experiment, or nil.
func (s *study) claim(kind string) *schemas.Finding {
	for _, i := range s.results.claimsOf[s.x.ID] {
		if c := &s.results.Claims[i]; c.Kind == kind {
			return c
		}
	}
	return nil
}

// verdict adds the line that leads from a section back to its claim.
func (s *study) verdict(b *builder, kind string) {
	for _, i := range s.results.claimsOf[s.x.ID] {
		c := &s.results.Claims[i]
		if c.Kind != kind {
			continue
		}
		spans := []span{
			{Text: "Claim "},
			{Text: label(c.ID), Link: item("/claims", i)},
			{Text: ": "},
			badge(string(c.Verdict)),
		}
		if c.Reason != "" && c.Reason != schemas.SeedSentence { // that one stands in its section anyway
			spans = append(spans, span{Text: " " + c.Reason})
		}
		b.add(para{Spans: spans})
	}
}

// ofMechanism qualifies bounds and corrected answers while it is not verified
// that the log is the declared policy's.
func (s *study) ofMechanism() string {
	c, noise := s.claim(schemas.KindConformance), s.claim(schemas.KindPrivacyNoise)
	switch {
	case c == nil || c.Verdict != schemas.Verified && c.Verdict != schemas.NotApplicable:
		return "of the declared mechanism"
	case s.x.Replay.Mode == schemas.ModeReleased && noise != nil && noise.Verdict != schemas.NotApplicable:
		return "of the declared mechanism" // the actions are verified, the noise is not
	}
	return "" // what was declared is what was logged, or nothing was declared
}

// qualified joins the parts of a column's note that are there.
func qualified(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "; ")
}
