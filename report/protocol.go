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

// protocol is what the sections need to know of the declared protocol. It is read
// leniently: the protocol is shown in full elsewhere, as it stands.
type protocol struct {
	Experiment struct {
		Stopping string `json:"stopping"`
	} `json:"experiment"`
	Log struct {
		Propensity      string `json:"propensity"`
		PropensityByArm string `json:"propensity_by_arm"`
		Unit            string `json:"unit"`
	} `json:"log"`
	setBy  []string // keys of log by which rewards may have decided a column, with their words
	Arms   []string `json:"arms"`
	Reward struct {
		Range []float64 `json:"range"`
	} `json:"reward"`
	Policy *struct {
		Name string          `json:"name"`
		Seed json.RawMessage `json:"seed"`
		Exec []string        `json:"exec"`
	} `json:"policy"`
	program bool // the policy is a program, and Policy nil
	Counter *struct {
		Name    string          `json:"name"`
		Epsilon json.RawMessage `json:"epsilon"`
	} `json:"counter"`
	Privacy  json.RawMessage `json:"privacy"`
	Analysis struct {
		Alpha        float64              `json:"alpha"`
		Multiplicity string               `json:"multiplicity"`
		Chosen       string               `json:"chosen"`
		Sequence     string               `json:"sequence"`
		Means        string               `json:"means"`
		Control      string               `json:"control"`
		Correction   declaredCorrection   `json:"correction"`
		Tests        []json.RawMessage    `json:"tests"`
		Regressions  []declaredRegression `json:"regressions"`
	} `json:"analysis"`
}

// declaredCorrection is the declared correction of p-values.
type declaredCorrection struct {
	Method string `json:"method"`
}

// declaredRegression is a declared regression; its covariance is a word, or says by
// what rows are clustered.
type declaredRegression struct {
	Name       string          `json:"name"`
	Covariance json.RawMessage `json:"covariance"`
}

// clusters says by what a regression clusters rows; "" where it does not.
func (p *protocol) clusters(name string) string {
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
func (p *protocol) control() string {
	switch {
	case p.Analysis.Control != "":
		return label(p.Analysis.Control)
	case len(p.Arms) > 0:
		return label(p.Arms[0])
	}
	return "the first arm"
}

// readProtocol reads the protocol inside the results.
func readProtocol(r *Digest) (protocol, error) {
	var p protocol
	if err := r.ready(); err != nil {
		return p, err
	}
	if len(r.Protocol) > 0 {
		if err := json.Unmarshal(r.Protocol, &p); err != nil {
			return p, fmt.Errorf("report: results field protocol does not have the form of a protocol: %w", err)
		}
	}
	if p.Policy != nil && p.Policy.Name == "" {
		p.program = len(p.Policy.Exec) > 0
		p.Policy = nil // a program, or nothing but policy.draw is declared
	}
	p.setBy = setByRewards(r.Protocol)
	if p.Analysis.Alpha == 0 {
		p.Analysis.Alpha = schemas.DefaultAlpha
	}
	if p.Analysis.Multiplicity == "" {
		p.Analysis.Multiplicity = schemas.AdjustHolm
	}
	return p, nil
}

// setByRewards are the keys of log, with their words, by which rewards decided a
// column, or may have.
func setByRewards(protocol json.RawMessage) []string {
	var p struct {
		Log map[string]json.RawMessage `json:"log"`
	}
	if len(protocol) == 0 || json.Unmarshal(protocol, &p) != nil {
		return nil // whatever has another form is said elsewhere
	}
	var out []string
	for _, s := range schemas.SetBys() {
		switch word := strings.Trim(string(p.Log[s.Key]), `"`); word {
		case schemas.SetByRewards, schemas.SetByUnknown:
			out = append(out, s.Path()+": "+word)
		}
	}
	return out
}

// alpha writes the declared level.
func (p *protocol) alpha() string { return short(p.Analysis.Alpha) }

// level writes the confidence level 1 − α in per cent.
func (p *protocol) level() string {
	return strconv.FormatFloat(100*(1-p.Analysis.Alpha), 'g', digits, 64) + " %"
}

func (p *protocol) hasPrivacy() bool { return len(p.Privacy) > 0 && string(p.Privacy) != "null" }

// declaredEpsilon is the ε of the declared counter as it stands; "" without one.
func (p *protocol) declaredEpsilon() string {
	if p.Counter == nil {
		return ""
	}
	return visible(strings.Trim(string(p.Counter.Epsilon), `"`))
}
