package report

import (
	"strings"

	"banditaudit/schemas"
)

// subject is what a test asks about: an arm, two arms, or coefficients of a
// regression; small below it how it was selected, and of which fit.
func subject(t *schemas.Test) []span {
	about, how := label(t.Label), ""
	if t.Selector != t.Label {
		how = t.Selector
	}
	switch t.Kind {
	case schemas.TestDifference:
		about, how = label(t.Label)+" − "+label(t.Against), ""
	case schemas.TestCoefficient, schemas.TestJoint:
		about, how = asked(t.Coefficients), fitOf(t)
	default:
		if t.Arm < 0 { // of all arms, or of several
			about = ""
		}
		if how != "" {
			how = label(how)
		}
	}
	if about == "" {
		about, how = how, ""
	}
	out := []span{{Text: about, Break: true}}
	if how != "" {
		out = append(out, small(how))
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
