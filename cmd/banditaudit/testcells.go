package main

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/schemas"
)

func correctedCell(t *schemas.Test) string {
	for _, r := range t.Results {
		if r.Method != schemas.MethodCorrected {
			continue
		}
		switch {
		case !r.Applicable:
			return string(schemas.NotApplicable) // undecided says why
		case r.P == nil || r.PAdjusted == nil:
			return "—"
		case r.Vacuous || *r.P >= 1:
			return "1 (1) VACUOUS"
		}
		return fmt.Sprintf("%s (%s)", probability(*r.P, r.Log2P), probability(*r.PAdjusted, nil))
	}
	return "—"
}

// sequenceCell is the p-value of the confidence sequence, which needs no
// privacy and holds for any policy and any stopping.
func sequenceCell(t *schemas.Test) string {
	for _, r := range t.Results {
		if r.Method == schemas.MethodSequence && r.P != nil {
			return probability(*r.P, r.Log2P)
		}
	}
	return "—"
}

// tinyP is the p-value below which a float64 keeps too few digits to print.
const tinyP = 1e-298

// probability writes a p-value, from its logarithm where p is too small.
func probability(p float64, log2p *schemas.Extended) string {
	switch text := fmt.Sprintf("%.3g", p); {
	case text == "1" && p < 1:
		return ">0.999"
	case p == 0 || p >= tinyP:
		return text
	case log2p == nil || math.IsInf(float64(*log2p), 0):
		return fmt.Sprintf("<%.3g", tinyP)
	}
	l := float64(*log2p) * math.Log10(2)
	exponent := math.Floor(l)
	mantissa := fmt.Sprintf("%.3g", math.Pow(10, l-exponent))
	if mantissa == "10" {
		mantissa, exponent = "1", exponent+1
	}
	return fmt.Sprintf("%se%.0f", mantissa, exponent)
}

// undecided says, once for every reason, why tests have no corrected p.
func undecided(tests []schemas.Test) []string {
	const named = 3
	var reasons []string
	without := map[string][]string{}
	for i := range tests {
		for _, r := range tests[i].Results {
			if r.Method != schemas.MethodCorrected || r.Applicable {
				continue
			}
			if without[r.Reason] == nil {
				reasons = append(reasons, r.Reason)
			}
			without[r.Reason] = append(without[r.Reason], schemas.Named(tests[i].ID))
		}
	}
	for i, why := range reasons {
		of := without[why]
		switch {
		case len(of) == len(tests):
			reasons[i] = "No test has a corrected p, so none is decided. " + why
			continue
		case len(of) > named:
			of = append(of[:named:named], fmt.Sprintf("%d more", len(of)-named))
		}
		reasons[i] = "No corrected p for " + strings.Join(of, ", ") + ". " + why
	}
	return reasons
}
