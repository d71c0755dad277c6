package report

import (
	"slices"
	"strings"

	"banditaudit/schemas"
)

// subject is what a test asks about: an arm, two arms, or coefficients of a
// regression; small below it how it was selected, and of which fit.
func subject(t *schemas.Test) []span {
	about, small := label(t.Label), ""
	if t.Selector != t.Label {
		small = t.Selector
	}
	switch t.Kind {
	case schemas.TestDifference:
		about, small = label(t.Label)+" − "+label(t.Against), ""
	case schemas.TestCoefficient, schemas.TestJoint:
		about, small = asked(t.Coefficients), fitOf(t)
	default:
		if t.Arm < 0 { // of all arms, or of several
			about = ""
		}
		if small != "" {
			small = label(small)
		}
	}
	if about == "" {
		about, small = small, ""
	}
	out := []span{{Text: about, Break: true}}
	if small != "" {
		out = append(out, span{Text: small, Style: styleSmall, Break: true})
	}
	return out
}

// fitOf names the fit whose coefficients are tested.
func fitOf(t *schemas.Test) string {
	if t.Arm < 0 {
		return label(t.Regression) + ", all arms"
	}
	name := label(t.Regression) + ", arm " + label(t.Label)
	if t.Selector != "" && t.Selector != t.Label {
		name += " (" + label(t.Selector) + ")"
	}
	return name
}

// asked names the coefficients of a test, or counts them where the hypothesis
// has to be read for them.
func asked(names []string) string {
	const most = 2
	if len(names) > most {
		return group(int64(len(names))) + " coefficients"
	}
	return labels(names)
}

// testName names a test and what it is about; the ids of tests of each arm end
// in the label already, and the hypothesis of a joint test names what it is about.
func testName(t *schemas.Test) string {
	about := ""
	switch {
	case t.Kind == schemas.TestDifference:
		about = label(t.Label) + " − " + label(t.Against)
	case t.Kind == schemas.TestJoint:
	case t.Kind == schemas.TestCoefficient && len(t.Coefficients) > 0:
		about = label(t.Coefficients[0])
	case t.Label != "":
		about = label(t.Label)
	}
	if about == "" || t.Label != "" && strings.HasSuffix(t.ID, "/"+t.Label) {
		return label(t.ID)
	}
	return label(t.ID) + " (" + about + ")"
}

// methodName says a method in words.
func methodName(name string) string {
	switch name {
	case schemas.MethodNaive:
		return "naive p"
	case schemas.MethodCorrected:
		return "corrected p"
	case schemas.MethodPaper:
		return "the published route (Theorem 20)"
	case schemas.MethodSequence:
		return "confidence sequence (normal mixture)"
	case schemas.MethodAnyTime:
		return "wagers on rewards (any-time)"
	case schemas.MethodRerun:
		return "the policy run again (rerun)"
	case schemas.EstimatorSqrt, schemas.EstimatorAIPW:
		return "weighted estimate (" + name + ")"
	case schemas.MethodAssignment:
		return "wagers on the arm, given the reward (assignment)"
	case schemas.MethodConditional:
		return "corrected by σ"
	case schemas.MethodMoments:
		return "corrected by moments"
	case schemas.MethodRecursion:
		return "corrected by recursion"
	case schemas.MethodAnyLaw:
		return "corrected for any law"
	case schemas.MethodZCDP:
		return "by ρ of zero-concentrated privacy"
	case schemas.MethodDelta:
		return "by ε and δ"
	}
	return label(name)
}

// onRequest reports whether a method is given only where it was asked for.
func onRequest(name string) bool {
	return slices.Contains([]string{schemas.MethodZCDP, schemas.MethodDelta}, name)
}
