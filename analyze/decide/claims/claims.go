package claims

import (
	"fmt"
	"slices"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Claim describes a kind of claim: when it is implied, how it is decided, and on what it rests.
type Claim struct {
	param.Claim

	Implied func(in *publiclog.Log) bool                            // it stands in the claims without being asked for; nil: never
	Decide  func(v *Findings, f *schemas.Finding, c *schemas.Claim) // nil: the format has the claim, and this version does not
	Rests   func(v *Findings, c *schemas.Claim, path string) bool   // VERIFIED or CONSISTENT could not stand if the key at the path had another word than the default; nil: it rests on none
}

// Findings is what claims and assumptions are judged by: what was found in an experiment.
type Findings struct {
	Evidence   *validity.Evidence
	Facts      *publiclog.Facts
	Protocol   *schemas.Protocol
	Ledger     ledger.Law // nil: no mechanism is declared
	Accounting schemas.Accounting
	Replayed   *schemas.Conformance // nil where none was run

	Kinds      []Claim         // the kinds that there are
	Quality    []check.Check   // the checks that there are
	Checks     []schemas.Check // what they found
	Allocation *allocation.Allocation
	Explained  []schemas.Hypothesis // of an allocation that H05 contradicts
	Arms       []schemas.Arm
	Tests      []Test
	Neighbours Neighbours
	Twins      bool     // two tests ask the same
	Fitted     bool     // there are regressions, whose p-values rest on a normal approximation
	Weighted   bool     // weighted answers rest on the logged propensities
	Missing    int64    // rows without a reward
	Resting    []string // cautions of required claims that rest on undeclared keys
}

// Test is a declared test with what came of it.
type Test struct {
	*schemas.Test

	Declared string // its id in the protocol
	OneMean  bool   // it holds only where all rows of an arm have one mean, and what the log holds can make their means differ
}

// Claims are all kinds of claim, in the order of their verdicts.
func Claims() []Claim {
	return []Claim{qualityClaim(), allocationClaim(), conformanceClaim(), privacyClaim(), noiseClaim(), lowerBoundClaim(), biasClaim(), hypothesisClaim(), committedClaim()}
}

func implied(*publiclog.Log) bool { return true }

// Decide comes to a verdict on every implied claim, and then on every declared one
// that is none of these.
func (v *Findings) Decide() []schemas.Finding {
	var out []schemas.Finding
	for i := range v.Kinds {
		kind := &v.Kinds[i]
		if kind.Implied == nil || !kind.Implied(v.Facts.Log) {
			continue
		}
		declared := slices.DeleteFunc(slices.Clone(v.Protocol.Claims), func(c schemas.Claim) bool { return c.Kind != kind.Kind })
		if len(declared) == 0 {
			declared = []schemas.Claim{{ID: kind.Kind, Kind: kind.Kind, Severity: schemas.SeverityRequired}}
		}
		for j := range declared {
			out = append(out, v.verdict(kind, &declared[j]))
		}
	}
	for i := range v.Protocol.Claims {
		c := &v.Protocol.Claims[i]
		for j := range v.Kinds {
			if kind := &v.Kinds[j]; kind.Kind == c.Kind && kind.Implied == nil && kind.Decide != nil {
				out = append(out, v.verdict(kind, c))
			}
		}
	}
	return out
}

// verdict is the one on a claim.
func (v *Findings) verdict(kind *Claim, c *schemas.Claim) schemas.Finding {
	f := schemas.Finding{ID: c.ID, Experiment: v.Facts.Experiment().ID, Kind: c.Kind, Severity: c.Severity, Evidence: []string{}}
	if f.Severity == "" {
		f.Severity = schemas.SeverityRequired
	}
	kind.Decide(v, &f, c)
	v.rest(kind, &f, c)
	return f
}

// pointer is a JSON pointer below this experiment.
func pointer(in *publiclog.Log, format string, args ...any) string {
	return fmt.Sprintf("/experiments/%d", in.Index) + fmt.Sprintf(format, args...)
}
