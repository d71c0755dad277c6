package claims

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/log/check"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// qualityClaim is that the rows are what was declared.
func qualityClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindDataQuality, Asks: "whether every row has its place, its types and its ranges", Broken: "rows of this log break the rules that were declared for it", Unseen: unseenQuality()}, Implied: implied, Decide: (*Findings).decideQuality}
}

// unseenQuality is what would pass data.quality.
func unseenQuality() []param.Unseen {
	return []param.Unseen{{Words: []string{
		"a log that was cut short at its end",
		"rounds that were left out where the columns of order show no gap",
		"actions, rewards or labels that were changed to others of the declared ones before they were logged, or filled in",
		"rows that are there more than once, where H02 does not find that the whole log repeats itself, as one after the other or row by row: a part that is there twice, copies in another order or cut short, and rewards that change fewer than 40 times. Every test takes them for new rounds",
		"rewards that were sorted: what order rewards have is not looked at",
	}}}
}

func (v *Findings) decideQuality(f *schemas.Finding, _ *schemas.Claim) {
	by := check.Quality(v.Quality, v.Checks)
	f.Statement = "Every row has the declared types and ranges and its place in one order, and no declared arm is missing that its known probability would have played."
	if !v.Facts.Manifest.Declared {
		f.Statement = "Every row has the declared types and ranges and its place in one order. Arms were found in the log, none was declared."
	}
	f.Procedure = "checks " + strings.Join(slices.Sorted(slices.Values(slices.Concat(by[schemas.CheckPass], by[schemas.CheckNote], by[schemas.CheckFail]))), ", ") + " over every row"
	if v.Allocation.Unplayed != nil {
		f.Procedure += "; H08 at level 0.001"
	}
	f.Verdict = schemas.Verified
	f.Observed = schemas.Counted(v.Facts.Pub.Rounds, "row")
	if n := v.Missing; n > 0 {
		f.Observed += fmt.Sprintf(", %s of them without a reward", schemas.Grouped(n))
	}
	if n := v.Facts.Clipped(); n > 0 {
		f.Observed += fmt.Sprintf(", %s clipped", schemas.Counted(n, "reward"))
	}
	for _, reason := range []string{schemas.ReasonAll, schemas.ReasonNever} {
		if n := v.Facts.Counted(reason); n > 0 {
			f.Observed += fmt.Sprintf(", %s with %s", schemas.Grouped(n), reason)
		}
	}
	f.ObservedValue, f.ThresholdValue, f.Unit = schemas.Ext(float64(len(by[schemas.CheckFail]))), schemas.Ext(0), "checks"
	f.Evidence = []string{pointer(v.Facts.Log, "/data/checks")}
	for _, id := range by[schemas.CheckNote] {
		c := check.Find(v.Checks, id)
		f.Observed += strings.TrimRight(fmt.Sprintf("; note %s, %s: %s. %s", id, c.Title, c.Observed, c.Detail), ". ")
	}
	if len(by[schemas.CheckFail]) == 0 {
		return
	}
	f.Verdict = schemas.Violated
	var why []string
	for _, id := range by[schemas.CheckFail] {
		c := check.Find(v.Checks, id)
		f.Evidence = append(f.Evidence, v.CheckPointer(id))
		f.Failing = append(f.Failing, c.Failing...)
		why = append(why, fmt.Sprintf("%s %s: observed %s, expected %s. %s", id, c.Title, c.Observed, c.Expected, c.Detail))
	}
	f.Reason = strings.Join(why, " ")
	if words := schemas.FailingIn(f.Failing); words != "" {
		f.Observed = words
	}
}

// CheckPointer is the place of what a check found.
func (v *Findings) CheckPointer(id string) string {
	for i := range v.Checks {
		if v.Checks[i].ID == id {
			return pointer(v.Facts.Log, "/data/checks/%d", i)
		}
	}
	return pointer(v.Facts.Log, "/data/checks")
}
