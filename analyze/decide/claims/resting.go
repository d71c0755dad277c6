package claims

import (
	"fmt"
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// rest notes on which undeclared keys a required claim rests that holds: one caution
// for each kind of claim and key, whatever the number of claims. A key counts where
// the protocol's file does not have it, its column is declared, its default is the
// favourable word, and the verdict could not stand with another word. So no key of
// which the strictest is assumed counts (log.eligible_by, experiment.stopping,
// analysis.chosen), nor one on which only words of a claim depend, as the words of
// privacy.total depend on log.context_by.
func (v *Findings) rest(kind *Claim, f *schemas.Finding, c *schemas.Claim) {
	holds := f.Verdict == schemas.Verified || f.Verdict == schemas.Consistent
	if kind.Rests == nil || !holds || f.Severity != schemas.SeverityRequired {
		return
	}
	for _, path := range v.Protocol.Assumed {
		if !kind.Rests(v, c, path) {
			continue
		}
		words := fmt.Sprintf("%s rests on %s, which is not declared: assumed is %s", kind.Kind, path, assumedOf(v.Protocol, path))
		if !slices.Contains(v.Resting, words) {
			v.Resting = append(v.Resting, words)
		}
	}
}

// assumedOf says what stands for an undeclared key.
func assumedOf(p *schemas.Protocol, path string) string {
	for _, d := range publiclog.DecidedBy(p) {
		if d.Path() == path {
			return fmt.Sprintf("%s, that whatever decided %s had read no rewards", d.Word, d.What)
		}
	}
	if path == schemas.PathKeepBy {
		return schemas.KeepBySchedule + ", that dropping a row had read nothing that the row held"
	}
	return schemas.DrawnFromEstimate + ", that actions were drawn from the shares and not by one more draw"
}

// setByPath reports whether a path names a key that says what the one who set a column may
// have read.
func setByPath(p *schemas.Protocol, path string) bool {
	return slices.ContainsFunc(publiclog.DecidedBy(p), func(d publiclog.Decided) bool { return d.Path() == path })
}

// biasRests reports whether bias.bound rests on a key: no bound is applicable where
// rewards may have decided a column.
func biasRests(v *Findings, _ *schemas.Claim, path string) bool { return setByPath(v.Protocol, path) }

// hypothesisRests reports whether the answer to a test rests on a key: a corrected p
// and the policy run again need columns that rewards did not decide, and what is
// decided by wagers does not.
func (v *Findings) hypothesisRests(c *schemas.Claim, path string) bool {
	if path == schemas.PathKeepBy {
		return true
	}
	return setByPath(v.Protocol, path) && slices.ContainsFunc(v.Tests, func(t Test) bool {
		return t.Declared == c.Test && (t.ByCorrection() || t.DecidedBy == schemas.MethodRerun)
	})
}

// allocationRests reports whether allocation.matches_propensity rests on a key. Shares of draws
// are no propensities where a fresh draw chose the action, unless the draws were made with the
// probabilities of a declared policy that reads no rewards.
func (v *Findings) allocationRests(_ *schemas.Claim, path string) bool {
	return path == schemas.PathKeepBy || path == schemas.PathDrawn && !v.Facts.DeclaredLaw()
}
