package report

import "strings"

// meaning says in words what a setting of the protocol is; empty where the
// name says it all.
func meaning(path []string) string {
	if len(path) == 0 {
		return ""
	}
	switch strings.Join(path, ".") {
	case "experiment.stopping":
		return "what decided when the log ends; a corrected p needs a rule that did not look at raw rewards"
	case "log.order":
		return "columns that put the rounds in order"
	case "log.propensity":
		return "probability of the logged action, as logged"
	case "log.missing_reward":
		return "what is done with a missing reward"
	case "reward.range":
		return "public range of the reward, declared and never read off the data"
	case "reward.out_of_range":
		return "what is done with a reward outside it"
	case "policy.width.delta", "policy.width.c":
		return "confidence width of the index"
	case "policy.bonus":
		return "allowance in the index for the counter's noise"
	case "policy.seed.sha256":
		return "digest of the seed; the seed itself is in no file of this bundle"
	case "counter.epsilon":
		return "ε of each arm's counter; the total is the largest over arms"
	case "counter.horizon":
		return "rounds the mechanism was built for"
	case "counter.grid":
		return "lattice on which rewards and noise lie"
	}
	return groupMeaning(path[0])
}

// groupMeaning says what a top-level group of settings is.
func groupMeaning(key string) string {
	switch key {
	case "arms":
		return "labels in index order"
	case "privacy":
		return "the claim about the mechanism"
	case "analysis":
		return "what the auditor asked"
	case "claims":
		return "what a verdict was asked on"
	}
	return ""
}

// undeclared lists what the protocol does not say and what follows from that.
func undeclared(p *plan) []row {
	var rows []row
	absent := func(missing bool, name, consequence string) {
		if missing {
			rows = append(rows, row{Cells: []cell{txt(name), txt("not declared"), txt(consequence)}})
		}
	}
	absent(p.Policy == nil, "policy", "how actions were chosen cannot be recomputed")
	absent(p.Policy != nil && len(p.Policy.Seed) == 0, "policy › seed", "random choices and noise, if there were any, cannot be recomputed")
	absent(p.Counter == nil, "counter", "no noise on the rewards is accounted for")
	absent(!p.hasPrivacy(), "privacy", "nothing private is claimed")
	absent(p.Log.Propensity == "" && p.Log.PropensityByArm == "", "log › propensity", "the allocation cannot be held against logged probabilities")
	absent(p.Log.Unit == "", "log › unit", "each round is taken as a unit of its own")
	absent(p.Experiment.Stopping == "", "experiment › stopping", "what decided the end of the log is unknown, and a corrected p is NOT APPLICABLE")
	absent(len(p.Analysis.Tests) == 0, "analysis › tests", "no hypothesis is tested")
	return rows
}
