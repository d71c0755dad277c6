package digest

import (
	"cmp"
	"fmt"
	"strconv"

	"banditaudit/report/page"
	"banditaudit/schemas"
)

// Protocol is the protocol that was audited, with what the sections say of it.
type Protocol struct{ schemas.Protocol }

// ReadProtocol reads the protocol inside the results.
func ReadProtocol(r *Digest) (Protocol, error) {
	if err := r.ready(); err != nil {
		return Protocol{}, err
	}
	p := &schemas.Protocol{}
	if len(r.Protocol) > 0 {
		var err error
		if p, err = r.Catalogue.ReadEffective(r.Protocol); err != nil {
			return Protocol{}, fmt.Errorf("report: results field protocol does not have the form of a protocol: %w", err)
		}
	}
	p.Analysis.Alpha = cmp.Or(p.Analysis.Alpha, schemas.DefaultAlpha)
	p.Analysis.Multiplicity = cmp.Or(p.Analysis.Multiplicity, schemas.AdjustHolm)
	return Protocol{*p}, nil
}

// Clusters says by what a regression clusters rows; "" where it does not.
func (p *Protocol) Clusters(name string) string {
	for i := range p.Analysis.Regressions {
		if r := &p.Analysis.Regressions[i]; r.Name == name && r.Covariance.Cluster != "" {
			return page.Label(r.Covariance.Cluster)
		}
	}
	return ""
}

// Control is the arm that pooled regressions hold the others against.
func (p *Protocol) Control() string {
	switch {
	case p.Analysis.Control != "":
		return page.Label(p.Analysis.Control)
	case len(p.Arms) > 0:
		return page.Label(p.Arms[0])
	}
	return "the first arm"
}

// SetBy are the keys of log, with their words, by which rewards decided a column, or
// may have.
func (p *Protocol) SetBy() []string {
	var out []string
	for _, s := range schemas.SetBys() {
		switch word := s.Word(&p.Protocol); word {
		case schemas.SetByRewards, schemas.SetByUnknown:
			out = append(out, s.Path()+": "+word)
		}
	}
	return out
}

// Alpha writes the declared level.
func (p *Protocol) Alpha() string { return page.Short(p.Analysis.Alpha) }

// Level writes the confidence level 1 − α in per cent.
func (p *Protocol) Level() string {
	return strconv.FormatFloat(100*(1-p.Analysis.Alpha), 'g', page.SignificantDigits, 64) + " %"
}

// DeclaredEpsilon is the ε of the declared counter as it stands; "" without one.
func (p *Protocol) DeclaredEpsilon() string {
	if p.Counter == nil {
		return ""
	}
	return page.Visible(p.Counter.Epsilon.String())
}

// Differences are the bounds of a difference of two rewards; nil where the range is not
// known.
func (p *Protocol) Differences() []float64 {
	if len(p.Reward.Range) != 2 {
		return nil
	}
	width := p.Reward.Range[1] - p.Reward.Range[0]
	return []float64{-width, width}
}
