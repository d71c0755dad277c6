package report

import "banditaudit/schemas"

// bindings adds how many rewards of each arm could be changed so that the replay is
// what it is.
func bindings(b *builder, x *schemas.Binding, at string) {
	switch {
	case x == nil:
		return
	case x.Any:
		b.say("The policy reads no rewards: any number of them could be changed, and the replay would be what it is.")
		return
	case len(x.Arms) == 0:
		b.say("How many rewards could be changed so that the replay is what it is was not measured at this length.")
		return
	}
	b.say("Rewards that could be changed: the last so many of an arm were set to the upper end of the range, or to the lower, and the log was replayed; every action, every propensity that is compared and every released value was what it is. These are lower bounds: other rewards may be free as well." + unmeasured(x))
	t := table{Caption: "Rewards that could be changed unseen", Pointer: at, RowHead: true, Columns: []column{{Title: "Arm"}, {Title: "Set to the upper end, of those below it"}, {Title: "Set to the lower end, of those above it"}}}
	for i := range x.Arms {
		a, here := &x.Arms[i], item(sub(at, "arms"), i)
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{txt(label(a.Arm)), number(changeable(a.Up), sub(here, "up/at_least")), number(changeable(a.Down), sub(here, "down/at_least"))}})
	}
	b.add(t)
}

// ofDraws reports whether logged propensities were held against shares of draws.
func ofDraws(p *schemas.PropensityReplay) bool { return p != nil && p.Draws != nil }

// changeable is a lower bound, of the rewards that are not at that end already.
func changeable(c schemas.Changeable) string {
	return "at least " + group(c.AtLeast) + " of " + group(c.Of)
}

// unmeasured says of how many arms nothing is known.
func unmeasured(x *schemas.Binding) string {
	if x.Left == 0 {
		return ""
	}
	return " Not measured at this length: " + plural(int(x.Left), "arm", "arms") + ", those that were played least."
}

// bound says how many rewards could be changed: the end of a sentence.
func bound(r *Digest, rewards []float64) string {
	if r.count != 1 {
		return "the section of each experiment says how many could be changed, at least, so that its replay is what it is"
	}
	switch x := r.Experiments[0].Replay.Binding; {
	case r.Experiments[0].Replay.Mode == schemas.ModeNone:
		return "nothing was replayed that depends on them"
	case r.Experiments[0].Replay.Mode == schemas.ModeLaw:
		return "how many could be changed was not looked at, for a wager has something to say of all rounds together alone"
	case x == nil && ofDraws(r.Experiments[0].Replay.Propensities):
		return "how many could be changed was not looked at, for propensities that are shares of draws differ from the recomputed ones anyhow"
	case x == nil:
		return "how many could be changed was not looked at, for the replay does not agree with every round of this log"
	case x.Any:
		return "the policy reads none, so that any number of them could be changed, and the replay would be what it is"
	case len(x.Arms) == 0:
		return "how many could be changed so that the replay is what it is was not measured at this length"
	default:
		most := x.Most()
		if most == nil || len(rewards) < 2 {
			return "to change the last one of any arm changed the replay, and what other changes do was not looked at" + unlooked(x)
		}
		return most.Words(label(most.Arm), rewards[0], rewards[1]) + ", and the replay would be what it is" + unlooked(x)
	}
}

// unlooked says so where not all arms were measured.
func unlooked(x *schemas.Binding) string {
	if x.Left == 0 {
		return ""
	}
	return " (" + plural(int(x.Left), "arm", "arms") + " not measured at this length)"
}
