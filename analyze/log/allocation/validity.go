package allocation

// Validity is what check H05 and check H17 leave of what methods stand on. It is the
// one place that says which contradiction of the allocation takes what:
//
//	H05 or H17, by any wager: labels that were drawn with known probabilities. A
//	    comparison of arms then needs constant means, also where the policy reads no
//	    rewards (evenly), and weighted estimates are said not to be relied on. The
//	    declared policy is not run again (rerun), and nothing stands on its ledger
//	    (corrected, bounds on biases), but where a seed gives every arm of a policy that
//	    reads rewards: arms that follow rewards look like that too
//	H17, by any wager (a split, a cell, the arm of the unit's round before, the
//	    likelier arm): A3 of what compares arms. Each of these wagers is on rounds that
//	    something known before them picks out, or on rounds of units that an arm has
//	    kept: the arms did not meet the same rounds
//	H05 alone: no A3. How often an arm was played over all rounds does not say which
//	    rounds it met
//	the hash of the units' keys (policy.draw.hash), in any row: as H05 alone, for arms
//	    were not played with the probabilities that are known
//	neither: a mean of one arm, which is that over its own rounds
//
// That a log is not the declared policy's (policy.conformance) takes the ledger, and
// with it everything corrected, whatever the footing is.
type Validity struct {
	Looked    bool   // check H17 was run
	Misplayed bool   // H05, H17 or the declared hash contradicts the logged or recomputed propensities, or the declared probabilities
	Follows   string // the arms and rounds by which check H17 does; "" where it does not
}

// Footing says which allocation checks failed in an experiment whose arms have these labels.
func (al *Allocation) Footing(labels []string) Validity {
	margin := al.Propensities != nil && al.Propensities.Allocation.Rejected || al.Margin != nil && al.Margin.Allocation.Rejected
	other := al.Hashed != nil && al.Hashed.Contradicted() > 0
	return Validity{Looked: al.Splits.Finds(), Misplayed: margin || other || al.Splits.Rejected(), Follows: al.Splits.Contradictions(labels)}
}

// MisplayedBy names what contradicts the probabilities.
func (f Validity) MisplayedBy() string {
	if f.Follows != "" {
		return "check H17: " + f.Follows
	}
	return "checks H05 and H17"
}
