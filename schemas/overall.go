package schemas

import "fmt"

// Overall counts the required claims of a run that do not hold.
type Overall struct {
	Violated int // VIOLATED
	Open     int // NOT ESTABLISHED or NOT RUN
}

// OverallOf counts over all claims; advisory ones do not count.
func OverallOf(claims []Finding) Overall {
	var o Overall
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
func (o Overall) String() string {
	switch {
	case o.Violated > 0:
		return fmt.Sprintf("%s (%d)", OverallExceptions, o.Violated)
	case o.Open > 0:
		return fmt.Sprintf("%s (%d)", OverallIncomplete, o.Open)
	}
	return OverallClean
}
