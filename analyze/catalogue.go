package analyze

import (
	"banditaudit/analyze/decide/claims"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/replay"
	"banditaudit/schemas/param"
)

// Input is what the analysis of one experiment reads.
type Input struct {
	publiclog.Log

	Catalogue *Catalogue              // the tests, corrections, claims and checks that there are. Defaults to Known.
	Rerunning func(done, total int64) // told of the rounds that a test plays by running the policy again, as by [randomization.WithProgress]; nil: not told
}

// Catalogue is what an analysis knows by name.
type Catalogue struct {
	Tests       []onesample.Test
	Corrections []corrections.Correction
	Claims      []claims.Claim
	Checks      []check.Check
	Methods     []Method
}

// Known returns everything that this program knows: its tests, corrections, claims, checks and
// methods.
func Known() *Catalogue {
	return &Catalogue{Tests: onesample.Tests(), Corrections: corrections.Corrections(), Claims: claims.Claims(), Checks: check.Checks(), Methods: Methods()}
}

// Standard returns the policies and counters of this program with what can be
// asked of an analysis of them, so that every protocol can be read.
func Standard() *replay.Catalogue {
	c := replay.Standard()
	c.Asked = Known().Asked()
	return c
}

// Asked returns what a protocol's reader has to know of what can be asked.
func (c *Catalogue) Asked() param.Asked {
	var out param.Asked
	for i := range c.Tests {
		t := &c.Tests[i]
		out.Tests = append(out.Tests, param.Test{Name: t.Name, Sigma: t.Sigma, Binary: t.Binary, OfMean: t.Mean != nil, OfDifference: t.Difference != nil, Approximate: t.Approximate, Constant: t.Constant})
	}
	for i := range c.Corrections {
		d := &c.Corrections[i]
		out.Corrections = append(out.Corrections, param.Correction{Name: d.Name, Headline: d.Asked == corrections.ByMethod, Also: d.Asked == corrections.ByAlso, Selective: d.Selective})
	}
	for i := range c.Claims {
		out.Claims = append(out.Claims, c.Claims[i].Claim)
	}
	for i := range c.Methods {
		out.Methods = append(out.Methods, c.Methods[i].Method)
	}
	return out
}
