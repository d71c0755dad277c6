package publiclog

import (
	"fmt"
	"slices"

	"banditaudit/schemas"
)

// CheckLabels reports every arm and coefficient that the protocol names and the
// log does not have, as a schemas.Problems. Where arms are declared the protocol's own
// checks have refused it; where they come from the log nobody could know.
func CheckLabels(in *Log) error {
	var problems schemas.Problems
	check := func(path, label string, words ...string) {
		if label == "" || slices.Contains(words, label) || slices.Contains(in.Manifest.Arms, label) {
			return
		}
		problems = append(problems, schemas.Problem{
			File: "protocol", Path: path, What: path + " is " + schemas.Quoted(label), Why: "no arm of the log has that label",
			Mend: "write a label that stands in the log, or declare arms",
		})
	}
	an := &in.Protocol.Analysis
	for i := range an.Regressions {
		if why, mend := schemas.AmbiguousPooled(&an.Regressions[i], in.Manifest.Arms); why != "" {
			path := fmt.Sprintf("analysis.regressions[%d].arms", i)
			problems = append(problems, schemas.Problem{File: "protocol", Path: path, What: path + " is " + schemas.Quoted(schemas.ArmsPooled), Why: why, Mend: mend})
		}
		check(fmt.Sprintf("analysis.regressions[%d].arms", i), an.Regressions[i].Arms, schemas.SelectEach, schemas.ArmsPooled)
	}
	for i := range an.Tests {
		check(fmt.Sprintf("analysis.tests[%d].arm", i), an.Tests[i].Arm, schemas.SelectMostPulled, schemas.SelectLeastPulled, schemas.SelectEach)
		for j, label := range an.Tests[i].Difference {
			check(fmt.Sprintf("analysis.tests[%d].difference[%d]", i, j), label)
		}
	}
	check("analysis.control", an.Control)
	for i, c := range in.Protocol.Claims {
		for j, label := range c.Arms {
			check(fmt.Sprintf("claims[%d].arms[%d]", i, j), label, AllArms)
		}
	}
	problems = append(problems, schemas.CheckNames(in.Protocol, in.Manifest.Arms, in.ContextNames())...)
	problems = append(problems, schemas.CheckCoefficients(in.Protocol, in.Manifest.Arms, in.ContextNames())...)
	if len(problems) > 0 {
		return problems
	}
	return nil
}

// AllArms is the word of a claim for every arm.
const AllArms = schemas.ArmsAll
