package analyze

import (
	"fmt"

	"banditaudit/schemas"
)

// ofColumns are cautions about what columns of the log became.
func (v *experimentResult) ofColumns() []string {
	out := v.oneNumber()
	if v.facts.Slice.Schema().RewardByArm {
		out = append(out, "the log has the rewards of all arms (log.reward_by_arm), and only the reward of the logged arm is used")
	}
	return out
}

// oneNumber names labels that are one number in two writings, as a cast of doubles to
// text makes them: 1.0 beside 1. Arms are few and named by hand, so that 01 beside 1 is
// named too; units and levels may have zeros in front.
func (v *experimentResult) oneNumber() []string {
	var out []string
	say := func(what, as string, pairs [][2]string) {
		if len(pairs) > 0 {
			out = append(out, fmt.Sprintf("%s %s and %s are one number in two writings, and count as two %s%s; %s",
				what, schemas.Quoted(pairs[0][0]), schemas.Quoted(pairs[0][1]), as, morePairs(len(pairs)), schemas.CastLabels))
		}
	}
	say("the arms", "arms", schemas.SameNumbers(v.facts.Manifest.Arms, schemas.WholeOf, schemas.PaddedOf))
	declared := &v.protocol.Log.Context
	for _, c := range declared.Columns {
		say("of the context "+schemas.Quoted(c.Column)+" the levels", "levels", schemas.SameNumbers(c.Levels, schemas.WholeOf))
	}
	if n := v.facts.Experiment().UnitsWritten; n > 0 {
		out = append(out, fmt.Sprintf("%s another unit's number in another writing, as 1.0 is the number 1, and %s as different; %s",
			schemas.Counted(n, "unit")+" "+schemas.Agree(n, "has", "have"), schemas.Agree(n, "counts", "count"), schemas.CastLabels))
	}
	return out
}

// morePairs says how many pairs there are beside the first.
func morePairs(pairs int) string {
	if pairs == 1 {
		return ""
	}
	return fmt.Sprintf(" (%s)", schemas.Counted(int64(pairs-1), "more pair"))
}
