package analyze

import (
	"context"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// family are the declared tests of an experiment, adjusted together. A test
// that no method decides takes part as p = 1.
type family struct {
	accounts *corrections.Accounts
	*aggregate.Family
	tests []*answer
}

// decide draws the decisions from the adjusted p-values, and returns what the
// experiment brings to the family of all; nil where it has no tests.
func decide(ctx context.Context, a *corrections.Accounts, tests []*answer) (*aggregate.Family, error) {
	if len(tests) == 0 {
		return nil, nil //nolint:nilnil // an experiment without tests is no error
	}
	f := &family{accounts: a, tests: tests, Family: &aggregate.Family{
		Method: a.Protocol.Analysis.Multiplicity, Alpha: a.Protocol.Analysis.Alpha, Units: a.Facts.Slice.Schema().Unit,
	}}
	f.refuseBH()
	for _, t := range tests {
		if !t.record.ByCorrection() {
			t.logRaw = math.NaN() // what another method decides has no part in raw p-values
		}
		f.IDs, f.Raw, f.Deciding, f.Evidence = append(f.IDs, t.id), append(f.Raw, t.logRaw), append(f.Deciding, t.logP), append(f.Evidence, t.logE)
		f.Floored = append(f.Floored, t.floored && !math.IsNaN(t.logP))
	}
	adjusted, err := f.adjusted(ctx)
	if err != nil {
		return nil, err
	}
	for i, t := range tests {
		by := t.deciding()
		if by == nil {
			continue
		}
		by.PAdjusted = schemas.Probability(adjusted[i])
		if by.P != nil && *by.PAdjusted < *by.P {
			by.PAdjusted = by.P // e to ln p may round to less
		}
		t.record.Decision, t.record.Verdict = schemas.DecisionKept, schemas.NotEstablished
		switch {
		case adjusted[i] <= publiclog.LogAlpha(a.Protocol):
			t.record.Decision, t.record.Verdict = schemas.DecisionRejected, schemas.Consistent
			f.Rejected++
		case t.silent():
			t.record.Decision = schemas.DecisionSilent
		}
	}
	return f.Family, nil
}

// refuseBH takes the decision from tests that a method other than the corrected p
// decides, where the family is adjusted by Benjamini and Hochberg over raw p-values.
func (f *family) refuseBH() {
	for _, t := range f.tests {
		if f.Method == schemas.AdjustBH && t.record.DecidedBy != "" && t.record.DecidedBy != schemas.MethodCorrected {
			t.undecide(t.record.DecidedBy + " would decide, and multiplicity bh adjusts the raw p of tests that the corrected p decides; write multiplicity: holm, by or e-bh")
		}
	}
}

// bhWords say what the adjustment of Benjamini & Hochberg controls and needs.
const bhWords = "adjusted by Benjamini & Hochberg over the raw p-values, then corrected over all rows that the family reads: the expected share of false rejections, given the actions, where the raw p-values are independent or positively dependent"

// adjusted are the ln of the adjusted p-values.
func (f *family) adjusted(ctx context.Context) ([]float64, error) {
	read := f.read()
	if f.Method != schemas.AdjustBH || len(read) == 0 {
		return aggregate.Adjust(f.Method, f.Deciding, f.Evidence), nil
	}
	rows, ok := union(read)
	if !ok {
		f.withdraw(mixedBlocks(read))
		return f.Deciding, nil
	}
	c, err := f.accounts.CorrectionsOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	f.Sigma = c.Sigma
	for _, t := range f.tests {
		if t.record.ByCorrection() {
			t.headline().Reason = publiclog.Joined(t.headline().Reason, bhWords)
		}
	}
	return aggregate.FalseDiscovery(f.Raw, c.Headline.Apply), nil
}

// read are the rows of the tests with a corrected p.
func (f *family) read() []corrections.Rows {
	var out []corrections.Rows
	for _, t := range f.tests {
		if t.record.ByCorrection() {
			out = append(out, t.rows)
		}
	}
	return out
}

// withdraw takes the corrected p from every test: the family has no common
// independent blocks over which it could be corrected.
func (f *family) withdraw(why string) {
	for i, t := range f.tests {
		f.Raw[i], f.Deciding[i] = math.NaN(), math.NaN()
		if t.undecide(why); t.headline().Applicable {
			head := t.headline()
			*head = schemas.TestResult{Method: head.Method, ValidFor: head.ValidFor, Conditional: head.Conditional, Reason: why}
		}
	}
}

// mixedBlocks is the reason of withdraw.
func mixedBlocks(read []corrections.Rows) string {
	names := []string{"rows", "units", "batches"} // in the order of their kinds
	var met []string
	for kind, name := range names {
		if slices.ContainsFunc(read, func(r corrections.Rows) bool { return int(r.Block) == kind }) {
			met = append(met, name)
		}
	}
	return "A2: multiplicity bh needs one independent block for all tests, and some of these take " + strings.Join(met, " as independent, others ") + "; write multiplicity: by"
}

// undecide takes the decision from a test.
func (t *answer) undecide(why string) {
	t.record.DecidedBy, t.record.Choice = "", why
	t.logP, t.logE = math.NaN(), math.NaN()
}

// union is all the rows that are read, if they agree on what is independent.
func union(read []corrections.Rows) (out corrections.Rows, ok bool) {
	out = corrections.Rows{Arms: []int{}, Block: read[0].Block}
	for _, r := range read {
		switch {
		case r.Block != out.Block:
			return out, false
		case r.Arms == nil || out.Arms == nil:
			out.Arms = nil
		default:
			out.Arms = append(out.Arms, r.Arms...)
		}
	}
	slices.Sort(out.Arms)
	out.Arms = slices.Compact(out.Arms)
	return out, true
}
