package report

import (
	"cmp"
	"fmt"
	"strconv"

	"banditaudit/report/page"
	"banditaudit/schemas"
)

// protocol is the protocol that was audited, with what the sections say of it.
type protocol struct{ schemas.Protocol }

// readProtocol reads the protocol inside the results.
func readProtocol(r *Digest) (protocol, error) {
	if err := r.ready(); err != nil {
		return protocol{}, err
	}
	p := &schemas.Protocol{}
	if len(r.Protocol) > 0 {
		var err error
		if p, err = r.Catalogue.ReadEffective(r.Protocol); err != nil {
			return protocol{}, fmt.Errorf("report: results field protocol does not have the form of a protocol: %w", err)
		}
	}
	p.Analysis.Alpha = cmp.Or(p.Analysis.Alpha, schemas.DefaultAlpha)
	p.Analysis.Multiplicity = cmp.Or(p.Analysis.Multiplicity, schemas.AdjustHolm)
	return protocol{*p}, nil
}

// clusters says by what a regression clusters rows; "" where it does not.
func (p *protocol) clusters(name string) string {
	for i := range p.Analysis.Regressions {
		if r := &p.Analysis.Regressions[i]; r.Name == name && r.Covariance.Cluster != "" {
			return page.Label(r.Covariance.Cluster)
		}
	}
	return ""
}

// control is the arm that pooled regressions hold the others against.
func (p *protocol) control() string {
	switch {
	case p.Analysis.Control != "":
		return page.Label(p.Analysis.Control)
	case len(p.Arms) > 0:
		return page.Label(p.Arms[0])
	}
	return "the first arm"
}

// setBy are the keys of log, with their words, by which rewards decided a column, or
// may have.
func (p *protocol) setBy() []string {
	var out []string
	for _, s := range schemas.SetBys() {
		switch word := s.Word(&p.Protocol); word {
		case schemas.SetByRewards, schemas.SetByUnknown:
			out = append(out, s.Path()+": "+word)
		}
	}
	return out
}

// alpha writes the declared level.
func (p *protocol) alpha() string { return page.Short(p.Analysis.Alpha) }

// level writes the confidence level 1 − α in per cent.
func (p *protocol) level() string {
	return strconv.FormatFloat(100*(1-p.Analysis.Alpha), 'g', page.SignificantDigits, 64) + " %"
}

// declaredEpsilon is the ε of the declared counter as it stands; "" without one.
func (p *protocol) declaredEpsilon() string {
	if p.Counter == nil {
		return ""
	}
	return page.Visible(p.Counter.Epsilon.String())
}

// differences are the bounds of a difference of two rewards; nil where the range is not
// known.
func (p *protocol) differences() []float64 {
	if len(p.Reward.Range) != 2 {
		return nil
	}
	width := p.Reward.Range[1] - p.Reward.Range[0]
	return []float64{-width, width}
}
