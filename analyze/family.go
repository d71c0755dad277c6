package analyze

import (
	"context"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/hypothesis"
	"banditaudit/schemas"
)

// Adjustments for several tests, by their names in the protocol. Holm is the
// default.
const (
	adjustNone       = schemas.AdjustNone
	adjustBonferroni = schemas.AdjustBonferroni
	adjustBY         = schemas.AdjustBY
	adjustBH         = schemas.AdjustBH
)

// family are the declared tests of an experiment, adjusted together. A test
// without a corrected p takes part as p = 1.
type family struct {
	a         *analysis
	ids       []string
	raw       []float64 // ln p of the raw test, NaN where there is no corrected one
	corrected []float64 // ln of the headline's p, NaN where there is none
	rows      []rowSet  // of the tests with a corrected p
	sigma     float64   // over all rows that those read; of the adjustment by bh alone
}

func newFamily(a *analysis, tests int) *family {
	return &family{a: a, raw: make([]float64, 0, tests), corrected: make([]float64, 0, tests)}
}

// join adds a test with its raw and its corrected p.
func (f *family) join(d declaredTest, logRaw, logCorrected float64) {
	f.ids = append(f.ids, d.id)
	f.raw, f.corrected = append(f.raw, logRaw), append(f.corrected, logCorrected)
	f.rows = append(f.rows, d.reads())
}

// abstain adds a test without a corrected p.
func (f *family) abstain(d declaredTest) {
	f.ids = append(f.ids, d.id)
	f.raw, f.corrected = append(f.raw, math.NaN()), append(f.corrected, math.NaN())
}

// decide draws the decisions from the adjusted p-values, and returns what the
// experiment brings to the family of all; nil where it has no tests.
func (f *family) decide(ctx context.Context, tests []schemas.Test) (*Family, error) {
	if len(tests) == 0 {
		return nil, nil //nolint:nilnil // an experiment without tests is no error
	}
	adjusted, err := f.adjusted(ctx, tests)
	if err != nil {
		return nil, err
	}
	out := &Family{
		Method: f.a.Protocol.Analysis.Multiplicity, Alpha: f.a.Protocol.Analysis.Alpha,
		IDs: f.ids, Raw: f.raw, Corrected: f.corrected, Sigma: f.sigma, Units: f.a.Slice.Schema().Unit,
	}
	for i := range tests {
		if math.IsNaN(f.corrected[i]) {
			continue
		}
		t := &tests[i]
		t.Results[1].PAdjusted = probability(adjusted[i])
		t.Decision, t.Verdict = decisionKept, schemas.NotEstablished
		if adjusted[i] <= f.a.logAlpha() {
			t.Decision, t.Verdict = decisionRejected, schemas.Consistent
			out.Rejected++
		}
	}
	return out, nil
}

// bhWords say what the adjustment of Benjamini & Hochberg controls and needs.
const bhWords = "adjusted by Benjamini & Hochberg over the raw p-values, then corrected over all rows that the family reads: the expected share of false rejections, given the actions, where the raw p-values are independent or positively dependent"

// adjusted are the ln of the adjusted p-values.
func (f *family) adjusted(ctx context.Context, tests []schemas.Test) ([]float64, error) {
	method := f.a.Protocol.Analysis.Multiplicity
	if method != adjustBH || len(f.rows) == 0 {
		return adjust(method, f.corrected), nil
	}
	rows, ok := f.union()
	if !ok {
		f.withdraw(tests)
		return f.corrected, nil
	}
	c, err := f.a.correctionsOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	f.sigma = c.sigma
	for i := range tests {
		if head := &tests[i].Results[1]; head.Applicable {
			head.Reason = joined(head.Reason, bhWords)
		}
	}
	return falseDiscovery(f.raw, c.headline.Apply), nil
}

// withdraw takes the corrected p from every test: the family has no common
// independent blocks over which it could be corrected.
func (f *family) withdraw(tests []schemas.Test) {
	for i := range tests {
		f.raw[i], f.corrected[i] = math.NaN(), math.NaN()
		if head := &tests[i].Results[1]; head.Applicable {
			*head = schemas.TestResult{Method: head.Method, ValidFor: head.ValidFor, Conditional: head.Conditional, Reason: f.mixedBlocks()}
		}
	}
}

// mixedBlocks is the reason of withdraw.
func (f *family) mixedBlocks() string {
	names := []string{"rows", "units", "batches"} // in the order of their kinds
	var met []string
	for kind, name := range names {
		if slices.ContainsFunc(f.rows, func(r rowSet) bool { return int(r.block) == kind }) {
			met = append(met, name)
		}
	}
	return "A2: multiplicity bh needs one independent block for all tests, and some of these take " + strings.Join(met, " as independent, others ") + "; write multiplicity: by"
}

// falseDiscovery adjusts raw p-values by Benjamini & Hochberg and corrects what
// comes out over all rows that the family reads. Rejecting where that is at most
// α is the method at the raw level γ(α), whose false discovery proportion is a
// function of those rows; its expectation given the actions is at most α then.
// The method on corrected p-values is not known to hold.
func falseDiscovery(raw []float64, correct func(logP float64) float64) []float64 {
	out := hypothesis.BenjaminiHochberg(raw)
	for i := range out {
		out[i] = correct(out[i])
	}
	return out
}

// adjust adjusts corrected p-values, under every dependence of the tests.
func adjust(method string, corrected []float64) []float64 {
	switch method {
	case adjustNone:
		return corrected
	case adjustBonferroni:
		return hypothesis.Bonferroni(corrected)
	case adjustBY:
		return hypothesis.BenjaminiYekutieli(corrected)
	}
	return hypothesis.Holm(corrected)
}

// union is all rows that the family reads, if its tests agree on what is
// independent.
func (f *family) union() (out rowSet, ok bool) {
	out = rowSet{arms: []int{}, block: f.rows[0].block}
	for _, r := range f.rows {
		switch {
		case r.block != out.block:
			return out, false
		case r.arms == nil || out.arms == nil:
			out.arms = nil
		default:
			out.arms = append(out.arms, r.arms...)
		}
	}
	slices.Sort(out.arms)
	out.arms = slices.Compact(out.arms)
	return out, true
}
