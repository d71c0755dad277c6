package schemas

// steeredMeans warns of means: constant beside contexts: the declaration is about rewards
// given the contexts, which whoever reads it as "nothing moves over time" does not see.
func (d *Document) steeredMeans() Problems {
	l := &d.Protocol.Log
	if d.Protocol.Analysis.Means != MeansConstant || l.Context.IsZero() && l.ContextByArm == "" {
		return nil
	}
	key := "log.context"
	if l.Context.IsZero() {
		key = "log.context_by_arm"
	}
	return Problems{d.Problem("analysis.means", "is \"constant\" beside "+key,
		"it says that the expected reward of an arm, given everything before the draw and the contexts too, is the same number in every round that played the arm; it fails where rewards follow a context that steers the policy",
		"declare it only where rewards follow no context; else delete the key")}
}
