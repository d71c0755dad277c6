package schemas

import "fmt"

// Overall counts the required claims of a run that do not hold, and what makes answers
// weak without contradicting a claim.
type Overall struct {
	Violated int // VIOLATED
	Open     int // NOT ESTABLISHED or NOT RUN
	Cautions int
}

// OverallOf counts over all claims, of which advisory ones do not count, and cautions.
func OverallOf(claims []Finding, cautions int) Overall {
	o := Overall{Cautions: cautions}
	for i := range claims {
		if claims[i].Severity != SeverityRequired {
			continue
		}
		switch claims[i].Verdict {
		case Violated:
			o.Violated++
		case NotEstablished, NotRun:
			o.Open++
		case Verified, Consistent, NotApplicable:
		}
	}
	return o
}

// String returns the overall line:
//
//	EXCEPTIONS NOTED (n)  n required claims are VIOLATED
//	INCOMPLETE (n)        none is; n are NOT ESTABLISHED or NOT RUN
//	NO EXCEPTIONS NOTED   otherwise
//
// each with ", n CAUTIONS" where there are any.
func (o Overall) String() string {
	out := OverallClean
	switch {
	case o.Violated > 0:
		out = fmt.Sprintf("%s (%d)", OverallExceptions, o.Violated)
	case o.Open > 0:
		out = fmt.Sprintf("%s (%d)", OverallIncomplete, o.Open)
	}
	if o.Cautions > 0 {
		out += fmt.Sprintf(", %d CAUTIONS", o.Cautions)
	}
	return out
}
